from __future__ import annotations

from scoring_program.metrics import resolve
from scoring_program.settings.model import MetricSpec


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
