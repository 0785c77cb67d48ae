"""Documents of JSON with one other value: see `json_mutants`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from docs.generate import results_schema
from scoring_program.report.results_form import misfit
from tests.hostile.json_mutants import (
    LOGS,
    fault_of_logs,
    fault_of_results,
    mutants,
    mutants_of_logs,
    results,
)
from tests.sweeps import swept

#: Of so many documents, the fast tests try one. The slow ones try all, in so many parts.
_ONE_OF, _ONE_OF_LOGS, _PARTS = 1499, 151, 16


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    folder = tmp_path_factory.mktemp("results")
    return folder, results(folder)


def test_a_results_json_is_read_or_refused(written: tuple[Path, dict[str, Any]]) -> None:
    folder, document = written
    assert list(_wrong(folder, mutants(document, 7, _ONE_OF))) == []


@pytest.mark.slow
@pytest.mark.parametrize("part", range(_PARTS))
def test_every_results_json_is_read_or_refused(
    part: int, written: tuple[Path, dict[str, Any]]
) -> None:
    folder, document = written
    assert list(_wrong(folder, mutants(document, part, _PARTS))) == []


def _wrong(folder: Path, tried: Iterator[tuple[str, Any]]) -> Iterator[tuple[str, str]]:
    for said, mutant in tried:
        if wrong := fault_of_results(folder, mutant):
            yield said, wrong


@pytest.mark.parametrize("tool", LOGS)
def test_a_log_is_read_or_refused(tool: str) -> None:
    for said, files in mutants_of_logs(tool, 6, _ONE_OF_LOGS):
        assert (said, fault_of_logs(tool, files)) == (said, "")


@pytest.mark.slow
@pytest.mark.parametrize("tool", LOGS)
def test_every_log_is_read_or_refused(tool: str) -> None:
    wrong = ((said, fault_of_logs(tool, files)) for said, files in mutants_of_logs(tool))
    assert [(said, what) for said, what in wrong if what] == []


@pytest.mark.parametrize("step", swept([123, 41]))
def test_the_form_and_the_schema_agree(written: tuple[Path, dict[str, Any]], step: int) -> None:
    """What validates is only refused where values do not fit each other, or are no finite ones."""
    _, document = written
    schema = jsonschema.Draft202012Validator(results_schema.results())
    assert misfit(document) is None
    for said, mutant in mutants(document, 1, step):
        is_read = isinstance(mutant, dict) and not said.startswith("('schema_version',)")
        if is_read and not any(infinite in said for infinite in ("'1000000000", "'inf'", "'nan'")):
            assert (said, misfit(mutant) is None) == (said, schema.is_valid(mutant))
