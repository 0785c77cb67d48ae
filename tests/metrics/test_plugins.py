"""Metrics that other packages provide by entry points."""

from __future__ import annotations

from pathlib import Path

import pytest

from scoring_program.core.errors import SettingsError
from scoring_program.metrics import resolve
from scoring_program.settings.checks import MetricSpec
from tests.packages import install, python

HITS = """
def hit_rate(y_true, y_pred, tolerance=0.5):
    print("never shown")
    return float((abs(y_true - y_pred) <= tolerance).mean())

hit_rate.greater_is_better = True
hit_rate.kind = "numbers"
hit_rate.label = "hit rate"
hit_rate.ideal, hit_rate.low, hit_rate.high = 1.0, 0.0, 1.0

def odd(y_true, y_pred): ...
odd.kind = "colours"

not_a_function = 3
"""
ENTRY_POINTS = """[deadheat.metrics]
hit_rate = hits:hit_rate
f1_score = hits:odd
odd = hits:odd
number = hits:not_a_function
missing = hits:nothing
"""
RUN = """
import numpy as np
from deadheat.bootstrap.design import Design
from deadheat.bootstrap.resample import resample
from deadheat.core.errors import SettingsError
from deadheat.metrics import resolve
from deadheat.scoring.bind import bind
from deadheat.settings.checks import MetricSpec

(metric,) = resolve([MetricSpec("hits", "hit_rate", {"tolerance": 1})], None)
print(metric.label, metric.kind, metric.greater_is_better, metric.ideal, metric.low, metric.high)
print(metric.description)
gold = np.arange(40.0)
scorer = bind(metric, gold, [gold + 1, gold + 2])
(found,) = resample([scorer], Design(40), 20, 0)
print(scorer.observed.tolist(), found.values.min(axis=0).tolist())
print(resolve([MetricSpec("f1_score", "f1_score")], None)[0].call)
for function in ("odd", "number", "missing", "hit_rat"):
    try:
        resolve([MetricSpec("x", function)], None)
    except SettingsError as error:
        print(error)
"""


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """A folder of packages: `deadheat`, and a distribution that provides metrics."""
    return install(tmp_path, "hits", HITS, ENTRY_POINTS)


@pytest.mark.full
def test_an_installed_package_provides_a_metric(installed: Path) -> None:
    *facts, kind, number, missing, unknown = python(installed, "-c", RUN).splitlines()
    assert facts == [
        "hit rate numbers True 1.0 0.0 1.0",
        "hit_rate(tolerance=1) [hits 1.2]",
        "[1.0, 0.0] [1.0, 0.0]",
        "None",  # a name of the registry cannot be taken
    ]
    assert "hits 1.2 says kind = 'colours', which is not one of labels, scores" in kind
    assert "hits:not_a_function of hits 1.2 is not a function" in number
    assert "hits:nothing of hits 1.2 cannot be loaded: AttributeError" in missing
    assert "no function 'hit_rat'; did you mean 'hit_rate'?" in unknown


def test_a_clone_looks_for_no_package(installed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What an organizer has installed must not decide what a bundle scores."""
    monkeypatch.syspath_prepend(str(installed))
    with pytest.raises(SettingsError, match="no function 'hit_rate'"):
        resolve([MetricSpec("hits", "hit_rate")], None)
