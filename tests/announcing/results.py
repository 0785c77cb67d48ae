"""Results of competitions of each verdict, as results.json has them."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

from scoring_program.core.errors import LeftOut
from scoring_program.core.phrases import verbatim
from scoring_program.report.findings import Findings
from scoring_program.report.results_json import results_json
from tests.report import made

LETTERS = tuple("LABC")


def won() -> Findings:
    """A winner, and the first two."""
    return made.result((0.9, 0.7, 0.45, 0.4), LETTERS, settings={"prizes": 2})


def close() -> Findings:
    """Three possible winners of ten entries, and three prizes."""
    return made.result(settings={"prizes": 3})


def shared() -> Findings:
    """Two leaders, and another possible winner."""
    return made.result((0.7, 0.7, 0.69, 0.4), LETTERS)


def withdrawn() -> Findings:
    """A serious caution: too few groups."""
    return made.result((0.7, 0.68, 0.5, 0.4), LETTERS, groups=8, settings={"group": "document"})


def by_rule() -> Findings:
    """A tie rule that names no winners."""
    return made.result(settings={"tie_rule": "none", "prizes": 2})


def secret() -> Findings:
    """Close results of a competition whose participants see their scores only."""
    return made.result(settings={"participants": "score", "prizes": 3})


def secret_and_withdrawn() -> Findings:
    """The same with a serious caution."""
    settings = {"participants": "score", "group": "document"}
    return made.result(groups=8, settings=settings)


#: What the systems of the teams cost; C is worse and dearer than A.
COSTS = {"L": 40.0, "A": 2.5, "B": 1.0, "C": 7.0}


def priced(**settings: Any) -> Findings:
    """Costs, for which one team is off the front."""
    return made.result((0.9, 0.7, 0.45, 0.4), LETTERS, settings={"costs": COSTS, **settings})


def unusable() -> Findings:
    """A team without a place, and one whose second file cannot be scored."""
    reasons = (
        LeftOut("Absent", verbatim("predictions.csv: empty file")),
        LeftOut("L", verbatim("second.csv: empty file")),
    )
    return replace(made.result((0.9, 0.5, 0.45, 0.4), LETTERS), unusable=reasons)


VERDICTS: dict[str, Callable[[], Findings]] = {
    "won": won,
    "close": close,
    "many": made.many,
    "shared": shared,
    "withdrawn": withdrawn,
    "by_rule": by_rule,
    "alone": made.one_team,
    "mean_rank": made.tasks,
    "errors": made.errors,
    "baselines": made.baselines,
    "secret": secret,
    "secret_and_withdrawn": secret_and_withdrawn,
    "anonymous": made.anonymous,
    "unusable": unusable,
    "priced": priced,
    "secret_and_priced": lambda: priced(participants="score"),
    "hostile": made.hostile,
    "long_names": made.long_names,
    "everything": made.spanish,
}


@cache
def written(name: str) -> str:
    """Return the text of results.json of one of the verdicts."""
    return results_json(VERDICTS[name](), "")


def document(name: str) -> dict[str, Any]:
    """Return the content of results.json of one of the verdicts."""
    content: dict[str, Any] = json.loads(written(name))
    return content
