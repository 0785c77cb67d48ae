"""Figures that stand alone: each with its title, its legend and its source, as SVG."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from .assemble import Report
from .drawing import Figure, Legend, TextLine, legend, text_lines
from .markup import INK, environment

#: Letters of a title and of a source line are at most this wide on average.
_TITLE_LETTER, _SOURCE_LETTER = 9.0, 6.5
_TITLE_LINE, _SOURCE_LINE = 20.0, 16.0
#: Room on all sides, and between title, legend, figure and source.
_MARGIN = 12.0
#: Narrower figures get this width, so that their titles have room.
_NARROWEST = 340.0


@dataclass(frozen=True)
class Frame:
    """What a figure that stands alone has above and below it; ``top`` is where it begins."""

    width: float
    height: float
    left: float
    top: float
    title: tuple[TextLine, ...]
    legend: Legend
    source: tuple[TextLine, ...]


def svg(figure: Figure, source: str) -> str:
    """Return a figure that is complete in itself; ``source`` says where it comes from."""
    template = environment().get_template("figure.svg.j2")
    return template.render(figure=figure, ink=INK, frame=_frame(figure, source))


def figures(report: Report) -> Mapping[str, str]:
    """Return file name → SVG of every figure, each complete in itself, and of the card."""
    found = {f"{name}.svg": svg(figure, report.source) for name, figure in report.figures.items()}
    if report.card is not None:
        template = environment().get_template("card.svg.j2")
        found["card.svg"] = template.render(card=report.card, ink=INK)
    return found


def _frame(figure: Figure, source: str) -> Frame:
    width = max(figure.width, _NARROWEST)
    room = width - 2 * _MARGIN
    title = text_lines(figure.heading.title, 22, _TITLE_LINE, int(room / _TITLE_LETTER))
    under = title[-1].y + 8
    keys = legend(figure.heading.legend, _MARGIN, under, width - _MARGIN)
    top = under + keys.height + 6
    sources = text_lines(
        source, top + figure.height + _SOURCE_LINE, _SOURCE_LINE, int(room / _SOURCE_LETTER)
    )
    return Frame(
        width=width,
        height=round(sources[-1].y + _MARGIN, 2),
        left=_MARGIN,
        top=top,
        title=title,
        legend=keys,
        source=sources,
    )
