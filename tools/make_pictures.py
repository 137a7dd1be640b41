"""Makes the pictures of the documentation from the shipped example: nothing in them is another's.

    python tools/make_pictures.py [--out docs/pictures]

`demo.png` and `demo.zh.png` are what `vassal-bridge demo` draws; the others are its pages in
Debian's chromium (skipped, saying so, where it is absent): `page.png`, `page.zh.png` on a phone,
`dark.png`, `audit.png`. All are reduced to 256 colours, which nobody sees and which saves two
thirds.
"""

from __future__ import annotations

import argparse
import io
import json
import shutil
import sys
import tempfile
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from vassal_bridge.tasks.showing import run_demo  # noqa: E402

REPORT, AUDIT = "demo.rout.html", "demo-RtPh.rout.html"
SHOTS = (
    ("page.png", REPORT, (1440, 860), 1, "#unit={must}&lang=en", "light"),
    ("page.zh.png", REPORT, (390, 844), 2, "#unit={must}&lang=zh", "light"),
    ("dark.png", REPORT, (1600, 900), 1, "#unit={must}&with={may}&lang=en", "dark"),
    ("audit.png", AUDIT, (1440, 860), 1, "", "light"),
)
"""Name, page, size in CSS pixels, device pixels per CSS pixel, what is shown, colour scheme."""


def save(data: bytes, path: Path) -> None:
    """A picture as a small PNG."""
    with Image.open(io.BytesIO(data)) as picture:
        few = picture.convert("RGB").quantize(256, method=Image.Quantize.MEDIANCUT)
    few.save(path, "PNG", optimize=True)
    print(path)


def shoot(folder: Path, out: Path) -> None:
    """Screenshots of the pages."""
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options as Flags
    from selenium.webdriver.chrome.service import Service

    flags = Flags()
    flags.binary_location = str(shutil.which("chromium"))
    for flag in ("--headless=new", "--no-sandbox", "--hide-scrollbars",
                 "--force-prefers-reduced-motion"):  # fmt: skip
        flags.add_argument(flag)
    driver = webdriver.Chrome(options=flags, service=Service(str(shutil.which("chromedriver"))))
    report = json.loads((folder / "demo.rout.json").read_bytes())
    units = {unit["duty"]: unit["id"] for unit in reversed(report["units"])}
    for name, page, (wide, high), scale, fragment, scheme in SHOTS:
        driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": wide, "height": high, "deviceScaleFactor": scale, "mobile": wide < 500},
        )
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        driver.get("about:blank")
        driver.get((folder / page).as_uri() + fragment.format_map(units))
        save(driver.get_screenshot_as_png(), out / name)
    driver.quit()


def main() -> int:
    """Command line; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "pictures")
    out = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        for lang, name in (("zh", "demo.zh.png"), ("en", "demo.png")):
            run_demo(Path(folder), {"lang": lang})
            save((Path(folder) / "demo.rout.png").read_bytes(), out / name)
        if shutil.which("chromium") is None or shutil.which("chromedriver") is None:
            print("chromium is absent: no pictures of the pages")
            return 0
        shoot(Path(folder), out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
