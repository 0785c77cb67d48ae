"""The sections on other rankings: by other schemes, and in public."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...core.phrases import Language, gettext_noop
from ...report.view import RULES
from ..competition_audit import Audit
from ..schemes import RankingScheme
from .finding import Finding, Page

#: Entries whose gains are told.
_TOLD = 5
#: Differing schemes that the finding names.
_NAMED = 3
#: What a scheme changes.
_KINDS = {
    "metric": gettext_noop("metric"),
    "aggregation": gettext_noop("aggregation"),
    "tie_rule": gettext_noop("tie rule"),
    "mean_rank": gettext_noop("mean rank over"),
    "without_task": gettext_noop("without the task"),
    "double_task": gettext_noop("twice the weight of the task"),
    "without_slice": gettext_noop("without the slice"),
}
#: The same with its name.
_IN_WORDS = {
    "mean_rank": gettext_noop("mean rank over {name}"),
    "without_task": gettext_noop("without the task {name}"),
    "double_task": gettext_noop("twice the weight of the task {name}"),
    "without_slice": gettext_noop("without the slice {name}"),
}


def schemes(page: Page, audit: Audit) -> Iterator[Finding]:
    """Yield who stands on top under other ranking schemes, and who gains where."""
    first, *others = [scheme for scheme in audit.schemes if scheme.kind != "tie_rule"]
    say, language = page.say, page.language
    differing = [scheme for scheme in others if scheme.top != first.top]
    if not others:
        brief = say("There is no other ranking scheme than that of the ranking metric.")
    elif differing:
        brief = _disagreement(page, differing, len(others), audit)
    else:
        brief = say(
            "The other ranking scheme has the same entries on top.",
            "The {count:n} other ranking schemes have the same entries on top.",
            count=len(others),
        )
    table = page.table(
        "schemes",
        say(
            "Who stands on top under each scheme; for tie rules, the leader and who is tied with "
            "it."
        ),
        audit.schemes,
        [
            page.words("kind", say("Kind"), lambda scheme: say(_KINDS[scheme.kind])),
            page.words("name", say("Scheme"), lambda scheme: _name(scheme, language)),
            page.words("top", say("On top"), lambda scheme: _top(scheme, audit, language)),
        ],
    )
    told = [
        say(
            "{entry} (rank {rank}): rank {best} under one scheme ({best_in}), rank {worst} under "
            "another ({worst_in}).",
            entry=audit.names[gain.entry],
            rank=gain.rank,
            best=gain.best,
            best_in=_named(gain.best_in, language),
            worst=gain.worst,
            worst_in=_named(gain.worst_in, language),
        )
        for gain in audit.gains[:_TOLD]
    ]
    heading = say("Other ranking schemes")
    yield page.finding("schemes", heading, brief, [brief, *told], table, look=bool(differing))


def _disagreement(page: Page, differing: Sequence[RankingScheme], total: int, audit: Audit) -> str:
    """Say which of ``total`` other schemes have others on top; of many, only the first ones."""
    tops = [
        f"{_named(scheme, page.language)} ({_top(scheme, audit, page.language)})"
        for scheme in differing[:_NAMED]
    ]
    values = {"total": page.count(total), "schemes": "; ".join(tops)}
    if len(differing) > _NAMED:
        return page.say(
            "{count} of {total} other ranking schemes have others on top, for example: {schemes}.",
            count=page.count(len(differing)),
            **values,
        )
    return page.say(
        "{count:n} of {total} other ranking schemes has others on top: {schemes}.",
        "{count:n} of {total} other ranking schemes have others on top: {schemes}.",
        count=len(differing),
        **values,
    )


def _top(scheme: RankingScheme, audit: Audit, language: Language) -> str:
    """Return who stands on top, in the order of the ranking."""
    ranked = audit.findings.evidence[0].scores.order.tolist()
    return language.joined([audit.names[entry] for entry in ranked if entry in scheme.top])


def _named(scheme: RankingScheme, language: Language) -> str:
    """Return a scheme in words that stand alone."""
    name = _name(scheme, language)
    if scheme.kind in ("metric", "aggregation"):
        return name
    return language.say(_IN_WORDS[scheme.kind], name=name)


def _name(scheme: RankingScheme, language: Language) -> str:
    """Return what the scheme does to its kind: the metric, the slice that is left out, the rule."""
    if scheme.kind == "tie_rule":
        return language.say(RULES[scheme.name])
    if scheme.kind == "metric":
        return language.metric(scheme.name)
    return scheme.name


def optimism(page: Page, audit: Audit) -> Iterator[Finding]:
    """Yield how much better the entries look in public."""
    if not audit.optimism:
        return
    say, optimistic = page.say, audit.optimism
    table = page.table(
        "optimism",
        say(
            "How much better each entry looks on the public {things}, with a {level} interval for "
            "each by itself. The last column is what the best of so many equally good submissions "
            "gains by chance.",
            level=page.level,
        ),
        optimistic,
        [
            page.words("entry", say("Entry"), lambda item: item.entry),
            page.numbers("public", say("Public score"), lambda item: item.public),
            page.numbers("private", say("Private score"), lambda item: item.private),
            page.numbers("difference", say("Optimism"), lambda one: one.difference, signed=True),
            page.intervals(say("Interval"), lambda item: (item.low, item.high)),
            page.counts("submissions", say("Submissions"), lambda item: item.submissions),
            page.numbers("expected", say("By chance"), lambda one: one.expected, signed=True),
        ],
    )
    above = sum(item.low > 0 for item in optimistic)
    chance = (1 - audit.findings.evidence[0].question.confidence) / 2 * len(optimistic)
    brief = say(
        "{count:n} of {entries} entries looks better in public by more than its interval "
        "explains; by chance alone, {expected} would.",
        "{count:n} of {entries} entries look better in public by more than their intervals "
        "explain; by chance alone, {expected} would.",
        count=above,
        entries=page.count(len(optimistic)),
        expected=page.language.numerals.fixed(chance, 1),
    )
    heading = say("Public against private")
    yield page.finding("optimism", heading, brief, [brief], table, look=bool(above))
