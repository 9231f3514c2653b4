"""The cache of compiled objects."""

from __future__ import annotations

from pathlib import Path

from . import _ffi_api

__all__ = ["cache_folder", "clear_cache"]


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


def clear_cache() -> None:
    """Remove all objects from the cache.

    Loaded modules go on to work.

    Raises
    ------
    RuntimeError
        If an object cannot be removed.
    """
    _ffi_api.clear_cache()
