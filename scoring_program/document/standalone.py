"""Figures that stand alone as SVG: each with its title, its legend and its source."""

from __future__ import annotations

from functools import cache

from . import svg
from .html import INK, environment
from .marks import Drawing, group, legend, lines_of_text, mark

#: Letters of a title and of a source line are at most this wide on average.
_TITLE_LETTER, _SOURCE_LETTER = 9.0, 6.5
_TITLE_LINE, _SOURCE_LINE = 20.0, 16.0
#: Room on all sides, and between title, legend, figure and source.
_MARGIN = 12.0
#: Narrower figures get this width, so that their titles have room.
_NARROWEST = 340.0


def bare(drawing: Drawing, style: str = "card.css.j2") -> str:
    """Return a figure that has all it needs within, with the styles of a template."""
    return f"{svg.svg(svg.element(drawing, _style(style)))}\n"


def framed(drawing: Drawing, source: str) -> str:
    """Return a figure that is complete in itself; ``source`` says where it comes from."""
    width = max(drawing.width, _NARROWEST)
    room = width - 2 * _MARGIN
    title = lines_of_text(
        "heading", _MARGIN, 22, drawing.heading.title,
        height=_TITLE_LINE, letters=int(room / _TITLE_LETTER),
    )  # fmt: skip
    under = 22 + _TITLE_LINE * (len(title) - 1) + 8
    keys, deep = legend(drawing.heading.legend, _MARGIN, under, width - _MARGIN)
    top = under + deep + 6
    first = top + drawing.height + _SOURCE_LINE
    sources = lines_of_text(
        "start", _MARGIN, first, source, height=_SOURCE_LINE, letters=int(room / _SOURCE_LETTER)
    )
    height = round(first + _SOURCE_LINE * (len(sources) - 1) + _MARGIN, 2)
    outer = mark(
        "svg",
        "figure",
        mark("title", "", drawing.heading.title),
        mark("rect", "paper", width="100%", height="100%"),
        *title,
        *keys,
        group("", svg.element(drawing, _style("framed.css.j2")), at=(0, top)),
        *sources,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width:g} {height:g}",
        width=width,
        height=height,
    )
    return f"{svg.svg(outer)}\n"


@cache
def _style(template: str) -> str:
    return environment().get_template(template).render(ink=INK)
