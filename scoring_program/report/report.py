"""The page as data: every sentence, number and coordinate that the templates print.

`build` puts a report together from the parts, one module each. It knows how to read an analysis
and how to say it; it computes no statistics. Numbers become text by `numbers.Numerals` only.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ..alignment.competition import Unusable
from ..core.notes import renamed
from ..reading.layout import SINGLE
from . import drawing as draw
from . import language as languages
from .competition import (
    Caution,
    Planning,
    cautions_of,
    competitiveness_table,
    planning_of,
    runs_table,
)
from .differences import (
    Differences,
    difference_forest,
    differences_of,
    differences_table,
    distributions_caption,
    distributions_of,
    more_distributions,
)
from .drawing import Figure
from .further import further_tables
from .inputs import PageInput
from .language import Language
from .method import SOURCES, method_of
from .pairs import PairsPart, pairs_of, pairwise_table
from .ranking import Ranking, overview_caption, overview_of, ranking_of, ranking_table, score_forest
from .ranks import RanksPart, ranks_of
from .reader import Fact, Reader
from .shakeup import shake_up_table
from .table import Table, file_part
from .ties import Ties, ties_of
from .verdict import consequence, paper_paragraph, verdict, weakened

_HISTOGRAMS_ON_PAGE = 6


@dataclass(frozen=True)
class Link:
    """An entry of the contents."""

    id: str
    heading: str


@dataclass(frozen=True)
class MetricSection:
    """Everything about one metric."""

    id: str
    heading: str
    subtitle: str
    definition: str
    ranking: Ranking
    differences: Differences | None
    further: tuple[Table, ...]
    distributions_caption: str
    distributions: tuple[draw.HistogramFigure, ...]  # on the page
    more_distributions: tuple[draw.HistogramFigure, ...]  # as files only
    distributions_more: str
    ties: Ties | None
    pairs: PairsPart | None
    ranks: RanksPart | None


@dataclass(frozen=True)
class Report:
    """The whole page, and what is taken away from it."""

    language: Language
    color_scheme: str
    title: str
    made_by: str
    contents: tuple[Link, ...]
    verdict: str
    consequence: tuple[str, ...]
    facts: tuple[Fact, ...]
    notes: tuple[str, ...]
    cautions_link: str
    overview: tuple[draw.Forest, ...]
    overview_caption: str
    metrics: tuple[MetricSection, ...]
    shake_up: Table | None
    shake_up_caption: str
    competitiveness: Table | None
    planning: Planning | None
    cautions: tuple[Caution, ...]
    unusable: tuple[Unusable, ...]
    runs: Table | None
    paper: str
    paper_note: str
    method: tuple[str, ...]
    sources: tuple[str, ...]
    signature: tuple[Fact, ...]
    tables: tuple[Table, ...]
    figures: Mapping[str, Figure]


def build(inputs: PageInput) -> Report:
    """Put the report together; see the module's docstring."""
    language = languages.load(inputs.language)
    inputs = _in_language(inputs, language)
    readers = [
        Reader(inputs, metric, index, language) for index, metric in enumerate(inputs.metrics)
    ]
    first = readers[0]
    compared = len(inputs.entries) > 1
    sections = tuple(_section(reader) for reader in readers)
    rankings = [section.ranking for section in sections]
    overview = overview_of(readers, rankings) if len(readers) > 1 else ()
    cautions = cautions_of(readers)
    shake_up = shake_up_table(readers) if compared else None
    competitiveness = competitiveness_table(readers) if compared else None
    planning = planning_of(readers) if compared else None
    runs = runs_table(inputs, language)
    paper = paper_paragraph(first, cautions) if compared and inputs.form == "teams" else ""
    tables = [
        table
        for reader, section in zip(readers, sections, strict=True)
        for table in _metric_tables(reader, section)
    ]
    tables.extend(table for table in (shake_up, competitiveness) if table is not None)
    return Report(
        language=language,
        color_scheme=inputs.color_scheme,
        title=inputs.title or language.say("page.untitled"),
        made_by=language.say("page.made_by", version=inputs.version).strip(),
        contents=_contents(
            language,
            {
                "overview": bool(overview),
                **{section.id: section.heading for section in sections},
                "shake_up": shake_up is not None,
                "competitiveness": competitiveness is not None,
                "planning": planning is not None,
                "cautions": True,
                "unusable": bool(inputs.unusable),
                "runs": bool(runs),
                "paper": bool(paper),
                "method": True,
                "signature": True,
            },
        ),
        verdict=verdict(first),
        consequence=consequence(first, cautions),
        facts=facts_of(first),
        notes=tuple(map(language.tell, inputs.notes)),
        cautions_link=language.count("page.cautions_link", len(cautions)) if cautions else "",
        overview=overview,
        overview_caption=overview_caption(first) if overview else "",
        metrics=sections,
        shake_up=shake_up,
        shake_up_caption=language.say("shake_up.caption", confidence=first.confidence),
        competitiveness=competitiveness,
        planning=planning,
        cautions=cautions,
        unusable=inputs.unusable,
        runs=runs,
        paper=paper,
        paper_note=language.say("paper.weakened") if weakened(cautions) else "",
        method=method_of(first),
        sources=SOURCES,
        signature=tuple(
            Fact(_signature_label(language, key), value) for key, value in inputs.signature.items()
        ),
        tables=tuple(tables),
        figures=_figures(readers, sections, overview),
    )


def _in_language(inputs: PageInput, language: Language) -> PageInput:
    """Return the inputs with a word of the language for a submission that has no name."""
    word = language.say("status.submission")
    if inputs.focus is None or word in inputs.entries:
        return inputs
    named = tuple(word if name == SINGLE else name for name in inputs.entries)
    signature = {
        re.sub(rf"^(sha256 of ){SINGLE}\b", rf"\1{word}", key): value
        for key, value in inputs.signature.items()
    }
    metrics = tuple(
        replace(
            metric,
            analysis=replace(
                metric.analysis,
                warnings=tuple(
                    replace(warned, values=renamed(warned.values, {SINGLE: word}))
                    for warned in metric.analysis.warnings
                ),
            ),
        )
        for metric in inputs.metrics
    )
    return replace(inputs, entries=named, metrics=metrics, signature=signature)


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


def _contents(language: Language, sections: Mapping[str, str | bool]) -> tuple[Link, ...]:
    """Return links to the sections there are, by their headings (a metric's is its label)."""
    return tuple(
        Link(id, there if isinstance(there, str) else language.say(f"{id}.heading"))
        for id, there in sections.items()
        if there
    )


def facts_of(reader: Reader) -> tuple[Fact, ...]:
    """Return the figures under the verdict."""
    a, say, numerals, inputs = reader.a, reader.language.say, reader.numerals, reader.inputs
    m = len(inputs.entries)
    facts = [Fact(say("facts.examples"), numerals.count(inputs.n))]
    if m > 1 and inputs.form == "field" and inputs.focus is not None:
        label = say("facts.interval", confidence=reader.confidence)
        low, high = float(a.low[inputs.focus]), float(a.high[inputs.focus])
        facts.insert(0, Fact(label, reader.interval(low, high)))
    if inputs.group is not None and inputs.groups is not None:
        label = say("facts.groups", column=inputs.group)
        facts.append(Fact(label, numerals.count(inputs.groups)))
    if m > 1 and inputs.form == "field":
        facts.append(Fact(say("facts.submissions"), numerals.count(m - 1)))
    elif m > 1:
        facts.append(Fact(say("facts.entries"), numerals.count(m)))
    if reader.competing > 1:
        value = say(
            "facts.tied_value",
            count=numerals.count(len(reader.tied()) + len(a.leaders) - 1),
            others=numerals.count(m - 1 - len(a.baselines)),
        )
        facts.append(Fact(say("facts.tied"), value))
    facts.append(Fact(say("facts.resamples"), numerals.count(a.resamples)))
    facts.append(Fact(say("facts.confidence"), reader.confidence))
    return tuple(facts)


def _section(reader: Reader) -> MetricSection:
    compared = len(reader.inputs.entries) > 1
    distributions = distributions_of(reader) if compared else ()
    more = distributions[_HISTOGRAMS_ON_PAGE:]
    return MetricSection(
        id=f"metric-{reader.index + 1}",
        heading=reader.label,
        subtitle=subtitle_of(reader),
        definition=reader.metric.definition,
        ranking=ranking_of(reader),
        differences=differences_of(reader) if compared else None,
        further=further_tables(reader) if compared else (),
        distributions_caption=distributions_caption(reader),
        distributions=distributions[:_HISTOGRAMS_ON_PAGE],
        more_distributions=more,
        distributions_more=more_distributions(reader, len(more)),
        ties=ties_of(reader) if compared else None,
        pairs=pairs_of(reader) if compared else None,
        ranks=ranks_of(reader) if compared else None,
    )


def subtitle_of(reader: Reader) -> str:
    """Return a metric's direction, bounds and ideal."""
    say, metric = reader.language.say, reader.metric
    parts = [reader.direction]
    low, high = (reader.numerals.plain(bound) for bound in (metric.low, metric.high))
    if math.isfinite(metric.low) and math.isfinite(metric.high):
        parts.append(say("direction_of.bounded", low=low, high=high))
    elif math.isfinite(metric.low):
        parts.append(say("direction_of.from_low", low=low))
    elif math.isfinite(metric.high):
        parts.append(say("direction_of.to_high", high=high))
    if metric.ideal is not None:
        parts.append(say("direction_of.ideal", ideal=reader.numerals.plain(metric.ideal)))
    if len(reader.inputs.metrics) > 1:
        parts.insert(0, say("direction_of.ranking" if reader.index == 0 else "direction_of.other"))
    return " · ".join(parts)


def _metric_tables(reader: Reader, section: MetricSection) -> list[Table]:
    tables = [ranking_table(reader, section.ranking)]
    if section.differences is not None:
        tables.append(differences_table(reader, section.differences))
    if section.pairs is not None:
        tables.append(pairwise_table(reader, section.pairs))
    return [*tables, *section.further]


def _figures(
    readers: Sequence[Reader],
    sections: Sequence[MetricSection],
    overview: Sequence[draw.Forest],
) -> dict[str, Figure]:
    """Return file name without extension → figure: those of the page, and the tables' strips."""
    found: dict[str, Figure] = {}
    for panel, reader in zip(overview, readers, strict=True) if overview else ():
        found[f"overview_{file_part(reader.a.name)}"] = panel
    for reader, section in zip(readers, sections, strict=True):
        key = reader.suffix
        found[f"intervals{key}"] = score_forest(reader, section.ranking)
        if section.differences is not None:
            found[f"differences{key}"] = difference_forest(reader, section.differences)
        every = (*section.distributions, *section.more_distributions)
        for count, figure in enumerate(every, start=1):
            found[f"distribution{key}_{count}"] = figure
        if section.pairs is not None:
            found[f"pairs{key}"] = section.pairs.map
        if section.ranks is not None:
            found[f"rank_frequencies{key}"] = section.ranks.figure
    return found
