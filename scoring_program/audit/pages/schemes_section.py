"""The section on other ranking schemes: who stands on top, and who gains where."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...core.phrases import Language, gettext_noop
from ...document.blocks import ResultTable, TableColumn, cell
from ...report.view import RULES
from ..competition_audit import Audit
from ..schemes import Gain, RankingScheme
from .finding import Finding, listed, section

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


def schemes(audit: Audit, language: Language) -> Iterator[Finding]:
    """Yield who stands on top under other ranking schemes, and who gains where."""
    first, *others = [scheme for scheme in audit.schemes if scheme.kind != "tie_rule"]
    say = language.say
    differing = [scheme for scheme in others if scheme.top != first.top]
    if not others:
        brief = say("There is no other ranking scheme than that of the ranking metric.")
    elif differing:
        brief = _disagreement(differing, len(others), audit, language)
    else:
        brief = language.say(
            "The other ranking scheme has the same entries on top.",
            "The {count:n} other ranking schemes have the same entries on top.",
            count=len(others),
        )
    table = _table(audit, language)
    told = [_gain(gain, audit, language) for gain in audit.gains[:_TOLD]]
    blocks = listed(table, language, [brief, *told])
    heading = say("Other ranking schemes")
    yield Finding(section("schemes", heading, blocks), brief, look=bool(differing))


def _disagreement(
    differing: Sequence[RankingScheme], total: int, audit: Audit, language: Language
) -> str:
    """Say which of ``total`` other schemes have others on top; of many, only the first ones."""
    values = {
        "total": language.numerals.count(total),
        "schemes": "; ".join(_called(scheme, audit, language) for scheme in differing[:_NAMED]),
    }
    if len(differing) > _NAMED:
        count = language.numerals.count(len(differing))
        return language.say(
            "{count} of {total} other ranking schemes have others on top, for example: {schemes}.",
            count=count,
            **values,
        )
    return language.say(
        "{count:n} of {total} other ranking schemes has others on top: {schemes}.",
        "{count:n} of {total} other ranking schemes have others on top: {schemes}.",
        count=len(differing),
        **values,
    )


def _called(scheme: RankingScheme, audit: Audit, language: Language) -> str:
    """Return the scheme with who stands on top."""
    return f"{_named(scheme, language)} ({_top(scheme, audit, language)})"


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


def _gain(gain: Gain, audit: Audit, language: Language) -> str:
    return language.say(
        "{entry} (rank {rank}): rank {best} under one scheme ({best_in}), rank {worst} under "
        "another ({worst_in}).",
        entry=audit.names[gain.entry],
        rank=gain.rank,
        best=gain.best,
        best_in=_named(gain.best_in, language),
        worst=gain.worst,
        worst_in=_named(gain.worst_in, language),
    )


def _table(audit: Audit, language: Language) -> ResultTable:
    return ResultTable(
        name="schemes",
        caption=language.say(
            "Who stands on top under each scheme; for tie rules, the leader and who is tied with "
            "it."
        ),
        columns=(
            TableColumn(("kind",), language.say("Kind")),
            TableColumn(("name",), language.say("Scheme")),
            TableColumn(("top",), language.say("On top")),
        ),
        rows=tuple(
            (
                cell(language.say(_KINDS[scheme.kind])),
                cell(_name(scheme, language)),
                cell(_top(scheme, audit, language)),
            )
            for scheme in audit.schemes
        ),
    )
