"""The room `board` (see CONTRIBUTING)."""
