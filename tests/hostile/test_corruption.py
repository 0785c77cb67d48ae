"""Whatever is done to a good competition, the program ends as it promises."""

from __future__ import annotations

import contextlib
import io
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.hostile.bad.makers import zipped
from tests.hostile.bad.rows import WITH_IDS
from tests.hostile.trap import A, B, C, Trap

#: What a cell may turn into.
CELLS = st.sampled_from(
    ["", " ", "nan", "inf", "-1", "0", "1", "1.0", "True", "1e999", "9" * 400, '"', '""', "'", ",",
     ";", "\t", "\n", "\r", "\0", "=1+1", "\u202ex", "\ud7ff", "id", "label", "x000", "null", "[]",
     "{", "é", "x" * 200_000, "%s", "{{ x }}", "<b>"]
) | st.text(max_size=8).filter(lambda text: B not in text and C not in text)  # fmt: skip

SETTINGS = (
    "metrics: [accuracy_score]\n",
    "metrics: [{f1_score: {average: macro}}, accuracy_score]\nmissing: wrong\n",
    "metrics: [mean_absolute_error]\n",
    "metrics: [roc_auc_score]\n",
    "metrics: [log_loss]\nlayout: single\n",
    "metrics: [matthews_corrcoef, {name: f, formula: matthews_corrcoef ** 0.5}]\n",
    "",
)
_WORDS = (
    "metrics",
    "f1_score",
    "null",
    "[",
    "]",
    "{",
    "}",
    ": ",
    "\n",
    "&a ",
    "*a",
    "!x ",
    "1",
    "-",
)

Rows = list[list[str]]


@st.composite
def corrupted(draw: st.DrawFn, rows: Rows, *, turning: bool = False) -> Rows:
    """Drop, duplicate, swap and retype rows and cells.

    Messages name ids: a gold row whose id and label change places makes a label public by itself.
    """
    kinds = ["drop", "duplicate", "swap", "retype", "many", *(["turn"] * turning)]
    rows = [list(row) for row in rows]
    for _ in range(draw(st.integers(0, 3))):
        if not rows:
            break
        i, j = draw(st.integers(0, len(rows) - 1)), draw(st.integers(0, len(rows) - 1))
        kind = draw(st.sampled_from(kinds))
        if kind == "drop":
            del rows[i]
        elif kind == "duplicate":
            rows.insert(j, list(rows[i]))
        elif kind == "swap":
            rows[i], rows[j] = rows[j], rows[i]
        elif kind == "turn":
            rows[i].reverse()
        elif kind == "retype":
            rows[i][draw(st.integers(0, 1))] = draw(CELLS)
        else:
            rows[i:] = [[row[0], draw(CELLS)] for row in rows[i:]]
    return rows


@st.composite
def spoiled(draw: st.DrawFn, content: bytes) -> bytes:
    """Truncate, re-encode and change the bytes of a file."""
    for _ in range(draw(st.integers(0, 2))):
        place = draw(st.integers(0, max(len(content) - 1, 0)))
        kind = draw(st.sampled_from(["truncate", "behead", "encode", "insert", "flip", "repeat"]))
        if kind == "truncate":
            content = content[:place]
        elif kind == "behead":
            content = content[place:]
        elif kind == "encode":
            text = content.decode("utf-8", "surrogateescape")
            encoding = draw(st.sampled_from(["utf-16", "utf-32", "utf-16-be", "latin-1", "utf-7"]))
            content = text.encode(encoding, "replace")
        elif kind == "insert":
            content = content[:place] + draw(st.binary(max_size=6)) + content[place:]
        elif kind == "flip" and content:
            changed = content[place] ^ draw(st.integers(1, 255))
            content = content[:place] + bytes([changed]) + content[place + 1 :]
        else:
            content *= 2
    return content


@st.composite
def words(draw: st.DrawFn, text: str) -> str:
    """Insert what YAML knows into settings."""
    for _ in range(draw(st.integers(1, 3))):
        place = draw(st.integers(0, len(text)))
        text = text[:place] + draw(st.sampled_from(_WORDS)) + text[place:]
    return text


def _submission(trap: Trap, data: st.DataObject) -> None:
    file = data.draw(st.sampled_from([*WITH_IDS, "lines/predictions.txt", "task.predict"]))
    rows = data.draw(corrupted([[i, A] for i in trap.ids], turning=True))
    ids, labels = [row[0] for row in rows], [row[1] for row in rows]
    if file in WITH_IDS:
        content = WITH_IDS[file](ids, labels)
    else:
        content = "\n".join(labels).encode("utf-8", "surrogateescape")
    content = data.draw(spoiled(content))
    if data.draw(st.booleans()):
        trap.upload(content, file)
    else:
        depth = data.draw(st.integers(1, 4))
        for _ in range(depth):
            content = zipped({file: content})
            file = "upload.zip"
        trap.upload(data.draw(spoiled(content)), file)


def _gold(trap: Trap, data: st.DataObject) -> None:
    (trap.ref / "gold.csv").unlink()
    file = data.draw(st.sampled_from([name for name in WITH_IDS if "/" not in name]))
    rows = data.draw(corrupted([list(row) for row in zip(trap.ids, trap.labels, strict=True)]))
    content = WITH_IDS[file]([row[0] for row in rows], [row[1] for row in rows])
    trap.put(f"ref/{file.replace('predictions', 'gold')}", data.draw(spoiled(content)))


def _settings(trap: Trap, data: st.DataObject) -> None:
    text = data.draw(st.sampled_from(SETTINGS))
    trap.put("ref/scoring.yaml", data.draw(spoiled(data.draw(words(text)).encode())))


SPOILERS: dict[str, Callable[[Trap, st.DataObject], object]] = {
    "submission": _submission,
    "gold": _gold,
    "settings": _settings,
}


def check(data: st.DataObject) -> None:
    """Corrupt one part of a good competition and run the program on it."""
    with tempfile.TemporaryDirectory() as root:
        trap = Trap(Path(root), n=12)
        trap.single()
        trap.submit({"id": trap.ids, "label": [A] * len(trap.ids)})
        trap.settings(data.draw(st.sampled_from(SETTINGS)))
        what = data.draw(st.sampled_from(list(SPOILERS)))
        SPOILERS[what](trap, data)
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status = trap.run("--resamples", "100", "--workers", "1")
        message = err.getvalue()
        assert "Internal error" not in message, message
        trap.check_outputs(status)
        assert (status == 0) == (message == "")
        emitted = out.getvalue() + message
        for path in trap.output.rglob("*.*"):
            emitted += path.read_text(encoding="utf-8")
        assert B not in emitted
        assert C not in emitted
        assert len(message) < 20_000


def _prepared(examples: int) -> settings:
    return settings(max_examples=examples, suppress_health_check=list(HealthCheck))


@pytest.mark.full
@_prepared(80)
@given(data=st.data())
def test_a_corrupted_competition_ends_as_promised(data: st.DataObject) -> None:
    check(data)


@pytest.mark.slow
@_prepared(5000)
@given(data=st.data())
def test_5000_corrupted_competitions_end_as_promised(data: st.DataObject) -> None:
    check(data)
