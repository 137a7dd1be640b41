"""What the audit says beyond the rules: one sentence for each code of `audit.AuditCode`.

Keys are ``finding.`` + the code's value; the placeholders are its facts.
"""

from __future__ import annotations

FINDINGS: dict[str, str] = {
    "finding.defender-first": "The DEFENDER routs before the ATTACKER has finished: {unit} of {attacker} routs later, in step {step}.",
    "finding.as-stack": "{count} broken units are moved together in step {step}: MMC rout one at a time.",
    "finding.broken-smc-along": "A broken SMC is moved together with it in step {step}: by the usual reading each routs by itself.",
    "finding.interrupted": "Another unit moves in between (step {step}): a unit finishes its rout before the next begins.",
    "finding.unbroken-moved": "Unbroken, it moves from {hex} to {to} in the RtPh.",
    "finding.jump": "Recorded as one jump; a legal way is {path}.",
    "finding.jump-barred": "Recorded as one jump from {from} to {to}: no legal way leads there.",
    "finding.crawl-declared": "Low Crawl is declared in step {step}.",
    "finding.crawl-only": "Legal as a Low Crawl to {hex} only: nothing is said and no NMC is rolled.",
    "finding.free-rout": "No building or woods binds it: it may go anywhere that is not barred, and end in {hex}.",
    "finding.ends-in-open-ground": "Ending in Open Ground in {hex} is allowed.",
    "finding.stops-short": "Stops in {hex}, short of its destination, without a pin.",
    "finding.taken-back": "Taken back in step {step}.",
    "finding.nmc-missing": "{hex} is interdicted by {enemies} and no NMC is rolled.",
    "finding.nmc-rolled": "NMC in {hex}, step {step}: {total}.",
    "finding.nmc-passed": "NMC in {hex}: {total} against {morale}, passed.",
    "finding.pinned": "NMC in {hex}: {total} equals {morale}, pinned.",
    "finding.pin-ignored": "NMC in {hex}: {total} equals {morale}, pinned; it moves on.",
    "finding.pin-unexplained": "Pinned in {hex}, but nothing is rolled there.",
    "finding.pin-unearned": "NMC in {hex}: {total} against {morale} passes; it is pinned all the same.",
    "finding.reduced": "NMC in {hex}: {total} against {morale} fails, reduced.",
    "finding.goes-on-reduced": "Reduced in {hex}, it goes on with the MF left.",
    "finding.wounded": "NMC in {hex}: {total} against {morale} fails, wounded.",
    "finding.eliminated-by-check": "NMC in {hex}: {total} against {morale}, eliminated.",
    "finding.result-missing": "NMC in {hex}: {total} against {morale}; it should be {due}.",
    "finding.result-unearned": "NMC in {hex}: {total} against {morale} passes; it suffers all the same.",
    "finding.unclear-roll": "A roll of {total} in step {step} may be the NMC in {hex}; nothing says so.",
    "finding.dies-next-to-discovered": "Ends in {hex} next to {enemy}, not Known before: eliminated.",
    "finding.leader-along": "Unbroken {leader} goes along.",
    "finding.leader-pinned": "{leader} is pinned and may not go along.",
    "finding.leader-parts": "{leader} joins or leaves on the way, in {hex}.",
    "finding.leader-outlives": "The NMC fails in {hex}: {leader} should be eliminated.",
    "finding.too-heavy": "Carries {weapon} ({pp} PP); {limit} PP are allowed.",
    "finding.gun-along": "Takes {weapon} along: Guns stay.",
    "finding.weapon-left": "Leaves {weapon} ({pp} PP) behind although {limit} PP are allowed.",
    "finding.late-positions": "The log begins after the opponent's APh: where his units stood in the RtPh is not known.",
    "finding.no-dice": "{hex} is interdicted; the log holds no dice at all.",
    "finding.attacker-unknown": "Whose player turn it is is not certain; {attacker} is taken as ATTACKER.",
    "finding.concealed-here": "Concealed units are on the map: they may change this.",
    "finding.between-saves": "Way, order and dice cannot be told from two saves.",
    "finding.dm-not-seen": "No DM marker is on it; whether it should be cannot be told from the log.",
    "finding.month-missing": "The month is not given; in month {month} the terrain allows it.",
    "finding.failed-no-step": "In {hex} it must rout and no first step is legal: eliminated.",
    "finding.failed-adjacent": "In {hex} it ends the RtPh next to unbroken {enemy}: eliminated.",
    "finding.failed-stayed": "It must leave {hex}, can, and stays: eliminated.",
    "finding.failed-by-choice": "Removed in {hex} although it could rout.",
}  # fmt: skip

NOTES: dict[str, str] = {
    "phase.moves": "moves of broken units",
    "phase.chat": "what the chat says",
    "phase.track": "turn track set to RtPh",
    "phase.name": "name of the file",
    "phase.option": "as told by --phase",
    "phase.saves": "from one save to the next",
}  # fmt: skip
