"""The scores on single cases, and their ranks by other ranking schemes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ...core.phrases import MISSING, gettext_noop
from ...document.blocks import Paragraph, Picture, Section, passage, together
from ...document.figures.grids import MOST_DOTS, cases
from ...document.marks import Drawing, Heading, Key
from ...document.take_away import Cell, ResultTable, TableColumn, cell
from ...inference.evidence import RankingSchemes
from ..view import FilledColumn, MetricView

#: In the order of the columns.
_SCHEMES = {
    "mean": gettext_noop("mean"),
    "median": gettext_noop("median"),
    "mean_rank": gettext_noop("mean rank within units"),
    "wins": gettext_noop("significant wins"),
}


def sections(views: Sequence[MetricView]) -> Iterator[Section]:
    """Yield who is first by each scheme, and below it every entry's value and rank by each."""
    schemes = ((view, view.evidence.schemes) for view in views)
    shown = [(view, found) for view, found in schemes if found is not None]
    if not shown:
        return
    say = views[0].say
    table = _leaders(views[0], shown)
    folds, pictures = [], []
    for view, found in shown:
        ranks = schemes_table(view, found)
        pictures.append(Picture(f"cases{view.suffix}", cases_figure(view, found), "panel"))
        blocks = passage((_summary(view, found),), ranks.caption, ranks)
        folds.append(Section("", view.say("Ranking schemes: {metric}"), blocks, folded=True))
    marks = max((picture.figure.heading.legend for picture in pictures), key=len)
    blocks = (
        Paragraph(" ".join(key.text for key in marks), "note"),
        together(*pictures, style="panels"),
        *passage(
            caption=table.caption,
            table=table,
            note=say(
                "Significant wins: one-sided Wilcoxon signed-rank tests of all pairs, adjusted by "
                "Holm; of groups, their means are tested. The number of wins has no interval, "
                "because it jumps where a p-value passes the level. For an interval of another "
                "scheme, make it a metric."
            ),
        ),
        *folds,
    )
    yield Section("schemes", say("Ranking schemes"), blocks)


def cases_figure(view: MetricView, schemes: RankingSchemes) -> Drawing:
    """Return the scores of every entry on single cases."""
    say, entries = view.say, schemes.entries.tolist()
    title = say("Scores on single cases: {metric}")
    said = [say("Box: the middle half, with the median. Thin line: nine tenths of the cases.")]
    if schemes.cases.size <= MOST_DOTS:
        said.insert(0, say("Dot: one case."))
    legend = tuple(Key("note", text) for text in said)
    return cases(
        Heading(f"cases-{view.index + 1}", title, " ".join(said), legend),
        [view.evidence.names[i] for i in entries],
        schemes.cases,
        [view.shape(i) for i in entries],
        say("{metric}, {direction}"),
        view.numerals.fixed,
    )


def _leaders(writer: MetricView, shown: Sequence[tuple[MetricView, RankingSchemes]]) -> ResultTable:
    """Return a row a metric, or task, and a column a scheme: who is first.

    Schemes disagree only where no entry is first by all of them.
    """
    say, rows = writer.say, [(view, *_first(found)) for view, found in shown]

    def column(scheme: str) -> FilledColumn:
        def leaders(row: tuple[MetricView, Mapping[str, list[int]], list[int]]) -> str:
            return row[0].listed(row[1][scheme]) if scheme in row[1] else MISSING

        return writer.words(scheme, say(_SCHEMES[scheme]), leaders)

    def verdict(row: tuple[MetricView, Mapping[str, list[int]], list[int]]) -> Cell:
        agree = bool(row[2])
        return cell(say("agree") if agree else say("disagree"), int(agree), strong=not agree)

    columns = (
        writer.words("metric", say("Metric"), lambda row: row[0].label),
        *map(column, _SCHEMES),
        (TableColumn(("agree",), say("Schemes")), verdict),
    )
    caption = say("Who is first by each ranking scheme.")
    return writer.table("schemes_compared", caption, rows, columns, style="cards compared listed")


def _first(found: RankingSchemes) -> tuple[dict[str, list[int]], list[int]]:
    """Return scheme → who is first by it, and who is by all; wins that separate nobody are none."""
    none_wins = bool((found.ranks["wins"] == 1).all())
    first = {
        scheme: found.entries[ranks == 1].tolist()
        for scheme, ranks in found.ranks.items()
        if scheme != "wins" or not none_wins
    }
    return first, [i for i in first["mean"] if all(i in entries for entries in first.values())]


def schemes_table(view: MetricView, found: RankingSchemes) -> ResultTable:
    """Return each entry's value and rank by every scheme, best first."""
    place = {entry: place for place, entry in enumerate(found.entries.tolist())}

    def column(scheme: str) -> FilledColumn:
        values, ranks = found.values[scheme], found.ranks[scheme]

        def shown(entry: int) -> Cell:
            value, rank = float(values[place[entry]]), int(ranks[place[entry]])
            text = f"{_text(view, scheme, value)} ({view.count(rank)})"
            return cell(text, value, rank, strong=rank == 1)

        return TableColumn((scheme, f"rank_by_{scheme}"), view.say(_SCHEMES[scheme]), True), shown

    caption = view.say(
        "What each entry gets by four ranking schemes of {metric}, and in parentheses its rank by "
        "each."
    )
    return view.table("schemes", caption, place, (view.entry, *map(column, found.values)))


def _text(view: MetricView, scheme: str, value: float) -> str:
    if scheme == "wins":
        return view.count(int(value))
    return view.numerals.fixed(value, 2) if scheme == "mean_rank" else view.score(value)


def _summary(view: MetricView, found: RankingSchemes) -> str:
    """Say who is first by how many of the schemes, leaving out tests that separate nobody.

    Schemes disagree only where no entry is first, alone or with others, by all of them.
    """
    say = view.say
    first, by_all = _first(found)
    none_wins = "wins" not in first
    if by_all:
        return say(
            "No win is significant. By every other scheme, {entries} is first."
            if none_wins
            else "By every scheme, {entries} is first.",
            entries=view.listed(by_all),
        )
    of_schemes = [
        say("{scheme}: {entries}", scheme=say(_SCHEMES[scheme]), entries=view.listed(entries))
        for scheme, entries in first.items()
    ]
    differ = say(
        "The schemes put different entries first: {schemes}.", schemes="; ".join(of_schemes)
    )
    return f"{differ} {say('No win is significant.')}" if none_wins else differ
