"""The room `vassal` (see CONTRIBUTING)."""
