"""How `--help` words commands: the same with every typer, whose own words changed several times.

A summary is never cut, an argument is what one types (``FILE...``), without the name of its Python
type.
"""

from typing import Any

from typer.core import TyperArgument, TyperCommand


class Command(TyperCommand):
    """A command whose help is in our words."""

    def get_short_help_str(self, limit: int = 45) -> str:
        """The summary in the list of commands: all of it."""
        del limit
        return " ".join((self.help or "").split())

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """What stands behind the command in its usage line."""
        params = self.get_params(ctx)
        return ["[OPTIONS]", *(typed(one) for one in params if isinstance(one, TyperArgument))]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """The lists of arguments and of options."""
        rows: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": []}
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx)
            if isinstance(param, TyperArgument):
                rows["Arguments"].append((named(param), param.help or ""))
            elif record is not None:
                rows["Options"].append(record)
        for title, listed in rows.items():
            if listed:
                with formatter.section(title):
                    formatter.write_dl(listed)


def named(argument: TyperArgument) -> str:
    """An argument's name: ``FILE...``."""
    return argument.metavar or (argument.name or "").upper()


def typed(argument: TyperArgument) -> str:
    """An argument in a usage line: in brackets where it may be left out."""
    return named(argument) if argument.required else f"[{named(argument)}]"
