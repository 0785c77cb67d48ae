"""Open answers that are no label are counted, and a serious caution where they decide."""

from __future__ import annotations

from pathlib import Path

import pytest

from scoring_program import score
from tests.competitions import Folder

SETTINGS = "metrics: [accuracy_score]\nlabels: any\n"


@pytest.mark.parametrize(
    ("answers", "level", "shares"),
    [
        ({"A": "xxxxy", "B": "xxyyy"}, None, ""),
        ({"A": "xxxx?", "B": "xxyyy"}, "amber", "A (20%, 20%)."),
        # In capitals, B would still be behind.
        ({"A": "xxxxy", "B": "XXyyy"}, "amber", "B (40%, 0%)."),
        ({"A": "xxx??", "B": "XXXXY"}, "red", "A (40%, 40%), B (100%, 0%). Capital letters decide"),
    ],
)
def test_letters_that_decide_are_serious(
    tmp_path: Path, answers: dict[str, str], level: str | None, shares: str
) -> None:
    folder = Folder(tmp_path, n=60)
    folder.labels = [*"xxxxy"] * 12
    folder.teams = {name: [*cells] * 12 for name, cells in answers.items()}
    folder.write(SETTINGS)
    found = [warning for warning in score(folder.input).warnings if warning.code == "open_answers"]
    assert [warning.level for warning in found] == ([] if level is None else [level])
    assert all(shares in warning.message for warning in found)
    document = score(folder.input, tmp_path / "out").to_dict()
    withdrawn = document["metrics"][0]["verdict"]["confidence"] is None
    assert withdrawn == (level == "red")
