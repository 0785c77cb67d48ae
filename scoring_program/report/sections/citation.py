"""How to cite the results, as text and as BibTeX."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ...core.version import __version__
from ..tables import latex_text
from ..view import MetricView
from .section import Section

#: The papers whose method decides, as `CITATION.cff` has them.
_PAPERS = """\
@inproceedings{navamunoz2023,
  author = {Nava-Mu{\\~n}oz, Sergio and Graff, Mario and Escalante, Hugo Jair},
  title = {Comparison of Classifiers in Challenge Scheme},
  booktitle = {Pattern Recognition (MCPR 2023)},
  year = {2023},
  doi = {10.1007/978-3-031-33783-3_9}
}

@article{mogstad2024,
  author = {Mogstad, Magne and Romano, Joseph P. and Shaikh, Azeem M. and Wilhelm, Daniel},
  title = {Inference for Ranks with Applications to Mobility across Neighbourhoods and Academic
           Achievement across Countries},
  journal = {Review of Economic Studies},
  year = {2024},
  doi = {10.1093/restud/rdad006}
}"""


@dataclass(frozen=True)
class Citation:
    """How to cite the results."""

    text: str
    bibtex: str


def sections(views: Sequence[MetricView]) -> Iterator[Section]:
    """Yield the citation where the competition has a title."""
    settings, say = views[0].result.settings, views[0].language.say
    if settings.title:
        content = Citation(_text(views[0]), f"{_entry(views[0])}\n\n{_PAPERS}")
        yield Section("citation", say("citation.heading"), content, "citation.html.j2")


def _text(view: MetricView) -> str:
    """Return one line that names the competition, its host, date and address, and the program."""
    settings = view.result.settings
    named = [part for part in (settings.title, settings.host, settings.date) if part]
    scored = view.language.say("citation.scored", version=__version__)
    return " ".join([f"{', '.join(named)}.", scored, settings.url]).strip()


def _entry(view: MetricView) -> str:
    """Return the BibTeX entry of the results; what the settings do not say is left out."""
    settings = view.result.settings
    year = re.search(r"\b[12][0-9]{3}\b", settings.date)
    fields = {
        "title": f"{{{latex_text(settings.title)}}}",
        "author": f"{{{latex_text(settings.host)}}}" if settings.host else "",
        "year": year[0] if year else "",
        "url": settings.url,
        "note": latex_text(view.language.say("citation.scored", version=__version__)),
    }
    lines = [f"  {key} = {{{value}}}" for key, value in fields.items() if value]
    return "\n".join(["@misc{results,", ",\n".join(lines), "}"])
