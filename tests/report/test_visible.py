"""What the checks of outputs read of a page is what a parser of HTML reads."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest

from scoring_program.document import html
from tests.report import made, visible


class _Words(HTMLParser):
    """The texts that stand outside of the head, the scripts and the drawings."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.words: list[str] = []
        self._unread = 0
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self._unread += tag in ("head", "script", "style", "svg")

    def handle_endtag(self, tag: str) -> None:
        self._unread -= tag in ("head", "script", "style", "svg")

    def handle_data(self, data: str) -> None:
        if not self._unread:
            self.words.append(data)


@pytest.mark.parametrize("form", ["teams", "field", "single"])
def test_its_words_are_those_of_a_parser(form: str) -> None:
    text = html.page(made.built(made.FORMS[form]()))
    read = " ".join(" ".join(visible._Page(text).words).split())
    assert read == " ".join(" ".join(_Words(text).words).split())


def test_rankings_and_cards() -> None:
    page = visible._Page(
        "<table class=\"wide ranking\"><tr class='winner'><td><bdi>A &amp; B</bdi>"
        '<svg class="lane tied"><title>C</title></svg></td></tr>'
        "<tr class=card><td><dl><dt>x > y</dt><dd>1 &lt; 2</dd></dl></td></tr></table>"
    )
    assert page.rankings == [[("A & B", "winner", "lane tied")]]
    assert page.cards == [{"x > y": "1 < 2"}]


def test_what_is_no_mark_is_not_passed_over() -> None:
    with pytest.raises(AssertionError, match="<"):
        visible._Page("<p>1 < 2</p>")
