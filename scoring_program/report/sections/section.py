"""What a section of the page is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..drawing import Figure
from ..tables import ResultTable, ResultText


@dataclass(frozen=True)
class Passage:
    """What most sections hold, in the order of the page; all of it may be missing."""

    paragraphs: tuple[str, ...] = ()
    caption: str = ""
    table: ResultTable | None = None
    figures: tuple[Figure, ...] = ()
    note: str = ""


@dataclass(frozen=True)
class Section:
    """A section of the page, with the heading that the contents list.

    ``template`` prints the content below the heading. What ``tables``, ``texts`` and ``figures``
    (file name without extension → figure) hold also becomes files to take away; they include what
    the sections hold that are folded away below the content.
    """

    id: str
    heading: str
    content: Any  # a Passage, unless the section has a template of its own
    template: str = "passage.html.j2"
    tables: tuple[ResultTable, ...] = ()
    texts: tuple[ResultText, ...] = ()
    figures: Mapping[str, Figure] = field(default_factory=dict)
    folded: tuple[Section, ...] = ()
