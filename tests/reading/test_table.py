"""Rows of delimited text become columns; what is no part of the table is left out."""

from __future__ import annotations

import csv

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring_program.core.arrays import Words
from scoring_program.core.errors import SubmissionError
from scoring_program.reading.formats import delimited, read_examples, read_table
from scoring_program.reading.formats.kind import ROWS
from scoring_program.reading.table import Columns, Table


def read(text: str, name: str = "p.csv") -> Table:
    return read_table(text.encode(), name)


@pytest.mark.parametrize("n", [1, 2, 511, 512, 513, 1025])
def test_columns_hold_every_row(n: int) -> None:
    found = read("".join(f"{i},{-i}\n" for i in range(n)))
    assert [list(column) for column in found.columns] == [
        [str(i) for i in range(n)],
        [str(-i) for i in range(n)],
    ]
    assert list(found.numbers) == list(range(1, n + 1))


def test_cells_that_are_repeated_share_one_text() -> None:
    ids, labels = read("".join(f"e{i},label{i % 70}\n" for i in range(2000))).columns
    assert labels == [f"label{i % 70}" for i in range(2000)]
    assert len({*map(id, labels)}) == 70
    assert len({*map(id, ids)}) == 2000


@pytest.mark.parametrize("bad", [5, 600])
def test_rows_of_another_width_are_told_by_their_numbers(bad: int) -> None:
    rows = [f"{i},a" for i in range(1000)]
    rows[bad] = ",,"
    rows[bad + 1 : bad + 4] = ["x", "x,y,z", "x,,"]
    found = read("\n".join(rows))
    assert found.ragged == {bad + 2: 1, bad + 3: 3}
    assert found.empty_rows == 1
    assert len(found.numbers) == len(found.columns[0]) == 997
    assert found.place(bad) == f"line {bad + 4}"


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("id,label,\nt1,a,\n", [["id", "t1"], ["label", "a"]]),
        ("id,label\nt1,a,,,\n", [["id", "t1"], ["label", "a"]]),
        ("t1,\nt2,a\n", [["t1", "t2"], ["", "a"]]),
        ("\n,,\nt1,a\n", [["t1"], ["a"]]),
        (",a\n,b\n", [["", ""], ["a", "b"]]),
    ],
)
def test_width(text: str, columns: list[list[str]]) -> None:
    found = read(text)
    assert [list(column) for column in found.columns] == columns
    assert found.ragged == {}


def test_a_row_of_a_million_cells_takes_no_more_room_below() -> None:
    wide = read("," * 10**6 + "x\n" + "a\n" * 10**4)
    assert len(wide.columns) == 10**6 + 1
    assert set(map(len, wide.columns)) == {1}
    assert len(wide.ragged) == 10**4


@pytest.mark.parametrize(
    ("text", "name", "first"),
    [
        ("t000;0,42\nt001;1,5\n", "p.csv", ["t000", "0,42"]),
        ("t000;0,42\nt001;1,5\n", "p.txt", ["t000", "0,42"]),
        ("a|1\tx\nb|2\ty\n", "p.txt", ["a|1", "x"]),
        ("a|1;x\nb|2;y\n", "p.csv", ["a|1", "x"]),
        ("id,label\nt1,a;b\n", "p.csv", ["id", "label"]),
        ("a,b,c\n" + "x" * 100_000 + ",1\n", "p.csv", ["a", "b", "c"]),
        ("system score seg_id\nA -1.5 1\nB  -2\t2\n", "p.tsv", ["system", "score", "seg_id"]),
        ("system score seg_id\nA\t-1.5 1\nB\tNone 2\n", "p.tsv", ["system", "score", "seg_id"]),
        ("label\nvery good day\nvery bad day\n", "p.csv", ["label"]),
        ("what was said\nwe saw it\nhe saw me\n", "p.csv", ["what was said"]),
        ("text,n\none two,1\nthree four,2\n", "p.csv", ["text", "n"]),
    ],
)
def test_delimiter(text: str, name: str, first: list[str]) -> None:
    assert read(text, name).first_row == first


def test_nothing_but_empty_cells_is_an_empty_file() -> None:
    with pytest.raises(SubmissionError, match="is empty"):
        Columns().table("p.csv", [])


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('id,label\nt1,a\n"t2,a\nt3,a\n', 3),
        ('id,label\nt1,a\nt2,"a\nt3,a\n', 3),
        ('id,label\nt1,a\nt2,"a\nt3,a', 3),
        ('id,label\r\nt1,a\r\n"t2,a\r\nt3,a\r\n', 3),
        ('id,label\nt1,a\n"t2,a', 3),
        ('id,why\n"t1\nx","y\nt2,z\nt3,z\n', 3),
        ('id,why\nt1,"a ""word""\nt2,z\n', 2),
        ('id,why\nt1,"two\nlines"\nt2,"z\nt3,z\n', 4),
        ('sep=,\nid,label\n"t1,a\nt2,a\n', 3),
    ],
)
def test_line_of_a_quote_that_is_never_closed(text: str, line: int) -> None:
    with pytest.raises(SubmissionError) as caught:
        read(text)
    assert str(caught.value).startswith(f"p.csv: line {line}: the quote that is opened here is nev")


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        ('id,why\nt1,"two\nlines"\n', ["why", "two\nlines"]),
        ('id,why\nt1,"two\nlines"', ["why", "two\nlines"]),
        ('id,why\nt1,5" long\nt2,""\n', ["why", '5" long', ""]),
        ('id,why\nt1,"last', ["why", "last"]),
    ],
)
def test_quotes_that_divide_no_rows(text: str, cells: list[str]) -> None:
    assert list(read(text).columns[1]) == cells


@pytest.mark.parametrize(
    "texts",
    [
        ['"Go," she said.', "He went.", '"No."', "He came."],
        ['"Go.', "He went.", 'He said: "Now."', 'And "then."'],
        ['"Go.', "He went.", "He said, "],
    ],
)
def test_quotes_of_texts_between_tabs_join_no_lines(texts: list[str]) -> None:
    rows = "".join(f"t{i}\t{text}\n" for i, text in enumerate(texts))
    table = read("id\ttext\n" + rows)
    assert table.columns[1] == ["text", *map(str.strip, texts)]
    assert list(table.numbers) == list(range(1, len(texts) + 2))


def test_quotes_around_cells_between_tabs() -> None:
    assert read('id\twhy\nt1\t"a ""b"""\nt2\t"c"\n').columns[1] == ["why", 'a "b"', "c"]
    assert read('id\twhy\rt1\t"a"\rt2\t"c"\r').columns[1] == ["why", "a", "c"]
    assert read('id\twhy\nt1\t"a\tb"\nt2\t"two\nlines"\n').columns[1] == [
        "why", "a\tb", "two\nlines",
    ]  # fmt: skip


def test_rows_of_another_width_after_cells_with_line_ends() -> None:
    assert read('id,why\nt1,"two\nlines"\nt2\n').ragged == {4: 1}


def test_quote_that_swallows_more_than_a_field_may_hold() -> None:
    rows = "".join(f"t{i},a\n" for i in range(50_000))
    with pytest.raises(SubmissionError, match=r"line 3: field larger .*; close the quote"):
        read('id,label\nt0,a\n"' + rows)


def outcome(text: str, *, packed: bool = False) -> object:
    """Return the columns and numbers of a text's rows, or the message."""
    try:
        found = read_examples(text.encode(), "p.csv", ROWS, packed=packed)
    except SubmissionError as error:
        return str(error)
    return [[*column] for column in found.columns], [*found.numbers], found.ragged, found.empty_rows


@given(st.lists(st.text('ab1,,\n\n"\t;|\r \x0b\x1cü', max_size=12), max_size=8).map("".join))
def test_plain_texts_are_read_as_the_csv_module_reads_them(text: str) -> None:
    found = outcome(text)
    assert outcome(text, packed=True) == found
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(delimited, "_plain_columns", lambda text, delimiter: None)
        assert outcome(text) == found


def test_plain_texts_may_be_packed() -> None:
    found = read_examples(b"id,label\na,x\nb,y\n", "p.csv", ROWS, packed=True)
    assert [*map(type, found.columns)] == [Words, Words]


def test_cells_that_are_too_long_for_the_csv_module_are_refused_in_plain_texts_too() -> None:
    long = "x" * (csv.field_size_limit() + 1)
    for text in (f"a,{long}\n", f"{long},a", f"a,b\nc,{long}\nd,e\n"):
        with pytest.raises(SubmissionError, match="field larger than field limit"):
            read(text)
