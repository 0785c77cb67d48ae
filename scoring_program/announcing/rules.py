"""What to put into the rules before the next competition, from the settings of this one."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from ..core.phrases import gettext_noop
from ..document.shortening import isolated
from ..document.take_away import markdown_text
from .record import HASH_OF_GOLD, AnnouncedResults

_MISSING = {
    "error": gettext_noop("A submission that lacks a prediction is not scored."),
    "wrong": gettext_noop("A missing prediction counts as a wrong answer."),
    "worst": gettext_noop("A missing score counts as the worst one in the table."),
    "drop_unit": gettext_noop("A unit that some entry has no score for counts for no entry."),
    "judged": gettext_noop(
        "The score of an entry is its mean over the units that it was scored on."
    ),
}
_RUNS = {
    "all": gettext_noop("All submissions of a team compete. The best one stands for the team."),
    "best": gettext_noop("The best submission of a team counts."),
    "last": gettext_noop("The last submission of a team before the deadline counts."),
    "mean": gettext_noop("The mean over all submissions of a team counts."),
}
#: What binds the organizers: the settings, the gold, and a line that nobody can guess.
_COMMANDS = """\
head -c 24 /dev/urandom | base64 > salt.txt
cat scoring.yaml {gold} salt.txt | sha256sum"""
#: What the gold is called where nothing says it.
_GOLD = "gold.csv"


def rules(view: AnnouncedResults) -> str:
    """Return the text for the rules, as Markdown."""
    say = view.say
    sections = (
        (say("Who is ranked by what"), _ranking(view)),
        (say("Which submissions count"), _submissions(view)),
        (say("Ties"), _ties(view)),
        (say("Prizes"), _prizes(view)),
        *(((say("Costs"), _costs(view)),) if view.record.get("front") else ()),
        (say("What the organizers commit to"), _commitment(view)),
    )
    parts = [
        f"# {say('Rules for the next competition')}",
        say(
            "These sentences follow from the settings of {title}. Change what differs, and publish "
            "them before the first submission.",
            title=markdown_text(isolated(view.title)),
        ),
    ]
    for heading, paragraphs in sections:
        parts += [f"## {heading}", *paragraphs]
    return "\n\n".join(parts) + "\n"


def _ranking(view: AnnouncedResults) -> Iterator[str]:
    say = view.say
    direction = say("higher is better" if view.record["greater_is_better"] else "lower is better")
    yield say(
        "Submissions are ranked by {metric}, `{definition}`; {direction}.",
        metric=markdown_text(view.label),
        definition=view.record["definition"].replace("`", "'"),
        direction=direction,
    )
    if view.ranks_private_rows:
        yield say("The private rows decide the ranking, not the public ones.")
    if people := view.record.get("people"):
        yield say(
            "The scores are a judge's, corrected by people's of {judged:n} in {units:n} units. "
            "These are drawn at random before anybody sees the judge's scores.",
            judged=people["judged"],
            units=people["units"],
        )
    more = [
        markdown_text(view.language.metric(metric["label"]))
        for metric in view.document["metrics"][1:]
    ]
    if more:
        yield say(
            "These are shown beside it, and have no part in the ranking: {metrics}.",
            metrics=view.language.joined(more),
        )


def _submissions(view: AnnouncedResults) -> Iterator[str]:
    say = view.say
    settings = view.settings
    missing = str(settings.get("missing", "error"))
    runs = str(settings.get("runs", "all"))
    if missing in _MISSING:
        yield say(_MISSING[missing])
    yield say("A submission after the deadline is not ranked. Name the day, the hour and the zone.")
    if runs in _RUNS:
        yield say(_RUNS[runs])
    baselines = [markdown_text(isolated(row.entry)) for row in view.rows if row.baseline]
    if baselines:
        yield say(
            "Baselines of the organizers are shown and cannot win: {names}.",
            names=view.language.joined(baselines),
        )


def _ties(view: AnnouncedResults) -> Iterator[str]:
    say = view.say
    if not view.podium.names_winners:
        yield say(
            "The tie rule here was “{rule}”, which names no winners. Choose `max_t`, which does."
        )
        return
    yield say(
        "An entry is a possible winner unless the test set rules out, with {confidence} "
        "confidence, that it is the best (tie rule: {rule})."
    )
    yield say(
        "No possible winner is called better than another one. Entries with equal scores share a "
        "place."
    )


def _prizes(view: AnnouncedResults) -> Iterator[str]:
    say = view.say
    places = view.settings.get("prizes")
    if places is None:
        yield say("Say how many prizes there are, and set `prizes` to this number.")
    if places is None or places == 1:
        yield say(
            "The prize goes to the winner. If there are several possible winners, they share it."
        )
        return
    yield from map(markdown_text, _unsettled(view))
    yield say(
        "There are {count:n} prizes. A team that is surely among the first {count:n} takes one. "
        "The teams that may be among the first {count:n} share the others.",
        count=int(places),
    )


def _costs(view: AnnouncedResults) -> Iterator[str]:
    """Say what costs decide."""
    yield view.say(
        "Costs are shown beside the scores, and have no part in the ranking. An entry may be the "
        "best for its cost unless another that costs no more rules it out."
    )
    yield view.say("Say what counts as the cost, in which unit, and who measures it.")


def _unsettled(view: AnnouncedResults) -> list[str]:
    """Say why nothing was settled of the prizes, which another rule or metric would change."""
    prizes = view.record["prizes"]
    is_settled = prizes is None or prizes["sure"] is not None or view.is_withdrawn
    return [] if is_settled else view.prizes()


def _commitment(view: AnnouncedResults) -> Iterator[str]:
    say = view.say
    yield say(
        "Before the first submission, publish this hash. It binds the settings (tie rule, prizes "
        "and seed among them) and the gold. The random line keeps others from finding the gold by "
        "its hash."
    )
    commands = _COMMANDS.format(gold=shlex.join(_gold_files(view)))
    yield f"```sh\n{commands}\n```"
    yield say("Keep these files. After the competition, whoever gets them can check the hash.")
    signature = view.document["signature"]
    facts = []
    if "seed" in signature:
        facts.append(say("Seed of this competition: {seed}", seed=signature["seed"]))
    for key, value in signature.items():
        if key.startswith(HASH_OF_GOLD):
            task = key.removeprefix(HASH_OF_GOLD)
            fact = say("SHA-256 of its reference data{task}: `{hash}`", task=task, hash=value)
            facts.append(fact)
    if facts:
        yield "\n".join(f"- {fact}" for fact in facts)


def _gold_files(view: AnnouncedResults) -> list[str]:
    """Return the names of the files of the reference data; of several tasks, one of each."""
    reading = view.document["reading"] or {}
    files: list[str] = []
    for of_task in reading.get("tasks", {"": reading}).values():
        reference = of_task.get("reference") or {}
        files += reference.get("files", ())
    return list(dict.fromkeys(files)) or [_GOLD]
