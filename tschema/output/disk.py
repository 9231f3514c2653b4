"""The requests of the writer and its journal to the file system.

In: places below a root.  Out: temporary names, checks, and data that is on the disk.  It does not
know the outputs of a run.
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path, PurePosixPath

from tschema.incremental.stamp import TEMPORARY_SUFFIX

_TEMPORARY = f".{{}}{TEMPORARY_SUFFIX}"
"""Name of the temporary file of a file.  One writer at a time: it needs no number."""
_SYNCS = 8
"""Files that are brought to the disk at once."""


class OutputError(Exception):
    """An output cannot be read or written; its message names the path and the reason."""


@contextlib.contextmanager
def reported(root: Path, then: Callable[[], str] = lambda: "") -> Iterator[None]:
    """
    Say which output an error of the system is about, and what follows from it.

    Raises
    ------
    OutputError
        The system refused something.
    """
    try:
        yield
    except OSError as error:
        name = os.path.relpath(error.filename2 or error.filename or root, root)
        raise OutputError(f"cannot write `{name}`: {error.strerror}{then()}") from error


def check_inside(root: Path, path: PurePosixPath) -> None:
    """Refuse a path that leaves the root, through a link either.

    Raises
    ------
    OutputError
        It does.
    """
    real_root = root.resolve()
    if not (root / path).resolve().is_relative_to(real_root):
        raise OutputError(f"output path `{path}` is outside `{real_root}`")


def temporary_of(place: Path, turn: int) -> Path:
    """Return the temporary file of a file, for its first or its second contents."""
    return place.with_name(_TEMPORARY.format(f"{place.name}.{turn}"))


def temporary_files(folder: Path) -> Iterator[Path]:
    """Yield the temporary files in a folder."""
    return folder.glob(_TEMPORARY.format("*"))


def is_temporary(place: Path) -> bool:
    """Return whether a file has the name of a temporary one."""
    return place.match(_TEMPORARY.format("*"))


def remove(place: Path) -> None:
    """Remove a file if it is there and the system lets it go."""
    with contextlib.suppress(OSError):
        place.unlink()


def remove_empty(folder: Path) -> None:
    """Remove a folder if it is empty."""
    with contextlib.suppress(OSError):
        folder.rmdir()


def remove_empty_parents(root: Path, path: PurePosixPath) -> None:
    """Remove the folders above a removed file that went empty, but not the root."""
    for parent in (root / path).parents:
        if parent == root:
            break
        try:
            parent.rmdir()
        except OSError:
            break


def folders_of(root: Path, paths: Sequence[PurePosixPath]) -> list[tuple[Path, Path]]:
    """Return the folders that hold some files, each as it is and by name."""
    folders = sorted({(root / path).resolve().parent for path in paths})
    return [(folder, folder) for folder in folders if folder.is_dir()]


def sync(places: Sequence[tuple[Path, Path]], meanwhile: Callable[[], None] = lambda: None) -> None:
    """
    Bring files and folders to the disk, several at once: a file system then does it in one go.

    Parameters
    ----------
    places
        The paths on their way to the disk, and their names in errors.
    meanwhile
        Runs until the disk is done.

    Raises
    ------
    OSError
        The system refused a file or a folder; its name is the given one.
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
