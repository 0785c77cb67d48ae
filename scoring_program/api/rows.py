"""Rows of a result's tables: frozen, with named fields, and easy to convert to a data frame."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, TypeVar

from ..core.errors import DeadheatError
from ..inference.evidence import PROJECTION
from ..report.results_json import flat, values_of


@dataclass(frozen=True)
class RankingRow:
    """One entry: its rank, its score with an interval, and the ranks that it may truly have.

    Each end of its places, ``rank_low`` and ``rank_high``, holds with the stated confidence for an
    entry that was chosen beforehand; for whoever came first, with less.

    ``score``, ``standard_error``, ``low`` and ``high`` are in the metric's own units. A baseline
    has the rank that it would have as a competing entry, and is never tied.

    The entry is at most ``distance_from_best`` worse than the best one, in the metric's own units,
    for all entries at once with the stated confidence; nan for a baseline. A baseline has no rank
    range, and neither has a run for whose team another stands: None.
    """

    entry: str
    rank: int
    score: float
    standard_error: float
    low: float
    high: float
    tied_with_leader: bool
    rank_low: int | None
    rank_high: int | None
    distance_from_best: float
    baseline: bool


@dataclass(frozen=True)
class PrizeTeams:
    """Which teams are sure of one of the first ``places``, may take one, or are out, best first.

    All of it holds at once with ``confidence``. Without one, the teams are None, and ``reason``
    says what withdraws it, as in results.json.
    """

    places: int
    sure: tuple[str, ...] | None
    open: tuple[str, ...] | None
    out: tuple[str, ...] | None
    confidence: float | None
    reason: str | None


@dataclass(frozen=True)
class FrontTeams:
    """Which teams may be the best for their ``costs``, and which are ruled out, best first.

    ``excluded`` maps each of the others to a team that rules it out and costs no more. A
    team that is the best for its cost, chosen beforehand, is ``on`` the front with ``confidence``.
    Without one, both are None, and ``reason`` says what withdraws it, as in results.json.
    """

    costs: Mapping[str, float]
    measured: bool
    on: tuple[str, ...] | None
    excluded: Mapping[str, str] | None
    confidence: float | None
    reason: str | None


@dataclass(frozen=True)
class DifferenceRow:
    """How far the leader, or the reference entry, is ahead of one entry, in the metric's units.

    ``observed`` is positive if the leader is better, whatever the direction of the metric.
    ``p_adjusted`` maps "bonferroni", "holm" and "fdr_bh" to the p-value adjusted for all
    comparisons with the leader.
    """

    entry: str
    observed: float
    standard_error: float
    low: float
    high: float
    p_one_sided: float
    p_two_sided: float
    p_adjusted: Mapping[str, float]


@dataclass(frozen=True)
class PairRow:
    """How far one entry is ahead of another.

    ``p_max_t`` is the p-value of "``better`` is better than ``worse``", simultaneous over all pairs
    (step-down max-T; Romano and Wolf 2005). Of more than 100 entries, sizes have three digits of
    their standard error, which itself is nan: results.json leaves it out.
    """

    better: str
    worse: str
    observed: float
    standard_error: float
    low: float
    high: float
    p_one_sided: float
    p_max_t: float


@dataclass(frozen=True)
class SliceRow:
    """An entry in a slice of the test set: the ``n`` examples with a ``value`` in a ``column``.

    The interval, ``low`` to ``high``, holds for all entries in all slices at once; nan where there
    is only a score. ``other_leader`` is who leads the slice, if the overall leader is shown not to
    be the best there, else empty.
    """

    column: str
    value: str
    n: int
    entry: str
    score: float
    low: float
    high: float
    other_leader: str


@dataclass(frozen=True)
class MeasureRow:
    """One measure of how close the competition is; nan if it does not apply.

    Source: Nava-Muñoz, Graff and Escalante 2024, Table 6.
    """

    measure: str
    value: float


@dataclass(frozen=True)
class WarningRow:
    """A warning about the results of one metric; ``level`` is "red" or "amber"."""

    level: str
    metric: str
    code: str
    message: str


Row = TypeVar("Row", RankingRow, DifferenceRow, PairRow, SliceRow, MeasureRow, WarningRow)


class Rows(tuple[Row, ...]):
    """The rows of one table, in its order."""

    __slots__ = ()

    if not TYPE_CHECKING:  # type checkers know what there is

        def __getattr__(self, name: str) -> Any:
            """Answer a method of data frames with the way to one."""
            return unanswered(self, name, ("to_frame",))

    def to_frame(self) -> Any:
        """Return the rows as a `pandas.DataFrame`, one column per field.

        Raises
        ------
        DeadheatError
            pandas is not installed.
        """
        return pandas_or_error().DataFrame([dict(flat(vars(row), "_")) for row in self])


def unanswered(owner: object, name: str, attributes: Iterable[str]) -> Any:
    """Raise AttributeError for what a result or its rows lack, saying which attribute to use.

    Where it is the error of a property that exists, that is raised.
    """
    kind = type(owner)
    if hasattr(kind, name):
        return object.__getattribute__(owner, name)
    from ..core.meanings import of_results  # late: platforms' runs ask for none

    public = [attribute for attribute in attributes if not attribute.startswith("_")]
    meant = "" if name.startswith("_") else of_results(name, sorted(public))
    raise AttributeError(f"{kind.__name__!r} object has no attribute {name!r}{meant}")


def pandas_or_error() -> Any:
    """Return the module pandas; raise DeadheatError if it is not installed."""
    try:
        import pandas
    except ModuleNotFoundError as error:
        raise DeadheatError("to_frame() needs pandas: pip install pandas") from error
    return pandas


def ranking(metric: Mapping[str, Any]) -> Rows[RankingRow]:
    """Return the ranking of a metric of results.json, best first."""
    ranges = (row["rank_range"] or (None, None) for row in metric["entries"])
    return Rows(
        _row(RankingRow, row, rank_low=low, rank_high=high)
        for row, (low, high) in zip(metric["entries"], ranges, strict=True)
    )


def possible_winners(metric: Mapping[str, Any]) -> tuple[str, ...]:
    """Return who may be the best, best first; an older schema calls them tied."""
    winners = (metric.get("verdict") or {}).get("possible_winners")
    leader = metric["leader"]
    tied = (
        row["entry"]
        for row in metric["entries"]
        if row["entry"] == leader or (row["tied_with_leader"] and not row["baseline"])
    )
    return tuple(tied if winners is None else winners)


def differences(metric: Mapping[str, Any]) -> Rows[DifferenceRow]:
    """Return the differences from the leader or the reference entry, without its own row."""
    difference_of = {row["entry"]: row["difference"] for row in metric["entries"]}
    rows: list[DifferenceRow] = []
    for entry, difference in difference_of.items():
        if entry != metric["reference"] and difference is not None:
            p_adjusted = _numbers(difference["p_adjusted"])
            rows.append(_row(DifferenceRow, difference, entry=entry, p_adjusted=p_adjusted))
    return Rows(rows)


def pairs(metric: Mapping[str, Any]) -> Rows[PairRow]:
    """Return all pairs of entries, in the order of the ranking."""
    pairs_of_metric = metric["pairs"]
    none = {"standard_error": None}  # of many entries
    is_of_triangles = isinstance(pairs_of_metric, Mapping)
    rows = _of_triangles(pairs_of_metric) if is_of_triangles else pairs_of_metric
    return Rows(_row(PairRow, none | row, observed=row["difference"]) for row in rows)


def _of_triangles(pairs: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield what a `PairRow` is made of from the pairs of many entries, written as triangles."""
    better = pairs["better"]
    worse = pairs["worse"]
    columns = {
        "better": (name for place, name in enumerate(better) for _ in worse[place:]),
        "worse": (name for place in range(len(better)) for name in worse[place:]),
        "difference": values_of(pairs["difference"], len(better)),
        "ci": zip(*(values_of(end, len(better)) for end in pairs["ci"]), strict=True),
        "p_one_sided": values_of(pairs["p_one_sided"], len(better)),
        "p_max_t": values_of(pairs["p_max_t"], len(better)),
    }
    return (dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True))


def slices(metric: Mapping[str, Any]) -> Rows[SliceRow]:
    """Return every entry in every slice of the test set."""
    return Rows(
        _row(SliceRow, {**slice_record, **row}, other_leader=slice_record.get("other_leader") or "")
        for slice_record in metric.get("slices", ())
        for row in slice_record["entries"]
    )


def competitiveness(metric: Mapping[str, Any]) -> Rows[MeasureRow]:
    """Return the measures of how close the competition is."""
    measures = flat(metric["competitiveness"], "_")
    return Rows(MeasureRow(name, _number(value)) for name, value in measures)


def warnings(document: Mapping[str, Any]) -> tuple[WarningRow, ...]:
    """Return the warnings by all metrics; the argument is the whole of results.json."""
    return tuple(_row(WarningRow, item) for item in document["warnings"])


def prizes(record: Mapping[str, Any]) -> PrizeTeams:
    """Return what results.json says of the prizes."""
    teams = {key: record[key] for key in ("sure", "open", "out")}
    named = {key: None if names is None else tuple(names) for key, names in teams.items()}
    return PrizeTeams(
        record["places"], **named, confidence=record["confidence"], reason=record["reason"]
    )


def front(record: Mapping[str, Any]) -> FrontTeams:
    """Return what results.json says of cost against score."""
    on = record["on"]
    excluded = record["excluded"]
    return FrontTeams(
        {team: float(cost) for team, cost in record["costs"].items()},
        record["measured"],
        None if on is None else tuple(on),
        None if excluded is None else {item["team"]: item["by"] for item in excluded},
        record["confidence"],
        record["reason"],
    )


def verified_on_all(document: Mapping[str, Any]) -> str | None:
    """Return the team that is verified as the winner by every metric of several; None without one.

    A mean rank over tasks verifies nobody, and is left out. Each claim has the stated confidence,
    and so have all together, because all of them must be made (Berger 1982).
    """
    verified = []
    for metric in document["metrics"]:
        verdict = metric.get("verdict") or {}
        if metric.get("tie_rule") == PROJECTION:
            continue
        team_of = {entry["entry"]: entry.get("team") for entry in metric["entries"]}
        winner = verdict.get("verified")
        verified.append(team_of.get(winner) or winner)
    is_one = len(verified) > 1 and len({*verified}) == 1
    return verified[0] if is_one else None


def _number(value: float | None) -> float:
    """Return a number of results.json, where null stands for nan and 1 for 1.0."""
    return math.nan if value is None else float(value)


def _numbers(values: Mapping[str, float | None]) -> Mapping[str, float]:
    return {name: _number(value) for name, value in values.items()}


def _row(kind: type[Row], record: Mapping[str, Any], **more: Any) -> Row:
    """Return a row of what a record of results.json holds under its names; "ci" is the interval.

    As of a mean rank, there may be none: its ends are nan.
    """
    low, high = record.get("ci") or (None, None)
    values = {**record, "low": low, "high": high, **more}
    arguments: dict[str, Any] = {}
    for item in fields(kind):
        value = values[item.name]
        arguments[item.name] = _number(value) if item.type == "float" else value
    return kind(**arguments)
