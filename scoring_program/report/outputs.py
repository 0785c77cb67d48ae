"""All files of a run."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from ..core.errors import SettingsError, nearest
from ..core.version import install_line
from ..document.blocks import Document
from ..document.html import bare, framed, page
from ..document.take_away import tables
from ..settings.model import FIGURES
from .assemble import summaries
from .findings import Findings
from .results_json import results_json
from .scores import scores, scores_json, scores_txt

_LIBRARY, _EXTRA = "vl_convert", "figures"
#: Pixels of a PNG for a unit of its SVG: the card has the size that platforms show.
_SCALES, _USUAL_SCALE = {"card": 1.0}, 2.0
#: A size in points: the library makes a point of each pixel of a PDF.
_POINTS = re.compile(r'\b(width|height)="([\d.]+)pt"')
#: Emoji. The library cannot put some of them, from a font in colors, into a PDF.
_EMOJI, _FRAME = re.compile("[\U0001f000-\U0001faff]"), "\N{WHITE SQUARE}"


def figures(report: Document) -> Mapping[str, str]:
    """Return file name → SVG of every figure, each complete in itself, and of the card."""
    drawings = {
        f"{name}.svg": bare(one, "column.css.j2") if one.unit else framed(one, report.source)
        for name, one in report.figures.items()
    }
    return drawings if report.card is None else {**drawings, "card.svg": bare(report.card)}


def files(
    findings: Findings, report: Document, formats: Sequence[str] | None = None
) -> dict[str, str | bytes]:
    """Return everything that is written: path below OUTPUT → content.

    Figures are converted into ``formats``, by default those of the settings. Participants who may
    see the scores only get the page and the scores.

    Raises
    ------
    SettingsError
        The library that converts figures is not installed.
    """
    flat = scores(findings)
    contents: dict[str, str | bytes] = {
        "detailed_results.html": page(report),
        "scores.json": scores_json(flat),
        "scores.txt": scores_txt(flat),
    }
    if findings.scores_only:
        return contents
    drawn = figures(report)
    wanted = findings.settings.figures if formats is None else formats
    written = tables(report.tables, report.texts)
    return {
        **contents,
        "results.json": results_json(findings, report.verdict, summaries(findings)),
        **{f"tables/{name}": text for name, text in written.items()},
        **{f"figures/{name}": text for name, text in drawn.items()},
        **{f"figures/{name}": content for name, content in converted(drawn, wanted)},
    }


def require_formats(formats: Iterable[str]) -> None:
    """Raise SettingsError if figures cannot be converted into these formats."""
    wanted = list(formats)
    for name in wanted:
        if name not in FIGURES:
            raise SettingsError(f"there is no format {name!r} of figures{nearest(name, FIGURES)}")
    if wanted and importlib.util.find_spec(_LIBRARY) is None:
        raise SettingsError(
            f"figures: {' and '.join(wanted)} need the library {_LIBRARY}, which is not installed; "
            f"{install_line(_EXTRA)}"
        )


def converted(svgs: Mapping[str, str], formats: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    """Yield file name and content of every figure in every format; ``svgs`` is file name → SVG.

    A PDF holds text as text, but may show a frame for an emoji; a PNG has two pixels for each unit
    of its SVG.

    Raises
    ------
    SettingsError
        A format is unknown, or the library is not installed.
    """
    require_formats(formats)
    if not formats:
        return
    import vl_convert

    for name, svg in svgs.items():
        stem = name.removesuffix(".svg")
        if "pdf" in formats:
            yield f"{stem}.pdf", _pdf(svg, vl_convert.svg_to_pdf)
        if "png" in formats:
            yield f"{stem}.png", vl_convert.svg_to_png(svg, _SCALES.get(stem, _USUAL_SCALE))


def _pdf(svg: str, convert: Callable[[str], bytes]) -> bytes:
    svg = _POINTS.sub(r'\1="\2"', svg)
    try:
        return convert(svg)
    except RuntimeError:  # a run that took hours must not end for an emoji in a name
        return convert(_EMOJI.sub(_FRAME, svg))
