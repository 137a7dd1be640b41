"""Pictures: one scene of plain shapes, painted by `svg` and by `png`."""
