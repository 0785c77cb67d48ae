"""The page of an upload that was received and not scored, because the gold is elsewhere."""

from __future__ import annotations

from collections.abc import Sequence

from ..core import catalogs
from ..core.phrases import Phrase
from ..core.templates import environment

_TEMPLATE = "received.html.j2"


def received_page(title: str, language: str, examples: int, unchecked: Sequence[Phrase]) -> str:
    """Return the page as HTML, in a language.

    ``examples`` is the number of those that the upload was checked against; ``unchecked`` says what
    could not be checked without the gold.
    """
    words = catalogs.load(language)
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
    template = environment().get_template(_TEMPLATE)
    return template.render(
        words=words, title=title, sentences=[words.say(sentence) for sentence in sentences]
    )
