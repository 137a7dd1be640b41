"""Makes the pictures of the documentation from the shipped example: nothing in them is another's.

    python tools/make_pictures.py [--out docs/pictures]

`demo.png` and `demo.zh.png` are what `vassal-bridge demo` draws; the others are the page in
Debian's chromium (skipped, saying so, where it is absent): `page.png`, `page.zh.png` on a phone,
`dark.png`. All are reduced to 256 colours, which nobody sees and which saves two thirds.
"""

from __future__ import annotations

import argparse
import io
import shutil
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from vassal_bridge.board import BoardLibrary  # noqa: E402
from vassal_bridge.bridge import Options as LoadOptions  # noqa: E402
from vassal_bridge.bridge import load_file  # noqa: E402
from vassal_bridge.demo import demo_boards, demo_save  # noqa: E402
from vassal_bridge.report import Job, Options, map_picture, write_report  # noqa: E402
from vassal_bridge.rout import assess_all  # noqa: E402

MONTH = 7
"""As the command `demo` has it."""
SHOTS = (
    ("page.png", (1440, 860), 1, "#unit={must}&lang=en", ""),
    ("page.zh.png", (390, 844), 2, "#unit={must}&lang=zh", ""),
    ("dark.png", (1440, 860), 1, "#unit={must}&with={may}&lang=en", "dark"),
)
"""Name, size in CSS pixels, device pixels per CSS pixel, what the page shows, colour scheme."""


def demo_job() -> Job:
    """The example, judged."""
    options = LoadOptions(BoardLibrary([demo_boards()]), month=MONTH)
    loaded = load_file(demo_save(), options)
    return Job(loaded, assess_all(loaded.position), map_picture(loaded))


def save(data: bytes, path: Path) -> None:
    """A picture as a small PNG."""
    with Image.open(io.BytesIO(data)) as picture:
        few = picture.convert("RGB").quantize(256, method=Image.Quantize.MEDIANCUT)
    few.save(path, "PNG", optimize=True)
    print(path)


def shoot(page: Path, job: Job, out: Path) -> None:
    """Screenshots of the page."""
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options as Flags
    from selenium.webdriver.chrome.service import Service

    flags = Flags()
    flags.binary_location = str(shutil.which("chromium"))
    for flag in ("--headless=new", "--no-sandbox", "--hide-scrollbars",
                 "--force-prefers-reduced-motion"):  # fmt: skip
        flags.add_argument(flag)
    driver = webdriver.Chrome(options=flags, service=Service(str(shutil.which("chromedriver"))))
    units = {str(unit.duty): unit.id for unit in reversed(job.report().units)}
    for name, (wide, high), scale, fragment, scheme in SHOTS:
        driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": wide, "height": high, "deviceScaleFactor": scale, "mobile": wide < 500},
        )
        features = [{"name": "prefers-color-scheme", "value": scheme or "light"}]
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        driver.get("about:blank")
        driver.get(page.as_uri() + fragment.format_map(units))
        save(driver.get_screenshot_as_png(), out / name)
    driver.quit()


def main() -> int:
    """Command line; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "pictures")
    out = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    job = demo_job()
    for name, lang in (("demo.png", "en"), ("demo.zh.png", "zh")):
        options = Options(lang="zh" if lang == "zh" else "en")
        save(write_report(replace(job, options=options), "png"), out / name)
    if shutil.which("chromium") is None or shutil.which("chromedriver") is None:
        print("chromium is absent: no pictures of the page")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "demo.rout.html"
        page.write_bytes(write_report(job, "html"))
        shoot(page, job, out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
