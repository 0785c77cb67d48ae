"""The third of three columns of a run: ranks are 1 to k, else they are scores, or asked about."""

from __future__ import annotations

import pytest

from scoring_program.core.errors import SubmissionError
from scoring_program.reading.formats import read_examples


def _documents(numbers: list[str], *, blank: bool = False) -> list[tuple[str, ...]]:
    """Return the documents of every query, best first; ``blank`` lines hinder the quick reader."""
    lines = [f"q{query} d{place} {number}\n" for query in (1, 2)
             for place, number in enumerate(numbers)]  # fmt: skip
    text = "".join(lines[:1] + ["\n"] * blank + lines[1:])
    return [*read_examples(text.encode(), "p.run", "ranking").named["documents"]]


@pytest.mark.parametrize("blank", [False, True])
@pytest.mark.parametrize(
    ("numbers", "order"),
    [
        (["1", "2", "3"], ("d0", "d1", "d2")),
        (["1", "0", "-1"], ("d0", "d1", "d2")),
        (["1", "4", "-2"], ("d1", "d0", "d2")),
        (["1", "0.5", "0.7"], ("d0", "d2", "d1")),
        (["3", "2", "1"], ("d0", "d1", "d2")),
        (["1", "5", "5"], ("d2", "d1", "d0")),
    ],
)
def test_ranks_are_one_to_k(numbers: list[str], order: tuple[str, ...], blank: bool) -> None:
    assert _documents(numbers, blank=blank) == [order, order]


@pytest.mark.parametrize("numbers", [["1", "3", "4"], ["1", "3", "2"]])
def test_ranks_with_gaps_may_be_scores(numbers: list[str]) -> None:
    with pytest.raises(SubmissionError, match="the third column may hold ranks or scores"):
        _documents(numbers)
    highest = numbers.index(max(numbers))
    for title, best in (("rank", "d0"), ("score", f"d{highest}")):
        lines = "".join(f"q1 d{place} {number}\n" for place, number in enumerate(numbers))
        text = f"query document {title}\n{lines}"
        table = read_examples(text.encode(), "p.run", "ranking")
        assert table.named["documents"][0][0] == best


def test_alternations_of_transcripts_are_refused_with_what_to_do() -> None:
    gold = b"the first line\nwe { um / uh / @ } begin\n"
    with pytest.raises(SubmissionError, match=r"line 2: .*alternations of NIST.*blocks"):
        read_examples(gold, "gold.txt", "text", gold=True)
    for text in (b"a {b/c} d\n", b"{ a } / { b }\n"):
        assert len(read_examples(text, "gold.txt", "text", gold=True).numbers) == 1
