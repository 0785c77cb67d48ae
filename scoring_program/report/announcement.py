"""What an organizer may announce: one sentence, chosen by the record of the ranking metric.

Some of these sentences advise the organizer; beside them stands what to tell everybody.

The page says it of a run's evidence, and ``deadheat announce`` of a results.json. So the choice
needs the facts of a `Podium` only, which either has.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from ..core.digits import significant
from ..core.phrases import Language, gettext_noop, ngettext_noop
from ..document.shortening import isolated, told_apart
from ..inference.comparing.judge import NO_CONFIDENCE_SET
from ..inference.evidence import OF_UPLOADS, Evidence

#: A sentence lists up to this many names; of a longer list, only the first few.
NAMES_IN_FULL = 5
NAMES_OF_MANY = 3
#: Names are cut to this many letters in a sentence.
_LETTERS = 60
#: What withdraws a confidence without any doubt about the data: nobody else competes, or the rule.
_NO_CAUTION = (None, "alone", *NO_CONFIDENCE_SET)


@dataclass(frozen=True)
class Podium:
    """Who may be named by one metric. Names are those of teams, as they are shown, best first."""

    leaders: tuple[str, ...]  # the teams with the best score
    possible_winners: tuple[str, ...]  # the leaders first
    settled: tuple[str, ...]  # the first K of more teams, where K > 1 and they are settled; or none
    serious_cautions: int  # those that withdraw the confidence
    failed: int  # submissions that lack a score because of an error of this program
    alike: int  # groups of teams whose names look the same
    names_winners: bool  # whether the tie rule is one that names winners
    competing: int  # the number of teams
    baseline_ahead: bool  # whether a baseline scores better than the leaders

    @property
    def waits_for_uploads(self) -> bool:
        """Whether something about uploads has to be settled before anybody is named.

        It takes nothing from the evidence about those who are compared.
        """
        return self.failed > 0 or self.alike > 0

    @property
    def must_wait(self) -> bool:
        """Whether a serious caution of any kind has to be settled before anybody is named."""
        return self.serious_cautions > 0 or self.waits_for_uploads


SignKind = Literal["settled", "open", "wait"]


@dataclass(frozen=True)
class Sign:
    """What marks the sentence, for readers who see no colors and for those who hear the page."""

    kind: SignKind
    glyph: str
    word: str  # in the language


@dataclass(frozen=True)
class Announcement:
    """The sentence that may be announced, its sign, and the same as everybody may read it."""

    sentence: str
    sign: Sign
    public: str


_SIGNS: Mapping[SignKind, tuple[str, str]] = {
    "settled": ("✓", gettext_noop("Settled", context="announcement")),
    "open": ("≈", gettext_noop("Open", context="announcement")),
    "wait": ("!", gettext_noop("Wait", context="announcement")),
}
_WAIT = ngettext_noop(
    "Nothing yet: the serious caution below comes first.",
    "Nothing yet: the serious cautions below come first.",
)
_WAIT_IN_PUBLIC = ngettext_noop(
    "No winner can be named yet: a serious caution about the evidence comes first.",
    "No winner can be named yet: serious cautions about the evidence come first.",
)
_FAILED = ngettext_noop(
    "Nothing yet: an error of this program left {count:n} submission without a score. Report the "
    "error, and score again first.",
    "Nothing yet: an error of this program left {count:n} submissions without a score. Report the "
    "error, and score again first.",
)
_FAILED_IN_PUBLIC = ngettext_noop(
    "No winner can be named yet: {count:n} submission still has to be scored.",
    "No winner can be named yet: {count:n} submissions still have to be scored.",
)
_ALIKE = gettext_noop(
    "Nothing yet: different teams have names that look the same. Find out first whose uploads they "
    "are."
)
_ALIKE_IN_PUBLIC = gettext_noop(
    "No winner can be named yet: different teams have names that look the same."
)
_NO_WINNERS = ngettext_noop(
    "{leaders} has the best score. This tie rule names no winners.",
    "{leaders} have the same best score. This tie rule names no winners.",
)
_RUN_AHEAD = ngettext_noop(
    "{leaders} has the best score, but a run that does not stand for its team is ahead by the tie "
    "rule. Name no winner.",
    "{leaders} have the same best score, but a run that does not stand for its team is ahead by "
    "the tie rule. Name no winner.",
)
_RUN_AHEAD_IN_PUBLIC = ngettext_noop(
    "{leaders} has the best score, but a run that does not stand for its team is ahead by the tie "
    "rule.",
    "{leaders} have the same best score, but a run that does not stand for its team is ahead by "
    "the tie rule.",
)
_SHARED_BY_TWO = gettext_noop("{leaders} have the same best score; either may be the best.")
_SHARED = gettext_noop(
    "{leaders} have the same best score; any of the {winners:n} possible winners may be the best."
)
#: Whether a baseline is ahead → what is said of a leader.
_ALONE = {
    False: gettext_noop("{leader} is the only entry that competes."),
    True: gettext_noop("{leader} is the only entry that competes, and a baseline scores better."),
}
_WON = {
    False: gettext_noop("{leader} won."),
    True: gettext_noop("{leader} won among the competing entries."),
}
_WON_WITH_PLACES = {
    False: gettext_noop("{leader} won, and the first {places:n} are {first}."),
    True: gettext_noop(
        "{leader} won among the competing entries, and the first {places:n} are {first}."
    ),
}
_FEW = {
    False: gettext_noop("{leader} is first. Do not call it better than {rivals}."),
    True: gettext_noop(
        "{leader} is first among the competing entries. Do not call it better than {rivals}."
    ),
}
_FEW_IN_PUBLIC = {
    False: ngettext_noop(
        "{leader} is first, but {rivals} may be as good or better.",
        "{leader} is first, but {rivals} may be as good or better.",
    ),
    True: ngettext_noop(
        "{leader} is first among the competing entries, but {rivals} may be as good or better.",
        "{leader} is first among the competing entries, but {rivals} may be as good or better.",
    ),
}
_MANY = {
    False: gettext_noop("{leader} is first; any of {winners:n} entries may be the best."),
    True: gettext_noop(
        "{leader} is first among the competing entries; any of {winners:n} of them may be the best."
    ),
}


def announcement(
    podium: Podium, language: Language, most_names: int = NAMES_IN_FULL
) -> Announcement:
    """Return what may be announced: the first sentence of the list that applies.

    It names up to ``most_names`` possible winners; of more it gives the number.
    """
    leaders = podium.leaders
    winners = podium.possible_winners
    ahead = podium.baseline_ahead
    count = len(leaders)
    values: dict[str, Any] = {
        "leader": leaders[0],
        "leaders": names_listed(leaders, language),
        "winners": len(winners),
    }
    say = language.say

    if podium.waits_for_uploads:
        return _waiting_for_uploads(podium, language)
    if podium.competing == 1:
        return _announced(language, "open", say(_ALONE[ahead], **values))
    if podium.serious_cautions:
        sentence = say(*_WAIT, count=podium.serious_cautions)
        public = say(*_WAIT_IN_PUBLIC, count=podium.serious_cautions)
        return _announced(language, "wait", sentence, public)
    if not podium.names_winners:
        return _announced(language, "open", say(*_NO_WINNERS, count=count, **values))
    if not {*leaders} <= {*winners}:
        sentence = say(*_RUN_AHEAD, count=count, **values)
        public = say(*_RUN_AHEAD_IN_PUBLIC, count=count, **values)
        return _announced(language, "wait", sentence, public)
    if len(winners) == 1 and podium.settled:
        sentence = say(
            _WON_WITH_PLACES[ahead],
            first=names_listed(podium.settled, language),
            places=len(podium.settled),
            **values,
        )
        return _announced(language, "settled", sentence)
    if len(winners) == 1:
        return _announced(language, "settled", say(_WON[ahead], **values))
    if count > 1:
        shared = _SHARED_BY_TWO if len(winners) == 2 else _SHARED
        return _announced(language, "open", say(shared, **values))
    if len(winners) <= most_names:
        rivals = names_listed(winners[1:], language)
        sentence = say(_FEW[ahead], rivals=rivals, **values)
        public = say(*_FEW_IN_PUBLIC[ahead], count=len(winners) - 1, rivals=rivals, **values)
        return _announced(language, "open", sentence, public)
    return _announced(language, "open", say(_MANY[ahead], **values))


def _waiting_for_uploads(podium: Podium, language: Language) -> Announcement:
    """Return what has to be settled about uploads; of several things, how many there are."""
    say = language.say
    sentence = say(_ALIKE)
    public = say(_ALIKE_IN_PUBLIC)
    if podium.failed:
        sentence = say(*_FAILED, count=podium.failed)
        public = say(*_FAILED_IN_PUBLIC, count=podium.failed)
    causes = podium.serious_cautions + (podium.failed > 0) + (podium.alike > 0)
    if causes > 1:
        sentence = say(*_WAIT, count=causes)
    return _announced(language, "wait", sentence, public)


def _announced(language: Language, kind: SignKind, sentence: str, public: str = "") -> Announcement:
    """Return a sentence with its sign; without a ``public`` one, it is for everybody."""
    glyph, word = _SIGNS[kind]
    sign = Sign(kind, glyph, language.say(word, context="announcement"))
    return Announcement(sentence, sign, public or sentence)


def names_listed(names: Sequence[str], language: Language) -> str:
    """Return the names in a sentence; of many, the first few and the number of the others."""
    if len(names) <= NAMES_IN_FULL:
        return language.listed(names)
    return language.say(
        "{first} and {count} more entries",
        first=language.joined(names[:NAMES_OF_MANY]),
        count=language.numerals.count(len(names) - NAMES_OF_MANY),
    )


def podium_of(evidence: Evidence, teams: Mapping[str, str]) -> Podium:
    """Return the podium of the evidence on one metric.

    ``teams`` has the team of each entry that is not called like its team.
    """
    verdict = evidence.verdict
    scores = evidence.scores
    order = [int(entry) for entry in scores.order]
    team_of = [teams.get(name, name) for name in evidence.names]
    name_of = _names([team_of[entry] for entry in order])
    settled: list[int] = []
    if verdict.prizes is not None and verdict.prizes.sure is not None:
        settled = [entry for entry in order if verdict.prizes.sure[entry]]
        if len(settled) != verdict.prizes.places:
            settled = []
    serious = [
        (caution.code, int(caution.number))
        for caution in evidence.cautions
        if caution.level == "red"
    ]
    sign = 1 if evidence.metric.greater_is_better else -1
    score = [sign * significant(float(value)) for value in scores.score]
    return _podium(
        leaders=[name_of[team_of[entry]] for entry in verdict.leaders],
        winners=[name_of[team_of[entry]] for entry in order if verdict.possible_winners[entry]],
        settled=[name_of[team_of[entry]] for entry in settled],
        serious=serious,
        withdrawn_because=verdict.withdrawn_because,
        competing=len({team_of[entry] for entry in order if entry not in scores.baselines}),
        baseline_ahead=any(score[entry] > score[scores.leader] for entry in scores.baselines),
    )


def recorded_podium(document: Mapping[str, Any], metric: Mapping[str, Any]) -> Podium:
    """Return the same from the record of one metric in a ``document`` of results.json."""
    verdict = metric["verdict"]
    prizes = metric["prizes"]
    entries = metric["entries"]
    team_of = {row["entry"]: row["team"] for row in entries}
    name_of = _names(list(team_of.values()))
    settled: list[str] = []
    if prizes is not None and prizes["sure"] is not None:
        settled = prizes["sure"] if len(prizes["sure"]) == prizes["places"] else []
    serious = [
        (warning["code"], int(warning["number"]))
        for warning in document["warnings"]
        if warning["metric"] == metric["name"] and warning["level"] == "red"
    ]
    sign = 1 if metric["greater_is_better"] else -1
    score = {row["entry"]: sign * row["score"] for row in entries}
    baselines = {row["entry"] for row in entries if row["baseline"]}
    return _podium(
        leaders=[name_of[team_of[entry]] for entry in verdict["leaders"]],
        winners=[name_of[team_of[entry]] for entry in verdict["possible_winners"]],
        settled=[name_of[team] for team in settled],
        serious=serious,
        withdrawn_because=verdict["withdrawn_because"],
        competing=len({row["team"] for row in entries if not row["baseline"]}),
        baseline_ahead=any(score[entry] > score[metric["leader"]] for entry in baselines),
    )


def _podium(
    *,
    leaders: Sequence[str],
    winners: Sequence[str],
    settled: Sequence[str],
    serious: Sequence[tuple[str, int]],
    withdrawn_because: str | None,
    competing: int,
    baseline_ahead: bool,
) -> Podium:
    """Return the podium, the leaders first and each team once.

    ``serious`` has the code and the number of each serious caution.
    """
    weakening = [code for code, _ in serious if code not in OF_UPLOADS]
    about_uploads = {code: number for code, number in serious if code in OF_UPLOADS}
    is_withdrawn = withdrawn_because not in _NO_CAUTION
    leading = [name for name in leaders if name in winners]
    return Podium(
        leaders=tuple(dict.fromkeys(leaders)),
        possible_winners=tuple(dict.fromkeys((*leading, *winners))),
        settled=tuple(settled) if 1 < len(settled) < competing else (),
        # A caution about a task withdraws what is said of all tasks together.
        serious_cautions=max(len(weakening), 1) if is_withdrawn else len(weakening),
        failed=about_uploads.get("internal_errors", 0),
        alike=about_uploads.get("same_names", 0),
        names_winners=withdrawn_because not in NO_CONFIDENCE_SET,
        competing=competing,
        baseline_ahead=baseline_ahead,
    )


def _names(teams: Sequence[str]) -> dict[str, str]:
    """Return how a sentence names each of the teams, which stand in the order of the ranking."""
    different = list(dict.fromkeys(teams))
    return dict(zip(different, map(isolated, told_apart(different, _LETTERS)), strict=True))


def caption_of_bars(say: Callable[[str], str], *, is_withdrawn: bool) -> str:
    """Return what a bar of the ranking is, with its confidence unless that ``is_withdrawn``.

    ``say`` translates a sentence and fills in the confidence.
    """
    if is_withdrawn:
        return say(
            "A bar shows how far behind the best the rule takes an entry to be; the dot is the "
            "distance observed. A bar reaches the finish line if and only if its entry is a "
            "possible winner."
        )
    return say(
        "A bar shows how far behind the best an entry may truly be, with {confidence} confidence; "
        "the dot is the distance observed. A bar reaches the finish line if and only if its entry "
        "may be the best."
    )
