"""Random tables of scores and of preferences with known truth, plain ones and troubled ones."""

from __future__ import annotations

import random
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from scoring_program.metrics.registry import known_by_name
from scoring_program.reading.table import Table, of_columns
from scoring_program.recognize.tables_of_scores.scores_rule import (
    ScoresRecognition,
    recognize_scores,
)
from scoring_program.recognize.tables_of_scores.stated_scores import StatedScores

_UNITS = (
    "case",
    "query_id",
    "topic",
    "image",
    "Document",
    "sentence",
    "fold",
    "item_id",
    "subject",
)
_SYSTEMS = ("system", "model", "alg_name", "team", "Method", "algorithm_name", "participant")
_TASKS = ("task", "Task", "subtask")
_METRICS = {"accuracy": True, "f1": True, "mae": False, "rmse": False, "bleu": True, "wer": False}
_SILENT = ("dice", "adequacy", "points")
_NAMES = ("atlas", "blend", "crop", "delta9", "Echo", "GPT-4", "unet", "v2")
_PREFERRED = (("left", "right"), ("model_a", "model_b"), ("system_1", "system_2"))
_SUMMARIES = ("mean", "Average", "Avg.", "macro avg", "overall", "TOTAL", "Promedio", "x17")
_DEVIATIONS = ("std", "StdDev", "SD")


@dataclass(frozen=True)
class ScoreCase:
    """A table, what is stated about it, and what it holds.

    ``units``, ``system``, ``task`` and ``sample`` are columns; of a wide table, ``scores`` are the
    systems. ``better`` maps columns of scores to directions, "" in a wide table. What is
    ``summed_up`` has a line that sums up others, so that nothing may be scored.
    """

    seed: int
    columns: dict[str, list[str]]
    stated: StatedScores
    layout: str
    units: tuple[str, ...] = ()
    system: str | None = None
    task: str | None = None
    sample: str | None = None
    scores: tuple[str, ...] = ()
    better: dict[str, bool] = field(default_factory=dict)
    summed_up: bool = False
    troubles: tuple[str, ...] = ()

    @property
    def table(self) -> Table:
        return of_columns("table.csv", self.columns)

    @property
    def group(self) -> str:
        return f"{self.layout}, {'troubled' if self.troubles else 'plain'}"

    def with_columns(self, columns: dict[str, list[str]], **changes: Any) -> ScoreCase:
        return replace(self, columns=columns, **changes)

    @property
    def rows(self) -> int:
        return len(next(iter(self.columns.values())))


# Plain tables -------------------------------------------------------------------------------------


def _number(chance: random.Random, base: float, name: str) -> str:
    value = min(0.99, max(0.01, chance.gauss(base, 0.1)))
    return f"{10 * value:.2f}" if name in ("mae", "rmse", "hd") else f"{value:.3f}"


def _long(chance: random.Random, seed: int) -> ScoreCase:
    unit = chance.choice(_UNITS)
    system = chance.choice(_SYSTEMS)
    names = chance.sample(_NAMES, chance.randint(2, 4))
    metrics = chance.sample([*_METRICS], chance.randint(1, 2))
    better = {name: _METRICS[name] for name in metrics}
    stated = StatedScores(bounds_by_name=known_by_name)
    if chance.random() < 0.3:
        silent = chance.choice(_SILENT)
        metrics.append(silent)
        better[silent] = chance.random() < 0.5
        stated = replace(stated, directions={silent: better[silent]})
    tasks = ["liver", "spleen"] if chance.random() < 0.25 else [""]
    samples = ["1", "2"] if chance.random() < 0.2 else [""]
    lines = [
        (task, f"c{number:03d}", name, sample)
        for task in tasks
        for number in range(chance.randint(5, 9))
        for name in names
        for sample in samples
    ]
    columns = {unit: [line[1] for line in lines], system: [line[2] for line in lines]}
    task = sample = None
    if len(tasks) > 1:
        task = chance.choice(_TASKS)
        columns[task] = [line[0] for line in lines]
    if len(samples) > 1:
        sample = chance.choice(("sample", "attempt", "trial"))
        columns[sample] = [line[3] for line in lines]
    strength = {name: chance.uniform(0.4, 0.8) for name in names}
    for metric in metrics:
        columns[metric] = [_number(chance, strength[line[2]], metric) for line in lines]
    return ScoreCase(
        seed, columns, stated, "long", (unit,), system, task, sample, tuple(metrics), better
    )


def _wide(chance: random.Random, seed: int) -> ScoreCase:
    unit = chance.choice((*_UNITS, "Bild", "name", "serial"))
    names = chance.sample(_NAMES, chance.randint(2, 5))
    n = chance.randint(8, 20)
    columns = {unit: [f"c{number:03d}" for number in range(n)]}
    if chance.random() < 0.3:
        columns[unit] = [str(1000 + number) for number in range(n)]
    for name in names:
        base = chance.uniform(0.4, 0.8)
        columns[name] = [_number(chance, base, name) for _ in range(n)]
    better = chance.random() < 0.7
    stated = StatedScores(bounds_by_name=known_by_name, greater_is_better=better)
    return ScoreCase(
        seed, columns, stated, "wide", (unit,), scores=tuple(names), better={"": better}
    )


def _preferences(chance: random.Random, seed: int) -> ScoreCase:
    left, right = chance.choice(_PREFERRED)
    names = chance.sample(_NAMES, chance.randint(3, 5))
    lines = []
    for number in range(30):
        first, second = chance.sample(names, 2)
        verdict = chance.choice((first, second, "tie", "left", "right"))
        lines.append((first, second, verdict, f"p{number // 2}"))
    columns = {
        left: [line[0] for line in lines],
        right: [line[1] for line in lines],
        "winner": [line[2] for line in lines],
        "prompt_id": [line[3] for line in lines],
    }
    stated = StatedScores(bounds_by_name=known_by_name)
    return ScoreCase(seed, columns, stated, "preferences", scores=(left, right, "winner"))


# Troubles -----------------------------------------------------------------------------------------


Trouble = Callable[[random.Random, ScoreCase], ScoreCase]


def _beside(name: str, cells: Callable[[random.Random, int], list[str]]) -> Trouble:
    """Return the trouble of one more column that holds no score."""

    def added(chance: random.Random, case: ScoreCase) -> ScoreCase:
        if name in case.columns:
            return case
        return case.with_columns({**case.columns, name: cells(chance, case.rows)})

    return added


def _fractions(chance: random.Random, n: int) -> list[str]:
    return [f"{chance.uniform(1, 60):.1f}" for _ in range(n)]


def _whole(chance: random.Random, n: int) -> list[str]:
    return [str(chance.randint(1, 90)) for _ in range(n)]


def _texts(chance: random.Random, n: int) -> list[str]:
    return [chance.choice(("good", "bad", "so so")) for _ in range(n)]


def _truths(chance: random.Random, n: int) -> list[str]:
    return [chance.choice(("True", "False")) for _ in range(n)]


def _index(_: random.Random, case: ScoreCase) -> ScoreCase:
    numbers = [str(row) for row in range(case.rows)]
    return case.with_columns({"Unnamed: 0": numbers, **case.columns})


def _in_another_order(chance: random.Random, case: ScoreCase) -> ScoreCase:
    order = chance.sample(range(case.rows), case.rows)
    return case.with_columns({name: [of[i] for i in order] for name, of in case.columns.items()})


def _columns_shuffled(chance: random.Random, case: ScoreCase) -> ScoreCase:
    names = chance.sample([*case.columns], len(case.columns))
    return case.with_columns({name: case.columns[name] for name in names})


def _unit_of_another_name(_: random.Random, case: ScoreCase) -> ScoreCase:
    return _renamed(case, case.units[0], "zzz") if case.units else case


def _system_of_another_name(_: random.Random, case: ScoreCase) -> ScoreCase:
    return _renamed(case, case.system, "who") if case.system else case


def _renamed(case: ScoreCase, name: str, new: str) -> ScoreCase:
    columns = {new if of == name else of: cells for of, cells in case.columns.items()}
    units = tuple(new if of == name else of for of in case.units)
    system = new if case.system == name else case.system
    stated = case.stated
    if stated.unit is not None:
        stated = replace(stated, unit=units)
    if stated.system is not None:
        stated = replace(stated, system=system)
    return case.with_columns(columns, units=units, system=system, stated=stated)


def _true_and_false(chance: random.Random, case: ScoreCase) -> ScoreCase:
    """All scores are True and False; without metrics whose names say a range of numbers."""
    if case.layout == "preferences" or any(name in ("mae", "rmse", "wer") for name in case.scores):
        return case
    columns = dict(case.columns)
    for name in case.scores:
        columns[name] = [str(chance.random() < 0.6) for _ in columns[name]]
    return case.with_columns(columns)


def _gaps(chance: random.Random, case: ScoreCase) -> ScoreCase:
    columns = {name: [*cells] for name, cells in case.columns.items()}
    for name in case.scores if case.layout != "preferences" else ():
        columns[name][chance.randrange(case.rows)] = chance.choice(("", "NA", "n/a"))
    return case.with_columns(columns)


def _unit_stated(_: random.Random, case: ScoreCase) -> ScoreCase:
    return replace(case, stated=replace(case.stated, unit=case.units)) if case.units else case


def _system_stated(_: random.Random, case: ScoreCase) -> ScoreCase:
    return replace(case, stated=replace(case.stated, system=case.system)) if case.system else case


def _summary(names: Sequence[str], statistic: Callable[[list[float]], float], at: int) -> Trouble:
    """Return the trouble of a line for each system that sums up the others."""

    def added(chance: random.Random, case: ScoreCase) -> ScoreCase:
        if not case.units or case.task is not None or case.sample is not None:
            return case
        name = chance.choice(names)
        is_called = name not in ("Promedio", "x17")
        systems = [""] if case.system is None else sorted({*case.columns[case.system]})
        lines = []
        for system in systems:
            line = dict.fromkeys(case.columns, "") | {case.units[0]: name}
            if case.system is not None:
                line[case.system] = system
            for score in case.scores:
                numbers = []
                for row, cell in enumerate(case.columns[score]):
                    if case.system is None or case.columns[case.system][row] == system:
                        numbers.append(float(cell))
                line[score] = f"{statistic(numbers):.6f}"
            lines.append(line)
        columns = {}
        for of, cells in case.columns.items():
            own = [line[of] for line in lines]
            columns[of] = [*own, *cells] if at == 0 else [*cells, *own]
        # A line that only its numbers tell is one of the units where settings say so.
        return case.with_columns(columns, summed_up=is_called or case.stated.unit is None)

    return added


TROUBLES: dict[str, Trouble] = {
    "seconds": _beside("seconds", _fractions),
    "a rank": _beside("rank", _whole),
    "tokens": _beside("n_tokens", _whole),
    "a statistic": _beside("p_value", _fractions),
    "a judge": _beside("judge", lambda chance, n: [chance.choice("xyz") for _ in range(n)]),
    "a comment": _beside("comment", _texts),
    "true and false beside": _beside("is_hard", _truths),
    "weights": _beside("weight", _fractions),
    "true and false": _true_and_false,
    "gaps": _gaps,
    "an index": _index,
    "lines in another order": _in_another_order,
    "columns in another order": _columns_shuffled,
    "units of another name": _unit_of_another_name,
    "systems of another name": _system_of_another_name,
    "unit stated": _unit_stated,
    "system stated": _system_stated,
}
#: These are drawn last, because they compute with numbers that others change.
_LAST: dict[str, Trouble] = {
    "a mean below": _summary(_SUMMARIES, statistics.fmean, 1),
    "a mean above": _summary(_SUMMARIES, statistics.fmean, 0),
    "a deviation": _summary(_DEVIATIONS, statistics.stdev, 1),
}
ALL_TROUBLES = {**TROUBLES, **_LAST}


def make_scores(seed: int) -> ScoreCase:
    """Return the table of a seed."""
    chance = random.Random(seed)
    case = chance.choice((_long, _long, _wide, _wide, _preferences))(chance, seed)
    names = chance.sample([*TROUBLES], chance.choice((0, 0, 1, 1, 2, 3)))
    if chance.random() < 0.15 and "gaps" not in names and "true and false" not in names:
        names.append(chance.choice([*_LAST]))
    drawn = []
    for name in names:
        changed = ALL_TROUBLES[name](chance, case)
        if changed is not case:
            drawn.append(name)
        case = changed
    return replace(case, troubles=tuple(drawn))


# Verdicts -----------------------------------------------------------------------------------------


def recognition_of_scores(case: ScoreCase, stated: StatedScores | None = None) -> ScoresRecognition:
    return recognize_scores(case.table, stated or case.stated)


def verdict_of_scores(case: ScoreCase, outcome: ScoresRecognition) -> tuple[str, str]:
    """Return "right", "asked" or "WRONG", and why."""
    if outcome.questions:
        return "asked", str(outcome.questions[0].asks)[:90]
    if case.layout == "preferences":
        sides = outcome.sides
        is_right = sides is not None and sides.columns == case.scores
        return ("right", "") if is_right else ("WRONG", "sides")
    roles = outcome.roles
    if roles is None:
        return "asked", "neither scores nor preferences"
    if case.summed_up:
        return "WRONG", "a line that sums up"
    if _parts(case, roles.units) != _parts(case, case.units):
        return "WRONG", f"units {roles.units}"
    if (roles.system, roles.task) != (case.system, case.task):
        return "WRONG", f"system {roles.system}, task {roles.task}"
    if case.sample is not None and roles.sample != case.sample:
        return "WRONG", f"sample {roles.sample}"
    if {*roles.scores} != {*case.scores}:
        return "WRONG", f"scores {roles.scores}"
    if dict(outcome.directions) != case.better:
        return "WRONG", f"directions {dict(outcome.directions)}"
    return "right", ""


def _parts(case: ScoreCase, names: tuple[str, ...]) -> list[int]:
    """Return for each line the first one of the same unit."""
    if not names:
        return [*range(case.rows)]
    keys = [*zip(*(case.columns[name] for name in names), strict=True)]
    return [keys.index(key) for key in keys]
