"""What answers of every kind of data say, from files to the audit."""

from __future__ import annotations

import csv
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import scoring_program as dh
from scoring_program.api.public import score
from scoring_program.core.templates import templates_folder

_KINDS = Path(templates_folder()) / "new" / "kinds"
#: Kinds with answers that are right or wrong, and the certificate of each kind.
_GRADABLE = {"rows", "tasks", "label_sets", "tags", "spans", "resolved"}


def _audited(folder: Path, kind: str, settings: str = "") -> dict[str, Any]:
    shutil.copytree(_KINDS / kind / "res", folder / "res")
    shutil.copytree(_KINDS / kind / "ref", folder / "ref")
    path = folder / "ref" / "scoring.yaml"
    path.write_text(settings or path.read_text(encoding="utf-8"), encoding="utf-8")
    return score(folder, resamples=100).audit().to_dict()


@pytest.mark.parametrize("kind", sorted(path.name for path in _KINDS.iterdir()))
def test_every_kind_has_a_certificate(tmp_path: Path, kind: str) -> None:
    if kind == "text":
        pytest.importorskip("sacrebleu")
    if kind == "ranking":
        pytest.importorskip("ir_measures")
    found = _audited(tmp_path, kind)
    labels = kind in ("rows", "tasks")
    assert ("certificate" in found) == labels
    assert ("withdrawal" in found) != labels
    assert ("confusion" in found) == labels
    assert ("examples" in found) == (kind in _GRADABLE)
    assert ("near_copies" in found) == (kind in {*_GRADABLE, "text"})


def test_the_file_of_confusions_counts_every_pair_of_labels() -> None:
    gold = np.array(list("ababababab"))
    given = {"A": gold.copy(), "B": np.array(["a"] * 10)}
    given["A"][0] = "b"
    audit = dh.compare(gold, given, "accuracy", resamples=100).audit()
    (name,) = (name for name in audit.files if name.endswith("confusion_of_entries.csv"))
    rows = [*csv.reader(str(audit.files[name]).splitlines())]
    assert rows == [
        ["entry", "gold", "given", "count"],
        *(["A", "a", "a", "4"], ["A", "a", "b", "1"], ["A", "b", "b", "5"]),
        *(["B", "a", "a", "5"], ["B", "b", "a", "5"]),
    ]


@pytest.mark.parametrize("metric", ["exact_match", "string_match"])
def test_answers_are_right_or_wrong_as_the_metric_of_answers_says(
    tmp_path: Path, metric: str
) -> None:
    found = _audited(tmp_path, "text", f"metrics: [{metric}]\n")
    right = sum(item["entries_right"] for item in found["examples"])
    scores = score(tmp_path, resamples=100)[metric].ranking
    assert right == pytest.approx(sum(row.score for row in scores) * len(found["examples"]))


def test_examples_that_tell_possible_winners_apart_are_counted() -> None:
    gold = np.array(list("ababababab"))
    given = {"A": gold.copy(), "B": gold.copy(), "C": np.array(["c"] * 10)}
    given["A"][[0, 1]] = given["B"][[0, 2, 3]] = "c"
    result = dh.compare(gold, given, "accuracy", labels=["a", "b", "c"], resamples=200)
    audit = result.audit()
    found, page = audit.to_dict(), str(audit.files["audit.html"])
    right = [given[name] == gold for name in result.possible_winners]
    assert result.possible_winners == ("A", "B")
    assert found["separating"] == (np.any(right, axis=0) & ~np.all(right, axis=0)).sum() == 3
    assert "3 of 10 examples (30%) tell the possible winners apart" in page
    assert "none on 1, only one on 3, all but one on 6 of the 10 examples." in page
    counts = sorted(item["entries_right"] for item in found["examples"])
    assert counts == [0, 1, 1, 1, *[2] * 6]


@pytest.mark.parametrize("rule", ["max_t", "none"])
def test_a_rule_that_names_no_winners_has_none_in_the_audit(rule: Any) -> None:
    gold = np.array(list("ababababab"))
    given = {"A": gold.copy(), "B": gold.copy(), "C": np.array(["a"] * 10)}
    given["A"][[0, 1]] = given["B"][[0, 2, 3]] = "b"
    result = dh.compare(gold, given, "accuracy", resamples=200, tie_rule=rule)
    page = str(result.audit().files["audit.html"]).split("</style>")[-1]
    assert ("possible winner" in page) == (rule == "max_t")


def test_a_set_of_labels_is_right_as_a_whole(tmp_path: Path) -> None:
    found = _audited(tmp_path, "label_sets", "metrics: [accuracy_score]\n")
    right = sum(item["entries_right"] for item in found["examples"])
    scores = score(tmp_path, resamples=100)["accuracy_score"].ranking
    assert right == pytest.approx(sum(row.score for row in scores) * len(found["examples"]))


@pytest.mark.parametrize("kind", ["label_sets", "spans", "tags"])
def test_copies_of_every_kind_are_found(tmp_path: Path, kind: str) -> None:
    """A copy has the same predictions in another file; four others make the field large enough."""
    shutil.copytree(_KINDS / kind / "res", tmp_path / "res")
    shutil.copytree(_KINDS / kind / "ref", tmp_path / "ref")
    first = min((tmp_path / "res").iterdir())
    copied = first.with_stem("another")
    copied.write_text(first.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    found = score(tmp_path, resamples=100).audit().to_dict()
    assert found["identical"] == [{"entries": ["another", first.stem], "files": False}]
