"""How many uploads the gold costs: attackers who use what a participant sees.

Each attacker knows the ids, the labels and this program's code, and sees all that a run writes.
``python -m tests.hostile.attacks`` prints the table of the page on scores and what the bar adds;
test_attacks.py tries them.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import math
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp

from scoring_program.api.public import score
from scoring_program.core.cells import LARGEST
from scoring_program.core.errors import SubmissionError
from scoring_program.report import scores
from tests.competitions import write_csv

SEED = 0x8C4F_19D2_77AB_03E5_55D0_41B9_2A6E_F310
#: What participants may see: the settings, by the name of the table's column.
MODES = {
    "full": "participants: full\n",
    "four digits": "participants: score\n",
    "standard error": "participants: score\nprecision: standard_error\n",
}
#: An attack has succeeded if it finds so large a share of the labels.
ENOUGH = 0.97
#: The integer program is tried with these numbers of submissions.
TRIED = (12, 16, 20, 24, 28, 32, 40, 60, 80, 100, 140)
_BAR = re.compile(r"at (?:least [\d.]+, at )?most [\d.]+")
_HASH = re.compile(r"\b[0-9a-f]{64}\b")


@dataclass
class Target:
    """A competition with labels 0 and 1, or prices, that counts the uploads; the gold is secret.

    Uploads that fail count, too, although they are free on Codabench.
    """

    folder: Path
    n: int
    settings: str
    below: int = 2
    submissions: int = 0
    failed: int = 0
    gold: list[int] = field(init=False)

    def __post_init__(self) -> None:
        self.gold = np.random.default_rng(self.n).integers(0, self.below, self.n).tolist()
        write_csv(self.folder / "in/ref/gold.csv", {"id": self.ids, "label": self.gold})
        text = f"{self.settings}seed: {SEED}\nworkers: 1\n"
        (self.folder / "in/ref/scoring.yaml").write_text(text)

    @property
    def ids(self) -> list[str]:
        """The ids, as the starting kit shows them."""
        return [f"x{number:03d}" for number in range(self.n)]

    def submit(self, column: str, values: Sequence[Any]) -> dict[str, str]:
        """Score a submission and return the files that its author sees: name → text."""
        self.submissions += 1
        write_csv(self.folder / "in/res/predictions.csv", {"id": self.ids, column: values})
        output = self.folder / "out"
        try:
            score(self.folder / "in", output)
        except SubmissionError:
            self.failed += 1
            raise
        paths = (path for path in output.rglob("*") if path.is_file())
        return {path.name: path.read_text(encoding="utf-8") for path in paths}

    def share_found(self, guess: Sequence[int]) -> float:
        """Return the share of labels that a guess has right."""
        return float(np.mean(np.asarray(guess) == self.gold))


def from_hash(target: Target) -> list[int] | None:
    """Try all files of 0 and 1 against every hash that one submission's outputs show."""
    seen = target.submit("label", [0] * target.n)
    own = hashlib.sha256((target.folder / "in/res/predictions.csv").read_bytes()).hexdigest()
    hashes = {*_HASH.findall("\n".join(seen.values()))} - {own}
    for labels in itertools.product((0, 1), repeat=target.n):
        rows = (f"{id},{label}\r\n" for id, label in zip(target.ids, labels, strict=True))
        content = f"id,label\r\n{''.join(rows)}"
        if hashlib.sha256(content.encode()).hexdigest() in hashes:
            return list(labels)
    return None


@dataclass(frozen=True)
class Probe:
    """Logits for the labels that one submission asks for under log loss; all others get .5."""

    logits: tuple[float, ...]

    def losses(self, n: int, labels: Sequence[int]) -> np.ndarray[Any, Any]:
        """Return the loss of each of n examples if these are the labels asked for."""
        signs = np.where(np.asarray(labels) == 1, -1.0, 1.0)
        asked = np.logaddexp(0, signs * np.asarray(self.logits[: len(signs)]))
        return np.concatenate([asked, np.full(n - len(asked), math.log(2))])

    def read(self, n: int, asked: int, shown: float) -> list[int]:
        """Return the labels that a score tells: the heaviest first, each by what is too much."""
        labels = [1] * asked
        rest = n * shown - self.losses(n, labels).sum()
        for place, logit in enumerate(self.logits[:asked]):
            if rest > logit - self.logits[-1] / 2:  # the lighter ones together weigh less
                labels[place], rest = 0, rest - logit
        return labels


def doubling(n: int, unit: float) -> Probe:
    """Return the probe whose logits halve as long as a score with this unit tells them apart."""
    smallest, largest = 1.05 * n * unit, 22.0
    count = 1 + int(math.log2(largest / smallest))
    return Probe(tuple(smallest * 2.0**place for place in reversed(range(count))))


#: Two logits of which a score and an interval that are rounded to the standard error tell both.
_TWO = Probe((14.3, 8.0))


def from_log_loss(target: Target, mode: str) -> list[int]:
    """Ask for a few labels with each submission; the scores tell them exactly."""
    probe = _TWO
    if mode != "standard error":
        probe = doubling(target.n, 1e-10 if mode == "full" else 1e-4)
    guess: list[int] = []
    while len(guess) < target.n:
        asked = min(len(probe.logits), target.n - len(guess))
        values = np.full(target.n, 0.5)
        values[len(guess) : len(guess) + asked] = 1 / (1 + np.exp(-np.array(probe.logits[:asked])))
        shown = json.loads(target.submit("prediction", values.tolist())["scores.json"])
        if probe is _TWO:
            guess += _nearest(probe, target.n, asked, shown)
        else:
            guess += probe.read(target.n, asked, shown["log_loss"])
    return guess


def _nearest(probe: Probe, n: int, asked: int, shown: dict[str, float]) -> list[int]:
    """Return the labels whose score and interval, by resamples of one's own, are the nearest."""
    counts = np.random.default_rng(0).multinomial(n, [1 / n] * n, size=4000)
    numbers = np.array([shown[f"log_loss{end}"] for end in ("", "_ci_low", "_ci_high")])

    def distance(labels: Sequence[int]) -> float:
        losses = probe.losses(n, labels)
        replicates = counts @ losses / n
        grid = scores._not_below(float(replicates.std()))
        score, (low, high) = losses.mean(), np.quantile(replicates, [0.025, 0.975])
        middle = scores.nearest(score, grid)
        unit, sides = scores.unit_of(grid), (score - low, high - score)
        below, above = (scores.nearest(side, grid) + unit for side in sides)
        return float(np.abs(numbers - (middle, max(middle - below, 0.0), middle + above)).sum())

    patterns: list[Sequence[int]] = list(itertools.product((0, 1), repeat=asked))
    best: Sequence[int] = min(patterns, key=distance)
    return list(best)


def from_accuracy(target: Target, mode: str, submissions: int) -> list[int]:
    """Send random labels, and solve for those that give all the accuracies: integer programming."""
    n, rng = target.n, np.random.default_rng(1)
    half = n * (0.05 if mode == "standard error" else 0.00005) + 1e-6
    rows, low, high = [], [], []
    for _ in range(submissions):
        sent = rng.integers(0, 2, n)
        shown = json.loads(target.submit("label", sent.tolist())["scores.json"])
        rows.append(2.0 * sent - 1)  # times the gold: how many are right, less the zeros sent
        right = n * shown["accuracy_score"] - float(np.sum(1 - sent))
        low.append(right - half)
        high.append(right + half)
    found = milp(
        np.zeros(n),
        constraints=LinearConstraint(np.array(rows), low, high),
        integrality=np.ones(n),
        bounds=Bounds(0, 1),
        options={"time_limit": 30},
    )
    return [0] * n if found.x is None else np.round(found.x).astype(int).tolist()


#: Prices are below this number.
_DEAREST = 1000
#: The width to which prices are known when each is asked for again, and how far the unknown errors
#: of the others may have led astray.
_COARSE, _ASTRAY = 8.0, 3.0


def from_failures(target: Target) -> list[int]:
    """Find each price by halves: whether the squared error is too large tells which half it is in.

    One prediction is so far off that the sum of squared errors is near the bound.
    """
    n = target.n
    low, high = np.zeros(n), np.full(n, float(_DEAREST))
    for width in (_COARSE, 1.0):
        for place in range(n):
            while high[place] - low[place] > width:
                middle = (low[place] + high[place]) / 2
                others = np.delete((high - low) ** 2 / 12, place).sum()  # as expected
                sent = (low + high) / 2
                sent[place] = middle + math.sqrt(n * LARGEST - others)
                try:
                    target.submit("label", sent.tolist())
                except SubmissionError:
                    high[place] = middle
                else:
                    low[place] = middle
        if width == _COARSE:
            low, high = low - _ASTRAY, high + _ASTRAY
    return np.round((low + high) / 2).astype(int).tolist()


_METRICS = {
    "log loss": "log_loss",
    "accuracy": "accuracy_score",
    "hash": "accuracy_score",
    "failures": "mean_squared_error",
}


def cost(attack: str, mode: str, n: int) -> int | None:
    """Return how many uploads an attack needs to find the gold of n examples, or None."""
    below = _DEAREST if attack == "failures" else 2
    for tried in TRIED if attack == "accuracy" else (1,):
        with tempfile.TemporaryDirectory() as folder:
            settings = f"metrics: [{_METRICS[attack]}]\n{MODES[mode]}"
            target = Target(Path(folder), n, settings, below)
            if attack == "accuracy":
                guess: list[int] | None = from_accuracy(target, mode, tried)
            elif attack == "failures":
                guess = from_failures(target)
            else:
                guess = from_hash(target) if attack == "hash" else from_log_loss(target, mode)
            if guess is not None and target.share_found(guess) >= ENOUGH:
                return target.submissions
    return None


#: The rows of the table: what is attacked, the attack, and the number of examples.
ROWS = (
    ("the hash of the reference data, 18 examples", "hash", 18),
    ("log loss, 200 examples", "log loss", 200),
    ("accuracy, 72 examples", "accuracy", 72),
    ("which uploads fail under squared error, 12 prices below 1,000", "failures", 12),
)


def table() -> str:
    """Return the table of docs/explanation/what-scores-tell.md."""
    lines = [f"| attack | {' | '.join(MODES)} |", "|---" + "|---:" * len(MODES) + "|"]
    for said, attack, n in ROWS:
        costs = (cost(attack, mode, n) for mode in MODES)
        lines.append(f"| {said} | {' | '.join(str(found or 'never') for found in costs)} |")
    return "\n".join(lines)


def bar_tells(attack: str, n: int, uploads: int = 40) -> tuple[float, float]:
    """Return the bits that an upload of random answers shows in a field, without the bar and with.

    The entropy of what is shown, rounded to the standard error; the field has two rivals.
    """
    metric, rng = _METRICS[attack], np.random.default_rng(0)
    column = "label" if attack == "accuracy" else "prediction"
    with tempfile.TemporaryDirectory() as folder:
        settings = f"metrics: [{metric}]\nresamples: 2000\n{MODES['standard error']}"
        target = Target(Path(folder), n, settings)
        gold = np.array(target.gold)
        for rival in range(2):
            wrong = rng.random(n) < 0.4
            labels, hints = np.where(wrong, 1 - gold, gold), 0.5 + 0.1 * (gold - 0.5) * ~wrong
            sent = labels if column == "label" else hints
            path = target.folder / f"in/ref/submissions/rival{rival}.csv"
            write_csv(path, {"id": target.ids, column: sent.tolist()})
        shown = []
        for _ in range(uploads):
            answers = rng.integers(0, 2, n) if column == "label" else rng.uniform(0.05, 0.95, n)
            files = target.submit(column, answers.tolist())
            scores = json.loads(files["scores.json"])
            bar = (scores.pop("distance_from_best"), *_BAR.findall(files["detailed_results.html"]))
            shown.append((str(scores), str(bar)))
    return _bits([scores for scores, _ in shown]), _bits(shown)


def _bits(seen: Sequence[Any]) -> float:
    share = np.array([*Counter(seen).values()]) / len(seen)
    return float(-(share * np.log2(share)).sum())


if __name__ == "__main__":
    sys.stdout.write(table() + "\n")
    for attack, n in (("accuracy", 72), ("log loss", 200)):
        without, bar = bar_tells(attack, n)
        sys.stdout.write(f"{attack}, {n} examples: {without:.1f} bits, {bar:.1f} with the bar\n")
