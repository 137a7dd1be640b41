"""The JSON of reports, inspections and audits (contracts.md 4, 5, 6) as pydantic models.

Field order is the order of the keys in the files. Keys beyond the contract are documented here; a
change of shape needs a new schema number and a line in the changelog.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

FactValue = str | int | float | bool | list[str]
Probability = Annotated[float, Field(ge=0.0, le=1.0)]


class Value(BaseModel):
    """Base of all models: immutable, exact keys, written by alias."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True, defer_build=True)


class Source(Value):
    """Where the game came from."""

    file: str
    kind: Literal["vsav", "vlog", "position"]
    module: str | None = None
    module_version: str | None = None
    vassal_version: str | None = None


class RulesUsed(Value):
    """What the game is judged by."""

    game: Literal["ASLSK"] = "ASLSK"
    edition: Literal["sk1", "sk2", "sk3", "sk4"]
    month: int | None = Field(default=None, ge=1, le=12)
    attacker: str
    readings: list[str] = Field(
        default_factory=list, description="Disputed rules whose non-default reading was chosen."
    )


class BoardUsed(Value):
    """A board as it lies on the map."""

    name: str
    row: int
    column: int
    reversed: bool = False
    crop: tuple[int, int, int, int] | None = None
    version: str | None = None
    rules: list[str] = Field(default_factory=list)


class Assumption(Value):
    """Something taken for granted."""

    code: str
    text: str


class Problem(Value):
    """Something not understood."""

    code: str
    hex: str | None = None
    text: str


class ReasonText(Value):
    """A reason: its rule, a sentence, its facts."""

    rule: str
    text: str
    facts: dict[str, FactValue]
    code: str = Field(description="Stable key of what happened, independent of the language.")
    reading: str | None = Field(default=None, description="Disputed reading it rests on.")


class ReadingText(Value):
    """A disputed reading that would change an answer about the unit."""

    reading: str
    rule: str
    changes: list[str]
    text: str


class Because(Value):
    """Why a destination may be ignored (R31, R32)."""

    rule: str
    enemy: str | None = None
    range: int | None = None
    start_range: int | None = None
    text: str


class TargetHex(Value):
    """A legal destination before the first step."""

    hex: str
    mf: float
    ignorable: bool
    because: Because | None = None


class InterdictedHex(Value):
    """An Open Ground hex on a route and the enemies able to interdict there."""

    hex: str
    by: list[str]


class OddsOut(Value):
    """Exact probabilities of how the route ends; unreduced to eliminated add up to 1."""

    unreduced: Probability
    pinned: Probability
    reduced: Probability
    wounded: Probability
    eliminated: Probability


class EndHex(Value):
    """A hex in which the unit may end its rout alive, interdiction aside."""

    hex: str
    how: Literal["stay", "crawl", "move", "both"]
    path: list[str]
    mf: float
    interdictions: list[InterdictedHex]
    survival: Probability | None = Field(description="Arrives unreduced; null = morale unknown.")
    odds: OddsOut | None = None
    events: list[ReasonText] = Field(
        default_factory=list, description="Discoveries and new destinations on the way, in order."
    )
    on_foot: list[InterdictedHex] | None = Field(
        default=None,
        description="Interdictions on foot, where the path is a Low Crawl but it may walk too.",
    )

    @property
    def crawled(self) -> bool:
        """Whether path, MF and odds are those of a Low Crawl."""
        return self.how == "crawl" or self.on_foot is not None


class BarredHex(Value):
    """A hex the unit may not enter, or not choose, with the plainest reason first."""

    hex: str
    rule: str
    text: str
    facts: dict[str, FactValue]
    reasons: list[ReasonText] = Field(description="Every reason, the first one repeated.")


class KnownUnit(Value):
    """An enemy Known to the unit before it moves."""

    id: str
    name: str
    hex: str
    range: int


class CompanionUnit(Value):
    """An unbroken leader in the unit's hex."""

    id: str
    name: str


class UnitReport(Value):
    """Everything the rules say about one broken unit."""

    id: str
    piece: str | None
    name: str
    side: str
    hex: str
    duty: Literal["none", "may", "must", "eliminated"]
    becomes_dm: bool
    certainty: Literal["certain", "depends", "unknown"]
    reasons: list[ReasonText]
    known: list[str]
    targets: list[TargetHex]
    free_rout: bool
    ends: list[EndHex]
    barred: list[BarredHex]
    ignored: list[BarredHex] = Field(description="Shelter in reach that is no destination, why.")
    best: str | None = Field(description="End with the best odds, null if there is none.")
    readings: list[ReadingText]
    keeps: list[str] = Field(description="Weapons it keeps on the way (R76, R77).")
    drops: list[str] = Field(description="Weapons it leaves behind.")
    companions: list[str] = Field(description="Unbroken leaders that may go along (R71).")
    known_units: list[KnownUnit] = Field(description="The Known enemies with their ranges.")
    companion_units: list[CompanionUnit] = Field(
        default_factory=list, description="The leaders of `companions` with their names."
    )


class SightUsed(Value):
    """One line of sight that was looked at."""

    viewer: str
    from_: str = Field(alias="from")
    to: str


class Report(Value):
    """``vassal-bridge report --format json``."""

    schema_: Literal["vassal-bridge/report/1"] = Field(
        default="vassal-bridge/report/1", alias="schema"
    )
    source: Source
    rules: RulesUsed
    boards: list[BoardUsed]
    assumptions: list[Assumption]
    problems: list[Problem]
    units: list[UnitReport]
    los: list[SightUsed] | None = Field(
        default=None, description="Free LOS checks made; null when the list was not wanted."
    )


CounterKind = Literal[
    "squad", "half-squad", "crew", "leader", "hero", "sw", "gun", "vehicle", "wreck",
    "concealment", "marker", "overlay", "label", "unknown",
]  # fmt: skip


class CounterInfo(Value):
    """One piece, as `inspect` lists it."""

    id: str
    name: str
    kind: CounterKind
    nationality: str | None
    map: str | None
    x: int
    y: int
    hex: str | None
    stack: str | None
    index: int
    state: list[str]


class InspectReport(Value):
    """``vassal-bridge inspect --json``."""

    schema_: Literal["vassal-bridge/inspect/1"] = Field(
        default="vassal-bridge/inspect/1", alias="schema"
    )
    source: Source
    boards: list[BoardUsed]
    sides: dict[str, list[str]]
    problems: list[Problem]
    counters: list[CounterInfo]


class Check(Value):
    """An interdiction on an audited route and what became of its check."""

    hex: str
    by: list[str]
    nmc: Literal["rolled", "missing", "none"]


class AuditedRout(Value):
    """One rout found in a log, judged."""

    piece: str
    name: str
    side: str
    from_: str = Field(alias="from")
    to: str
    path: list[str]
    how: Literal["steps", "jump", "crawl", "stack"]
    steps: tuple[int, int]
    undone: bool = False
    cut: Literal["pinned", "reduced", "eliminated"] | None = None
    verdict: Literal["legal", "illegal", "disputed", "unproven"]
    reasons: list[ReasonText]
    last_legal_hex: str
    interdictions: list[Check]
    legal_ends: list[str] = Field(
        default_factory=list,
        description="What would have been legal, best first; empty if the way was.",
    )
    file: str | None = Field(default=None, description="Which of several files it stands in.")
    unit: str | None = Field(
        default=None, description="Its id when the phase began, as a report has it."
    )


class AuditedFailure(Value):
    """A failure to rout."""

    piece: str
    name: str
    side: str
    hex: str
    rule: str
    handled: Literal["removed", "forgotten"]
    text: str
    step: int | None = Field(default=None, description="Last log step of its phase.")
    unit: str | None = Field(
        default=None, description="Its id when the phase began, as a report has it."
    )


class AuditNote(Value):
    """Something to remember that is no verdict."""

    code: str
    steps: list[int]
    text: str
    hex: str | None = None


class AuditedPhase(Value):
    """One rout phase found in the log."""

    steps: tuple[int, int]
    why: str
    routs: list[AuditedRout]
    failures: list[AuditedFailure]
    notes: list[AuditNote]
    file: str | None = None


class AuditSummary(Value):
    """Counts over the whole log; undone routs are not counted."""

    routs: int
    legal: int
    illegal: int
    disputed: int
    unproven: int
    failures: int


class AuditReport(Value):
    """``vassal-bridge audit --format json``."""

    schema_: Literal["vassal-bridge/audit/1"] = Field(
        default="vassal-bridge/audit/1", alias="schema"
    )
    source: Source
    rules: RulesUsed
    boards: list[BoardUsed]
    assumptions: list[Assumption]
    problems: list[Problem]
    phases: list[AuditedPhase]
    summary: AuditSummary

    @property
    def forgotten(self) -> int:
        """Failures to rout that are still on the map: findings (contracts.md 6)."""
        handled = [failure.handled for phase in self.phases for failure in phase.failures]
        return handled.count("forgotten")


MODELS: dict[str, type[Value]] = {
    "report": Report,
    "inspect": InspectReport,
    "audit": AuditReport,
}


def schema(name: str) -> dict[str, Any]:
    """The JSON Schema of one of `MODELS`, as `vassal-bridge schema` prints it."""
    found = MODELS[name].model_json_schema(by_alias=True, mode="serialization")
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **found}
