"""The application without a network: who gets in, and what every answer carries."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.live.client import Client
from vassal_bridge.live import app as app_module
from vassal_bridge.live.app import HEADERS, PAGE_POLICY, SHELL_POLICY, event_text, make_app
from vassal_bridge.live.hub import Hub, Item

TOKEN = "t0ken"
EVIL = "<script>alert(1)</script>"


@pytest.fixture
def hub() -> Hub:
    return Hub()


HOSTS = frozenset({"127.0.0.1:5000", "localhost:5000"})


@pytest.fixture
def client(hub: Hub) -> Client:
    return Client(make_app(hub, TOKEN, HOSTS))


PATHS = ["/", "/live.js", "/live.css", "/page/1", "/file/1/0"]


@pytest.fixture
def filled(hub: Hub, tmp_path: Path) -> Hub:
    page = tmp_path / "S1 <b>.rout.html"
    page.write_text("<p>report</p>", encoding="utf-8")
    hub.publish("S1.vsav", EVIL, "bad", "12:00", page, (page, tmp_path / "gone.json"))
    return hub


@pytest.mark.usefixtures("filled")
@pytest.mark.parametrize("path", PATHS)
def test_with_the_token_all_is_served(client: Client, path: str) -> None:
    answer = client.get(f"/{TOKEN}{path}")
    assert answer.status_code == 200
    for name, value in HEADERS.items():
        assert answer.headers[name] == value
    assert "access-control-allow-origin" not in answer.headers
    policy = answer.headers["content-security-policy"]
    expected = {"/page/1": PAGE_POLICY, "/file/1/0": "default-src 'none'; sandbox"}
    assert policy == expected.get(path, SHELL_POLICY)


@pytest.mark.usefixtures("filled")
@pytest.mark.parametrize("path", [*PATHS, "/events", "/../t0ken/"])
@pytest.mark.parametrize("token", ["", "wrong", "t0kenx", "T0KEN", "ké", "t0ke"])
def test_without_the_token_nothing_is(client: Client, path: str, token: str) -> None:
    answer = client.get(f"/{token}{path}")
    assert answer.status_code == 404
    assert answer.text == "not found"


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:5000", "127.0.0.1", "127.0.0.1:5001", "", "127.0.0.1:5000.x"],
)
def test_another_host_is_refused(client: Client, host: str) -> None:
    """DNS rebinding: a page of evil.example that points its name at 127.0.0.1."""
    answer = client.get(f"/{TOKEN}/", headers={"host": host})
    assert answer.status_code == 421
    assert "<html" not in answer.text


def test_localhost_is_this_host(client: Client) -> None:
    assert client.get(f"/{TOKEN}/", headers={"host": "LOCALHOST:5000"}).status_code == 200


def test_two_hosts_are_refused(client: Client) -> None:
    headers = [("host", "127.0.0.1:5000"), ("host", "evil.example")]
    assert client.get(f"/{TOKEN}/", headers=headers).status_code == 421


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "https://127.0.0.1:5000"}, 403),
        ({"origin": "http://127.0.0.1:5000"}, 200),
        ({"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors"}, 403),
        ({"sec-fetch-site": "same-site", "sec-fetch-mode": "cors"}, 403),
        ({"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}, 200),
        ({"sec-fetch-site": "same-origin", "sec-fetch-mode": "cors"}, 200),
    ],
)
def test_other_origins_are_refused(client: Client, headers: dict[str, str], status: int) -> None:
    assert client.get(f"/{TOKEN}/live.js", headers=headers).status_code == status


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"])
def test_only_reading(client: Client, method: str) -> None:
    assert client.ask(method, f"/{TOKEN}/").status_code == 405


@pytest.mark.usefixtures("filled")
@pytest.mark.parametrize(
    "path",
    ["/page/2", "/page/0", "/page/x", "/page/-1", "/file/1/1", "/file/1/2", "/file/2/0", "/nothing",
     "/page/..%2f..%2fetc%2fpasswd", "/static/live.js"],
)  # fmt: skip
def test_what_is_not_there(client: Client, path: str) -> None:
    assert client.get(f"/{TOKEN}{path}").status_code == 404


def test_a_page_whose_file_is_gone(client: Client, hub: Hub, tmp_path: Path) -> None:
    hub.publish("a", "", "good", "", tmp_path / "gone.html")
    hub.publish("b", "", "good", "")
    assert client.get(f"/{TOKEN}/page/1").status_code == 404
    assert client.get(f"/{TOKEN}/page/2").status_code == 404


@pytest.mark.usefixtures("filled")
def test_files_are_saved_not_shown(client: Client) -> None:
    answer = client.get(f"/{TOKEN}/file/1/0")
    assert answer.headers["content-disposition"] == 'attachment; filename="S1 _b_.rout.html"'
    assert answer.headers["content-type"] == "application/octet-stream"


def test_an_event_is_one_line_of_data_whatever_the_game_says() -> None:
    item = Item(7, "a\nb", f"{EVIL}\r\ndata: x", "bad", "t")
    lines = event_text(item).split("\n")
    assert lines[:2] == ["id: 7", "event: file"]
    assert lines[3:] == ["", ""]
    assert json.loads(lines[2].removeprefix("data: "))["headline"] == f"{EVIL}\r\ndata: x"
    assert event_text(None) == ": still here\n\n"


def test_the_shell_holds_no_text_of_a_game(client: Client, filled: Hub) -> None:
    assert filled.items()
    assert EVIL not in client.get(f"/{TOKEN}/").text


@pytest.mark.parametrize(("lang", "attribute"), [("en", "en"), ("zh", "zh-CN"), ("xx", "en")])
def test_language(hub: Hub, lang: str, attribute: str) -> None:
    client = Client(make_app(hub, TOKEN, HOSTS, lang))
    assert f'<html lang="{attribute}">' in client.get(f"/{TOKEN}/").text


def test_the_script_has_both_languages_complete() -> None:
    script = app_module._static("live.js")
    start = script.index("const TEXTS = {")
    english, chinese = script[start:].split("  zh: {")[:2]

    def keys(text: str) -> list[str]:
        return [line.split(":")[0].strip() for line in text.splitlines() if line.startswith("    ")]

    assert keys(english) == keys(chinese.split("};")[0])
    assert len(keys(english)) >= 8


def test_the_stream_of_an_ended_watch_says_so(client: Client, filled: Hub) -> None:
    filled.close()
    answer = client.get(f"/{TOKEN}/events")
    assert answer.headers["content-type"].startswith("text/event-stream")
    assert answer.text == "retry: 1000\n\nevent: end\ndata: {}\n\n"


def test_too_many_windows(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app_module, "MAX_LIVE_READERS", 0)
    assert client.get(f"/{TOKEN}/events").status_code == 503
