"""results.json: everything that is on the page, for machines, and how an earlier one is read."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice, repeat, zip_longest
from pathlib import Path
from typing import Any

import numpy as np

from ..core import catalogs, json_text
from ..core.arrays import Bools, Floats
from ..core.digits import DIGITS, significant
from ..core.errors import OrganizerError, cut, nearest, quoted
from ..core.legible import visible
from ..core.version import READABLE_SCHEMAS, SCHEMA_VERSION
from ..inference.descriptive import ComparedCompetition
from ..inference.evidence import CORRECTIONS, Evidence, PairPlan, Pairs, SliceEvidence
from ..inference.judge_and_people import JudgeAndPeople
from ..inference.planning import POWER
from ..reading.formats.kind import ROWS
from ..settings.model import as_dict
from .findings import Findings
from .results_form import misfit
from .scores import keys_of_teams

#: Depth of results.json at which things take one line: metrics / a metric / pairs / a pair.
_OPENED = 4
#: Above this many entries, the pairs are written as triangles.
_MOST_ENTRIES_OF_OBJECTS = 100
#: Digits that triangles keep of a standard error, and at least of a p-value.
_DIGITS = 3
#: Decimals of what has no standard error.
_ALL_DECIMALS = 12
#: Family → corrections that triangles keep. The others of a family follow from the p-values.
_KEPT = {"leader": CORRECTIONS, "row": ("holm",), "all": ("holm",)}


#: Half of a character of UTF-16.
_HALF = re.compile("[\ud800-\udfff]")


class _Row(list[float | None]):
    """A row of a triangle: numbers that are rounded, in JSON's own types."""


#: Row k holds the pairs of the entry in place k of the ranking with those in place k + 1, k + 2, …
Triangle = Sequence[Sequence[float | None]]


def results_json(
    findings: Findings, verdict: str, summaries: Sequence[str] = (), *, pairs: bool = True
) -> str:
    """Return results.json: everything that is on the page, its ``verdict`` included, for machines.

    ``summaries`` are the sentences on the metrics, as many as the page has. Without ``pairs``, it
    lists no pairs of entries, which are most of the content of many entries.

    Arrays over entries are ordered best first; numbers have 12 significant digits; what does not
    exist is null. An entry and a pair take one line each; many pairs are triangles of fewer digits.
    """
    english = catalogs.load("en", findings.kind)
    document = {
        "schema_version": SCHEMA_VERSION,
        "verdict": verdict,
        "title": findings.settings.title,
        "signature": findings.signature,
        "settings": as_dict(findings.settings),
        "form": findings.form,
        "kind": findings.kind,
        "n": findings.n,
        "m": len(findings.names),
        "notes": list(map(english.say, findings.notes)),
        "reading": _readings(findings),
        "runs": findings.runs,
        "keys": keys_of_teams(findings),
        "uploads": findings.uploads,
        "averaged": findings.averaged,
        "left_aside": [
            {"name": item.name, "reason": english.say(item.reason)} for item in findings.left_aside
        ],
        "unusable": [
            {"entry": item.name, "reason": item.reason, "phrase": item.reason.to_dict()}
            for item in findings.unusable
        ],
        "unscored": [
            {"entry": entry, "where": where, "reason": reason, "phrase": reason.to_dict()}
            for (entry, where), reason in findings.unscored.items()
        ],
        "warnings": [
            {
                "metric": evidence.metric.name,
                **_taken(caution, "level", "code", "number"),
                "message": english.say(caution.sentence),
                "phrase": caution.sentence.to_dict(),
            }
            for evidence in findings.evidence
            for caution in evidence.cautions
        ],
        "metrics": [
            _metric(findings, evidence, sentence, pairs=pairs)
            for evidence, sentence in zip_longest(findings.evidence, summaries)
        ],
        "not_compared": [
            {"entry": entry.name, **_taken(entry, "rank", "scores", "sha256")}
            for entry in findings.uncompared
        ],
    }
    return "".join(_pieces(document)) + "\n"


def _readings(findings: Findings) -> dict[str, Any] | None:
    """Return how the files were read, of several tasks by their names; null where nothing says it.

    What participants read holds no reasons, and no numbers of files.
    """
    readings = {}
    for task, reading in findings.readings.items():
        readings[task] = {"kind": reading.kind, "frozen": reading.frozen()}
        if findings.form == "teams":
            readings[task] |= reading.record(anonymous=findings.settings.anonymize)
    if not readings:
        return None
    return readings[""] if [*readings] == [""] else {"tasks": readings}


def _taken(record: object, *names: str) -> dict[str, Any]:
    """Return what an object holds under these names; where there is none, nulls."""
    return {name: None if record is None else getattr(record, name) for name in names}


def _interval(estimates: Any) -> Floats:
    return np.stack([estimates.low, estimates.high], axis=1)


def _metric(
    findings: Findings, evidence: Evidence, sentence: str | None, *, pairs: bool
) -> dict[str, Any]:
    metric = evidence.metric
    listed = evidence.pairs if pairs else None
    names = evidence.names
    scores = evidence.scores
    standing = evidence.standing
    samples = evidence.samples
    return {
        "name": metric.name,
        "label": metric.label,
        **_taken(evidence, "task", "n"),
        "definition": metric.description,
        "greater_is_better": metric.greater_is_better,
        "bounds": [metric.low, metric.high],
        "resamples": evidence.resamples,
        "undefined_resamples": evidence.undefined,
        **_taken(evidence.question, "confidence", "interval"),
        "tie_rule": standing.rule,
        "studentized": {"reason": standing.studentized, "pairs": standing.studentized_pairs},
        "leader": names[evidence.verdict.leaders[0]],
        "leaders": [names[i] for i in evidence.verdict.leaders],
        "reference": names[scores.reference],
        "verdict": _verdict(evidence, sentence),
        "prizes": prizes_record(findings, evidence),
        "entries": _entries(findings, evidence),
        "pairs": () if listed is None else pairs_of(evidence, listed),
        "reference_tests": _reference_tests(evidence),
        "competitiveness": vars(evidence.competitiveness),
        "slices": [_slice(evidence, part) for part in evidence.slices],
        "schemes": _schemes(evidence),
        "samples": None
        if samples is None
        else _by_entry(evidence, {"share_of_score": samples[0], "share_of_difference": samples[1]}),
        "planning": None
        if evidence.intervals is None
        else {
            "power": POWER,
            "smallest_separable": evidence.smallest_separable,
            "pairs": [_planned(evidence, pair) for pair in evidence.plan],
            "border": _border(evidence),
        },
        **({} if evidence.verdict.front is None else {"front": front_record(findings, evidence)}),
        **({} if evidence.seed_share is None else {"seed_share": evidence.seed_share}),
        **({} if evidence.people is None else {"people": _people(evidence, evidence.people)}),
    }


def _people(evidence: Evidence, people: JudgeAndPeople) -> dict[str, Any]:
    """Return what people's scores say beside the judge's, entry by entry as they are ranked."""
    return {
        "judged": people.judged,
        "units": people.units,
        "weight": people.weight,
        "worth": people.worth,
        "entries": [
            {
                "entry": evidence.names[i],
                "judge": float(people.judge[i]),
                "judge_on_judged": float(people.judge_on_judged[i]),
                "people": float(people.people[i]),
                "people_standard_error": float(people.people_errors[i]),
                "people_ci": [float(people.people_low[i]), float(people.people_high[i])],
            }
            for i in evidence.scores.order
        ],
    }


def _planned(evidence: Evidence, pair: PairPlan) -> dict[str, Any]:
    """Return what would settle a pair; of methods with several runs, also how many runs would."""
    planned = {**vars(pair), "entry": evidence.names[pair.entry]}
    if evidence.seed_share is None:
        del planned["runs_needed"], planned["both_needed"]
    return planned


def _verdict(evidence: Evidence, sentence: str | None) -> dict[str, Any]:
    """Return the verdict; an interval of the leader's score that was not corrected is null."""
    verdict = evidence.verdict
    names = evidence.names
    order = evidence.scores.order
    corrected = verdict.corrected
    return {
        "leaders": [names[i] for i in verdict.leaders],
        "possible_winners": [names[i] for i in order if verdict.possible_winners[i]],
        "verified": names[verdict.leaders[0]] if verdict.verified else None,
        "unverified_by": None if verdict.unverified_by is None else names[verdict.unverified_by],
        "verified_places": verdict.places,
        "rule": evidence.standing.rule,
        **_taken(verdict, "confidence", "withdrawn_because"),
        "sentence": sentence,
        "leader_corrected": {
            "estimate": None if corrected is None else corrected.estimate,
            "ci": None if corrected is None else [corrected.low, corrected.high],
            "reason": verdict.uncorrected_because,
        },
    }


def prizes_record(findings: Findings, evidence: Evidence) -> dict[str, Any] | None:
    """Return which teams are sure of a prize, may take one, or are out; None where not asked."""
    prizes = evidence.verdict.prizes
    if prizes is None:
        return None

    def teams(marked: Bools | None) -> list[str] | None:
        if marked is None:
            return None
        return [findings.team_of(evidence.names[i]) for i in evidence.scores.order if marked[i]]

    return {
        "places": prizes.places,
        "sure": teams(prizes.sure),
        "open": teams(prizes.open),
        "out": teams(prizes.out),
        **_taken(prizes, "confidence", "reason"),
    }


def front_record(findings: Findings, evidence: Evidence) -> dict[str, Any] | None:
    """Return which teams may be the best for their costs, and what rules the others out.

    None where nobody gave costs. Teams are ordered best first.
    """
    front = evidence.verdict.front
    if front is None:
        return None
    team_of = [findings.team_of(name) for name in evidence.names]
    order = [int(i) for i in evidence.scores.order]
    costs = {team_of[i]: float(front.costs[i]) for i in order if not math.isnan(front.costs[i])}
    on = excluded = None
    if front.on is not None and front.excluded_by is not None:
        by = front.excluded_by
        on = [team_of[i] for i in order if front.on[i]]
        excluded = [{"team": team_of[i], "by": team_of[by[i]]} for i in order if by[i] >= 0]
    return {
        "costs": costs,
        "measured": front.measured,
        "on": on,
        "excluded": excluded,
        **_taken(front, "confidence", "reason"),
    }


def _border(evidence: Evidence) -> dict[str, Any] | None:
    """Return what would settle who takes the last prize; None where nothing is open."""
    border = evidence.border
    if border is None:
        return None
    return {
        "inside": evidence.names[border.inside],
        "outside": evidence.names[border.outside],
        "examples_needed": border.examples_needed,
    }


def _by_entry(evidence: Evidence, columns: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return a record for every entry, best first, of columns over the entries."""
    return [_at({"entry": evidence.names, **columns}, i) for i in evidence.scores.order]


def _at(column: Any, number: int) -> Any:
    """Return what stands at a place of a column, or of every column in a mapping; None is null."""
    if isinstance(column, Mapping):
        return {key: _at(values, number) for key, values in column.items()}
    return None if column is None else column[number]


def _ends(low: Iterable[Any], high: Iterable[Any], exist: Bools) -> list[list[Any] | None]:
    """Return both ends of the ranges that ``exist``, and None for the others."""
    ranges = zip(low, high, exist, strict=True)
    return [[first, last] if exists else None for first, last, exists in ranges]


def _reference_tests(evidence: Evidence) -> list[dict[str, Any]]:
    """Return the tests of entries named in advance; of a mean rank, only who was named."""
    tested: list[tuple[int, Any, Any]] = [
        (entry, evidence.advantages(entry), p) for entry, p in evidence.reference_tests.items()
    ]
    if evidence.question.reference_entry is not None and not tested:
        tested = [(evidence.scores.reference, None, None)]
    return [
        {
            "reference": evidence.names[reference],
            "entries": _by_entry(evidence, {"advantage": observed, "p_value": p_value}),
        }
        for reference, observed, p_value in tested
    ]


def _entries(findings: Findings, evidence: Evidence) -> list[dict[str, Any]]:
    """Return what is known of every entry, best first."""
    scores = evidence.scores
    standing = evidence.standing
    names = evidence.names
    intervals = evidence.intervals
    bars = evidence.distances
    frequency = evidence.rank_frequency.tolist()
    last = [None] * len(names) if standing.ranges_are_open else standing.rank_high
    columns = {
        "team": [findings.team_of(name) for name in names],
        "baseline": [i in scores.baselines for i in range(len(names))],
        "rank": scores.rank,
        "score": scores.score,
        **_taken(intervals, "mean", "standard_error"),
        "ci": None if intervals is None else _interval(intervals),
        "ci_method": None if intervals is None else intervals.used,
        "difference": _differences(evidence),
        "tied": standing.tied,
        "tied_with_reference": evidence.tied_with_reference,
        "tied_with_leader": evidence.verdict.possible_winners,
        "rank_range": _ends(standing.rank_low, last, standing.rank_low > 0),
        # A mean rank has ranges, open at one end, and no other places.
        "rank_set": _ends(
            standing.joint_low,
            standing.joint_high,
            (standing.joint_low > 0) & (not standing.ranges_are_open),
        ),
        "distance_from_best": None if bars is None else bars.from_best,
        "bar": None if bars is None else _ends(bars.near, bars.from_best, ~np.isnan(bars.near)),
        "practically_best": None if bars is None else bars.practically_best,
        "separated_from": [None if i < 0 else names[i] for i in standing.separated_from],
        "tier": standing.tier,
        "rank_frequency": list(map(_short_zeros, frequency)),
    }
    if evidence.run_scores:
        columns["runs"] = [scores_of_runs.tolist() for scores_of_runs in evidence.run_scores]
    return _by_entry(evidence, columns)


def _short_zeros(shares: Sequence[float]) -> list[float]:
    """Return shares, of which most are 0: written as a whole number, it takes one letter."""
    return [share or 0 for share in shares]


def _differences(evidence: Evidence) -> dict[str, Any] | None:
    """Return the columns of the differences, and of the tests that the settings asked for."""
    differences = evidence.differences
    tests = evidence.paired_tests
    if differences is None:
        return None
    named = evidence.question.reference_entry is not None
    return {
        **_taken(differences, "observed", "mean", "standard_error"),
        **({"gain": 0.0 - differences.observed} if named else {}),
        "ci": _interval(differences),
        **_taken(differences, "p_one_sided", "p_two_sided", "p_adjusted"),
        **({} if tests is None else {k: p for k, p in vars(tests).items() if p is not None}),
    }


def _slice(evidence: Evidence, part: SliceEvidence) -> dict[str, Any]:
    """Return the scores in a slice, with intervals that hold for all entries and slices at once."""
    columns = {"score": part.score, "ci": _ends(part.low, part.high, np.isfinite(part.low))}
    return {
        **_taken(part, "column", "value", "n", "compared"),
        "other_leader": None if part.other_leader is None else evidence.names[part.other_leader],
        "entries": _by_entry(evidence, columns),
    }


def _schemes(evidence: Evidence) -> list[dict[str, Any]] | None:
    """Return every entry's value and rank by each ranking scheme; None without schemes."""
    schemes = evidence.schemes
    if schemes is None:
        return None
    names = [evidence.names[entry] for entry in schemes.entries]
    columns = {"entry": names, "values": schemes.values, "ranks": schemes.ranks}
    return [_at(columns, place) for place in range(len(names))]


def _pieces(value: Any, depth: int = 0) -> Iterator[str]:
    """Yield JSON in which what lies `_OPENED` deep takes one line."""
    if depth == _OPENED or not isinstance(value, (Mapping, list, tuple, Iterator)):
        yield _dumped(_plain(value), allow_nan=False, separators=(",", ":"))
        return
    first = "["
    last = "]"
    items = (("", item) for item in value)
    if isinstance(value, Mapping):
        first = "{"
        last = "}"
        items = ((f"{_dumped(str(k))}: ", v) for k, v in value.items())
    before = first
    for key, item in items:
        yield f"{before}\n{' ' * (depth + 1)}{key}"
        yield from _pieces(item, depth + 1)
        before = ","
    yield first + last if before == first else f"\n{' ' * depth}{last}"


def _dumped(value: Any, **form: Any) -> str:
    """Return JSON that UTF-8 can hold: half of a character stays the escape that it was."""
    text = json.dumps(value, ensure_ascii=False, **form)
    return text if text.isascii() else _HALF.sub(lambda half: f"\\u{ord(half[0]):04x}", text)


def _plain(value: Any) -> Any:
    """Return ``value`` in JSON's own types, numbers rounded, nan and infinity as null."""
    if isinstance(value, float):
        return significant(value) if math.isfinite(value) else None
    if value is None or isinstance(value, (str, int)):
        return value
    if isinstance(value, _Row):
        return value
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, (dict, Mapping)):  # a dict first: the question for others is slow
        return {str(key): _plain(item) for key, item in value.items()}
    # NumPy has scalars and arrays.
    return _plain(value.tolist()) if hasattr(value, "tolist") else value


def pairs_of(evidence: Evidence, pairs: Pairs) -> Any:
    """Return the pairs: objects one at a time or, of many entries, a mapping of triangles.

    ``better`` and ``worse`` of the mapping name the entries of the triangles' rows and columns.
    Row k starts at column k, and goes on with its last value where it ends early. Sizes have three
    digits of the standard error of their pair. P-values have a decimal more than tell the counts of
    resamples apart, and three digits at least.
    """
    if len(evidence.names) > _MOST_ENTRIES_OF_OBJECTS:
        return _triangles(evidence, pairs)
    columns = {
        "better": [evidence.names[i] for i in pairs.better],
        "worse": [evidence.names[i] for i in pairs.worse],
        "difference": pairs.observed,
        **_taken(pairs, "standard_error", "resolution"),
        "ci": _interval(pairs),
        "p_one_sided": pairs.p_one_sided,
        "p_adjusted": _adjusted(pairs, dict.fromkeys(pairs.p_adjusted, CORRECTIONS)),
        "p_max_t": pairs.p_max_t,
    }
    return (_at(columns, number) for number in range(pairs.better.size))


def values_of(triangle: Triangle, rows: int) -> Iterator[float | None]:
    """Yield the values of all pairs, row by row, of a triangle with as many ``rows`` in full."""
    for number, row in enumerate(islice(chain(triangle, repeat((None,))), rows)):
        yield from row
        yield from repeat(row[-1], rows - number - len(row))


def _adjusted(
    pairs: Pairs, corrections: Mapping[str, Iterable[str]]
) -> dict[str, dict[str, Floats]]:
    """Return family → correction → p-values [k] of those in ``corrections``."""
    p_values = {}
    for family, names in corrections.items():
        adjusted = pairs.p_adjusted.get(family)
        if adjusted is not None:
            p_values[family] = {name: adjusted[name] for name in names if name in adjusted}
    return p_values


def _triangles(evidence: Evidence, pairs: Pairs) -> dict[str, Any]:
    named = [evidence.names[i] for i in evidence.scores.order]
    decimals = _decimals_of_leading(pairs.standard_error, _DIGITS)
    p_decimals = len(str(evidence.resamples + 1)) + 1

    def p_values(values: Floats) -> Triangle:
        return _triangle(values, np.maximum(p_decimals, _decimals_of_leading(values, _DIGITS)))

    adjusted = {}
    for family, corrections in _adjusted(pairs, _KEPT).items():
        adjusted[family] = {name: p_values(values) for name, values in corrections.items()}
    return {
        "better": named[:-1],
        "worse": named[1:],
        "difference": _triangle(pairs.observed, decimals),
        "ci": [_triangle(end, decimals) for end in (pairs.low, pairs.high)],
        "p_one_sided": p_values(pairs.p_one_sided),
        "p_adjusted": adjusted,
        "p_max_t": p_values(pairs.p_max_t),
    }


def _triangle(values: Floats, decimals: Floats) -> Triangle:
    """Return values [k] with their decimals [k] as rows without the end that repeats its value."""
    most = _decimals_of_leading(np.abs(values), DIGITS)
    rounded = _rounded(values, np.minimum(decimals, most))
    rows = (math.isqrt(8 * len(values) + 1) - 1) // 2
    triangle = []
    start = 0
    for number in range(rows):
        end = start + rows - number
        triangle.append(_Row(rounded[start:end]))
        start = end
    for row in triangle:
        while row[-2:-1] == row[-1:]:
            row.pop()
    while triangle and triangle[-1] == [None]:
        triangle.pop()
    return triangle


def _rounded(values: Floats, decimals: Floats) -> list[float | None]:
    """Return values [k] with their decimals [k], as `_short` does.

    Most p-values of many pairs occur many times, each with the same decimals: it is rounded once.
    """
    different, first, places = np.unique(values, return_index=True, return_inverse=True)
    if len(different) < len(values) / 2 and np.array_equal(decimals[first][places], decimals):
        short = _short(different, decimals[first])
        shortened: list[float | None] = np.fromiter(short, object, len(different))[places].tolist()
        return shortened
    return _short(values, decimals)


def _decimals_of_leading(values: Floats, digits: int) -> Floats:
    """Return how many decimals show the leading ``digits`` of each value [k], negative of large."""
    usable = np.isfinite(values) & (values > 0)
    decimals = digits - 1 - np.floor(np.log10(np.where(usable, values, 1.0)))
    return np.where(usable, decimals, _ALL_DECIMALS)


def _short(values: Floats, decimals: Floats) -> list[float | None]:
    """Return values [k] with so many decimals: whole numbers without a point, nan as None."""
    finite = np.isfinite(values)
    rounded = map(round, np.where(finite, values, 0.0).tolist(), decimals.astype(int).tolist())
    short = [int(number) if number.is_integer() else number for number in rounded]
    if finite.all():
        return short
    return [number if is_finite else None for number, is_finite in zip(short, finite, strict=True)]


# Reading ------------------------------------------------------------------------------------------


_NAME_ONE = "name a results.json that this program wrote, or its folder"
#: A value in a message is cut to so many characters.
_LONGEST = 40
_SCORE_AGAIN = "score the competition again"


def read_document(path: Path, *, partly: bool = False) -> dict[str, Any]:
    """Read results.json, or that in the folder of a run.

    Of an older schema, it may be read ``partly``: only what there is must have its form.

    Raises
    ------
    OrganizerError
        The file cannot be read, is no results.json of this version, or a value has another form.
    """
    file = _file(path)
    try:
        document, repeated = json_text.read(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise OrganizerError(f"{file}: cannot be read: {error.strerror}; {_NAME_ONE}") from error
    except (ValueError, RecursionError) as error:
        raise OrganizerError(f"{file}: this is not valid JSON; {_NAME_ONE}") from error
    version = document.get("schema_version") if isinstance(document, dict) else None
    if version not in READABLE_SCHEMAS:
        found_version = visible(cut(repr(version), _LONGEST))
        raise OrganizerError(
            f"{file}: expected a results.json with schema_version {SCHEMA_VERSION}, found "
            f"{found_version}; {_SCORE_AGAIN} with this version of the program"
        )
    if repeated is not None:
        raise OrganizerError(
            f"{file}: one object has the key {quoted(repeated)} twice; {_SCORE_AGAIN}"
        )
    is_older = version != SCHEMA_VERSION
    wrong = misfit(document, older=is_older, partly=partly and is_older)
    if wrong is not None:
        raise OrganizerError(f"{file}: {wrong}; {_SCORE_AGAIN}")
    return dict(document)


def _file(path: Path) -> Path:
    return path / "results.json" if path.is_dir() else path


def read_measures(path: Path, metric: str | None = None) -> ComparedCompetition:
    """Read the competitiveness of a competition from results.json, or from the folder of a run.

    ``metric`` is the name of a metric; without it, the ranking metric is taken.

    Raises
    ------
    OrganizerError
        The file cannot be read, is no results.json of this version, or lacks the metric.
    """
    return measures_of(read_document(path, partly=True), _file(path), metric)


def measures_of(
    document: Mapping[str, Any], file: Path, metric: str | None = None
) -> ComparedCompetition:
    """Return the competitiveness that the content of a results.json holds, as `read_measures`."""
    try:
        metrics = {item["name"]: item for item in document["metrics"]}
        name = next(iter(metrics)) if metric is None else metric
        if name not in metrics:
            names = ", ".join(metrics)
            raise OrganizerError(
                f"{file}: there is no metric {name!r} (there are: {names}){nearest(name, metrics)}"
            )
        page = file.with_name("detailed_results.html")
        # It also says what a library's metric depends on, such as the tokenizer and the version.
        signature = document.get("signature") or {}
        return ComparedCompetition(
            str(document.get("title") or ""),
            name,
            measures=_measures(document, metrics[name], ranks=name == next(iter(metrics))),
            bounded=None not in metrics[name].get("bounds", ()),
            definition=str(signature.get(f"metric {name}", metrics[name].get("definition", ""))),
            kind=str(document.get("kind", ROWS)),
            folders=_folders(file.resolve()),
            label=str(metrics[name].get("label", "")),
            rule=str((metrics[name].get("verdict") or {}).get("rule", "")),
            page=str(page.resolve()) if page.is_file() else "",
        )
    except (KeyError, TypeError, AttributeError, StopIteration) as error:
        raise OrganizerError(
            f"{file}: the competitiveness of its metrics is missing or malformed; "
            "score the competition again"
        ) from error


def _folders(file: Path) -> tuple[str, ...]:
    """Return the folders around results.json; a file of another name counts as a folder."""
    return file.parts[1:-1] if file.name == "results.json" else (*file.parts[1:-1], file.stem)


def _measures(
    document: Mapping[str, Any], metric: Mapping[str, Any], *, ranks: bool
) -> dict[str, float | None]:
    """Return the measures of a metric, with the numbers that its page shows.

    The page of a competition counts the examples of all tasks, of public and of private rows.
    """
    measures = dict(flat(metric["competitiveness"], "."))
    verdict = metric.get("verdict")
    for key, number in measures.items():
        if number is not None and not isinstance(number, (int, float)):
            raise TypeError(f"{key}: {number!r} is not a number")
    if ranks and "n" in document:
        measures["n"] = int(document["n"])
    if verdict:
        tied = {*verdict["possible_winners"]} - {*verdict["leaders"][:1]}
        measures |= {"tied_with_leader": len(tied), "others": int(measures["m"] or 0) - 1}
    return measures


def flat(record: Mapping[str, Any], mark: str) -> Iterator[tuple[str, Any]]:
    """Yield the items of a record, and of the mappings in it, as "ties_with_winner.holm"."""
    for key, value in record.items():
        if isinstance(value, Mapping):
            yield from ((f"{key}{mark}{inner}", item) for inner, item in value.items())
        else:
            yield key, value
