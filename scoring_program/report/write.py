"""Writes the outputs of a run: all of them, or none.

Everything is first written to a hidden folder. If OUTPUT is an ordinary folder that holds nothing
but outputs, one rename then puts the new folder in its place: at any moment, a reader finds either
all old or all new outputs. Where that is impossible, the files are renamed one by one. It is
impossible for a mount point, as on the platforms, for a folder with other files in it, and on a
system that cannot exchange two folders. The old scores are removed first and the new scores are put
in place last, so that scores never stand next to a page or tables of another run.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import shutil
import signal
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from ..core.errors import OrganizerError

#: What a run may leave at the top of OUTPUT, which the next run replaces, in the order in which it
#: is put in place: the files that platforms read come last.
OUTPUTS = "detailed_results.html", "results.json", "tables", "figures", "scores.json", "scores.txt"

#: Path below OUTPUT → text, or bytes of a picture.
OutputFiles = Mapping[str, str] | Mapping[str, str | bytes]

_AT_FDCWD = -100
_RENAME_EXCHANGE = 2


def write(output: Path, files: OutputFiles, outputs: Sequence[str] = OUTPUTS) -> None:
    """Put ``files`` (path below ``output`` → content) in place of all outputs of an earlier run.

    ``outputs`` lists what a run may leave at the top of ``output``, in the order in which it is put
    in place.

    Raises
    ------
    OrganizerError
        ``output`` cannot be written; it is left as it was.
    """
    output = Path(os.path.realpath(output))
    _refuse_others_folders(output, outputs)
    try:
        with _new_folders(output.parent):
            # It holds only outputs and is not in use.
            if not output.exists() or (
                output != Path.cwd() and set(os.listdir(output)) <= set(outputs)
            ):
                # Only an attempt shows a mount point, or a parent that cannot be written.
                with contextlib.suppress(OSError):
                    _write_folder(output, files)
                    return
            with _new_folders(output):
                _write_file_by_file(output, files, outputs)
    except OSError as error:
        raise OrganizerError(
            f"{output}: the results cannot be written ({error.strerror}); "
            "check the folder's permissions and the free space"
        ) from error


def _refuse_others_folders(output: Path, outputs: Sequence[str]) -> None:
    """Raise OrganizerError if a folder that would be replaced is of no earlier run."""
    paths = [output / name for name in outputs]
    folders = [path for path in paths if path.is_dir() and any(path.iterdir())]
    if folders and not any(path.is_file() for path in paths):
        raise OrganizerError(
            f"{folders[0]}: a run would replace this folder, which no run has made; choose another "
            "folder for the results, or move it away"
        )


@contextlib.contextmanager
def _new_folders(path: Path) -> Iterator[None]:
    """Create the folder ``path`` if it is missing; after an error, remove what was created."""
    created = [folder for folder in (path, *path.parents) if not folder.exists()]
    path.mkdir(parents=True, exist_ok=True)
    try:
        yield
    except BaseException:
        for folder in created:
            with contextlib.suppress(OSError):
                folder.rmdir()
        raise


def _write_folder(output: Path, files: OutputFiles) -> None:
    """Replace the folder ``output`` by a new one, in one rename."""
    with _staging(output.parent, f".{output.name}-deadheat-") as staging:
        new = staging / "new"
        _stage(new, files)
        if output.exists():
            shutil.copystat(output, new)
            if hasattr(os, "chown"):  # not on Windows
                os.chown(new, output.stat().st_uid, output.stat().st_gid)
        with _undisturbed():
            if output.exists() and os.listdir(output):
                _exchange(new, output)
            else:
                new.replace(output)


def _write_file_by_file(output: Path, files: OutputFiles, outputs: Sequence[str]) -> None:
    """Replace the content of ``output`` piece by piece; an error on the way reverses all of it."""
    with _staging(output, ".deadheat-") as staging:
        new = staging / "new"
        old = staging / "old"
        _stage(new, files)
        old.mkdir()
        with _undisturbed(), _reversible() as move:
            for name in reversed(outputs):
                if os.path.lexists(output / name):
                    move(output / name, old / name)
            for name in outputs:
                if (new / name).exists():
                    move(new / name, output / name)


@contextlib.contextmanager
def _staging(parent: Path, prefix: str) -> Iterator[Path]:
    """Give a hidden folder in ``parent``, and remove those that killed runs have left there.

    A folder is locked as long as its run lives, in any process or container.
    """
    for name in os.listdir(parent):
        if name.startswith(prefix):
            with _locked(parent / name) as free:
                if free:
                    shutil.rmtree(parent / name, ignore_errors=True)
    staging = Path(tempfile.mkdtemp(prefix=prefix, dir=parent))
    with _locked(staging):
        try:
            yield staging
        finally:
            with _undisturbed():
                shutil.rmtree(staging, ignore_errors=True)


def _stage(new: Path, files: OutputFiles) -> None:
    for name, content in files.items():
        path = new / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as stream:
            stream.write(content.encode() if isinstance(content, str) else content)
            stream.flush()
            os.fsync(stream.fileno())


@contextlib.contextmanager
def _reversible() -> Iterator[Callable[[Path, Path], None]]:
    """Give a function that renames; after an error, everything gets its old name again."""
    done: list[tuple[Path, Path]] = []

    def move(source: Path, target: Path) -> None:
        source.rename(target)
        done.append((source, target))

    try:
        yield move
    except OSError:
        for source, target in reversed(done):
            target.rename(source)
        raise


def _exchange(new: Path, old: Path) -> None:
    """Exchange the names of two folders in one step; Python has no function for that."""
    if sys.platform != "linux":
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))
    renameat2 = ctypes.CDLL(None, use_errno=True).renameat2
    paths = os.fsencode(new), os.fsencode(old)
    if renameat2(_AT_FDCWD, paths[0], _AT_FDCWD, paths[1], _RENAME_EXCHANGE) != 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


@contextlib.contextmanager
def _locked(folder: Path) -> Iterator[bool]:
    """Hold the lock of a folder; yield False if another process holds it."""
    try:
        import fcntl
    except ImportError:  # Windows
        yield False
        return
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError:
        yield False
        return
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        yield False
    else:
        yield True
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def _undisturbed() -> Iterator[None]:
    """Ignore requests to stop for the milliseconds of a change that must not be left half done."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    signals = (signal.SIGINT, signal.SIGTERM)
    handlers = [signal.signal(number, signal.SIG_IGN) for number in signals]
    try:
        yield
    finally:
        for number, handler in zip(signals, handlers, strict=True):
            signal.signal(number, handler)
