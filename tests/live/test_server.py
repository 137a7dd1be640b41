"""The real server on 127.0.0.1, and a real browser."""

from __future__ import annotations

import http.client
import json
import shutil
import socket
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest

import vassal_bridge.live as live_module
from tests.watch.fakes import save_bytes
from tests.watch.test_real import Running, copy_job
from vassal_bridge.errors import UsageError
from vassal_bridge.live import LiveView
from vassal_bridge.vassal import atomic_write
from vassal_bridge.watch import Done, Failed, JobResult, ReadyFile, Started, make_watcher

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])


@pytest.fixture
def view() -> Iterator[LiveView]:
    with LiveView() as view:
        yield view


class Reader:
    """One request, its answer read as it comes."""

    def __init__(self, view: LiveView, path: str, **headers: str) -> None:
        parts = urlsplit(view.url)
        self.connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=5)
        self.connection.request("GET", parts.path + path, headers=headers)
        self.response = self.connection.getresponse()

    def close(self) -> None:
        self.response.close()
        self.connection.close()


def get(view: LiveView, path: str) -> tuple[int, bytes]:
    with closing(Reader(view, path)) as reader:
        return reader.response.status, reader.response.read()


class Stream(Reader):
    """A reader of the events."""

    def __init__(self, view: LiveView, **headers: str) -> None:
        super().__init__(view, "events", **headers)
        assert self.response.readline() == b"retry: 1000\n"

    def next(self) -> dict[str, Any]:
        while True:
            line = self.response.readline().decode()
            assert line, "the stream ended"
            if line.startswith("data: "):
                data: dict[str, Any] = json.loads(line.removeprefix("data: "))
                return data


def test_it_listens_on_loopback_only_under_a_token(view: LiveView) -> None:
    parts = urlsplit(view.url)
    assert view._socket.getsockname()[0] == "127.0.0.1"
    assert len(parts.path.strip("/")) == 32
    assert get(view, "")[0] == 200
    other = LiveView()
    other.stop()
    assert other.url != view.url


def test_events_arrive_at_once_and_survive_a_reconnect(view: LiveView, tmp_path: Path) -> None:
    page = tmp_path / "x.rout.html"
    page.write_text("<p>hello")
    view(Started((tmp_path,), 0))
    view(Done(tmp_path / "sub" / "S1.vsav", JobResult("first", (page,))))
    with closing(Stream(view)) as stream:
        assert stream.next()["name"] == "sub/S1.vsav"
        began = time.monotonic()
        view(Failed(tmp_path / "S2.vsav", "a text\x1b file"))
        item = stream.next()
        assert time.monotonic() - began < 1.0
    assert (item["headline"], item["mark"], item["page"]) == ("a text file", "warn", False)
    for last, name in (("1", "S2.vsav"), ("99", "sub/S1.vsav"), ("x", "sub/S1.vsav")):
        with closing(Stream(view, **{"Last-Event-ID": last})) as stream:
            assert stream.next()["name"] == name
    assert get(view, "page/1") == (200, b"<p>hello")


def test_a_file_outside_the_roots_is_named_without_its_folder(view: LiveView) -> None:
    view(Done(Path("/home/anna/S1.vsav"), JobResult("x")))
    assert [item.name for item in view.hub.items()] == ["S1.vsav"]


def test_it_stops_within_two_seconds_with_windows_open() -> None:
    view = LiveView()
    view.start()
    streams = [Stream(view) for _ in range(3)]
    time.sleep(0.1)
    assert view.hub.readers == 3
    began = time.monotonic()
    view.stop()
    assert time.monotonic() - began < 2.0
    assert b"event: end" in streams[0].response.read()
    for stream in streams:
        stream.close()
    with pytest.raises(OSError, match=r"refused"):
        socket.create_connection(("127.0.0.1", view._port), timeout=1)


def test_a_port_that_is_taken(view: LiveView) -> None:
    with pytest.raises(UsageError, match=f"port {view._port} cannot be used"):
        LiveView(port=view._port)
    with pytest.raises(UsageError, match="port 99999 cannot be used"):
        LiveView(port=99999)


def test_without_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        live_module, "find_spec", lambda name: None if name == "starlette" else name
    )
    with pytest.raises(UsageError, match=r'pip install "\.\[live\]"'):
        LiveView()


# --- with a watcher, in a browser ---


def page_job(file: ReadyFile) -> JobResult:
    """A report whose text tries to get out of its frame."""
    evil = "<script>try { parent.document.title = 'broken out' } catch (e) {}"
    evil += "document.body.id = 'ran'; fetch('../events').catch(() => { document.title = 'shut' })"
    html = f"<!doctype html><title>r</title><h1>{file.stem}</h1><body>{evil}</script>"
    atomic_write(file.output("html"), html.encode())
    headline = f"<img src=x onerror=alert(1)> {file.stem}"
    return JobResult(headline, (file.output("html"),), mark="bad")


@pytest.fixture
def browser() -> Iterator[Chrome]:
    chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if chromium is None or driver is None:
        pytest.skip("Debian's chromium and chromium-driver are not installed")
    from selenium.webdriver import Chrome, ChromeOptions, ChromeService

    options = ChromeOptions()
    options.binary_location = chromium
    for argument in (
        "--headless=new",
        "--no-sandbox",
        "--disable-dev-shm-usage",
        "--no-proxy-server",
    ):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    browser = Chrome(options=options, service=ChromeService(driver))
    browser.set_page_load_timeout(20)
    yield browser
    browser.quit()


def until(browser: Chrome, script: str, wanted: object, seconds: float = 10.0) -> float:
    """Wait until a script gives a value; returns how long that took."""
    began = time.monotonic()
    while (got := browser.execute_script(script)) != wanted:
        assert time.monotonic() - began < seconds, got
        time.sleep(0.02)
    return time.monotonic() - began


NAMES = "return [...document.querySelectorAll('#recent .name')].map(e => e.textContent).join()"
FRAME = "return document.getElementById('page').getAttribute('src')"


@pytest.mark.browser
@pytest.mark.slow
def test_a_new_save_appears_without_reload_within_two_seconds(
    tmp_path: Path, view: LiveView, browser: Chrome
) -> None:
    watcher = make_watcher([tmp_path], page_job, listener=view)
    run = Running.__new__(Running)
    run.start(watcher, [])
    try:
        browser.get(view.url)
        until(browser, "return document.getElementById('state').textContent", "Watching")
        browser.execute_script("window.stays = true")
        (tmp_path / "S1.vsav").write_bytes(save_bytes("one"))
        assert until(browser, NAMES, "S1.vsav") < 2.0
        until(browser, FRAME, "page/1")
        began = time.monotonic()
        (tmp_path / "S2.vlog").write_bytes(save_bytes("two"))
        until(browser, NAMES, "S2.vlog,S1.vsav")
        assert time.monotonic() - began < 2.0
        until(browser, FRAME, "page/2")
        assert browser.execute_script("return window.stays")
        headline = browser.execute_script("return document.getElementById('headline').textContent")
        assert headline == "!! <img src=x onerror=alert(1)> S2"
        # an older one by hand: the view stays with it
        browser.execute_script("document.querySelectorAll('#recent button')[1].click()")
        until(browser, FRAME, "page/1")
        (tmp_path / "S3.vsav").write_bytes(save_bytes("three"))
        until(browser, NAMES, "S3.vsav,S2.vlog,S1.vsav")
        assert browser.execute_script(FRAME) == "page/1"
        browser.execute_script("document.getElementById('follow').click()")
        until(browser, FRAME, "page/3")
        # the frame ran its script, and could neither reach out nor fetch
        browser.switch_to.frame("page")
        until(browser, "return document.body.id", "ran")
        until(browser, "return document.title", "shut")
        browser.switch_to.default_content()
        assert browser.title == "S3.vsav – vassal-bridge"
        notify = browser.find_element("id", "notify")
        assert notify.text in {"Notify me", "Notifications are blocked by the browser"}
        own = [
            entry for entry in browser.get_log("browser")  # type: ignore[no-untyped-call]
            if "/page/" not in str(entry) and "about:srcdoc" not in str(entry)
        ]  # fmt: skip
        assert own == []
    finally:
        run.stop()


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.parametrize("width", [1280, 390])
def test_nothing_is_cut_off_at_the_side(tmp_path: Path, browser: Chrome, width: int) -> None:
    with LiveView(lang="zh") as view:
        page = tmp_path / "x.rout.html"
        page.write_text("<p>hello")
        view(Done(tmp_path / ("S 001 " + "x" * 80 + ".vsav"), JobResult("溃退 " * 30, (page,))))
        browser.set_window_size(width, 900)
        browser.get(view.url)
        until(browser, "return document.querySelectorAll('#recent button').length", 1)
        wide = "return document.documentElement.scrollWidth <= window.innerWidth"
        assert browser.execute_script(wide)
        assert browser.execute_script("return document.documentElement.lang") == "zh-CN"


def test_the_watcher_feeds_it(tmp_path: Path, view: LiveView) -> None:
    watcher = make_watcher([tmp_path], copy_job, listener=view)
    run = Running.__new__(Running)
    run.start(watcher, [])
    try:
        with closing(Stream(view)) as stream:
            (tmp_path / "S1.vsav").write_bytes(save_bytes("one"))
            item = stream.next()
        assert (item["name"], item["files"]) == ("S1.vsav", ["S1.rout.html"])
    finally:
        run.stop()
