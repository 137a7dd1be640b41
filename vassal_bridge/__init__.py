"""vassal-bridge: rout obligations and rout audits for ASLSK games in VASSAL/VASL."""

__version__ = "0.1.0"
