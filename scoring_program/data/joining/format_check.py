"""The check of a submission's format without the gold, with the code of the scoring program.

The examples of the test set come from a file of ids, or of the inputs, as participants have them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ...core.cells import is_number
from ...core.errors import OrganizerError, SubmissionError, listed, quoted
from ...core.phrases import Phrase, joined
from ...reading import files, layout
from ...reading.formats import KINDS, detect, kind_of, read_examples, read_table, readers, records
from ...reading.formats.kind import ROWS, Content, gunzipped
from ...reading.table import Table
from ...recognize.by_names.submission_columns import called_predictions, headed_submission
from ...recognize.expected import Expected
from ...recognize.of_kinds.roles_by_name import is_id
from ...recognize.usual_names import is_nameless
from .checker_rules import SubmissionRules
from .sent_columns import examine_as_stated, with_stated_classes
from .submission import Entry


@dataclass(frozen=True)
class Checked:
    """A submission that can be scored.

    ``message`` says so. It also says how the files were read, if that is unusual, and what was not
    checked, which is ``unchecked``. ``files`` are those that would be scored, here or by the other
    tasks of the phase, and ``n`` is the number of examples that they were checked against.
    """

    message: str
    n: int
    files: tuple[files.DataFile, ...]
    unchecked: tuple[Phrase, ...]


def check(predictions: Path, rules: SubmissionRules, folder: Path | None = None) -> Checked:
    """Check a predictions file, archive or folder; ``folder`` holds the organizers' reader, if any.

    Raises
    ------
    SubmissionError
        Every problem, in the words of the run on the platform.
    OrganizerError
        There is no such file, or the reader cannot be loaded.
    """
    if predictions.is_dir():
        files_found = list(files.walk(predictions, rules.limits, most=rules.limits.most_files))
    elif predictions.is_file():
        files_found = list(files.walk_file(predictions, rules.limits))
    else:
        raise OrganizerError(f"{predictions}: this file does not exist; name the predictions file")
    whole = _whole(files_found) if rules.whole is None else rules.whole
    reader = None
    if rules.reader is not None and folder is not None:
        reader = readers.in_file(rules.reader, folder, of_folders=bool(whole))
    conventions = layout.Conventions(
        tuple(rules.tasks), rules.gold, rules.folder, rules.other_tasks, rules.pattern, whole=whole
    )
    upload = layout.arrange(files_found, "single", conventions)
    (source,) = upload.sources
    good: list[str] = []
    bad: list[Phrase] = []
    unchecked: list[Phrase] = []
    n = 0
    for task, expected in rules.tasks.items():
        if rules.may_lack_tasks and source.files and task not in source.files:
            unchecked.append(Phrase(layout.LACKS_TASK, task=repr(task)))
            good.append(str(unchecked[-1]))
            continue
        n += expected.n
        try:
            file = source.file(task)
            content = file.read()
            path = str(file.path)
            if reader is None:
                is_bound = expected.kind == ROWS and expected.sent is not None
                described = rules.described.syntax if is_bound else rules.described
                table = read_examples(content, path, expected.kind, described)
            else:
                table = reader(content, path)
            told, assumed = _assumed(table, expected)
            submission = examine_as_stated(table, assumed)
            good.append(_good_news(path, submission, assumed))
            good.extend(f"{path}: {note}" for note in submission.notes)
            not_checked = dict.fromkeys(_not_checked(told, assumed))
            unchecked.extend(not_checked)
            good.extend(not_checked)
        except SubmissionError as error:
            bad.append(error.reason)
    if bad:
        raise SubmissionError(joined(bad))
    good.extend(map(str, upload.notes))
    sent = (*source.files.values(), *upload.for_other_tasks)
    files_read = [part_of_file for file in sent for part_of_file in file.holds or (file,)]
    return Checked("\n".join(good), n, tuple(files_read), tuple(dict.fromkeys(unchecked)))


def _assumed(table: Table, expected: Expected) -> tuple[Expected, Expected]:
    """Return what is known of what is expected, and what is assumed where labels are secret."""
    if expected.sent is None:
        return expected, _with_classes(table, expected)
    stated = with_stated_classes(expected)
    return stated, stated


def _whole(files_of_upload: Sequence[files.DataFile]) -> tuple[str, ...]:
    """Return what lies at the top of an upload of several files; nothing of one file."""
    at_top = {
        file.path.parts[min(len(file.archives), 1)] for file in files_of_upload if not file.broken
    }
    return tuple(at_top) if len(files_of_upload) > 1 else ()


def _good_news(file: str, submission: Entry, expected: Expected) -> str:
    predicted = expected.n - submission.missing
    examples = str(expected.example[1]) if expected.example else "examples"
    ready = f"{file}: the file can be scored; it holds a prediction for"
    if predicted == expected.n:
        return f"{ready} each of {predicted} {examples}."
    return f"{ready} {predicted} of {expected.n} {examples}. The others count as wrong."


def _not_checked(expected: Expected, assumed: Expected) -> Iterator[Phrase]:
    """Yield what only the platform can check, because the kit lacks the labels.

    ``assumed`` was expected instead, with the file's columns as classes.
    """
    for target, labels in expected.targets.items():
        if classes := () if labels else assumed.targets[target]:
            yield Phrase(
                "Not checked: whether the columns {columns} are the classes of the task.",
                columns=", ".join(repr(str(name)) for name in classes),
            )
        elif target.kind == "labels" and not labels:
            yield Phrase(
                "Not checked: whether the labels of {column} are labels of the task.",
                column=repr(target.column),
            )
    if expected.keep_columns:
        yield Phrase("Not checked: whether the organizers' own metric accepts the columns.")


def _with_classes(table: Table, expected: Expected) -> Expected:
    """If the labels are unknown, assume that columns of numbers are one column per class.

    The platform knows the labels and looks for these columns. If labels are needed, it does so only
    if no column has the name of a prediction.
    """
    if len(expected.columns) != 1 or table.ragged or expected.kind != ROWS:
        return expected
    columns = headed_submission(table, expected).named
    usual = called_predictions(expected.names_of_columns)
    beside_ids = [name for name in columns if not (is_id(name) or is_nameless(name))]
    numbers = {name: sum(map(is_number, columns[name])) for name in beside_ids}
    of_numbers = (name for name in beside_ids if 2 * numbers[name] > len(columns[name]))
    classes = [name for name in of_numbers if name.casefold() not in usual]
    if len(classes) < 2:
        return expected
    is_named = any(name.casefold() in usual for name in beside_ids)
    kinds = ("numbers", "labels") if is_named else ("numbers",)
    targets = {
        target: labels if labels or target.kind in kinds else tuple(classes)
        for target, labels in expected.targets.items()
    }
    return replace(expected, targets=targets)


def read_given(path: Path, id_column: str = "id", kind: str | None = None) -> Expected:
    """Read a file of ids in any format, or one of inputs that predictions must match.

    ``id_column`` holds the ids, or another column whose name or cells say so. ``kind`` is that of
    the examples; without it, the content or the extension of the file may tell. What predictions
    must match are the only `Expected.shapes`, if there is anything.

    Raises
    ------
    OrganizerError
        The file cannot be read, or has no ids.
    """
    try:
        content = gunzipped(path.read_bytes(), path.name)
        form = "json" if records.is_list(content) else detect(content, path.name)
        owners = (name for name, examples in KINDS.items() if form in examples.formats)
        kind = kind or next(owners, kind_of(content, path.name))
        inputs = KINDS[kind].read_inputs if kind in KINDS else None
        if inputs is not None and (form == "lines" or form in KINDS[kind].formats):
            columns = inputs(Content(content, path.name, form)).named
            ids = columns.get("id")
            n = len(columns["shape"])
            shapes = {"": tuple(columns["shape"])}
            ids = ids and tuple(ids)
            return Expected(range(n), n, ids, {}, id_column=id_column, kind=kind, shapes=shapes)
        if kind != ROWS and kind == kind_of(content, path.name):  # a gold, with its own ids
            table = KINDS[kind].read(Content(content, path.name, form, gold=True))
        else:
            table = read_table(content, path.name, form)
    except (OSError, SubmissionError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise OrganizerError(
            f"{path}: the test ids cannot be read: {reason}; name the file of the test ids"
        ) from error
    if table.ragged:
        raise OrganizerError(f"{path}: rows differ in length; give every row the same columns")
    name, ids = _ids(table, id_column, path)
    return Expected(range(len(ids)), len(ids), ids, {}, id_column=name, kind=kind)


def _ids(table: Table, called: str, path: Path) -> tuple[str, tuple[str, ...]]:
    """Return what the column of ids is ``called``, or its other name, and its cells."""
    header = table.header or table.first_row
    named = [place for place, name in enumerate(header) if is_id(name) or name == called]
    if not named:
        for place, cells in enumerate(table.columns):
            if len({*cells}) == len(cells) and all(map(_is_word, cells)):
                named.append(place)
        if len(named) != 1:
            raise OrganizerError(
                f"{path}: there is no id column among {listed(map(quoted, header))}; name it with "
                "--id-column; if the examples have no ids, give their number with --rows"
            )
        if table.header is None and not _is_title(table.columns[named[0]]):
            return called, tuple(table.columns[named[0]])
    return header[named[0]], tuple(table.titled().columns[named[0]])


def _is_word(cell: object) -> bool:
    """Whether a cell is one word."""
    return isinstance(cell, str) and cell != "" and " " not in cell


def _is_title(cells: Sequence[str]) -> bool:
    """Whether the first cell names the others: they are numbered, and it is not."""
    numbered = [any(map(str.isdigit, cell)) for cell in cells]
    return not numbered[0] and len(cells) > 1 and all(numbered[1:])
