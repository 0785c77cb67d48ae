from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from scoring_program.core.errors import SettingsError
from scoring_program.metrics import resolve
from scoring_program.scoring.bind import bind
from scoring_program.settings.checks import MetricSpec


def labels(*specs: MetricSpec) -> list[str]:
    return [metric.label for metric in resolve(specs, None)]


def test_an_average_over_classes_is_part_of_the_label() -> None:
    macro, micro = (
        MetricSpec(f"f1_{average}", "f1_score", {"average": average})
        for average in ("macro", "micro")
    )
    assert labels(macro, micro, MetricSpec("f1", "f1_score")) == ["macro F1", "micro F1", "F1"]


def test_metrics_that_would_share_a_label_have_their_names() -> None:
    one, other = (
        MetricSpec(f"f1_{label}", "f1_score", {"pos_label": label}) for label in ("yes", "no")
    )
    assert labels(one, other) == ["f1_yes", "f1_no"]
    assert labels(one) == ["F1"]


def test_an_organizers_file_is_read_anew_where_it_has_changed(tmp_path: Path) -> None:
    """In a notebook the first version would be scored for ever."""
    own, gold = tmp_path / "own.py", np.arange(5)
    spec = MetricSpec("own", "own.py:score", greater_is_better=True)
    scorers = []
    for value in (0.25, 0.75):
        own.write_text(f"def score(y_true, y_pred):\n    return {value}\n")
        scorers.append(bind(resolve([spec], tmp_path)[0], gold, [gold]))
    assert [scorer.observed.tolist() for scorer in scorers] == [[0.25], [0.75]]


def test_an_organizers_file_that_a_worker_finds_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "own.py"
    own.write_text("def score(y_true, y_pred):\n    return 0.5\n")
    before = set(sys.modules)
    (metric,) = resolve([MetricSpec("own", "own.py:score", greater_is_better=True)], tmp_path)
    own.write_text("def score(y_true, y_pred):\n    return 1.0\n")
    for name in set(sys.modules) - before:
        monkeypatch.delitem(sys.modules, name)  # as in a fresh process
    assert metric.call is not None
    with pytest.raises(SettingsError, match=r"own\.py was changed during the run"):
        metric.call(None, None)
