"""Rule 3.6 of the ASL Starter Kit: pure values and functions.

Its face: a `Position` goes in, an `Assessment` or a `PathJudgement` comes out.
"""

from vassal_bridge.rout.assess import assess, assess_all
from vassal_bridge.rout.judge import judge_path
from vassal_bridge.rout.position import (
    Cover,
    Ground,
    Hex,
    Kind,
    Position,
    Unit,
    Weapon,
    WeaponKind,
)
from vassal_bridge.rout.result import (
    Assessment,
    Barred,
    Certainty,
    Duty,
    End,
    How,
    Interdiction,
    Odds,
    PathJudgement,
    PathVerdict,
    Target,
)
from vassal_bridge.rout.rulebook import (
    READINGS,
    Code,
    Edition,
    Readings,
    Reason,
    Rules,
    rule_of_reading,
)
from vassal_bridge.rout.whynot import why_not

__all__ = [
    "READINGS",
    "Assessment",
    "Barred",
    "Certainty",
    "Code",
    "Cover",
    "Duty",
    "Edition",
    "End",
    "Ground",
    "Hex",
    "How",
    "Interdiction",
    "Kind",
    "Odds",
    "PathJudgement",
    "PathVerdict",
    "Position",
    "Readings",
    "Reason",
    "Rules",
    "Target",
    "Unit",
    "Weapon",
    "WeaponKind",
    "assess",
    "assess_all",
    "judge_path",
    "rule_of_reading",
    "why_not",
]
