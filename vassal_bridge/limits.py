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
MAX_FIELDS = 1024
"""Most fields of one trait; the longest of VASL has about 40."""
MAX_TYPE_CHARS = 64 * 1024
"""Longest type of a piece, in characters; the longest of VASL has about 6,000."""
MAX_NAME_CHARS = 16 * 1024
"""Longest shown name of a piece, in characters; what is beyond is cut off. Labels make 6,000."""
MAX_COMMANDS = 500_000
"""Most commands in one saved game or log; a large one has 10,000."""
MAX_PIECES = 10_000
"""Most pieces and stacks in the game at one time; the largest at hand has 819."""
MAX_COUNTERS = 4_000
"""Most pieces, without stacks, of a game whose counters are told apart; the largest has 344."""
MAX_PIECE_WORK = 1_000_000
"""Most changes of pieces while a log is played, each counted once per 1,000 characters of its type.
An evening's log makes 10,000; the bound is for logs built to be slow."""
MAX_STEPS = 30_000
"""Most steps of a log; an evening's has 1,000 to 3,000."""
MAX_UNITS = 3_000
"""Most units on the boards of a game that is judged; the largest scenarios have 500."""
MAX_BROKEN = 150
"""Most broken units that are judged at one moment; a bad day has 30."""
MAX_COMMAND_CHARS = 16 * 1024 * 1024
"""Longest single command, in characters; VASL's squads take about 4,000."""
MAX_PROPERTIES = 500
"""Most global and zone properties of a game; VASL has about 10."""
MAX_STACK_MEMBERS = 300
"""Most pieces in one stack."""
MAX_MEMBER_BYTES = 16 * 1024 * 1024
"""Largest member of a saved game besides `savedGame`, in bytes."""
MAX_MEMBERS_BYTES = 32 * 1024 * 1024
"""All members of a saved game besides `savedGame` together, in bytes; VASSAL writes 1,000."""
MAX_COMPRESSION_RATIO = 400
"""Most bytes a compressed one may become once a member passes `RATIO_FREE_BYTES`."""
RATIO_FREE_BYTES = 32 * 1024 * 1024
"""Members up to this size in bytes may compress as well as they like."""
MAX_XZ_MEMORY = 96 * 1024 * 1024
"""Most memory an XZ stream may ask for, in bytes; the strongest preset takes 65 MiB."""
MAX_DIRECTORY_BYTES = 1024 * 1024
"""Largest central directory of a zip that is read, in bytes."""
MAX_NESTING = 200
"""Deepest nesting of commands or traits followed."""
MAX_IMAGE_PIXELS = 32 * 1024 * 1024
"""Largest picture decoded, in pixels; as many as `MAX_LOSDATA_PIXELS`."""
MAX_LOSDATA_PIXELS = 32 * 1024 * 1024
"""Largest LOSData grid, in pixels."""
MIN_LOSDATA_BLOCK_BYTES = 128
"""Smallest average block of a LOSData stream, in bytes; Java writes 1,024 at a time."""
MIN_LOSDATA_BLOCKS = 1000
"""Blocks a LOSData stream may have however small they are."""
MAX_YAML_BYTES = 512 * 1024
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
MAX_BOARD_BYTES = 64 * 1024 * 1024
"""Largest board archive opened, compressed size in bytes."""
MAX_BOARD_MEMBER_BYTES = 64 * 1024 * 1024
"""Largest member of a board archive, unpacked, in bytes."""
MAX_BOARD_HEXES = 20_000
"""Most hexes of one board or joined map, counted as columns times (rows + 1)."""
MAX_BOARDS = 64
"""Most boards in one boards line or position file."""
MAX_BOARD_NAME = 64
"""Longest name of a board, in characters."""
MAX_BOARD_EXTRAS = 200
"""Most overlays, and most words of scenario changes, of one board; real ones have a dozen."""
MAX_UNCLEAR_AREAS = 64
"""Most different areas that the scenario words of a map may change in a way not understood, counted
board by board; each is a picture of its board in memory."""
MAX_BOARD_SPAN = 64
"""Rows and columns of the matrix of boards."""
MAX_BOARD_ZOOM = 8
"""Largest (and one over the smallest) ZOOM of a board."""
MAX_MAP_PIXELS = 96 * 1024 * 1024
"""Largest joined map, in pixels: 36 geomorphic boards are 42 million."""
MAX_COUNTER_NAME = 160
"""Characters of a counter's shown name that are looked at to tell what it is."""
MAX_PAIRS_BYTES = 64 * 1024 * 1024
"""Largest CSV of hex pairs that `los --pairs` reads, in bytes."""
MAX_PNG_WIDTH = 8000
"""Widest PNG that is drawn, in pixels."""
MAX_ART_BYTES = 256 * 1024
"""Largest counter picture taken from a module file, in bytes; counters are 2 KB."""
MAX_MODULE_DIRECTORY_BYTES = 4 * 1024 * 1024
"""Largest central directory of a module file that is read, in bytes; VASL's has 1 MB."""
MAX_FAN_TARGETS = 2_000_000
"""Lines of sight remembered per map, four bytes each; the fans unused for longest go first."""
MAX_RANGE_ROWS = 4096
"""Hexes of a map whose ranges to all others are remembered, two bytes per pair."""
MAX_SIGHT_FIELDS = 6
"""Pairs of heights of a map for which distances along lines of sight are remembered."""
