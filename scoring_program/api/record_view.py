"""A metric's record in results.json with the words and number formats to show it, in notebooks too.

So a result that was read shows what the comparison showed that wrote it.
"""

from __future__ import annotations

import base64
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ..core import catalogs
from ..core.errors import DeadheatError
from ..core.phrases import MISSING
from ..core.version import install_line
from ..document.figures.photo_finish import (
    PAGE,
    Runner,
    bar_of,
    dot_of,
    foremost,
    is_beyond,
    photo_finish,
    track,
)
from ..document.html import INK, bare, environment
from ..document.marks import Drawing
from ..document.shortening import file_part, letters_of
from ..document.take_away import Cell, ResultTable, TableColumn, cell
from ..inference.evidence import PROJECTION, WITHHELD
from ..reading.formats.kind import ROWS
from ..report.numbers import decimals_to_show
from ..report.sections.ranking import ROWS_OF_FIGURE
from ..report.view import RULES, WINNER, MetricWords
from . import rows
from .rows import RankingRow, WarningRow

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Height of a row of a picture on an axis, and of what stands above and below, in inches.
_ROW = 0.25
_AROUND = 0.8
_WIDTH = 6.9
#: The columns of a notebook.
_ALIGNED = ("right", "left", "right", "right", "right", "left")


class RecordView(MetricWords):
    """The record of one metric, and the whole document of results.json around it."""

    def __init__(self, record: Mapping[str, Any], document: Mapping[str, Any]) -> None:
        self.rows = rows.ranking(record)  # best first
        self.possible_winners = rows.possible_winners(record)
        self.kind = str(document.get("kind", ROWS))
        code = document["settings"].get("language")
        self.language = catalogs.load(code if code in catalogs.languages() else "en", self.kind)
        self.label = self.language.metric(str(record.get("label", record["name"])))
        ranks = record["name"] == document["metrics"][0]["name"]
        self.suffix = "" if ranks else f"_{file_part(record['name'])}"
        self.rule = self.language.say(RULES[record["tie_rule"]])
        self.confidence = self.numerals.exact_percent(float(record["confidence"]))
        whole = int(document["n"])
        tasks = [metric.get("task") for metric in document["metrics"]]
        is_of_whole = any(tasks) and record.get("task") is None
        self.n = whole if is_of_whole else int(record.get("n", whole))
        scores, errors = zip(*((row.score, row.standard_error) for row in self.rows), strict=True)
        of_pairs = (row.standard_error for row in rows.differences(record))
        first = next(row for row in self.rows if not row.baseline)
        self.decimals = decimals_to_show(scores, errors, of_pairs, first.standard_error)
        self.only_ranks = record["tie_rule"] == PROJECTION
        self.withheld = record["tie_rule"] == WITHHELD
        self.withdrawn_because = (record.get("verdict") or {}).get("withdrawn_because")
        self.sign = 1 if record["greater_is_better"] else -1
        self.best = first.score
        bars = (row.get("bar") or (math.nan, math.nan) for row in record["entries"])
        self._bars = [(near, math.inf if far is None else far) for near, far in bars]

    def rank(self, row: RankingRow) -> str:
        """Return the rank of an entry, or a dash for a baseline."""
        return MISSING if row.baseline else self.count(row.rank)

    def places(self, row: RankingRow) -> str:
        """Return "2", "1–5", or "≥ 2" where nothing limits how far behind the entry may be."""
        return MISSING if row.rank_low is None else self.numerals.ranks(row.rank_low, row.rank_high)

    @property
    def ranking_table(self) -> ResultTable:
        """The ranking as a table of a paper: the columns of ``tables/ranking.tex``."""

        def bold(text: Callable[[RankingRow], str]) -> Callable[[RankingRow], Cell]:
            return lambda row: cell(text(row), strong=row.rank == 1 and not row.baseline)

        def named(row: RankingRow) -> Cell:
            mark = WINNER if compared and row.entry in self.possible_winners else ""
            return cell(row.entry, strong=row.rank == 1 and not row.baseline, paper_mark=mark)

        compared = len(self.rows) > 1

        columns = (
            self.words("rank", self.say("Rank"), self.rank, numeric=True),
            (TableColumn(("entry",), self.say("Entry")), named),
            (TableColumn(("score",), self.label, True), bold(lambda row: self.score(row.score))),
            self.words("ci", self.interval_heading, lambda row: self.interval(row.low, row.high)),
            self.words("places", self.say("Places"), self.places, numeric=True),
        )
        note = self.ranking_note if compared else ""
        return self.table("ranking", self.ranking_caption, self.rows, columns, note=note)

    @cached_property
    def all_runners(self) -> list[Runner]:
        """Every entry as a photo finish shows it, best first."""
        winners = self.possible_winners
        return [
            self.runner(row.entry, row.score, bar, self.places(row), winner=row.entry in winners)
            for row, bar in zip(self.rows, self._bars, strict=True)
        ]

    @cached_property
    def runners(self) -> list[Runner]:
        """What the photo finish shows: all possible winners, and the next entries."""
        return foremost(self.all_runners, ROWS_OF_FIGURE)

    @property
    def note(self) -> str:
        """Say what is drawn where there are no bars, and how many entries are not shown."""
        has_bars = not all(math.isnan(runner.far) for runner in self.runners)
        drawn = "" if has_bars else self.without_bars
        return f"{drawn} {self.left_out(len(self.rows) - len(self.runners))}".strip()

    @property
    def svg(self) -> str | None:
        """The photo finish as SVG; None of a single entry."""
        if len(self.rows) < 2:
            return None
        title = self.say("Photo finish by {metric}")
        heading = Drawing("finish", title, title)
        label = self.numerals.fixed
        drawn = photo_finish(heading, self.runners, self.finish_headings, label, self.note, PAGE)
        return bare(drawn, "column.css.j2")

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the photo finish on an axis of matplotlib, a new one by default, and return it.

        Raises
        ------
        DeadheatError
            matplotlib is not installed.
        """
        if ax is None:
            try:
                from matplotlib import pyplot
            except ModuleNotFoundError as error:
                raise DeadheatError(f"plot() needs matplotlib: {install_line('plot')}") from error
            size = _WIDTH, _ROW * len(self.runners) + _AROUND
            ax = pyplot.subplots(figsize=size, layout="constrained")[1]
        if not hasattr(ax, "plot"):
            raise DeadheatError(
                f"ax: found {type(ax).__name__}; give one axis of matplotlib, such as axes[0]"
            )
        scale = track(self.runners, 0, 1)
        behind, label, places = self.finish_headings
        headings = Runner(behind, 0, 0, 0, "", label, places)
        for y, runner in enumerate(self.runners):
            color = INK["accent" if runner.winner else "quiet"]
            bar = bar_of(runner, scale)
            if bar is not None:
                ax.plot(bar, (y, y), color=color, linewidth=2.5, solid_capstyle="butt")
            if is_beyond(runner, scale) or runner.far > scale.low:
                ax.plot(scale.low, y, "<", color=color, clip_on=False)
            if is_beyond(runner, scale):
                _write(ax, 0, y, 8, runner.distance, ha="left", color=color)
            elif (drawn_at := dot_of(runner, scale)) is not None:
                ax.plot(drawn_at, y, "o", color=color, markersize=5.5, clip_on=False)
        end = 12.0
        for column in ("score", "places"):
            texts = [getattr(row, column) for row in (headings, *self.runners)]
            end += 6.5 * max(map(letters_of, texts)) + 8
            _write(ax, 1, -1, end, texts[0], color=INK["muted"])
            for y, text in enumerate(texts[1:]):
                _write(ax, 1, y, end, text)
        # The finish line: black and white in turn.
        ax.axvline(0, color=INK["text"], linewidth=3, zorder=1)
        ax.axvline(0, color=INK["paper"], linewidth=3, linestyle=(0, (1, 1)), zorder=1)
        ax.set_xlim(scale.low, scale.high)
        ax.set_ylim(len(self.runners) - 0.5, -0.5)
        ax.set_yticks(range(len(self.runners)), [runner.name for runner in self.runners])
        for name in ax.get_yticklabels():
            name.set_parse_math(False)  # a name is no formula
        ax.tick_params(axis="y", length=0, pad=8)
        ax.grid(axis="x", color=INK["rule"])
        ax.set_axisbelow(True)
        ax.spines[["left", "right", "top"]].set_visible(False)
        ax.set_xlabel("\n".join(filter(None, (behind, self.note))), parse_math=False)
        return ax


def _write(ax: Axes, x: int, y: float, apart: float, text: str, **style: Any) -> None:
    """Write on row ``y``, so many points from the left (0) or right (1) end of the axis."""
    beside_axis = ax.get_yaxis_transform()
    points = "offset points"
    ax.annotate(
        text, (x, y), (apart, 0), beside_axis, points, **{"ha": "right", "va": "center", **style},
        annotation_clip=False, parse_math=False,
    )  # fmt: skip


def exhibited(exhibits: Iterable[tuple[str, Sequence[WarningRow], RecordView]]) -> str:
    """Return metrics as HTML for a notebook: what is said of each, its warnings and its ranking."""
    template = environment().get_template("notebook.html.j2")
    return template.render(exhibits=[_exhibit(*exhibit) for exhibit in exhibits])


def _exhibit(sentence: str, warnings: Sequence[WarningRow], view: RecordView) -> dict[str, Any]:
    """Return what the template shows of a metric; cells stand with their alignment."""
    marked = "Possible winner" if view.calls_winners else "Leader, or tied with it"
    table = [("Rank", "Entry", view.label, "Interval", "Places", marked)]
    for row, cells in zip(view.rows, view.ranking_table.rows, strict=True):
        winner = "yes" if row.entry in view.possible_winners else "no"
        rank, entry, score, interval, places = (cell.text for cell in cells)
        table.append((rank, entry, score, interval, places, "baseline" if row.baseline else winner))
    drawn = view.svg
    return {
        "sentence": sentence,
        "cautions": warnings,
        # As an image, the picture's style does not affect the notebook.
        "picture": None if drawn is None else base64.b64encode(drawn.encode()).decode(),
        "label": view.label,
        "table": [list(zip(_ALIGNED, row, strict=True)) for row in table],
    }
