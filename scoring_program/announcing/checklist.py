"""What to look at tonight, what can go wrong first, each with the command that settles it."""

from __future__ import annotations

from collections.abc import Iterator

from ..document.shortening import isolated, told_apart
from ..document.take_away import markdown_text
from ..report.announcement import names_listed
from ..report.view import IN_SENTENCE
from .record import AnnouncedResults

#: What stands for files that results.json does not name.
_SCORE = "deadheat score INPUT OUTPUT"
_AUDIT = "deadheat audit INPUT -o audit"
_CHECK = "deadheat check PREDICTIONS --ids IDS"


def checklist(view: AnnouncedResults) -> str:
    """Return the list, as Markdown, of at most ten lines."""
    say = view.say
    items = (
        *_cautions(view),
        *_left_out(view),
        *(_first_place(view) if view.podium.competing > 1 else ()),
        *(_prizes(view) if view.podium.competing > 1 else ()),
        *_names(view),
        *_results(view),
    )
    lines = [f"{place}. {item}" for place, item in enumerate(items, 1)]
    sign = view.announcement.sign
    sentence = view.announcement.sentence
    return "\n".join(
        (
            f"# {say('Before you announce: {title}', title=markdown_text(isolated(view.title)))}",
            "",
            f"{sign.glyph} {sign.word}. {markdown_text(sentence)}",
            "",
            *lines,
            "",
        )
    )


def _with_command(sentence: str, command: str) -> str:
    return f"{sentence} `{command}`"


def _cautions(view: AnnouncedResults) -> Iterator[str]:
    """Yield the serious cautions, and how many minor ones there are."""
    serious = [" ".join(caution.split()) for caution in view.to_settle_first]
    if serious:
        sentence = view.say(
            "Settle the serious caution, and score again: {cautions}",
            "Settle the serious cautions, and score again: {cautions}",
            count=len(serious),
            cautions=markdown_text(" ".join(serious)),
        )
        yield _with_command(sentence, _SCORE)
    minor = {item["code"] for item in view.document["warnings"] if item["level"] != "red"}
    if minor:
        sentence = view.say(
            "Read the minor caution on the page. Repeat it in the paper.",
            "Read the minor cautions on the page. Repeat them in the paper.",
            count=len(minor),
        )
        yield f"{sentence} `OUTPUT/detailed_results.html`"


def _left_out(view: AnnouncedResults) -> Iterator[str]:
    """Yield who has no place because a submission could not be scored."""
    entries = [item["entry"] for item in view.document["unusable"]]
    names = list(map(isolated, told_apart(entries, IN_SENTENCE)))
    if names:
        sentence = view.say(
            "{names} could not be scored. Ask the team for a new file, or say so when you "
            "announce.",
            "{names} could not be scored. Ask the teams for new files, or say so when you "
            "announce.",
            count=len(names),
            names=markdown_text(names_listed(names, view.language)),
        )
        yield _with_command(sentence, _CHECK)


def _first_place(view: AnnouncedResults) -> Iterator[str]:
    """Yield what bears on the first place: the examples that decide, and baselines ahead."""
    if view.has_gold:
        sentence = view.say("Look again at the correct answers that decide the first place.")
    else:
        sentence = view.say("Look again at the {things} that decide the first place.")
    yield _with_command(sentence, _AUDIT)
    ahead = view.baselines_ahead
    if ahead:
        yield view.say(
            "Say that a baseline scores better than the leader: {names}.",
            "Say that baselines score better than the leader: {names}.",
            count=len(ahead),
            names=markdown_text(names_listed(ahead, view.language)),
        )


def _prizes(view: AnnouncedResults) -> Iterator[str]:
    """Yield what the rules have to decide about the prizes."""
    say = view.say
    prizes = markdown_text(" ".join(view.prizes()))
    record = view.record["prizes"]
    if not prizes:
        sentence = say("If there are prizes, find out who takes them.")
        yield _with_command(sentence, f"{_SCORE} --prizes 3")
    elif view.podium.waits_for_uploads:
        return  # what is settled here may change
    elif record["open"]:
        sentence = say(
            "Let the rules decide who takes or shares the prizes: {prizes}",
            prizes=prizes,
        )
        yield f"{sentence} `rules.md`"
    else:
        yield f"{say('Prizes')}: {prizes} `OUTPUT/detailed_results.html#prizes`"


def _names(view: AnnouncedResults) -> Iterator[str]:
    """Yield how teams are named, and what they are told."""
    say = view.say
    if view.settings.get("anonymize"):
        sentence = say("The teams are anonymous here. Ask them before you publish names.")
        yield _with_command(sentence, f"{_SCORE} --layout teams")
    else:
        sentence = say("Ask every team how it wants to be named. This hides all names:")
        yield _with_command(sentence, f"{_SCORE} --anonymize")
    yield f"{say('Read every letter, and send them before you announce.')} `letters/`"


def _results(view: AnnouncedResults) -> Iterator[str]:
    """Yield how anybody gets the same numbers, what to publish, and what to keep or delete."""
    say = view.say
    signature = view.document["signature"]
    seed = signature.get("seed")
    if seed is not None:
        sentence = say("Publish the seed, so that anybody can get the same numbers.")
        resamples = view.settings["resamples"]
        yield _with_command(sentence, f"{_SCORE} --seed {seed} --resamples {resamples}")
    if view.scores_only:
        yield say(
            "Participants were promised scores only (`participants: score`): the page and "
            "`results.json` of all teams show more. Publish neither before they agree."
        )
    else:
        yield say(
            "Publish the page, `results.json` and `tables/`. Never publish what the audit wrote."
        )
    if view.has_gold:
        yield say(
            "Delete the gold from the platform: anybody can download the reference data of a "
            "published competition (Codabench 1.25, March 2026)."
        )
