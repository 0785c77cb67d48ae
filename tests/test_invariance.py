"""What must not matter: order of rows and teams, names, workers; and what a copy must do."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.competitions import Folder, numeric
from tests.sweeps import swept

LABELS = "metrics: [accuracy_score, {f1_score: {average: macro}}]\nresamples: 2000\n"
NUMBERS = "metrics: [mean_absolute_error, root_mean_squared_error]\nresamples: 2000\n"
#: How many workers compute in which way; the fast run tries the first.
WORKERS = (
    ("1", "auto"), ("5", "threads"), ("2", "processes"),
    ("2", "auto"), ("5", "auto"), ("2", "threads"), ("5", "processes"), ("2", "loky"),
)  # fmt: skip


def anonymous(results: dict[str, Any], names: dict[str, str]) -> Any:
    """Return the metrics with entries called as ``names`` says."""

    def renamed(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: renamed(item) for key, item in value.items()}
        if isinstance(value, list):
            return [renamed(item) for item in value]
        return names.get(value, value) if isinstance(value, str) else value

    for metric in results["metrics"]:  # a sentence holds names among other words
        words = metric["verdict"]["sentence"].split(" ")
        metric["verdict"]["sentence"] = [
            names.get(word.rstrip(",;"), word.rstrip(",;")) for word in words
        ]

    return renamed(results["metrics"])


def test_the_order_of_rows(folder: Folder) -> None:
    folder.write(LABELS)
    assert folder.run() == 0
    before = folder.results()
    rng = random.Random(3)
    for path in [folder.input / "ref" / "gold.csv", *(folder.input / "res").glob("*/*.csv")]:
        header, *rows = path.read_text(encoding="utf-8").splitlines()
        rng.shuffle(rows)
        path.write_text("\n".join([header, *rows]), encoding="utf-8")
    assert folder.run() == 0
    after = folder.results()
    for results in (before, after):
        results["signature"] = {
            key: value for key, value in results["signature"].items() if "sha256" not in key
        }
    assert after == before


@pytest.mark.parametrize("settings", [LABELS, NUMBERS])
def test_names_and_order_of_teams(folder: Folder, settings: str) -> None:
    folder.write(settings)
    if settings == NUMBERS:
        numeric(folder)
    assert folder.run() == 0
    before = folder.results()
    names = {"One": "zeta", "Two": "alpha", "Three": "mu"}
    for old, new in names.items():
        (folder.input / "res" / old).rename(folder.input / "res" / new)
    assert folder.run() == 0
    assert anonymous(before, names) == anonymous(folder.results(), {})


@pytest.mark.parametrize("ways", swept([3, len(WORKERS)]))
@pytest.mark.parametrize("settings", [LABELS, NUMBERS])
def test_the_same_seed_gives_the_same_bytes(folder: Folder, settings: str, ways: int) -> None:
    folder.write(settings)
    if settings == NUMBERS:
        numeric(folder)
    written = set()
    for workers, backend in WORKERS[:ways]:
        assert folder.run("--workers", workers, "--backend", backend) == 0
        written.add(
            tuple(
                (path.relative_to(folder.output).as_posix(), path.read_bytes())
                for path in sorted(folder.output.rglob("*.*"))
            )
        )
    assert len(written) == 1
    before = folder.results()["metrics"]
    assert folder.run("--seed", "1") == 0
    assert folder.results()["metrics"] != before


@pytest.mark.parametrize("settings", [LABELS, NUMBERS])
def test_a_copy_of_the_leader_is_tied_under_every_rule(folder: Folder, settings: str) -> None:
    folder.teams["Two"] = folder.teams["One"]
    folder.write(settings)
    if settings == NUMBERS:
        numeric(folder)
    assert folder.run() == 0
    for metric in folder.results()["metrics"]:
        first, copy = metric["entries"][:2]
        assert {first["entry"], copy["entry"]} == {"One", "Two"}
        assert metric["leaders"] == ["One", "Two"]
        assert first["rank"] == copy["rank"] == 1
        assert first["tier"] == copy["tier"] == 1
        assert first["rank_range"] == copy["rank_range"]
        assert first["rank_set"] == copy["rank_set"]
        assert all(copy["tied"].values())
        assert set(copy["tied"]) == {"interval", "none", "bonferroni", "holm", "fdr_bh", "max_t"}
        assert copy["difference"]["p_one_sided"] == copy["difference"]["p_two_sided"] == 1
        assert set(copy["difference"]["p_adjusted"].values()) == {1}
