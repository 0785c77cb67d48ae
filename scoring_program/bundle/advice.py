"""What the organizer should know about a competition that the platforms accept.

It is no reason to refuse the competition, but the organizer may want to change it: who can see
what, which submissions count, how numbers are shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..core.errors import listed
from .description import Description

#: Codabench's rules for the leaderboard, and the setting 'runs' that counts the same submissions in
#: a report of all of them. Under the other rules, participants choose.
_RUNS = {
    "Force_Best": "best",
    "Force_Last": "last",
    "Force_Latest_Multiple": "all",
}
#: Layouts of uploads that hold every system once, so that no runs are to be chosen.
_TABLES = ("wide", "long")
#: Keys of scores that are whole numbers, up to the first dot.
_WHOLE = {"rank", "tied_with_leader", "n_tied_with_leader", "n_teams", "n_examples"}


def lines(competition: Description) -> Iterator[str]:
    """Yield advice on a competition that can be uploaded."""
    reports = [
        task for task in competition.document["tasks"] if competition.layout(task) != "single"
    ]
    for phase in competition.phases:
        if any(task["index"] in phase["tasks"] for task in reports):
            yield _not_private(competition, phase)
    yield from _which_runs(competition, reports)
    for board in competition.document["leaderboards"]:
        for column in board["columns"]:
            if column["key"].partition(".")[0] in _WHOLE and column["precision"]:
                yield (
                    f"leaderboards: {column['key']!r} is a whole number, but its precision is "
                    f"{column['precision']}; set it to 0, and the platform shows 1.0, the shortest "
                    "form it has."
                )


def _not_private(competition: Description, phase: Mapping[str, Any]) -> str:
    alone = len(competition.phases) == 1
    board = competition.document["leaderboards"][
        0
    ]  # the platform shows the first one in every phase
    hidden = {"'hide_output: true' in the phase": phase.get("hide_output")}
    if alone:
        hidden["'hidden: true' in the leaderboard"] = board.get("hidden")
        hidden["'registration_auto_approve: false'"] = not competition.document.get(
            "registration_auto_approve"
        )
    remedy = (
        "Never publish this competition."
        if alone
        else "Move it to a separate competition that is never published, or make the report on "
        "your own machine with 'deadheat score'."
    )
    missing = [place for place, is_hidden in hidden.items() if not is_hidden]
    return (
        f"The phase {phase['name']!r} scores all submissions at once and is not private: once the "
        "competition is published, anyone can open the page of any submission to any phase, and "
        f"participants can upload to this one. {remedy}"
        + (f" To hide what can be hidden, set {listed(missing)}." if missing else "")
    )


def _which_runs(competition: Description, reports: list[dict[str, Any]]) -> Iterator[str]:
    """Say where the report of all submissions would not count the leaderboard's submissions."""
    rule = competition.document["leaderboards"][0].get("submission_rule", "Add")
    agreeing = _RUNS.get(rule)
    if agreeing is None:
        yield (
            f"Under the leaderboard's submission_rule {rule}, participants choose which submission "
            "counts, and no value of the setting 'runs' follows their choice. Force_Best "
            "corresponds to 'runs: best', Force_Last to 'runs: last'."
        )
        return
    for task in competition.document["tasks"]:
        if competition.layout(task) in _TABLES:
            continue
        runs = competition.all_settings(task).get("runs", "all" if task in reports else agreeing)
        if runs != agreeing:
            yield (
                f"Task {task['index']}: 'runs: {runs}' does not count the same submissions as the "
                f"leaderboard, whose submission_rule is {rule}; 'runs: {agreeing}' does."
            )
    if not reports:
        yield (
            "For the report of all submissions, put the platform's bulk download into res/ on your "
            f"own machine; 'deadheat score INPUT OUTPUT --runs {agreeing}' counts the submissions "
            "that the leaderboard shows."
        )
