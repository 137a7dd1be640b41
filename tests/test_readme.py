"""README, CONTRIBUTING and the guide say only what is so."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from PIL import Image
from typer.core import TyperGroup

from tests.shared import BOARDS, ROOT, needs_shared
from vassal_bridge.board import BoardLibrary
from vassal_bridge.bridge import Options, load_file
from vassal_bridge.cli import app
from vassal_bridge.rout import READINGS, Readings, assess_all
from vassal_bridge.tasks.session import readings_of

README = (ROOT / "README.md").read_text(encoding="utf-8")
CI = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
PAGES = sorted((ROOT / "docs").glob("*.md"))
COMMANDS = ("pip install . && vassal-bridge demo", 'pip install ".[test]" && python -m pytest')
GAP = "…"


def blocks(text: str, kind: str) -> list[str]:
    """Fenced blocks of a kind, without the fences."""
    return re.findall(rf"^```{kind}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def test_two_commands_are_those_of_the_ci() -> None:
    assert tuple(block.strip() for block in blocks(README, "sh")[:2]) == COMMANDS
    for command in COMMANDS:
        assert f"  {command}\n" in CI
        assert f"`{command}`" in CONTRIBUTING


def test_contributing_lists_the_stages_of_the_ci() -> None:
    default = re.search(r"stages=\((\w[\w ]+)\)", CI)
    assert default is not None
    stages = default[1].split()
    assert re.findall(r"^\| (\w+) \|", CONTRIBUTING, re.MULTILINE)[1:] == stages
    assert re.findall(r"^stage_(\w+)\(\)", CI, re.MULTILINE) == stages


LINK = re.compile(r"\]\(([^)#\s]+)(#[^)]*)?\)")


@pytest.mark.parametrize(
    "page", [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *PAGES], ids=lambda page: page.name
)
def test_links_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for target, _ in LINK.findall(text):
        if "://" not in target:
            assert (page.parent / target).exists(), target


def test_every_page_speaks_both_languages() -> None:
    english = {page.stem for page in PAGES if not page.stem.endswith(".zh")}
    chinese = {page.stem.removesuffix(".zh") for page in PAGES if page.stem.endswith(".zh")}
    assert chinese == english


CHINESE = [page for page in PAGES if page.stem.endswith(".zh")]


@pytest.mark.parametrize("page", CHINESE, ids=lambda page: page.name)
def test_chinese_pages_lead_to_chinese_ones(page: Path) -> None:
    """By the names of the files: a repository page does not know of languages."""
    for target, _ in LINK.findall(page.read_text(encoding="utf-8")):
        if "://" not in target:
            other = page.parent / target
            twin = other.with_name(f"{other.stem}.zh{other.suffix}")
            assert other.stem.endswith(".zh") or not twin.exists(), target


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pages_are_plain_markdown(page: Path) -> None:
    """A repository page shows the syntax of mkdocs' extensions as it is typed."""
    text = page.read_text(encoding="utf-8")
    assert not re.findall(
        r"^ *(?:===|!!!|\?\?\?\+?) .*|^\[TOC\]|\{[:#.][^}`]*\}$", text, re.MULTILINE
    )


def test_every_page_and_picture_of_the_guide_can_be_found() -> None:
    """Pages are in the contents, pictures in a page."""
    contents = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    listed = set(re.findall(r"^  - [^:]+: ([\w-]+)\.md$", contents, re.MULTILINE))
    assert listed == {page.stem for page in PAGES} - {page.stem for page in CHINESE}
    shown = {target for page in PAGES for target, _ in LINK.findall(page.read_text("utf-8"))}
    for picture in (ROOT / "docs" / "pictures").iterdir():
        assert f"pictures/{picture.name}" in shown, picture.name


COMMAND_LINE = re.compile(r"vassal-bridge ([a-z]+)((?:[^\n`\"]|\"[^\"\n]*\")*)")


@pytest.mark.parametrize("page", [ROOT / "README.md", *PAGES], ids=lambda page: page.name)
def test_commands_and_options_exist(page: Path) -> None:
    root = typer.main.get_command(app)
    assert isinstance(root, TyperGroup)
    known = {
        name: {option for param in command.params for option in param.opts} | {"--help"}
        for name, command in root.commands.items()
    }
    code = re.findall(
        r"```(?:sh|bat)\n(.*?)```|`([^`\n]+)`", page.read_text(encoding="utf-8"), re.S
    )
    for block in ("".join(pair) for pair in code):
        for name, rest in COMMAND_LINE.findall(block):
            assert name in known, name
            for option in re.findall(r"(?<!\w)--[a-z-]+", rest):
                assert option in known[name], f"{name} {option}"


@pytest.mark.parametrize("name", ["rules.md", "rules.zh.md"])
def test_guide_lists_every_reading(name: str) -> None:
    rows = re.findall(
        r"^\| (R\d+) \| `([a-z ]+)` \|", (ROOT / "docs" / name).read_text("utf-8"), re.M
    )
    assert [readings_of({rule: word}) for rule, word in rows] == [
        Readings().with_reading(reading) for reading in READINGS
    ]


@needs_shared
@pytest.mark.shared
@pytest.mark.parametrize("name", ["official-example.md", "official-example.zh.md"])
def test_walk_through_is_what_the_program_says(name: str, tmp_path: Path) -> None:
    """The duties in the headings, the destinations in the tables, and the disputed way of N6."""
    page = (ROOT / "docs" / name).read_text(encoding="utf-8")
    file = tmp_path / "official.rout.yaml"
    file.write_text(blocks(page, "yaml")[0], encoding="utf-8")
    position = load_file(file, Options(library=BoardLibrary([BOARDS]))).position
    said = {"M9": "may", "N7": "must", "N6": "must", "N5": "eliminated"}
    found = {each.unit.removeprefix("z"): each for each in assess_all(position)}
    assert {unit: each.duty.value for unit, each in found.items()} == said
    assert re.findall(r"^## (\w\d)\b", page, re.M) == list(said)
    targets = {
        unit: {target.hex.removeprefix("z"): target.mf2 / 2 for target in each.targets}
        for unit, each in found.items()
    }
    assert targets["M9"] == {"N9": 2, "K9": 3, "L10": 3, "N10": 3}
    assert targets["N7"] == {"O8": 2, "M9": 3, "N9": 3}
    assert targets["N6"] == {"M8": 3, "O8": 3}
    assert found["N7"].becomes_dm
    ends = {end.hex.removeprefix("z"): end.how.value for end in found["N6"].ends}
    assert ends == {"N7": "crawl", "O8": "move", "P7": "move", "P8": "move"}
    assert "r49_current" in {reading.split(":")[0] for reading in found["N6"].readings}


@pytest.fixture(scope="module")
def demo_output(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What `vassal-bridge demo` prints, and the audit it writes."""
    folder = tmp_path_factory.mktemp("demo")
    command = [sys.executable, "-m", "vassal_bridge", "demo", "--out", str(folder), "--lang", "en"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    audit = folder / "demo-RtPh.rout.txt"
    return [*done.stdout.splitlines(), *audit.read_text(encoding="utf-8").splitlines()]


def test_shown_output_is_what_the_program_prints(demo_output: list[str]) -> None:
    """Each text block of the README, line by line in order; a line with … leaves lines out."""
    shown = blocks(README, "text")
    assert len(shown) == 2
    for block in shown:
        rest = iter(demo_output)
        for line in block.splitlines():
            if line.strip() != GAP:
                assert line in rest, line


def test_picture_is_there_and_small() -> None:
    picture = ROOT / "docs" / "pictures" / "demo.png"
    assert picture.stat().st_size < 400 * 1024
    with Image.open(picture) as image:
        assert image.format == "PNG"
        assert image.width >= 1000


def test_manual_is_up_to_date() -> None:
    command = [sys.executable, str(ROOT / "tools" / "make_manual.py"), "--check"]
    done = subprocess.run(
        command,
        cwd=ROOT,
        env={"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_python_floor_is_the_same_everywhere() -> None:
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    floor = re.search(r'requires-python = ">=(\d+\.\d+)"', project)
    assert floor is not None
    assert f"Python {floor[1]} or newer" in README
    assert f"Python {floor[1]} or newer" in (ROOT / "docs" / "install.md").read_text("utf-8")


def test_windows_start_script_has_windows_line_ends_and_ascii() -> None:
    """cmd.exe reads labels wrongly in files with bare line feeds."""
    script = (ROOT / "tools" / "windows" / "vassal-bridge.bat").read_bytes()
    assert script.isascii()
    assert b"\n" not in script.replace(b"\r\n", b"")
    labels = set(re.findall(rb"^:(\w+)", script, re.MULTILINE))
    assert set(re.findall(rb"(?:goto|call) :(\w+)", script)) <= labels
