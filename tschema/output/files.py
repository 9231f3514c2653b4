"""The only writer: bytes for paths, all or nothing.

In: a root folder, the files to write and the files to remove. Out: the changes.  All new contents
are in temporary files next to their destinations, and synced, before the first file is replaced.
Each file is replaced atomically, so that a kill at any moment leaves every file complete, old or
new; where there are several, a journal has the next command finish the work of a killed one
(`journal.py`).  A lock excludes other runs (`lock.py`), and a file that changed after it was read
is not replaced. It does not know the contents of the files.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path, PurePosixPath

from msgspec import Struct, field

from tschema.incremental.stamp import JOURNAL
from tschema.output import journal
from tschema.output.disk import (
    OutputError,
    check_inside,
    folders_of,
    is_temporary,
    remove,
    remove_empty,
    remove_empty_parents,
    reported,
    sync,
    temporary_files,
    temporary_of,
)
from tschema.output.lock import lock_for_reading, lock_for_writing

__all__ = [
    "Changes",
    "OutputError",
    "compare",
    "find_leftovers",
    "finish_interrupted",
    "is_vacant",
    "put_result",
    "read_outputs",
    "write",
]

_WRITABLE = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH


class Rewrite(Struct, frozen=True):
    """Files before and after an edit."""

    old: Mapping[PurePosixPath, bytes]
    new: Mapping[PurePosixPath, bytes]


class Changes(Struct, frozen=True):
    """The changes that a run makes on disk, or would make; paths are relative to the root."""

    written: tuple[PurePosixPath, ...]
    """New files, and those whose bytes differ."""
    removed: tuple[PurePosixPath, ...]
    interim: Mapping[PurePosixPath, bytes] = field(default_factory=dict)
    """The files to write before everything else, so that text which moves to another file is in one
    of the two at any moment."""

    def __bool__(self) -> bool:
        """Return whether anything changes."""
        return bool(self.written or self.removed)


def read_outputs(root: Path, paths: Iterable[PurePosixPath]) -> dict[PurePosixPath, bytes]:
    """
    Read the output files that exist, under the lock.

    Parameters
    ----------
    root
        The folder that the paths are relative to.
    paths
        The files to look for.

    Returns
    -------
    files
        The bytes of each one found.

    Raises
    ------
    OutputError
        A file is there, but cannot be read.
    """
    if not root.is_dir():
        # A run that creates the folder at this moment would be read halfway.
        return {}
    with lock_for_reading(root):
        return _read_files(root, paths)


def _read_files(root: Path, paths: Iterable[PurePosixPath]) -> dict[PurePosixPath, bytes]:
    found: dict[PurePosixPath, bytes] = {}
    for path in paths:
        place = root / path
        try:
            mode = place.stat().st_mode
            if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
                # Reading a pipe or a device would never end.
                raise OutputError(f"cannot read `{path}`: not a regular file")
            found[path] = place.read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError as error:
            raise OutputError(f"cannot read `{path}`: {error.strerror}") from error
    return found


def compare(
    new: Mapping[PurePosixPath, bytes],
    old: Mapping[PurePosixPath, bytes],
    interim: Mapping[PurePosixPath, bytes] | None = None,
) -> Changes:
    """
    Return the changes from the old files to the new ones.

    Parameters
    ----------
    new
        The files to be there.
    old
        The files that are there; those without a new one go.
    interim
        The files to write before everything else.

    Returns
    -------
    changes
        The difference, each list sorted.
    """
    written = sorted(path for path, data in new.items() if old.get(path) != data)
    return Changes(tuple(written), tuple(sorted(set(old).difference(new))), dict(interim or {}))


def write(
    root: Path,
    files: Mapping[PurePosixPath, bytes],
    changes: Changes,
    old: Mapping[PurePosixPath, bytes] | None = None,
    *,
    while_placed: Callable[[], None] = lambda: None,
) -> None:
    """
    Write and remove files, all or nothing.

    Parameters
    ----------
    root
        The folder that no path may leave, through a link either.
    files
        The bytes of every file that `changes` writes.
    changes
        What to do.  A file that it does not name is not touched.
    old
        The contents of the files when they were read, all in one go; one that holds something else
        by now, whether it is to be written or not, stops the run.  Nothing is checked if None.
    while_placed
        Runs when all files are in their places, while the disk takes their names.

    Raises
    ------
    OutputError
        A path leaves the root, a file was saved meanwhile, or a file cannot be written; no file
        has changed then. Where the disk fails between the renames, the next command goes on.
    """
    for path in (*changes.written, *changes.removed):
        check_inside(root, path)
    with reported(root, partial(_what_follows, root)), contextlib.ExitStack() as clean_up:
        _make_folder(root, clean_up)
        clean_up.enter_context(lock_for_writing(root))
        journal.finish(root)
        if old is not None:
            changes = _outstanding(root, files, changes, old)
        _check_writable(root, changes)
        for left in find_leftovers(root, (*files, *changes.removed)):
            remove(left)
        _put_in_place(root, files, changes, while_placed)


def _put_in_place(
    root: Path,
    files: Mapping[PurePosixPath, bytes],
    changes: Changes,
    while_placed: Callable[[], None],
) -> None:
    """Stage all files, then replace them; from the first replacement on there is no way back."""
    with contextlib.ExitStack() as staging:
        steps = _stage_all(root, files, changes, staging)
        is_one = len(steps) + len(changes.removed) <= 1
        if is_one:
            _replace_all(root, steps, changes)
        else:
            try:
                journal.begin(root, steps, changes.removed)
            finally:
                if (root / JOURNAL).exists():
                    # Whatever happens now, the next command needs the temporary files.
                    staging.pop_all()
            _replace_all(root, steps, changes)
    sync(folders_of(root, (*changes.written, *changes.removed)), while_placed)
    if not is_one:
        journal.end(root)


def _what_follows(root: Path) -> str:
    is_begun = os.path.lexists(root / JOURNAL)
    return "; the next command of tschema goes on from there" if is_begun else ""


def finish_interrupted(root: Path) -> int:
    """
    Finish the writes that a killed run or a failing disk has left incomplete below a folder.

    Parameters
    ----------
    root
        The folder that the run wrote to.

    Returns
    -------
    count
        The number of files that were put in place or removed; 0 if nothing was left.

    Raises
    ------
    OutputError
        It cannot be finished, or a file was saved in between.
    """
    if not os.path.lexists(root / JOURNAL):
        return 0
    with reported(root), lock_for_writing(root):
        return journal.finish(root)


def put_result(place: Path, data: bytes) -> None:
    """Write a file that a program has made to read the result from; no one else knows of it.

    Raises
    ------
    OutputError
        It cannot be written.
    """
    with reported(place.parent):
        place.write_bytes(data)


def find_leftovers(root: Path, paths: Iterable[PurePosixPath]) -> list[Path]:
    """Return the temporary files that a killed run has left beside some files."""
    places = {root / path for path in paths}
    folders = {place.resolve().parent for place in places if place.is_symlink()}
    folders |= {folder.resolve() for folder in {place.parent for place in places}}
    return [left for folder in sorted(folders) for left in temporary_files(folder)]


def is_vacant(folder: Path) -> bool:
    """Return whether a folder has no files but those that a killed run has left."""
    if not folder.is_dir():
        return False
    files = (entry for entry in folder.rglob("*") if entry.is_symlink() or not entry.is_dir())
    return all(map(is_temporary, files))


def _stage_all(
    root: Path,
    files: Mapping[PurePosixPath, bytes],
    changes: Changes,
    clean_up: contextlib.ExitStack,
) -> list[journal.Step]:
    """Bring temporary files to the disk; return the renames, in their order."""
    steps: list[journal.Step] = []
    staged: list[tuple[Path, Path]] = []
    last = {path: files[path] for path in changes.written}
    for turn, contents in ((1, changes.interim), (2, last)):
        for path, data in contents.items():
            staged.append(_stage(root / path, data, turn, clean_up))
            steps.append(journal.Step(str(path), turn))
    sync(staged)
    return steps


def _replace_all(root: Path, steps: Iterable[journal.Step], changes: Changes) -> None:
    """Rename the temporary files, and remove stale files and the folders that went empty."""
    for step in steps:
        place = (root / step.path).resolve()
        os.replace(temporary_of(place, step.turn), place)
    for path in changes.removed:
        (root / path).unlink(missing_ok=True)
    for path in changes.removed:
        remove_empty_parents(root, path)


def _outstanding(
    root: Path,
    files: Mapping[PurePosixPath, bytes],
    changes: Changes,
    old: Mapping[PurePosixPath, bytes],
) -> Changes:
    """Return the changes that are still due; raise an error if a file has other contents."""
    now = _read_files(root, {**files, **old})
    for path in {**files, **old}:
        if now.get(path) not in (old.get(path), files.get(path)):
            raise OutputError(f"`{path}` has changed while tschema ran: run it again")
    written = tuple(path for path in changes.written if now.get(path) != files[path])
    return Changes(
        written,
        tuple(path for path in changes.removed if path in now),
        {path: data for path, data in changes.interim.items() if path in written},
    )


def _check_writable(root: Path, changes: Changes) -> None:
    """Reject read-only files and folders, for the superuser too."""
    for path in (*changes.written, *changes.removed):
        place = (root / path).resolve()
        folder = next(parent for parent in place.parents if parent.exists())
        for one, what in ((place, "the file"), (folder, "its folder")):
            if one.exists() and not _is_writable(one):
                raise OutputError(f"cannot write `{path}`: {what} is read-only")


def _is_writable(place: Path) -> bool:
    return bool(place.stat().st_mode & _WRITABLE) and os.access(place, os.W_OK)


def _make_folder(folder: Path, clean_up: contextlib.ExitStack) -> None:
    """Make a folder and those above it; the clean-up removes what stayed empty."""
    missing = [one for one in (folder, *folder.parents) if not one.exists()]
    for one in reversed(missing):
        one.mkdir(exist_ok=True)
        clean_up.callback(remove_empty, one)
    if not folder.is_dir():
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(folder))


def _stage(
    place: Path, data: bytes, turn: int, clean_up: contextlib.ExitStack
) -> tuple[Path, Path]:
    """Write a temporary file beside its place; return both."""
    place = place.resolve()
    temporary = temporary_of(place, turn)
    try:
        _make_folder(place.parent, clean_up)
        clean_up.callback(remove, temporary)
        with open(temporary, "wb") as stream:
            stream.write(data)
        if place.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(place))
        if place.exists():
            _copy_owner_and_mode(place.stat(), temporary)
    except OSError as error:
        if error.filename in (None, str(temporary)):
            error.filename = str(place)
        raise
    return temporary, place


def _copy_owner_and_mode(status: os.stat_result, temporary: Path) -> None:
    own = temporary.stat()
    if (own.st_uid, own.st_gid) != (status.st_uid, status.st_gid):
        with contextlib.suppress(PermissionError):
            os.chown(temporary, status.st_uid, status.st_gid)
    temporary.chmod(stat.S_IMODE(status.st_mode))
