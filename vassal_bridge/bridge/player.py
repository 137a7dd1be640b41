"""Fair play at the crossing: which pieces of a file exist for the one who looks at it.

A file holds both players' hidden (HIP) units in full. For the program they do not exist, but for
those of a player who has shown with his password that they are his (formats/files.md 8, 12).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from vassal_bridge.counters import Eyes, Sides, classify, sides

if TYPE_CHECKING:
    from vassal_bridge.vassal import Game, Piece, Stack

Grouping = str | Mapping[str, tuple[str, ...]] | None


@dataclass(frozen=True, slots=True)
class Player:
    """Someone who wants to see his own secrets.

    Attributes:
        side: nationality, side or group he plays (``--as``).
        password: what he typed; compared, never shown, never kept in a file.
    """

    side: str
    password: str = field(repr=False)


def eyes_of(game: Game, player: Player | None, grouping: Grouping = None) -> Eyes | None:
    """What a player sees of a game besides what everybody sees.

    Only counters that were hidden or put under "?" with his password, and of these only those of
    his side: two players may have the same password.

    Args:
        game: the game.
        player: who looks; None = nobody in particular.
        grouping: value of ``--sides``.

    Returns:
        None when nothing in the game shows that the password is that of this side's player.
    """
    owner = None if player is None else game.alias_of(player.password)
    if player is None or owner is None:
        return None
    owned = {classify(piece).nationality for piece in _owned(game, owner)}
    nations = _of_side(player.side, owned, _sides_as_seen_by(game, owner, grouping))
    if not owned & nations:
        return None
    return Eyes(owner, nations, plain=owned - {None} <= nations)


def _owned(game: Game, owner: str) -> Iterator[Piece]:
    """Pieces that a player's password hid or concealed.

    A "?" counter proves nothing: fresh ones of the palette all carry the same id.
    """
    for piece in game.pieces.values():
        if piece.owner == owner and (piece.hidden or piece.concealed):
            yield piece


def _sides_as_seen_by(game: Game, owner: str, grouping: Grouping) -> Sides:
    seen = (p for p in game.pieces.values() if not p.hidden or p.owner == owner)
    return sides([classify(piece) for piece in seen], game.info, grouping)


def _of_side(name: str, owned: set[str | None], who: Sides) -> frozenset[str]:
    """All nationalities of the side that is meant by a nationality, a side or a group."""
    wanted = name.strip().casefold()
    nations = {*who.of, *(nation for nation in owned if nation is not None)}
    named = {
        who.of.get(nation, nation)
        for nation in nations
        if wanted
        in (
            nation.casefold(),
            who.of.get(nation, "").casefold(),
            (who.group(who.of.get(nation, nation)) or "").casefold(),
        )
    }
    return frozenset(nation for nation in nations if who.of.get(nation, nation) in named)


def as_seen(game: Game, eyes: Eyes | None = None) -> Game:
    """The game without hidden pieces, as if they had never been put on the map.

    Stacks close up, and problems that hidden pieces caused are gone.

    Args:
        game: the game as the file has it.
        eyes: of a player whose own hidden pieces stay.
    """
    gone = {
        piece.id
        for piece in game.pieces.values()
        if piece.hidden and (eyes is None or not eyes.own(classify(piece)))
    }
    if not gone:
        return game
    touched = {game.pieces[id_].stack for id_ in gone}
    stacks: dict[str, Stack] = {}
    index: dict[str, int] = {}
    for stack in game.stacks.values():
        if stack.id in touched:
            left = tuple(id_ for id_ in stack.members if id_ not in gone)
            index.update((id_, place) for place, id_ in enumerate(left))
            if left:
                stacks[stack.id] = replace(stack, members=left)
        else:
            stacks[stack.id] = stack
    pieces = {
        id_: piece
        if index.get(id_, piece.index) == piece.index
        else replace(piece, index=index[id_])
        for id_, piece in game.pieces.items()
        if id_ not in gone
    }
    problems = tuple(found for found in game.problems if found.piece not in gone)
    return replace(game, pieces=pieces, stacks=stacks, problems=problems)
