"""The room `demo` (see CONTRIBUTING)."""
