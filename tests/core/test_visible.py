"""What others wrote is shown with every character visible."""

from __future__ import annotations

import sys
import unicodedata

import pytest

from scoring_program.core.errors import cut, quoted
from scoring_program.core.legible import legible, visible

#: Code points that Unicode 15 says to ignore in display (Default_Ignorable_Code_Point of
#: DerivedCoreProperties.txt), first and last of each range.
_IGNORED = (
    (0x00AD, 0x00AD), (0x034F, 0x034F), (0x061C, 0x061C), (0x115F, 0x1160), (0x17B4, 0x17B5),
    (0x180B, 0x180F), (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0x3164, 0x3164),
    (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0), (0xFFF0, 0xFFF8), (0x1BCA0, 0x1BCA3),
    (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF),
)  # fmt: skip


def test_no_character_that_is_not_displayed_is_left() -> None:
    ignored = [chr(code) for first, last in _IGNORED for code in range(first, last + 1)]
    for letter in (*ignored, "\u2800", "\u00a0", "\u2003", "\x1b", "\ud800", "\n"):
        assert visible(f"a{letter}b") == f"a<U+{ord(letter):04X}>b"


def test_characters_that_are_displayed_stay() -> None:
    for text in ("Ñandú", "東京大学", "فريق", "Ω-team 2 ☃", "e\u0301", "team_1 (a)", "한국"):
        assert visible(text) == text
    letters = (chr(code) for code in range(sys.maxunicode + 1))
    shown = [x for x in letters if unicodedata.category(x)[0] in "LNPS" and visible(x) != x]
    assert 5 < len(shown) < 20  # fillers and blanks


def test_some_characters_may_be_kept() -> None:
    assert visible("a\nb\x1b[31m", allowed="\n") == "a\nb<U+001B>[31m"


def test_quoted_texts_are_visible() -> None:
    assert quoted("x\u3164\ufe0f") == "'x<U+3164><U+FE0F>'"
    assert quoted("\x1b[31m") == r"'\x1b[31m'"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\u0441at", "<U+0441>at"),  # a Cyrillic letter
        ("big \u0441at", "big <U+0441>at"),
        ("\u03bf\u043d", "<U+03BF><U+043D>"),  # a Greek and a Cyrillic one
        ("\uff43at", "<U+FF43>at"),  # a wide one
        ("\u0441\u043e\u0441\u043d\u0430", "\u0441\u043e\u0441\u043d\u0430"),
        ("\t\u0441\u043e\u0441\u043d\u0430", "\\t\u0441\u043e\u0441\u043d\u0430"),
        ("\u03b1-helix", "\u03b1-helix"),
        ("Ñandú", "Ñandú"),
        ("T\u30b7\u30e3\u30c4を着る人", "T\u30b7\u30e3\u30c4を着る人"),
        ("\ud55c\uad6d2", "\ud55c\uad6d2"),
    ],
)
def test_words_of_two_scripts_show_their_code_points(text: str, shown: str) -> None:
    assert quoted(text) == f"'{shown}'"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\u2068b\u2069c\n1\u00a0000\u202f%", None),
        ("a\u2068b\u2068c\u2069\u2069d", None),
        ("a\u2068b", "a<U+2068>b"),
        ("a\u2069b\u2068", "a<U+2069>b<U+2068>"),
        ("a\u2068\nb\u2069", "a<U+2068>\nb<U+2069>"),
        ("\u2067a\u2069\t", "<U+2067>a<U+2069><U+0009>"),
    ],
)
def test_our_own_lines_spaces_and_closed_isolates_stay(text: str, shown: str | None) -> None:
    assert legible(text) == (text if shown is None else shown)
    assert legible(legible(text)) == legible(text)


@pytest.mark.parametrize(("text", "shown"), [("abc", "abc"), ("abcd", "abc… (1 more characters)")])
def test_long_texts_are_cut(text: str, shown: str) -> None:
    assert cut(text, 3) == shown
