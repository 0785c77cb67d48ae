"""Columns of usual names where nobody expects them: a run scores them, or says what is wrong.

    python -m tests.hostile.headers

adds a column of each usual name at each place of each competition's files, to the correct answers,
to the predictions and to both, and prints every internal error, which is nobody's but the
program's.
"""

from __future__ import annotations

import csv
import io
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import scoring_program as dh
from scoring_program.core.errors import DeadheatError, InternalError

#: What columns of competitions are usually called.
NAMES = (
    "id", "ID", "qid", "idx", "index", "test_case", "doc_id", "label", "labels", "y", "y_true",
    "y_pred", "gold", "target", "class", "classes", "truth", "value", "values", "answer",
    "category", "categories", "prediction", "predicted", "pred", "score", "scores", "probability",
    "confidence", "Usage", "group", "document", "text", "sentence", "start", "end", "type", "tags",
    "topics", "sample", "system", "task", "unit", "rank", "weight", "",
)  # fmt: skip
#: The files that get the column.
FILES = ("gold", "predictions", "both")
_TEAMS = ("One", "Two")
_EXAMPLES = 24
#: What a cell of a column is: a function of the number of its example and that of the team, which
#: is −1 in the gold.
Column = Callable[[int, int], object]


@dataclass(frozen=True)
class Competition:
    """A competition of tables; without a ``gold`` the teams' rows are one table of scores."""

    metrics: str
    gold: Mapping[str, Column]
    predictions: Mapping[str, Column]


@dataclass(frozen=True)
class Addition:
    """A column that is added: to which files of a competition, its name, and its place."""

    competition: str
    files: str
    name: str
    place: int

    @property
    def cells(self) -> Column:
        """What stands in it: words, numbers and ids in turn."""
        return _ADDED[(NAMES.index(self.name) + self.place) % len(_ADDED)]


def _answers(*right: object) -> Column:
    """Return a column of answers, of which teams have some wrong."""

    def cell(example: int, team: int) -> object:
        is_wrong = team >= 0 and (7 * example + 3 * team) % (5 - team) == 0
        return right[(example * 5 % 7 + is_wrong) % len(right)]

    return cell


def _same(*cells: object) -> Column:
    """Return a column in which all files agree."""
    return lambda example, team: cells[example % len(cells)]


def _flags(answers: Column, label: str) -> Column:
    return lambda example, team: int(label in str(answers(example, team)).split())


_ID = _same(*(f"x{example:02}" for example in range(_EXAMPLES)))
_LABEL = _answers("a", "b", "c")
_SETS = _answers("a b", "c", "a c", "b")
_NUMBER = _answers(*(number + 0.25 for number in range(7)))
_TEXT = _answers(*(f"this is line {line} of the text" for line in range(7)))
_ADDED = (_same("u", "v", "w"), _same(0.5, 1.5, 0.25, 3), _ID, _same(0, 1))


def _with_id(columns: Mapping[str, Column]) -> Mapping[str, Column]:
    return {"id": _ID, **columns}


def _alike(metrics: str, columns: Mapping[str, Column]) -> Competition:
    """Return a competition whose predictions have the columns of its gold."""
    return Competition(metrics, columns, columns)


COMPETITIONS: Mapping[str, Competition] = {
    "labels by id": _alike("accuracy_score", _with_id({"label": _LABEL})),
    "labels by position": _alike("accuracy_score", {"label": _LABEL}),
    "numbers by id": _alike("mean_absolute_error", _with_id({"y": _NUMBER})),
    "numbers by position": _alike("mean_absolute_error", {"y": _NUMBER}),
    "scores of the positive class": Competition(
        "roc_auc_score",
        _with_id({"label": _answers(0, 1)}),
        _with_id({"score": _answers(0.1, 0.7, 0.2, 0.9)}),
    ),
    "scores of every class": Competition(
        "log_loss",
        _with_id({"label": _LABEL}),
        _with_id({"a": _same(0.5, 0.2), "b": _same(0.3, 0.2), "c": _same(0.2, 0.6)}),
    ),
    "label sets by id": _alike("f1_samples", _with_id({"labels": _SETS})),
    "label sets by position": _alike("f1_samples", {"labels": _SETS}),
    "a column for each label": _alike(
        "f1_samples", _with_id({label: _flags(_SETS, label) for label in "abc"})
    ),
    "texts by id": _alike("token_f1", _with_id({"text": _TEXT})),
    "spans": _alike(
        "span_f1",
        _with_id({"start": _answers(0, 1, 2), "end": _same(5), "type": _same("PER", "LOC")}),
    ),
    "samples": Competition(
        "{pass_at_k: {k: 1}}",
        _with_id({"answer": _LABEL}),
        _with_id({"sample": _same(0), "answer": _LABEL}),
    ),
    "public and private rows": Competition(
        "accuracy_score",
        _with_id({"label": _LABEL, "Usage": _same("Public", "Private", "Private")}),
        _with_id({"label": _LABEL}),
    ),
    "scores made elsewhere": Competition(
        "{mean_score: {}}",
        {},
        {"unit": _ID, "system": lambda example, team: _TEAMS[team], "score": _NUMBER},
    ),
}


def additions() -> Iterator[Addition]:
    """Yield every name at every place of all competitions."""
    for competition, tables in COMPETITIONS.items():
        for files in FILES if tables.gold else ("predictions",):
            columns = tables.gold if files == "gold" else tables.predictions
            for place in range(len(columns) + 1):
                for name in NAMES:
                    yield Addition(competition, files, name, place)


def write(folder: Path, added: Addition) -> None:
    """Write a competition with the column that is added."""
    competition = COMPETITIONS[added.competition]
    uploads = {team: _rows(competition.predictions, number, added, "predictions")
               for number, team in enumerate(_TEAMS)}  # fmt: skip
    files = {f"res/{team}.csv": rows for team, rows in uploads.items()}
    if competition.gold:
        files["ref/gold.csv"] = _rows(competition.gold, -1, added, "gold")
    else:
        header, *rows = uploads[_TEAMS[0]]
        files = {"res/scores.csv": [header, *rows, *uploads[_TEAMS[1]][1:]]}
    for path, lines in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        stream = io.StringIO()
        csv.writer(stream, lineterminator="\n").writerows(lines)
        (folder / path).write_text(stream.getvalue(), encoding="utf-8")
    (folder / "ref").mkdir(exist_ok=True)
    settings = f"metrics: [{competition.metrics}]\nresamples: 100\nworkers: 1\n"
    (folder / "ref" / "scoring.yaml").write_text(settings, encoding="utf-8")


def _rows(
    columns: Mapping[str, Column], team: int, added: Addition, kind: str
) -> list[list[object]]:
    """Return the header and the rows of a file."""
    named = list(columns.items())
    if added.files in (kind, "both"):
        named.insert(added.place, (added.name, added.cells))
    header: list[object] = [name for name, _ in named]
    return [header, *([cells(row, team) for _, cells in named] for row in range(_EXAMPLES))]


def fault(added: Addition) -> str:
    """Return the internal error of a competition with a column added; nothing, as a rule."""
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder), added)
        try:
            result = dh.score(folder, None)
        except InternalError as error:
            return str(error)
        except DeadheatError as error:
            return str(error) * (error.exit_status == DeadheatError.exit_status)
        except Exception as error:
            return repr(error)
        reasons: Iterable[str] = chain(result.unusable.values(), result.unscored.values())
        return "\n".join(reason for reason in reasons if "internal error" in reason)


def main() -> None:
    """Try every column."""
    tried = 0
    for added in additions():
        tried += 1
        if found := fault(added):
            print(f"{added}: {found}", flush=True)
    print(f"{tried} competitions tried.")


if __name__ == "__main__":
    main()
