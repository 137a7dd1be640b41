"""The page as a file: one piece, nothing remote, everything escaped, both languages."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from tests.report.hostile import CLOSING, NAMES, SCRIPT, hostile_job
from tests.report.sketch import SketchGround, SketchLoaded, counters_of, picture_of
from tests.report.sketch_audit import audit_job
from vassal_bridge.report.audit_html import AuditJob, audit_page
from vassal_bridge.report.catalogue import words_in
from vassal_bridge.report.formats import write_report
from vassal_bridge.report.job import Job, Options
from vassal_bridge.report.pagekit import Both, key_items
from vassal_bridge.report.safety import plain_line

VOID = {"meta", "input", "br", "img", "link", "hr"}
SVG_EMPTY = {"use", "line", "rect", "circle", "polygon", "polyline", "path", "image"}


class Tree(HTMLParser):
    """Checks nesting and gathers what the tests ask for."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []
        self.policy = ""
        self.scripts: list[tuple[dict[str, str | None], str]] = []
        self.styles: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.tags.append((tag, found))
        if tag == "meta" and found.get("http-equiv") == "Content-Security-Policy":
            self.policy = found["content"] or ""
        if tag == "script":
            self.scripts.append((found, ""))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open, tag
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "script":
            attrs, before = self.scripts[-1]
            self.scripts[-1] = (attrs, before + data)
        elif self.open and self.open[-1] == "style":
            self.styles.append(data)
        else:
            self.text.append(data)


def tree_of(page: bytes) -> Tree:
    tree = Tree()
    tree.feed(page.decode("utf-8"))
    tree.close()
    assert tree.open == []
    return tree


def hash_of(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def pages(job: Job) -> Iterator[bytes]:
    yield write_report(job, "html")
    yield audit_page(audit_job())
    yield write_report(hostile_job(), "html")


def test_pages_are_well_formed_and_hold_nothing_remote(job: Job) -> None:
    for page in pages(job):
        tree = tree_of(page)
        for _, attrs in tree.tags:
            for name, value in attrs.items():
                assert not name.startswith("on"), name
                assert name != "style"
                if name in ("src", "href", "action", "xlink:href"):
                    assert (value or "").startswith(("data:image/", "#")), value
        assert not re.search(rb"url\(|@import|https?://(?!www\.w3\.org/2000/svg)", page)


def test_every_stored_drawing_is_the_one_meant(job: Job) -> None:
    """Map and key share a page: an id of one must not show the other's counter."""
    for page in pages(job):
        tags = tree_of(page).tags
        ids = [attrs["id"] for _, attrs in tags if attrs.get("id")]
        used = {(attrs.get("href") or "#")[1:] for tag, attrs in tags if tag == "use"}
        assert len(ids) == len(set(ids))
        assert used <= set(ids)
    names = [re.findall(r'href="#([^"]+)"', sign["svg"]) for sign in key_items()]
    assert sum(map(bool, names)) == 2, "broken counter, Known enemy"
    for sign, found in zip(key_items(), names, strict=True):
        assert all(f'id="{name}"' in sign["svg"] for name in found)


def test_the_policy_allows_this_style_and_script_and_nothing_else(job: Job) -> None:
    for page in pages(job):
        tree = tree_of(page)
        rules = dict(rule.split(" ", 1) for rule in tree.policy.split("; "))
        runs = [text for attrs, text in tree.scripts if attrs.get("type") is None]
        assert len(runs) == 1
        assert rules == {
            "default-src": "'none'",
            "style-src": hash_of("".join(tree.styles)),
            "script-src": hash_of(runs[0]),
            "img-src": "data:",
            "base-uri": "'none'",
            "form-action": "'none'",
        }


def test_a_served_page_may_ask_its_own_server(job: Job) -> None:
    live = replace(job, options=Options(live="console.log('live')"))
    tree = tree_of(write_report(live, "html"))
    assert "connect-src 'self'" in tree.policy
    assert tree.scripts[-1][1].endswith("console.log('live')")
    assert hash_of(tree.scripts[-1][1]) in tree.policy


def test_hostile_names_are_text() -> None:
    tree = tree_of(write_report(hostile_job(), "html"))
    shown = "".join(tree.text)
    for name in NAMES[4:]:  # those of the broken units
        assert plain_line(name) in shown, name
    assert plain_line(SCRIPT) in shown
    assert [attrs.get("id") for tag, attrs in tree.tags if tag == "script"] == ["data", None]
    assert not any(tag == "img" for tag, _ in tree.tags)
    assert "49" not in shown.split("{{")[0][-3:]
    data = json.loads(tree.scripts[0][1])
    names = [name for stack in data["counters"].values() for name, *_ in stack]
    assert any(CLOSING in name for name in names)


def test_both_languages_stand_in_the_page(job: Job) -> None:
    page = write_report(job, "html").decode()
    for lang in ("en", "zh"):
        words = words_in("zh" if lang == "zh" else "en")
        assert words.say("head.ends") in page
        assert words.say("duty.eliminated") in page
    assert page.count('class="en"') >= 50
    assert page.count('class="zh"') == page.count('class="en"')
    chinese = write_report(replace(job, options=Options(lang="zh")), "html").decode()
    assert chinese.startswith('<!DOCTYPE html>\n<html lang="zh-CN" data-lang="zh">')


def test_pages_are_the_same_every_time(job: Job) -> None:
    assert write_report(job, "html") == write_report(job, "html")
    assert audit_page(audit_job()) == audit_page(audit_job())


def test_hexes_are_explained(job: Job) -> None:
    data = json.loads(tree_of(write_report(job, "html")).scripts[0][1])
    notes = {unit["id"]: unit["notes"] for unit in data["units"]}
    assert notes["zM9"]["zL8"][:2] == [
        "no", "barred: closer to 4-6-7 in zL7, range 2 to 1 [R38]",
    ]  # fmt: skip
    sign, text, chinese = notes["zN7"]["zO8"]
    assert sign == "end"
    assert text.startswith(
        "B1  may end here: 2 MF; no interdiction; or by Low Crawl; destination: "
    )
    assert "可以结束于此" in chinese
    assert notes["zN7"]["zO6"][:2] == ["known", "Known enemy here, range 2"]
    assert notes["zM9"]["zM9"][0] == "start"
    assert "may stay" in notes["zM9"]["zM9"][1]
    assert notes["zN7"]["zN8"][0] == "end"
    assert notes["zN6"]["zM8"][0] == "target"
    assert {unit["mf"] for unit in data["units"]} == {6}


def test_every_rule_tag_is_explained(job: Job) -> None:
    page = write_report(job, "html").decode()
    data = json.loads(tree_of(page.encode()).scripts[0][1])
    tags = set(re.findall(r'<abbr class="rule">(R\d+)</abbr>', page))
    assert {"R8", "R9", "R38", "R40", "R73"} <= tags
    assert tags <= set(data["rules"])
    for name in tags:
        assert f"<dt>{name}</dt>" in page


def test_the_bar_of_odds_adds_up(job: Job) -> None:
    page = write_report(job, "html").decode()
    bars = re.findall(r'<svg viewBox="0 0 100 6".*?</svg>', page)
    assert len(bars) == 9
    for bar in bars:
        widths = [float(width) for width in re.findall(r'width="([\d.]+)"', bar)]
        assert sum(widths) == pytest.approx(100, abs=0.05)


def test_a_page_without_a_map_or_units_is_whole(village: SketchLoaded, job: Job) -> None:
    for bare in (replace(job, picture=None), Job(village, (), village.picture), Job(village, ())):
        tree = tree_of(write_report(bare, "html"))
        assert "About this report" in "".join(tree.text)


def test_size_without_art(job: Job) -> None:
    assert len(write_report(job, "html")) < 400_000


def test_an_audit_without_map_or_findings_is_whole() -> None:
    full = audit_job()
    english = full.reports.en.model_copy(update={"phases": []})
    chinese = full.reports.zh.model_copy(update={"phases": []})
    for job in (AuditJob(full.reports), AuditJob(Both(english, chinese), full.picture)):
        tree_of(audit_page(job))


def test_audit_moments_share_what_did_not_change() -> None:
    page = audit_page(audit_job())
    data = json.loads(tree_of(page).scripts[0][1])
    kinds = [finding["kind"] for finding in data["findings"]]
    assert kinds == ["illegal", "legal", "disputed", "undone", "failure", "note"]
    first = data["findings"][0]
    assert len(first["before"]) == len(first["after"]) == 8
    assert len(set(first["before"]) & set(first["after"])) == 7
    moved = [data["stacks"][n][0] for n in set(first["after"]) - set(first["before"])]
    assert moved == ["zL8"]
    assert len(data["stacks"]) == 8 + 3  # eight stacks at the start, three new places
    assert page.count(b'class="s"') == len(data["stacks"])


def test_audit_words_inform_and_do_not_accuse() -> None:
    text = "".join(tree_of(audit_page(audit_job())).text)
    assert "differs from 3.6" in text
    assert "Last legal hex: zM9." in text
    assert "Legal would have been: zN9, zN10, zO10." in text
    for word in ("illegal", "cheat", "wrong", "error"):
        assert word not in text.lower()


def test_counters_of_a_hex_are_listed(village: SketchLoaded) -> None:
    picture = picture_of(SketchGround(), counters_of(village.position))
    job = Job(village, (), picture, Options())
    data = json.loads(tree_of(write_report(job, "html")).scripts[0][1])
    assert data["counters"]["zM9"] == [["4-4-7", "broken", "dm"]]
    assert data["states"] == {"broken": ["broken", "溃散"], "dm": ["DM", "DM"]}
