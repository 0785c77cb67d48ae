"""Progress: whole lines for platforms, and seldom; a bar for people."""

from __future__ import annotations

import io

import pytest

from scoring_program.commands.boundary import say
from scoring_program.commands.score import Shown


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_lines_come_seldom_and_end_with_all_that_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([0.0, 0.0, 1.0, 6.0, 7.0, 12.0, 99.0])
    monkeypatch.setattr("time.monotonic", lambda: next(clock))
    stream = io.StringIO()
    with Shown(stream) as shown:
        for done in (0, 1000, 2000, 3000, 4000, 10_000):
            shown.advance("resamples", done, 10_000)
    assert stream.getvalue().splitlines() == [
        "2,000 of 10,000 resamples after 6 s.",
        "4,000 of 10,000 resamples after 12 s.",
        "10,000 of 10,000 resamples after 99 s.",
    ]


def test_what_is_quickly_done_has_no_line(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([0.0, 0.0, 6.0, 7.0, 7.0])
    monkeypatch.setattr("time.monotonic", lambda: next(clock))
    stream = io.StringIO()
    with Shown(stream) as shown:
        shown.advance("metrics", 1, 3)
        shown.advance("metrics", 2, 3)
        shown.advance("metrics", 3, 3)
        shown.advance("pages", 1, 1)
    assert stream.getvalue().splitlines() == [
        "2 of 3 metrics after 6 s.",
        "3 of 3 metrics after 7 s.",
    ]


def test_a_bar_on_a_terminal_says_nothing_in_lines() -> None:
    stream = Terminal()
    with Shown(stream) as shown:
        shown.advance("resamples", 5_000, 10_000)
        shown.advance("resamples", 10_000, 10_000)
        shown.advance("metrics", 1, 2)
    assert "/10.0k" in stream.getvalue()
    assert "metrics" in stream.getvalue()
    assert "\n" not in stream.getvalue()


def test_a_bundle_needs_no_library_of_bars(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    stream = Terminal()
    with Shown(stream) as shown:
        shown.advance("resamples", 5_000, 10_000)
        shown.log("A line.")
    assert stream.getvalue() == "A line.\n"


def test_a_bar_makes_way_for_lines() -> None:
    stream = Terminal()
    with Shown(stream) as shown:
        shown.advance("metrics", 1, 3)
        shown.log("A line.")
        shown.advance("metrics", 2, 3)
    (line,) = (part for part in stream.getvalue().split("\n") if part.endswith("A line."))
    assert line.rpartition("\r")[2] == "A line."


def test_closed_output_is_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with Shown(None) as shown:
        shown.advance("resamples", 1, 2)
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("environment", "colored"),
    [
        ({"TERM": "xterm"}, True),
        ({"TERM": "xterm", "NO_COLOR": "1"}, False),
        ({"TERM": "dumb"}, False),
    ],
)
def test_colors_where_a_terminal_has_them(
    environment: dict[str, str], colored: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("TERM", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    terminal, file = Terminal(), io.StringIO()
    say("Not scored: A", terminal, style="loss")
    say("Not scored: A", file, style="loss")
    assert ("\x1b[31m" in terminal.getvalue()) is colored
    assert file.getvalue() == "Not scored: A\n"
