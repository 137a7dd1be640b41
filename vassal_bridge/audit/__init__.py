"""The room `audit` (see CONTRIBUTING)."""
