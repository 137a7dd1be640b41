"""The room `report` (see CONTRIBUTING)."""
