"""The audit before a competition: is the test set large enough, and is it clean?

The standard error of a difference between two entries shrinks with the square root of the test
set. A pilot of N examples estimates it, with an error of its own. So the number of examples is
chosen by assurance: it is the smallest n for which the power to settle a pair, whoever is ahead,
averaged over bootstrap estimates of the standard error, reaches the target (O'Hagan, Stevens and
Campbell 2005; see `inference.planning`). The pilot is two serious baselines: one that gives every
example the same answer errs unlike any entry, and about doubles the number.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from operator import itemgetter
from pathlib import Path
from statistics import NormalDist
from typing import Any

import numpy as np

from ..bootstrap.resample import ResampledPart, iterate_counts
from ..core import catalogs
from ..core.arrays import Floats
from ..core.cells import grouped
from ..core.errors import OrganizerError, ReferenceDataError, SubmissionError
from ..core.exact import ExactSums
from ..core.phrases import gettext_noop
from ..data.competition import Part
from ..document.take_away import Cell, ResultTable, TableColumn, cell
from ..inference.evidence import Evidence
from ..inference.planning import POWER, level_of_rule, mean_power
from ..metrics import Metric
from ..pipeline import EvaluatedCompetition
from ..reading.formats import read_table
from ..settings.model import Settings
from .page import SCHEMA_VERSION, AuditResult, Json, Outcome, Page, report

#: Column → the cells of all rows.
InputColumns = Mapping[str, Sequence[Any]]
#: Differences with the examples that they need; None if none suffice.
Needed = list[tuple[float, int | None]]
#: Differences that are planned for, in hundredths of the metric's scale.
POINTS = (1, 2, 5)
#: A plan for a test set of more than this many times the pilot is no plan.
_MOST_TIMES = 1000
#: Resamples of the pilot whose standard errors are averaged over.
_RESAMPLES = 500
#: A class of fewer examples is too small for metrics of single classes.
SMALL_CLASS = 30
#: If fewer of the examples differ, the columns describe them, and are not what is predicted from.
_MOSTLY = 0.5
#: What to decide before a competition is published.
_CHECKLIST = (
    gettext_noop("Name the ranking metric, the tie rule and the number of submissions per team."),
    gettext_noop("Decide which columns hold groups (documents, users), and name them in 'group'."),
    gettext_noop("Keep the final test set out of the public competition if its secrecy matters."),
    gettext_noop(
        "Announce how labels are corrected after the deadline, and apply it to every team."
    ),
)


def influences(score: float, jackknife: Floats) -> Floats:
    """Return influence values ψ [N] of a score from its jackknife [N]: (N − 1)(θ − θ₋ᵣ).

    Source: Efron and Tibshirani 1994, chapter 11.
    """
    return np.asarray((len(jackknife) - 1) * (score - jackknife))


def pilot_errors(influence: Floats, counts: Floats) -> Floats:
    """Return the standard error that each resample of the pilot estimates, [R].

    ``influence`` [N] belongs to the difference of two entries, ``counts`` [R, N] say how often each
    example is drawn.
    """
    size = len(influence)
    mean, square = ExactSums(np.stack([influence, influence**2]))(counts.T) / size
    return np.asarray(np.sqrt(np.maximum(square - mean**2, 0.0) / size))


def one_point(metric: Metric, score: float) -> float:
    """Return a hundredth of a metric's scale: of its range or, if it has none, of a score."""
    width = metric.high - metric.low
    return (width if math.isfinite(width) else abs(score)) / 100


def examples_needed(errors: Floats, pilot: int, level: float, point: float = 0.01) -> Needed:
    """Return the examples needed for differences of each of `POINTS`; None if none suffice.

    ``errors`` [R] are standard errors of a difference in a pilot of ``pilot`` examples. ``level``
    is that of one comparison. ``point`` is one point in the metric's own units.
    """
    critical = NormalDist().inv_cdf(1 - level)

    def power(n: float, difference: float) -> float:
        with np.errstate(divide="ignore"):
            return mean_power(np.sqrt(n / pilot) * difference / errors, critical)

    sizes = range(1, pilot * _MOST_TIMES + 1)
    needed: Needed = []
    for difference in (points * point for points in POINTS):
        enough = power(sizes[-1], difference) >= POWER
        least = partial(power, difference=difference)
        needed.append((difference, sizes[bisect_left(sizes, POWER, key=least)] if enough else None))
    return needed


def smallest_separable(errors: Floats, level: float) -> float:
    """Return the difference that a test set of the pilot's size separates with the same power."""
    critical = NormalDist().inv_cdf(1 - level)
    low = 0.0
    high = 20.0 * float(errors.max())
    for _ in range(60):
        middle = (low + high) / 2
        with np.errstate(divide="ignore", invalid="ignore"):
            ratios = np.where(errors > 0, middle / errors, np.inf)
        low, high = (low, middle) if mean_power(ratios, critical) >= POWER else (middle, high)
    return high


def plan(
    evaluation: EvaluatedCompetition, entries: int, other_files: Sequence[Path]
) -> AuditResult:
    """Plan a competition of so many ``entries``, part by part.

    ``other_files`` are files that must not hold test examples.

    Raises
    ------
    OrganizerError
        One of the others cannot be read, fewer than two entries are planned for, the scores of the
        baselines do not vary, so that they tell nothing about differences, or the library that
        converts figures is not installed.
    """
    if entries < 2:
        raise OrganizerError(f"a plan needs at least two entries; found {entries}")
    tables = {path.name: _columns(path) for path in other_files}
    findings = evaluation.findings
    several = len(evaluation.resampled) > 1
    language = catalogs.load(findings.settings.language, findings.kind)
    outcomes: list[Outcome] = []
    planned: list[dict[str, Any]] = []
    for resampled, evidence in zip(evaluation.resampled, evaluation.of_parts, strict=True):
        part = resampled.part
        settings = findings.settings
        point = one_point(evidence.metric, float(evidence.scores.score[evidence.scores.leader]))
        decimals = max(0, 2 - math.floor(math.log10(point))) if point > 0 else 3
        page = Page(language, decimals, part.name, f"-{len(planned) + 1}" if several else "")
        large = _sizes(page, resampled, evidence, settings, entries, point)
        clean = _checks(page, part, evidence, settings, tables)
        outcomes += [large, clean]
        named = {"part": part.name, "metric": evidence.metric.name}
        planned.append({**named, **large.content, **clean.content})
    content = {"schema_version": SCHEMA_VERSION, "contains_gold": True, "plan": planned}
    lines = list(map(language.say, _CHECKLIST))
    brief = language.say("Decide these things before you publish the competition.")
    before = Page(language, 0).finding("before", language.say("Before you publish"), brief, lines)
    secret = language.say("The audit holds gold labels and single predictions. Do not publish it.")
    plan_findings = [*(finding for outcome in outcomes for finding in outcome.findings), before]
    return report(findings, language, outcomes[0].verdict, [secret], plan_findings, content)


def _constant(resampled: ResampledPart, evidence: Evidence) -> list[int]:
    """Return the entries, best first, that give every example the same answer."""
    constant = set()
    for entry in filter(None, resampled.part.entries):
        answers = [array.tolist() for array in entry.predictions.values()]
        if answers and all(answer == rows[0] for rows in answers for answer in rows):
            constant.add(entry.name)
    return [entry for entry in evidence.scores.order.tolist() if evidence.names[entry] in constant]


def _pilot(
    resampled: ResampledPart, evidence: Evidence, constant: Sequence[int], seed: int
) -> tuple[Floats, bool]:
    """Return standard errors of a difference, [R], and whether two serious entries gave them."""
    scorer = resampled.metrics[0].scorer
    design = resampled.design
    jackknife = scorer.jackknife(design.units)
    order = evidence.scores.order.tolist()
    score = evidence.scores.score.tolist()
    best = [entry for entry in order if entry not in constant][:2] or order[:1]
    effects = [influences(score[entry], jackknife[:, entry]) for entry in best]
    paired = len(best) == 2 and not np.allclose(effects[0], effects[1])
    influence = effects[0] - effects[1] if paired else np.sqrt(2) * effects[0]
    counts = np.concatenate(list(iterate_counts(design, _RESAMPLES, seed, of_units=True)))
    return pilot_errors(influence, counts.astype(np.float64)), paired


def _columns(path: Path) -> InputColumns:
    try:
        table = read_table(path.read_bytes(), path.name)
    except OSError as error:
        raise OrganizerError(f"{path}: it cannot be read ({error.strerror})") from error
    except SubmissionError as error:
        raise OrganizerError(str(error)) from error
    return table.titled().named


def input_columns(columns: InputColumns, no_inputs: Collection[str]) -> InputColumns:
    """Return the columns that hold what is predicted from, such as texts; none if there are none.

    They are those beside ``no_inputs`` (targets, groups, strata, slices) that together differ
    between most examples. A column such as a language or a source repeats without being a
    repetition.
    """
    inputs = {name: values for name, values in columns.items() if name not in no_inputs}
    contents = _contents(inputs)
    return inputs if len(set(contents)) > _MOSTLY * len(contents) else {}


def repeated_within(
    inputs: InputColumns, answers: Sequence[Sequence[Any]]
) -> dict[tuple[int, ...], tuple[str, ...]]:
    """Return row numbers of examples with equal inputs → their different gold labels.

    ``answers`` are the target columns.
    """
    contents = enumerate(_contents(inputs))
    rows_of = grouped((content, row) for row, content in contents if any(map(str.strip, content)))
    repeats = {}
    for rows in rows_of.values():
        if len(rows) > 1:
            labels = set()
            for row in rows:
                labels.add(" | ".join(str(values[row]) for values in answers))
            repeats[tuple(rows)] = tuple(sorted(labels))
    return repeats


def repeated_between(inputs: InputColumns, other_file: InputColumns) -> list[tuple[int, int]]:
    """Return pairs (row, row of the other file) with equal content in the columns of both files.

    Each row of the first file occurs once at most.
    """
    common = [name for name in inputs if name in other_file]
    first_of: dict[tuple[str, ...], int] = {}
    for row, content in enumerate(_contents({name: other_file[name] for name in common})):
        first_of.setdefault(content, row)
    repeated = []
    for row, content in enumerate(_contents({name: inputs[name] for name in common})):
        empty = not any(cell.strip() for cell in content)
        if content in first_of and not empty:
            repeated.append((row, first_of[content]))
    return repeated


def _contents(columns: InputColumns) -> list[tuple[str, ...]]:
    return list(zip(*columns.values(), strict=True))


def _sizes(
    page: Page, part: ResampledPart, evidence: Evidence, rules: Settings, entries: int, point: float
) -> Outcome:
    """Say how many examples are needed, and what the test set of a part can separate.

    The sizes follow from two serious baselines, whose errors are alike to some degree. From one
    baseline they hold for two entries with independent errors, which is the cautious assumption.
    Constant baselines give every example the same answer. They are left out unless there is no
    other, because the errors of such a pair are unlike those of any entries.
    """
    say = page.say
    numerals = page.language.numerals
    gold = part.part.gold
    constant = _constant(part, evidence)
    errors, paired = _pilot(part, evidence, constant, rules.seed)
    if not errors.any():
        raise OrganizerError(
            "res/: the scores of the baselines do not vary over resamples, so they tell nothing "
            "about differences; put a baseline with some errors into res/"
        )
    if gold.n < 2:
        raise ReferenceDataError(f"{gold.file}: a plan needs at least two examples; add some")
    level = level_of_rule(rules.tie_rule, 1 - rules.confidence, entries - 1)
    sizes = examples_needed(errors, gold.n, level, point)
    separable = smallest_separable(errors, level)
    names = [evidence.names[entry] for entry in constant]
    content = {
        "n": gold.n,
        "entries": entries,
        "paired": paired,
        "constant": names,
        "examples_needed": [{"difference": size, "examples": needed} for size, needed in sizes],
        "separable": separable,
    }
    apart = numerals.fixed(separable, page.decimals)
    metric = evidence.metric.label
    groups = gold.groups(rules.group_name)
    group = rules.group_name
    verdict = say(
        "The test set of {examples} separates two entries that are {difference} apart ({metric}) "
        "with an average power of {power}.",
        difference=apart,
        metric=page.language.metric(metric),
        examples=page.language.examples(gold.kind, gold.n, group, groups, in_sentence=True),
        power=numerals.percent(POWER),
    )
    present = say(
        "With the present {n}, two entries must be {difference} apart.",
        n=page.count(gold.n),
        difference=apart,
    )
    pilot = " ".join(_about_pilot(page, names, paired=paired))
    table = _sizes_table(page, metric, content, pilot)
    heading = say("How many {things} are needed?")
    brief = present if paired else pilot
    finding = page.finding("sizes", heading, brief, [present], table, look=not paired)
    return Outcome(content, [finding], verdict)


def _sizes_table(page: Page, metric: str, content: Json, note: str) -> ResultTable:
    """Return how many examples each difference needs, and whether the present ones suffice."""
    say = page.say
    n = content["n"]
    none = page.say("no feasible number")
    needed = TableColumn(("examples",), say("{Things} needed"), numeric=True)

    def enough(size: Json) -> str:
        return say("yes" if size["examples"] and size["examples"] <= n else "no")

    def counted(size: Json) -> Cell:
        return cell(page.count(size["examples"]) if size["examples"] else none, size["examples"])

    caption = say(
        "{Things} needed to separate two of {entries} entries by {metric} with an average "
        "power of {power}",
        power=page.language.numerals.percent(POWER),
        entries=page.count(content["entries"]),
        metric=page.language.metric(metric),
    )
    columns = (
        page.numbers("difference", say("Difference"), itemgetter("difference")),
        (needed, counted),
        page.words("enough", say("Do the {n} suffice?", n=page.count(n)), enough),
    )
    return page.table("examples_needed", caption, content["examples_needed"], columns, note=note)


def _about_pilot(page: Page, constant: Sequence[str], *, paired: bool) -> Iterator[str]:
    """Yield what to change, unless there are two serious baselines, and what the sizes rest on."""
    if not paired:
        yield page.say(
            "Put two serious baselines into res/ that differ, such as two models that a team might "
            "send."
        )
    if constant:
        yield page.say(
            "A baseline with one answer for every {thing} says little about how entries differ: "
            "{names}.",
            names=page.language.listed(constant),
        )
    yield page.say(
        "The standard error of a difference is that of the two best serious baselines in res/. "
        "Entries that err more alike need fewer {things}."
        if paired
        else "With one baseline, the entries are taken to err independently. Real entries err "
        "alike, so fewer {things} may suffice."
    )


def _checks(
    page: Page,
    part: Part,
    evidence: Evidence,
    settings: Settings,
    other_files: Mapping[str, InputColumns],
) -> Outcome:
    """Say whether the test set is clean; ``other_files`` maps files to their columns."""
    scored = [target.column for target in part.expected.targets]
    small: dict[str, int] = {}
    for labels in part.labels.values():
        values, counts = np.unique(labels, return_counts=True)
        sizes = zip(map(str, values.tolist()), counts.tolist(), strict=True)
        small |= {label: size for label, size in sizes if size < SMALL_CLASS}
    described = (column for _, column in settings.design_columns)
    inputs = input_columns(part.gold.columns, {*scored, *described})
    repeated = repeated_within(inputs, [part.gold.columns[column] for column in scored])
    overlaps = {
        name: len(repeated_between(inputs, columns)) for name, columns in other_files.items()
    }
    content = {
        "undefined_resamples": evidence.undefined,
        "small_classes": small,
        "repetitions": [{"rows": rows, "labels": labels} for rows, labels in repeated.items()],
        "overlaps": overlaps,
    }
    defects = list(_defects(page, content, evidence.resamples + evidence.undefined))
    clean = page.say(
        "Nothing was found: no small class, no undefined resample, no repeated {thing}."
    )
    unknown = page.say(
        "Repeated {things} were not looked for: the gold has no column with what is predicted "
        "from, such as a text."
    )
    lines = [*(defects or [clean]), *([] if inputs else [unknown])]
    heading = page.say("Is the test set clean?")
    brief = " ".join(lines[:2])
    return Outcome(content, [page.finding("checks", heading, brief, lines, look=bool(defects))])


def _defects(page: Page, checks: Json, resamples: int) -> Iterator[str]:
    """Yield what is wrong with the test set, of which ``checks`` is what audit.json says."""
    if checks["small_classes"]:
        small = [f"{label} ({page.count(size)})" for label, size in checks["small_classes"].items()]
        yield page.say(
            "Small classes: {classes}. Metrics of single classes need at least {least} {things} "
            "in each.",
            classes=page.language.listed(small),
            least=page.count(SMALL_CLASS),
        )
    if checks["undefined_resamples"]:
        yield page.say(
            "The metric is undefined on {undefined} of {resamples} resamples. Choose another "
            "metric, or add {things} of the rarest class.",
            undefined=page.count(checks["undefined_resamples"]),
            resamples=page.count(resamples),
        )
    if checks["repetitions"]:
        contradicting = sum(len(repetition["labels"]) > 1 for repetition in checks["repetitions"])
        yield page.say(
            "{count} contents occur in more than one {thing}; {contradicting} of them with "
            "different gold labels.",
            count=page.count(len(checks["repetitions"])),
            contradicting=page.count(contradicting),
        )
    for name, count in checks["overlaps"].items():
        if count:
            yield page.say(
                "{file} holds {count} of the {things} of the test set, too.",
                file=name,
                count=page.count(count),
            )
