"""Everything about one metric: the section of the page, and its tables and figures."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from ...metrics import Metric
from .. import drawing as draw
from ..drawing import Figure
from ..tables import ResultTable
from ..view import Fact, MetricView
from .close_differences import distributions_caption, distributions_of, more_distributions
from .differences import (
    DifferencesSection,
    difference_forest,
    differences_of,
    differences_table,
)
from .excerpts import table_excerpt
from .p_values import tests_of
from .pairwise import PairsSection, pairs_of, pairwise_table
from .rank_frequencies import RanksSection, rank_frequencies_of
from .rank_ranges import rank_chart_note, rank_chart_of, rank_range_forest
from .ranking import RankingSection, ranking_of, ranking_table, score_forest
from .tied_entries import TiesSection, tied_entries_of
from .verdict import verdict

_HISTOGRAMS_ON_PAGE = 6


@dataclass(frozen=True)
class MetricSection:
    """Everything about one metric."""

    id: str
    heading: str
    subtitle: str
    definition: str
    address: str  # of its ranking
    summary: str  # who leads and who is tied, for a ranking that is folded away
    ranking: RankingSection
    rank_chart: draw.RankChart | None  # of many entries
    rank_chart_note: str
    differences: DifferencesSection | None
    tests: tuple[ResultTable, ...]
    test_excerpts: tuple[ResultTable, ...]  # what the page shows of them
    distributions_caption: str
    distributions: tuple[draw.HistogramFigure, ...]  # on the page
    more_distributions: tuple[draw.HistogramFigure, ...]  # as files only
    distributions_more: str
    ties: TiesSection | None
    pairs: PairsSection | None
    ranks: RanksSection | None


def section_of(
    view: MetricView, cards: Mapping[int, tuple[Fact, ...]] | None = None
) -> MetricSection:
    """Return everything about one metric; ``cards`` are what its ranking says of entries."""
    several = len(view.analysis.names) > 1
    compared = several and not view.analysis.only_ranks
    distributions = distributions_of(view) if compared else ()
    tests = tests_of(view) if compared else ()
    more = distributions[_HISTOGRAMS_ON_PAGE:]
    return MetricSection(
        id=f"metric-{view.index + 1}",
        heading=view.label,
        subtitle=subtitle_of(view),
        definition=_definition(view.metric),
        address=view.ranking_address,
        summary=verdict(view),
        ranking=ranking_of(view, cards),
        rank_chart=rank_chart_of(view),
        rank_chart_note=rank_chart_note(view),
        differences=differences_of(view) if compared else None,
        tests=tests,
        test_excerpts=tuple(table_excerpt(view, table) for table in tests),
        distributions_caption=distributions_caption(view),
        distributions=distributions[:_HISTOGRAMS_ON_PAGE],
        more_distributions=more,
        distributions_more=more_distributions(view, len(more)),
        ties=tied_entries_of(view) if compared else None,
        pairs=pairs_of(view) if compared else None,
        ranks=rank_frequencies_of(view) if several else None,
    )


def _definition(metric: Metric) -> str:
    """Return the key of a metric, which scores.txt has, and its function with all parameters."""
    described = metric.description
    return described if described.startswith(f"{metric.name}(") else f"{metric.name}: {described}"


def subtitle_of(view: MetricView) -> str:
    """Return a metric's direction, bounds and ideal."""
    say, metric = view.language.say, view.metric
    parts = [view.direction]
    low, high = (view.numerals.plain(bound) for bound in (metric.low, metric.high))
    if math.isfinite(metric.low) and math.isfinite(metric.high):
        parts.append(say("direction_of.bounded", low=low, high=high))
    elif math.isfinite(metric.low):
        parts.append(say("direction_of.from_low", low=low))
    elif math.isfinite(metric.high):
        parts.append(say("direction_of.to_high", high=high))
    if metric.ideal is not None:
        parts.append(say("direction_of.ideal", ideal=view.numerals.plain(metric.ideal)))
    if view.result.public is not None and view.index < view.result.public:
        parts.insert(0, say("direction_of.private"))
    if len(view.result.analyses) > 1:
        parts.insert(0, say("direction_of.ranking" if view.index == 0 else "direction_of.other"))
    return " · ".join(parts)


def tables_of(view: MetricView, section: MetricSection) -> tuple[ResultTable, ...]:
    """Return the tables to take away."""
    tables = [ranking_table(view, section.ranking)]
    if section.differences is not None:
        tables.append(differences_table(view, section.differences))
    if section.pairs is not None:
        tables.append(pairwise_table(view, section.pairs))
    return (*tables, *section.tests)


def figures_of(view: MetricView, section: MetricSection) -> dict[str, Figure]:
    """Return file name without extension → figure: those of the page, and the tables' strips."""
    key = view.suffix
    found: dict[str, Figure] = {f"intervals{key}": score_forest(view, section.ranking)}
    if section.ranking.compared:
        chart = section.rank_chart or rank_range_forest(view, section.ranking)
        found[f"rank_ranges{key}"] = chart
    if section.differences is not None:
        found[f"differences{key}"] = difference_forest(view, section.differences)
    every = (*section.distributions, *section.more_distributions)
    for count, figure in enumerate(every, start=1):
        found[f"distribution{key}_{count}"] = figure
    if section.pairs is not None:
        found[f"pairs{key}"] = section.pairs.map
    if section.ranks is not None:
        found[f"rank_frequencies{key}"] = section.ranks.figure
    return found
