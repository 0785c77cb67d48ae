"""What the columns, keys and lines of every kind mean: tables of names and cells → decisions."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from scoring_program.recognize import file_names, words_of_cells
from scoring_program.recognize.of_kinds import (
    label_columns,
    lists_of_ids,
    ranked_columns,
    sample_columns,
    span_columns,
    tag_columns,
    text_columns,
)
from scoring_program.recognize.of_kinds.roles_by_name import (
    may_hold_names,
    names_columns,
    predicted_elsewhere,
)
from scoring_program.recognize.sums_of_lines import LineOfScores, unit_that_sums_up

# Headers ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("names", "of_roles", "numbered", "moved"),
    [
        (["key", "note", "prediction"], {"label": "note"}, ["label"], ("label", "prediction")),
        (["key", "note", "prediction"], {"label": "note"}, [], None),  # stated by its name
        (["key", "label", "prediction"], {"label": "label"}, ["label"], None),
        (["key", "note", "comment"], {"label": "note"}, ["label"], None),
        (["key", "prediction"], {"id": "key"}, ["id"], None),
    ],
)
def test_a_stated_number_may_be_another_column(
    names: Sequence[str],
    of_roles: Mapping[str, str],
    numbered: Sequence[str],
    moved: tuple[str, str] | None,
) -> None:
    assert predicted_elsewhere(names, of_roles, numbered) == moved


@pytest.mark.parametrize(
    ("columns", "places", "names", "may"),
    [
        ([["id", "a", "b"], ["label", "x", "y"]], {"id": 1, "label": 2}, True, False),
        ([["a", "b", "c"], ["x", "y", "x"]], {"id": 1, "label": 2}, False, False),
        ([["k", *"abcdef"], ["odd", *"xyxyxy"]], {"id": 1, "label": 2}, False, True),
        ([["x007", "x008", "x009", "x010", "x011"], ["odd", *"xyxy"]], {"id": 1, "label": 2},
         False, False),
        ([["0", "7", "3"], ["1", "2", "9"]], {"0": 1, "1": 2}, True, False),
    ],
)  # fmt: skip
def test_a_first_row_names_columns_or_may(
    columns: Sequence[Sequence[str]], places: Mapping[str, int], names: bool, may: bool
) -> None:
    assert names_columns(columns, places) is names
    assert may_hold_names(columns, places) is may


# Label sets ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "below", "is_header"),
    [
        (["joy", "fear"], [["1", "0"], ["0", "1"]], True),
        (["1", "0"], [["1", "0"], ["0", "1"]], False),
        (["id", "labels"], [["t1"], ["a;b"]], True),
        (["t0", "words"], [["t1"], ["[1, 2]"]], True),
        (["t0", "a;b"], [["t1"], ["a"]], False),
    ],
)
def test_headers_of_labels(
    first: Sequence[str], below: Sequence[Sequence[str]], is_header: bool
) -> None:
    assert label_columns.is_header_of_labels(first, below) is is_header


@pytest.mark.parametrize(
    ("columns", "stated", "column", "classes", "several"),
    [
        ({"id": ["1", "2"], "labels": ["a;b", "a"]}, (), "labels", [], True),
        ({"id": ["1", "2"], "moods": ["a b", "a"]}, (), "moods", [], False),
        ({"id": ["1", "2"], "tags": ["a|b", "b"], "label": ["x", "y"]}, (), "label", [], True),
        ({"id": ["1", "2"], "tags": ["a|b", "b"], "label": ["x", "y"]}, ["tags"], "tags", [],
         True),
        ({"id": ["1", "2"], "joy": ["1", "1"], "fear": ["1", "0"]}, (), None, ["joy", "fear"],
         True),
        ({"id": ["1", "2"], "joy": ["1", "0"], "fear": ["0", "1"]}, (), None, ["joy", "fear"],
         False),
        ({"id": ["1", "2"], "rank": ["1,5", "2,5"]}, (), "rank", [], False),  # decimal commas
    ],
)  # fmt: skip
def test_which_columns_hold_labels(
    columns: Mapping[str, Sequence[str]],
    stated: Sequence[str],
    column: str | None,
    classes: Sequence[str],
    several: bool,
) -> None:
    assert label_columns.column_of_labels(columns, stated) == column
    if column is None:
        assert label_columns.columns_that_are_labels(columns, gold=True) == classes
    assert label_columns.hold_several_labels(columns) is several


def test_sentences_beside_predicted_flags_are_no_labels() -> None:
    sentences = ["some words of a text", "others that differ", "a third of several"]
    columns = {"text": sentences, "joy": ["1", "0", "1"], "fear": ["0.4", "0", "1"]}
    assert label_columns.columns_that_are_labels(columns, gold=False) == ["joy", "fear"]
    assert label_columns.columns_that_are_labels(columns, gold=True) == ["joy", "fear"]


@pytest.mark.parametrize(
    ("cells", "instead"),
    [
        (["0,0,1", "0,1,0"], "write the label of each example"),
        (["[0 1 1]", "[1 0 1]"], "write CSV with a column of zeros and ones"),
        (["0,1", "0,1"], None),  # two labels, in order
        (["a,b", "b"], None),
    ],
)
def test_lists_of_flags_are_no_labels(cells: Sequence[str], instead: str | None) -> None:
    answer = label_columns.of_cells(cells)
    assert (answer is None) if instead is None else str(answer).startswith(instead)


def test_lists_may_stand_in_another_column_of_a_usual_name() -> None:
    columns: dict[str, Sequence[Any]] = {"label": ["a", "b"], "tags": [("x", "y"), ("x",)]}
    assert label_columns.lists_elsewhere(columns, "label") == "tags"
    assert label_columns.lists_elsewhere(columns, "tags") is None


# Texts --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "below", "may"),
    [
        (["headline"], [["A long first text.", "A second one"]], True),
        (["A first text, with a comma."], [["A second one", "A third"]], False),
        (["doc7", "summary line"], [["doc8", "doc9"], ["a text", "b text"]], False),
        (["a.wav", "good morning"], [["b.wav", "c.wav"], ["hello", "bye"]], False),
        (["segment", "words"], [["s1", "s2"], ["hello", "bye"]], True),
    ],
)
def test_a_first_line_of_texts_may_be_names(
    first: Sequence[str], below: Sequence[Sequence[str]], may: bool
) -> None:
    assert text_columns.may_be_named(first, below) is may


@pytest.mark.parametrize(
    ("names", "references"),
    [
        (["id", "reference_1", "reference_2"], {"reference": ["reference_1", "reference_2"]}),
        (["id", "ref1", "ref2", "note"], {"ref": ["ref1", "ref2"]}),
        (["id", "reference_1", "text"], {}),
        (["id", "age_1", "age_2"], {}),
    ],
)
def test_numbered_columns_are_references(
    names: Sequence[str], references: Mapping[str, Sequence[str]]
) -> None:
    assert text_columns.numbered_references(names) == references


@pytest.mark.parametrize(
    ("columns", "stated", "key", "other"),
    [
        ({"id": ["1", "1"], "text": ["a b", "c"]}, None, "id", None),
        ({"doc_id": ["1", "1"], "segment": ["s1", "s2"], "text": ["a b", "c"]}, None, "doc_id",
         "segment"),
        ({"doc_id": ["1", "1"], "seg_id": ["s1", "s2"]}, None, None, None),
        ({"doc_id": ["1", "1"], "seg_id": ["s1", "s2"]}, "seg_id", "seg_id", None),
    ],
)  # fmt: skip
def test_rows_of_one_id_are_references_of_one_text(
    columns: Mapping[str, Sequence[str]], stated: str | None, key: str | None, other: str | None
) -> None:
    assert text_columns.key_of_repeated(columns, stated) == key
    if key is not None:
        assert text_columns.other_key(columns, key) == other


@pytest.mark.parametrize(
    ("values", "rivals"),
    [
        ({"answer": [True, False], "output": ["a b", "c d"]}, None),
        ({"answer": [True, False], "story": ["a b", "c d"]}, ("answer", "story")),
        ({"answer": [True, False], "question": ["a b", "c d"]}, None),
        ({"answer": [True, "no"], "story": ["a b", "c d"]}, None),
    ],
)
def test_flags_beside_texts(
    values: Mapping[str, Sequence[Any]], rivals: tuple[str, str] | None
) -> None:
    assert text_columns.flags_beside_texts(values) == rivals


def test_texts_in_another_order_and_pieces_of_words() -> None:
    golds = [f"w{k} of a text" for k in range(12)]
    assert not text_columns.are_in_another_order(golds, golds)
    assert text_columns.are_in_another_order(golds, [*golds[1:], golds[0]])
    assert not text_columns.are_in_another_order(golds[:5], [*golds[1:5], golds[0]])
    assert text_columns.mark_of_pieces(golds, ["a@@ b", *golds[1:]]) is None
    assert text_columns.mark_of_pieces(golds, ["a@@ b"] * 3 + golds[3:]) == ("@@", 3)


# Samples, spans, tags, ranked lists and lists of ids ----------------------------------------------


@pytest.mark.parametrize(
    ("names", "stated", "value"),
    [
        (["id", "sample", "verdict"], (), "verdict"),
        (["id", "sample", "passed"], (), None),  # it has its name
        (["id", "verdict", "seconds"], (), None),
        (["id", "verdict", "seconds"], ("label",), None),
    ],
)
def test_the_only_value_of_samples(
    names: Sequence[str], stated: Sequence[str], value: str | None
) -> None:
    assert sample_columns.only_value(names, stated) == value


@pytest.mark.parametrize(
    ("lists", "single", "name"),
    [
        (["samples"], ["id"], "samples"),
        (["tokens", "samples"], ["id"], "samples"),
        (["tokens"], ["id", "passed"], None),
        (["drafts"], ["id"], "drafts"),
        ([], ["id"], None),
    ],
)
def test_lists_of_samples(lists: Sequence[str], single: Sequence[str], name: str | None) -> None:
    assert sample_columns.list_of_samples(lists, single) == name


@pytest.mark.parametrize(
    ("sample", "counts"),
    [("1", 1.0), ("Passed", 1.0), ("no", 0.0), ("0.5", 0.5), ("1_0", None), ("maybe", None)],
)
def test_outcomes(sample: str, counts: float | None) -> None:
    assert sample_columns.outcome(sample) == counts


@pytest.mark.parametrize(
    ("names", "below", "are_spans"),
    [
        ({"id", "start", "end", "type"}, "", True),
        ({"start", "end"}, "", False),
        ({"doc_id", "spans"}, "d1,\"[[3, 6]]\"", True),
        ({"doc_id", "spans"}, "d1,some words", False),
        ({"id", "label"}, "", False),
    ],
)  # fmt: skip
def test_headers_of_spans(names: set[str], below: str, are_spans: bool) -> None:
    assert span_columns.name_spans(names, below) is are_spans


TAG = re.compile(r"O|[BI]-\S+")


def test_tokens_are_no_tags() -> None:
    tokens = [f"word{k}" for k in range(400)]
    assert tag_columns.are_tokens(tokens, TAG)
    assert not tag_columns.are_tokens([*tokens, "B-PER"], TAG)
    assert not tag_columns.are_tokens(["NOUN", "VERB"] * 200, TAG)
    assert tag_columns.are_tagged(["O", "B-PER", "I-PER"], 3, TAG)
    assert not tag_columns.are_tagged(["O", "B-PER"], 2, TAG)
    assert not tag_columns.are_tagged(["O", "B-PER", "I-PER"], 4, TAG)
    assert tag_columns.have_tokens_beside(["O", "O"], ["a", "b"])
    assert not tag_columns.have_tokens_beside(["O", "O"], ["1", "2"])


@pytest.mark.parametrize(
    ("title", "of_queries", "numbers"),
    [
        ("rank", [["5"]], "rank"),
        ("Score", [["1", "2"]], "score"),
        ("2", [["1", "2"], ["1", "2", "3"]], "rank"),
        ("2", [["1", "3", "2"], ["1", "2", "3"]], None),
        ("2", [["1", "0", "-1"]], "score"),  # inverted, they would be ranks
        ("2", [["1.0", "0.5"], ["1", "2"]], "score"),
        ("2", [["1", "1", "2"]], "score"),
    ],
)
def test_numbers_of_runs_of_three_columns(
    title: str, of_queries: Sequence[Sequence[str]], numbers: str | None
) -> None:
    assert ranked_columns.numbers_of_run(title, of_queries) == numbers


@pytest.mark.parametrize(
    ("names", "stated", "columns"),
    [
        (["id", "items"], (), ("id", "items")),
        (["user", "films"], (), ("user", "films")),
        (["user", "items"], (), ("user", "items")),
        (["user_id", "films"], (), ("user_id", "films")),
        (["id", "films", "books"], (), None),
        (["id", "items", "books"], (), ("id", "items")),
    ],
)
def test_columns_of_lists_of_items(
    names: Sequence[str], stated: Sequence[str], columns: tuple[str, str] | None
) -> None:
    assert ranked_columns.columns_of_items(names, stated) == columns


def test_keys_of_lists_of_ids() -> None:
    report: dict[str, list[str]] = {"submitted_ids": [], "resolved_ids": [], "unresolved_ids": []}
    assert lists_of_ids.key_of_resolved(report) == "resolved_ids"
    assert lists_of_ids.key_of_unresolved(report) == "unresolved_ids"
    assert lists_of_ids.key_of_all(report) == "submitted_ids"
    assert lists_of_ids.key_of_all({"total": 3}) is None


# Names of files, and words of cells ---------------------------------------------------------------


def test_what_names_of_files_say() -> None:
    assert file_names.is_gold_file("Solution")
    assert not file_names.is_gold_file("stance")
    assert file_names.is_given_file("train")
    assert file_names.is_input_file("source.en")
    assert file_names.task_of_gold("stance-gold") == "stance"
    assert file_names.task_of_gold("gold") == "gold"
    assert file_names.numbered_reference("news.refA") == ("news", "ref")
    assert file_names.numbered_reference("news") is None
    assert file_names.without_word_of_predictions("north_pred") == "north"
    assert file_names.is_copy_of_gold("Y_true")


def test_what_words_of_cells_say() -> None:
    assert words_of_cells.is_missing("N/A")
    assert not words_of_cells.is_missing("no")
    assert words_of_cells.event_of("TRUE") is True
    assert words_of_cells.event_of("0") is False
    assert words_of_cells.event_of("2") is None
    assert words_of_cells.is_sentinel(-999.0)
    assert words_of_cells.words_of_split({"Test": "private"})["test"] == "private"
    assert words_of_cells.is_positive("True")


# Lines that sum up others -------------------------------------------------------------------------


def lines(**scores: float) -> list[LineOfScores]:
    return [LineOfScores(unit, "", {"score": score}) for unit, score in scores.items()]


def test_a_line_that_sums_up_the_others_in_every_file() -> None:
    first = lines(a=0.125, b=0.5, c=0.9375, all=0.5208333333333334)
    second = lines(a=0.25, b=0.75, c=0.3125, all=0.4375)
    assert unit_that_sums_up([first, second]) == "all"
    assert unit_that_sums_up([first, lines(a=0.25, b=0.75, c=0.3125, all=0.9)]) is None
    assert unit_that_sums_up([lines(a=1, b=2, c=3, total=6)]) == "total"
    assert unit_that_sums_up([lines(a=0.25, all=0.25)]) is None  # too few to be summed up
    assert unit_that_sums_up([]) is None
