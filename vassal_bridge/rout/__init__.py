"""The room `rout` (see CONTRIBUTING)."""
