"""`python -m vassal_bridge`."""

from __future__ import annotations


def main() -> None:
    """Run the command line; imports it only now so that `--help` stays fast."""
    from vassal_bridge.cli import run

    run()


if __name__ == "__main__":
    main()
