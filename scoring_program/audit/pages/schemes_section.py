"""The section on other ranking schemes: who stands on top, and who gains where."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...report.language import Language
from ...report.tables import ResultTable, cell
from ..competition_audit import Audit
from ..schemes import Gain, RankingScheme
from .finding import Finding, column, listed, section

#: Entries whose gains are told.
_TOLD = 5
#: Differing schemes that the finding names.
_NAMED = 3


def schemes(audit: Audit, language: Language) -> Iterator[Finding]:
    """Yield who stands on top under other ranking schemes, and who gains where."""
    first, *others = [scheme for scheme in audit.schemes if scheme.kind != "tie_rule"]
    say = language.say
    differing = [scheme for scheme in others if scheme.top != first.top]
    if not others:
        brief = say("audit.schemes.alone")
    elif differing:
        brief = _disagreement(differing, len(others), audit, language)
    else:
        brief = language.count("audit.schemes.same", len(others))
    table = _table(audit, language)
    told = [_gain(gain, audit, language) for gain in audit.gains[:_TOLD]]
    passage = listed(table, language, [brief, *told])
    heading = say("audit.schemes.heading")
    yield Finding(section("schemes", heading, passage, table), brief, look=bool(differing))


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
        return language.say("audit.schemes.brief_some", count=count, **values)
    return language.count("audit.schemes.brief", len(differing), **values)


def _called(scheme: RankingScheme, audit: Audit, language: Language) -> str:
    """Return the scheme with who stands on top."""
    return f"{_named(scheme, language)} ({_top(scheme, audit, language)})"


def _top(scheme: RankingScheme, audit: Audit, language: Language) -> str:
    """Return who stands on top, in the order of the ranking."""
    ranked = audit.findings.analyses[0].order.tolist()
    return language.joined([audit.names[entry] for entry in ranked if entry in scheme.top])


def _named(scheme: RankingScheme, language: Language) -> str:
    """Return a scheme in words that stand alone."""
    name = _name(scheme, language)
    if scheme.kind in ("metric", "aggregation"):
        return name
    return language.say(f"audit.schemes.named.{scheme.kind}", name=name)


def _name(scheme: RankingScheme, language: Language) -> str:
    """Return what the scheme does to its kind: the metric, the slice that is left out, the rule."""
    if scheme.kind == "tie_rule":
        return language.say(f"rules.{scheme.name}")
    if scheme.kind == "metric":
        return language.metric(scheme.name)
    return scheme.name


def _gain(gain: Gain, audit: Audit, language: Language) -> str:
    return language.say(
        "audit.schemes.gain",
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
        caption=language.say("audit.schemes.caption"),
        columns=(
            column(language, "schemes.kind"),
            column(language, "schemes.name"),
            column(language, "schemes.top"),
        ),
        rows=tuple(
            (
                cell(language.say(f"audit.schemes.{scheme.kind}")),
                cell(_name(scheme, language)),
                cell(_top(scheme, audit, language)),
            )
            for scheme in audit.schemes
        ),
    )
