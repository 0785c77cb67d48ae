"""The report as HTML, by the templates."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from ..core.templates import templates_folder
from .assemble import Report
from .drawing import (
    Blobs,
    Figure,
    Forest,
    HistogramFigure,
    Matrix,
    RankChart,
    Scatter,
    SideBySide,
    Slopes,
)
from .language import Language

#: Colors of a figure that stands alone, by role.
INK = {
    "text": "#1d2125",
    "muted": "#565d64",
    "rule": "#dcd8cf",
    "paper": "#ffffff",
    "accent": "#15588f",
    "quiet": "#6c737a",
    "warm": "#9a4308",
    "s1": "#bcd4e9",
    "s2": "#9bbfdf",
    "s3": "#6fa2cd",
    "s4": "#2f6ba0",
    "s5": "#15588f",
    "on_dark": "#ffffff",
}
#: The same roles on the page, whose style sheet gives them their colors, light and dark.
PAGE_INK = {role: f"var(--{role.replace('_', '-')})" for role in INK}


@dataclass(frozen=True)
class Scheme:
    """What a page's style sheet says of light and dark."""

    property: str  # CSS's color-scheme
    dark: str  # the media to which the dark colors apply; paper is never dark


#: By the value of the setting ``color_scheme``.
SCHEMES = {
    "auto": Scheme("light dark", "screen and (prefers-color-scheme: dark)"),
    "light": Scheme("light", "not all"),
    "dark": Scheme("dark", "screen"),
}


@lru_cache(maxsize=1)
def environment() -> Environment:
    """Return the templates' environment: everything escaped, anything undefined an error."""
    made = Environment(
        loader=FileSystemLoader(templates_folder()),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
    )
    made.globals["kind"] = kind
    return made


def html(template: str, report: object, language: Language, scheme: str = "auto") -> str:
    """Return a page: one self-contained HTML file; ``scheme`` is one of `SCHEMES`."""
    page = environment().get_template(template)
    return page.render(report=report, t=language.strings, ink=PAGE_INK, scheme=SCHEMES[scheme])


def page(report: Report) -> str:
    """Return the detailed-results page."""
    return html("page.html.j2", report, report.language, report.color_scheme)


#: The macro that prints a figure of each kind.
_MACROS: dict[type, str] = {
    Blobs: "blobs",
    Forest: "forest",
    HistogramFigure: "histogram",
    Matrix: "matrix",
    RankChart: "rank_chart",
    Scatter: "scatter",
    SideBySide: "side_by_side",
    Slopes: "slopes",
}


def kind(figure: Figure) -> str:
    """Return the name of the macro that prints a figure."""
    return _MACROS[type(figure)]
