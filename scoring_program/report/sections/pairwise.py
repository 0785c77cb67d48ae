"""All pairs: a triangle for few entries, a map with counts for many."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from ...core.arrays import Bools, Floats, Ints
from ...core.phrases import gettext_noop
from ...document.blocks import CellValue, Picture, ResultTable, Section, TableColumn, cell
from ...document.figures.distributions import matrix
from ...document.marks import Drawing, Heading
from ...inference.evidence import Pairs
from ..view import FEW, MetricView
from .legends import once

#: Up to this many entries, the cells of the triangle hold numbers as well as marks.
_NUMBERS_IN_PAIRS = 12
_MARKS = ("", "·", "*", "**", "***")
#: Below which multiples of the level, 1 − confidence, a p-value has the next mark.
_OF_LEVEL = (2, 1, 1 / 5, 1 / 50)
#: The strongest mark of a pair that is not shown to differ.
_UNSHOWN = 1
#: The columns of a table of counts.
_SEPARATED = {
    "better_than": gettext_noop("Separated entries below"),
    "worse_than": gettext_noop("Separated entries above"),
    "not_separated": gettext_noop("Entries not separated"),
}


def pairs_of(view: MetricView, pairs: Pairs, told: set[str]) -> Section:
    """Return all pairs: a triangle of cells for few entries, counts for many, and the map."""
    say, few = view.say, len(view.evidence.names) <= FEW
    words, p = view.pair_p(pairs)
    number, grid = _pair_grid(view, pairs, p)
    legend = " ".join(_legend(view, words))
    made = _triangle(view, pairs, (number, grid), p) if few else _pair_counts(view, grid)
    table = replace(made, note=legend, records=_pair_records(pairs, view.evidence.names))
    picture = Picture(f"pairs{view.suffix}", _pair_map(view, grid), "bare", shown=not few)
    blocks = (
        *once(
            told,
            say(
                "Each cell compares the entry of its row with a better entry, whose rank heads the "
                "column. It shows their difference and how sure that difference is. A cell without "
                "a star, with or without a ·, is a pair that the test set does not separate at p < "
                "{level}."
                if few
                else (
                    "Each cell compares the entry of its row with a better entry, whose rank heads "
                    "the column. A blank cell or a cell with a · is a pair that the test set does "
                    "not separate at p < {level}. A wide blank band along the diagonal means many "
                    "near-ties."
                ),
                level=_level(view),
            ),
            legend,
        ),
        picture,
        table if few else Section("", say("The same as a table"), (table,), folded=True),
    )
    return Section(f"metric-{view.index + 1}-pairs", say("All pairs"), blocks)


def _legend(view: MetricView, correction: str) -> Iterator[str]:
    """Say what the marks mean, and how entries without a rank of their own are labeled."""
    say = view.say
    # A level stays on the line of its mark.
    shades = [shade.replace(" ", "\N{NO-BREAK SPACE}") for shade in reversed(_shades_named(view))]
    marks = view.language.joined(shades)
    yield say(
        "The marks follow the one-sided p {correction}: {marks}.",
        marks=marks,
        correction=correction,
    )
    ranked = [view.rank(i) for i in range(len(view.marks)) if i not in view.scores.baselines]
    if len(set(ranked)) < len(ranked):
        yield say("Letters distinguish entries that share a rank.")
    if view.scores.baselines:
        yield say("B1, B2 and so on are the baselines, which have no rank.")


def _levels(view: MetricView) -> list[float]:
    """Return the levels below which a p-value has each mark: with 95%, .10, .05, .01 and .001."""
    return [round(of * (1 - view.question.confidence), 12) for of in _OF_LEVEL]


def _level(view: MetricView) -> str:
    """Return the level of a star, 1 − confidence."""
    return view.numerals.level(_levels(view)[_UNSHOWN])


def _shades_named(view: MetricView) -> list[str]:
    """Return what each mark means, from the weakest to the strongest."""
    levels = zip(_MARKS[1:], _levels(view), strict=True)
    return [f"{mark} p < {view.numerals.level(level)}" for mark, level in levels]


def _triangle(view: MetricView, pairs: Pairs, grids: tuple[Ints, Ints], p: Floats) -> ResultTable:
    """Return one row per entry except the best, with one cell per better entry."""
    number, grid = grids
    say, names = view.say, view.evidence.names
    order = view.order
    rows = []
    for row, entry in enumerate(order[1:], start=1):
        cells = [cell(view.marks[entry]), cell(names[entry])]
        for column in range(row):
            pair, shade = int(number[row, column]), int(grid[row, column])
            observed = float(pairs.observed[pair])
            title = title_of(
                view,
                by_verdict=shade > _UNSHOWN and p[pair] >= _levels(view)[_UNSHOWN],
                better=view.names[int(pairs.better[pair])],
                worse=view.names[int(pairs.worse[pair])],
                difference=view.difference(observed),
                p=view.numerals.p(float(p[pair])),
            )
            shown = view.score(observed) if len(names) <= _NUMBERS_IN_PAIRS else ""
            cells.append(cell(shown, mark=_MARKS[shade], style=f"s{shade}", title=title))
        cells += [cell("", style="blank")] * (len(order) - 1 - row)
        rows.append(tuple(cells))
    return ResultTable(
        name=f"pairwise{view.suffix}",
        caption=say(
            "All pairs by {metric}: advantage of the entry of the column (given by its rank) over "
            "the entry of the row."
        ),
        columns=(
            TableColumn(("rank",), say("Rank"), True, style="rank"),
            TableColumn(("entry",), say("Entry")),
            *(TableColumn((mark,), mark, True) for mark in (view.marks[i] for i in order[:-1])),
        ),
        rows=tuple(rows),
        style="pairs",
    )


def title_of(view: MetricView, *, by_verdict: bool, **values: str) -> str:
    """Say who of a pair is ahead, by how much and how surely, or what shows it instead of p."""
    title = view.say("{better} over {worse}: {difference}, p {p}", **values)
    return f"{title} {view.say('(by the verdict)')}" if by_verdict else title


def judged(view: MetricView, pairs: Pairs, p: Floats) -> tuple[Bools, Bools]:
    """Return which pairs [k] are separated, and which by the verdict rather than by their p.

    Of those that compete, their cards say the same; a baseline's pairs have a star or none.
    """
    starred = _shades(view, pairs, p) > _UNSHOWN
    standing = view.evidence.standing
    compete = (standing.rank_low[pairs.better] > 0) & (standing.rank_low[pairs.worse] > 0)
    separated = np.where(compete, standing.better[pairs.better, pairs.worse], starred)
    return separated, starred & (p >= _levels(view)[_UNSHOWN])


def _shades(view: MetricView, pairs: Pairs, p: Floats) -> Ints:
    """Return the mark of each pair [k], 0 for none up to 4 for three stars."""
    shades = np.asarray(np.sum([p < level for level in _levels(view)], axis=0), dtype=np.intp)
    # Nobody who may be the best is marked as worse than another.
    may_win = view.evidence.verdict.possible_winners[pairs.worse]
    shades = np.where(may_win, np.minimum(shades, _UNSHOWN), shades)
    # What the verdict shows has a star, whatever the test of all pairs says.
    implied = view.evidence.standing.better[pairs.better, pairs.worse] & (shades <= _UNSHOWN)
    return np.where(implied & ~may_win, _UNSHOWN + 1, shades)


def _pair_grid(view: MetricView, pairs: Pairs, p: Floats) -> tuple[Ints, Ints]:
    """Return each pair's number and shade [m, m] below the diagonal, by place in the order."""
    m, place = len(view.order), np.argsort(view.order)
    upper, lower = place[pairs.better], place[pairs.worse]
    number = np.full((m, m), -1, dtype=np.intp)
    number[np.maximum(upper, lower), np.minimum(upper, lower)] = np.arange(len(upper))
    shades = _shades(view, pairs, p)
    grid = np.where(number >= 0, shades[number] if len(shades) else 0, 0)
    return number, grid


def _pair_map(view: MetricView, grid: Ints) -> Drawing:
    """Return the map of all pairs: the shade of a cell says how sure the difference is."""
    say = view.say
    order, m, few = view.order, len(view.order), len(view.order) <= FEW
    return matrix(
        Heading(
            f"pairs-{view.index + 1}",
            f"{say('All pairs')} · {view.label}",
            say(
                "The lower triangle shows {pairs}; separated at p < {level}: {separated}. The "
                "table that goes with it has the numbers.",
                pairs=say("{count:n} pair", "{count:n} pairs", count=m * (m - 1) // 2),
                level=_level(view),
                separated=view.count(int((grid >= 2).sum())),
            ),
        ),
        grid,
        [view.marks[i] for i in order],
        say("Compared with rank"),
        _shades_named(view),
        names=[f"{view.short_names[i]} {view.marks[i]}" for i in order] if few else (),
        triangle=True,
        symbols=_MARKS,
    )


def _pair_counts(view: MetricView, grid: Ints) -> ResultTable:
    """Count for every entry, best first, from how many it is separated."""
    separated, place = grid >= 2, np.argsort(view.order)
    below, above = separated.sum(axis=0)[place], separated.sum(axis=1)[place]
    counts = (below, above, len(grid) - 1 - below - above)
    columns = (
        view.words("rank", view.say("Rank"), view.marks.__getitem__, numeric=True),
        view.entry,
        *(
            view.counts(key, view.say(heading), found.item)
            for (key, heading), found in zip(_SEPARATED.items(), counts, strict=True)
        ),
    )
    caption = view.say(
        "Number of entries from which each entry is separated by {metric}, at p < {level}.",
        level=_level(view),
    )
    return view.table("pairwise", caption, view.order, columns, excerpt=view.excerpt(view.order))


def _pair_records(pairs: Pairs, entries: Sequence[str]) -> tuple[tuple[CellValue, ...], ...]:
    """Return every pair as one record, its header first."""
    columns = {
        "better": [entries[i] for i in pairs.better.tolist()],
        "worse": [entries[i] for i in pairs.worse.tolist()],
        "difference": pairs.observed.tolist(),
        "ci_low": pairs.low.tolist(),
        "ci_high": pairs.high.tolist(),
        "p_one_sided": pairs.p_one_sided.tolist(),
        **{f"p_{key}": p.tolist() for key, p in pairs.p_adjusted.get("all", {}).items()},
        "p_max_t": pairs.p_max_t.tolist(),
    }
    return (tuple(columns), *zip(*columns.values(), strict=True))
