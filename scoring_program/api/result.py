"""The result of a comparison: the numbers of results.json by name, and the page."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from ..core import catalogs
from ..core.errors import DeadheatError, OrganizerError, nearest
from ..core.legible import legible
from ..document.html import Document
from ..document.take_away import to_latex
from ..pipeline import EvaluatedCompetition
from ..report import build, figures, page, summaries
from ..report.assemble import files
from ..report.findings import Findings
from ..report.results_json import measures_of, read_document, results_json
from ..report.write import write
from . import rows
from .reports import briefly
from .rows import (
    DifferenceRow,
    FrontTeams,
    MeasureRow,
    PairRow,
    PrizeTeams,
    RankingRow,
    Rows,
    SliceRow,
    WarningRow,
    unanswered,
)

if TYPE_CHECKING:  # platforms' programs lack the audit and matplotlib
    from matplotlib.axes import Axes

    from ..audit.page import AuditResult
    from .record_view import RecordView
else:  # so that hints of types are resolved without them
    Axes = AuditResult = RecordView = Any


class Signature(dict[str, str]):
    """What is needed to reproduce the numbers: name → value. As text, it is one line to paste."""

    def __str__(self) -> str:
        parts = [f"{key}:{value}" for key, value in self.items() if not key.startswith("sha256")]
        for hashed, short in (
            ("sha256 of the reference data", "ref"),
            ("sha256 of people's scores", "people"),
        ):
            parts += [f"{k.replace(hashed, short)}:{self[k][:12]}" for k in self if hashed in k]
        return "|".join(parts)


class Lead:
    """Who leads by one metric, and who may be the best; built by `Result`."""

    @cached_property
    def _document(self) -> Mapping[str, Any]:
        """The content of results.json."""
        raise NotImplementedError

    @cached_property
    def _record(self) -> Mapping[str, Any]:
        """The metric's record in it: that of the ranking metric, unless another is set."""
        record: Mapping[str, Any] = self._document["metrics"][0]
        return record

    if not TYPE_CHECKING:  # type checkers know what there is

        def __getattr__(self, name: str) -> Any:
            """Answer an attribute of other libraries' results with the name here."""
            attributes = {*dir(Result), *dir(MetricResult)}
            return unanswered(self, name, attributes)

    @property
    def _view(self) -> RecordView:
        from .record_view import RecordView  # late, as below: commands show no record

        return RecordView(self._record, self._document)

    @property
    def _verdict(self) -> Mapping[str, Any]:
        """The record of the verdict; empty in results of an older schema."""
        return self._record.get("verdict") or {}

    @property
    def leader(self) -> str:
        """The entry of the team with the best score; if several share it, the first by name."""
        return str(self._record["leader"])

    @property
    def tied(self) -> tuple[str, ...]:
        """Entries tied with the leader under the tie rule, best first, without the leader."""
        return tuple(entry for entry in self.possible_winners if entry != self.leader)

    @property
    def possible_winners(self) -> tuple[str, ...]:
        """Entries that may be the best, best first, the leaders among them."""
        return rows.possible_winners(self._record)

    @property
    def verified(self) -> str | None:
        """The sole winner, if the data verify it (Gutmann and Maymin 1987); else None."""
        return self._verdict.get("verified")

    @property
    def places(self) -> int | None:
        """The number of prize places, if the test set settles who takes them."""
        return self._verdict.get("verified_places")

    @property
    def prizes(self) -> PrizeTeams | None:
        """Which teams are sure of one of the first places, may take one, or are out; best first.

        None without the setting ``prizes``, and of a saved result of an older version.
        """
        record = self._record.get("prizes")
        return None if record is None else rows.prizes(record)

    @property
    def front(self) -> FrontTeams | None:
        """Which teams may be the best for their costs, and what rules the others out.

        None without ``costs``, and of a saved result of an older version.
        """
        record = self._record.get("front")
        return None if record is None else rows.front(record)

    @cached_property
    def ranking(self) -> Rows[RankingRow]:
        """The entries with their scores, intervals and rank ranges, best first."""
        return rows.ranking(self._record)

    @briefly
    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the photo finish with matplotlib: how far behind the best every entry may truly be.

        Distances from the best are in the metric's own units. A bar reaches the finish line at zero
        exactly where its entry is a possible winner, which is blue; dots are the distances
        observed. Many entries are the possible winners and the next ones.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            The axis to draw on; by default that of a new figure.

        Returns
        -------
        matplotlib.axes.Axes

        Raises
        ------
        DeadheatError
            matplotlib is not installed.
        """
        return self._view.plot(ax)


class MetricResult(Lead):
    """The results of one metric; built by `Result`."""

    def __init__(self, record: Mapping[str, Any], document: Mapping[str, Any]) -> None:
        self._record = record
        self._document = document

    def __repr__(self) -> str:
        tied = f", tied with {', '.join(self.tied)}" if self.tied else ""
        return legible(f"<MetricResult {self.name}: {self.leader} leads{tied}>")

    def _repr_html_(self) -> str:
        from .record_view import exhibited

        return exhibited([self._exhibit])

    @property
    def _exhibit(self) -> tuple[str, Sequence[WarningRow], RecordView]:
        return self._verdict.get("sentence") or repr(self), self.warnings, self._view

    @property
    def name(self) -> str:
        """Key of the metric."""
        return str(self._record["name"])

    @property
    def label(self) -> str:
        """What people call the metric; "macro F1" of the key "f1_macro"."""
        return str(self._record.get("label", self.name))

    @property
    def greater_is_better(self) -> bool:
        """Whether a higher score is better."""
        return bool(self._record["greater_is_better"])

    def to_dict(self) -> dict[str, Any]:
        """Return a copy of everything about the metric, as in results.json."""
        return copy.deepcopy(dict(self._record))

    def to_frame(self) -> Any:
        """Return the ranking as a `pandas.DataFrame`, one row per entry, best first.

        Raises
        ------
        DeadheatError
            pandas is not installed.
        """
        return self.ranking.to_frame()

    def to_latex(self) -> str:
        """Return the ranking as a LaTeX table for a paper, as in ``tables/ranking.tex``."""
        return to_latex(self._view.ranking_table)

    @property
    def warnings(self) -> tuple[WarningRow, ...]:
        """Warnings about how far the results by this metric can be trusted."""
        return tuple(item for item in rows.warnings(self._document) if item.metric == self.name)

    @cached_property
    def differences(self) -> Rows[DifferenceRow]:
        """How far the leader, or the reference entry, is ahead of every other entry."""
        return rows.differences(self._record)

    @cached_property
    def pairs(self) -> Rows[PairRow]:
        """All pairs of entries, in the order of the ranking."""
        return rows.pairs(self._record)

    @cached_property
    def slices(self) -> Rows[SliceRow]:
        """Every entry within every slice of the test set, if the settings name slices."""
        return rows.slices(self._record)

    @cached_property
    def competitiveness(self) -> Rows[MeasureRow]:
        """How close the competition is (Nava-Muñoz, Graff and Escalante 2024, Table 6)."""
        return rows.competitiveness(self._record)


class Result(Lead, Mapping[str, MetricResult]):
    """Metric → `MetricResult`, the ranking metric first, which says who leads and who is tied.

    A result is made from the evaluation of a run, or from the ``content`` of a results.json. The
    latter has no page to write and no arrays to audit. `to_dict` returns all content of
    results.json. ``again`` compares the same entries and one more. ``report`` is the page of the
    evaluation, if it was built for the files.
    """

    def __init__(
        self,
        evaluation: EvaluatedCompetition | None = None,
        content: Mapping[str, Any] | None = None,
        again: Callable[[str, Any], Result] | None = None,
        report: Document | None = None,
    ) -> None:
        self._evaluation = evaluation
        self._built = report
        self._given = content
        self._again = again

    @property
    def _findings(self) -> Findings | None:
        return None if self._evaluation is None else self._evaluation.findings

    @cached_property
    def _report(self) -> Document:
        if self._findings is None:
            raise DeadheatError(
                "this result was read from results.json, which holds no page; run the comparison "
                "again"
            )
        return self._built or build(self._findings)

    @cached_property
    def _document(self) -> Mapping[str, Any]:
        if self._evaluation is None:
            return self._given or {}
        if self._evaluation.record is not None:
            content: dict[str, Any] = json.loads(self._evaluation.record)
            return content
        return self._made(self._evaluation.findings, pairs=True)

    @cached_property
    def _summary(self) -> Mapping[str, Any]:
        """The content without pairs of entries, unless it is there with them."""
        if self._evaluation is None or self._evaluation.record is not None:
            return self._document
        return self._made(self._evaluation.findings, pairs=False)

    @cached_property
    def _record(self) -> Mapping[str, Any]:
        record: Mapping[str, Any] = self._summary["metrics"][0]
        return record

    def _made(self, findings: Findings, *, pairs: bool) -> dict[str, Any]:
        """Return the content of results.json; of the page, it needs sentences alone."""
        sentences = summaries(findings)
        # Who may see the scores only has a page of a few lines, and no other verdict.
        verdict = sentences[0] if sentences else self._report.verdict
        content: dict[str, Any] = json.loads(
            results_json(findings, verdict, sentences, pairs=pairs)
        )
        return content

    @cached_property
    def _metrics(self) -> Mapping[str, MetricResult]:
        content = self._document
        return {item["name"]: MetricResult(item, content) for item in content["metrics"]}

    def __getitem__(self, metric: str) -> MetricResult:
        # scikit-learn calls the scorers of errors neg_…; here errors are positive.
        name = metric if metric in self._metrics else str(metric).removeprefix("neg_")
        if name in self._metrics:
            return self._metrics[name]
        if metric in self.entries:
            raise KeyError(f"there is no metric {metric!r}; it is an entry, whose row .ranking has")
        hint = nearest(str(metric), self._metrics) or f"; there are {', '.join(self._metrics)}"
        raise KeyError(f"there is no metric {metric!r}{hint}")

    def __iter__(self) -> Iterator[str]:
        return iter(self._metrics)

    def __len__(self) -> int:
        return len(self._metrics)

    def _ipython_key_completions_(self) -> list[str]:
        return list(self._metrics)

    def __repr__(self) -> str:
        m = self._summary["m"]
        n = self._summary["n"]
        entries = "entry" if m == 1 else "entries"
        return legible(f"<Result of {m} {entries} on {n} examples: {self.verdict}>")

    def _repr_html_(self) -> str:
        from .record_view import exhibited

        (_, warnings, view), *exhibits_after = (metric._exhibit for metric in self.values())
        return exhibited([(self.verdict, warnings, view), *exhibits_after])

    @briefly
    def figure(
        self, name: str = "photo_finish", *, width: Literal["column", "page"] = "page"
    ) -> str:
        """Return a figure as SVG: one of ``figures/``, by its file name without extension.

        The photo finish is as wide as a ``column`` (3.3 inches) or a ``page`` (6.9 inches).

        Raises
        ------
        KeyError
            There is no figure with this name.
        DeadheatError
            The width is another, or the result was read from a file.
        """
        if width not in ("column", "page"):
            raise DeadheatError(f"width: found {width!r}; give 'column' or 'page'")
        drawn = figures(self._report)
        for file in (f"{name}.svg", f"{name}_{width}.svg"):
            if file in drawn:
                return drawn[file]
        names = [file.removesuffix(".svg") for file in drawn]
        raise KeyError(f"there is no figure {name!r}{nearest(name, names)}")

    @property
    def finish(self) -> tuple[str, ...]:
        """The photo finish as lines of letters, for a terminal; none of a saved result.

        The last line may say between what the leader's true score lies.
        """
        return () if self._findings is None else self._report.finish

    @property
    def verdict(self) -> str:
        """The result in one sentence, in the language of the page."""
        return str(self._summary["verdict"])

    @property
    def record(self) -> Mapping[str, Any]:
        """The record of the verdict by the ranking metric, as in results.json, of prizes and costs.

        Of a participant who may see the scores only, it is the sentence.
        """
        if self._findings is not None and self._findings.scores_only:
            return {"sentence": self.verdict}
        parts = {key: self._record.get(key) for key in ("prizes", "front")}
        asked = {key: record for key, record in parts.items() if record is not None}
        return copy.deepcopy({**self._verdict, **asked})

    @property
    def verified_on_all(self) -> str | None:
        """The team that is verified as the sole winner by each of several metrics; else None.

        A mean rank over tasks verifies nobody, and is left out. That a wrong one is named by all
        metrics is no more likely than by one of them (Berger 1982, intersection–union).
        """
        return rows.verified_on_all(self._summary)

    @property
    def signature(self) -> Signature:
        """What is needed to reproduce the numbers: settings, versions, hashes."""
        return Signature(self._summary["signature"])

    @property
    def unusable(self) -> Mapping[str, str]:
        """Entries that could not be scored, each with the reason."""
        return {item["entry"]: item["reason"] for item in self._summary["unusable"]}

    @property
    def unscored(self) -> Mapping[tuple[str, str], str]:
        """Scores that some entries lack: (entry, task or metrics) → reason."""
        return {
            (item["entry"], item["where"]): item["reason"]
            for item in self._summary.get("unscored", ())
        }

    @property
    def entries(self) -> tuple[str, ...]:
        """Entries that were compared, best first by the ranking metric."""
        return tuple(item["entry"] for item in self._summary["metrics"][0]["entries"])

    @property
    def warnings(self) -> tuple[WarningRow, ...]:
        """Warnings about how far the results can be trusted."""
        return rows.warnings(self._summary)

    def to_dict(self) -> dict[str, Any]:
        """Return a copy of all content of results.json."""
        copied: dict[str, Any] = json.loads(json.dumps(self._document))
        return copied

    def to_frame(self) -> Any:
        """Return the rankings by all metrics as one `pandas.DataFrame`, with a column ``metric``.

        Raises
        ------
        DeadheatError
            pandas is not installed.
        """
        pandas = rows.pandas_or_error()
        frames = {name: metric.to_frame() for name, metric in self.items()}
        return pandas.concat(frames, names=["metric", None]).reset_index("metric")

    def to_latex(self) -> str:
        """Return the rankings by all metrics as LaTeX tables for a paper."""
        return "\n".join(metric.to_latex() for metric in self.values())

    @briefly
    def add(self, name: str, predictions: Any) -> Result:
        """Return the comparison of the same entries and one more.

        It is the result of comparing all at once: every entry meets the same resamples, and
        corrections count one entry more.

        Parameters
        ----------
        name : str
            What the new entry is called; no other entry has this name.
        predictions : array-like
            As an item of ``predictions``, or of ``scores``, in the call that made this result.

        Raises
        ------
        DeadheatError
            The result comes from folders or was read from a file, or the name is taken.
        """
        if self._again is None:
            raise DeadheatError(
                "add() needs the arrays that were compared, and this result comes from files; "
                "put the submission beside the others and score them again"
            )
        if name in {*self.entries, *self.unusable}:
            raise DeadheatError(f"add(): there is an entry {name!r} already; give another name")
        return self._again(name, predictions)

    @briefly
    def incomparable_with(self, other: Result, metric: str | None = None) -> str:
        """Return why scores of this result and another are not compared; empty if they are.

        It is what ``deadheat compare`` says: the metrics, by default those that rank, differ in
        what decides their values, such as a parameter, a tokenizer or a library's version.

        Raises
        ------
        OrganizerError
            A result lacks the metric.
        """
        from ..report.comparison import not_compared

        file = Path("results.json")
        measures = [measures_of(result._document, file, metric) for result in (self, other)]
        return not_compared(measures, catalogs.load("en"))

    @briefly
    def to_html(self, path: str | Path | None = None) -> str:
        """Return the detailed-results page, one self-contained HTML file, and write it to a path.

        Raises
        ------
        OrganizerError
            The file cannot be written.
        DeadheatError
            The result was read from a file.
        """
        text = page(self._report)
        if path is None:
            return text
        try:
            Path(path).write_text(text, encoding="utf-8")
        except OSError as error:
            raise OrganizerError(
                f"{path}: the page cannot be written ({error.strerror}); name a file in a folder "
                "that exists"
            ) from error
        return text

    def save(self, output: str | Path, figures: Sequence[str] | None = None) -> None:
        """Write every output of ``deadheat score`` to the folder ``output``, all or none.

        Parameters
        ----------
        output : path
            Folder that is written, or replaced.
        figures : sequence of {"pdf", "png"}, optional
            Formats in which every figure is written beside SVG. By default, those that the setting
            ``figures`` names.

        Raises
        ------
        OrganizerError
            The folder cannot be written, or ``deadheat[figures]`` is not installed.
        DeadheatError
            The result was read from a file.
        """
        report = self._report  # raises where there is none
        if self._findings is not None:
            write(Path(output), files(self._findings, report, figures))

    def audit(
        self, regraded: str | Path | None = None, public: str | Path | None = None
    ) -> AuditResult:
        """Audit the competition: what to look at again before the winners are announced.

        Parameters
        ----------
        regraded : path, optional
            Gold file with changed labels, of all examples or of some. The audit then says what
            they change.
        public : path, optional
            results.json of the public leaderboard, if it is a run of its own.

        Raises
        ------
        OrganizerError
            There is a single submission only, ``regraded`` does not fit the reference data, or
            ``public`` has another metric or other entries.
        DeadheatError
            The result was read from results.json.
        """
        from ..audit.competition_audit import audit

        evaluation = self._evaluated("audit")
        public_scores = None
        if public is not None:
            ranking = _public_ranking(Path(public), evaluation.findings)
            public_scores = {row.entry: (row.score, row.standard_error) for row in ranking}
        return audit(evaluation, public_scores, None if regraded is None else Path(regraded))

    def plan(self, entries: int = 10, others: Sequence[str | Path] = ()) -> AuditResult:
        """Plan a competition from its gold and two serious baselines, which are the entries here.

        Parameters
        ----------
        entries : int
            Number of entries that are expected.
        others : sequence of paths
            Files that must not hold test examples, such as the training set.

        Raises
        ------
        OrganizerError
            A file cannot be read, ``entries`` is below two, or the scores of the baselines do not
            vary.
        DeadheatError
            The result was read from results.json.
        """
        from ..audit.plan import plan

        return plan(self._evaluated("plan"), entries, list(map(Path, others)))

    def _evaluated(self, what: str) -> EvaluatedCompetition:
        if self._evaluation is None:
            raise DeadheatError(
                f"this result was read from results.json, which holds no predictions to {what}; "
                "run the comparison again"
            )
        if any(part.gold.sizes is not None for part in self._evaluation.competition.parts):
            raise OrganizerError(
                f"to {what}, single examples are needed, and of Parquet parts as large as these "
                "only the counts of equal rows are held"
            )
        return self._evaluation


def _public_ranking(path: Path, findings: Findings) -> Rows[RankingRow]:
    """Return the public ranking by the metric that ranks in private.

    Raises OrganizerError if it has another metric, or none of the entries.
    """
    public = Result(content=read_document(path))
    private = findings.evidence[0]
    name = private.metric.name
    if name not in list(public):
        raise OrganizerError(
            f"{path}: its metrics are {', '.join(public)}, but the private ranking is by {name}; "
            "score both by the same metric"
        )
    ranking = public[name].ranking
    if not {row.entry for row in ranking} & set(private.names):
        raise OrganizerError(
            f"{path}: none of its entries is in res/; use the results of the same teams"
        )
    return ranking
