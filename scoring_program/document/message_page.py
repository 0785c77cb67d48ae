"""A page of a few sentences: an upload was received, or cannot be scored."""

from __future__ import annotations

from collections.abc import Sequence

from ..core import catalogs
from ..core.errors import NOT_SCORED
from ..core.phrases import Phrase
from ..core.templates import environment

_TEMPLATE = "message.html.j2"


def received_page(title: str, language: str, examples: int, unchecked: Sequence[Phrase]) -> str:
    """Return the page of an upload that is not scored, because the gold is elsewhere, as HTML.

    ``examples`` is the number of those that the upload was checked against; ``unchecked`` says what
    could not be checked without the gold.
    """
    sentences = (
        Phrase("This submission was received. It was not scored."),
        Phrase(
            "It can be scored: it was checked against {count:n} example of the test set.",
            "It can be scored: it was checked against {count:n} examples of the test set.",
            count=examples,
        ),
        Phrase(
            "The correct answers are not on this platform. The organizers score all submissions "
            "elsewhere."
        ),
        *unchecked,
    )
    return _page(title, language, sentences)


def failed_page(title: str, language: str, problems: Phrase | str) -> str:
    """Return the page of an upload that cannot be scored, with its problems, as HTML."""
    return _page(title, language, [Phrase(NOT_SCORED)], problems)


def _page(
    title: str, language: str, sentences: Sequence[Phrase], problems: Phrase | str = ""
) -> str:
    words = catalogs.load(language)
    texts = [words.say(sentence) for sentence in sentences]
    return (
        environment()
        .get_template(_TEMPLATE)
        .render(
            words=words,
            title=title or texts[0],
            sentences=texts,
            problems=words.say(problems) if problems else "",
        )
    )
