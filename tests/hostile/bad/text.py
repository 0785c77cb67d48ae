"""Text files: encodings, delimiters, headers and what else is sent as one."""

from __future__ import annotations

from collections.abc import Iterator

from tests.hostile.bad.case import Bad, Spoil
from tests.hostile.bad.makers import labelled, upload, zipped
from tests.hostile.trap import C


def cases() -> Iterator[Bad]:
    kind = "text files and encodings"
    cases: dict[str, tuple[Spoil, tuple[str, ...]]] = {
        "no bytes": (upload(""), ("is empty",)),
        "blank lines only": (upload("\n\n\n"), ("is empty",)),
        "a byte-order mark only": (upload(b"\xef\xbb\xbf"), ("is empty",)),
        "header only": (upload("id,label\n"), ("no row;",)),
        "Latin-1": (
            upload(lambda t: t.csv().replace("x005", "niño").encode("latin-1")),
            ("UTF-8",),
        ),
        "UTF-8 with one broken byte": (
            upload(lambda t: t.csv().encode()[:-20] + b"\xff\xfe" + t.csv().encode()[-20:]),
            ("UTF-8", "line"),
        ),
        "UTF-16 cut in half a character": (
            upload(lambda t: t.csv().encode("utf-16")[:-1]),
            ("predictions.csv",),
        ),
        "UTF-32": (upload(lambda t: t.csv().encode("utf-32")), ("predictions.csv",)),
        "UTF-16 without a mark, one byte lost": (
            upload(lambda t: t.csv().encode("utf-16-le")[1:]),
            ("predictions.csv",),
        ),
        "NUL characters": (upload(lambda t: t.csv() + "x\0y,z\n"), ("NUL", "line 32")),
        "two encodings in one file": (
            upload(lambda t: t.csv().encode() + "x1,å\n".encode("latin-1")),
            ("UTF-8", "line 32"),
        ),
        "random bytes": (upload(bytes(range(256)) * 40), ("predictions.csv",)),
        "a PNG renamed": (upload(b"\x89PNG\r\n\x1a\n" + bytes(500)), ("predictions.csv",)),
        "an Excel workbook renamed": (
            upload(lambda t: zipped({"xl/a.xml": "<a/>"})),
            ("predictions.csv",),
        ),
        "HTML saved from a login page": (
            upload("<!DOCTYPE html>\n<html><title>Sign in</title></html>\n"),
            ("predictions.csv: the content is a web page", "download the file again"),
        ),
        "a Git LFS pointer": (
            upload(
                f"version https://git-lfs.github.com/spec/v1\noid sha256:{'0' * 64}\nsize 12345\n"
            ),
            ("predictions.csv: the content is a Git LFS pointer", "git lfs pull"),
        ),
        "a notebook": (
            upload('{\n "cells": [],\n "metadata": {},\n "nbformat": 4\n}\n'),
            ("predictions.csv: the content is a notebook", "run it"),
        ),
        "gzip renamed": (upload(b"\x1f\x8b\x08\0" + bytes(100)), ("predictions.csv",)),
        "a row too short": (
            upload(lambda t: t.csv().replace(f"x004,{t.teams['One'][4]}", "x004")),
            ("line 6", "1 cell found"),
        ),
        "a row too long": (
            upload(lambda t: t.csv().replace("x004,", "x004,more,")),
            ("line 6", "3 cells found"),
        ),
        "two delimiters mixed": (upload(lambda t: t.csv().replace("x004,", "x004;")), ("line 6",)),
        "half a million accents on one letter": (
            upload(lambda t: t.csv() + "x030,a" + "\u0300\u0323" * 250_000),
            ("predictions.csv",),
        ),
        "a quote told as the delimiter": (
            upload(lambda t: 'sep="\n' + t.csv()),
            ("predictions.csv",),
        ),
        "two columns of one name": (
            upload(lambda t: t.csv().replace("id,label", "label,label")),
            ("two columns",),
        ),
        "the label column missing": (
            upload(lambda t: "id\n" + "\n".join(t.ids)),
            ("predictions.csv",),
        ),
        "a quote that never ends": (
            upload(lambda t: t.csv().replace("x004,", 'x004,"')),
            ("line 6: the quote", "never closed"),
        ),
        "a quote that ends nowhere in a large file": (
            upload(lambda t: 'id,label\nx000,"' + "y\n" * 200_000),
            ("line 2: field larger", "close the quote"),
        ),
        "a field of a million characters": (
            upload(lambda t: t.csv().replace("x004", "x" * 1_000_000)),
            ("predictions.csv",),
        ),
        "an unknown label of 100,000 characters": (
            labelled("y" * 100_000),
            ("1 unknown label", "…"),
        ),
        "a thousand columns": (
            upload(lambda t: ",".join(map(str, range(1000))) + "\n" + "a," * 999 + "a\n"),
            ("predictions.csv",),
        ),
        "a hundred thousand rows too many": (
            upload(lambda t: t.csv() + "".join(f"y{i},a\n" for i in range(100_000))),
            ("100000 of 100030 ids are not in the test set", "training or development"),
        ),
        "vertical tabs and form feeds": (
            upload(lambda t: t.csv().replace("\n", "\x0b")),
            ("predictions.csv",),
        ),
        "control characters in a label": (
            labelled("\x1b[31mred\x07", 4),
            ("1 unknown label",),
        ),
        "a right-to-left override in a label": (
            labelled("\u202eevil", 4),
            ("1 unknown label",),
        ),
        "a look-alike of a label": (
            labelled("quоkkаgold", 0),
            ("1 unknown label",),
        ),
        "markup in a label": (
            labelled("<script>alert(1)</script>", 4),
            ("1 unknown label",),
        ),
        "a template in a label": (
            labelled("{{ 7 * 7 }}{% raw %}", 4),
            ("{{ 7 * 7 }}",),
        ),
        "a format string in a label": (
            labelled("{0.__class__}%s%n", 4),
            ("%s%n",),
        ),
        "a sentence": (upload("Please find our predictions attached.\n"), ("predictions.csv",)),
        "ids in capitals": (
            upload(lambda t: t.csv().replace("x0", "X0")),
            ("30 extra ids", "did you mean 'x000'?"),
        ),
        "ids with a folder before them": (
            upload(lambda t: t.csv().replace("x0", "images/x0")),
            ("did you mean 'x000'?",),
        ),
        "ids of another kind under another name": (
            upload(lambda t: t.csv().replace("id,", "file,").replace("x0", "y0")),
            ("column 'file' looks like ids",),
        ),
        "ids divided in two ways": (
            upload(lambda t: t.csv(" ").replace("1 ", "1=")),
            ("The rows begin with ids", "no delimiter"),
        ),
        "ids of another test set before spaces": (
            upload(lambda t: "".join(f"dev{i} a\n" for i in range(30))),
            ("every line begins with what may be an id, such as 'dev0' and 'dev1'",),
        ),
        "a name for a column that no row has": (
            upload(lambda t: t.csv().replace("id,label", "id,label,score", 1)),
            ("every row has fewer columns than the header: 2 of 3", "line 2"),
        ),
        "a comment before the header": (
            upload(lambda t: "# our best run\n" + t.csv()),
            ("line 2: id 'id' is not in the test set", "Remove the rows"),
        ),
        "a line of totals": (upload(lambda t: t.csv() + "total,30\n"), ("1 extra id", "line 32")),
        "a table of Markdown": (
            upload(lambda t: t.csv("|").replace("label\n", "label\n---|---\n", 1)),
            ("line 2", "'---'"),
        ),
        "two files in one, headers included": (
            upload(lambda t: t.csv() + t.csv()),
            ("line 32", "30 duplicate ids"),
        ),
        "decimal commas without a header": (
            lambda t: [t.numeric(), t.upload("".join(f"{k},5\n" for k in range(30)), "p.txt")],
            ("30 of 30 ids are not in the test set",),
        ),
        "a pivoted table": (
            upload(lambda t: ",".join(t.ids) + "\n" + ",".join(t.teams["One"]) + "\n"),
            ("predictions.csv",),
        ),
        "one label a line, one line short": (
            upload(lambda t: "\n".join(t.teams["One"][1:]), "predictions.txt"),
            ("29", "30"),
        ),
        "one label a line, one line long": (
            upload(lambda t: "\n".join([*t.teams["One"], C]), "predictions.txt"),
            ("31", "30"),
        ),
        "one label a line, one unknown": (
            upload(lambda t: "\n".join(["zebra", *t.teams["One"][1:]]), "predictions.txt"),
            ("'zebra'",),
        ),
        "an AutoML matrix of the wrong height": (
            upload("1 0 0\n0 1 0\n", "task_test.predict"),
            ("task_test.predict",),
        ),
        "an AutoML matrix with a word": (
            upload(lambda t: "1 0 0\n" * 29 + "one 0 0\n", "task_test.predict"),
            ("task_test.predict",),
        ),
    }
    for name, (spoil, says) in cases.items():
        yield Bad(kind, name, spoil, 1, says)
