"""The notebook of the documentation: it runs, and its three analyses find what its text says."""

from __future__ import annotations

import importlib.util
import json
from typing import Any

import pytest

from tests.competitions import REPOSITORY


def outputs(notebook: Any) -> dict[str, list[Any]]:
    """Return the last line of each cell of code → its outputs."""
    return {
        cell.source.rstrip().rpartition("\n")[2]: cell.outputs
        for cell in notebook.cells
        if cell.cell_type == "code"
    }


def test_it_is_kept_without_outputs() -> None:
    kept = json.loads((REPOSITORY / "docs" / "notebook.ipynb").read_text(encoding="utf-8"))
    code = [cell for cell in kept["cells"] if cell["cell_type"] == "code"]
    assert len(code) > 8
    assert [cell for cell in code if cell["outputs"] or cell["execution_count"]] == []


@pytest.mark.skipif(
    importlib.util.find_spec("nbconvert") is None, reason="needs the packages of deadheat[docs]"
)
def test_it_runs_and_finds_what_it_says() -> None:
    from docs.generate import notebook

    found = outputs(notebook.executed())

    def text(line: str) -> str:
        return str(found[line][0]["data"]["text/plain"])

    def html(line: str) -> str:
        return str(found[line][0]["data"]["text/html"])

    assert text("f1.leader, f1.tied") == "('NLPCIC', ('CIMATMTYGTO', 'DCCDINFOTEC'))"
    assert text("by_fold").startswith("<Result of 3 entries on 10 examples: ")
    assert text("held_out").startswith("<Result of 3 entries on 285 examples: ")
    for shown in ("competition", "by_fold", "held_out"):
        assert "data:image/svg+xml;base64," in html(shown)
        assert "<script" not in html(shown)
    assert "p_adjusted_holm" in html("f1.differences.to_frame()[columns].round(4)")
    assert "logistic regression" in html('held_out["neg_log_loss"].ranking.to_frame().round(3)')
    assert "results.json" in text('sorted(path.name for path in folder.glob("output/*"))')
    assert text('earlier["accuracy"].ranking == held_out["accuracy"].ranking') == "True"
    (cautions,) = found['    print(textwrap.fill(f"{warning.level}: {warning.message}", width=75))']
    assert cautions["text"].startswith("amber: Only 10 units, ")
    said = [output for given in found.values() for output in given]
    assert [output for output in said if output.get("name") == "stderr"] == []
