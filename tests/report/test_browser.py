"""The pages in Debian's chromium, opened from disk; skipped where there is none.

The browser is started without network (a proxy that does not exist), the pages come from file://.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.report.hostile import NAMES, hostile_job
from tests.report.sketch_audit import audit_job
from vassal_bridge.report.audit_html import audit_page
from vassal_bridge.report.formats import write_report
from vassal_bridge.report.job import Job, Options
from vassal_bridge.report.safety import plain_line

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
pytestmark = [
    pytest.mark.browser,
    pytest.mark.enable_socket,
    pytest.mark.skipif(
        CHROMIUM is None or DRIVER is None,
        reason="chromium and chromedriver are absent (apt-get install chromium chromium-driver)",
    ),
]

WIDE, NARROW = (1600, 900), (390, 844)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options as Flags
    from selenium.webdriver.chrome.service import Service

    flags = Flags()
    flags.binary_location = str(CHROMIUM)
    for flag in (
        "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
        "--proxy-server=127.0.0.1:9", "--force-prefers-reduced-motion", "--hide-scrollbars",
    ):  # fmt: skip
        flags.add_argument(flag)
    flags.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=flags, service=Service(str(DRIVER)))
    yield driver
    driver.quit()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("pages")


class Page:
    """One page in the browser."""

    def __init__(self, driver: Any, file: Path, data: bytes, size: tuple[int, int]) -> None:
        file.write_bytes(data)
        self.driver = driver
        self.file = file
        self.resize(size)
        driver.get_log("browser")
        self.open("")

    def open(self, fragment: str) -> None:
        self.driver.get("about:blank")
        self.driver.get(self.file.as_uri() + fragment)

    def resize(self, size: tuple[int, int]) -> None:
        self.driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": size[0], "height": size[1], "deviceScaleFactor": 1,
             "mobile": size[0] < 500},
        )  # fmt: skip

    def run(self, script: str, *args: Any) -> Any:
        return self.driver.execute_script(f"return {script}", *args)

    def shown(self, selector: str) -> list[str]:
        return list(
            self.run(
                "[...document.querySelectorAll(arguments[0])].filter(e => e.checkVisibility())"
                ".map(e => e.innerText)",
                selector,
            )
        )

    def visible_units(self) -> list[str]:
        return list(
            self.run(
                "[...new Set([...document.querySelectorAll('#map .u')]"
                ".filter(e => getComputedStyle(e).display !== 'none').map(e => e.dataset.unit))]"
            )
        )

    def keys(self, *keys: str) -> None:
        from selenium.webdriver import ActionChains

        for key in keys:
            ActionChains(self.driver).send_keys(key).perform()

    def place(self, hex_: str) -> tuple[int, int]:
        x, y = self.run(
            "(() => { const h = DATA.hexes.find(h => h[0] === arguments[0]);"
            " const s = document.querySelector('#map svg'), r = s.getBoundingClientRect(),"
            " v = s.viewBox.baseVal;"
            " return [r.left + (h[1] - v.x) / v.width * r.width,"
            " r.top + (h[2] - v.y) / v.height * r.height]; }).apply(null, arguments)",
            hex_,
        )
        return int(x), int(y)

    def point(self, hex_: str, *, click: bool = False) -> str:
        from selenium.webdriver import ActionChains

        chain = ActionChains(self.driver)
        chain.w3c_actions.pointer_action.move_to_location(*self.place(hex_))
        if click:
            chain.w3c_actions.pointer_action.click()
        chain.perform()
        return str(self.run("document.querySelector('#hexcard').innerText"))

    def complaints(self) -> list[str]:
        return [entry["message"] for entry in self.driver.get_log("browser")]


@pytest.fixture
def page(browser: Any, folder: Path, job: Job) -> Page:
    return Page(browser, folder / "report.html", write_report(job, "html"), WIDE)


def test_a_unit_is_chosen_by_mouse(page: Page) -> None:
    assert page.shown("article.unit h2") == []
    assert sorted(page.visible_units()) == ["zM9", "zN5", "zN6", "zN7"]
    page.driver.find_element("css selector", ".pick[data-unit='zN7']").click()
    (head,) = page.shown("article.unit h2")
    assert "4-4-7" in head
    assert "must rout" in head
    assert page.visible_units() == ["zN7"]
    (article,) = page.shown("article.unit")
    for wanted in ("zO8", "no interdiction", "interdicted in zN8 by zO5", "zM8", "R38"):
        assert wanted in article
    assert "42% goes on unreduced" in article
    assert "Known enemies" in article
    assert page.run("location.hash") == "#unit=zN7"
    assert page.complaints() == []


def test_a_unit_is_chosen_by_clicking_its_badge_on_the_map(page: Page) -> None:
    badge = page.driver.find_element("css selector", "#map .en .badge[data-unit='zM9']")
    badge.click()
    assert page.visible_units() == ["zM9"]
    assert page.shown(".pick[aria-pressed='true']")[0].startswith("D")


def test_a_unit_is_chosen_by_clicking_its_counter_on_the_map(page: Page) -> None:
    page.point("zN7", click=True)
    assert page.visible_units() == ["zN7"]
    page.point("zO6", click=True)  # an enemy: nothing to choose
    assert page.visible_units() == ["zN7"]


def test_badges_can_be_read_however_small_the_map_is(page: Page) -> None:
    """They grow as the map gets small, but not over one another."""

    def badges() -> list[list[float]]:
        return list(
            page.run(
                "[...document.querySelectorAll('#map .en .badge')].map(e => {"
                " const r = e.getBoundingClientRect(); return [r.left, r.top, r.right, r.bottom]})"
            )
        )

    wide = "document.querySelector('#map .badge').getAttribute('transform')"
    assert page.run(wide).endswith("scale(1.00)")
    for _ in range(6):
        page.keys("-")
    grown = float(page.run(wide).partition("scale(")[2].rstrip(")"))
    assert grown >= 1
    found = badges()
    assert len(found) == 4
    for n, one in enumerate(found):
        for other in found[n + 1 :]:
            across = min(one[2], other[2]) - max(one[0], other[0])
            down = min(one[3], other[3]) - max(one[1], other[1])
            assert across <= 0.5 or down <= 0.5


def test_a_lone_badge_grows(browser: Any, folder: Path, job: Job) -> None:
    alone = [each for each in job.assessments if each.unit == "zN7"]
    data = write_report(replace(job, assessments=alone), "html")
    page = Page(browser, folder / "alone.html", data, NARROW)
    high = "document.querySelector('#map .en .badge').getBoundingClientRect().height"
    page.driver.find_element("id", "fit").click()
    for _ in range(12):
        page.keys("-")
    assert page.run("document.querySelector('#map .badge').getAttribute('transform')") != ""
    assert page.run(high) >= 10
    assert page.complaints() == []


@pytest.mark.parametrize("size", [WIDE, NARROW])
def test_no_end_of_the_chosen_unit_lies_under_the_buttons(
    page: Page, size: tuple[int, int]
) -> None:
    page.resize(size)
    for unit in ("zN7", "zN6", "zM9"):
        page.open(f"#unit={unit}")
        left, low = page.run(
            "(() => { const z = document.querySelector('.zoom').getBoundingClientRect(),"
            " c = document.querySelector('#hexcard').getBoundingClientRect();"
            " return [z.left, c.top]; })()"
        )
        ends = page.run(f"DATA.units.find(u => u.id === '{unit}').ends.map(e => e.hex)")
        assert ends
        for hex_ in ends:
            x, y = page.place(hex_)
            assert 0 < x < left
            assert 0 < y < low


def test_the_chosen_unit_is_seen_whole_in_the_row_of_units(page: Page) -> None:
    page.resize(NARROW)
    for unit in ("zN5", "zN7", "zN6", "zM9"):
        page.open(f"#unit={unit}")
        left, right = page.run(
            "(() => { const r = document.querySelector('.pick[aria-pressed=true]')"
            ".getBoundingClientRect(); return [r.left, r.right]; })()"
        )
        assert left >= 0
        assert right <= NARROW[0]


def test_units_are_walked_by_keyboard(page: Page) -> None:
    page.keys("j")
    assert page.visible_units() == ["zN5"]
    page.keys("\ue015")  # arrow down
    assert page.visible_units() == ["zN7"]
    focus = page.run("document.activeElement.dataset.unit")
    assert focus == "zN7"
    page.keys("k", "k")
    assert len(page.visible_units()) == 4
    page.keys("\ue00c")  # escape
    assert page.shown("article.unit") == []
    assert page.complaints() == []


def test_two_units_are_compared(page: Page) -> None:
    page.open("#unit=zN7")
    page.keys("c")
    assert sorted(page.visible_units()) == ["zN6", "zN7"]
    assert len(page.shown("article.unit")) == 2
    tops = page.run(
        "[...document.querySelectorAll('article.on')].map(e => e.getBoundingClientRect().top)"
    )
    assert tops[0] == tops[1]  # side by side
    shared = page.run("document.querySelectorAll('#map .u.on .m.shared').length")
    assert shared == 6  # O8, P7, P8 for both
    page.driver.find_element("css selector", ".compare[data-unit='zM9']").click()
    assert sorted(page.visible_units()) == ["zM9", "zN7"]
    page.driver.find_element("css selector", ".compare[data-unit='zM9']").click()
    assert page.visible_units() == ["zN7"]


def test_hexes_say_why(page: Page) -> None:
    page.open("#unit=zN7")
    assert "barred: closer to 4-6-7 in zL7, range 2 to 1 [R38]" in page.point("zM8")
    assert "B4 may end here: Low Crawl only" in " ".join(page.point("zN8").split())
    assert "another building or woods comes first [R27]" in page.point("zP9")
    assert "Known enemy here, range 2" in page.point("zO6")
    card = page.point("zN7")
    assert "starts here: must rout" in card
    assert "4-4-7 broken" in card
    page.run("(() => { view = 1; })()")
    page.keys("l")
    assert "从此开始" in page.run("document.querySelector('#hexcard').innerText")


@pytest.mark.parametrize("size", [WIDE, NARROW])
def test_the_card_never_hides_the_hex_it_speaks_of(page: Page, size: tuple[int, int]) -> None:
    page.resize(size)
    page.open("")
    for hex_ in page.run("DATA.hexes.map(h => h[0])")[::7]:
        x, y = page.place(hex_)
        inside = page.run(
            "(() => { const r = document.querySelector('#map').getBoundingClientRect(),"
            " x = arguments[0], y = arguments[1];"
            " return x > r.left && x < r.right && y > r.top && y < r.bottom; })"
            ".apply(null, arguments)",
            x, y,
        )  # fmt: skip
        if inside and page.run("!document.elementFromPoint(arguments[0], arguments[1])"
                               ".closest('.zoom, #hexcard')", x, y):  # fmt: skip
            page.point(hex_)
            assert page.run(
                "!document.elementFromPoint(arguments[0], arguments[1]).closest('#hexcard')", x, y
            )


def test_hexes_out_of_reach_are_said_so(page: Page) -> None:
    page.open("#unit=zN7")
    page.driver.find_element("id", "whole").click()
    assert "out of reach with 6 MF" in page.point("zC3")


def test_an_end_is_pointed_out_with_its_route(page: Page) -> None:
    page.open("#unit=zN7")
    page.point("zN10", click=True)
    assert len(page.run("document.querySelector('#highlight').getAttribute('points')").split()) == 4
    assert page.run("document.querySelector('.ends li.on').dataset.hex") == "zN10"


def test_the_map_is_walked_by_keyboard(page: Page) -> None:
    page.open("#unit=zN7")
    page.run("document.querySelector('#map').focus()")
    page.keys("\ue013")  # first: the hex in the middle
    before = page.run("document.querySelector('#hexcard h2').innerText")
    page.keys("\ue013")
    after = page.run("document.querySelector('#hexcard h2').innerText")
    assert before != after
    assert before[:2] == after[:2]  # same column
    assert page.visible_units() == ["zN7"]  # the arrows moved on the map, not in the list


def test_zoom_and_pan(page: Page) -> None:
    from selenium.webdriver import ActionChains

    def box() -> list[float]:
        return [float(n) for n in page.run(
            "document.querySelector('#map svg').getAttribute('viewBox')").split()]  # fmt: skip

    start = box()
    page.driver.find_element("id", "zoom-in").click()
    assert box()[2] < start[2]
    page.keys("0")
    assert box() == start
    spot = page.place("zN8")
    chain = ActionChains(page.driver)
    pointer = chain.w3c_actions.pointer_action
    pointer.move_to_location(*spot)
    pointer.pointer_down()
    pointer.move_to_location(spot[0] - 120, spot[1] - 40)
    pointer.pointer_up()
    chain.perform()
    assert box()[0] > start[0]
    assert box()[2] == pytest.approx(start[2], abs=0.1)
    moved = page.place("zN8")
    assert moved[0] == pytest.approx(spot[0] - 120, abs=3)
    chain = ActionChains(page.driver)
    chain.scroll_from_origin  # noqa: B018  (the wheel is tried by an event: headless has none)
    page.run(
        "document.querySelector('#map').dispatchEvent(new WheelEvent('wheel',"
        "{deltaY: -100, clientX: arguments[0], clientY: arguments[1], cancelable: true}))",
        *moved,
    )
    assert page.place("zN8") == pytest.approx(moved, abs=2)  # zooms about the pointer
    assert box()[2] < start[2]


def test_touch_moves_and_pinches(page: Page) -> None:
    page.resize(NARROW)
    page.open("#unit=zN7")
    before = page.run("document.querySelector('#map svg').viewBox.baseVal.width")

    def touch(kind: str, *points: tuple[int, int]) -> None:
        page.driver.execute_cdp_cmd(
            "Input.dispatchTouchEvent",
            {"type": kind, "touchPoints": [{"x": x, "y": y, "id": n}
                                           for n, (x, y) in enumerate(points)]},
        )  # fmt: skip

    touch("touchStart", (150, 250), (240, 250))
    touch("touchMove", (120, 250), (270, 250))
    touch("touchMove", (90, 250), (300, 250))
    touch("touchEnd")
    assert page.run("document.querySelector('#map svg').viewBox.baseVal.width") < 0.6 * before
    page.open("#unit=zN7")
    x, y = page.place("zO8")
    touch("touchStart", (x, y))
    touch("touchEnd")
    assert "zO8" in page.run("document.querySelector('#hexcard').innerText")


@pytest.mark.parametrize("size", [NARROW, (768, 1024), (1280, 720), WIDE])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_nothing_is_wider_than_the_screen(page: Page, size: tuple[int, int], lang: str) -> None:
    page.resize(size)
    for fragment in ("", "#unit=zN6", "#unit=zN7&with=zM9"):
        page.open(f"{fragment or '#'}&lang={lang}")
        assert page.run("document.documentElement.scrollWidth") <= size[0]
        wide = page.run(
            "[...document.querySelectorAll('.side *')].filter(e => !e.closest('nav, svg')"
            " && e.checkVisibility() && e.getBoundingClientRect().right > innerWidth + 1)"
            ".map(e => e.outerHTML.slice(0, 80))"
        )
        assert wide == []
    assert page.complaints() == []


def test_the_language_is_switched_in_the_page(page: Page) -> None:
    page.open("#unit=zN7&lang=en")
    assert "must rout" in page.shown("article.unit")[0]
    page.driver.find_element("id", "lang").click()
    article = page.shown("article.unit")[0]
    assert "必须溃退" in article
    assert "must rout" not in article
    assert page.run("document.documentElement.lang") == "zh-CN"
    assert "溃退义务" in page.driver.title
    drawn = "document.querySelector(arguments[0]).getBoundingClientRect().width > 0"
    assert page.run(drawn, "#map .zh .badge")
    assert not page.run(drawn, "#map .en .badge")
    assert page.run("document.querySelector('#fit').title") == "显示相关部分"


def test_chinese_glyphs_are_drawn(page: Page) -> None:
    """Two characters that differ are drawn differently: no empty boxes."""
    different = page.run(
        "(() => { const draw = text => { const c = document.createElement('canvas');"
        " c.width = c.height = 40; const p = c.getContext('2d');"
        " p.font = '30px ' + getComputedStyle(document.body).fontFamily; p.fillText(text, 2, 32);"
        " return c.toDataURL(); }; return new Set([...'溃退阻截匍匐前进'].map(draw)).size; })()"
    )
    assert different == 8


def test_light_and_dark(page: Page) -> None:
    def paper() -> str:
        return str(page.run("getComputedStyle(document.body).backgroundColor"))

    first = paper()
    page.driver.find_element("id", "theme").click()
    second = paper()
    assert first != second
    page.driver.execute_cdp_cmd(
        "Emulation.setEmulatedMedia",
        {"features": [{"name": "prefers-color-scheme", "value": "dark"}]},
    )
    page.run("localStorage.clear()")
    page.open("")
    assert paper() == "rgb(21, 24, 26)"
    page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_texts_have_contrast(page: Page, scheme: str) -> None:
    page.run("document.documentElement.dataset.theme = arguments[0]", scheme)
    page.run("document.querySelector(\".pick[data-unit='zN7']\").click()")
    low = page.run(
        r"""(() => {
        const parse = c => c.match(/[\d.]+/g).map(Number);
        const lum = ([r, g, b]) => [r, g, b].map(v => v / 255).map(v => v <= .04045 ? v / 12.92 :
          ((v + .055) / 1.055) ** 2.4).reduce((s, v, i) => s + v * [.2126, .7152, .0722][i], 0);
        const back = e => { for (; e; e = e.parentElement) { const c = parse(getComputedStyle(e)
          .backgroundColor); if (c.length < 4 || c[3] > 0) return c; } return [255, 255, 255]; };
        return [...document.querySelectorAll('.side *, .top *')].filter(e => e.checkVisibility()
          && !e.closest('svg') && [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim()))
          .map(e => { const a = lum(parse(getComputedStyle(e).color)), b = lum(back(e));
            return [(Math.max(a, b) + .05) / (Math.min(a, b) + .05), e.className, e.textContent
              .slice(0, 30)]; }).filter(([c]) => c < 4.5); })()"""
    )
    page.run("(() => { delete document.documentElement.dataset.theme; localStorage.clear(); })()")
    assert low == []


def test_hostile_names_are_shown_as_text(browser: Any, folder: Path) -> None:
    page = Page(browser, folder / "hostile.html", write_report(hostile_job(), "html"), WIDE)
    assert "owned" not in page.driver.title.replace(plain_line(NAMES[0]), "").replace(
        plain_line(NAMES[1]), ""
    )
    heads = []
    for _ in range(4):
        page.keys("j")
        heads += page.shown("article.unit h2 bdi:first-child")
    for name in NAMES[4:]:
        assert any(" ".join(plain_line(name).split()) in head for head in heads), name
    assert page.run("document.querySelectorAll('script').length") == 2
    assert page.run("document.querySelectorAll('img').length") == 0
    for unit in ("zK4", "zN5", "zO6"):
        page.point(unit)
    assert page.run("document.documentElement.scrollWidth") <= WIDE[0]
    page.resize(NARROW)
    assert page.run("document.documentElement.scrollWidth") <= NARROW[0]
    assert page.complaints() == []


def test_an_injected_script_does_not_run(browser: Any, folder: Path, job: Job) -> None:
    data = write_report(job, "html").replace(
        b"</main>",
        b"<script>document.title='owned'</script><img src='https://example.org/a'></main>",
    )
    page = Page(browser, folder / "injected.html", data, WIDE)
    assert page.driver.title != "owned"
    complaints = page.complaints()
    assert any("script-src" in line for line in complaints)
    assert any("img-src" in line for line in complaints)


def test_the_page_prints_every_unit(page: Page) -> None:
    page.open("#unit=zN7")
    page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    articles = page.shown("article.unit h2")
    tools = page.shown(".tools button") + page.shown(".pick")
    page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    assert len(articles) == 4
    assert tools == []
    printed = page.driver.execute_cdp_cmd("Page.printToPDF", {"printBackground": True})
    assert len(printed["data"]) > 20_000


def test_the_page_is_whole_without_scripts(browser: Any, folder: Path, job: Job) -> None:
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        page = Page(browser, folder / "still.html", write_report(job, "html"), WIDE)
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
        assert len(page.shown("article.unit")) == 4
    finally:
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


def test_help_lists_the_keys(page: Page) -> None:
    page.keys("?")
    assert "previous, next unit" in page.shown("dialog")[0]
    page.keys("\ue00c")
    assert page.shown("dialog") == []


# -- the audit ------------------------------------------------------------------------------------


def test_findings_are_jumped_between(browser: Any, folder: Path) -> None:
    page = Page(browser, folder / "audit.html", audit_page(audit_job()), WIDE)

    def stands(hex_: str) -> bool:
        return bool(page.run(
            "[...document.querySelectorAll('#map .s.on')].some(s =>"
            " DATA.stacks[Number(s.dataset.s)][0] === arguments[0])", hex_))  # fmt: skip

    assert "differs from 3.6" in page.shown(".finding[aria-pressed='true']")[0]
    assert "Last legal hex: zM9." in page.shown(".more")[0]
    assert stands("zM9")
    assert not stands("zL8")
    page.keys("a")
    assert stands("zL8")
    assert not stands("zM9")
    page.keys("j")
    assert "zN7" in page.shown(".finding[aria-pressed='true']")[0]
    assert page.visible_units() == ["p1r2"]
    assert "no NMC found" in page.shown(".more")[0]
    page.driver.find_element("id", "only").click()
    assert len(page.shown(".finding")) == 3  # the rout that differs, the disputed one, the failure
    page.driver.find_element("id", "lang").click()
    assert "与3.6不符" in page.shown(".finding")[0]
    assert page.complaints() == []


@pytest.mark.parametrize("size", [NARROW, WIDE])
def test_the_audit_fits(browser: Any, folder: Path, size: tuple[int, int]) -> None:
    page = Page(browser, folder / "audit.html", audit_page(audit_job(lang="zh")), size)
    assert page.run("document.documentElement.scrollWidth") <= size[0]
    assert page.complaints() == []


def test_pages_open_in_the_asked_language(browser: Any, folder: Path, job: Job) -> None:
    chinese = replace(job, options=Options(lang="zh"))
    page = Page(browser, folder / "zh.html", write_report(chinese, "html"), WIDE)
    page.run("localStorage.clear()")
    page.open("")
    assert "溃退义务" in page.driver.title
