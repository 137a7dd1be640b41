"""Every limit of the package as a named constant (reliability.md A6), each with a test."""

MAX_ARCHIVE_BYTES = 64 * 1024 * 1024
"""Largest .vsav/.vlog/.zip file opened, compressed size in bytes."""
MAX_ZIP_ENTRIES = 64
"""Most members of a saved game; board archives have their own limit."""
MAX_BOARD_ZIP_ENTRIES = 1024
"""Most members of a board archive."""
MAX_TEXT_BYTES = 256 * 1024 * 1024
"""Largest decoded `savedGame`, in bytes of UTF-8 text."""
MAX_XML_BYTES = 8 * 1024 * 1024
"""Largest XML member that is parsed, in bytes."""
MAX_NESTING = 200
"""Deepest nesting of commands or traits followed."""
MAX_IMAGE_PIXELS = 64 * 1024 * 1024
"""Largest picture decoded, in pixels."""
MAX_LOSDATA_PIXELS = 32 * 1024 * 1024
"""Largest LOSData grid, in pixels."""
MAX_YAML_BYTES = 4 * 1024 * 1024
"""Largest position, ruling or settings file, in bytes."""
MAX_PREFERENCES_BYTES = 4 * 1024 * 1024
"""Largest VASSAL preferences file that is looked into, in bytes."""
MAX_SCAN_ENTRIES = 250_000
"""Most files and folders one scan of a watched folder looks at."""
MAX_SCAN_DEPTH = 32
"""Deepest subfolder of a watched folder that is looked into."""
MAX_LEDGER_BYTES = 32 * 1024 * 1024
"""Largest list of files already done that is read back at the start of a watch."""
MAX_RECENT = 50
"""Most finished files the live view remembers."""
MAX_LIVE_READERS = 64
"""Most browser windows listening to one live view."""
