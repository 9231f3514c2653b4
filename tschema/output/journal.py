"""The journal of a write: the files about to be put in place, so that a kill leaves no half.

In: a root, its temporary files and the files that are to go.  Out: a file in the root, which is
there from the moment when all new contents are on the disk until all of them are in place.  While
it is there, the next command finishes the listed steps; before, nothing has changed.  A file that
an editor saved in between keeps its contents.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

import msgspec
from msgspec import Struct

from tschema.incremental.stamp import JOURNAL, content_digest
from tschema.output.disk import (
    OutputError,
    check_inside,
    folders_of,
    remove,
    remove_empty_parents,
    sync,
    temporary_of,
)

INTERRUPTED_SUFFIX = ".interrupted"
"""Suffix of a file with the text of an interrupted run for a file that was saved since."""


class Step(Struct, frozen=True, array_like=True):
    """A file that is put in its place."""

    path: str
    """Relative to the root."""
    turn: int
    """Which of the temporary files of the place has its contents."""


class _Journal(Struct, frozen=True, forbid_unknown_fields=True):
    version: int
    steps: tuple[Step, ...]
    removed: tuple[str, ...]
    states: dict[str, tuple[str, ...]]
    """By path, the digests of the texts that the run has or found there; empty for no file."""


def begin(root: Path, steps: Sequence[Step], removed: Sequence[PurePosixPath]) -> None:
    """
    Promise to put temporary files in their places and to remove files.

    Parameters
    ----------
    root
        The folder, which this process has locked for writing.
    steps
        The files to put in place, in order.  The temporary files are on the disk.
    removed
        What goes, after that.
    """
    states: dict[str, list[str]] = {}
    for path in dict.fromkeys([*(step.path for step in steps), *map(str, removed)]):
        states[path] = [_digest((root / path).resolve())]
    for step in steps:
        states[step.path].append(_digest(temporary_of((root / step.path).resolve(), step.turn)))
    known = {path: tuple(digests) for path, digests in states.items()}
    journal = _Journal(1, tuple(steps), tuple(map(str, removed)), known)
    place = root / JOURNAL
    temporary = temporary_of(place, 1)
    try:
        with open(temporary, "wb") as stream:
            stream.write(msgspec.json.encode(journal))
        sync([(temporary, place)])
        os.replace(temporary, place)
    except BaseException:
        remove(temporary)
        raise
    sync([(root, root)])


def end(root: Path) -> None:
    """Forget a promise that was kept."""
    (root / JOURNAL).unlink(missing_ok=True)


def finish(root: Path) -> int:
    """
    Finish the write that the journal in a folder lists, if there is one.

    Parameters
    ----------
    root
        The folder, which this process has locked for writing.

    Returns
    -------
    count
        The number of files that were put in place or removed.

    Raises
    ------
    OutputError
        The journal cannot be read, or a file has been saved since; all others are in place then.
    """
    remove(temporary_of(root / JOURNAL, 1))
    journal = _read(root)
    if journal is None:
        return 0
    paths = [PurePosixPath(path) for path in journal.states]
    for path in paths:
        check_inside(root, path)
    saved: list[str] = []
    count = sum(_place(root, step, journal, saved) for step in journal.steps)
    count += sum(_take_away(root, PurePosixPath(path), journal) for path in journal.removed)
    # Also the folders of files that the interrupted run had removed.
    for removed in journal.removed:
        remove_empty_parents(root, PurePosixPath(removed))
    sync(folders_of(root, paths))
    end(root)
    if saved:
        listed = ", ".join(f"`{path}`" for path in sorted(set(saved)))
        raise OutputError(
            f"an interrupted run was finished, but {listed} had been saved since and was left"
            f" alone: the text of the run is beside it, with the suffix `{INTERRUPTED_SUFFIX}`"
        )
    return count


def _read(root: Path) -> _Journal | None:
    place = root / JOURNAL
    try:
        journal = msgspec.json.decode(place.read_bytes(), type=_Journal)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise OutputError(f"cannot read `{place}`: {error.strerror}") from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise _foreign(place, str(error)) from error
    named = {*(step.path for step in journal.steps), *journal.removed}
    if journal.version != 1 or named != journal.states.keys():
        raise _foreign(place, "another version of tschema wrote it")
    return journal


def _foreign(place: Path, why: str) -> OutputError:
    return OutputError(
        f"`{place}` is not a list of files that an interrupted run left: {why}; look at the files"
        " beside it, and delete it"
    )


def _place(root: Path, step: Step, journal: _Journal, saved: list[str]) -> bool:
    """Put one file in its place, unless that was done; note a place that has other contents."""
    place = (root / step.path).resolve()
    temporary = temporary_of(place, step.turn)
    if not temporary.is_file():
        return False
    if _digest(place) not in journal.states[step.path]:
        os.replace(temporary, place.with_name(place.name + INTERRUPTED_SUFFIX))
        saved.append(step.path)
        return False
    os.replace(temporary, place)
    return True


def _take_away(root: Path, path: PurePosixPath, journal: _Journal) -> bool:
    """Remove one file, unless that was done or it has other contents."""
    place = root / path
    if not place.is_file() or _digest(place) not in journal.states[str(path)]:
        return False
    place.unlink()
    return True


def _digest(place: Path) -> str:
    try:
        return content_digest(place.read_bytes()).hex()
    except (FileNotFoundError, NotADirectoryError):
        return ""
