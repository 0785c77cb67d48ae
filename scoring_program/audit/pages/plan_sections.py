"""The sections of the page that plans a competition."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...core.phrases import Language, gettext_noop
from ...document.blocks import TableColumn, cell
from ...inference.planning import POWER
from ..plan import SMALL_CLASS, PlanAudit
from .finding import Finding, Page

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
        page = Page(language, part.decimals, title=part.name, suffix=suffix)
        yield _sizes(page, part)
        yield _checks(page, part)
    lines = list(map(language.say, _CHECKLIST))
    brief = language.say("Decide these things before you publish the competition.")
    yield Page(language, 0).finding("before", language.say("Before you publish"), brief, lines)


def _sizes(page: Page, part: PlanAudit) -> Finding:
    say, numerals = page.say, page.language.numerals
    needed = TableColumn(("examples",), say("{Things} needed"), numeric=True)
    none = say("no feasible number")
    pilot = " ".join(_pilot(page, part))
    table = page.table(
        "examples_needed",
        say(
            "{Things} needed to separate two of {entries} entries by {metric} with an average "
            "power of {power}",
            power=numerals.percent(POWER),
            entries=page.count(part.entries),
            metric=page.language.metric(part.metric.label),
        ),
        part.sizes,
        [
            page.numbers("difference", say("Difference"), lambda size: size[0]),
            (needed, lambda size: cell(page.count(size[1]) if size[1] else none, size[1])),
            page.words(
                "enough",
                say("Do the {n} suffice?", n=page.count(part.n)),
                lambda size: say("yes" if size[1] and size[1] <= part.n else "no"),
            ),
        ],
        note=pilot,
    )
    separable = say(
        "With the present {n}, two entries must be {difference} apart.",
        n=page.count(part.n),
        difference=numerals.fixed(part.separable, part.decimals),
    )
    heading, brief = say("How many {things} are needed?"), separable if part.paired else pilot
    return page.finding("sizes", heading, brief, [separable], table, look=not part.paired)


def _pilot(page: Page, part: PlanAudit) -> Iterator[str]:
    """Yield what to change, unless there are two serious baselines, and what the sizes rest on."""
    if not part.paired:
        yield page.say(
            "Put two serious baselines into res/ that differ, such as two models that a team might "
            "send."
        )
    if part.constant:
        yield page.say(
            "A baseline with one answer for every {thing} says little about how entries differ: "
            "{names}.",
            names=page.language.listed(list(part.constant)),
        )
    yield page.say(
        "The standard error of a difference is that of the two best serious baselines in res/. "
        "Entries that err more alike need fewer {things}."
        if part.paired
        else (
            "With one baseline, the entries are taken to err independently. Real entries err "
            "alike, so fewer {things} may suffice."
        )
    )


def _checks(page: Page, part: PlanAudit) -> Finding:
    defects = list(_defects(page, part))
    lines = defects or [
        page.say("Nothing was found: no small class, no undefined resample, no repeated {thing}.")
    ]
    if not part.inputs:
        lines.append(
            page.say(
                "Repeated {things} were not looked for: the gold has no column with what is "
                "predicted from, such as a text."
            )
        )
    heading = page.say("Is the test set clean?")
    return page.finding("checks", heading, " ".join(lines[:2]), lines, look=bool(defects))


def _defects(page: Page, part: PlanAudit) -> Iterator[str]:
    """Yield what is wrong with the test set."""
    if part.small_classes:
        small = [f"{label} ({page.count(size)})" for label, size in part.small_classes.items()]
        yield page.say(
            "Small classes: {classes}. Metrics of single classes need at least {least} {things} "
            "in each.",
            classes=page.language.listed(small),
            least=page.count(SMALL_CLASS),
        )
    if part.undefined:
        yield page.say(
            "The metric is undefined on {undefined} of {resamples} resamples. Choose another "
            "metric, or add {things} of the rarest class.",
            undefined=page.count(part.undefined),
            resamples=page.count(part.resamples),
        )
    if part.repetitions:
        contradicting = sum(len(labels) > 1 for labels in part.repetitions.values())
        yield page.say(
            "{count} contents occur in more than one {thing}; {contradicting} of them with "
            "different gold labels.",
            count=page.count(len(part.repetitions)),
            contradicting=page.count(contradicting),
        )
    for name, count in part.overlaps.items():
        if count:
            yield page.say(
                "{file} holds {count} of the {things} of the test set, too.",
                file=name,
                count=page.count(count),
            )
