"""The only writer: bytes for paths, all or nothing.

In: a root folder, the files to be there and the files to go.  Out: what was changed.  Everything is
in temporary files beside its place, and on the disk, before the first file is replaced; each is
replaced atomically, so that a kill at any moment leaves every file whole, old or new.  It knows
nothing of what the files hold.
"""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

__all__ = ["Changes", "OutputError", "compare", "read_outputs", "write"]


class OutputError(Exception):
    """An output cannot be read or written; its message names the path and the reason."""


@dataclass(frozen=True)
class Changes:
    """What a run changes on disk, or would change; paths are relative to the root."""

    written: tuple[PurePosixPath, ...]
    """New files, and those whose bytes differ."""
    removed: tuple[PurePosixPath, ...]

    def __bool__(self) -> bool:
        """Return whether anything changes."""
        return bool(self.written or self.removed)


def read_outputs(root: Path, paths: Iterable[PurePosixPath]) -> dict[PurePosixPath, bytes]:
    """
    Read those of some output files that exist.

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
    found: dict[PurePosixPath, bytes] = {}
    for path in paths:
        try:
            found[path] = (root / path).read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError as error:
            raise OutputError(f"cannot read `{path}`: {error.strerror}") from error
    return found


def compare(
    new: Mapping[PurePosixPath, bytes],
    old: Mapping[PurePosixPath, bytes],
) -> Changes:
    """
    Tell what makes the old files into the new ones.

    Parameters
    ----------
    new
        The files to be there.
    old
        The files that are there; those without a new one go.

    Returns
    -------
    changes
        The difference, each list sorted.
    """
    written = sorted(path for path, data in new.items() if old.get(path) != data)
    return Changes(tuple(written), tuple(sorted(set(old).difference(new))))


def write(root: Path, files: Mapping[PurePosixPath, bytes], changes: Changes) -> None:
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

    Raises
    ------
    OutputError
        A path leaves the root, or a file cannot be written; no file has changed then, but where
        the disk fails between the renames.
    """
    for path in (*changes.written, *changes.removed):
        _check_inside(root, path)
    staged: list[tuple[Path, Path]] = []
    try:
        for path in changes.written:
            staged.append(_stage(root / path, files[path]))
        for temporary, place in staged:
            os.replace(temporary, place)
        for path in changes.removed:
            (root / path).unlink()
    except OSError as error:
        name = os.path.relpath(error.filename or root, root)
        raise OutputError(f"cannot write `{name}`: {error.strerror}") from error
    finally:
        for temporary, _ in staged:
            with contextlib.suppress(OSError):
                temporary.unlink()
    _settle(root, changes)


def _check_inside(root: Path, path: PurePosixPath) -> None:
    real_root = root.resolve()
    if not (root / path).resolve().is_relative_to(real_root):
        raise OutputError(f"output path `{path}` is outside `{real_root}`")


def _stage(place: Path, data: bytes) -> tuple[Path, Path]:
    """Write a temporary file beside its place; return both."""
    place = place.resolve()
    place.parent.mkdir(parents=True, exist_ok=True)
    temporary = place.with_name(f".{place.name}.{os.getpid()}.tschema")
    try:
        with open(temporary, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        if place.exists():
            temporary.chmod(stat.S_IMODE(place.stat().st_mode))
    except OSError as error:
        temporary.unlink(missing_ok=True)
        error.filename = str(place)
        raise
    return temporary, place


def _settle(root: Path, changes: Changes) -> None:
    """Remove folders that went empty, and bring the renames to the disk."""
    for path in changes.removed:
        for parent in (root / path).parents:
            if parent == root:
                break
            try:
                parent.rmdir()
            except OSError:
                break
    folders = {(root / path).resolve().parent for path in changes.written}
    for folder in sorted(folders):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
