"""ICM and normalized ICM equal PyEvALL's, on the same resampled examples.

PyEvALL 0.2.11 (Amigó, Carrillo-de-Albornoz and others) runs where it is installed. It leaves out
examples whose correct list is empty, so that there are none here.
"""

from __future__ import annotations

import contextlib
import io
import json
import logging
from pathlib import Path
from typing import Any

import pytest

from tests.metrics.kinds.labelings import LABELS, gold, system
from tests.metrics.kinds.resamples import compare

pyevall = pytest.importorskip("pyevall.evaluation")
#: A hierarchy whose classes are all leaves.
HIERARCHY: dict[str, list[str]] = {label: [] for label in LABELS}


@pytest.mark.parametrize(("function", "acronym"), [("icm", "ICM"), ("icm_norm", "ICMNorm")])
@pytest.mark.filterwarnings("ignore")
def test_equals_pyevall_on_the_resampled_examples(
    tmp_path: Path, function: str, acronym: str
) -> None:
    def written(name: str, answers: list[Any]) -> str:
        records = [
            {"test_case": "made", "id": str(number), "value": list(labels)}
            for number, labels in enumerate(answers)
        ]
        path = tmp_path / name
        path.write_text(json.dumps(records), encoding="utf-8")
        return str(path)

    def oracle(golds: list[Any], found: list[Any]) -> float:
        files = written("found.json", found), written("gold.json", golds)
        with contextlib.redirect_stdout(io.StringIO()):
            made = pyevall.PyEvALLEvaluation().evaluate(*files, [acronym], hierarchy=HIERARCHY)
        (case,) = made.report["metrics"][acronym]["results"]["test_cases"]
        return float(case["average"])

    correct = [labels for labels in gold() if labels]
    systems = [system(correct, 0.25, 0), system(correct, 0.4, 1), system(correct, 0.25, 0)]
    logging.disable(logging.CRITICAL)
    try:
        compare(function, {}, correct, systems, oracle)
    finally:
        logging.disable(logging.NOTSET)
