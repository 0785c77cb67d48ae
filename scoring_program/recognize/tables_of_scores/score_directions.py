"""In which direction each score is better: stated, or said by the name of a column."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ...core import cells
from ...core.errors import listed, nearest
from ...core.phrases import Phrase, verbatim
from ..open_questions import Asked, OpenQuestion, Option
from ..reading_record import BY_NAME, PROVEN, STATED, Decision
from .score_columns import Roles, ScoreColumns, refused
from .score_names import BETTER, score_numbers
from .stated_scores import Bounds, ScoreNeed

#: Words of what is bad if there is more of it, or may be, in small letters.
_BAD = frozenset(
    (
        "perplexity", "ppl", "distance", "levenshtein", "error", "errors", "loss", "nll", "wer",
        "cer", "ter", "bits", "toxic", "toxicity", "hallucination", "hallucinations", "latency",
        "time", "seconds", "cost", "attack", "bias", "harm", "refusal",
    )
)  # fmt: skip
_SAID = Phrase("the settings say so")
_NAMED = Phrase("its name says so")
_LOGGED = Phrase("tools log scores of which higher ones are better")


def says_nothing_bad(name: str) -> bool:
    """Whether no word of a name is one of what is bad if there is more of it."""
    return _BAD.isdisjoint(re.split(r"[\W_]+", name.casefold()))


@dataclass(frozen=True, eq=False)
class Directions:
    """Decides for each column of scores of some roles whether a higher one is better."""

    columns: ScoreColumns
    roles: Roles
    needs: Sequence[ScoreNeed]

    def decided(self) -> dict[str, Decision]:
        """Return the direction of each column, "" in a wide table; True: higher is better.

        Raises
        ------
        Asked
            Nothing says a direction, two statements contradict each other, or the numbers of a
            column are not what its name says.
        """
        self._check_stated()
        decisions: dict[str, Decision] = {}
        silent: list[ScoreNeed] = []
        for need in sorted(self.needs, key=lambda need: need.hidden):
            decision = self._decision(need)
            column = need.column or ""
            if need.hidden:
                better = decision is None or decision.value
                decisions.setdefault(column, decision or Decision(better, PROVEN, _FOR_FORMULA))
            elif decision is None:
                silent.append(need)
            elif decisions.setdefault(column, decision).value != decision.value:
                raise refused(
                    f"{need.where}: metric {need.name!r}: another metric of the same scores says "
                    f"the opposite about {BETTER}; a score has one direction"
                )
        if silent := [need for need in silent if (need.column or "") not in decisions]:
            raise self._question(silent, decisions)
        return decisions

    def _check_stated(self) -> None:
        """Ask for other directions if they are stated for what are no columns of scores."""
        stated = self.columns.stated.directions
        if stated and (self.roles.system is None or not self.roles.scores):
            raise refused(
                f"{BETTER}: the scores of all systems have one direction; give True or False"
            )
        for name in stated:
            if name not in self.roles.scores:
                file = self.columns.file
                similar = nearest(name, self.roles.scores)
                raise refused(f"{BETTER}: {file} have no column {name!r}{similar}")

    def _question(self, silent: Sequence[ScoreNeed], decisions: Mapping[str, Decision]) -> Asked:
        stated = self.columns.stated
        file = self.columns.file
        say = verbatim("Say it")
        if stated.has_metrics:
            first = silent[0]
            text = f"{first.where}: metric {first.name!r}: say whether a higher score is better"
            in_metric = f" with {BETTER}: true or false in the metric, or"
            means = verbatim(f"Say it{'' if stated.in_python else in_metric}")
            return Asked(OpenQuestion(verbatim(text), (Option({BETTER: None}, means),)))
        if self.roles.system is None:
            systems = f" The systems are {listed(self.roles.scores)}."
            text = f"{file}: is a higher score better, or a lower one?"
            if not stated.anonymous:
                text += systems
            return Asked(OpenQuestion(verbatim(text), (Option({BETTER: None}, say),)))
        directions = {
            column: decisions[column].value if column in decisions else None
            for column in self.roles.scores
        }
        names = listed(repr(need.column) for need in silent)
        text = f"{file}: is a higher score better in {names}?"
        option = Option({self._key: directions}, say)
        return Asked(OpenQuestion(verbatim(text), (option,)))

    @property
    def _key(self) -> str:
        return BETTER if self.columns.stated.in_python else "metrics"

    def _decision(self, need: ScoreNeed) -> Decision | None:
        stated = self.columns.stated
        column = need.column or ""
        if need.better is not None:
            return Decision(need.better, STATED, _SAID)
        if column in stated.directions:
            return Decision(stated.directions[column], STATED, _SAID)
        general = stated.greater_is_better
        by_name = stated.direction_by_name(need.says) if need.says else None
        name = need.column or need.name
        if general is not None and by_name is not None and general != by_name:
            raise self._contradiction(name, general=general)
        if general is not None:
            return Decision(general, STATED, _SAID)
        if by_name is None:
            is_logged = stated.of_tool and says_nothing_bad(name)
            return Decision(True, PROVEN, _LOGGED) if is_logged else None
        if not need.hidden and (odd := self._odd_numbers(need, name)):
            text = (
                f"{self.columns.file}: the numbers of {name!r} are not what its name says: found "
                f"{odd}. Correct them"
            )
            raise self._stating(text, name, better=None)
        return Decision(by_name, BY_NAME, _NAMED)

    def _contradiction(self, name: str, *, general: bool) -> Asked:
        """Return the question about a direction that a name contradicts.

        Said of several columns, it was hardly said of this one.
        """
        better = general if len(self.roles.scores) == 1 else not general
        text = (
            f"{self.columns.stated.where(BETTER)}: by its name, a {_word(better=not general)} "
            f"{name!r} is better, but the setting says {_word(better=general)}"
        )
        return self._stating(text, name, better=better)

    def _stating(self, text: str, name: str, *, better: bool | None) -> Asked:
        """Return the question that asks for each direction; that of one column may be open."""
        stated = self.columns.stated
        if stated.has_metrics:
            return refused(f"{text}. State the direction in the metric, with '{BETTER}:'")
        directions: dict[str, bool | None] = {}
        for column in self.roles.scores:
            by_name = stated.direction_by_name(column)
            general = stated.greater_is_better if by_name is None else by_name
            directions[column] = better if column == name else general
        means = verbatim("If they are right, state the direction of each column")
        option = Option({self._key: directions}, means)
        return Asked(OpenQuestion(verbatim(f"{text}."), (option,)))

    def _odd_numbers(self, need: ScoreNeed, name: str) -> str:
        columns = self.columns.columns
        if need.column is None:
            by_system = {system: score_numbers(columns[system]) for system in self.roles.scores}
        else:
            systems = columns[self.roles.system or ""]
            pairs = zip(systems, score_numbers(columns[name]), strict=True)
            by_system = cells.grouped(pairs)
        return _out_of_range(self.columns.stated.bounds_by_name(name), by_system.values())


_FOR_FORMULA = Phrase("a formula alone uses it")


def _word(*, better: bool) -> str:
    return "higher" if better else "lower"


def _out_of_range(bounds: Bounds | None, by_system: Iterable[Sequence[float]]) -> str:
    """Return what is found among the numbers of systems that what has this name cannot be.

    Percentages may stand for fractions, if they do for all systems. Errors are not all negative.
    """
    better, low, high = bounds or (True, -math.inf, math.inf)
    ends = []
    for scores in by_system:
        finite = [score for score in scores if math.isfinite(score)]
        if any(finite):
            ends.append((min(finite), max(finite)))
    if not ends:
        return ""
    least = min(low_end for low_end, _ in ends)
    most = max(high_end for _, high_end in ends)
    if most > high == 1.0:
        if any(end <= high for _, end in ends):
            return "both fractions and percentages"
        low = 100.0 * low
        high = 100.0 * high
    if not better and most <= 0:
        return f"{least:g}, and none above 0"
    return f"{least if least < low else most:g}" if least < low or most > high else ""
