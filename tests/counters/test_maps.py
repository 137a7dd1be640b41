"""The module maps: they load fast, and what breaks their shape is a named error."""

from __future__ import annotations

import pytest

from tests.counters.doubles import counter
from vassal_bridge.counters import Kind, State, classify, maps
from vassal_bridge.counters.maps import counter_maps
from vassal_bridge.errors import ModuleMapError
from vassal_bridge.module_maps import module_map_bytes

FILES = (
    "nations.toml",
    "counters.toml",
    "counters-infantry.toml",
    "weapons.toml",
    "weapons-vehicles.toml",
    "markers.toml",
)


@pytest.fixture
def replaced(monkeypatch):
    """Load the maps with one file changed."""

    def load(name: str, change) -> maps.CounterMaps:
        def read(wanted: str) -> bytes:
            data = module_map_bytes(wanted)
            return change(data) if wanted == name else data

        monkeypatch.setattr(maps, "module_map_bytes", read)
        return maps.counter_maps.__wrapped__()

    return load


def test_maps_are_read_once():
    assert counter_maps() is counter_maps()


def test_every_state_word_of_the_maps_is_in_the_closed_list():
    loaded = counter_maps()
    assert all(data.state in State for _, data in loaded.marker_rules if data.state is not None)
    assert set(loaded.layers.values()) <= set(State)


def test_every_state_of_the_closed_list_is_given_by_something():
    loaded = counter_maps()
    words = {data.state for _, data in loaded.marker_rules} | set(loaded.layers.values())
    words |= {State(word) for word in loaded.prefixes.values() if word not in ("", "assembled")}
    words |= {State.CONCEALED, State.HIP, State.MOVED}
    assert set(State) <= words


def test_marker_keys_are_unambiguous_in_what_they_do():
    meaning: dict[str, tuple[object, ...]] = {}
    for _, data in counter_maps().marker_rules:
        does = (data.state, data.scope, data.on)
        assert meaning.setdefault(data.key, does) == does, data.key


def test_all_nations_of_the_tables_are_nations():
    loaded = counter_maps()
    assert set(loaded.weapon_tables) <= set(loaded.nations)
    assert set(loaded.weapon_makers.values()) <= set(loaded.nations)
    assert set(loaded.usual_side.values()) == {"Allied", "Axis"}


@pytest.mark.parametrize("name", FILES)
def test_a_missing_head_is_an_error(replaced, name):
    with pytest.raises(ModuleMapError) as caught:
        replaced(name, lambda data: data.replace(b"schema = 1", b"schema = 2", 1))
    assert caught.value.file == name
    assert "schema" in str(caught.value)


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("junk", [b"\xff\xfe", b"[[[", b"surprise = 1\n"])
def test_damaged_files(replaced, name, junk):
    with pytest.raises(ModuleMapError) as caught:
        replaced(name, lambda data: junk + data)
    assert str(caught.value).startswith(name)


@pytest.mark.parametrize(
    ("name", "old", "new", "message"),
    [
        ("markers.toml", b'state = "dm"', b'state = "dead"', "unknown state word 'dead'"),
        ("markers.toml", b'scope = "broken"', b'scope = "all"', "scope"),
        ("counters.toml", b'"brk" = "broken"', b'"brk" = "bent"', "unknown state word"),
        ("counters.toml", b"names = 'wagon|", b"names = '(wagon|", "bad pattern"),
        ("weapons.toml", b'LMG = "3-8 1PP"', b'LMG = "3-8"', "not factors"),
        ("weapons-vehicles.toml", b'"M4" = "75 2/4/4"', b'"M4" = "75"', "not an armament"),
        ("nations.toml", b'side = "Axis"', b'side = "Neutral"', "side"),
    ],
)
def test_wrong_entries_name_file_and_cause(replaced, name, old, new, message):
    with pytest.raises(ModuleMapError, match=message) as caught:
        replaced(name, lambda data: data.replace(old, new, 1))
    assert caught.value.file == name


def test_a_missing_file(monkeypatch):
    def gone(name: str) -> bytes:
        raise FileNotFoundError(2, "No such file or directory", name)

    monkeypatch.setattr(maps, "module_map_bytes", gone)
    with pytest.raises(ModuleMapError, match=r"nations\.toml: cannot be read"):
        maps.counter_maps.__wrapped__()


def test_exact_names_come_before_patterns():
    assert counter_maps().marker("motion").key == "motion"
    assert classify(counter("Motion")).marker == "motion"
    assert classify(counter("Reverse Motion")).marker == "motion"
    assert classify(counter("no such thing")).kind is Kind.UNKNOWN
