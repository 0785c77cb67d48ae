"""TREC's files: how they are read, and what is refused."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from scoring_program.core.errors import SubmissionError
from scoring_program.reading.formats import cells_of_lines, kind_of, rankings, read_examples
from scoring_program.reading.formats.kind import Content, FileDescription
from tests.metrics.kinds.runs import judgments, qrels_text, run_text, system


def run(text: str, form: str = "lines") -> dict[str, Any]:
    return dict(
        zip(
            *read_examples(text.encode(), "a.run", "ranking", FileDescription(form)).columns,
            strict=True,
        )
    )


def test_scores_order_the_documents_and_the_rest_of_a_line_does_not() -> None:
    text = "q1 Q0 a 1 0.5 tag\nq2\tQ0\tz\t9\t-1e3\ttag\n\nq1 x b 7 2 other\r\nq1 Q0 c 3 1.5 tag\n"
    assert run(text) == {"q1": ("b", "c", "a"), "q2": ("z",)}


#: What a random place of a usual file becomes; most of it makes the file unusual or wrong.
_PIECES = ("", " ", "\t", "\n", "\r\n", " \n", "\x1c", "\u2003", "é", "_", "9", "-", "nan", " inf ")


@pytest.mark.parametrize("size", [200, 1 << 17])
@pytest.mark.parametrize("is_gold", [False, True])
def test_many_lines_at_a_time_are_read_as_one_by_one(
    is_gold: bool, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cells_of_lines, "_CHUNK", size)  # a query may be in several parts
    draw = random.Random(is_gold)
    usual = 0
    for number in range(300):
        judged = judgments(30 if number < 5 else 2, number)
        text = qrels_text(judged) if is_gold else run_text(system(judged, 1, number))
        if number % 3:  # a query, a document and a number
            cells = (line.split() for line in text.splitlines())
            text = "\n".join("\t".join((of[0], of[2], of[3 + (not is_gold)])) for of in cells)
        place = draw.randrange(len(text))
        if number % 4:
            text = text[:place] + draw.choice(_PIECES) + text[place + draw.randrange(2) :]
        content = Content(text.encode(), "a.run", "lines", gold=is_gold)
        fast = _found(rankings._read_usual, content)
        if fast is not None:
            usual += 1
            assert fast == _found(rankings._read, content)
    assert 120 < usual < 280


def _found(read: Callable[[Content], Any], content: Content) -> object:
    """Return what is read as a text, so that the order of its parts counts, or the message."""
    try:
        found = read(content)
    except SubmissionError as error:
        return str(error)
    return found and repr(found)


def test_ties_are_broken_by_names_in_single_precision() -> None:
    scores = {"é": 1, "b": 1, "B": 1 + 1e-9, "z": 1, "10": 1, "9": 1, "first": 1.001}
    text = "".join(f"1 Q0 {name} 0 {score!r} t\n" for name, score in scores.items())
    assert run(text) == {"1": ("first", "é", "z", "b", "B", "9", "10")}


def test_json_holds_the_same() -> None:
    assert run('{"1": {"a": 1, "b": 2.5}, "2": {}}', "json") == {"1": ("b", "a"), "2": ()}
    table = read_examples(
        b'{"1": {"b": 2, "a": 0}}', "a.json", "ranking", FileDescription("json"), gold=True
    )
    assert table.columns[1] == [(("a", 0), ("b", 2))]


BEIR = "query-id\tcorpus-id\tscore\n"


def test_qrels_of_beir_and_of_ms_marco() -> None:
    expected = ["q1", "q2"], [(("d1", 2), ("d2", 0)), (("d3", 1),)]
    three = f"{BEIR}q1\td1\t2\nq1\td2\t0\nq2\td3\t1\n"
    four = "q1\t0\td1\t2\nq1\t0\td2\t0\nq2\t0\td3\t1\n"
    for text in (three, three.removeprefix(BEIR), four):
        table = read_examples(
            text.encode(), "test.tsv", "ranking", FileDescription("csv"), gold=True
        )
        assert tuple(table.columns) == expected
    assert kind_of(b"x" * 5000, "test.tsv") == "rows"
    assert kind_of(three.encode(), "test.tsv") == kind_of(four.encode(), "test.tsv") == "ranking"
    with pytest.raises(SubmissionError, match="line 3: expected a whole number"):
        read_examples(
            f"{BEIR}q1\td1\t2\nq1\td2\tx\n".encode(),
            "test.tsv",
            "ranking",
            FileDescription("csv"),
            gold=True,
        )


@pytest.mark.parametrize(
    ("text", "is_ranks"),
    [
        ("q1\ta\t1\nq1\tb\t2\nq1\tc\t3\n", True),
        ("qid pid rank\nq1 b 2\nq1 a 1\nq1 c 10\n", True),
        (f"{BEIR}q1\ta\t1\nq1\tb\t0.9\nq1\tc\t-2\n", False),
        ("q1\ta\t1.0\nq1\tb\t0.9\nq1\tc\t-2\n", False),
    ],
)
def test_runs_of_three_columns(text: str, is_ranks: bool) -> None:
    assert run(text) == {"q1": ("a", "b", "c")}
    notes = read_examples(text.encode(), "a.tsv", "ranking", FileDescription("csv")).notes
    assert [note.startswith("A run has three columns.") for note in notes] == [True] * is_ranks


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        ("q d rank\nq1 a 1\nq1 b 1.5\n",
         ["line 3: found '1.5', expected a whole number", "'301 FT911-3 1'"]),
        ("q1 a 3.5\nq1 Q0 b 1 1 t\n", ["line 2: 6 columns found, 3 expected"]),
        ("1 Q0 a 1 2 t\n1 Q0 b 1 2\n", ["1 line of the wrong width", "line 2: 5 columns found, 6"]),
        ("1 Q0 a 1 x t\n1 Q0 b 1 nan t\n", ["2 unusable scores", "line 1: found 'x'", "line 2"]),
        ("1 Q0 a 1 1e39 t\n", ["line 1: found '1e39', expected a finite number"]),
        ("1 Q0 a 1 1_0 t\n", ["line 1: found '1_0'"]),
        ("1 Q0 a 1 2 t\n1 Q0 b 2 1 t\n1 Q0 a 3 0 t\n",
         ["line 3: document 'a' of query '1' was already on line 1", "once for each query"]),
        ("\n \n", ["the file is empty"]),
    ],
)  # fmt: skip
def test_every_wrong_line_of_a_run_is_named(text: str, messages: list[str]) -> None:
    with pytest.raises(SubmissionError) as error:
        run(text)
    for message in messages:
        assert message in str(error.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [('{"1": ["a"]}', "expected documents by query"), ("[]", "expected documents by query"),
     ('{"1": {"a": "high"}}', "query 1: found 'high' of document 'a'")],
)  # fmt: skip
def test_json_of_another_shape_is_refused(text: str, message: str) -> None:
    with pytest.raises(SubmissionError) as error:
        run(text, "json")
    assert message in str(error.value)


@pytest.mark.parametrize("grade", ["1.0", "high", "9" * 400])
def test_grades_are_whole_numbers(grade: str) -> None:
    with pytest.raises(SubmissionError) as error:
        read_examples(
            f"1 0 a 1\n1 0 b {grade}\n".encode(),
            "qrels.txt",
            "ranking",
            FileDescription("lines"),
            gold=True,
        )
    assert "line 2: expected a whole number" in str(error.value)
    assert grade not in str(error.value)


def test_errors_of_judgments_name_no_document() -> None:
    with pytest.raises(SubmissionError) as error:
        read_examples(
            b"1 0 a 1\n1 0 a 1\n", "qrels.txt", "ranking", FileDescription("lines"), gold=True
        )
    assert "line 2: this document was already on line 1" in str(error.value)
    with pytest.raises(SubmissionError, match="line 1: expected a whole number"):
        read_examples(
            b"q1 a x\nq1 b 1\n", "qrels.txt", "ranking", FileDescription("lines"), gold=True
        )


@pytest.mark.parametrize(
    ("content", "file", "kind"),
    [
        (b"301 0 FT-1 1\n301 0 FT-2 0\n", "qrels.txt", "ranking"),
        (b"\xef\xbb\xbf19335\t0\t1017759\t-1\n", "qrels.tsv", "ranking"),
        (b"301 1 FT-1 1\n", "trec8.qrels", "ranking"),
        (b"301 0 FT-1 1\n" * 1000, "qrels.txt", "rows"),
        (b"1 0 0 0\n0 0 1 0\n0 0 1 0\n", "gold.solution", "rows"),
        (b"id label\na b\n", "gold.txt", "rows"),
        (b"", "gold.txt", "rows"),
        ("".join(f"301 0 FT-{i} 1\n" for i in range(1000)).encode(), "qrels.txt", "ranking"),
    ],
)
def test_judgments_are_told_by_their_content(content: bytes, file: str, kind: str) -> None:
    assert kind_of(content, file) == kind


@pytest.mark.parametrize("score", ["{k}", "0.{k}", "1.0", "{k}e-9"])
def test_scores_that_rise_with_the_ranks_are_asked_about(score: str) -> None:
    """They may be distances. Scores that are all alike order nothing."""
    lines = [f"{q} Q0 {d} {k} {score.format(k=k)} t" for q, d, k, _ in _GOOD_RUN]
    says = "no score is higher, in single precision, than that of a later rank"
    for text in ("\n".join(lines), "\n\n".join(lines)):
        with pytest.raises(SubmissionError, match=says):
            run(text)
    lines[2] = lines[2].replace(" t", "").rpartition(" ")[0] + " -1 t"
    assert len(run("\n".join(lines))) > 0


_GOOD_RUN = [(q, f"{100 + (7 * q + k) % 20}", k, 20.5 - k) for q in (1, 2, 3) for k in range(1, 9)]


@pytest.mark.parametrize("prefix", ["", "d"])
@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("{q} Q0 {k} {d} {s} t", "line 1: found '1' for the document, which is a rank"),
        ("{q} Q0 {d} {s} {k} t", "line 1: found '1' for the score, which is a rank"),
        ("{q} {k} {d}", "line 1: found '1' for the document, which is a rank"),
        ("{q} Q0 {d} {k} {s} t", ""),
        ("{q} Q0 {d} - {s} t", ""),
        ("{q} {d} {s}", ""),
        ("{q} {d} {k}", ""),
    ],
)
def test_swapped_columns_of_a_run(line: str, says: str, prefix: str) -> None:
    lines = [line.format(q=q, d=prefix + d, k=k, s=s) for q, d, k, s in _GOOD_RUN]
    if not says:
        assert len(run("\n".join(lines))) > 0
        return
    with pytest.raises(SubmissionError, match=f"{says}: columns are swapped; write lines such"):
        run("\n".join(lines))
