"""Files and folders that are none, names of all kinds, tables and teams."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

from tests.competitions import write_csv
from tests.hostile.bad.case import Bad, Spoil
from tests.hostile.bad.makers import upload, yaml_bomb, zipped
from tests.hostile.trap import Trap


def _fifo(trap: Trap) -> None:
    trap.upload("", "other.bin")
    os.mkfifo(trap.res / "predictions.csv")


def _symlink(target: Callable[[Trap], str]) -> Spoil:
    def spoil(trap: Trap) -> None:
        trap.upload("", "empty.bin")
        (trap.res / "predictions.csv").symlink_to(target(trap))

    return spoil


def _files() -> Iterator[Bad]:
    kind = "files and folders"
    cases: dict[str, tuple[Spoil, int, tuple[str, ...]]] = {
        "no submission": (
            lambda t: t.res.joinpath("predictions.csv").unlink(),
            1,
            ("the upload holds no data",),
        ),
        "no folder res": (
            lambda t: [p.unlink() for p in t.res.iterdir()] and t.res.rmdir(),
            1,
            ("the upload holds no data",),
        ),
        "two data files": (
            lambda t: t.put("res/b.csv", t.csv()) and t.settings("layout: single\n"),
            1,
            ("2 data files",),
        ),
        "a PDF": (upload(b"%PDF-1.7", "paper.pdf"), 1, ("no predictions file",)),
        "a tar archive": (
            upload(b"\x1f\x8b\x08", "p.tar.gz"),
            1,
            ("the only archives that can be read are .zip files",),
        ),
        "a RAR archive by a table's name": (
            upload(b"Rar!\x1a\x07\x01\0"),
            1,
            ("a RAR archive; send a .zip",),
        ),
        "a program": (
            upload("import os; os.mkdir('pwned')", "main.py"),
            1,
            ("no predictions file among main.py", "this is program code: run it"),
        ),
        "a README": (upload("# Hello", "README.md"), 1, ("the upload holds no data",)),
        "hidden files only": (upload("x", ".predictions.csv"), 1, ("the upload holds no data",)),
        "a folder called predictions.csv": (
            upload("x", "predictions.csv/inner.bin"),
            1,
            ("no predictions file",),
        ),
        "an empty folder and a folder of code beside the file": (
            lambda t: t.put("res/src/train.py", "") and (t.res / "images").mkdir(),
            0,
            (),
        ),
        "a sample submission beside the file": (
            lambda t: t.put("res/sample_submission.csv", "id,label\n"),
            0,
            (),
        ),
        "names that differ in Unicode's form only": (
            lambda t: [t.put(f"res/{name}.csv", t.csv()) for name in ("nin\u0303o", "ni\u00f1o")],
            0,
            (),
        ),
        "folders nested 60 deep": (
            lambda t: t.upload(t.csv(), "d/" * 60 + "predictions.csv"),
            0,
            (),
        ),
        "a FIFO": (_fifo, 1, ("predictions.csv",)),
        "a symbolic link to the gold": (_symlink(lambda t: "../ref/gold.csv"), 1, ("link",)),
        "a symbolic link to a device": (_symlink(lambda t: "/dev/zero"), 1, ("link",)),
        "a symbolic link to itself": (_symlink(lambda t: "predictions.csv"), 1, ("link",)),
        "a symbolic link to nowhere": (_symlink(lambda t: "nowhere"), 1, ("link",)),
        "a link from a folder to its parent": (
            lambda t: (t.res / "loop").symlink_to(".."),
            1,
            ("link",),
        ),
        "a bomb as the platform's metadata": (
            lambda t: t.put("res/metadata", yaml_bomb("elapsedTime")),
            0,
            (),
        ),
        "a FIFO as the platform's metadata": (lambda t: os.mkfifo(t.res / "metadata"), 0, ()),
        "metadata nested deep": (lambda t: t.put("res/metadata", "[" * 50_000), 0, ()),
        "an infinite duration": (lambda t: t.put("res/metadata", "elapsedTime: .inf\n"), 0, ()),
        "a duration of 5000 digits": (
            lambda t: t.put("res/metadata", "elapsedTime: " + "9" * 5000),
            0,
            (),
        ),
    }
    for name, (spoil, status, says) in cases.items():
        yield Bad(kind, name, spoil, status, says)


_NAMES = {
    "right-to-left override": "\u202egnitaehc",
    "an unclosed isolate": "\u2066team",
    "a Cyrillic look-alike": "Оne",
    "a zero-width space": "One\u200b",
    "composed and decomposed": "Ｏne",
    "a formula": "=HYPERLINK(1)",
    "a command": "@SUM(1+1)*cmd|' -C calc'!A0",
    "a minus": "-2+3",
    "a tab": "One\tTwo",
    "a line break": "One\nTwo",
    "an escape sequence": "\x1b[2J\x1b[31mOne",
    "a carriage return": "One\rTwo",
    "a backspace": "One\b\b\bTwo",
    "markup": "<img src=x onerror=alert(1)>",
    "an attribute": '" onmouseover="alert(1)',
    "a template": "{{ 7 * 7 }}{% for x in y %}",
    "LaTeX": "\\input{etc}$_^%&#~{}",
    "Markdown": "|[x](javascript:alert(1))|`",
    "a YAML key": "a: 1",
    "a number": "1e5",
    "only punctuation": "???",
    "only emoji": "🦝🦝",
    "a percent sign": "%s%n%d",
    "a long name": "n" * 200,
    "a space in front": " One",
    "a dot at the end": "One.",
    "a slug that is taken": "one two",
    "invalid UTF-8": os.fsdecode(b"team\xff\xfe"),
    "a name of the program's": "submission",
    "a reserved word": "null",
    "Arabic": "فريق",
    "a device of Windows": "CON",
}


def _names() -> Iterator[Bad]:
    for name, team in _NAMES.items():

        def spoil(trap: Trap, team: str = team) -> None:
            trap.several()
            trap.team(team, {"id": trap.ids, "label": trap.teams["Two"]})
            trap.team("one_two", {"id": trap.ids, "label": trap.teams["Two"]})

        yield Bad("names of teams and files", name, spoil, 0)

        def broken(trap: Trap, team: str = team) -> None:
            trap.upload("id,label\nx000,zebra\n", f"{team}.csv")

        yield Bad(
            "names of teams and files", f"{name}, of a broken file", broken, 1, ("29 missing ids",)
        )


def _wide() -> Iterator[Bad]:
    def table(trap: Trap) -> dict[str, list[str]]:
        (trap.ref / "gold.csv").unlink()
        trap.submit({})
        return {"id": trap.ids, "y": trap.labels, **trap.teams}

    def write(change: Callable[[dict[str, list[str]]], object]) -> Spoil:
        def spoil(trap: Trap) -> None:
            columns = table(trap)
            change(columns)
            write_csv(trap.res / "predictions.csv", columns)

        return spoil

    cases: dict[str, tuple[Spoil, int, tuple[str, ...]]] = {
        "no gold column": (write(lambda c: c.pop("y")), 2, ("gold",)),
        "no team": (write(lambda c: [c.pop(k) for k in ("One", "Two", "Three")]), 2, ("gold",)),
        "one team": (write(lambda c: [c.pop(k) for k in ("One", "Two")]), 2, ("at least two",)),
        "an empty gold cell": (write(lambda c: c["y"].__setitem__(3, "")), 2, ("line 5",)),
        "an unknown label": (write(lambda c: c["One"].__setitem__(3, "zebra")), 0, ()),
        "an id twice": (
            write(lambda c: c.__setitem__("id", ["x000", *c["id"][:-1]])),
            2,
            ("unique",),
        ),
        "a team without a name": (
            write(lambda c: c.__setitem__("", c["One"])),
            2,
            ("has no name",),
        ),
    }
    for name, (spoil, status, says) in cases.items():
        yield Bad("a table with a column per team", name, spoil, status, says)


def _teams() -> Iterator[Bad]:
    def write(change: Spoil) -> Spoil:
        return lambda trap: (
            trap.several(),
            trap.res.joinpath("predictions.csv").unlink(missing_ok=True),
            change(trap),
        )

    def broken(team: str) -> Spoil:
        return lambda trap: trap.team(team, {"id": trap.ids, "label": ["zebra"] * 30})

    cases: dict[str, tuple[Spoil, int, tuple[str, ...]]] = {
        "one unusable": (write(broken("One")), 0, ()),
        "all but one unusable": (
            write(lambda t: (broken("One")(t), broken("Two")(t))),
            1,
            ("at least two",),
        ),
        "all unusable": (
            write(lambda t: [broken(team)(t) for team in t.teams]),
            1,
            ("fail alike",),
        ),
        "one unusable, strict": (
            write(lambda t: (broken("One")(t), t.settings("strict: true\n"))),
            1,
            ("'strict'",),
        ),
        "one an archive that is none": (write(lambda t: t.put("res/Four.zip", b"PK")), 0, ()),
        "one a bomb": (
            write(lambda t: t.put("res/Four.zip", zipped({"p.csv": bytes(50_000_000)}))),
            0,
            (),
        ),
        "one an empty folder": (write(lambda t: (t.res / "Four").mkdir()), 0, ()),
        "one a FIFO": (write(lambda t: os.mkfifo(t.res / "Four.csv")), 0, ()),
        "one a link to another's": (
            write(lambda t: (t.res / "Four.csv").symlink_to("One/predictions.csv")),
            0,
            (),
        ),
        "one a link to another's folder": (
            write(lambda t: (t.res / "Four").symlink_to("One")),
            0,
            (),
        ),
        "one with another's gold canary as id": (
            write(lambda t: t.team("Four", {"id": ["x"], "label": ["y"]})),
            0,
            (),
        ),
        "a baseline that is none": (
            write(lambda t: t.settings("baselines: [Thre]\n")),
            2,
            ("did you mean 'Three'",),
        ),
        "a reference entry that is none": (
            write(lambda t: t.settings("reference_entry: Nobody\n")),
            2,
            ("reference_entry",),
        ),
        "nothing but baselines": (
            write(lambda t: t.settings("baselines: [One, Two, Three]\n")),
            2,
            ("baselines",),
        ),
    }
    for name, (spoil, status, says) in cases.items():
        yield Bad("several teams", name, spoil, status, says)


def cases() -> Iterator[Bad]:
    """Yield them all."""
    yield from _files()
    yield from _names()
    yield from _wide()
    yield from _teams()
