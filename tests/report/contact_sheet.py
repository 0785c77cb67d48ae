"""Pictures of every kind of competition's page: ``python -m tests.report.contact_sheet -o FOLDER``.

Makes some sixty pages: of each kind in `kinds.py` and each form in `made.py` beside this file, of
the gallery's competitions and those to start from, which the program itself reads and scores, a
comparison of competitions, and the audit of the example. Takes their pictures in headless Chromium:
the first screen, five widths, dark, in forced colors, with every fold open, in the frames of
Codabench and CodaLab, and as the pages of a PDF. ``FOLDER/index.html`` is the sheet: a row for each
page and a column for each look, which the links above the table bring into view. Under each picture
stands what `browser.LAYOUT` finds wrong (text that is cut off, squeezed, or on other text, marks
outside their figure, sideways scrolling) and, of the screens that are ``_READ``, whose contrast is
too low; the sheet begins with a list of it. The figures that stand alone follow. ``--kinds`` and
``--looks`` take fewer pictures.
"""

from __future__ import annotations

import argparse
import base64
import html
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from docs.generate import gallery
from scoring_program import report as render
from scoring_program.commands import new
from scoring_program.commands.main import main as deadheat
from scoring_program.document.shortening import slugs
from tests.competitions import REPOSITORY
from tests.report import browser, made
from tests.report.kinds import KINDS

#: Of a page with more bytes, the layout is checked on a phone only: it takes half a minute.
_LARGEST_CHECKED = 300_000
#: Taller pages are cut here: what follows looks like what is above.
_TALLEST = 6000
#: Where an organizer sees the page: Codabench's frame has no sandbox, CodaLab's allows scripts.
_FRAME = """<!DOCTYPE html><body style="margin:0"><iframe {sandbox} src="{page}" height="900"
style="border:0;width:100%;display:block"></iframe>"""


@dataclass(frozen=True)
class Look:
    """One way to look at a page; a ``screen`` shows no more than a window does."""

    width: int
    scheme: str = "light"
    screen: bool = False
    opened: bool = False
    frame: str | None = None


LOOKS = {
    "first screen": Look(1280, screen=True),
    **{f"{width} px": Look(width) for width in (360, 390, 768, 1024, 1440)},
    "dark": Look(1280, "dark"),
    "forced colors": Look(1280, "forced"),
    "dark phone": Look(390, "dark"),
    "opened": Look(1280, opened=True),
    "opened phone": Look(390, opened=True),
    "Codabench": Look(1280, screen=True, frame=""),
    "CodaLab": Look(1280, screen=True, frame='sandbox="allow-scripts"'),
}
PRINT, FIGURES = "print", "figures"
#: Looks of which the contrast is measured.
_READ = ("390 px", "dark")
#: Results that are given to the report.
REPORTED = KINDS | {
    form.replace("_", " "): make for form, make in made.FORMS.items() if make not in KINDS.values()
}


def _start(kind: str, folder: Path) -> None:
    deadheat(["new", str(folder), "--kind", kind])


#: Files that the program scores: how a competition's are written into a folder.
SCORED: dict[str, Callable[[Path], None]] = {
    **{f"gallery: {exhibit.name}": exhibit.make for exhibit in gallery.EXHIBITS},
    **{f"starter: {kind}": partial(_start, kind) for kind in new.kinds()},
}
#: Pages that are no kind of competition.
COMPARISON, AUDIT = "comparison", "audit of the example"

_SHEET = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Contact sheet</title>
<style>
body {{ font: 14px/1.4 sans-serif; margin: 1rem; }}
table {{ border-collapse: separate; border-spacing: .75rem 1rem; }}
th, td {{ text-align: start; vertical-align: top; }}
thead th {{ position: sticky; top: 0; background: #fff; }}
tbody th {{ position: sticky; left: 0; background: #fff; min-width: 8rem; padding-right: 1rem; }}
td > div {{ display: flex; gap: .5rem; }} figure {{ margin: 0; }} nav a {{ margin-right: 1rem; }}
img {{ height: 420px; min-width: 240px; max-width: 640px; }}
img {{ object-fit: cover; object-position: top; }}
img {{ border: 1px solid #999; }}
.wrong {{ color: #b00; max-width: 30rem; }}
</style></head><body><h1>Contact sheet</h1>
<nav>{links}</nav>
{wrong}
<table><thead><tr><th>Page</th>{columns}</tr></thead>
<tbody>
{rows}
</tbody></table>
</body></html>
"""


@dataclass(frozen=True)
class Picture:
    """A picture of a page: its file, what it shows, and what is wrong in it."""

    file: Path
    words: str
    wrong: tuple[str, ...] = ()


def photograph(driver: Any, page: Path, name: str) -> Picture:
    """Take the picture of a page under one of the looks."""
    look, file = LOOKS[name], page.with_name(f"{page.stem}-{name.replace(' ', '-')}.png")
    shown = page
    if look.frame is not None:
        shown = page.with_name("frame.html")
        shown.write_text(_FRAME.format(sandbox=look.frame, page=page.name), encoding="utf-8")
    dark = "dark" if look.scheme == "dark" else "light"
    browser.show(driver, shown, look.width, dark)
    forced = {"name": "forced-colors", "value": "active" if look.scheme == "forced" else "none"}
    color = {"name": "prefers-color-scheme", "value": dark}
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [forced, color]})
    if look.opened:
        browser.unfold(driver)
    checked = look.scheme == "light" and look.frame is None and not look.screen
    small = page.stat().st_size <= _LARGEST_CHECKED
    wrong = []
    if checked and (small or name == "360 px"):
        wrong += driver.execute_script(browser.LAYOUT)
    if small and name in _READ:
        wrong += browser.axe(driver)
    height = int(driver.execute_script("return document.documentElement.scrollHeight"))
    most = 900 if look.screen else _TALLEST
    clip = {"x": 0, "y": 0, "width": look.width, "height": min(height, most), "scale": 1}
    shot = driver.execute_cdp_cmd(
        "Page.captureScreenshot", {"captureBeyondViewport": not look.screen, "clip": clip}
    )
    file.write_bytes(base64.b64decode(shot["data"]))
    return Picture(file, f"{height:,} px high", tuple(wrong))


def print_pages(driver: Any, page: Path) -> Iterator[Picture]:
    """Print a page to a PDF, and yield a picture of each of its sheets."""
    import pypdfium2

    browser.show(driver, page, 800, "light")
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    options = {"preferCSSPageSize": True, "printBackground": False}
    pdf = driver.execute_cdp_cmd("Page.printToPDF", options)
    paper = page.with_name(f"{page.stem}-print.pdf")
    paper.write_bytes(base64.b64decode(pdf["data"]))
    with pypdfium2.PdfDocument(paper) as document:
        for number, sheet in enumerate(document, start=1):
            picture = page.with_name(f"{page.stem}-print-{number}.png")
            sheet.render(scale=1.4).to_pil().save(picture)
            yield Picture(picture, f"{number} of {len(document)}")


def figures_of(report: render.Document, page: Path) -> Iterator[Picture]:
    """Write the figures that stand alone."""
    for name, svg in render.figures(report).items():
        picture = page.with_name(f"{page.stem}-{name}")
        picture.write_text(svg, encoding="utf-8")
        yield Picture(picture, name)


def cells_of(
    driver: Any, page: Path, report: render.Document | None, looks: Sequence[str]
) -> dict[str, list[Picture]]:
    """Return the pictures of a page for each look."""
    found = {}
    for look in looks:
        if look == PRINT:
            found[look] = list(print_pages(driver, page))
        elif look == FIGURES:
            found[look] = [] if report is None else list(figures_of(report, page))
        else:
            found[look] = [photograph(driver, page, look)]
    return found


def written(kind: str, folder: Path, slug: str) -> tuple[Path, render.Document | None]:
    """Write the page of a kind, and return it with what it was made of."""
    page = folder / f"{slug}.html"
    if kind == AUDIT:
        deadheat(["audit", str(REPOSITORY / "example/input"), "-o", str(folder / "audit")])
        page.write_bytes((folder / "audit/audit.html").read_bytes())
        return page, None
    if kind == COMPARISON:
        page.write_text(made.compared("en"), encoding="utf-8")
        return page, None
    if make := SCORED.get(kind):
        make(folder / f"{slug}-input")
        deadheat(["score", str(folder / f"{slug}-input"), str(folder / slug), "--resamples=2000"])
        page.write_bytes((folder / slug / "detailed_results.html").read_bytes())
        return page, None
    report = render.build(REPORTED[kind]())
    page.write_text(render.page(report), encoding="utf-8")
    return page, report


def row(kind: str, page: Path, cells: dict[str, list[Picture]]) -> str:
    """Return the row of a page in the sheet."""
    size = f"{page.stat().st_size / 1000:,.0f} kB"
    shown = [f'<th id="{page.stem}"><a href="{page.name}">{html.escape(kind)}</a><br>{size}</th>']
    for pictures in cells.values():
        figures = "".join(
            f'<figure><a href="{one.file.name}"><img src="{one.file.name}" loading="lazy" alt="">'
            f"</a><figcaption>{one.words}{_wrong(one.wrong)}</figcaption></figure>"
            for one in pictures
        )
        shown.append(f"<td><div>{figures}</div></td>")
    return f"<tr>{''.join(shown)}</tr>"


def _wrong(problems: Sequence[str]) -> str:
    return "".join(f'<div class="wrong">{html.escape(problem)}</div>' for problem in problems)


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the pictures and the sheet."""
    every, looks = [*REPORTED, *SCORED, COMPARISON, AUDIT], [*LOOKS, PRINT, FIGURES]
    parser = argparse.ArgumentParser(prog="contact_sheet", description=__doc__)
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--kinds", nargs="+", choices=every, default=every, metavar="KIND")
    parser.add_argument("--looks", nargs="+", choices=looks, default=looks, metavar="LOOK")
    chosen = parser.parse_args(arguments)
    if missing := browser.missing():
        sys.exit(f"the contact sheet needs a browser: {missing}")
    folder = chosen.output.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    rows, wrong = [], []
    with browser.chromium() as driver:
        for kind, slug in zip(chosen.kinds, slugs(chosen.kinds), strict=True):
            page, report = written(kind, folder, slug)
            cells = cells_of(driver, page, report, chosen.looks)
            rows.append(row(kind, page, cells))
            found = [
                f"{kind}, {look}: {problem}"
                for look, pictures in cells.items()
                for one in pictures
                for problem in one.wrong
            ]
            wrong += found
            print(f"{kind}: {len(found)} problems", flush=True)
    columns = "".join(f'<th id="look-{n}">{look}</th>' for n, look in enumerate(chosen.looks))
    links = "".join(f'<a href="#look-{n}">{look}</a>' for n, look in enumerate(chosen.looks))
    sheet = folder / "index.html"
    content = _SHEET.format(links=links, wrong=_wrong(wrong), columns=columns, rows="\n".join(rows))
    sheet.write_text(content, encoding="utf-8")
    print(sheet)


if __name__ == "__main__":
    main()
