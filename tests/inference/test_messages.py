"""What every caution says, word for word in every language.

Each is made of the fewest facts that it needs, one for each of its sentences. When a caution is
raised, `tests.inference.test_cautions` and its neighbors say.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from scoring_program.core.errors import InternalError, LeftOut
from scoring_program.core.phrases import Phrase
from scoring_program.data.competition import NOT_CONNECTED
from scoring_program.inference import cautions, mean_ranks
from scoring_program.inference.comparing import reliable
from scoring_program.inference.evidence import Caution, Question
from scoring_program.inference.normal import CROSSED
from scoring_program.metrics.families.unit_scores import UNIT_RANK
from scoring_program.reading.formats.kind import UNITS
from scoring_program.reading.formats.tied_scores import BY_NAME
from tests import snapshots
from tests.arrays import made_metric, made_replicates
from tests.density import PACKAGE

MESSAGES = Path(__file__).parent / "messages"
#: Cautions that no few facts make, and the tests that read them.
MADE_ELSEWHERE = {
    "REPEATED_IDS": "tests/data/test_kaggle.py",
    "heavy_tails": "tests/inference/test_cautions.py, where a single metric has it",
    "open_answers": "tests/inference/test_open_answers.py",
    "rare_errors": "tests/inference/test_cautions.py",
}
NAMES = ("north", "south", "west")
F1 = made_metric("f1", label="F1")
MEAN_SCORE = made_metric("mean_score", kind=UNITS, per_unit=True)


def record(**facts: Any) -> Any:
    """Return what stands for a record of which only these facts are read."""
    return SimpleNamespace(**facts)


def scores(**facts: Any) -> Any:
    """Return the scores of three entries, none of which deserves a caution but for the facts."""
    usual = {
        "metric": F1,
        "names": NAMES,
        "n": 600,
        "observed": np.array([0.8, 0.7, 0.6]),
        "predicted": np.ones(3, np.bool_),
        "by_position": (),
        "diagnostics": None,
        "correct": None,
        "groups": None,
        "groups_in_effect": None,
        "people": None,
        "normal_source": None,
        "unit_names": (),
        "replicates": made_replicates(np.full((4, 3), 0.5)),
    }
    return record(**{**usual, **facts})


def diagnostics(**facts: Any) -> Any:
    usual = {"minority": None, "errors": None, "averaged": False, "moved": None, "rescaled": None}
    return record(**{**usual, **facts})


def some(*entries: int) -> np.ndarray[Any, Any]:
    """Mark some of the three entries."""
    return np.isin(np.arange(3), entries)


def of_competitions() -> Iterator[Caution]:
    """Yield what is said of all entries, whatever the metric."""
    internal = Phrase(InternalError.sentence, number="01234", place="here", version="1.0")
    uploads = {
        "form": "teams",
        "names": ("Alice", "ALICE", "Bob"),
        "teams": {},
        "notes": (Phrase(NOT_CONNECTED),),
        "unscored": (),
    }
    unusable = [LeftOut("Carol", internal), LeftOut("Dave", internal)]
    yield from cautions.about_uploads(record(**uploads, unusable=unusable))
    yield from cautions.about_uploads(record(**uploads, unusable=unusable[:1]))
    lost = record(form="teams", teams_sent=8, teams_without_score=6)
    yield from cautions.about_lost_teams(lost)
    tied = Phrase(BY_NAME, count=3, queries=50, documents=12)
    entry = record(name="north", notes=[tied])
    part = record(entries=[entry, None])
    yield from cautions.about_tied_documents(record(parts=[part]))
    decision = record(value="label", rivals=("class", "stance"))
    reading = record(doubtful=[(decision, ("macro F1",))])
    yield from cautions.about_reading(reading, "macro F1", ["macro F1"])
    for names in (("north",), NAMES):
        competition = record(form="teams", names=names, teams={})
        yield from cautions.about_prizes(competition, Question(prizes=3))


def of_leaders() -> Iterator[Caution]:
    """Yield what is said of who leads."""
    yield cautions.about_these_runs()
    yield from cautions.about_leaving(NAMES, "F1", {"north": [1], "west": [0, 1]})
    yield from cautions.about_tied_ranks(NAMES, UNIT_RANK, [0], [1, 2])
    small = record(score=np.array([3e-11, 1e-11]), rank=np.array([1, 2]))
    yield from cautions.about_small_scores(record(metric=F1, scores=small))
    standing = record(rank_low=np.ones(3))
    errors = made_metric("rmse", label="RMSE", greater_is_better=False)
    for heavy_tailed in (np.ones((3, 3), np.bool_), np.zeros((3, 3), np.bool_)):
        for winners in (some(0, 1), some(0, 1, 2)):
            verdict = record(possible_winners=winners)
            far = record(
                scores=scores(metric=errors, observed=np.array([0.01, 0.5, 0.7])),
                influence=None,
                heavy_tailed=heavy_tailed,
            )
            yield from cautions.about_far_winners(far, standing, verdict)


def of_predictions() -> Iterator[Caution]:
    """Yield what is said of predictions that may be read otherwise than they are meant."""
    everybody = np.ones(3, np.bool_)
    yield from cautions._about_predictions(scores(by_position=(1,)), everybody)
    moved = diagnostics(moved=some(0, 2))
    yield from cautions._about_predictions(scores(diagnostics=moved), everybody)
    rescaled = diagnostics(rescaled=some(1))
    for kind in ("numbers", "labels", "text", "tags", "scores"):
        metric = made_metric("metric", kind=kind)
        of_kind = scores(diagnostics=rescaled, metric=metric)
        yield from cautions._about_predictions(of_kind, everybody)
    percentages = scores(diagnostics=rescaled, metric=MEAN_SCORE)
    yield from cautions._about_predictions(percentages, everybody)
    chance = made_metric("auc", label="AUC", no_skill=0.5)
    reversed_scores = scores(metric=chance, observed=np.array([0.1, 0.7, 0.8]))
    yield from cautions._about_predictions(reversed_scores, everybody)


def of_samples() -> Iterator[Caution]:
    """Yield what is said of few units, classes and errors."""
    yield from cautions._about_extremes(scores(metric=made_metric("max_error", extreme=True)))
    yield from cautions._about_folds(scores(unit_names=("fold",)), None)
    for groups, effective in ((12, 12.0), (50, 50.0), (150, 12.34)):
        yield from cautions._about_sample(scores(groups=groups, groups_in_effect=effective))
    crossed = scores(groups=3, groups_in_effect=3.0, normal_source=CROSSED)
    yield from cautions._about_sample(crossed)
    yield from cautions._about_sample(scores(people=40))
    for n in (1, 60):
        yield from cautions._about_sample(scores(n=n))
    in_pairs = scores(strata=np.arange(300) // 2, of_units=None)
    yield from cautions._about_strata(in_pairs, studentized=False)
    for minority in (0, 1, 9):
        facts = diagnostics(minority=minority, averaged=True)
        yield from cautions._about_minority(scores(diagnostics=facts))
    for minority in (1, 20):
        facts = diagnostics(minority=minority)
        yield from cautions._about_minority(scores(diagnostics=facts))
    for errors in (1, 7):
        facts = diagnostics(errors=np.array([errors, 50, 60]))
        yield from cautions._about_minority(scores(diagnostics=facts))


def of_resamples() -> Iterator[Caution]:
    """Yield what is said of resamples, and of intervals and p-values that rest on them."""
    values = np.full((200, 3), 0.5)
    for undefined in (1, 7):
        drawn = made_replicates(values, undefined=undefined)
        yield from cautions._about_resamples(scores(replicates=drawn))
    drawn = made_replicates(values, zero_divisions=np.array([3, 0, 5]))
    yield from cautions._about_resamples(scores(replicates=drawn))
    for size, family in ((1, "the family of comparisons with the leader"),
                         (6, "the family of all pairs")):  # fmt: skip
        for rule in ("holm", "max_t"):
            yield from cautions._about_counting(size, Phrase(family), 15, 0.05, rule)
    yield from cautions.about_enormous_errors(4999, 500)
    few = record(resamples_for_influence=900, scores=scores(), bootstrap=record(resamples=100))
    yield from cautions.about_influence([few])
    for used in (["none", "percentile", "percentile"], ["none", "none", "percentile"]):
        yield from cautions._about_scores(scores(), used)
    for low in ([0.81, 0.6, 0.5], [0.81, 0.71, 0.5]):
        ends = record(low=np.array(low), high=np.array([0.9, 0.9, 0.9]))
        basis = record(observed=scores().observed, scores=scores())
        yield from cautions._about_shifted_intervals(basis, ends)
    largest = Caution("amber", "heavy_tails", 0.31, Phrase("{limit:n}", limit=0.1))
    yield Caution("amber", "heavy_tails", 0.31, cautions.heavy_tails_by(("F1", "AUC"), largest))
    yield of_mean_rank()


def of_mean_rank() -> Caution:
    """Return what is said of every mean rank, where no test lacks resamples."""
    basis = record(
        question=Question(confidence=0.95),
        resamples_for_influence=None,
        scores=scores(),
        bootstrap=record(resamples=999),
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mean_ranks, "needed_resamples", lambda *_: None)
        (caution,) = mean_ranks._cautions([basis])
    return caution


def of_pairs() -> Iterator[Caution]:
    """Yield what is said of entries that are alike, in scores or names, or share few units."""
    pairs = {"first": np.array([0, 0, 1]), "second": np.array([1, 2, 2])}
    nothing = np.zeros(3)
    for metric in (F1, MEAN_SCORE):
        same = record(**pairs, standard_error=nothing, observed=nothing)
        yield from cautions._about_pairs(scores(metric=metric), same, None)
    for errors in (np.array([0.0, 1, 1]), np.array([0.0, 0, 1])):
        constant = record(**pairs, standard_error=errors, observed=np.ones(3))
        yield from cautions._about_pairs(scores(), constant, None)
    yield from cautions._about_names(("Alice", "\N{CYRILLIC CAPITAL LETTER A}lice"))
    for judged in ([200, 30, 200], [200, 30, 30]):
        shared = np.minimum.outer(judged, judged)
        shared[0, 1] = shared[1, 0] = 2
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(reliable, "shared_units", lambda _, shared=shared: shared)
            yield from reliable.about_sharing(scores(metric=MEAN_SCORE, answers=()))


EVERY = (
    of_competitions,
    of_leaders,
    of_predictions,
    of_samples,
    of_resamples,
    of_pairs,
)


def codes_in_the_package() -> set[str]:
    """Return the code of every caution, as the package writes it."""
    codes = set()
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "Caution":
                codes.add(ast.unparse(node.args[1]).strip("'"))
    return codes


def by_code(every: Iterable[Caution]) -> dict[str, list[Phrase]]:
    """Return code → its different sentences, in the order of the alphabet."""
    sentences: dict[str, list[Phrase]] = {}
    for caution in every:
        of_code = sentences.setdefault(caution.code, [])
        if caution.sentence not in of_code:
            of_code.append(caution.sentence)
    return dict(sorted(sentences.items()))


def test_cautions_are_as_they_were(pytestconfig: pytest.Config) -> None:
    messages = by_code(caution for cautions_of in EVERY for caution in cautions_of())
    assert {*messages} | {*MADE_ELSEWHERE} == codes_in_the_package()
    snapshots.compare(MESSAGES, messages, pytestconfig)
