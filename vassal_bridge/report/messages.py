"""Every sentence of the reports, in English; `locale/` holds the translations.

The keys are those of the values they speak about: ``reason.`` + `Code`, ``reading.`` + the id of a
disputed reading, ``note.`` + the code of an assumption or problem. The other keys are words of the
writers. Sentences carry named placeholders; a translation has the same ones (a test holds that).
Abbreviations of the field (DM, MMC, SMC, MF, LOS, RtPh) stay as they are in every language.
"""

from __future__ import annotations

from vassal_bridge.rout.rulebook import Code

REASONS: dict[Code, str] = {
    # who and when
    Code.NOT_BROKEN: "Not broken: does not rout.",
    Code.NO_DM: "Broken, but not under DM: may not rout.",
    Code.IN_MELEE: "In Melee: does not rout.",
    Code.NOT_INFANTRY: "Not Infantry: never routs.",
    Code.MAY_STAY: (
        "Under DM, but no unbroken enemy is next to it and nobody could interdict it where it is: "
        "may stay or rout."
    ),
    Code.ADJACENT_ENEMY: "Unbroken {enemy} is next to it: may not stay in {hex}.",
    Code.OPEN_GROUND: (
        "{hex} is Open Ground at range {range} from {enemy}, who could interdict "
        "(Normal Range {normal_range}): may not stay."
    ),
    Code.AUTOMATIC_DM: "Gets its DM marker at the start of the RtPh, before anyone routs.",
    Code.DM_BROKEN_NEIGHBOUR: "Known {enemy} next to it, though broken, puts it under DM.",
    Code.NO_LEGAL_STEP: (
        "Has to leave, but no first step is legal, not even by Low Crawl: "
        "eliminated for failure to rout."
    ),
    Code.DM_COMES_OFF: (
        "Sees no enemy. If its DM dates from before the last RPh, it had to come off in {hex} "
        "(woods or building, no Known enemy next to it), and the unit may not rout."
    ),
    # destination
    Code.NEAREST: "{hex} is the nearest building or woods, {mf} MF away.",
    Code.IGNORABLE_RANGE: (
        "{hex} may be ignored: it is {range} from {enemy}, no farther than the {start_range} "
        "from where the rout starts."
    ),
    Code.IGNORABLE_BUILDING: "{hex} may be ignored: part of the building it starts in.",
    Code.FULL_HEX: "{hex} is full (stacking limit): must be ignored.",
    Code.NO_TARGET: (
        "No building or woods can be reached with {mf} MF: may go to any hex that is not barred."
    ),
    Code.ALL_IGNORABLE: (
        "Every building and woods hex in reach may be ignored: "
        "may also go to any hex that is not barred."
    ),
    # a step
    Code.CLOSER: "Closer to {enemy}, in its LOS: range {from} to {to}.",
    Code.CLOSER_REMEMBERED: "Closer to {enemy}, seen earlier in this rout: range {from} to {to}.",
    Code.ADJACENT_TO_ADJACENT: "From one hex next to {enemy} into another.",
    Code.ENEMY_HEX: "An enemy unit stands in {hex}.",
    Code.STACKING: "{hex} is full: stacking limit.",
    Code.OFF_MAP: "Off the map.",
    Code.IMPASSABLE: "The hexside into {hex} cannot be crossed on foot.",
    Code.NOT_ADJACENT_HEX: "{to} is not adjacent to {from}.",
    Code.TOO_FEW_MF: "{hex} costs {cost} MF, only {left} left.",
    Code.AWAY_FROM_TARGETS: "No legal destination can be reached by way of {hex}.",
    Code.MUST_STOP: "Had to stop in {hex}: nearest building or woods with no enemy next to it.",
    Code.NOT_A_DESTINATION: "{hex} is no destination: another building or woods comes first.",
    Code.ENDS_ADJACENT: "Would end in {hex} next to unbroken {enemy}: eliminated.",
    Code.ENDS_IN_ENEMY_HEX: "Would end in {hex} with unbroken {enemy}: eliminated.",
    Code.MUST_LEAVE: "May not stay in {hex}.",
    # crawl
    Code.CRAWL_ONE_HEX: "Low Crawl is exactly one hex.",
    Code.CRAWL_FROM_ENEMY_HEX: "No Low Crawl out of the hex of {enemy}.",
    Code.CRAWL_NO_NEARER: "Low Crawl to {hex} brings it no nearer to a destination.",
    # on the way
    Code.DISCOVERS: "From {hex} it sees {enemy}: Known from there on.",
    Code.RETARGET: "In {hex} the old destination is lost: a new one with the MF left.",
    Code.GUN_FOUND: "Finds a hidden Gun in {hex}: back to {back}, and another way from there.",
    Code.GUN_FOUND_DIES: "Runs into a hidden Gun in {hex}: eliminated for failure to rout.",
    Code.INTERDICTED: "{hex} is Open Ground to {enemies}: interdicted.",
    # certainty
    Code.READING: "Another reading changes this: {reading}",
    Code.UNKNOWN_TERRAIN: "{hex} holds terrain this program does not understand.",
    Code.HIDDEN: "Concealed units are on the map: they may change this.",
    Code.UNCERTAIN_STATE: "The markers on {unit} can be read in more than one way.",
    Code.POSSIBLE_INTERDICTOR: (
        "{enemy} may be able to interdict in {hex}: that cannot be told from the map."
    ),
}

VARIANTS: dict[str, str] = {
    "reason.may-stay.possible": (
        "Under DM, but no unbroken enemy is next to it and nobody is certain to be able to "
        "interdict it where it is: may stay or rout."
    ),
    "reason.adjacent-enemy.same-hex": "Unbroken {enemy} is in the same hex: may not stay.",
    # after the name of the hex, in lists
    "brief.closer": "closer to {enemy}, range {from} to {to}",
    "brief.closer-remembered": "closer to {enemy} seen before, range {from} to {to}",
    "brief.adjacent-to-adjacent": "from one hex next to {enemy} to another",
    "brief.enemy-hex": "enemy-occupied",
    "brief.stacking": "no room, stacking limit",
    "brief.full-hex": "full, must be ignored",
    "brief.impassable": "hexside cannot be crossed on foot",
    "brief.too-few-mf": "costs {cost} MF, only {left} left",
    "brief.away-from-targets": "leads to no legal destination",
    "brief.not-a-destination": "another building or woods comes first",
    "brief.crawl-no-nearer": "brings it no nearer to a destination",
    "brief.crawl-from-enemy-hex": "no Low Crawl out of the hex of {enemy}",
    "brief.ends-adjacent": "would end next to unbroken {enemy}: eliminated",
    "brief.must-stop": "had to stop in {hex}",
    "brief.ignorable-range": "{range} from {enemy}, no farther than the {start_range} at the start",
    "brief.ignorable-building": "part of the building it starts in",
}
"""Sentences of a `Code` in a special case or a list; with the same facts or fewer."""

READING_TEXTS: dict[str, str] = {
    "r4_literal": "every unit under DM must rout or is eliminated",
    "r8_good_order": "only a Good Order enemy next to it forces a rout",
    "r19_road_distance": "the way to a woods-road hex counts its MF along the road",
    "r19_smoke_doubled": "a step uphill doubles the MF of terrain and smoke together",
    "r28_terrain": "the distance to a destination counts MF by terrain alone, legal path or not",
    "r31_unbroken": "only an unbroken enemy lets a hex be ignored",
    "r31_all": "a hex may be ignored only if no Known enemy is left farther behind",
    "r45_mf_only": "a Low Crawl has to shorten the distance in MF",
    "r45_hex_only": "a Low Crawl has to shorten the distance in hexes",
    "r46_ignored_stops": "a building or woods hex that was ignored also ends the rout when entered",
    "r47_end_only": "stacking limits count only where the rout ends",
    "r49_current": "ranges count from the current hex after a new enemy is seen",
    "r49_route": "a new enemy on the planned path forces a new destination",
    "r54_allowed": "a Low Crawl out of an enemy-occupied hex is allowed",
}

NOTES: dict[str, str] = {
    # assumptions
    "log-step": (
        "The log as it stands after step {step} (other moments: --step N; "
        "routs made in it: vassal-bridge audit)."
    ),
    "month-not-given": "No month given: grain counts as Open Ground, orchards are in leaf.",
    "edition-not-given": "No edition given: rules as in ASLSK #3.",
    "attacker-from-turn": "{side} is the ATTACKER by the turn counter.",
    "attacker-assumed": "Whose turn it is could not be told: {side} taken as ATTACKER.",
    "attacker-unknown": (
        "Whose turn it is could not be told: no side has units on the map yet. "
        "Once one has, say it with --attacker SIDE."
    ),
    "sides-usual": "Sides as usual: nobody said who fights whom among {nationalities}.",
    "sides-incomplete": "On which side {nationalities} fight was not said.",
    "sides-two-of-one-group": (
        "{nationalities} usually fight on one side: taken as enemies of each other."
    ),
    "sides-unclear": (
        "Nobody said who fights whom: {nationalities} are each taken as an enemy of all others."
    ),
    "after-the-fact": "After the fact: only routs already made are judged, nothing is foretold.",
    "after-the-fact.log": (
        "After the fact: nothing is foretold; "
        "the routs made in this log are judged by: vassal-bridge audit {file}"
    ),
    # problems
    "board-missing": "Board {board} is not at hand.",
    "board-missing.size": "Board {board} is not at hand, its size is guessed.",
    "boards-not-aligned": "The hexes of some boards do not meet: no LOS or movement between them.",
    "board-without-terrain": "Board {board} has no terrain data (legacy board).",
    "scenario-word": "Scenario word {word} of board {board} is not understood.",
    "odd-file": "The file is odd: {about}.",
    "bad-step": "A log step holds a command without LOG; VASSAL drops it.",
    "unknown-command": "Command {about} of the file is not known to this program; it is kept.",
    "damaged-piece": "A piece of the file is damaged: its traits and states do not fit.",
    "damaged-change": "A change of a piece does not fit the piece and is left out.",
    "ghost": "The file changes or removes a piece that is not in the game.",
    "unknown-counter": "Counter {name} in {hex} is not known to this program.",
    "overlay": "An overlay at {hex} is not understood: what depends on it is unknown.",
    "overlay.many": "Overlays at {hex} are not understood: what depends on them is unknown.",
    "doubt.several-units": "In {hex} several units lie under one marker ({marker}).",
    "doubt.marker-elsewhere": "In {hex} a marker ({marker}) lies under a unit or beside it.",
    "doubt.weapon-below": "In {hex} a weapon lies under a unit, not on it.",
    "doubt.no-enemy": "In {hex} a marker ({marker}) tells of an enemy, but there is none.",
    "doubt.unused-marker": "In {hex} a marker ({marker}) fits no unit.",
    "doubt.upper-level": "In {hex} a unit is upstairs or in a cellar: the rules have neither.",
}

WORDS: dict[str, str] = {
    "duty.none": "no rout",
    "duty.may": "may rout",
    "duty.must": "must rout",
    "duty.eliminated": "eliminated",
    "duty.none.long": "does not rout",
    "duty.may.long": "may rout or stay",
    "duty.must.long": "must rout",
    "duty.eliminated.long": "cannot rout legally and is eliminated",
    "badge.none": "NO",
    "badge.may": "MAY",
    "badge.must": "MUST",
    "badge.eliminated": "ELIM",
    "how.stay": "stays",
    "how.crawl": "Low Crawl only",
    "how.move": "on foot",
    "how.both": "on foot or by Low Crawl",
    "certainty.certain": "certain",
    "certainty.depends": "depends",
    "certainty.unknown": "unknown",
    "certainty.unknown.long": "Not certain: something here is not understood.",
    "becomes-dm": "gets DM first",
    "changes.duty": "duty",
    "changes.targets": "destinations",
    "changes.ends": "ends",
    "changes.verdict": "verdict",
    # heads
    "head.why": "Why",
    "head.known": "Knows",
    "head.targets": "Destinations",
    "head.ends": "May end in",
    "head.barred": "Barred",
    "head.ignored": "No destination",
    "head.readings": "Other reading",
    "head.weapons": "Weapons",
    "head.assumed": "Assumed",
    "head.problems": "Problems",
    "head.los": "LOS was computed for",
    "head.best": "Best odds",
    "head.units": "Broken units",
    "head.key": "Key",
    # parts of sentences
    "list.sep": ", ",
    "list.last": "{list} and {last}",
    "hexes.more": "{hexes} and {count} more",
    "clause.sep": "; ",
    "colon": ": ",
    "after.step": "after step {step}",
    "also": " (also {hexes})",
    "also.more": " (also {hexes} and {count} more)",
    "sentence.ruled": "{text}{also} [{rule}]",
    "known.unit": "{name} in {hex} at range {range}",
    "bracketed": "{text} ({more})",
    "mf": "{mf} MF",
    "mf.via": "{mf} MF by {path}",
    "name.at": "{name} in {hex}",
    "unit.line": "{name} in {hex} ({side})",
    "known.none": "no enemy",
    "targets.none": "none in reach",
    "ends.none": "nowhere alive",
    "free-rout": "free rout: any hex that is not barred",
    "may-ignore": "may be ignored",
    "may-ignore.range": "may be ignored: {range} from {enemy}, {start_range} where it starts",
    "may-ignore.building": "may be ignored: its own building",
    "end.safe": "no interdiction",
    "end.interdicted": "interdicted in {hex} by {enemies}",
    "end.turn": "in {hex} it sees the enemy in {enemies}: new destination with the MF left",
    "end.turn.unseen": "in {hex} the destination is lost: new one with the MF left",
    "end.survival": "{percent} unreduced",
    "end.eliminated": "{percent} dead",
    "end.crawl-too": "or by Low Crawl",
    "end.on-foot": "on foot interdicted in {hex} by {enemies}",
    "end.on-foot-too": "or on foot",
    "end.more": "and {count} more: {hexes}",
    "keeps": "keeps {weapons}",
    "drops": "drops {weapons}",
    "reading.line": "{rule}: this unit's {changes} would change if {reading}.",
    "odds.unreduced": "goes on unreduced",
    "odds.pinned": "pinned",
    "odds.reduced": "reduced",
    "odds.wounded": "wounded",
    "odds.eliminated": "eliminated",
    "rules.line": "{game} rule 3.6, edition {edition}",
    "month.line": "month {month}",
    "attacker.line": "ATTACKER {attacker}, routs first",
    "none-broken": "No broken units: nobody routs.",
    "title": "Rout obligations",
    "board.line": "Board {name}, {place}",
    "board.place": "row {row}, column {column}",
    "board.reversed": "reversed",
    "board.crop": "cropped to {crop}",
    "board.full": "full",
    "board.version": "version {version}",
    "board.rules": "changed by {rules}",
    # kinds of counters
    "kind.of": "{kind} {nation}",
    "kind.squad": "squad",
    "kind.half-squad": "half-squad",
    "kind.crew": "crew",
    "kind.leader": "leader",
    "kind.hero": "hero",
    "kind.sw": "sw",
    "kind.gun": "gun",
    "kind.vehicle": "vehicle",
    "kind.wreck": "wreck",
    "kind.concealment": "concealment",
    "kind.marker": "marker",
    "kind.overlay": "overlay",
    "kind.label": "label",
    "kind.unknown": "unknown",
    # map key
    "key.end": "may end here, best odds first",
    "key.crawl": "only by Low Crawl",
    "key.both": "on foot or Low Crawl",
    "key.stay": "may stay",
    "key.route": "best way there",
    "key.barred": "barred hexside, with the rule",
    "key.enemy-hexside": "barred: enemy-occupied hex (R23)",
    "key.dots": "more ends, without a number",
    "key.doubt": "not certain: see the report",
    "key.dm": "gets its DM marker first",
    "key.interdicted": "Open Ground: interdicted",
    "key.odds": "arrives unreduced",
    "key.duty": "duty",
    "key.broken": "broken counter",
    "key.target": "destination",
    "key.known": "Known enemy",
}

PLURALS: dict[str, tuple[str, str]] = {
    "inspect.no-hex.count": (
        "{n} counter on the map has no hex: its board is not at hand.",
        "{n} counters on the map have no hex: their boards are not at hand.",
    ),
    "units.count": ("{n} broken unit", "{n} broken units"),
    "must.count": ("{n} must rout", "{n} must rout"),
    "eliminated.count": ("{n} eliminated", "{n} eliminated"),
    "may.count": ("{n} may rout", "{n} may rout"),
    "none.count": ("{n} does not rout", "{n} do not rout"),
    "uncertain.count": ("{n} not certain", "{n} not certain"),
    "los.count": ("{n} line of sight", "{n} lines of sight"),
}


def all_messages() -> dict[str, str]:
    """Every singular message by key, as translators see it."""
    found = {f"reason.{code.value}": text for code, text in REASONS.items()}
    found |= VARIANTS
    found |= {f"reading.{name}": text for name, text in READING_TEXTS.items()}
    found |= {f"note.{code}": text for code, text in NOTES.items()}
    found |= WORDS
    return found
