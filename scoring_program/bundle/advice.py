"""What the organizer should know of a competition that the platforms take as it is.

It is no reason to refuse the competition, but may be one to change it: who can see what, which
submissions count, how numbers are shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..core.errors import listed
from .description import Description

#: Codabench's rules for the leaderboard, and the runs that count alike in a report of all
#: submissions; by the other rules participants choose.
_RUNS = {
    "Force_Best": "best",
    "Force_Last": "last",
    "Force_Latest_Multiple": "all",
}
#: Keys of scores that are whole numbers, up to the first dot.
_WHOLE = {"rank", "tied_with_leader", "n_tied_with_leader", "n_teams", "n_examples"}


def lines(competition: Description) -> Iterator[str]:
    """Yield what to say of a competition that can be uploaded."""
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
                    f"leaderboards: {column['key']!r} is a whole number, and its precision "
                    f"{column['precision']}; 0 shows it as 1.0, which is the shortest there is."
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
        else "Put it into a competition of its own that is never published, or make the report on "
        "your own machine with 'deadheat score'."
    )
    missing = [place for place, is_hidden in hidden.items() if not is_hidden]
    return (
        f"The phase {phase['name']!r} scores everybody's submissions at once and is not private: "
        "once the competition is published, anyone can open the page of any submission to any "
        f"phase, and participants can upload to this one. {remedy}"
        + (f" Hide what can be hidden, by {listed(missing)}." if missing else "")
    )


def _which_runs(competition: Description, reports: list[dict[str, Any]]) -> Iterator[str]:
    """Say where the report of all submissions would count others than the leaderboard does."""
    rule = competition.document["leaderboards"][0].get("submission_rule", "Add")
    agreeing = _RUNS.get(rule)
    if agreeing is None:
        yield (
            f"By the leaderboard's submission_rule {rule} participants choose which submission "
            "counts; no setting 'runs' knows their choice. Force_Best and Force_Last are 'runs: "
            "best' and 'runs: last'."
        )
        return
    for task in competition.document["tasks"]:
        runs = competition.all_settings(task).get("runs", "all" if task in reports else agreeing)
        if runs != agreeing:
            yield (
                f"Task {task['index']}: 'runs: {runs}' counts other submissions than the "
                f"leaderboard, whose submission_rule is {rule}; 'runs: {agreeing}' counts the same."
            )
    if not reports:
        yield (
            "For the report of all submissions put the platform's bulk download into res/ on your "
            f"own machine: 'deadheat score INPUT OUTPUT --runs {agreeing}' counts those that the "
            "leaderboard shows."
        )
