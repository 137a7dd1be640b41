"""The room `counters` (see CONTRIBUTING)."""
