"""No message tells which rows are public, private or ignored: of one odd row, all say the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from scoring_program.commands.score import main
from tests.competitions import write_csv

_USAGES = ["Public", "Private", "Ignored"] * 6
_GOLD = [float(i % 7) for i in range(18)]
_OWN = "metrics: [{name: own, function: own.py:own, kind: numbers, greater_is_better: true}]\n"
_CORRELATION = "metrics: [pearsonr, mean_absolute_error]\n"
_FORMULA = """\
metrics:
- {name: f, formula: 1 - r, greater_is_better: false}
- {name: r, function: pearsonr}
"""
#: Fails at one line for equal predictions, and at another one for a large one.
_RAISES = """\
def own(y_true, y_pred):
    with open(CALLS, "a") as calls:
        print(len(y_true), file=calls)
    if len(set(y_pred)) == 1:
        raise DEFECT
    if max(y_pred) > 100:
        raise KeyError
    return 1.0
"""
_VISIBLE = "class ParticipantVisibleError(Exception): pass\n\n"


def _competition(root: Path, settings: str, code: str, *, field: bool) -> Path:
    ids = [f"x{i}" for i in range(18)]
    ref = root / "input" / "ref"
    write_csv(ref / "solution.csv", {"id": ids, "x": _GOLD, "Usage": _USAGES})
    (ref / "scoring.yaml").write_text(f"{settings}resamples: 100\nlayout: single\n")
    (ref / "own.py").write_text(f"CALLS = {str(root / 'calls')!r}\n{code}")
    if field:
        for name, shift in (("one", 1), ("two", 2)):
            moved = [(x + i % shift) for i, x in enumerate(_GOLD)]
            write_csv(ref / "submissions" / f"{name}.csv", {"id": ids, "x": moved})
    return root / "input"


def _send(root: Path, odd: int, value: float) -> int:
    numbers = [value if row == odd else 1.0 for row in range(18)]
    ids = [f"x{i}" for i in range(18)]
    write_csv(root / "input" / "res" / "p.csv", {"id": ids, "x": numbers})
    return main([str(root / "input"), str(root / "output")])


@pytest.mark.parametrize(
    ("settings", "code", "status", "message"),
    [
        (_CORRELATION, "", 1, "'pearsonr' (Pearson's r) has no value for this submission, because"),
        (_FORMULA, "", 1, "are equal for all examples, or for all"),
        (_OWN, _RAISES.replace("DEFECT", "ValueError"), 2, "metric 'own' (own) cannot score"),
        (
            _OWN,
            _VISIBLE + _RAISES.replace("DEFECT", "ParticipantVisibleError('all equal')"),
            1,
            "metric 'own' on the whole test set (this submission): all equal",
        ),
    ],
    ids=["correlation", "formula", "raises", "visible"],
)
@pytest.mark.parametrize("field", [False, True])
def test_an_odd_row_says_the_same_wherever_it_is(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    settings: str,
    code: str,
    status: int,
    message: str,
    field: bool,
) -> None:
    _competition(tmp_path, settings, code, field=field)
    # A value above 100 makes an organizer's function fail at another line for the rows of its part.
    value = 2.0 if "Visible" in code else 200.0
    texts = set()
    for odd in range(3):
        assert _send(tmp_path, odd, value) == status
        told = capsys.readouterr()
        texts.add(told.out + told.err)
    assert len(texts) == 1, texts
    assert message in texts.pop()


def test_both_parts_are_scored_whichever_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _competition(tmp_path, _OWN, _RAISES.replace("DEFECT", "ValueError"), field=False)
    sets = []
    for odd in range(3):
        (tmp_path / "calls").unlink(missing_ok=True)
        assert _send(tmp_path, odd, 2.0) == 2
        sets.append((tmp_path / "calls").read_text().split())
    # Both parts have six rows; the ignored ones are not scored.
    assert all(len(calls) > 1 and {*calls} == {"6"} for calls in sets)


def test_a_number_in_a_wrong_unit_tells_no_part(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _competition(tmp_path, "metrics: [mean_squared_error]\n", "", field=False)
    texts = set()
    for odd in (0, 1):  # an ignored row cannot matter
        assert _send(tmp_path, odd, 9e9) == 1
        texts.add(capsys.readouterr().err)
    assert len(texts) == 1, texts
