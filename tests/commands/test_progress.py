"""Progress: whole lines for platforms, and seldom; a bar for people."""

from __future__ import annotations

import io

import pytest

from scoring_program.commands import progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_lines_come_seldom_and_never_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([0.0, 1.0, 6.0, 7.0, 12.0, 99.0])
    monkeypatch.setattr("time.monotonic", lambda: next(clock))
    lines: list[str] = []
    with progress.shown(io.StringIO(), lines.append) as show:
        for done in (1000, 2000, 3000, 4000, 10_000):
            show(done, 10_000)
    assert lines == [
        "2,000 of 10,000 resamples after 6 s.",
        "4,000 of 10,000 resamples after 12 s.",
    ]


def test_bar_on_a_terminal_says_nothing_in_lines() -> None:
    stream, lines = Terminal(), list[str]()
    with progress.shown(stream, lines.append) as show:
        show(5_000, 10_000)
        show(10_000, 10_000)
    assert lines == []
    assert "/10.0k" in stream.getvalue()
    assert "\n" not in stream.getvalue()


def test_closed_output_is_no_terminal() -> None:
    lines = list[str]()
    with progress.shown(None, lines.append) as show:
        show(1, 2)
    assert lines == []
