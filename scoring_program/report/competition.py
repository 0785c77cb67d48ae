"""What concerns all metrics together: competitiveness, planning, cautions and runs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .inputs import PageInput
from .language import Language
from .numbers import MISSING, Numerals
from .reader import Reader
from .table import Cell, Column, Table, cell

#: Codes of the warnings that say the same of every metric, and are said once.
_OF_THE_TEST_SET = ("counted_p_values", "few_examples", "few_groups")


@dataclass(frozen=True)
class Planning:
    """What this test set separates, and what it would take to separate the tied entries."""

    smallest: str
    assumed: str
    table: Table | None


@dataclass(frozen=True)
class Caution:
    """One warning."""

    level: str
    word: str
    message: str
    code: str


def competitiveness_measures(
    language: Language, *, bounded: bool = True
) -> tuple[tuple[str, str], ...]:
    """Return (key, heading) of every measure of competitiveness in the order of the papers.

    Unless all metrics are ``bounded``, PPI may be an error in the metric's own units.
    """
    say = language.say
    measures = [("n", say("competitiveness.n")), ("m", say("competitiveness.m"))]
    for family in ("ties_with_winner", "possible_comparisons", "ties_between_competitors"):
        if family == "possible_comparisons":
            measures.append((family, say(f"competitiveness.{family}")))
            continue
        measures += [
            (
                f"{family}.{correction}",
                say(f"competitiveness.{family}", correction=say(f"corrections.{correction}")),
            )
            for correction in ("none", "bonferroni", "holm", "fdr_bh")
        ]
    measures += [
        (key, say(f"competitiveness.{key}")) for key in ("winner_minus_median", "cv_percent")
    ]
    ppi = "ppi_percent" if bounded else "ppi_unbounded"
    return (*measures, ("ppi_percent", say(f"competitiveness.{ppi}")))


def competitiveness_cell(
    numerals: Numerals, key: str, value: float | int | None, decimals: int
) -> Cell:
    """Return the cell of one measure: counts whole, percentages with two decimals."""
    if value is None or not math.isfinite(value):
        return cell(MISSING, None)
    if key == "winner_minus_median":
        return cell(numerals.fixed(float(value), decimals), float(value))
    if key.endswith("_percent"):
        return cell(numerals.fixed(float(value), 2), float(value))
    return cell(numerals.count(int(value)), int(value))


def competitiveness_table(readers: Sequence[Reader]) -> Table:
    """Return the measures of competitiveness, one column a metric."""
    language = readers[0].language
    rows = []
    bounded = all(math.isfinite(reader.metric.high - reader.metric.low) for reader in readers)
    for key, heading in competitiveness_measures(language, bounded=bounded):
        cells = [cell(heading, key)]
        for reader in readers:
            field, _, correction = key.partition(".")
            value: Any = getattr(reader.a.competitiveness, field)
            value = value.get(correction) if correction else value
            cells.append(competitiveness_cell(reader.numerals, key, value, reader.decimals))
        rows.append(tuple(cells))
    return Table(
        name="competitiveness",
        caption=language.say("tables.competitiveness"),
        columns=(
            Column(("measure",), language.say("competitiveness.measure")),
            *(Column((reader.a.name,), reader.label, numeric=True) for reader in readers),
        ),
        rows=tuple(rows),
    )


def planning_of(readers: Sequence[Reader]) -> Planning | None:
    """Return what it would take to separate the tied entries, None where nothing can be said."""
    first, language = readers[0], readers[0].language
    say = language.say
    rows: list[tuple[Cell, ...]] = []
    smallest = []
    comparisons = sum(i not in first.a.baselines for i in first.others())
    values = {
        "reference": say("planning.leader") if first.chosen_leader else first.reference,
        "power": language.numerals.exact_percent(first.a.planning.power),
        "alpha": language.numerals.plain(round(1 - first.a.confidence, 6)),
        "test": say(f"planning.{'one_sided' if first.chosen_leader else 'two_sided'}"),
        "count": language.numerals.count(comparisons),
    }
    for reader in readers:
        plan = reader.a.planning
        if plan.smallest_separable is not None and math.isfinite(plan.smallest_separable):
            difference = _about(reader.numerals, plan.smallest_separable)
            smallest.append(say("planning.of_metric", difference=difference, metric=reader.label))
        for pair in plan.pairs:
            resolution = pair.resolution
            rows.append(
                (
                    cell(reader.label),
                    cell(reader.inputs.entries[pair.entry]),
                    cell(reader.difference(pair.difference)),
                    cell(_needed(reader, pair.examples_needed)),
                    cell(
                        say("planning.unknown")
                        if resolution is None
                        else language.numerals.fixed(resolution, 2)
                    ),
                )
            )
    if not rows and not smallest:
        return None
    table = Table(
        name="planning",
        caption=say("planning.caption", **values),
        columns=(
            Column(("metric",), say("planning.metric")),
            Column(("entry",), say("planning.entry")),
            *(
                Column((key,), say(f"planning.{key}"), numeric=True)
                for key in ("difference", "needed", "resolution")
            ),
        ),
        rows=tuple(rows),
        note=say("planning.resolution_note"),
    )
    differences = language.listed(smallest)
    return Planning(
        say("planning.smallest", differences=differences) if smallest else "",
        say("planning.assumed", **values),
        table if rows else None,
    )


def _needed(reader: Reader, needed: int | None) -> str:
    """Return a planned size in digits, or in words where it says nothing beyond "not fewer"."""
    if needed is None:
        return reader.language.say("planning.never")
    if needed <= reader.a.n:
        return reader.language.say("planning.as_many")
    return reader.numerals.count(_two_digits(needed))


def _about(numerals: Numerals, value: float) -> str:
    """Return a positive number with two significant digits."""
    decimals = 1 - math.floor(math.log10(value)) if value > 0 else 0
    return numerals.fixed(round(value, decimals), max(decimals, 0))


def _two_digits(count: int) -> int:
    """Round to two significant digits: a planned size is an order of magnitude."""
    unit: int = 10 ** max(len(str(count)) - 2, 0)
    return -(-count // unit) * unit


def cautions_of(readers: Sequence[Reader]) -> tuple[Caution, ...]:
    """Return all warnings, grave ones first."""
    language = readers[0].language
    found = []
    for reader in readers:
        for warned in reader.a.warnings:
            message = language.tell(warned.note)
            if len(readers) > 1 and warned.code not in _OF_THE_TEST_SET:
                message = f"{reader.label}: {message}"
            word = language.say(f"cautions.{warned.level}")
            found.append(Caution(warned.level, word, message, warned.code))
    return tuple(sorted(dict.fromkeys(found), key=lambda caution: caution.level != "red"))


def runs_table(inputs: PageInput, language: Language) -> Table | None:
    """Return how many runs each team sent, None unless some team sent several."""
    if not any(count > 1 for count in inputs.runs.values()):
        return None
    return Table(
        name="runs",
        caption=language.say(f"runs.{inputs.runs_policy}"),
        columns=(
            Column(("team",), language.say("runs.team")),
            Column(("runs",), language.say("runs.sent"), numeric=True),
        ),
        rows=tuple(
            (cell(team), cell(language.numerals.count(count), count))
            for team, count in sorted(inputs.runs.items())
        ),
    )
