"""The page as data: every sentence, number and coordinate that the templates print.

`build` puts a report together from its sections, one module each. It knows how to read an analysis
and how to say it; it computes no statistics. Numbers become text by `numbers.Numerals` only.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from ..alignment.competition import Unusable
from ..core.notes import renamed
from ..core.version import __version__
from ..inference.findings import Findings
from ..reading.layout import SINGLE
from . import drawing as draw
from . import language as languages
from .drawing import Figure
from .language import Language
from .sections.caution_list import CautionText, cautions_of
from .sections.competitiveness_table import competitiveness_table
from .sections.facts import facts_of
from .sections.method import SOURCES, method_of
from .sections.one_metric import MetricSection, figures_of, section_of, tables_of
from .sections.ranking import overview_caption, overview_of
from .sections.runs import runs_table
from .sections.sample_size import PlanningSection, planning_of
from .sections.shake_up import shake_up_table
from .sections.verdict import consequence, paper_paragraph, verdict, weakened
from .tables import ResultTable, file_part
from .view import Fact, MetricView


@dataclass(frozen=True)
class Link:
    """An entry of the contents."""

    id: str
    heading: str


@dataclass(frozen=True)
class Report:
    """The whole page, and what is taken away from it."""

    language: Language
    color_scheme: str
    title: str
    made_by: str
    verdict: str
    consequence: tuple[str, ...]
    facts: tuple[Fact, ...]
    notes: tuple[str, ...]
    overview: tuple[draw.Forest, ...]
    overview_caption: str
    metrics: tuple[MetricSection, ...]
    shake_up: ResultTable | None
    shake_up_caption: str
    competitiveness: ResultTable | None
    planning: PlanningSection | None
    cautions: tuple[CautionText, ...]
    unusable: tuple[Unusable, ...]
    runs: ResultTable | None
    paper: str
    paper_note: str
    method: tuple[str, ...]
    sources: tuple[str, ...]
    signature: tuple[Fact, ...]
    tables: tuple[ResultTable, ...]
    figures: Mapping[str, Figure]

    @property
    def contents(self) -> tuple[Link, ...]:
        """Links to the sections there are."""
        say = self.language.say
        there = {
            "overview": self.overview,
            **{section.id: section for section in self.metrics},
            "shake_up": self.shake_up,
            "competitiveness": self.competitiveness,
            "planning": self.planning,
            "cautions": True,
            "unusable": self.unusable,
            "runs": self.runs,
            "paper": self.paper,
            "method": True,
            "signature": True,
        }
        headings = {section.id: section.heading for section in self.metrics}
        return tuple(
            Link(id, headings[id] if id in headings else say(f"{id}.heading"))
            for id, content in there.items()
            if content
        )

    @property
    def cautions_link(self) -> str:
        """What the link to the cautions says, nothing where there are none."""
        count = len(self.cautions)
        return self.language.count("page.cautions_link", count) if count else ""


def build(result: Findings) -> Report:
    """Put the report together; see the module's docstring."""
    language = languages.load(result.settings.language)
    result = _in_language(result, language)
    views = [
        MetricView(result, analysis, index, language)
        for index, analysis in enumerate(result.analyses)
    ]
    first, compared = views[0], len(result.names) > 1
    sections = tuple(map(section_of, views))
    overview = overview_of(views, [section.ranking for section in sections])
    cautions = cautions_of(views)
    shake_up = shake_up_table(views) if compared else None
    competitiveness = competitiveness_table(views) if compared else None
    return Report(
        language=language,
        color_scheme=result.settings.color_scheme,
        title=result.settings.title or language.say("page.untitled"),
        made_by=language.say("page.made_by", version=__version__).strip(),
        verdict=verdict(first),
        consequence=consequence(first, cautions),
        facts=facts_of(first),
        notes=tuple(map(language.tell, result.notes)),
        overview=overview,
        overview_caption=overview_caption(first) if overview else "",
        metrics=sections,
        shake_up=shake_up,
        shake_up_caption=language.say("shake_up.caption", confidence=first.confidence),
        competitiveness=competitiveness,
        planning=planning_of(views) if compared else None,
        cautions=cautions,
        unusable=result.unusable,
        runs=runs_table(result, language),
        paper=paper_paragraph(first, cautions) if compared and result.form == "teams" else "",
        paper_note=language.say("paper.weakened") if weakened(cautions) else "",
        method=method_of(first),
        sources=SOURCES,
        signature=tuple(
            Fact(_signature_label(language, key), value) for key, value in result.signature.items()
        ),
        tables=_tables(views, sections, (shake_up, competitiveness)),
        figures=_figures(views, sections, overview),
    )


def _tables(
    views: Sequence[MetricView],
    sections: Sequence[MetricSection],
    of_all_metrics: Sequence[ResultTable | None],
) -> tuple[ResultTable, ...]:
    """Return the tables to take away."""
    of_metrics = (tables_of(*pair) for pair in zip(views, sections, strict=True))
    return (*chain.from_iterable(of_metrics), *filter(None, of_all_metrics))


def _figures(
    views: Sequence[MetricView],
    sections: Sequence[MetricSection],
    overview: Sequence[draw.Forest],
) -> dict[str, Figure]:
    """Return file name without extension → figure, of the overview and of every metric."""
    found: dict[str, Figure] = {
        f"overview_{file_part(view.metric.name)}": panel
        for view, panel in zip(views, overview, strict=False)
    }
    for view, section in zip(views, sections, strict=True):
        found |= figures_of(view, section)
    return found


def _in_language(result: Findings, language: Language) -> Findings:
    """Return the result with a word of the language for a submission that has no name."""
    word = language.say("status.submission")
    if result.focus is None or word in result.names:
        return result
    named = tuple(word if name == SINGLE else name for name in result.names)
    signature = {
        re.sub(rf"^(sha256 of ){SINGLE}\b", rf"\1{word}", key): value
        for key, value in result.signature.items()
    }
    analyses = tuple(
        replace(
            analysis,
            cautions=tuple(
                replace(caution, values=renamed(caution.values, {SINGLE: word}))
                for caution in analysis.cautions
            ),
        )
        for analysis in result.analyses
    )
    return replace(result, names=named, analyses=analyses, signature=signature)


def _signature_label(language: Language, key: str) -> str:
    """Return what an item of the signature is called; names of packages stay as they are.

    Where there are several tasks, their names stand in brackets at the end.
    """
    item, bracket, task = key.partition(" (")
    label = language.strings["signature"]["labels"].get(item, item)
    for kind, start in (("metric", "metric "), ("sha256", "sha256 of ")):
        if label.startswith(start):
            label = language.say(f"signature.{kind}", name=label.removeprefix(start))
    return f"{label}{bracket}{task}"
