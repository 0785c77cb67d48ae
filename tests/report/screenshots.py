"""Make the documentation's pictures: ``python -m tests.report.screenshots [FOLDER]``.

Scores the example, opens its page in headless Chromium and photographs it: on a screen, light and
dark, and on a phone. The folder is ``docs/images`` unless another is named.
"""

from __future__ import annotations

import base64
import sys
import tempfile
from pathlib import Path
from typing import Any

from scoring_program.pipeline import run
from tests.competitions import EXAMPLE, REPOSITORY
from tests.report import browser

#: Name of the picture → width, colour scheme, first and last element on it.
PICTURES = {
    "detailed_results": (1100, "light", "header", "#ranking"),
    "detailed_results_close_calls": (1100, "light", "#metric-1-differences", "#metric-1-ties"),
    "detailed_results_dark": (1100, "dark", "header", "#overview"),
    "detailed_results_phone": (390, "light", "header", ".facts"),
}


def photograph(driver: Any, width: int, first: str, last: str) -> bytes:
    """Return a PNG of the page from the top of one element to the bottom of another."""
    top, bottom = driver.execute_script(
        "const box = s => document.querySelector(s).getBoundingClientRect();"
        "return [box(arguments[0]).top + scrollY, box(arguments[1]).bottom + scrollY];",
        first,
        last,
    )
    margin = 8
    start = max(top - margin, 0)
    clip = {"x": 0, "y": start, "width": width, "height": bottom + margin - start, "scale": 1}
    shot = driver.execute_cdp_cmd(
        "Page.captureScreenshot", {"captureBeyondViewport": True, "clip": clip}
    )
    return base64.b64decode(shot["data"])


def main(folder: Path) -> None:
    """Write every picture into ``folder``."""
    if missing := browser.missing():
        sys.exit(f"screenshots need a browser: {missing}")
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as made, browser.chromium() as driver:
        run(EXAMPLE, Path(made) / "output")
        page = Path(made) / "output" / "detailed_results.html"
        for name, (width, scheme, first, last) in PICTURES.items():
            browser.show(driver, page, width, scheme)
            if first != "header":  # what is folded away
                browser.unfold(driver)
            picture = folder / f"{name}.png"
            picture.write_bytes(photograph(driver, width, first, last))
            print(picture)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else REPOSITORY / "docs" / "images")
