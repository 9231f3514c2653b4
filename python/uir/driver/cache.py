"""The cache of compiled objects, and of the measured peaks of this machine."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from . import _ffi_api

__all__ = ["PEAKS", "cache_folder", "cache_size", "clear_cache"]

PEAKS = "peak-"
"""How the names of the files with peaks begin."""


def cache_folder() -> Path | None:
    """Return the folder of the cache of compiled objects.

    It is the environment variable `UIR_CACHE_DIR`, else `.cache/uir` in the home folder. Only its
    owner may read or write it, and its least recently used objects are removed when it exceeds
    1 GiB, or `UIR_CACHE_LIMIT` bytes.

    Returns
    -------
    folder
        The path, which need not exist; None if there is no home folder.
    """
    folder = _ffi_api.cache_folder()
    return Path(folder) if folder else None


def cache_size() -> int:
    """Return the size of the files in the cache.

    Returns
    -------
    size
        Bytes; 0 if there is no cache.

    Raises
    ------
    OSError
        If the folder cannot be read.
    """
    folder = cache_folder()
    if folder is None or not folder.is_dir():
        return 0
    size = 0
    for path in folder.rglob("*"):
        # Another process may remove objects.
        with suppress(FileNotFoundError):
            size += path.lstat().st_size if path.is_file() else 0
    return size


def clear_cache() -> None:
    """Remove all objects from the cache, and the peaks of `machine_peak`.

    Loaded modules go on to work.

    Raises
    ------
    RuntimeError
        If an object cannot be removed.
    OSError
        If a peak cannot be removed.
    """
    _ffi_api.clear_cache()
    folder = cache_folder()
    for path in folder.glob(f"{PEAKS}*.json") if folder is not None else ():
        path.unlink(missing_ok=True)
