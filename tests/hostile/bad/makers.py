"""What several kinds of bad input are made with."""

from __future__ import annotations

import io
import itertools
import os
import zipfile
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from tests.hostile.bad.case import Spoil
from tests.hostile.trap import Trap


def delimited(
    delimiter: str, encoding: str = "utf-8", newline: str = "\n", header: bool = True
) -> Any:
    def encode(ids: list[str], labels: list[str]) -> bytes:
        rows = [f"{i}{delimiter}{label}" for i, label in zip(ids, labels, strict=True)]
        head = [f"id{delimiter}label"] if header else []
        return "".join(row + newline for row in [*head, *rows]).encode(encoding)

    return encode


def upload(
    content: Callable[[Trap], str | bytes] | str | bytes, name: str = "predictions.csv"
) -> Spoil:
    return lambda trap: trap.upload(content(trap) if callable(content) else content, name)


def labelled(label: str, row: int = 4) -> Spoil:
    """Replace the label of one row of the CSV."""

    def spoil(trap: Trap) -> None:
        labels = list(trap.teams["One"])
        labels[row] = label
        trap.upload(delimited(",")(trap.ids, labels))

    return spoil


def zipped(members: Mapping[str, str | bytes], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Return a zip archive of these members, names taken as they are; the same bytes each time."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", compression) as archive:
        for name, content in members.items():
            archive.writestr(zipfile.ZipInfo(name), content, compression)
    return stream.getvalue()


def npy(array: np.ndarray, **options: bool) -> bytes:
    stream = io.BytesIO()
    np.save(stream, array, **options)
    return stream.getvalue()


class Exploding:
    """Unpickled, it would write a file."""

    def __reduce__(self) -> tuple[object, ...]:
        return os.mkdir, ("pwned",)


def yaml_bomb(key: str) -> str:
    levels = "abcdefghijklmnopqrst"
    lines = [f"a: &a {{{', '.join(f'k{i}: 1' for i in range(9))}}}"]
    for last, this in itertools.pairwise(levels):
        lines.append(f"{this}: &{this} {{<<: [{', '.join([f'*{last}'] * 9)}]}}")
    return "\n".join([*lines, f"{key}: *{levels[-1]}\n"])
