"""A plain file of ids and predictions means what its header leaves no choice about."""

from __future__ import annotations

import pytest

from scoring_program.recognize.plain_files import PlainFiles
from scoring_program.recognize.statements import Need, Stated

AUC = Need("auc", "scores", positive="yes")
LABELS = PlainFiles("labels", ("no", "yes"))
SCORES = PlainFiles("scores", ("no", "yes"), (AUC,))
SHARES = PlainFiles("probabilities", ("a", "b", "c"))
NUMBERS = PlainFiles("numbers", (), (Need("mae", "numbers"),), gold_columns=frozenset({"year"}))


def stating(**words: object) -> PlainFiles:
    return PlainFiles("labels", ("no", "yes"), stated=Stated(**words))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("asked", "header", "places"),
    [
        (LABELS, "id,label", (0,)),
        (LABELS, "id,whatever", (0,)),
        (LABELS, "id,label,score", None),  # which of the two?
        (LABELS, "id,id", None),
        (LABELS, "id,ID", None),
        (LABELS, ",label", None),  # an index
        (LABELS, "id,Unnamed: 0", None),
        (LABELS, "id", None),
        (NUMBERS, "id,price", (0,)),
        (NUMBERS, "id,Year", None),  # it may repeat that of the gold
        (SCORES, "id,score", (0,)),
        (SCORES, "id,prob_no", None),  # the scores of another class
        (SCORES, "id,yes", None),
        (SCORES, "id,no,yes", None),  # do they sum to 1?
        (PlainFiles("scores", ("a", "b", "c")), "id,b,c,a", (2, 0, 1)),
        (PlainFiles("scores", ("a", "b", "c")), "id,score", None),  # of which class?
        (SHARES, "id,c,a,b", (1, 2, 0)),
        (SHARES, "id,c,a", None),
        (SHARES, "id,c,a,b,d", None),
        (stating(prediction="label"), "id,label", (0,)),
        (stating(prediction="score"), "id,label", None),
        (stating(prediction=2), "id,label", None),
        (stating(submissions_id=("id",)), "id,label", (0,)),
        (stating(submissions_id=("key",)), "id,label", None),
        (stating(target_predictions={"label": "guess"}), "id,guess", (0,)),
        (stating(submissions_header=False), "id,label", None),
        (stating(join="position"), "id,label", None),
        (stating(classes=("no", "yes")), "id,label", None),
    ],
)
def test_a_header_leaves_no_choice_or_is_left_to_the_rule(
    asked: PlainFiles, header: str, places: tuple[int, ...] | None
) -> None:
    assert asked.columns(header.split(",")) == places
