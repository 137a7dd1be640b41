"""Four keys and nothing else."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.settings.machines import CANARY, properties
from vassal_bridge.preferences import KEYS, path_list, read_preferences

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)


def test_paths_of_windows() -> None:
    data = rb"boardURL=C\:\\ASL\\VASL\\boards" + b"\r\n"
    assert read_preferences(data) == {"boardURL": r"C:\ASL\VASL\boards"}


def test_separators_blanks_and_comments() -> None:
    data = b"#boardURL=no\n! boardURL=no\n\n  boardURL : /a b \nsavedGameDir\t/c\nRecentGames=\n"
    assert read_preferences(data) == {
        "boardURL": "/a b ", "savedGameDir": "/c", "RecentGames": "",
    }  # fmt: skip


def test_characters_beyond_latin() -> None:
    data = rb"savedGameDir=/Users/\u6EB4\u9000/\uD83D\uDE00" + b"/\xe9\n"
    assert read_preferences(data) == {"savedGameDir": "/Users/溴退/😀/é"}


def test_broken_escapes_stand_for_themselves() -> None:
    assert read_preferences(b"boardURL=\\u12 \\q \\ud800 x\\") == {"boardURL": "u12 q \ufffd x\\"}


def test_the_last_one_wins() -> None:
    assert read_preferences(b"boardURL=a\nboardURL=b") == {"boardURL": "b"}


def test_a_password_below_a_path_that_ends_in_a_backslash_stays_out() -> None:
    """Typed by hand; Java would join the two lines."""
    data = b"boardURL=C:\\ASL\\boards\\\nSecretName=" + CANARY.encode() + b"\n"
    assert CANARY not in str(read_preferences(data))


def test_an_escaped_key_is_the_same_key() -> None:
    assert read_preferences(rb"board\u0055RL=x") == {"boardURL": "x"}
    assert read_preferences(rb"Secret\u004eame=x") == {}


@given(TEXT, TEXT, TEXT)
def test_java_written_preferences_are_read_back(path: str, other: str, secret: str) -> None:
    data = properties(
        {"boardURL": path, "SecretName": CANARY + secret, "savedGameDir": other, "RealName": secret}
    )
    kept = read_preferences(data)
    assert kept == {"boardURL": path, "savedGameDir": other}


@given(st.binary(max_size=300))
def test_any_bytes_are_read(data: bytes) -> None:
    assert read_preferences(data).keys() <= KEYS


def test_lists_of_paths() -> None:
    assert path_list(r"C:\a.vmod,C:\b\, c.vmod,,/d") == [r"C:\a.vmod", r"C:\b, c.vmod", "/d"]
    assert path_list("") == []
