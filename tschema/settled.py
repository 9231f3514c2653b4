"""Files that need no formatting and no merging: those that a run has made of the same text.

In: emitted texts, and what stands on disk.  Out: the files whose bytes a run with the same text has
left behind; merging those with themselves changes nothing.  It believes digests of all
the bytes, and no times.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath

from tschema.cache import Store, make_key

__all__ = ["Settled"]


class Settled:
    """The notes of what runs have made of texts, and those that this run adds."""

    def __init__(self, store: Store) -> None:
        """Begin with what earlier runs have noted."""
        self._store = store
        self._keys: dict[PurePosixPath, bytes] = {}
        """Of every text that this run has emitted."""

    def add(self, texts: Mapping[PurePosixPath, str]) -> dict[PurePosixPath, str]:
        """
        Take the texts of some files, each as the backends emit it.

        Returns
        -------
        new
            Those that no earlier run has made a file of.
        """
        for path, text in texts.items():
            self._keys[path] = make_key("settled", str(path), text)
        return {path: text for path, text in texts.items() if not self._store.get(self._keys[path])}

    def find(self, old: Mapping[PurePosixPath, bytes]) -> dict[PurePosixPath, bytes]:
        """
        Return the files that are as they should be.

        Parameters
        ----------
        old
            The bytes of those that exist.
        """
        return {
            path: old[path]
            for path, key in self._keys.items()
            if path in old and self._store.get(key) == make_key(old[path])
        }

    def note(self, files: Mapping[PurePosixPath, bytes]) -> None:
        """
        Note what this run has made of the texts.

        Parameters
        ----------
        files
            The bytes of each file, now on disk.
        """
        for path, key in self._keys.items():
            if path in files:
                self._store.put(key, make_key(files[path]))
