"""The post for social media, and what its picture shows, in words."""

from __future__ import annotations

from collections.abc import Iterator

from ..document.shortening import isolated, letters_of, shortened
from ..report.announcement import announcement
from .record import AnnouncedResults
from .slide import alternative_text

#: Letters of a post; a wide East Asian character counts as two.
MOST_LETTERS = 280
#: Letters of a title that has to be cut.
_TITLE = 60


def post(view: AnnouncedResults) -> str:
    """Return the post and, below a blank line, the alternative text for the card."""
    text = next(text for text in _drafts(view) if letters_of(text) <= MOST_LETTERS)
    say = view.say
    alternative = say(
        "Alternative text for the picture: {text}", text=f"{view.title}. {alternative_text(view)}"
    )
    return f"{text}\n\n{alternative}\n"


def _drafts(view: AnnouncedResults) -> Iterator[str]:
    """Yield the post with ever fewer words; the last one always has room."""
    title = isolated(view.title)
    short = isolated(shortened(view.title, _TITLE))
    full = view.announcement.public
    numbers = announcement(view.podium, view.language, 0).public
    facts = view.say(
        "{count:n} entry, {examples}.",
        "{count:n} entries, {examples}.",
        count=len(view.rows),
        examples=view.examples(),
    )
    address = view.page_address
    for name, statement in ((title, full), (title, numbers), (short, full), (short, numbers)):
        for parts in ((statement, facts, address), (statement, address), (statement,)):
            yield f"{name}: {' '.join(filter(None, parts))}"
    yield shortened(f"{short}: {numbers}", MOST_LETTERS)
