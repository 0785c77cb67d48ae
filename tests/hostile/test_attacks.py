"""What the gold costs an attacker: small versions of the attacks, and the table of the docs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.competitions import REPOSITORY
from tests.hostile import attacks
from tests.sweeps import swept


@pytest.mark.parametrize(("mode", "cost"), [*zip(attacks.MODES, (1, None, None), strict=True)])
def test_labels_from_a_hash(mode: str, cost: int | None) -> None:
    assert attacks.cost("hash", mode, 10) == cost


@pytest.mark.parametrize(("mode", "cost"), swept(zip(attacks.MODES, (2, 5, 30), strict=True), 2))
def test_labels_from_log_loss(mode: str, cost: int) -> None:
    assert attacks.cost("log loss", mode, 60) == cost


@pytest.mark.parametrize(("mode", "cost"), swept(zip(attacks.MODES, (12, 12, 20), strict=True), 2))
def test_labels_from_accuracy(mode: str, cost: int) -> None:
    """Fewer than 10,000 examples: four digits show how many are right."""
    assert attacks.cost("accuracy", mode, 32) == cost


def test_prices_from_uploads_that_fail(tmp_path: Path) -> None:
    """Half of them fail; none of the failures tells more than that it is one."""
    settings = "metrics: [mean_squared_error]\nparticipants: score\n"
    target = attacks.Target(tmp_path, 3, settings, below=1000)
    assert target.share_found(attacks.from_failures(target)) == 1
    assert (target.submissions, target.failed) == (33, 15)


def test_a_bar_tells_nothing_of_accuracy_at_the_standard_error() -> None:
    without, with_bar = attacks.bar_tells("accuracy", 32, uploads=4)
    assert without == with_bar


@pytest.mark.full
def test_the_table_of_the_documentation() -> None:
    """Releases of SciPy solve the same constraints differently, so that a cost may differ a bit."""
    text = (REPOSITORY / "docs/explanation/what-scores-tell.md").read_text(encoding="utf-8")
    for line in attacks.table().splitlines():
        attack, *costs = line.strip("| ").split(" | ")
        if not any(cost.isdigit() for cost in costs):
            assert line in text
            continue
        (documented,) = (row for row in text.splitlines() if row.startswith(f"| {attack} |"))
        for cost, told in zip(costs, documented.strip("| ").split(" | ")[1:], strict=True):
            if cost.isdigit():
                assert int(cost) == pytest.approx(int(told), rel=1 / 3), line
            else:
                assert cost == told
