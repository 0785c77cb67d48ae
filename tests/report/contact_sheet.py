"""Pictures of every kind of competition's page: ``python -m tests.report.contact_sheet -o FOLDER``.

Makes the page of each kind in `tests.report.kinds`, and photographs it in headless Chromium at four
widths, light and dark, in forced colors, and as the pages of a PDF. The figures that stand alone
follow. ``FOLDER/index.html`` is the sheet: a row for each kind, with the height of the page at
every width, its size in kilobytes and the number of printed pages. ``--kinds``, ``--widths`` and
``--schemes`` take fewer pictures.
"""

from __future__ import annotations

import argparse
import base64
import html
import sys
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from scoring_program import report as render
from scoring_program.report.slugs import slugs
from tests.report import browser
from tests.report.kinds import KINDS

WIDTHS, SCHEMES = (360, 768, 1280, 1920), ("light", "dark", "forced", "print")
#: Taller pages are cut here: what follows looks like what is above.
_TALLEST = 6000

_SHEET = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Contact sheet</title>
<style>
body {{ font: 14px/1.4 sans-serif; margin: 1rem; }}
div {{ display: flex; gap: 1rem; overflow-x: auto; align-items: start; }}
figure {{ margin: 0; }} img {{ height: 420px; border: 1px solid #999; }}
</style></head><body><h1>Contact sheet</h1>
{kinds}
</body></html>
"""


def photograph(driver: Any, page: Path, width: int, scheme: str) -> tuple[bytes, int]:
    """Return a PNG of a whole page, and its height in pixels."""
    browser.show(driver, page, width, "dark" if scheme == "dark" else "light")
    forced = {"name": "forced-colors", "value": "active" if scheme == "forced" else "none"}
    color = {"name": "prefers-color-scheme", "value": "dark" if scheme == "dark" else "light"}
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [forced, color]})
    height = int(driver.execute_script("return document.documentElement.scrollHeight"))
    clip = {"x": 0, "y": 0, "width": width, "height": min(height, _TALLEST), "scale": 1}
    shot = driver.execute_cdp_cmd(
        "Page.captureScreenshot", {"captureBeyondViewport": True, "clip": clip}
    )
    return base64.b64decode(shot["data"]), height


def print_pages(driver: Any, page: Path, stem: Path) -> Iterator[Path]:
    """Print a page to ``stem.pdf``, and yield a picture of each of its sheets."""
    import pypdfium2

    browser.show(driver, page, 800, "light")
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    options = {"preferCSSPageSize": True, "printBackground": False}
    pdf = driver.execute_cdp_cmd("Page.printToPDF", options)
    paper = stem.with_suffix(".pdf")
    paper.write_bytes(base64.b64decode(pdf["data"]))
    with pypdfium2.PdfDocument(paper) as document:
        for number, sheet in enumerate(document, start=1):
            picture = stem.with_name(f"{stem.name}-{number}.png")
            sheet.render(scale=1.4).to_pil().save(picture)
            yield picture


def pictures_of(
    driver: Any, page: Path, widths: Sequence[int], schemes: Sequence[str]
) -> Iterator[tuple[Path, str]]:
    """Take the pictures of a page, and yield each with what it shows."""
    for scheme in schemes:
        if scheme == "print":
            sheets = list(print_pages(driver, page, page.with_name(f"{page.stem}-print")))
            for number, sheet in enumerate(sheets, start=1):
                yield sheet, f"print, {number} of {len(sheets)}"
            continue
        for width in widths:
            picture = page.with_name(f"{page.stem}-{width}-{scheme}.png")
            content, height = photograph(driver, page, width, scheme)
            picture.write_bytes(content)
            yield picture, f"{width} px, {scheme}; {height:,} px high"


def figures_of(report: render.Report, stem: Path) -> Iterator[tuple[Path, str]]:
    """Write the figures that stand alone, and yield each with its name."""
    for name, svg in render.figures(report).items():
        picture = stem.with_name(f"{stem.name}-{name}")
        picture.write_text(svg, encoding="utf-8")
        yield picture, name


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the pictures and the sheet."""
    parser = argparse.ArgumentParser(prog="contact_sheet", description=__doc__)
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=list(KINDS), metavar="KIND")
    parser.add_argument("--widths", nargs="+", type=int, default=WIDTHS, metavar="PIXELS")
    parser.add_argument("--schemes", nargs="+", choices=SCHEMES, default=SCHEMES)
    chosen = parser.parse_args(arguments)
    if missing := browser.missing():
        sys.exit(f"the contact sheet needs a browser: {missing}")
    chosen.output.mkdir(parents=True, exist_ok=True)
    parts = []
    with browser.chromium() as driver:
        for kind, slug in zip(chosen.kinds, slugs(chosen.kinds), strict=True):
            report = render.build(KINDS[kind]())
            content = render.page(report)
            page = chosen.output / f"{slug}.html"
            page.write_text(content, encoding="utf-8")
            shown = "\n".join(
                f'<figure><a href="{picture.name}"><img src="{picture.name}" loading="lazy" '
                f'alt=""></a><figcaption>{words}</figcaption></figure>'
                for picture, words in chain(
                    pictures_of(driver, page, chosen.widths, chosen.schemes),
                    figures_of(report, page.with_suffix("")),
                )
            )
            size = f"{len(content.encode()) / 1000:,.0f} kB"
            head = f'<h2><a href="{page.name}">{html.escape(kind)}</a> ({size})</h2>'
            parts.append(f"{head}\n<div>{shown}</div>")
            print(f"{kind}: {size}", flush=True)
    sheet = chosen.output / "index.html"
    sheet.write_text(_SHEET.format(kinds="\n".join(parts)), encoding="utf-8")
    print(sheet)


if __name__ == "__main__":
    main()
