"""Zip archives that depend only on their content, and Python sources made ready for them.

The same input gives the same bytes. A platform unpacks a program anew for every run. So comments,
docstrings and annotations of functions go, which makes room for bytecode. Bytecode tells the hash
of its source: Python compiles what somebody edited, and looks for bytecode of its own version only.
"""

from __future__ import annotations

import ast
import io
import os
import re
import subprocess
import sys
import tempfile
import tokenize
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from ..core.errors import OrganizerError

#: The earliest time that a zip archive can hold.
_EPOCH = (1980, 1, 1, 0, 0, 0)
_FILE = 0o100644 << 16
_LEFT_OUT = re.compile(r"(^|/)(\.[^/]*|__pycache__|__MACOSX|Thumbs\.db|[^/]*\.pyc)(/|$)")
#: What a string without a name follows. A class needs one: else a dataclass makes a docstring.
_BEFORE = {tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING}
_LAYOUT = {tokenize.NL, tokenize.COMMENT}


def pack(members: Mapping[str, bytes]) -> bytes:
    """Return a zip archive of ``members`` (path → content), in the order of their paths."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name in sorted(members):
            info = zipfile.ZipInfo(name, _EPOCH)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = _FILE
            info.create_system = 3  # Unix, whatever this machine runs
            archive.writestr(info, members[name], compresslevel=9)
    return stream.getvalue()


def tree(path: Path, prefix: str = "") -> dict[str, bytes]:
    """Return a file, or the files below a folder, under ``prefix``; skip hidden files.

    Raises
    ------
    OrganizerError
        A file has a name that an archive cannot hold.
    """
    if path.is_file():
        return {prefix or path.name: path.read_bytes()}
    contents = {}
    for file in sorted(path.rglob("*")):
        inside = file.relative_to(path).as_posix()
        if inside != inside.encode(errors="replace").decode():
            raise OrganizerError(f"{path}: the name of {inside!r} is not UTF-8 text; rename it")
        if file.is_file() and not _LEFT_OUT.search(inside):
            contents[f"{prefix}/{inside}" if prefix else inside] = file.read_bytes()
    return contents


@cache  # for whoever builds another bundle: finding the words takes longer than all the rest
def blanked(source: bytes) -> bytes:
    """Return a module without what it does not need to run, every line of code where it was."""
    source = _without_annotations(source)
    lines = source.decode().split("\n")
    for token in reversed(list(_words(source))):
        first, start = token.start
        last, end = token.end
        blank = "" if token.type == tokenize.COMMENT else '" "'
        after = lines[last - 1][end:]
        lines[first - 1 : last] = [lines[first - 1][:start] + blank, *[""] * (last - first)]
        lines[last - 1] = (lines[last - 1] + after).rstrip()
    return "\n".join(lines).encode()


def _without_annotations(source: bytes) -> bytes:
    """Return a module without the annotations of its functions, which nothing evaluates."""
    lines = source.split(b"\n")
    cuts: list[tuple[int, int, ast.expr]] = []  # the line and column from which on to cut
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.arg) and node.annotation:
            cuts.append((node.lineno, node.col_offset + len(node.arg.encode()), node.annotation))
        elif isinstance(node, ast.FunctionDef) and (to := node.returns):
            cuts.append((to.lineno, lines[to.lineno - 1].rindex(b" ->", 0, to.col_offset), to))
    for first, start, annotation in sorted(cuts, key=lambda cut: cut[:2], reverse=True):
        last = annotation.end_lineno or first
        after = lines[last - 1][annotation.end_col_offset :]
        lines[first - 1 : last] = [lines[first - 1][:start] + after, *[b""] * (last - first)]
    return b"\n".join(lines)


def _words(source: bytes) -> Iterator[tokenize.TokenInfo]:
    """Yield the tokens that are comments or docstrings."""
    before = tokenize.ENCODING
    for token in tokenize.tokenize(io.BytesIO(source).readline):
        if token.type == tokenize.COMMENT or (token.type == tokenize.STRING and before in _BEFORE):
            yield token
        if token.type not in _LAYOUT:
            before = token.type


def bytecode(
    sources: Mapping[str, bytes], python: Sequence[str] = (sys.executable,)
) -> dict[str, bytes]:
    """Return the bytecode of modules (path → source): path → what a version of Python looks for.

    ``python`` is the command that starts it: this one, if no other is given.

    A process of its own makes it, because bytecode depends on what its process loaded before and on
    the seed of hashes. The columns of expressions, a quarter of it, are left out: tracebacks tell
    the lines without them.
    """
    with tempfile.TemporaryDirectory(prefix="deadheat-") as name:
        folder = Path(name)
        for path, content in sources.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(content)
        command = [*python, "-S", "-X", "no_debug_ranges", "-m", "compileall", "-q"]
        command += ["--invalidation-mode", "checked-hash", *sorted(sources)]
        inherited = {
            key: value for key, value in os.environ.items() if not key.startswith("PYTHON")
        }
        environment = {**inherited, "PYTHONHASHSEED": "0"}
        subprocess.run(command, cwd=folder, env=environment, check=True)
        compiled = sorted(folder.rglob("__pycache__/*.pyc"))
        return {path.relative_to(folder).as_posix(): path.read_bytes() for path in compiled}
