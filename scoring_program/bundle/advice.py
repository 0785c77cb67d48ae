"""What the organizer should know about a competition that the platforms accept.

It is no reason to refuse the competition, but the organizer may want to change it: who can see
what, which submissions count, how numbers are shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from ..core.errors import listed
from .description import Description

#: Codabench's rules for the leaderboard, and the setting 'runs' that counts the same submissions in
#: a report of all of them. Under the other rules, participants choose.
_RUNS = {"Force_Best": "best", "Force_Last": "last", "Force_Latest_Multiple": "all"}
#: Where Codabench takes bundles, and what explains the later steps on each platform.
_UPLOAD = "https://www.codabench.org/competitions/upload/"
_DOCS = "https://docs.codabench.org/latest/Organizers/Running_a_benchmark"
_OF_CODALAB = "https://github.com/codalab/codalab-competitions/wiki/User_Running-a-Competition"
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


def dates(competition: Description, now: datetime) -> Iterator[str]:
    """Say when each phase takes place."""
    for phase in competition.phases:
        name, end = repr(phase["name"]), phase.get("end")
        until = f" to {end:%Y-%m-%d %H:%M}" if end else ", without an end"
        over = "; it has already ended" if end and end <= now else ""
        yield f"Phase {name}: {phase['start']:%Y-%m-%d %H:%M}{until} (UTC){over}."


def _not_private(competition: Description, phase: Mapping[str, Any]) -> str:
    alone = len(competition.phases) == 1
    # The platform shows the first one in every phase.
    board = competition.document["leaderboards"][0]
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


def _promises(competition: Description) -> str:
    """Ask for texts that are true where nothing is scored; no program knows what they promise."""
    texts = [page["file"] for page in competition.document["pages"]]
    texts += [f"the description of the phase {phase['name']!r}" for phase in competition.phases]
    return (
        "Tell participants when the scores come, because the platform shows none. If a text "
        f"promises them, change it and build again: {', '.join(texts)}"
    )


def by_hand(competition: Description, *, for_codalab: bool, without_gold: bool) -> Iterator[str]:
    """Say what is public, and what the organizer still does by hand, in order."""
    alone = any(competition.layout(task) == "single" for task in competition.document["tasks"])
    public = alone and not for_codalab
    if public and not without_gold:
        yield (
            "Public: once this competition is published, anybody can download its reference data "
            "from Codabench without an account: the gold, the packed field and the seed. For a "
            "final phase with prizes, build it with --without-gold: uploads are checked and "
            "collected, and you score them with 'deadheat score' on your own machine."
        )
    site = "your CodaLab's page 'My Competitions'" if for_codalab else _UPLOAD
    yield "What is left to do by hand:"
    steps = [
        *([(_promises(competition), "")] if without_gold else ()),
        (f"Upload the bundle: {site}", ""),
        ("Look at the dates of the phases, which are in UTC", ""),
    ]
    if alone:
        publish = "Submit the sample as a participant would, and publish the competition"
        # Of each participant the leaderboard without gold keeps the last submission, the final one.
        how = " with 'deadheat score INPUT OUTPUT --runs last'" if without_gold else ""
        download = f"After the deadline, download all submissions, and make the report{how}"
        steps += [(publish, "Competition-Management-&-List"), (download, "Competition-Detail-Page")]
        if not without_gold:
            delete = "Delete the reference data when the competition is over"
            steps.append((delete, "Resource-Management"))
    else:
        steps.append(("Never publish it. Upload the bulk download of all submissions", ""))
    if for_codalab:
        steps = [*((text, "") for text, _ in steps), (f"How: {_OF_CODALAB}", "")]
    for number, (text, page) in enumerate(steps, start=1):
        yield f"  {number}. {text}{f': {_DOCS}/{page}/' if page else ''}"
