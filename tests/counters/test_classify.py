"""What single counters are: invented ones, every slot of the module, every piece of the corpus."""

from __future__ import annotations

import collections
import json
import re

import pytest

from tests.counters.doubles import GE, RU, Layer, Piece, Trait, counter, mark
from tests.shared import EXPECTED, LOGS, MODULE, SAVES, SHARED, needs_shared
from vassal_bridge.counters import (
    INFANTRY,
    Armament,
    Counter,
    Kind,
    State,
    changes_terrain,
    classify,
)

# --- units ---


def test_a_squad():
    found = classify(counter("4-4-7 1sq", RU))
    assert (found.kind, found.nationality, found.label) == (Kind.SQUAD, "Russian", "4-4-7")
    assert (found.fp, found.range, found.morale, found.broken_morale) == (4, 4, 7, 7)
    assert found.size == "squad"
    assert found.state == ()


def test_ss_and_german_are_one_nationality():
    assert classify(counter("6-5-8 SSsq", "ss")).nationality == "German"
    assert classify(counter("6-5-8 SSsq", "ge")).nationality == "German"


@pytest.mark.parametrize(
    ("conceal", "folder", "nationality"),
    [("ru", "pa", "Partisan"), ("ge", "hu", "Hungarian"), ("am", "us", "American"),
     ("fr", "br", "French"), ("ru", "ru", "Russian"), ("sh", "sh", None)],
)  # fmt: skip
def test_pictures_refine_the_nation_only_where_the_map_says_so(conceal, folder, nationality):
    layer = Layer("SQ", (f"{folder}/{folder}337S",), ("3-3-7 Psq",))
    assert classify(counter("3-3-7 Psq", conceal, layers=(layer,))).nationality == nationality


def test_identity_is_the_shown_name_not_the_basic_one():
    found = classify(counter("4-4-7 1sq", RU, base_name="4-5-8 Esq"))
    assert found.label == "4-4-7"


def broken_layers(level: int, half: bool, broken: bool) -> tuple[Layer, ...]:
    """Layers of a Russian squad as VASL has them, outermost first (seen-in-the-client.md)."""
    return (
        Layer("BER", ("mober",), ("Berserk +",), 1, active=False),
        Layer("", ("ru/ruh7b", "ru/ruh6b", "ru/ruh4b"), ("broken +",) * 3, level, half and broken),
        Layer("", ("ru/ru248H", "ru/ru237H", "ru/ru226H"), ("2-4-8 Ehs",) * 3, level, half),
        Layer("BRK", ("ru/rus8b", "ru/rus7b", "ru/rus5b"), ("broken +",) * 3, level,
              broken and not half),
        Layer("SQ", ("ru/ru458S", "ru/ru447S", "ru/ru426S"), ("4-5-8 Esq",) * 3, level),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("level", "half", "wanted"),
    [(1, False, 8), (2, False, 7), (3, False, 5), (1, True, 7), (2, True, 6), (3, True, 4)],
)
@pytest.mark.parametrize("broken", [False, True])
def test_broken_morale_is_that_of_the_form_that_shows(level, half, wanted, broken):
    name = ("broken " if broken else "") + ("2-3-7 1hs" if half else "4-4-7 1sq")
    found = classify(counter(name, RU, layers=broken_layers(level, half, broken)))
    assert found.broken_morale == wanted
    assert found.broken is broken


def test_a_broken_layer_counts_even_without_a_name():
    layers = (Layer("BRK", ("ru/rus7b",), ("",)), Layer("SQ", ("ru/ru447S",), ("",)))
    assert classify(counter("4-4-7 1sq", RU, layers=layers)).broken


def test_broken_as_second_level_of_the_identity_layer():
    layer = Layer("", ("ja/ja238H", "ja/jah8b"), ("", "broken +"), 1)
    found = classify(counter("2-3-8 Ehs", "ja", layers=(layer,)))
    assert (found.broken, found.broken_morale) == (False, 8)


def test_class_letters_of_newer_modules_are_not_the_unit():
    # VASL 6.7: SQ/HS has the half-squad first, a classId picture lies on top (counters.md 9)
    for broken in (False, True):
        layers = (
            Layer("classId", ("class_1_square.svg",), ("",)),
            Layer("BRK", ("ge/geh6b.svg", "ge/ges7b.svg"), ("broken +",) * 2, 2, broken),
            Layer("SQ/HS", ("ge/ge247H.svg", "ge/ge467S.svg"), ("2-4-7 1hs", "4-6-7 1sq"), 2),
        )
        found = classify(counter("broken 4-6-7 1sq" if broken else "4-6-7 1sq", GE, layers=layers))
        assert (found.nation, found.broken, found.broken_morale) == ("ge", broken, 7)
    unnamed = (Layer("classId", ("x.svg",), ("",)), layers[1], Layer("", ("ge/ge467S.svg",), ("",)))
    unbroken = counter("4-6-7 1sq", GE, layers=(unnamed[0], Layer("BRK", layers[1].images,
                       layers[1].names, 2, active=False), unnamed[2]))  # fmt: skip
    assert classify(unbroken).broken_morale == 7


def test_broken_morale_from_the_picture_list():
    layers = (
        Layer("BRK", ("un/un458classE-back.png",), ("broken +",), 1, active=False),
        Layer("", ("un/un458classE.png",), ("4-5-8 Esq",)),
    )
    assert classify(counter("4-5-8 Esq", "un", layers=layers)).broken_morale == 8


def test_a_leader_breaks_at_his_own_morale():
    found = classify(counter("broken 9-2", RU))
    assert (found.kind, found.morale, found.broken_morale, found.leadership) == (
        Kind.LEADER, 9, 9, -2,
    )  # fmt: skip
    assert found.broken


def test_a_leader_the_player_gave_a_name():
    found = classify(counter("Wnd 8-1 Lt. Kilroy", RU, labels=("Lt. Kilroy",)))
    assert (found.kind, found.label, found.wounded) == (Kind.LEADER, "8-1", True)
    assert found.name == "Wnd 8-1 Lt. Kilroy"


def test_a_leader_level_without_a_name_is_read_off_its_picture():
    layer = Layer("", ("fi/fiL8+1.png",), ("",))
    found = classify(counter("fiLDR", "fi", layers=(layer,)))
    assert (found.kind, found.label, found.leadership) == (Kind.LEADER, "8+1", 1)
    assert classify(counter("fiLDR", "fi")).morale is None


def test_what_a_counter_is_not():
    squad = classify(counter("4-4-7 1sq", RU))
    assert squad.is_unit
    assert not any((squad.berserk, squad.fanatic, squad.heroic, squad.disrupted, squad.dismantled))
    assert squad.has(State.BROKEN) is False
    assert not classify(counter("LMG", RU)).is_unit


def test_heroes():
    found = classify(counter("Hero", "am"))
    assert (found.kind, found.label, found.fp, found.range, found.morale) == (
        Kind.HERO, "1-4-9", 1, 4, 9,
    )  # fmt: skip
    assert found.broken_morale is None
    assert classify(counter("Wnd Hero", "am")).label == "1-3-8"


def test_a_labelled_make_your_own_squad():
    found = classify(counter("5-3-6 Gsq (A)", "fr", labels=("A", "G", "5-3-6")))
    assert (found.kind, found.label) == (Kind.SQUAD, "5-3-6")


def test_an_armor_leader_is_no_unit():
    found = classify(counter("9-1 AL", GE))
    assert (found.kind, found.marker, found.leadership) == (Kind.MARKER, "armor-leader", -1)


# --- weapons, vehicles ---


@pytest.mark.parametrize(
    ("name", "nation", "kind", "fp", "reach", "pp"),
    [
        ("LMG", "ge", "mg", 3, 8, 1),
        ("LMG(f)", "ge", "mg", 2, 6, 1),
        ("HMG (r)", "fi", "mg", 6, 12, 5),
        ("MMG (g)", "fi", "mg", 5, 12, 3),
        (".50-cal", "am", "mg", 8, 16, 5),
        (".50-cal(a)", "br", "mg", 8, 16, 5),
        ("dm MMG", "ge", "mg", 3, 8, 2),
        ("dm HMG", "ru", "mg", None, None, None),
        ("dm HMG", "am", "mg", None, None, 3),
        ("ATR", "ru", "atr", 1, 12, 1),
        ("20L ATR", "fi", "atr", 1, 12, 4),
        ("FT", "am", "flamethrower", 24, 1, 1),
        ("DC", "ge", "demolition", 30, 1, 1),
        ("BAZ44", "am", "shaped-charge", 8, 4, 1),
        ("PIAT", "br", "shaped-charge", 8, 3, 1),
        ("PF", "ge", "shaped-charge", 16, 3, 0),
        ("50* MTR", "ru", "mortar", None, 20, 4),
        ("60* MTR M2", "am", "mortar", None, 45, 5),
        ("dm 81* MTR", "ge", "mortar", None, None, 5),
        ("57 RCL M18(L)", "sk", "ordnance", None, None, 3),
        ("Radio", "am", "other", None, None, 1),
    ],
)
def test_weapons(name, nation, kind, fp, reach, pp):
    found = classify(counter(name, nation))
    assert found.kind is Kind.SW
    assert (found.weapon_kind, found.fp, found.range, found.pp) == (kind, fp, reach, pp)


def test_least_range_of_a_mortar():
    assert classify(counter("50* MTR", "ru")).min_range == 3


def test_weapons_that_cannot_fire():
    assert classify(counter("LMG", RU)).usable
    assert not classify(counter("malf LMG", RU)).usable
    assert not classify(counter("dm HMG", "am")).usable
    assert classify(counter("dm HMG", GE)).usable  # fires as 3-8


def test_a_gun_is_no_support_weapon():
    found = classify(counter("81* MTR GrW 34 ca3", GE, base_image="ge/gun/geMTR81s"))
    assert (found.kind, found.gun.type, found.gun.calibre, found.gun.ca) == (
        Kind.GUN, "MTR", 81, 3,
    )  # fmt: skip
    assert classify(counter("40 AA Twin ca2", "am", base_image="am/gun/amAA40x")).kind is Kind.GUN


def test_an_afv():
    layers = (Layer("", ("", ""), ("+ BU", "+ CE")),)
    found = classify(
        counter("T-34 M43 vca3 tca2 CE", RU, base_image="ru/veh/T34M43", layers=layers)
    )
    assert found.kind is Kind.VEHICLE
    assert found.vehicle.armored
    assert (found.vehicle.vca, found.vehicle.tca, found.vehicle.exposed) == (3, 2, True)
    assert found.vehicle.armament == Armament("76L", bmg=2, cmg=4)


def test_a_truck_is_no_afv():
    found = classify(counter("Opel 6700 vca1", GE, base_image="ge/veh/opel"))
    assert found.kind is Kind.VEHICLE
    assert not found.vehicle.armored


def test_vehicle_states_of_newer_modules():
    layers = (Layer("MA Malf", ("", "a"), ("", "+ x"), 2), Layer("Bog", ("", "b"), ("", ""), 1))
    found = classify(counter("T-34 vca1", RU, layers=layers))
    assert found.states == {State.MALFUNCTIONED}


def test_wrecks_have_no_nation():
    assert classify(counter("T-34/85 Wreck", None, base_image="ru/veh/t3485b")).kind is Kind.WRECK
    assert classify(counter("Burnt Out Wreck")).kind is Kind.WRECK
    assert classify(counter("C-K P19", None, base_image="fr/veh/ckp17b")).kind is Kind.WRECK


# --- markers, overlays ---


@pytest.mark.parametrize(
    ("name", "key", "strength"),
    [("White +3 Smoke", "smoke", 3), ("White +2 Smoke ", "smoke", 2), ("Gray +1 WP", "smoke", 1),
     ("Smoke grenade +2", "smoke", 2), ("Blaze", "blaze", None), ("3-level Blaze", "blaze", None),
     ("4 FP", "residual", 4), ("6 FP FL", "fire-lane", 6), ("2S Foxhole", "foxhole", 2),
     ("Building Level 2", "level", None), ("Crest ca3", "crest", None), ("Wire", "wire", None),
     ("-1 AM Acq", "acquired-target", None), ("Axis Turn 3 - RtPh", "phase-track", None)],
)  # fmt: skip
def test_markers(name, key, strength):
    found = classify(counter(name))
    assert (found.kind, found.marker, found.strength) == (Kind.MARKER, key, strength)


@pytest.mark.parametrize(
    ("name", "level"),
    [("Building Ground Level", 0), ("Building Level 1", 1), ("Fort Bldg Level 3", 3),
     ("Building Cellar", -1), ("Building Roof Level", None)],
)  # fmt: skip
def test_level_markers(name, level):
    assert classify(counter(name)).level == level


IMMOB = (Trait("immob", ("immob", "g", "V")),)


def overlay(name: str, image: str) -> Counter:
    return classify(counter(name, None, base_image=image, traits=IMMOB))


def test_overlays_and_labels():
    assert overlay("Stream", "DO/Stream").kind is Kind.OVERLAY
    assert overlay("broken 4-4-7 1sq", "DO/LabelMe").kind is Kind.LABEL
    assert overlay("8-Turn Track", "tables/turn_track08").kind is Kind.MARKER
    assert overlay("Wreck", "DO/CenterWreck").kind is Kind.WRECK
    assert overlay("Hex Grid", "ovrBoardGrid05.png").marker == "annotation"


@pytest.mark.parametrize(
    ("name", "image", "marker", "changes"),
    [("Stream", "DO/Stream", "terrain-overlay", True),
     ("Lv 0 Orchard", "DO/Orch", "terrain-overlay", True),
     ("Blue Perimeter", "DO/PerimBL", "annotation", False),
     ("White 0-hex", "DO/PerimWT.gif", "annotation", False),
     ("VC Hex S", "DO/VC hex Small Centered.gif", "annotation", False),
     ("GE overlay", "DO/ControlGerm", "annotation", False),
     ("Red FFE:1", "DO/FFEmark1", "oba", False), ("Red IR", "DO/IRr", "light", False)],
)  # fmt: skip
def test_what_overlays_do(name, image, marker, changes):
    found = overlay(name, image)
    assert (found.kind, found.marker) == (Kind.OVERLAY, marker)
    assert changes_terrain(found) is changes


def test_smoke_overlays_have_their_hindrance():
    assert overlay("+2 grey Smoke", "DO/OvrSMg").strength == 2
    assert overlay("Smoke", "DO/OvrSM").strength is None


def test_markers_that_change_terrain():
    for name in ("Stone Rubble", "Wire", "1S Foxhole", "Roadblock ca4", "Shellholes"):
        assert changes_terrain(classify(counter(name))), name
    for name in ("DM", "White +3 Smoke", "Blaze", "GE Control"):
        assert not changes_terrain(classify(counter(name))), name
    assert not changes_terrain(classify(counter("4-4-7 1sq", RU)))


def test_concealment_counter():
    found = classify(mark("ge"))
    assert (found.kind, found.nationality) == (Kind.CONCEALMENT, "German")


def test_own_states_of_traits():
    found = classify(counter("4-4-7 1sq", RU, hidden=True, concealed=True, moved=True))
    assert found.state == ("concealed", "hip", "moved")


# --- hostile ---


@pytest.mark.parametrize("nation", [None, RU, "zz", "", "sh"])
@pytest.mark.parametrize(
    "name",
    ["", " ", "\x00", "<script>alert(1)</script>", "4-4-7 1sq" * 30_000, "broken", "9-1 9-1",
     "DM (4-4-7 1sq)", "👍 4-4-7 1sq", "-1", "0-0", "$pieceName$", "(((((" * 50_000],
)  # fmt: skip
def test_odd_names_end_in_a_kind(name, nation):
    assert classify(counter(name, nation)).kind in Kind


@pytest.mark.parametrize("name", ["4-4-7 1sq", "9-1", "LMG", "Hero"])
def test_a_name_alone_makes_no_unit(name):
    """Without a nation (conceal trait or picture folder) a name proves nothing."""
    assert classify(counter(name)).kind is Kind.UNKNOWN


def test_a_label_makes_no_unit_of_a_marker():
    assert classify(counter("DM (9-1)", None, labels=("9-1",))).marker == "dm"


def test_odd_pictures():
    for image in ("/", "//", "ge/" * 500, "ge/veh/", "../../etc/passwd", "\\", "DO"):
        assert classify(counter("x", GE, base_image=image)).kind in Kind


# --- the module and the corpus ---

KNOWN_DIFFERENCES = {
    "191": Kind.WRECK,  # Burnt Out Wreck
    "1022": Kind.WRECK,  # a stray slot without traits
    "5210": Kind.WRECK,  # PzKw II(Fl) Wreck, filed under vehicles
    "5831": Kind.MARKER,  # GE Bombardment, no Gun
    **dict.fromkeys(("341", "342", "343", "1132", "2442"), Kind.OVERLAY),  # draggable overlays
    **dict.fromkeys(("5494", "5496", "5498", "5500"), Kind.HALF_SQUAD),  # shown as half-squads
}
"""Slots where slots-6.5.json says otherwise, and why we think so."""


@pytest.fixture(scope="module")
def slots():
    from tools.check_module_map import read_module

    module = read_module(MODULE / "vasl-6.5-beta3-data.vmod")
    return [(slot, classify(slot.piece)) for slot in module.slots()]


@needs_shared
def test_every_slot_of_the_module_is_placed(slots):
    assert len(slots) == 5445
    left = [slot.name for slot, found in slots if found.kind is Kind.UNKNOWN and not slot.empty]
    assert left == []


@needs_shared
def test_kinds_agree_with_the_slot_list(slots):
    from tools.check_module_map import EXPECTED_KINDS

    listed = {
        row["gpid"]: row["kind"]
        for row in json.loads((SHARED / "formats" / "slots-6.5.json").read_text())
    }
    compared = 0
    for slot, found in slots:
        if slot.gpid in KNOWN_DIFFERENCES:
            assert found.kind is KNOWN_DIFFERENCES[slot.gpid], slot.name
            continue
        wanted = EXPECTED_KINDS.get(listed[slot.gpid])
        if wanted is not None:
            compared += 1
            assert found.kind.value in wanted, (slot.gpid, slot.name, found.kind)
    assert compared > 5000


@needs_shared
def test_every_unit_of_the_module_has_nationality_and_factors(slots):
    neutral = {"396"}  # landing craft crew
    for slot, found in slots:
        if found.kind not in INFANTRY or slot.gpid in neutral:
            continue
        assert found.nationality is not None, slot.name
        if not slot.piece.base_name.startswith("0-0-0") and "000" not in slot.piece.base_image:
            assert found.morale is not None or found.label == "Peasant Girl", slot.name


@needs_shared
def test_broken_morale_of_every_mmc_that_breaks(slots):
    without = [
        slot.gpid
        for slot, found in slots
        if found.size is not None and found.morale is not None and found.broken_morale is None
    ]
    assert without == ["5486", "5488", "5490", "5492"]  # Japanese squads that only reduce


@needs_shared
def test_portage_points_of_every_weapon(slots):
    without = {found.weapon for _, found in slots if found.kind is Kind.SW and found.pp is None}
    assert without == {"Field Phone", "Skis", "Ahkio", "Mine Dog", "Goliath"}


@needs_shared
def test_machine_guns_have_the_factors_the_rules_list():
    """rules/weapons.md, row by row."""
    codes = {"German, SS": "ge", "Russian": "ru", "American": "am", "British": "br",
             "French": "fr", "Italian": "it", "Japanese": "ja", "Finnish": "fi",
             "Axis Minor": "ax", "Allied Minor": "al", "Chinese": "ch"}  # fmt: skip
    table = (SHARED / "rules" / "weapons.md").read_text(encoding="utf-8")
    checked = 0
    for line in table.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        code = codes.get(cells[0])
        if code is None:
            continue
        for column, name in enumerate(("LMG", "MMG", "HMG", ".50-cal"), start=1):
            for part in cells[column].split(";"):
                match = re.match(r"\s*(\(\w\))?\s*(\d+)-(\d+)(?:, (\d) PP)?", part)
                if match is None:
                    continue
                found = classify(counter(name + (match[1] or ""), code))
                assert (found.fp, found.range) == (int(match[2]), int(match[3])), (code, name)
                if match[4]:
                    assert found.pp == int(match[4]), (code, name, match[1])
                checked += 1
        for name, fp, reach in re.findall(r"(\w+\(\w\)) (\d+)-(\d+)", cells[5]):
            found = classify(counter(name, code))
            assert (found.fp, found.range) == (int(fp), int(reach)), (code, name)
            checked += 1
    assert checked > 50


@pytest.fixture(scope="module")
def corpus():
    from vassal_bridge.vassal import load_game, open_saved

    files = sorted([*SAVES.rglob("*.vsav"), *LOGS.rglob("*.vlog")])
    return {
        file: {
            piece.id: (piece, classify(piece))
            for piece in load_game(open_saved(file)).pieces.values()
        }
        for file in files
    }


@needs_shared
def test_no_piece_of_the_corpus_is_unknown(corpus):
    assert len(corpus) > 60
    kinds: collections.Counter[Kind] = collections.Counter()
    for pieces in corpus.values():
        for piece, found in pieces.values():
            assert found.kind is not Kind.UNKNOWN, piece.name
            kinds[found.kind] += 1
    assert kinds[Kind.SQUAD] > 1500
    assert kinds[Kind.LEADER] > 400


@needs_shared
def test_units_of_the_corpus_have_nationality_and_broken_morale(corpus):
    for pieces in corpus.values():
        for piece, found in pieces.values():
            if found.kind in INFANTRY:
                assert found.nationality is not None, piece.name
            if found.size is not None and not piece.base_name.startswith("0-0-0"):
                assert found.broken_morale is not None, piece.name
            if found.kind is Kind.SW and found.weapon_kind != "other":
                assert found.pp is not None, piece.name


@needs_shared
def test_names_and_states_agree_with_what_the_real_client_reports(corpus):
    """Strength, broken, moved, hidden, concealed and nation of every piece in real/expected."""
    compared = 0
    for file, pieces in corpus.items():
        report = EXPECTED / f"{file.name}.client.json"
        if not report.exists():
            continue
        for row in json.loads(report.read_text(encoding="utf-8"))["pieces"]:
            if row["kind"] == "stack" or row["id"] not in pieces:
                continue
            piece, found = pieces[row["id"]]
            agree_with_client(row, piece, found)
            compared += 1
    assert compared > 7000


def agree_with_client(row: dict[str, object], piece: Piece, found: Counter) -> None:
    properties = row["props"]
    assert isinstance(properties, dict)
    hidden = properties.get("InvisibleToOthers") == "true"
    concealed = properties.get("ObscuredToOthers") == "true"
    assert found.hidden == hidden, piece.name
    if "ObscuredToOthers" in properties and not hidden:
        assert found.concealed == concealed, piece.name
    if not (hidden or concealed):
        shown = str(row["name"] or "")
        if shown and found.kind is not Kind.LABEL:
            assert found.name.strip() == shown.strip()
    if "Moved" in properties:
        assert found.moved == (properties["Moved"] == "true"), piece.name
    if found.kind in INFANTRY and "BRK_Active" in properties:
        assert found.broken == (properties["BRK_Active"] == "true"), piece.name
    if properties.get("Nation") and found.kind in INFANTRY:
        assert found.nation in (properties["Nation"], "pa", "hu", "us"), piece.name
