"""The figures under the verdict."""

from __future__ import annotations

from ..view import Fact, MetricView


def facts_of(view: MetricView) -> tuple[Fact, ...]:
    """Return the figures under the verdict."""
    analysis, say, numerals, result = view.analysis, view.language.say, view.numerals, view.result
    m = len(analysis.names)
    facts = [Fact(say(f"kinds.{result.kind}.name"), numerals.count(result.n))]
    if m > 1 and result.form == "field" and view.focus is not None:
        label = say("facts.interval", confidence=view.confidence)
        low, high = float(analysis.low[view.focus]), float(analysis.high[view.focus])
        facts.insert(0, Fact(label, view.interval(low, high)))
    if result.settings.group is not None and result.groups is not None:
        named = view.language.groups_of(result.kind, result.settings.group)
        label = say(f"{named}.name" if named else "facts.groups", column=result.settings.group)
        facts.append(Fact(label, numerals.count(result.groups)))
    if m > 1 and result.form == "field":
        facts.append(Fact(say("facts.submissions"), numerals.count(m - 1)))
    elif m > 1:
        facts.append(Fact(say("facts.entries"), numerals.count(m)))
    # Of tasks, an entry without an overall score is compared, too.
    if result.form == "teams" and result.uploads > len(result.names):
        facts.append(Fact(say("facts.uploads"), view.language.tell(result.account)))
    if view.competing > 1:
        key, count, of = "tied", len(view.possible_winners) - 1, view.competing - 1
        if view.beaten_leaders:
            key, count, of = "winners", count + 1, of + 1
        value = say("facts.tied_value", count=numerals.count(count), others=numerals.count(of))
        facts.append(Fact(say(f"facts.{key}"), value))
    facts.append(Fact(say("facts.resamples"), numerals.count(analysis.resamples)))
    facts.append(Fact(say("facts.confidence"), view.confidence))
    return tuple(facts)
