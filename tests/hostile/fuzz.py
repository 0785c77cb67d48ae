"""Coverage-guided fuzzing of the readers, with atheris (``pip install atheris``, Linux).

    python -m tests.hostile.fuzz CORPUS -max_total_time=600

CORPUS is a folder that is filled with good files first and with what fuzzing finds. Whatever the
bytes are, a reader returns a table or raises `SubmissionError`; anything else ends the run and is
left in a file crash-…, to become a test.
"""

from __future__ import annotations

import contextlib
import io
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["scoring_program", "zipfile", "csv", "json"]):
    from scoring_program.core.errors import OrganizerError, SubmissionError
    from scoring_program.data.joining.submission import examine
    from scoring_program.data.part_files import codes_beside, describe
    from scoring_program.reading import files, layout
    from scoring_program.reading.formats import FORMATS, read_examples, read_table
    from scoring_program.recognize.expected import Expected, Target
    from scoring_program.settings.loading import load

from tests.hostile.bad.makers import zipped
from tests.hostile.bad.rows import WITH_IDS
from tests.hostile.good_files import GOOD
from tests.hostile.kinds import KINDS

#: The parts of Parquet are read by other functions than one file of them.
PARTS = {written.file: written for written in GOOD.values() if written.parts}
#: The first byte of an input says what its other bytes are: a file in one of all formats.
NAMES = tuple(dict.fromkeys(["p.tsv", "p.zip", "scoring.yaml", *(of.file for of in GOOD.values())]))
#: The kinds of data that are no rows, by the names of their cases. They follow after `NAMES`.
OF_KINDS = {
    "tags": "tags", "spans": "spans", "lines of text": "text", "texts by id": "text",
    "rankings": "ranking", "label sets": "label_sets", "samples": "samples",
    "resolved": "resolved",
}  # fmt: skip
IDS = ("x1", "x2", "x3")
EXPECTED = Expected(range(3), 3, IDS, {Target("label", "labels"): ("a", "b")})
CODED = Expected(range(3), 3, IDS, {Target("label", "labels"): (0, 1)})
NUMBERS = Expected(range(3), 3, IDS, {Target("label", "probabilities"): (0, 1)})


def read(content: bytes, name: str) -> None:
    """Read a file as the program does, up to the aligned columns."""
    table = read_table(content, name)
    for expected in (EXPECTED, NUMBERS):
        examine(table, expected)


def read_part(content: bytes, name: str) -> None:
    """Read a file as the part of a submission and, if it can be, beside a good one."""
    with tempfile.TemporaryDirectory() as folder:
        path, good = Path(folder) / name, Path(folder) / f"good-{name}"
        path.write_bytes(content)
        good.write_bytes(PARTS[name].encode(IDS, (0, 1, 0)))
        gold = replace(describe("gold", [str(good)]), ids="id", labels="label")
        sent = replace(describe("sent", [str(path)]), ids="id", labels="label")
        if {*sent.types} >= {"id", "label"}:
            codes_beside(gold, str(good), (IDS[0], IDS[-1]), [sent], CODED, keeps_rows=True)


def one(data: bytes) -> None:
    """Try one input."""
    if not data:
        return
    number, content = data[0] % (len(NAMES) + len(OF_KINDS)), data[1:]
    if number >= len(NAMES):
        case = [*OF_KINDS][number - len(NAMES)]
        with contextlib.suppress(SubmissionError):
            read_examples(content, KINDS[case].file, OF_KINDS[case])
        return
    name = NAMES[number]
    try:
        if name in PARTS:
            read_part(content, name)
        elif name in ("p.zip", "scoring.yaml"):
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / name
                path.write_bytes(content)
                if name == "scoring.yaml":
                    load(path)
                    return
                for source in layout.arrange(list(files.walk(Path(folder)))).sources:
                    for file in source.files.values():
                        read(file.read(), str(file.path))
        else:
            read(content, name)
    except OrganizerError:
        if name != "scoring.yaml":
            raise
    except SubmissionError:
        if name == "scoring.yaml":
            raise


def seeds() -> dict[str, bytes]:
    """Return good files of every kind."""
    found = {name: encode(list(IDS), ["a", "b", "a"]) for name, encode in WITH_IDS.items()}
    for written in GOOD.values():
        if written.can_be_read:
            found[written.file] = written.encode(IDS, (0, 1, 0))
    found["p.zip"] = zipped({"a/p.csv": found["predictions.csv"], "__MACOSX/x": "y"})
    found["q.zip"] = zipped({"p.zip": found["p.zip"]})
    found["scoring.yaml"] = b"title: x\nmetrics:\n  - f1_score: {average: macro}\nseed: 1\n"
    import numpy as np

    for name, array in (("u", np.array(["a", "b", "a"])), ("f", np.eye(3)), ("i", np.arange(3))):
        stream = io.BytesIO()
        np.save(stream, array)
        found[f"{name}.npy"] = stream.getvalue()
        found[f"{name}.npz"] = zipped({"y.npy": stream.getvalue()})
    return found


def main() -> None:
    """Fill the corpus and fuzz."""
    assert FORMATS
    corpus = Path(sys.argv[1])
    corpus.mkdir(exist_ok=True)
    for name, content in seeds().items():
        alike = [known for known in NAMES if Path(known).suffix == Path(name).suffix]
        kind = NAMES.index(name if name in NAMES else alike[0])
        (corpus / name.replace("/", "-")).write_bytes(bytes([kind]) + content)
    for kind, case in enumerate(OF_KINDS, len(NAMES)):
        (corpus / case).write_bytes(bytes([kind]) + KINDS[case].good.encode())
    atheris.Setup(sys.argv, one)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
