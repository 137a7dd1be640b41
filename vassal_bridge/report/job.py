"""What a writer is given: the loaded game, the answers, the map, and what the reader wants."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from vassal_bridge.report.build import build_report
from vassal_bridge.report.catalogue import words_in

if TYPE_CHECKING:
    from vassal_bridge.report.catalogue import Catalogue, Lang
    from vassal_bridge.report.inputs import Loaded
    from vassal_bridge.report.model import Report
    from vassal_bridge.report.picture import ArtProvider, MapPicture
    from vassal_bridge.rout.result import Assessment


@dataclass(frozen=True, slots=True)
class Options:
    """How a report is written.

    Attributes:
        lang: language; the page holds both and opens in this one.
        with_los: list the lines of sight that were looked at.
        width: of a PNG in pixels, None = natural size.
        whole_map: pictures show the whole map instead of the part that matters.
        unit: pictures show this unit only (its id).
        art: gives the module's own pictures of counters.
        live: a script for a page that is served, and may then ask its own server (CSP 'self').
    """

    lang: Lang = "en"
    with_los: bool = True
    width: int | None = None
    whole_map: bool = False
    unit: str | None = None
    art: ArtProvider | None = None
    live: str | None = None


@dataclass(frozen=True)
class Job:
    """One report to be written, in whatever format.

    Attributes:
        loaded: the game or position.
        assessments: what the rules said, one per broken unit.
        picture: the map, None where none is known.
        options: how to write it.
    """

    loaded: Loaded
    assessments: Sequence[Assessment]
    picture: MapPicture | None = None
    options: Options = field(default_factory=Options)
    _reports: dict[Lang, Report] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    @property
    def words(self) -> Catalogue:
        """The catalogue of the chosen language."""
        return words_in(self.options.lang)

    def report(self, lang: Lang | None = None) -> Report:
        """The report as a model, in the chosen language or another; made once for all formats."""
        chosen = lang or self.options.lang
        found = self._reports.get(chosen)
        if found is None:
            listed = self.options.with_los
            found = build_report(self.loaded, self.assessments, chosen, with_los=listed)
            self._reports[chosen] = found
        return found
