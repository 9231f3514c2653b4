"""The only writer: bytes for paths, all or nothing.

In: a root folder, the files to write and the files to remove. Out: the changes.  All new contents
are in temporary files next to their destinations, and synced, before the first file is replaced.
Each file is replaced atomically, so that a kill at any moment leaves every file complete, old or
new.  A lock excludes other runs (`lock.py`), and a file that changed after it was read is not
replaced. It does not know the contents of the files.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath

from msgspec import Struct, field

from tschema.incremental.stamp import TEMPORARY_SUFFIX
from tschema.output.lock import lock_for_reading, lock_for_writing

_TEMPORARY = f".{{}}{TEMPORARY_SUFFIX}"
"""Name of the temporary file of a file.  One writer at a time: it needs no number."""
_SYNCS = 8
"""Files that are brought to the disk at once."""
_WRITABLE = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH


class OutputError(Exception):
    """An output cannot be read or written; its message names the path and the reason."""


class Changes(Struct, frozen=True):
    """What a run changes on disk, or would change; paths are relative to the root."""

    written: tuple[PurePosixPath, ...]
    """New files, and those whose bytes differ."""
    removed: tuple[PurePosixPath, ...]
    interim: Mapping[PurePosixPath, bytes] = field(default_factory=dict)
    """What is written before everything else, so that text which moves to another file stands in
    one of the two at any moment."""

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
    Tell what makes the old files into the new ones.

    Parameters
    ----------
    new
        The files to be there.
    old
        The files that are there; those without a new one go.
    interim
        What is written before everything else.

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
        What the files held when they were read, all in one go; one that holds something else by
        now, whether it is to be written or not, stops the run.  Nothing is checked if None.
    while_placed
        Runs when all files are in their places, while the disk takes their names.

    Raises
    ------
    OutputError
        A path leaves the root, a file was saved meanwhile, or a file cannot be written; no file
        has changed then, but where the disk fails between the renames.
    """
    for path in (*changes.written, *changes.removed):
        _check_inside(root, path)
    with _reported(root), contextlib.ExitStack() as clean_up:
        _make_folder(root, clean_up)
        clean_up.enter_context(lock_for_writing(root))
        if old is not None:
            changes = _outstanding(root, files, changes, old)
        _check_writable(root, changes)
        for left in find_leftovers(root, (*files, *changes.removed)):
            _remove(left)
        staged = _stage_all(root, files, changes, clean_up)
        _sync(staged)
        _replace_all(root, staged, changes)
        _sync(_changed_folders(root, changes), while_placed)


def put_result(place: Path, data: bytes) -> None:
    """Write a file that a program has made to read the result from; no one else knows of it.

    Parameters
    ----------
    place
        The file.
    data
        The bytes.

    Raises
    ------
    OutputError
        It cannot be written.
    """
    with _reported(place.parent):
        place.write_bytes(data)


def find_leftovers(root: Path, paths: Iterable[PurePosixPath]) -> list[Path]:
    """Return the temporary files that a killed run has left beside some files."""
    places = {root / path for path in paths}
    folders = {place.resolve().parent for place in places if place.is_symlink()}
    folders |= {folder.resolve() for folder in {place.parent for place in places}}
    return [left for folder in sorted(folders) for left in folder.glob(_TEMPORARY.format("*"))]


def _stage_all(
    root: Path,
    files: Mapping[PurePosixPath, bytes],
    changes: Changes,
    clean_up: contextlib.ExitStack,
) -> list[tuple[Path, Path]]:
    """Write temporary files; return them with their places, in the order of the renames."""
    first = [_stage(root / path, data, 1, clean_up) for path, data in changes.interim.items()]
    last = [_stage(root / path, files[path], 2, clean_up) for path in changes.written]
    return [*first, *last]


def _replace_all(root: Path, staged: Iterable[tuple[Path, Path]], changes: Changes) -> None:
    """Rename the temporary files, and remove stale files and the folders that went empty."""
    for temporary, place in staged:
        os.replace(temporary, place)
    for path in changes.removed:
        (root / path).unlink(missing_ok=True)
    for path in changes.removed:
        for parent in (root / path).parents:
            if parent == root:
                break
            try:
                parent.rmdir()
            except OSError:
                break


@contextlib.contextmanager
def _reported(root: Path) -> Iterator[None]:
    """Say which output an error of the system is about."""
    try:
        yield
    except OSError as error:
        name = os.path.relpath(error.filename2 or error.filename or root, root)
        raise OutputError(f"cannot write `{name}`: {error.strerror}") from error


def _check_inside(root: Path, path: PurePosixPath) -> None:
    real_root = root.resolve()
    if not (root / path).resolve().is_relative_to(real_root):
        raise OutputError(f"output path `{path}` is outside `{real_root}`")


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
    return Changes(
        tuple(path for path in changes.written if now.get(path) != files[path]),
        tuple(path for path in changes.removed if path in now),
        changes.interim,
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
        clean_up.callback(_remove_empty, one)
    if not folder.is_dir():
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(folder))


def _stage(
    place: Path, data: bytes, turn: int, clean_up: contextlib.ExitStack
) -> tuple[Path, Path]:
    """Write a temporary file beside its place; return both."""
    place = place.resolve()
    temporary = place.with_name(_TEMPORARY.format(f"{place.name}.{turn}"))
    try:
        _make_folder(place.parent, clean_up)
        clean_up.callback(_remove, temporary)
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


def _remove(place: Path) -> None:
    with contextlib.suppress(OSError):
        place.unlink()


def _remove_empty(folder: Path) -> None:
    with contextlib.suppress(OSError):
        folder.rmdir()


def _changed_folders(root: Path, changes: Changes) -> list[tuple[Path, Path]]:
    """Return the folders whose entries have changed, each as it is and by name."""
    paths = (*changes.written, *changes.removed)
    folders = sorted({(root / path).resolve().parent for path in paths})
    return [(folder, folder) for folder in folders if folder.is_dir()]


def _sync(
    places: Sequence[tuple[Path, Path]], meanwhile: Callable[[], None] = lambda: None
) -> None:
    """
    Bring files and folders to the disk, several at once: a file system then does it in one go.

    Parameters
    ----------
    places
        What is on its way, and the name by which an error calls it.
    meanwhile
        Runs until the disk is done.
    """
    faults: list[BaseException] = []

    def work(share: Sequence[tuple[Path, Path]]) -> None:
        for place, name in share:
            try:
                _sync_one(place)
            except BaseException as error:  # Raised again, where the threads have come together.
                if isinstance(error, OSError):
                    error.filename = str(name)
                faults.append(error)

    count = min(_SYNCS, len(places))
    threads = [
        threading.Thread(target=work, args=(places[first::count],)) for first in range(count)
    ]
    for thread in threads:
        thread.start()
    try:
        meanwhile()
    finally:
        for thread in threads:
            thread.join()
    if faults:
        raise faults[0]


def _sync_one(place: Path) -> None:
    descriptor = os.open(place, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
