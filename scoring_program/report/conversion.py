"""Figures as PDF, for LaTeX, and as PNG, for slides: converted from SVG by a library.

vl-convert is one wheel that needs no program beside it. It takes letters that a font lacks from
other fonts, and joins Arabic ones. It is no part of a bundle: platforms get the SVG only.
"""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from ..core.errors import SettingsError, nearest
from ..core.version import install_line
from ..settings.values import FIGURES

_LIBRARY, _EXTRA = "vl_convert", "figures"
#: Pixels of a PNG for a unit of its SVG: the card has the size that platforms show.
_SCALES, _USUAL_SCALE = {"card": 1.0}, 2.0
#: A size in points: the library makes a point of each pixel of a PDF.
_POINTS = re.compile(r'\b(width|height)="([\d.]+)pt"')
#: Emoji. The library cannot put some of them, from a font in colors, into a PDF.
_EMOJI, _FRAME = re.compile("[\U0001f000-\U0001faff]"), "\N{WHITE SQUARE}"


def require(formats: Iterable[str]) -> None:
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
    require(formats)
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
