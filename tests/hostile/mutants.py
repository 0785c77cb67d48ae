"""One team's file gone wrong in any way, for every kind of data and every format.

What the others have stays theirs.

    python -m tests.hostile.mutants 60

tries new files for as many minutes. A file is a good one in which lines, cells and bytes were
dropped, repeated, exchanged or replaced. Many teams send one each; then two teams' scores and pair
must be those that they have alone, to the last digit. What fails is printed with the seed.
"""

from __future__ import annotations

import random
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import scoring_program as dh
from tests.hostile.good_files import GOOD, GoodFile
from tests.hostile.kinds import HARMLESS, KINDS, Mistakes

#: What a cell, or a line, may turn into.
CELLS = (
    "", " ", "nan", "inf", "-1", "0", "1e999", "1.5", "9" * 400, '"', "'", "null", "[]", "{}", "id",
    "label", "\t", "\f", "\v", "\x1c", "\x85", "\u2028", "\u3000", "\ufeff", "\u0301", "\u202e",
    "\U0001f600", "\0", "=1+1", "O", "B-", "-DOCSTART-", "# id 1", "I-PER", "a b c", "%s", "é",
)  # fmt: skip
#: The two teams that must be left alone.
VICTIMS = ("Anna", "Zoe")
_N = 40


def _rows(cell: Callable[[int], str]) -> str:
    return "id,label\n" + "".join(f"t{i},{cell(i)}\n" for i in range(_N))


def _of_rows(metrics: str, gold: str, good: str) -> Mistakes:
    return Mistakes(("gold.csv", gold), metrics, "p.csv", good, {})


@dataclass(frozen=True)
class Case:
    """A competition: the gold's file, its settings, and the files of the two victims.

    Mutants are made of the ``good`` one; ``is_text`` says whether it has lines and cells.
    """

    gold: tuple[str, bytes]
    settings: str
    file: str
    good: bytes
    other: bytes
    is_text: bool = True


def _of_format(written: GoodFile) -> Case:
    """Return a competition of labels whose uploads are in one format."""
    ids, labels = [f"t{i}" for i in range(10, 10 + _N)], [i * 7 % 5 % 2 for i in range(_N)]
    gold = ("gold.csv", GOOD["csv"].encode(ids, labels))
    settings = "metrics: [accuracy_score, {f1_score: {average: macro}}]\n"
    if written.parts:
        gold = (f"gold/{written.file}", written.encode(ids, labels))
        settings += f"format: {written.form}\n"
    good = [labels[0], 1 - labels[1], *labels[2:]]
    other = [*labels[:5], 1 - labels[5], *labels[6:]]
    is_text = written.form in ("csv", "lines", "json", "jsonl", "matrix")
    encoded = written.encode(ids, good), written.encode(ids, other)
    return Case(gold, settings, written.file, *encoded, is_text)


_CLASSES = _rows(lambda i: "abc"[i * 7 % 3])
_NUMBERS = _rows(lambda i: f"{i * 7 % 11}.5")
#: Every kind of data; `tests.hostile.bad` lists the mistakes of rows.
_OF_KINDS: Mapping[str, Mistakes] = {
    **KINDS,
    "labels": _of_rows(
        "accuracy_score, {f1_score: {average: macro}}, matthews_corrcoef", *[_CLASSES] * 2
    ),
    "missing labels": _of_rows("accuracy_score, {f1_score: {average: macro}}", *[_CLASSES] * 2),
    "numbers": _of_rows("mean_absolute_error, r2_score, spearmanr", *[_NUMBERS] * 2),
    "probabilities": _of_rows(
        "log_loss, roc_auc_score",
        _rows(lambda i: "01"[i * 7 % 5 % 2]),
        _rows(lambda i: f"0.{1 + i * 7 % 5 % 2 * 6}{i % 10}"),
    ),
}
_SETTINGS = {"missing labels": "missing: wrong\n"}
#: What the second victim has wrong: what stands there and what it wrote.
_WRONG = {
    "tags": ("Lima0 B-LOC", "Lima0 B-PER"),
    "spans": ("d1,0,5,PER", "d1,0,6,PER"),
    "lines of text": ("line 3", "word 3"),
    "texts by id": ("line 3", "word 3"),
    "rankings": ("q1 Q0 d1 2 8", "q1 Q0 d1 2 1"),
    "label sets": ("t3,a b", "t3,a"),
    "samples": ("t3,0,A", "t3,0,B"),
    "resolved": ('"i1", ', ""),
    "labels": ("t4,b", "t4,a"),
    "missing labels": ("t4,b", "t4,a"),
    "numbers": ("t4,6.5", "t4,9.5"),
    "probabilities": ("t4,0.74", "t4,0.13"),
}


def _of_kind(name: str, case: Mistakes) -> Case:
    """Return the competition of a kind; the second victim has one thing wrong."""
    gold, text = case.gold
    old, new = _WRONG[name]
    assert old in case.good
    settings = f"metrics: [{case.metrics}]\n{_SETTINGS.get(name, '')}"
    other = case.good.replace(old, new).encode()
    return Case((gold, text.encode()), settings, case.file, case.good.encode(), other)


#: Every kind of data, and labels in every format that can be read.
ALL: Mapping[str, Case] = {
    **{name: _of_kind(name, case) for name, case in _OF_KINDS.items()},
    **{name: _of_format(written) for name, written in GOOD.items() if written.can_be_read},
}


def mutant(chance: random.Random, case: Case) -> bytes:
    """Return a file that was good before lines, cells or bytes were changed."""
    if not case.is_text:
        return _with_other_bytes(chance, case.good)
    good = case.good.decode()
    lines = good.split("\n")
    for _ in range(chance.randint(1, 3)):
        i, j = chance.randrange(len(lines)), chance.randrange(len(lines))
        what = chance.choice(["drop", "repeat", "exchange", "insert", "cell", "cell", "column"])
        if what == "drop" and len(lines) > 1:
            del lines[i]
        elif what == "repeat":
            lines.insert(j, lines[i])
        elif what == "exchange":
            lines[i], lines[j] = lines[j], lines[i]
        elif what == "insert":
            lines.insert(i, chance.choice(CELLS))
        elif what == "cell":
            lines[i] = _with_other_cell(chance, lines[i])
        else:
            lines = [re.sub(r"[ ,\t][^ ,\t]*$", "", line) for line in lines]
    content = "\n".join(lines).encode()
    for _ in range(chance.choice([0, 0, 0, 1, 2])):
        k = chance.randrange(len(content) + 1)
        content = chance.choice(
            [content[:k], content[k:], content[:k] + chance.randbytes(2) + content[k:]]
        )
    return content if chance.random() < 0.9 else chance.choice([*HARMLESS.values()])(good)


def _with_other_bytes(chance: random.Random, good: bytes) -> bytes:
    """Return bytes of which some pieces were dropped, repeated, exchanged or replaced."""
    content = good
    for _ in range(chance.randint(1, 4)):
        begin = chance.randrange(len(content) + 1)
        end = min(len(content), begin + chance.choice([1, 1, 1, 2, 4, 8, 64]))
        piece = content[begin:end]
        instead = chance.choice([
            b"", piece * 2, piece[::-1], chance.randbytes(len(piece)), b"\0" * len(piece),
            b"\xff" * len(piece), chance.randbytes(2) + piece,
        ])  # fmt: skip
        content = content[:begin] + instead + content[end:]
    if chance.random() < 0.1:
        content = content[: chance.randrange(len(content) + 1)]
    return content


def _with_other_cell(chance: random.Random, line: str) -> str:
    cells = re.split(r"([ ,\t]+|[][{}:\"]+)", line)
    cells[chance.randrange(len(cells))] = chance.choice(CELLS)
    return "".join(cells)


def write(folder: Path, kind: str, uploads: Mapping[str, bytes]) -> None:
    """Write a competition of a kind: the victims' files, and ``uploads``, team/file → content."""
    case = ALL[kind]
    name, gold = case.gold
    settings = f"{case.settings}resamples: 100\nworkers: 1\n"
    files = {f"ref/{name}": gold, "ref/scoring.yaml": settings.encode()}
    for team, content in zip(VICTIMS, (case.good, case.other), strict=True):
        files[f"res/{team}/{case.file}"] = content
    for path, content in {**files, **{f"res/{path}": of for path, of in uploads.items()}}.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)


def of_victims(result: dh.Result) -> dict[str, list[Any]]:
    """Return the scores of the victims and all that is said of their pair alone."""
    found: dict[str, list[Any]] = {}
    for name in result:
        rows = {row.entry: row for row in result[name].ranking}
        found[name] = [rows[team].score for team in VICTIMS]
        (pair,) = (pair for pair in result[name].pairs if {pair.better, pair.worse} == set(VICTIMS))
        found[name] += [
            *(pair.better, pair.observed, pair.standard_error),
            *(pair.low, pair.high, pair.p_one_sided),
        ]
    return found


def spoiled(kind: str, seed: int, teams: int) -> Iterator[tuple[str, bytes]]:
    """Yield so many teams' files, team/file → content; the seed makes the same again."""
    chance = random.Random(f"{kind} {seed}")
    for k in range(teams):
        yield f"m{k:02}/{ALL[kind].file}", mutant(chance, ALL[kind])


def harmed(kind: str, uploads: Mapping[str, bytes]) -> list[str]:
    """Return what is wrong after so many teams' files were added: nothing, as a rule."""
    wanted = []
    for added in ({}, uploads):
        with tempfile.TemporaryDirectory() as folder:
            write(Path(folder), kind, added)
            result = dh.score(folder, None)
            wanted.append(of_victims(result))
            internal = [why for why in result.unusable.values() if "internal error" in why]
    alone, together = wanted
    return internal + [
        f"{metric}: {together[metric]}, alone {alone[metric]}"
        for metric in alone
        if repr(alone[metric]) != repr(together[metric])
    ]


def main(minutes: float) -> None:
    """Try new files of every kind until the time is over."""
    end, seed, tried = time.monotonic() + 60 * minutes, 0, 0
    while time.monotonic() < end:
        seed += 1
        for kind in ALL:
            tried += 20
            try:
                found = harmed(kind, dict(spoiled(kind, seed, 20)))
            except Exception as error:
                found = [f"{type(error).__name__}: {error}"]
            if found:
                print(f"{kind}, seed {seed}:", *found, sep="\n  ")
    print(f"{tried} files tried.")


if __name__ == "__main__":
    main(float(sys.argv[1]))
