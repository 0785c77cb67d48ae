"""What the run says of itself: cautions, what became of every upload, the runs, the signature."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from operator import attrgetter
from typing import Any

from ...core.errors import LeftOut, by_reason
from ...core.phrases import Language, Phrase, gettext_noop
from ...document.blocks import Block, Fact, Facts, Paragraph, Section, passage
from ...document.shortening import isolated, slugs
from ...inference.cautions import heavy_tails_by
from ...inference.evidence import Caution
from ...recognize.reading_record import BY_NAME, PROVEN, STATED, Decision, Reading
from ..findings import Findings
from ..view import MetricView, Views

#: Codes of the cautions that say the same of every metric, and are said once.
_OF_ALL_METRICS = (
    "counted_p_values", "few_examples", "few_groups", "folds", "internal_errors",
    "lookalike_names", "lost_teams", "moved_spans", "open_answers", "other_scale", "read_by_name",
    "read_differently", "same_names", "small_strata", "tied_documents",
)  # fmt: skip
#: Codes of the cautions whose sentence may list several metrics.
_LIST_METRICS = (
    "few_class_examples", "few_minority_examples", "no_interval", "rare_errors",
    "shifted_interval", "unknown_influence",
)  # fmt: skip
#: Where the entries that lack a score, and the uploads that are not compared, stand on the page.
UNSCORED = "unscored"
LEFT_ASIDE = "left-aside"
#: Lines of a reason that is shown whole.
_SHORT = 4
#: What the levels of cautions are called.
_LEVELS = {"red": gettext_noop("Serious"), "amber": gettext_noop("Minor")}
#: How the settings count the runs of a team.
_RUNS = {
    "all": gettext_noop(
        "Every run is an entry with a rank of its own. Places are those of teams: the best run of "
        "a team stands for it, and no other run has places."
    ),
    "best": gettext_noop(
        "Each team competes with its best run. That run was chosen on this same test set, so its "
        "score is too good, and its interval does not allow for the choice. The more runs a team "
        "has, the larger this effect. The tests take all runs of a team into account: it could be "
        "the best team if one of its runs could."
    ),
    "last": gettext_noop(
        "Each team competes with its last run that can be scored. Nothing was selected on this "
        "test set, so only these runs take part in the tests."
    ),
    "mean": gettext_noop(
        "Each team's score is the mean over its runs that can be scored, on the same resamples. So "
        "intervals and tests are about these runs on other {things}, not about further runs."
    ),
    "crossed": gettext_noop(
        "Each team's score is the mean over its runs. They stand for its method: intervals and "
        "tests allow for other seeds as well as other {things}."
    ),
}
#: What the items of the signature are called.
_ITEMS = {
    "seed": gettext_noop("Seed"),
    "seed_commitment": gettext_noop("SHA-256 of the seed"),
    "resamples": gettext_noop("Resamples"),
    "confidence": gettext_noop("Confidence"),
    "interval": gettext_noop("Interval"),
    "tie_rule": gettext_noop("Tie rule"),
    "studentized": gettext_noop("Studentized draws"),
    "group": gettext_noop("Groups"),
    "stratify": gettext_noop("Strata"),
    "baselines": gettext_noop("Baselines"),
    "reference_entry": gettext_noop("Reference entry"),
    "labels": gettext_noop("Labels"),
    "missing": gettext_noop("Missing predictions"),
    "runs": gettext_noop("Runs"),
    "reading": gettext_noop("Reading"),
    "human_sample": gettext_noop("People's units"),
    "sha256 of the reference data": gettext_noop("SHA-256 of the reference data"),
    "sha256 of people's scores": gettext_noop("SHA-256 of people's scores"),
}
_NAMED = {"metric ": gettext_noop("Metric {name}"), "sha256 of ": gettext_noop("SHA-256 of {name}")}
#: Lists of uploads: address → heading and caption.
_LISTS = {
    "unusable": (
        gettext_noop("Submissions that could not be scored"),
        gettext_noop(
            "They take no part in the results above. Each reason is the one in the run's log."
        ),
    ),
    "unscored": (
        gettext_noop("Entries without a score in a task or by a metric"),
        gettext_noop(
            "They are ranked only where they have a score. Each reason is the one in the run's log."
        ),
    ),
    "left-aside": (
        gettext_noop("Uploads that were left aside"),
        gettext_noop("They have no place of their own in the results above, for these reasons."),
    ),
}


def cautions(views: Views) -> Iterator[Section]:
    """Yield the cautions; a page without any says so."""
    language = views[0].language
    items = tuple(
        Fact(language.say(_LEVELS[caution.level]), message, mark=caution.level)
        for message, caution in cautions_of(views).items()
    )
    blocks: tuple[Block, ...]
    if items:
        caption = language.say(
            "Each caution names a weakness of the evidence and the number that shows it."
        )
        blocks = (Paragraph(caption, "caption"), Facts(items, "cautions", listed=True))
    else:
        nothing = language.say(
            "None of the checks found a weakness. They cannot detect dependent {things} unless you "
            "name a group column."
            if views[0].result.settings.group is None
            else "None of the checks found a weakness. They cannot detect that {things} of "
            "different groups depend on each other."
        )
        blocks = (Paragraph(nothing),)
    yield Section("cautions", language.say("Cautions"), blocks)


def cautions_of(views: Views) -> dict[str, Caution]:
    """Return sentence → caution of all metrics, serious ones first: one sentence a cause."""
    language = views[0].language
    by_code: dict[str, Caution] = {}
    for view, caution in _of_several_metrics(views):
        message = language.say(caution.sentence)
        names_it = caution.code in _OF_ALL_METRICS or "metric" in caution.sentence.values
        if len(views) > 1 and not names_it:
            message = f"{view.label}: {message}"
        by_code.setdefault(message, caution)
    return dict(sorted(by_code.items(), key=lambda item: item[1].level != "red"))


def _of_several_metrics(views: Views) -> Iterator[tuple[MetricView, Caution]]:
    """Yield the cautions with their metric; where several have the same cause, one lists them."""
    causes: dict[object, list[tuple[MetricView, Caution]]] = {}
    for view in views:
        for place, caution in enumerate(view.evidence.cautions):
            cause: object = (view.index, place)
            if caution.code in _LIST_METRICS:
                cause = caution.sentence.with_values(metric="")
            elif caution.code == "heavy_tails":
                cause = caution.code
            causes.setdefault(cause, []).append((view, caution))
    for alike in causes.values():
        (view, caution), *_ = alike
        metrics = tuple(dict.fromkeys(view.metric.label for view, _ in alike))
        if len(metrics) == 1:
            yield from alike
        elif caution.code == "heavy_tails":
            largest = max((caution for _, caution in alike), key=attrgetter("number"))
            yield view, replace(largest, sentence=heavy_tails_by(metrics, largest))
        else:
            yield view, replace(caution, sentence=caution.sentence.with_values(metric=metrics))


def unusable(views: Views) -> Iterator[Section]:
    """Yield the submissions that could not be scored, if there are any."""
    unusable_uploads = views[0].result.unusable
    language = views[0].language
    items = []
    for item, address in zip(unusable_uploads, addresses(unusable_uploads), strict=True):
        reason = language.say(item.reason)
        lines = reason.splitlines()
        whole = ""
        if len(lines) > _SHORT:  # examples are folded away
            whole = reason
            reason = _without_examples(lines)
        items.append(Fact(item.name, reason, address, whole))
    yield from _list(language, "unusable", items)


def _without_examples(lines: Sequence[str]) -> str:
    """Return the lines of a reason that are not indented."""
    return "\n".join(line for line in lines if not line.startswith(" "))


def addresses(uploads: Sequence[LeftOut]) -> list[str]:
    """Return the address on the page of each submission's reason."""
    names = [item.name for item in uploads]
    return [f"unusable-{slug}" for slug in slugs(names)]


def unscored(views: Views) -> Iterator[Section]:
    """Yield the entries that have no score in some task or by some metric, if there are any.

    A single submission reads of its tasks in the verdict.
    """
    language = views[0].language
    result = views[0].result
    items = []
    for (entry, where), reason in result.unscored.items() if result.focus is None else ():
        places = ", ".join(map(language.metric, where.split(", ")))
        items.append(Fact(f"{isolated(entry)}, {places}", language.say(reason)))
    yield from _list(language, UNSCORED, items)


def left_aside(views: Views) -> Iterator[Section]:
    """Yield the uploads that are not compared, by reason, if there are any."""
    language = views[0].language
    items = [
        Fact(f"{language.say(reason)} ({len(names)})", ", ".join(map(isolated, names)))
        for reason, names in by_reason(views[0].result.left_aside).items()
    ]
    yield from _list(language, LEFT_ASIDE, items)


def _list(language: Language, address: str, items: Sequence[Fact]) -> Iterator[Section]:
    if items:
        heading, caption = map(language.say, _LISTS[address])
        blocks = (Paragraph(caption, "caption"), Facts(tuple(items), "unusable"))
        yield Section(address, heading, blocks)


def runs(views: Views) -> Iterator[Section]:
    """Yield how many runs each team sent where some team sent several."""
    view = views[0]
    result = views[0].result
    if any(count > 1 for count in result.runs.values()):
        columns = (
            view.words("team", view.say("Team"), str),
            view.counts("runs", view.say("Runs"), result.runs.__getitem__),
        )
        how = result.settings.runs if view.evidence.seed_share is None else "crossed"
        table = view.table("", view.say(_RUNS[how]), sorted(result.runs), columns)
        yield Section("runs", view.say("Runs per team"), passage(table=table))


#: How a decision about files came about.
_HOW = {
    STATED: gettext_noop("stated"),
    PROVEN: gettext_noop("proven by the contents"),
    BY_NAME: gettext_noop("by name"),
}


def reading(views: Views) -> Iterator[Section]:
    """Yield what the columns of all files mean, how that was decided, and what was not read."""
    view = views[0]
    result = view.result
    for task, task_reading in result.readings.items():
        lines = [view.language.say(line) for line in task_reading.lines(participants_read=True)]
        rows = [*_decisions(task_reading)]
        columns = (
            view.words("files", view.say("Files"), lambda row: view.language.say(row[0])),
            view.words("role", view.say("Role"), lambda row: row[1]),
            view.words("column", view.say("Column"), lambda row: row[2]),
            view.words("how", view.say("How"), lambda row: view.say(_HOW[row[3].how])),
            view.words("why", view.say("Why"), lambda row: view.language.say(row[3].why)),
        )
        heading = view.say("How the files were read")
        if task:
            heading = view.say("How the files of {task} were read", task=task)
        caption = " ".join(lines)
        if result.form != "teams":
            yield Section(f"reading-{task}" if task else "reading", heading, (Paragraph(caption),))
            continue
        table = view.table("", caption, rows, columns)
        yield Section(f"reading-{task}" if task else "reading", heading, passage(table=table))


def _decisions(task_reading: Reading) -> Iterator[tuple[Phrase, str, str, Decision]]:
    """Yield every decision with whose it is, its role, and what was decided."""
    sides = []
    if task_reading.reference is not None:
        sides.append((Phrase("reference data"), task_reading.reference))
    for number, side in enumerate(task_reading.submissions):
        whose = Phrase("submissions")
        if task_reading.reference is None:
            whose = Phrase("people's scores") if number else Phrase("table of all systems")
        sides.append((whose, side))
    for whose, side in sides:
        for role, decision in side.roles.items():
            yield whose, role, _value_text(decision.value), decision
        for item in side.predicted:
            yield whose, item.role, _value_text(item.decision.value), item.decision


def _value_text(value: Any) -> str:
    """Return what was decided as a text: a column, several, one for each class, or a word."""
    if isinstance(value, Mapping):
        return ", ".join(map(str, value.values()))
    if isinstance(value, (list, tuple)):
        return ", ".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def signature(views: Views) -> Iterator[Section]:
    """Yield the versions, settings and data behind a result, and what the run noted."""
    result = views[0].result
    language = views[0].language
    more = language.say(
        "This page does not show the seed of the random numbers; its hash proves which one "
        "was used."
        if result.scores_only
        else "results.json holds every setting."
    )
    yield signed(result, language, more)


def signed(result: Findings, language: Language, more: str = "") -> Section:
    """Return what made a result, and of what; ``more`` says what else is known of it."""
    sentence = language.say("These versions, settings and data produced this result.")
    caption = f"{sentence} {more}".strip()
    items = tuple(Fact(_label(language, key), value) for key, value in result.signature.items())
    blocks: list[Block] = [Paragraph(caption, "caption"), Facts(items, "signature")]
    if notes := tuple(Fact("", language.say(note)) for note in result.notes):
        blocks.append(Paragraph(language.say("What the program noted"), "heading"))
        blocks.append(Facts(notes, "sources note", listed=True))
    return Section("signature", language.say("Signature"), tuple(blocks))


def _label(language: Language, key: str) -> str:
    """Return what an item of the signature is called; names of packages stay as they are.

    Where there are several tasks, their names stand in brackets at the end.
    """
    item, bracket, task = key.partition(" (")
    label = language.say(_ITEMS[item]) if item in _ITEMS else item
    for start, sentence in _NAMED.items():
        if label.startswith(start):
            label = language.say(sentence, name=label.removeprefix(start))
    return f"{label}{bracket}{task}"
