"""What the parameters of an organizer's function are called that take predictions, or the gold."""

from __future__ import annotations

_PREDICTED = frozenset(
    (
        "y_pred", "pred", "preds", "prediction", "predictions", "predicted", "y_hat", "yhat", "hyp",
        "hyps", "hypothesis", "hypotheses", "candidate", "candidates", "submission", "submissions",
        "output", "outputs", "y_score",
    )
)  # fmt: skip
_CORRECT = frozenset(
    (
        "y_true", "true", "truth", "gold", "golds", "label", "labels", "target", "targets", "ref",
        "refs", "reference", "references", "answer", "answers", "actual", "actuals", "solution",
        "solutions", "ground_truth", "gt", "expected", "y",
    )
)  # fmt: skip


def takes_predictions(parameter: str) -> bool:
    """Whether a parameter, in small letters, is called like predictions."""
    return parameter in _PREDICTED


def takes_answers(parameter: str) -> bool:
    """Whether a parameter, in small letters, is called like correct answers."""
    return parameter in _CORRECT
