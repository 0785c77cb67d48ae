"""What concerns all metrics together: competitiveness, planning, cautions and runs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from scoring_program.render.inputs import PageInput
from scoring_program.render.language import Language
from scoring_program.render.numbers import MISSING, Numerals
from scoring_program.render.reader import Fact, Reader
from scoring_program.render.table import Cell, Column, Table, cell


@dataclass(frozen=True)
class PlanRow:
    """What it would take for one tied entry."""

    metric: str
    name: str
    difference: str
    needed: str
    resolution: str


@dataclass(frozen=True)
class Planning:
    """What it would take to separate the tied entries."""

    caption: str
    note: str
    smallest: tuple[str, ...]
    rows: tuple[PlanRow, ...]


@dataclass(frozen=True)
class Caution:
    """One warning."""

    level: str
    word: str
    message: str


def competitiveness_measures(language: Language) -> tuple[tuple[str, str], ...]:
    """Return (key, heading) of every measure of competitiveness in the order of the papers."""
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
        (key, say(f"competitiveness.{key}"))
        for key in ("winner_minus_median", "cv_percent", "ppi_percent")
    ]
    return tuple(measures)


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
    for key, heading in competitiveness_measures(language):
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
    say, count = language.say, language.numerals.count
    rows, smallest = [], []
    for reader in readers:
        plan = reader.a.planning
        if plan.smallest_separable is not None and math.isfinite(plan.smallest_separable):
            difference = reader.score(plan.smallest_separable)
            smallest.append(say("planning.smallest", metric=reader.label, difference=difference))
        for pair in plan.pairs:
            needed, resolution = pair.examples_needed, pair.resolution
            rows.append(
                PlanRow(
                    reader.label,
                    reader.inputs.entries[pair.entry],
                    reader.difference(pair.difference),
                    say("planning.never") if needed is None else count(_two_digits(needed)),
                    say("planning.unknown")
                    if resolution is None
                    else language.numerals.fixed(resolution, 2),
                )
            )
    if not rows and not smallest:
        return None
    power = language.numerals.exact_percent(first.a.planning.power)
    return Planning(
        caption=say("planning.caption", reference=first.reference, power=power) if rows else "",
        note=say("planning.resolution_note") if rows else "",
        smallest=tuple(smallest),
        rows=tuple(rows),
    )


def _two_digits(count: int) -> int:
    """Round to two significant digits: a planned size is an order of magnitude."""
    unit: int = 10 ** max(len(str(count)) - 2, 0)
    return -(-count // unit) * unit


def cautions_of(readers: Sequence[Reader]) -> tuple[Caution, ...]:
    """Return all warnings, grave ones first.

    English pages show the inference's own sentence; other languages their version of it where the
    language file has one.
    """
    language = readers[0].language
    found = []
    for reader in readers:
        for warned in reader.a.warnings:
            message = f"{reader.label}: {warned.message}" if len(readers) > 1 else warned.message
            translated = language.find(f"cautions.{warned.code}")
            if language.code != "en" and translated is not None:
                number = reader.numerals.plain(round(warned.number, 3))
                message = translated.format_map({"metric": reader.label, "number": number})
            found.append(Caution(warned.level, language.say(f"cautions.{warned.level}"), message))
    return tuple(sorted(dict.fromkeys(found), key=lambda caution: caution.level != "red"))


def runs_of(inputs: PageInput, language: Language) -> tuple[Fact, ...]:
    """Return team and number of runs, empty unless some team sent several."""
    if not any(count > 1 for count in inputs.runs.values()):
        return ()
    return tuple(
        Fact(team, language.numerals.count(count)) for team, count in sorted(inputs.runs.items())
    )
