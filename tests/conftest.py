"""Fixtures and checks for every test."""

from __future__ import annotations

import contextlib
import gc
import itertools
import os
import re
import subprocess
import traceback
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest

from scoring_program import pipeline
from scoring_program.audit import plan
from scoring_program.audit.page import AuditResult
from scoring_program.commands import boundary, check
from scoring_program.core.errors import DeadheatError, InternalError, internal, outline
from scoring_program.core.pool import CannotStart, Worker
from scoring_program.document.html import Document
from scoring_program.inference import MetricScores, infer
from scoring_program.inference.analyze import analyze
from scoring_program.inference.evidence import Evidence
from scoring_program.pipeline import EvaluatedCompetition
from scoring_program.report import assemble
from scoring_program.report.findings import Findings
from tests import search
from tests.bundle.remembered import remember
from tests.competitions import Folder
from tests.inference.never_contradict import copies_share_a_record, never_contradicts
from tests.report.visible import agrees, plan_agrees

_INTERNAL_ERROR = DeadheatError.exit_status
#: How a command tells of an internal error that makes one submission unusable.
_OF_ONE_UPLOAD = re.compile(r"internal error \d+ \([^)]*\)")
_NUMBERS = itertools.count()

search.load_profile(None)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--accept-golden",
        action="store_true",
        help="replace the golden files and the messages of tests by what is made now",
    )
    parser.addoption(
        "--must-run",
        action="store_true",
        help="fail if a test is skipped: for environments that were made for just these tests",
    )
    parser.addoption(
        "--search",
        type=float,
        metavar="MINUTES",
        help="run only the properties, each with examples at random until its share is over",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Select the properties for a search, and the number of their examples."""
    search.choose_sweeps("not full" not in config.option.markexpr)
    if (minutes := config.getoption("--search")) is not None:
        search.load_profile(minutes)
        config.option.markexpr = "hypothesis and not slow"


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Say how many examples a search tried."""
    if terminalreporter.config.getoption("--search") is not None:
        reports = [
            *terminalreporter.stats.get("passed", ()),
            *terminalreporter.stats.get("failed", ()),
        ]
        terminalreporter.write_line(search.tried(reports))


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail a session that skipped what it must run."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if session.config.getoption("--must-run") and reporter and reporter.stats.get("skipped"):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_collection_finish(session: pytest.Session) -> None:
    """Spare every collection of garbage the tests and modules, which stay to the end.

    Of what a run makes, next to nothing is in a cycle, and looking for cycles takes its time.
    """
    if (minutes := session.config.getoption("--search")) is not None:
        workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
        search.search(session.items, minutes, workers)
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, Any]:
    """Fail a test in which anything became an internal error, here or in a child process.

    Whatever a test is about, exit status 3 is a defect of the program, unless the test is marked
    as one of just that. So is an internal error that makes one submission unusable. And whatever
    competition a test scores, none of its outputs may contradict another.
    """
    found: list[str] = []
    wait, communicate = subprocess.Popen.wait, subprocess.Popen.communicate
    made = InternalError.__init__

    def watched_error(error: InternalError, *arguments: object) -> None:
        found.append(str(arguments[0]))
        made(error, *arguments)

    def watched_communicate(process: subprocess.Popen[Any], *given: Any, **named: Any) -> Any:
        written = communicate(process, *given, **named)
        for text in filter(None, written):
            shown = text.decode("utf-8", "replace") if isinstance(text, bytes) else text
            found.extend(_OF_ONE_UPLOAD.findall(shown))
        return written

    def watched_internal(error: BaseException, version: str) -> DeadheatError:
        found.append(outline(error))
        return internal(error, version)

    def watched_wait(process: subprocess.Popen[Any], timeout: float | None = None) -> int:
        status = wait(process, timeout)
        if status == _INTERNAL_ERROR:
            found.append(f"exit status {status} of {process.args!r}")
        return status

    contradictions: list[str] = []
    findings_of, files, plan_of = pipeline._findings, assemble.files, plan.plan

    def watched_analysis(scores: MetricScores, *question: Any) -> Evidence:
        evidence = analyze(scores, *question)
        with _kept(contradictions):
            copies_share_a_record(evidence, scores.answers)
        return evidence

    def watched_findings(*given: Any) -> Findings:
        made = findings_of(*given)
        with _kept(contradictions):
            for evidence in made.evidence:
                never_contradicts(evidence)
        return made

    def watched_files(findings: Findings, report: Document) -> dict[str, str | bytes]:
        written = files(findings, report)
        with _kept(contradictions):
            agrees(findings, report, written)
        return written

    def watched_plan(evaluation: EvaluatedCompetition, entries: int, others: Any) -> AuditResult:
        planned = plan_of(evaluation, entries, others)
        with _kept(contradictions):
            plan_agrees(evaluation, entries, planned)
        return planned

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plan, "plan", watched_plan)
        patch.setattr(infer, "analyze", watched_analysis)
        patch.setattr(pipeline, "_findings", watched_findings)
        patch.setattr(pipeline, "files", watched_files)
        for command in (boundary, check):
            patch.setattr(command, "internal", watched_internal)
        patch.setattr(subprocess.Popen, "wait", watched_wait)
        patch.setattr(subprocess.Popen, "communicate", watched_communicate)
        patch.setattr(InternalError, "__init__", watched_error)
        result = yield
    if bool(found) != (item.get_closest_marker("internal_error") is not None):
        pytest.fail(f"internal errors: {found}")
    if contradictions:
        pytest.fail(f"outputs contradict each other:\n{contradictions[0]}")
    return result


@contextlib.contextmanager
def _kept(contradictions: list[str]) -> Iterator[None]:
    """Keep what outputs contradict, so that no command can take it for an error of its own."""
    try:
        yield
    except AssertionError:
        contradictions.append(traceback.format_exc())


@pytest.fixture
def tmp_path(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of a test, as pytest's own fixture makes it.

    That one looks for a free number among all folders of the run, which takes longer with each.
    """
    name = re.sub(r"\W", "_", request.node.name)[:30]
    return tmp_path_factory.mktemp(f"{name}-{next(_NUMBERS)}", numbered=False)


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    """A competition of three teams that is not written yet."""
    return Folder(tmp_path)


@pytest.fixture
def reads_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read uploads in this process, as where none can start: each would load pyarrow."""

    def cannot(*_: object) -> None:
        raise CannotStart

    monkeypatch.setattr(Worker, "started", cannot)


@pytest.fixture(scope="session", autouse=True)
def _no_power_is_lost() -> Iterator[None]:
    """Wait for no disk: what is written need not survive the machine's end, only the program's."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda descriptor: None)
        yield


@pytest.fixture(scope="session", autouse=True)
def _the_same_is_packed_once() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        remember(patch)
        yield
