"""Prints what the simulations observed, beside what they must observe, after the tests."""

from __future__ import annotations

from itertools import takewhile

import pytest

HEADLINE = ("check", "what was simulated", "measure", "required", "observed")


def _place(row: tuple[str, ...]) -> int:
    return int("".join(takewhile(str.isdigit, row[0])))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    rows = [
        value
        for outcome in ("passed", "failed")
        for report in terminalreporter.getreports(outcome)
        for key, value in report.user_properties
        if key == "simulation"
    ]
    if rows:
        terminalreporter.section("simulations")
        for row in [HEADLINE, ("---",) * len(HEADLINE), *sorted(rows, key=_place)]:
            terminalreporter.write_line("| " + " | ".join(str(cell) for cell in row) + " |")
