"""A lock on a project's folder: many readers, or one writer.

In: a folder.  Out: a context manager that excludes other runs. The lock is the system's (`flock`)
on the folder itself, so that no file is left behind and the lock of a dead process is released. If
the file system cannot lock folders, a file in the system's temporary folder is locked instead.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def lock_for_reading(folder: Path) -> Iterator[None]:
    """
    Keep other runs from writing below a folder.

    Parameters
    ----------
    folder
        The folder; nothing is done where there is none.
    """
    with _locked(folder, fcntl.LOCK_SH) if folder.is_dir() else contextlib.nullcontext():
        yield


@contextlib.contextmanager
def lock_for_writing(folder: Path) -> Iterator[None]:
    """
    Wait until other runs neither read nor write below a folder, and keep them from it.

    Parameters
    ----------
    folder
        The folder, which exists.
    """
    with _locked(folder, fcntl.LOCK_EX):
        yield


@contextlib.contextmanager
def _locked(folder: Path, kind: int) -> Iterator[None]:
    descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, kind)
    except OSError:
        os.close(descriptor)
        flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
        descriptor = os.open(_stand_in(folder), flags, 0o600)
        fcntl.flock(descriptor, kind)
    try:
        yield
    finally:
        os.close(descriptor)


def _stand_in(folder: Path) -> str:
    """Return the file that is locked for a folder whose file system locks no folders."""
    name = hashlib.sha256(os.fsencode(folder.resolve())).hexdigest()[:16]
    return os.path.join(tempfile.gettempdir(), f"tschema-{os.getuid()}-{name}.lock")
