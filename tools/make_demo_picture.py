"""Makes the picture of the README and the guide: what `vassal-bridge demo` draws, fewer colours.

    python tools/make_demo_picture.py    writes docs/pictures/demo.png

Needs what the format `png` needs.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image

TARGET = Path(__file__).resolve().parent.parent / "docs" / "pictures" / "demo.png"
COLOURS = 128


def main() -> None:
    """Run the demo, reduce its picture, say how large it is."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "vassal_bridge", "demo", "--out", folder, "--lang", "en"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        with Image.open(Path(folder) / "demo.rout.png") as drawn:
            small = drawn.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    small.save(TARGET, optimize=True)
    print(f"{TARGET}: {small.size[0]} x {small.size[1]}, {TARGET.stat().st_size} bytes")


if __name__ == "__main__":
    main()
