"""What Codabench takes and refuses of a competition.yaml, rule by rule, and what we say of it.

The verdicts are those of Codabench's own unpacker, serializers and page of the leaderboard (version
1.25, commit c7dbc75, with Django 5.2.12 and Django REST framework 3.16.1): they were run on the
example's bundle with each of these changes. `tests.platform.unpackers` states the same once more.
"""

from __future__ import annotations

import copy
from typing import Any

from tests.bundle.made import Change, put

_BOARD = ("leaderboards", 0)
_COLUMNS = (*_BOARD, "columns")
_PHASE = ("phases", 0)
_QUESTION = {
    "key": "code", "type": "text", "title": "Code", "selection": "", "is_required": "false",
    "is_on_leaderboard": "false",
}  # fmt: skip


def _counted_from_one(document: dict[str, Any]) -> None:
    for column in document["leaderboards"][0]["columns"]:
        column["index"] += 1


def _all_hidden(document: dict[str, Any]) -> None:
    for column in document["leaderboards"][0]["columns"]:
        column["hidden"] = True


def _computed(computation: object = "avg", indexes: object = None) -> Change:
    """Make the second column one that the platform computes."""
    said = {"computation": computation, "computation_indexes": indexes}

    def change(document: dict[str, Any]) -> None:
        column = document["leaderboards"][0]["columns"][1]
        column |= {key: value for key, value in said.items() if value is not None}

    return change


def _question(**changes: object) -> Change:
    return put("fact_sheet", value={"code": {**_QUESTION, **changes}})


def _all(*changes: Change) -> Change:
    def change(document: dict[str, Any]) -> None:
        for each in changes:
            each(document)

    return change


#: Both take it.
TAKEN: dict[str, Change] = {
    "as it is": lambda document: None,
    "title of 181": put("title", value="t" * 181),
    "no description": put("description", value=None),
    "benchmark": put("competition_type", value="benchmark"),
    "contact_email": put("contact_email", value="a.b+c_d'e@c-d.example.co.uk"),
    "contact_email with spaces around it": put("contact_email", value=" a@b.org "),
    "reward of 256": put("reward", value="r" * 256),
    "fact sheet": _question(),
    "empty fact sheet": put("fact_sheet", value={}),
    "page title of 255": put("pages", 0, "title", value="p" * 255),
    "task name of 256": put("tasks", 0, "name", value="n" * 256),
    "task without description": put("tasks", 0, "description", value=None),
    "empty description of a task": put("tasks", 0, "description", value=""),
    "no solutions": put("solutions", value=None),
    "empty solutions": put("solutions", value=[]),
    "solution name of 256": put("solutions", 0, "name", value="n" * 256),
    "phase name of 256": put(*_PHASE, "name", value="n" * 256),
    "phase without description": put(*_PHASE, "description", value=None),
    "max_submissions 0": put(*_PHASE, "max_submissions", value=0),
    "max_submissions_per_day 0": put(*_PHASE, "max_submissions_per_day", value=0),
    "neither limited": _all(
        put(*_PHASE, "max_submissions", value=0), put(*_PHASE, "max_submissions_per_day", value=0)
    ),
    "execution_time_limit 0": put(*_PHASE, "execution_time_limit", value=0),
    "no execution_time_limit": put(*_PHASE, "execution_time_limit", value=None),
    "migration to the second": put("phases", 1, "auto_migrate_to_this_phase", value=True),
    "leaderboard title of 64": put(*_BOARD, "title", value="t" * 64),
    "leaderboard key of 36": put(*_BOARD, "key", value="k" * 36),
    "no submission_rule": put(*_BOARD, "submission_rule", value=None),
    "hidden leaderboard": put(*_BOARD, "hidden", value=True),
    "hidden first column": put(*_COLUMNS, 0, "hidden", value=True),
    "column title of 36": put(*_COLUMNS, 0, "title", value="t" * 36),
    "column key of 36": put(*_COLUMNS, 1, "key", value="k" * 36),
    "gap in the indexes": put(*_COLUMNS, 1, "index", value=17),
    "precision 0": put(*_COLUMNS, 0, "precision", value=0),
    "computed of others": _computed(indexes=[0, 2]),
    "computed of one twice": _computed(indexes=[0, 0]),
    "unknown key": put("colour", value="red"),
    "unknown key of a column": put(*_COLUMNS, 0, "colour", value="red"),
    "unknown key like one that is set": put("pages", 0, "files", value="x"),
    "primary_index 0": put(*_BOARD, "primary_index", value=0),
    "no docker_image": put("docker_image", value=None),
    "version as a text": put("version", value="2"),
    "no word about detailed results": put("enable_detailed_results", value=None),
    "no detailed results": put("enable_detailed_results", value=False),
    "column without sorting": put(*_COLUMNS, 1, "sorting", value=None),
    "column without precision": put(*_COLUMNS, 2, "precision", value=None),
    "no phase with an index": _all(
        put(*_PHASE, "index", value=None), put("phases", 1, "index", value=None)
    ),
}

#: Codabench 1.25 refuses it; later versions take some of it, and we take it with a note.
LATER: dict[str, Change] = {
    "computation of later": _computed("average_rank", [0]),
    "computation of nobody": _computed("median", [0]),
}

#: Both refuse it; beside each what we say.
REFUSED: dict[str, tuple[Change, str]] = {
    "no version": (put("version", value=None), "version: is missing"),
    "version 1": (put("version", value=1), "version: expected 2"),
    "no title": (put("title", value=None), "title: is missing"),
    "blank title": (put("title", value=" "), "title: is missing"),
    "title of 182": (
        put("title", value="t" * 182),
        "182 characters, but the platform stores at most 181",
    ),
    "title of 256": (
        put("title", value="t" * 256),
        "256 characters, but the platform stores at most 181",
    ),
    "title of 257": (
        put("title", value="t" * 257),
        "257 characters, but the platform stores at most 181",
    ),
    "no image": (put("image", value=None), "image: is missing"),
    "no image file": (put("image", value="x.png"), r"image: there is no file x\.png"),
    "no terms": (put("terms", value=None), "terms: is missing"),
    "no terms file": (put("terms", value="x.md"), r"terms: there is no file x\.md"),
    "flag of text": (put("forum_enabled", value="perhaps"), "expected true or false"),
    "flag of 2": (put("registration_auto_approve", value=2), "expected true or false"),
    "long docker_image": (put("docker_image", value="d" * 129), "the packages of"),
    "competition_type": (
        put("competition_type", value="challenge"),
        "competition_type: expected competition or benchmark; found 'challenge'",
    ),
    "competition_type in capitals": (
        put("competition_type", value="Competition"),
        "competition_type: expected competition or benchmark",
    ),
    **{
        f"contact_email {address}": (put("contact_email", value=address), "expected an address")
        for address in (
            "me",
            "a@b",
            "a@b.c",
            "a..b@c.org",
            "a b@c.org",
            "a@b.org, c@d.org",
            "mé@b.org",
            "Me <a@b.org>",
            "a@-b.org",
            "a@b.123",
        )
    },
    "queue by name": (put("queue", value="mine"), "queue: expected the queue's Vhost, a UUID"),
    "reward of 257": (
        put("reward", value="r" * 257),
        "257 characters, but the platform stores at most 256",
    ),
    "question of another type": (_question(type="radio"), "fact_sheet: expected questions"),
    "question by another key": (_question(key="x"), "fact_sheet: expected questions"),
    "question with more": (_question(more=1), "fact_sheet: expected questions"),
    "question without selection": (
        put("fact_sheet", value={"code": {"key": "code"}}),
        "fact_sheet: expected questions",
    ),
    "question of text": (put("fact_sheet", value={"code": "x"}), "fact_sheet: expected questions"),
    "fact sheet of a list": (put("fact_sheet", value=[1]), "fact_sheet: expected questions"),
    "no list of pages": (put("pages", value=None), "pages: is missing"),
    "page without title": (put("pages", 0, "title", value=None), r"pages\[0\]: title: is missing"),
    "page with blank title": (put("pages", 0, "title", value=""), r"pages\[0\]: title: is missing"),
    "page title of 256": (
        put("pages", 0, "title", value="p" * 256),
        "256 characters, but the platform stores at most 255",
    ),
    "no page file": (put("pages", 1, "file", value="x.md"), r"pages\[1\]: file: there is no file"),
    "no list of tasks": (put("tasks", value=None), "tasks: is missing"),
    "no tasks": (put("tasks", value=[]), "tasks: expected at least one item"),
    "task without index": (put("tasks", 0, "index", value=None), r"tasks\[0\]: index: is missing"),
    "task index twice": (put("tasks", 1, "index", value=0), r"tasks\[1\]: index: 0 is used twice"),
    "task without name": (put("tasks", 0, "name", value=None), r"tasks\[0\]: name: is missing"),
    "task with blank name": (put("tasks", 0, "name", value=""), r"tasks\[0\]: name: is missing"),
    "task name of 257": (
        put("tasks", 0, "name", value="n" * 257),
        "257 characters, but the platform stores at most 256",
    ),
    "task without program": (
        put("tasks", 0, "scoring_program", value=None),
        "scoring_program: is missing",
    ),
    "reference elsewhere": (
        put("tasks", 0, "reference_data", value="x"),
        "reference_data: there is no folder x",
    ),
    "solution elsewhere": (
        put("solutions", 0, "path", value="x"),
        r"solutions\[0\]: path: there is no file x",
    ),
    "solution without path": (put("solutions", 0, "path", value=None), "path: is missing"),
    "solution without index": (put("solutions", 0, "index", value=None), "index: is missing"),
    "solution without tasks": (put("solutions", 0, "tasks", value=None), "tasks: is missing"),
    "solution of no task": (
        put("solutions", 0, "tasks", value=[7]),
        "there is no task with index 7",
    ),
    "solution name of 257": (
        put("solutions", 0, "name", value="n" * 257),
        "257 characters, but the platform stores at most 256",
    ),
    "no list of phases": (put("phases", value=None), "phases: is missing"),
    "no phases": (put("phases", value=[]), "phases: expected at least one item"),
    "phase without name": (put(*_PHASE, "name", value=None), r"phases\[0\]: name: is missing"),
    "phase name of 257": (
        put(*_PHASE, "name", value="n" * 257),
        "257 characters, but the platform stores at most 256",
    ),
    "phase without start": (put(*_PHASE, "start", value=None), r"phases\[0\]: start: is missing"),
    "phase start": (put(*_PHASE, "start", value="soon"), "start: expected a date"),
    "no end before another phase": (
        put(*_PHASE, "end", value=None),
        "because another phase follows",
    ),
    "phases meet": (
        put("phases", 1, "start", value="2026-04-01 00:00:00"),
        "must come after the end of the previous phase",
    ),
    "phases overlap": (
        put("phases", 1, "start", value="2026-02-01 00:00:00"),
        "must come after the end of the previous phase",
    ),
    "phase without tasks": (put(*_PHASE, "tasks", value=None), "tasks: is missing"),
    "phase of no task": (put(*_PHASE, "tasks", value=[9]), "there is no task with index 9"),
    "migration to the first": (
        put(*_PHASE, "auto_migrate_to_this_phase", value=True),
        "no phase comes before the first",
    ),
    "max_submissions -1": (put(*_PHASE, "max_submissions", value=-1), "at least 0; found -1"),
    "max_submissions 2.5": (put(*_PHASE, "max_submissions", value=2.5), "at least 0; found 2.5"),
    "time limit -1": (put(*_PHASE, "execution_time_limit", value=-1), "at least 0; found -1"),
    "starting kit elsewhere": (put(*_PHASE, "starting_kit", value="x"), "there is no file x"),
    "public data elsewhere": (put(*_PHASE, "public_data", value="x"), "there is no file x"),
    "no list of leaderboards": (put("leaderboards", value=None), "leaderboards: is missing"),
    "no leaderboard": (put("leaderboards", value=[]), "leaderboards: expected at least one item"),
    "leaderboard without title": (put(*_BOARD, "title", value=None), "title: is missing"),
    "leaderboard title of 65": (
        put(*_BOARD, "title", value="t" * 65),
        "65 characters, but the platform stores at most 64",
    ),
    "leaderboard without key": (put(*_BOARD, "key", value=None), "key: is missing"),
    "leaderboard key of 37": (
        put(*_BOARD, "key", value="k" * 37),
        "37 characters, but the platform stores at most 36",
    ),
    "submission_rule": (
        put(*_BOARD, "submission_rule", value="Best"),
        "submission_rule: expected Add, ",
    ),
    "no list of columns": (put(*_COLUMNS, value=None), "columns: is missing"),
    "no columns": (put(*_COLUMNS, value=[]), "columns: expected at least one item"),
    "columns counted from 1": (
        _counted_from_one,
        "no column has index 0; the platform ranks by index 0",
    ),
    "all columns hidden": (_all_hidden, "columns: all are hidden"),
    "column without title": (put(*_COLUMNS, 0, "title", value=None), "title: is missing"),
    "column title of 37": (
        put(*_COLUMNS, 0, "title", value="t" * 37),
        "37 characters, but the platform stores at most 36",
    ),
    "column without key": (put(*_COLUMNS, 0, "key", value=None), "key: is missing"),
    "column key of 37": (
        put(*_COLUMNS, 0, "key", value="k" * 37),
        "37 characters, but the platform stores at most 36",
    ),
    "column key twice": (put(*_COLUMNS, 0, "key", value="rank"), "'rank' is used twice"),
    "column without index": (put(*_COLUMNS, 1, "index", value=None), "index: is missing"),
    "column index twice": (put(*_COLUMNS, 1, "index", value=0), "index: 0 is used twice"),
    "column index -1": (put(*_COLUMNS, 1, "index", value=-1), "index: expected a whole number"),
    "column sorting": (put(*_COLUMNS, 1, "sorting", value="up"), "sorting: expected asc or desc"),
    "column precision": (
        put(*_COLUMNS, 1, "precision", value=True),
        "precision: expected the number of decimals; found true",
    ),
    "computation of a number": (_computed(7, [0]), "computation: expected a text; found 7"),
    "computed of nothing": (_computed(), "computation_indexes: is missing"),
    "computed of no columns": (_computed(indexes=[]), "computation_indexes: expected at least one"),
    "computed of itself": (_computed(indexes=[1]), "1 is the column itself"),
    "computed of itself and another": (_computed(indexes=[0, 1]), "1 is the column itself"),
    "computed of no column": (_computed(indexes=[0, 77]), "there is no column with index 77"),
    "computed of a text": (_computed(indexes="0,2"), "computation_indexes: expected a list"),
    "computed of a number": (_computed(indexes=0), "computation_indexes: expected a list"),
    "computed of 0.0": (_computed(indexes=[0.0]), r"\[0\]: expected a whole number; found 0.0"),
    "columns for no computation": (_computed(None, [0]), "computation: is missing"),
}

#: Codabench takes it, we do not.
STRICTER: dict[str, tuple[Change, str]] = {
    # It takes numbers for texts and texts for numbers, and YAML's 0x10 or 1_000 as it reads them.
    "title of a number": (put("title", value=2021), "found 2021; put it in quotes"),
    "precision of text": (put(*_COLUMNS, 1, "precision", value="4"), "expected the number of"),
    "computed of texts": (_computed(indexes=["0", "2"]), r"\[0\]: expected a whole number"),
    "task index of text": (
        _all(
            put("tasks", 0, "index", value="a"),
            put(*_PHASE, "tasks", value=["a"]),
            put("solutions", 0, "tasks", value=["a"]),
        ),
        "index: expected a whole number",
    ),
    # It passes over what it does not know, such as a misspelt key, whose default would decide.
    "misspelt key": (put("rewards", value="$1"), "unknown key 'rewards'; did you mean 'reward'"),
    "misspelt key of a phase": (
        put(*_PHASE, "hide_outptu", value=True),
        "unknown key 'hide_outptu'; did you mean 'hide_output'",
    ),
    "primary_index": (put(*_BOARD, "primary_index", value=3), "primary_index: must be 0"),
    # It takes rare addresses, which no organizer has.
    "contact_email of this machine": (put("contact_email", value="a@localhost"), "an address"),
    "contact_email by number": (put("contact_email", value="a@[127.0.0.1]"), "an address"),
    "contact_email in letters": (put("contact_email", value="a@exámple.org"), "an address"),
    "unknown image": (put("docker_image", value="codalab/codalab-legacy:py313"), "did you mean"),
    "precision below 0": (put(*_COLUMNS, 1, "precision", value=-1), "expected the number of"),
    # The competition would come out broken, or in an order that nobody chose.
    "no pages": (put("pages", value=[]), "pages: expected at least one item"),
    "task without reference data": (
        put("tasks", 0, "reference_data", value=None),
        "reference_data: is missing",
    ),
    "solution index twice": (
        lambda document: document["solutions"].extend(copy.deepcopy(document["solutions"])),
        r"solutions\[1\]: index: 0 is used twice",
    ),
    "solution for no tasks": (put("solutions", 0, "tasks", value=[]), "expected at least one item"),
    "one phase without index": (put(*_PHASE, "index", value=None), "index: is missing"),
    "phase index twice": (put("phases", 1, "index", value=0), "index: 0 is used twice"),
    "phase of no tasks": (put(*_PHASE, "tasks", value=[]), "tasks: expected at least one item"),
    "phase ends early": (
        put(*_PHASE, "end", value="2025-01-01 00:00:00"),
        "end: must come after start",
    ),
}
