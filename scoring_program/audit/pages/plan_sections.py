"""The sections of the page that plans a competition."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...core.phrases import Language, gettext_noop
from ...document.blocks import ResultTable, TableColumn, cell, passage
from ...inference.planning import POWER
from ..plan_audit import SMALL_CLASS, PlanAudit
from .finding import Finding, section

#: What to decide before a competition is published.
_CHECKLIST = (
    gettext_noop("Name the ranking metric, the tie rule and the number of submissions per team."),
    gettext_noop("Decide which columns hold groups (documents, users), and name them in 'group'."),
    gettext_noop("Keep the final test set out of the public competition if its secrecy matters."),
    gettext_noop(
        "Announce how labels are corrected after the deadline, and apply it to every team."
    ),
)


def plan_sections(parts: Sequence[PlanAudit], language: Language) -> Iterator[Finding]:
    """Yield the sections of every part, and a checklist."""
    for number, part in enumerate(parts, start=1):
        suffix = f"-{number}" if len(parts) > 1 else ""
        title = f" · {part.name}" if part.name else ""
        yield _sizes(part, language, suffix, title)
        yield _checks(part, language, suffix, title)
    lines = tuple(map(language.say, _CHECKLIST))
    heading, brief = (
        language.say("Before you publish"),
        language.say("Decide these things before you publish the competition."),
    )
    yield Finding(section("before", heading, passage(lines)), brief)


def _sizes(part: PlanAudit, language: Language, suffix: str, title: str) -> Finding:
    say, numerals = language.say, language.numerals
    rows, pilot = [], " ".join(_pilot(part, language))
    for size in part.sizes:
        needed, enough = say("no feasible number"), say("no")
        if size.examples is not None:
            needed = numerals.count(size.examples)
            enough = say("yes" if size.examples <= part.n else "no")
        difference = numerals.fixed(size.difference, part.decimals)
        rows.append((cell(difference, size.difference), cell(needed, size.examples), cell(enough)))
    table = ResultTable(
        name=f"examples_needed{suffix}",
        caption=say(
            "{Things} needed to separate two of {entries} entries by {metric} with an average "
            "power of {power}",
            power=numerals.percent(POWER),
            entries=numerals.count(part.entries),
            metric=language.metric(part.metric.label),
        ),
        columns=(
            TableColumn(("difference",), say("Difference"), numeric=True),
            TableColumn(("examples",), say("{Things} needed"), numeric=True),
            TableColumn(("enough",), say("Do the {n} suffice?", n=numerals.count(part.n))),
        ),
        rows=tuple(rows),
        note=pilot,
    )
    separable = say(
        "With the present {n}, two entries must be {difference} apart.",
        n=numerals.count(part.n),
        difference=numerals.fixed(part.separable, part.decimals),
    )
    blocks = passage((separable,), caption=table.caption, table=table, note=table.note)
    heading = say("How many {things} are needed?") + title
    brief = separable if part.paired else pilot
    return Finding(section(f"sizes{suffix}", heading, blocks), brief, look=not part.paired)


def _pilot(part: PlanAudit, language: Language) -> Iterator[str]:
    """Yield what to change, unless there are two serious baselines, and what the sizes rest on."""
    if not part.paired:
        yield language.say(
            "Put two serious baselines into res/ that differ, such as two models that a team might "
            "send."
        )
    if part.constant:
        yield language.say(
            "A baseline with one answer for every {thing} says little about how entries differ: "
            "{names}.",
            names=language.listed(list(part.constant)),
        )
    yield language.say(
        "The standard error of a difference is that of the two best serious baselines in res/. "
        "Entries that err more alike need fewer {things}."
        if part.paired
        else (
            "With one baseline, the entries are taken to err independently. Real entries err "
            "alike, so fewer {things} may suffice."
        )
    )


def _checks(part: PlanAudit, language: Language, suffix: str, title: str) -> Finding:
    found = list(_defects(part, language))
    lines = found or [
        language.say(
            "Nothing was found: no small class, no undefined resample, no repeated {thing}."
        )
    ]
    if not part.inputs:
        lines.append(
            language.say(
                "Repeated {things} were not looked for: the gold has no column with what is "
                "predicted from, such as a text."
            )
        )
    heading = language.say("Is the test set clean?") + title
    brief = " ".join(lines[:2])
    return Finding(section(f"checks{suffix}", heading, passage(lines)), brief, look=bool(found))


def _defects(part: PlanAudit, language: Language) -> Iterator[str]:
    """Yield what is wrong with the test set."""
    say, numerals = language.say, language.numerals
    if part.small_classes:
        listed = language.listed(
            [f"{label} ({numerals.count(size)})" for label, size in part.small_classes.items()]
        )
        yield say(
            "Small classes: {classes}. Metrics of single classes need at least {least} {things} "
            "in each.",
            classes=listed,
            least=numerals.count(SMALL_CLASS),
        )
    if part.undefined:
        yield say(
            "The metric is undefined on {undefined} of {resamples} resamples. Choose another "
            "metric, or add {things} of the rarest class.",
            undefined=numerals.count(part.undefined),
            resamples=numerals.count(part.resamples),
        )
    if part.repetitions:
        contradicting = sum(len(item.labels) > 1 for item in part.repetitions)
        yield say(
            "{count} contents occur in more than one {thing}; {contradicting} of them with "
            "different gold labels.",
            count=numerals.count(len(part.repetitions)),
            contradicting=numerals.count(contradicting),
        )
    for name, count in part.overlaps.items():
        if count:
            yield say(
                "{file} holds {count} of the {things} of the test set, too.",
                file=name,
                count=numerals.count(count),
            )
