"""The files below a folder. Archives are searched as if they were folders.

Nothing is ever unpacked to disk: a member of an archive is read into memory when it is needed.
"""

from __future__ import annotations

import contextlib
import copy
import hashlib
import io
import re
import stat
import zipfile
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO, TypeAlias

from ..core.cells import grouped
from ..core.errors import DeadheatError, SubmissionError, internal_of_upload
from ..core.phrases import Phrase, Value, gettext_noop
from . import formats, names
from .limits import (
    DEEPEST_FOLDER,
    DEFAULT,
    LONGEST_NAME,
    UNREADABLE,
    BoundedListing,
    LimitExceeded,
    Limits,
    Tally,
    check_size,
)
from .names import exact, ignored_file, ignored_folder, ignored_member
from .table import compose_accents

#: What messages call INPUT/res, or a participant's archive.
THE_UPLOAD = Phrase("the upload")

_ONLY_THE_FILE = gettext_noop("{limit}; send only the predictions file")
_ONLY_PREDICTIONS = gettext_noop("{limit}; send only the predictions")
#: Bytes at the beginning of a file that may show that it holds data.
_HEAD = 1 << 14
#: Of the flags of an archive's member, the one that says that it is encrypted.
_ENCRYPTED = 1
#: Bytes of an archive's member that are unpacked at a time.
_PIECE = 1 << 20
#: Opens an archive: `_open`, which keeps those in use open, with its path or what reads it.
_Archive: TypeAlias = "partial[zipfile.ZipFile]"


@dataclass(frozen=True)
class DataFile:
    """One file of an upload: its path inside the upload, with "/", and a function that reads it.

    ``size`` is in bytes.

    A file that cannot be read is ``broken``: its ``read`` raises `SubmissionError`, so that its
    owner gets a message. An empty folder or archive is also a `DataFile`, with ``is_empty``. It
    counts as data of no team, but its ``read`` raises the message for a team that sent nothing
    else. ``archives`` are the archives around the file, as the folders that they would unpack to.
    A file of another name than data usually have is ``recognized`` if it begins like data, or if
    nothing else may be the submission (`layout`). A `packed` folder is a file that ``holds`` more.
    A file that ``joins`` several is made of their lines.
    """

    path: PurePosixPath
    read: Callable[[], bytes]
    broken: bool = False
    is_empty: bool = False
    archives: tuple[PurePosixPath, ...] = ()
    size: int = 0
    recognized: bool = False
    holds: tuple[DataFile, ...] = ()
    joins: tuple[DataFile, ...] = ()

    @property
    def is_data(self) -> bool:
        """Whether the file may hold predictions, also if they cannot be read."""
        if self.is_empty or self.lists_failures:
            return False
        return self.broken or self.recognized or formats.is_data(self.path.name)

    @property
    def lists_failures(self) -> bool:
        """Whether it is the list of uploads that Codabench's bulk download could not fetch."""
        return self.path.name.casefold() == "failed.txt"

    @property
    def may_be_predictions(self) -> bool:
        """Whether it may be a submission although its name does not say so: ``team.dat``."""
        if self.is_data or self.is_empty or self.lists_failures:
            return False
        return not (names.is_companion(self.path.name) or self.path.suffix.lower() in names.UNREAD)

    @property
    def stems(self) -> tuple[str, ...]:
        """The exact stems with composed accents, as settings and the gold's name write them."""
        return tuple(map(compose_accents, self.exact_stems))

    @property
    def exact_stems(self) -> tuple[str, ...]:
        """The path's parts, the last one without the extension of a data file."""
        if not formats.is_data(self.path.name):
            return self.path.parts
        return (*self.path.parts[:-1], self.path.name.removesuffix(formats.suffix(self.path.name)))

    def below(self, folder: PurePosixPath) -> DataFile:
        """Return the file with its path starting above ``folder``, which contains the file."""
        archives = tuple(folder / archive for archive in self.archives)
        return replace(self, path=folder / self.path, archives=archives)


#: Why what lies in a folder of uploads is not read.
LINK = gettext_noop("this is a symbolic link; send the file itself")
DEVICE = gettext_noop("this is neither a file nor a folder; send a file")


def broken_file(
    path: PurePosixPath, sentence: str, place: str = "", /, **values: Value
) -> DataFile:
    """Return a file that cannot be read, with the reason, which does not name the file."""
    return raising(path, SubmissionError(sentence, place or str(path), **values))


def raising(path: PurePosixPath, error: DeadheatError) -> DataFile:
    """Return a file that raises an error when it is read."""

    def read() -> bytes:
        raise error

    return DataFile(path, read, broken=True)


def empty_container(path: PurePosixPath, sentence: str, place: str = "") -> DataFile:
    """Return the `DataFile` of a folder or an archive without data."""
    return replace(broken_file(path, sentence, place), broken=False, is_empty=True)


def packed(path: PurePosixPath, members: Sequence[DataFile]) -> DataFile:
    """Return a folder as one file, which reads as a zip archive of the files that it holds.

    Their paths are inside the folder. If one of them cannot be read, nor can the folder.
    """
    for file in members:
        if file.broken:
            return replace(file, path=path, archives=())

    def read() -> bytes:
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w") as archive:
            for file in sorted(members, key=lambda file: file.path):
                info = zipfile.ZipInfo(str(file.path))
                info.create_system = 3  # the same bytes on every system, because they are hashed
                archive.writestr(info, file.read())
        return stream.getvalue()

    size = sum(file.size for file in members)
    return DataFile(path, read, size=size, recognized=True, holds=tuple(members))


def walk(
    folder: Path,
    limits: Limits = DEFAULT,
    downloads: Collection[str] = (),
    *,
    most: int | None = None,
) -> Iterator[DataFile]:
    """Yield every file below ``folder`` and in its archives, sorted, without ignored names.

    An archive that lies alone there or in one of the folders ``downloads``, or is called like one
    of them, may hold several uploads, each with the limits of one.
    Links and devices are broken files, because they could point anywhere on this machine. The
    members of an archive are left out if they also lie unpacked next to it: CodaLab's worker
    unpacks archives and keeps them. Files without a usual extension are looked into, except next
    to the only file of their folder that has one: there they are copies and logs.

    If the folder may hold at most ``most`` files and folders, each of its folders is limited like
    an upload. A folder that lies alone there is taken for it.

    Raises
    ------
    SubmissionError
        The folder holds too many files.
    """
    tally = None if most is None else Tally(replace(limits, most_files=most))
    limits_each = tally is not None
    walked = _walk(folder, limits, downloads, of_uploads=True, tally=tally, limits_each=limits_each)
    try:
        members = list(walked)
    except LimitExceeded as error:
        raise SubmissionError(_ONLY_THE_FILE, THE_UPLOAD, limit=error.limit) from error
    yield from _without_copies(members)


def _walk(
    folder: Path,
    limits: Limits,
    downloads: Collection[str],
    depth: int = 1,
    *,
    of_uploads: bool = False,
    tally: Tally | None = None,
    limits_each: bool = False,
) -> Iterator[DataFile]:
    """Yield the files below a folder.

    ``tally`` counts what lies in the folder and below it; with ``limits_each``, every folder in it
    has a tally of its own.
    """
    every: list[Path] = []
    for path in folder.iterdir():
        if tally is not None:
            tally.add(1, ())  # as soon as it is too much
        every.append(path)
    paths = [path for path in sorted(every) if not _is_ignored(path, depth == 1)]
    alone = len(paths) == 1
    named = sum(path.is_file() and formats.is_data(path.name) for path in paths)
    for path in paths:
        name = PurePosixPath(exact(path.name))
        if path.is_symlink():
            yield broken_file(name, LINK)
        elif path.is_dir():
            tally_of_folder = tally
            if limits_each and tally:
                tally_of_folder = Tally(tally.limits if alone else limits)
            inside = _walk(
                path,
                limits,
                (),
                depth + 1,
                of_uploads=path.name in downloads,
                tally=tally_of_folder,
                limits_each=limits_each and alone,
            )
            try:
                below = list(inside) if depth < DEEPEST_FOLDER else []
            except LimitExceeded as error:
                if alone or not limits_each:
                    raise
                yield broken_file(name, _ONLY_THE_FILE, limit=error.limit)
                continue
            if not below:
                yield empty_container(name, "the folder holds no data; add the predictions file")
            yield from (file.below(name) for file in below)
        elif path.is_file():
            several = (of_uploads and alone) or path.stem in downloads
            yield from walk_file(path, limits, several=several, look=named != 1)
        else:
            yield broken_file(name, DEVICE)


def _is_ignored(path: Path, at_top: bool) -> bool:
    if path.is_dir():
        return ignored_folder(path.name)
    is_hidden_data = path.name.startswith(".") and formats.is_data(path.name)
    may_be_team = path.suffix.lower() == ".zip" or (at_top and is_hidden_data)
    return ignored_file(path.name, may_be_team=may_be_team)


def _without_copies(files: Sequence[DataFile]) -> Iterator[DataFile]:
    """Yield the files, without members of archives that also lie unpacked next to the archive.

    Older programs unpack accents differently.
    """
    archives = {_usual(archive) for file in files for archive in file.archives}
    unpacked: dict[str, list[DataFile]] = {}
    for file in files:
        archives_of_file = set(map(_usual, file.archives))
        for folder in map(_usual, (file.path, *file.path.parents)):
            if folder in archives and folder not in archives_of_file:
                unpacked.setdefault(folder, []).append(file)
    contents = {folder: set(map(fingerprint, copies)) for folder, copies in unpacked.items()}

    def is_copy(file: DataFile) -> bool:
        archives_of_file = set(map(_usual, file.archives))
        beside = [contents[archive] for archive in archives_of_file if archive in contents]
        if file.is_empty:
            return bool(beside)
        return any(fingerprint(file) in content for content in beside)

    yield from (file for file in files if not is_copy(file))


def _usual(path: PurePosixPath) -> str:
    return compose_accents(str(path))


def fingerprint(file: DataFile) -> object:
    """Return what two copies of a file share: the content or, if it is not read, path and defect.

    Names alone do not identify copies: older programs unpack accents differently.
    """
    if not file.is_data and not file.is_empty:
        return file.path
    try:
        return hashlib.sha256(file.read()).digest()
    except SubmissionError as error:
        return file.path, error.defect
    except Exception as error:  # whoever reads the file will tell
        return file.path, internal_of_upload(error).reason


def walk_file(
    path: Path, limits: Limits = DEFAULT, *, several: bool = False, look: bool = True
) -> Iterator[DataFile]:
    """Yield a file or, if it is an archive, the files in it. ``look`` into one of an unusual name.

    If an archive may hold ``several`` uploads, the limits bound each archive in it by itself.
    """
    name = PurePosixPath(exact(path.name))
    if name.suffix.lower() == ".zip":
        # Archives stay open while they are in use, because listing thousands of members is slow. A
        # nested archive is held in memory.
        opened = lru_cache(maxsize=limits.most_nested)(partial(_open, limits))
        yield from _upload(name, partial(opened, path), Tally(limits), several=several)
        return
    size = path.stat().st_size
    try:
        check_size(size, limits)
    except LimitExceeded as error:
        yield broken_file(name, _ONLY_PREDICTIONS, limit=error.limit)
    else:
        may_be_data = not (formats.is_data(path.name) or names.LAST_VERSION.fullmatch(path.name))
        recognized = False
        if look and may_be_data:
            # TREC's runs are called input.NAME, and other communities leave extensions out, too.
            # Nobody needs to read a file that holds no data.
            with contextlib.suppress(OSError), path.open("rb") as stream:
                head = stream.read(_HEAD)
                recognized = any(kind.begins(head) for kind in formats.KINDS.values())
        yield DataFile(name, path.read_bytes, size=size, recognized=recognized)


def _open(limits: Limits, source: Path | Callable[[], bytes]) -> zipfile.ZipFile:
    def opened() -> BinaryIO:
        return source.open("rb") if isinstance(source, Path) else io.BytesIO(source())

    bounded: Any = BoundedListing(opened, limits)  # has all that zipfile asks of a file
    archive = zipfile.ZipFile(bounded)
    bounded.listed()
    return archive


def _upload(
    name: PurePosixPath,
    archive: _Archive,
    tally: Tally,
    depth: int = 1,
    *,
    packed: Sequence[zipfile.ZipInfo] = (),
    several: bool = False,
) -> Iterator[DataFile]:
    """Yield the files of an upload, or a broken one if it exceeds the limits.

    The upload is an archive, alone or ``packed`` in another one.
    """
    try:
        tally.add(0, packed, depth)
        # All before the first: what lies before the excess is not read either.
        yield from list(_members(name, archive, tally, depth, several=several))
    except LimitExceeded as error:
        yield broken_file(name.with_suffix(""), _ONLY_THE_FILE, str(name), limit=error.limit)
    except Exception as error:
        yield raising(name.with_suffix(""), internal_of_upload(error))


def _members(
    name: PurePosixPath, archive: _Archive, tally: Tally, depth: int, *, several: bool = False
) -> Iterator[DataFile]:
    """Yield the files inside the archive ``name``, below its name without ".zip"."""
    inside = name.with_suffix("")
    for file in _unfolded(name, archive, tally, depth, several=several):
        yield replace(file, archives=(inside, *file.archives))


def _unfolded(
    name: PurePosixPath, archive: _Archive, tally: Tally, depth: int, *, several: bool
) -> Iterator[DataFile]:
    inside = name.with_suffix("")
    try:
        members = _listing(name, archive)
    except SubmissionError as error:
        yield broken_file(inside, error.defect, error.place)
        return
    # What may hold predictions, or other archives.
    read = [i for i in members if formats.is_data(i.filename) or i.filename.lower()[-4:] == ".zip"]
    tally.add(len(members), read, depth, several=several)
    if not members:
        yield empty_container(
            inside, "the archive holds no data; add the predictions file", str(name)
        )
    seen: set[str] = set()
    for item in sorted(members, key=lambda item: item.filename):
        path_inside = exact(item.filename.replace("\\", "/"))
        if defect := _defect(item, path_inside, seen):
            place = f"{name}: {path_inside[:LONGEST_NAME]}"
            yield broken_file(inside, "{defect}; pack it again", place, defect=defect)
            return
        seen.add(path_inside)
        member = _reader(archive, item, f"{name}: {path_inside}")
        nested = partial(archive.func, member)
        if not path_inside.lower().endswith(".zip"):
            file = DataFile(inside / path_inside, member, size=item.file_size)
            try:
                if file.is_data:
                    check_size(file.size, tally.limits)
                yield file
            except LimitExceeded as error:
                yield broken_file(file.path, _ONLY_PREDICTIONS, limit=error.limit)
        elif several:
            fresh = Tally(tally.limits)
            yield from _upload(inside / path_inside, nested, fresh, depth + 1, packed=[item])
        else:
            yield from _members(inside / path_inside, nested, tally, depth + 1)


def _listing(name: PurePosixPath, archive: _Archive) -> list[zipfile.ZipInfo]:
    """Return the files that an archive lists; raise SubmissionError or LimitExceeded."""
    try:
        members = [item for item in archive().infolist() if not item.is_dir()]
    except (SubmissionError, LimitExceeded):
        raise
    except UNREADABLE as error:
        raise SubmissionError(
            "this is not a readable zip archive; pack it again", _place(str(name), error)
        ) from error
    return [item for item in members if not ignored_member(item.filename.replace("\\", "/"))]


def _place(name: str, error: Exception) -> str:
    """Return where an archive cannot be read, with what the system says, if it is the reason.

    What a library says is left out: it is in English, differs between versions, and quotes what
    lies in the archive.
    """
    reason = error.strerror if isinstance(error, OSError) else None
    return f"{name} ({reason})" if reason else name


def _defect(item: zipfile.ZipInfo, name: str, seen: Collection[str]) -> Phrase | None:
    """Return what is wrong with an archive's member, if anything is, without reading it."""
    kind = stat.S_IFMT(item.external_attr >> 16)
    if kind not in (0, stat.S_IFREG):
        return Phrase("the member is a link or a device, not a file")
    if len(item.filename) > LONGEST_NAME:
        return Phrase("the name is longer than {most} characters", most=LONGEST_NAME)
    if name.startswith("/") or ".." in name.split("/") or re.match(r"[A-Za-z]:", name):
        return Phrase("the name leads out of the archive")
    if name in seen:
        return Phrase("the archive holds this name twice")
    if item.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        # zipfile limits the memory that it takes to unpack for these two methods only.
        return Phrase("packed by a method other than deflate")
    return None


def _reader(archive: _Archive, member: zipfile.ZipInfo, name: str) -> Callable[[], bytes]:
    """Return what unpacks a member, and no more of it than its header says, whatever lies in it.

    The limits were checked against the header's size, which its sender may have invented.
    """
    stated = member.file_size

    def read() -> bytes:
        unbounded = copy.copy(member)
        unbounded.file_size = stated + 1  # zipfile stops here, and reading shows whether it had to
        content = bytearray()
        try:
            with archive().open(unbounded) as stream:
                while piece := stream.read(_PIECE):
                    content += piece
        except SubmissionError:  # raised by the archive around this one
            raise
        except UNREADABLE as error:
            raise SubmissionError(
                "the file is protected by a password; pack it again without one"
                if member.flag_bits & _ENCRYPTED
                else "the file is damaged and cannot be unpacked; pack it again",
                _place(name, error),
            ) from error
        if len(content) != stated:
            raise SubmissionError(
                "the archive's header says {stated:n} bytes, and its content differs; "
                "pack it again",
                name,
                stated=stated,
            )
        return bytes(content)

    return read


# Unusual names ------------------------------------------------------------------------------------


#: A folder with more files of different unusual names holds something else than predictions.
_MOST_UNUSUAL = 10


def looked_into(files: Sequence[DataFile], layout: str) -> Sequence[DataFile]:
    """Return the files, with those taken for data that must be, although their names are unusual.

    They are all where nothing else is, those in an archive beside one that holds data, and those
    called like the only data of a folder beside theirs: ``B/predictions`` and
    ``A/predictions.csv``. Unless one submission is expected, so are those beside the only data file
    that hold as many lines as it.
    """
    data = [file for file in files if file.is_data]
    unusual = [file for file in files if file.may_be_predictions]
    if not data:
        return _recognized(files, unusual, alone=True)
    having = {folder for file in data for folder in file.path.parents}
    beside_archives = {file.archives[-1].parent for file in data if file.archives}
    named = (file.path for file in data if file.path.parent.name)
    names_of_data = {(path.parent.parent, path.stem) for path in named}

    def must_be_data(file: DataFile) -> bool:
        if layout != "single" and len(data) == 1 and _are_alike(file, data[0]):
            return True
        archive = file.archives[-1] if file.archives else None
        if archive and archive not in having and archive.parent in beside_archives:
            return True
        folder = file.path.parent
        return folder not in having and (folder.parent, file.path.stem) in names_of_data

    return _recognized(files, list(filter(must_be_data, unusual)))


def _are_alike(file: DataFile, data: DataFile) -> bool:
    """Whether a file lies beside another and holds as many lines, one of which may be a header."""
    if (file.path.parent, file.archives) != (data.path.parent, data.archives):
        return False
    try:
        sizes = [len(source.read().strip().splitlines()) for source in (file, data)]
    except SubmissionError:
        return False
    return min(sizes) > 1 and abs(sizes[0] - sizes[1]) <= 1


def _recognized(
    files: Sequence[DataFile], unusual: Sequence[DataFile], *, alone: bool = False
) -> Sequence[DataFile]:
    """Return the files, those of ``unusual`` names taken for data where they are not too many.

    Where they are ``alone``, those of one folder may be any number if they share an extension, or
    none, or how they begin: ``newstest.hyp.A.de``.
    """

    def are_of_one_kind(folder: Sequence[DataFile]) -> bool:
        beginnings = {file.path.name.split(".")[0] for file in folder}
        return len(beginnings) == 1 or len({file.path.suffix for file in folder}) == 1

    taken: set[DataFile] = set()
    for folder in grouped((file.path.parent, file) for file in unusual).values():
        if len(folder) <= _MOST_UNUSUAL or (alone and are_of_one_kind(folder)):
            taken.update(folder)
    return [replace(file, recognized=True) if file in taken else file for file in files]


def beside_submissions(files: Sequence[DataFile]) -> Sequence[DataFile]:
    """Return the files, with every file beside submissions, and of teams without data, as data."""
    with_data = {file.path.parts[0] for file in files if file.is_data}
    unusual = [
        file for file in files if file.may_be_predictions and file.path.parts[0] not in with_data
    ]
    at_top = {file for file in unusual if len(file.path.parts) == 1}
    inside = _recognized(files, [file for file in unusual if file not in at_top])
    return [replace(file, recognized=True) if file in at_top else file for file in inside]


# Whole submissions --------------------------------------------------------------------------------


def whole_submissions(
    files: Sequence[DataFile], layout: str, names_in_gold: Collection[str], single: str
) -> list[DataFile]:
    """Return the files of an upload with every submission packed as one.

    An upload that has one of the ``names_in_gold``, or a file, beside its folders is one
    submission, called ``single``; else each of its folders is. Folders that wrap all files of a
    submission are left out, unless the gold has them, too.
    """
    content = [file for file in files if not (file.is_empty or file.lists_failures)]
    depth = _wrapping(content, names_in_gold)
    alone = any(len(file.path.parts) == depth + 1 and not file.broken for file in content)
    is_one = alone or any(file.path.parts[depth] in names_in_gold for file in content)
    if layout == "single" or (layout == "auto" and is_one):
        return [_packed(PurePosixPath(single), content, depth)]
    depth = 0 if is_one else depth
    teams = grouped((PurePosixPath(*file.path.parts[: depth + 1]), file) for file in content)
    submissions: list[DataFile] = []
    for team, members in teams.items():
        wrapping = _wrapping(members, names_in_gold, depth + 1)
        submissions.append(_packed(team, members, wrapping))
    return [*submissions, *(file for file in files if file.is_empty or file.lists_failures)]


def _wrapping(files: Sequence[DataFile], names_in_gold: Collection[str], depth: int = 0) -> int:
    """Return how many folders wrap all of the files and are neither the gold's nor a platform's."""
    paths = [file.path.parts for file in files]
    platform = names.parse_platform_name
    return names.shared_depth(paths, depth, lambda part: part in names_in_gold or platform(part))


def _packed(path: PurePosixPath, members: Sequence[DataFile], depth: int) -> DataFile:
    """Return a submission as one file; ``depth`` folders are not in it."""
    inside = ((file, file.path.parts[depth:] or file.path.parts[-1:]) for file in members)
    return packed(path, [replace(file, path=PurePosixPath(*parts)) for file, parts in inside])
