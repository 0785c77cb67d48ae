"""JSON documents of which one value is another one: each is read, or refused with a reason.

    python -m tests.hostile.json_mutants

tries every value at every place of results.json, alone and compared with another, and of the logs
of each tool, and prints what is nobody's error but the program's.
"""

from __future__ import annotations

import contextlib
import copy
import io
import itertools
import json
import math
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import scoring_program as dh
from scoring_program.commands import compare
from scoring_program.core.errors import DeadheatError, InternalError
from tests.competitions import Folder, write_csv
from tests.reading import test_logs as tools

#: What a value may turn into. A whole number of 400 digits is no float, and 1e400 is an infinite.
VALUES: tuple[Any, ...] = (
    None, True, 0, -1, 0.5, 10**400, 1e308, math.inf, math.nan, "", "x", "\x1b[31m\u202e\x00",
    [], {}, [1], {"a": 1}, [[]], "9" * 400,
)  # fmt: skip
#: Of lists, and of objects of more keys than any record has, so many items are changed.
_ITEMS, _KEYS = 2, 28
_MISSING = object()
Place = tuple[str | int, ...]


def places(document: Any, place: Place = ()) -> Iterator[Place]:
    """Yield the place of every value in a document: the keys and numbers that lead to it."""
    yield place
    inside: Iterator[tuple[str | int, Any]] = iter(())
    if isinstance(document, dict):
        items = list(document.items())
        inside = iter(items if len(items) <= _KEYS else items[:_ITEMS])
    elif isinstance(document, list):
        inside = iter(list(enumerate(document))[:_ITEMS])
    for key, value in inside:
        yield from places(value, (*place, key))


def mutants(document: Any, first: int = 0, one_of: int = 1) -> Iterator[tuple[str, Any]]:
    """Yield what was changed, and a copy with one other value, or without one.

    From the ``first`` on, every so many of them are made: ``one_of``.
    """
    every = itertools.product(places(document), (*VALUES, _MISSING))
    for place, value in itertools.islice(every, first, None, one_of):
        if value is not _MISSING:
            yield f"{place} = {str(value)[:20]!r}", _changed(document, place, value)
        elif place:
            yield f"{place} is missing", _without(document, place)


def _changed(document: Any, place: Place, value: Any) -> Any:
    if not place:
        return value
    changed = copy.deepcopy(document)
    holder = _holder(changed, place)
    holder[place[-1]] = value
    return changed


def _without(document: Any, place: Place) -> Any:
    changed = copy.deepcopy(document)
    del _holder(changed, place)[place[-1]]
    return changed


def _holder(document: Any, place: Place) -> Any:
    for key in place[:-1]:
        document = document[key]
    return document


def fault(call: Callable[[], object]) -> str:
    """Return what a call does wrong: nothing where it ends, or says whose error it is."""
    try:
        call()
    except InternalError as error:
        return str(error)
    except DeadheatError as error:
        return str(error) * (error.exit_status == DeadheatError.exit_status)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return ""


# results.json -------------------------------------------------------------------------------------


def results(folder: Path) -> dict[str, Any]:
    """Return results.json of a small competition that has all that results hold."""
    competition = Folder(folder, teams=("One", "Two", "Three", "Four"))
    competition.write(
        "metrics: [accuracy_score, {f1_score: {average: macro}}]\nresamples: 100\nseed: 1\n"
        "baselines: [Four]\nslices: [topic]\nreference_entry: Two\nworkers: 1\n"
    )
    topics = ["xyz"[number % 3] for number in range(len(competition.ids))]
    gold = {"id": competition.ids, "label": competition.labels, "topic": topics}
    write_csv(competition.input / "ref" / "gold.csv", gold)
    with contextlib.redirect_stdout(io.StringIO()):
        assert competition.run() == 0
    return competition.results()


def shown(path: Path) -> None:
    """Read a results.json and ask for all that it holds."""
    result = dh.read_results(path)
    for one in (result, *result.values()):
        for name in dir(one):
            if not name.startswith("_") and not callable(getattr(one, name)):
                str(getattr(one, name))
        repr(one)
    for metric in result.values():
        metric._repr_html_()
        metric.to_latex()
    result._repr_html_()
    result.to_latex()
    result.incomparable_with(result)


def fault_of_results(folder: Path, mutant: Any) -> str:
    """Return what reading a results.json does wrong, or comparing it with the one in the folder."""
    path = folder / "mutant.json"
    path.write_text(json.dumps(mutant), encoding="utf-8")
    if wrong := fault(lambda: shown(path)):
        return f"read_results: {wrong}"
    output = io.StringIO()
    files = [str(path), str(folder / "output" / "results.json"), "-o", str(folder / "compared")]
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
        status = compare.main(files)
    return f"compare: {output.getvalue()}" if status not in (0, 2) else ""


# Logs ---------------------------------------------------------------------------------------------


#: The tools whose logs are changed.
LOGS: dict[str, Callable[[str], tools.Files]] = {
    maker.__name__: maker
    for maker in (
        tools.lm_eval, tools.inspect_json, tools.inspect_eval, tools.helm, tools.every_eval_ever,
        tools.evalplus, tools.livecodebench, tools.swe_bench, tools.swe_results,
    )
}  # fmt: skip


def mutants_of_logs(
    tool: str, first: int = 0, one_of: int = 1
) -> Iterator[tuple[str, tools.Files]]:
    """Yield what was changed, and the files of one system with the change: see `mutants`."""
    files = LOGS[tool]("big")
    for name, content in files.items():
        for said, mutant in _mutants_of_file(name, content, first, one_of):
            yield f"{name}: {said}", {**files, name: mutant}


def _mutants_of_file(
    name: str, content: str | bytes, first: int, one_of: int
) -> Iterator[tuple[str, str | bytes]]:
    if isinstance(content, bytes):
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            members = {item: json.loads(archive.read(item)) for item in archive.namelist()}
        for member in list(members)[:3]:
            for said, mutant in mutants(members[member], first, one_of):
                yield f"{member}: {said}", _zipped({**members, member: mutant})
    elif name.endswith("l"):
        records = list(map(json.loads, content.splitlines()))
        for said, mutant in mutants(records, first, one_of):
            yield said, "\n".join(map(json.dumps, mutant if isinstance(mutant, list) else [mutant]))
    else:
        for said, mutant in mutants(json.loads(content), first, one_of):
            yield said, json.dumps(mutant)


def _zipped(members: dict[str, Any]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, json.dumps(content))
    return stream.getvalue()


def fault_of_logs(tool: str, files: tools.Files) -> str:
    """Return what scoring the logs of two systems does wrong, of which one are these files."""
    with tempfile.TemporaryDirectory() as folder:
        for path, content in {**LOGS[tool]("small"), **files}.items():
            file = Path(folder, "res", path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content if isinstance(content, bytes) else content.encode())
        return fault(lambda: dh.score(folder, None, resamples=100, workers=1))


def main() -> None:
    """Try all mutants."""
    sys.set_int_max_str_digits(0)
    tried = 0
    with tempfile.TemporaryDirectory() as name:
        for said, mutant in mutants(results(Path(name))):
            tried += 1
            if wrong := fault_of_results(Path(name), mutant):
                print(f"results.json, {said}: {wrong}", flush=True)
    for tool in LOGS:
        for said, files in mutants_of_logs(tool):
            tried += 1
            if wrong := fault_of_logs(tool, files):
                print(f"{tool}, {said}: {wrong}", flush=True)
    print(f"{tried} documents tried.")


if __name__ == "__main__":
    main()
