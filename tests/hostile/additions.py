"""Something is added to the real forms of the how-tos: no score moves, or the run asks.

    python -m tests.hostile.additions 10000

draws that many additions to the competitions that ``deadheat new`` writes, as they are and with
their tables as JSON Lines: a key of null, a key of an object, a column of the answers' kind, a line
that sums up, a file beside. It prints how many left every score as it was, how many were refused or
made a file unusable, and those that moved a score, with their seeds. It ends with 1 if one did. A
second number is the first seed.
"""

from __future__ import annotations

import csv
import io
import json
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

import scoring_program as dh
from scoring_program.core.errors import DeadheatError

KINDS = Path(__file__).parents[2] / "templates" / "new" / "kinds"
#: Path below the input → content. What an addition changes.
Files = dict[str, str]
#: Entry → score of each metric.
Scores = dict[str, tuple[float, ...]]
Addition = Callable[[random.Random, Files], str | None]

_NARRATIVE = "We trained a model of the last year on the data of the task.\nIt took three hours.\n"
_BESIDE = {
    "README.md": f"# Our system\n\n{_NARRATIVE}",
    "narrative.txt": _NARRATIVE,
    "metadata.json": '{"team": "north", "elapsed": 3.2, "notes": null}',
    "settings.yaml": "epochs: 3\n",
    "params.csv": "rate,epochs\n0.1,7\n",
}
_TOTALS = ("mean", "total", "average", "all", "overall")


# Competitions -------------------------------------------------------------------------------------


@cache
def competitions() -> dict[str, Files]:
    """Return the files of each competition by the name of its kind and form."""
    known = {}
    for folder in sorted(KINDS.iterdir()):
        files = {}
        for side in ("ref", "res"):
            for path in sorted((folder / side).rglob("*")):
                if path.is_file():
                    name = path.relative_to(folder).as_posix()
                    files[name] = path.read_text(encoding="utf-8")
        known[folder.name] = files
        as_json = _as_json_lines(files)
        if as_json != files:
            known[f"{folder.name} in JSON Lines"] = as_json
    return known


def _as_json_lines(files: Files) -> Files:
    changed = {}
    for name, text in files.items():
        if not name.endswith(".csv"):
            changed[name] = text
            continue
        records = list(csv.DictReader(io.StringIO(text)))
        changed[f"{name[:-4]}.jsonl"] = "".join(f"{json.dumps(record)}\n" for record in records)
    return changed


@cache
def scores_before(name: str) -> Scores | None:
    """Return the scores of a competition to which nothing was added."""
    return scores_of(competitions()[name])


def scores_of(files: Mapping[str, str]) -> Scores | None:
    """Return every entry's scores; None where the run is refused, which is a question."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            path = Path(folder, "input", name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        try:
            result = dh.score(Path(folder, "input"), Path(folder, "output"), resamples=100)
        except DeadheatError:
            return None
        scores: dict[str, list[float]] = {}
        for metric in result.to_dict()["metrics"]:
            for entry in metric["entries"]:
                scores.setdefault(f"{entry['entry']} {metric.get('task')}", []).append(
                    entry["score"]
                )
    return {entry: tuple(values) for entry, values in scores.items()}


# Additions ----------------------------------------------------------------------------------------


def _some(chance: random.Random, files: Files, ending: str) -> list[str]:
    """Return the files of one side with this ending: all, or one."""
    side = chance.choice(("ref/", "res/"))
    names = [name for name in files if name.startswith(side) and name.endswith(ending)]
    return names if chance.random() < 0.5 else names[:1]


def _a_key(value: object) -> Addition:
    def add(chance: random.Random, files: Files) -> str | None:
        names = _some(chance, files, ".jsonl")
        key = chance.choice(("notes", "meta", "comment", "extra"))
        for name in names:
            records = [json.loads(line) for line in files[name].splitlines()]
            for record in records:
                record[key] = value
            files[name] = "".join(f"{json.dumps(record)}\n" for record in records)
        return f"{key} in {names}" if names else None

    return add


def _a_column(chance: random.Random, files: Files) -> str | None:
    names = _some(chance, files, ".csv")
    for name in names:
        header, *rows = csv.reader(io.StringIO(files[name]))
        place = len(header) - 1
        cells = [row[place] for row in rows]
        chance.shuffle(cells)
        header.insert(chance.randrange(1, len(header) + 1), new := "second_look")
        place = header.index(new)
        for row, cell in zip(rows, cells, strict=True):
            row.insert(place, cell)
        files[name] = _table([header, *rows])
    return f"a column in {names}" if names else None


def _table(rows: list[list[str]]) -> str:
    written = io.StringIO()
    csv.writer(written, lineterminator="\n").writerows(rows)
    return written.getvalue()


def _has_totals(name: str, text: str) -> bool:
    """Whether a line may sum up the others: no more documents, instances or votes may stand there.

    A line more of those is one more of them, whatever it is called.
    """
    header = text.partition("\n")[0].split(",")
    if "winner" in header:
        return False
    lists_what_may_lack = "start" in header or "instance_id" in header
    return not (name.startswith("ref/") and lists_what_may_lack)


def _a_total(chance: random.Random, files: Files) -> str | None:
    names = [name for name in _some(chance, files, ".csv") if _has_totals(name, files[name])]
    word = chance.choice(_TOTALS)
    for name in names:
        header, *rows = csv.reader(io.StringIO(files[name]))
        last = [word, *chance.choice(rows)[1:]]
        files[name] = _table([header, *rows, last])
    return f"{word} in {names}" if names else None


def _a_file(chance: random.Random, files: Files) -> str | None:
    name = chance.choice(list(_BESIDE))
    folder = chance.choice(("ref", "res"))
    files[f"{folder}/{name}"] = _BESIDE[name]
    return f"{folder}/{name}"


def _a_companion(chance: random.Random, files: Files) -> str | None:
    """Give every team a folder with its file and another one."""
    sent = [name for name in files if name.startswith("res/") and name.count("/") == 1]
    if len(sent) < 2:
        return None
    beside = chance.choice(list(_BESIDE))
    for name in sent:
        team, _, ending = name.removeprefix("res/").partition(".")
        files[f"res/{team}/prediction.{ending}"] = files.pop(name)
        files[f"res/{team}/{beside}"] = _BESIDE[beside]
    return f"{beside} beside each file"


ADDITIONS: dict[str, Addition] = {
    "a null key": _a_key(None),
    "an object key": _a_key({"split": "test", "by": {"name": "N."}}),
    "a column": _a_column,
    "a summary line": _a_total,
    "a file": _a_file,
    "a companion file": _a_companion,
}


# Verdicts -----------------------------------------------------------------------------------------


def verdict(before: Scores, after: Scores | None) -> str:
    """Return whether the scores are the same, the run asks, files are unusable, or it is WRONG."""
    if after is None:
        return "asked"
    if after == before:
        return "the same"
    # Of a team with a file that is unusable, the other one is named by its team and its file.
    by_team = {entry.replace("/prediction", ""): score for entry, score in after.items()}
    kept = {entry: score for entry, score in before.items() if entry in by_team}
    return "unusable" if by_team == kept else "WRONG"


def tried(cases: int, first_seed: int = 0) -> tuple[Counter[tuple[str, str]], list[str]]:
    """Return how often each addition came out how, and what moved a score."""
    known = competitions()
    counts: Counter[tuple[str, str]] = Counter()
    wrong = []
    for seed in range(first_seed, first_seed + cases):
        chance = random.Random(seed)
        name = chance.choice(list(known))
        addition = chance.choice(list(ADDITIONS))
        files = dict(known[name])
        what = ADDITIONS[addition](chance, files)
        scores = None if what is None else scores_before(name)
        if scores is None:
            counts[addition, "not of this form"] += 1
            continue
        outcome = verdict(scores, scores_of(files))
        counts[addition, outcome] += 1
        if outcome == "WRONG":
            wrong.append(f"seed {seed}: {name}: {addition}: {what}")
    return counts, wrong


def main() -> int:
    """Print the counts; return 1 if a score moved."""
    counts, wrong = tried(*map(int, sys.argv[1:] or ["1000"]))
    for (addition, outcome), times in sorted(counts.items()):
        print(f"{addition}, {outcome}: {times}")
    print(*wrong, sep="\n")
    return int(bool(wrong))


if __name__ == "__main__":
    raise SystemExit(main())
