"""Files that need no formatting or no merging: those that a run has left behind as they are.

In: emitted texts, and what stands on disk.  Out: the files whose bytes a run with the same text has
left behind, because merging those with themselves changes nothing; and those without hand-written
written a byte, which a new text with the same blocks replaces.  It believes digests of all the
bytes, and no times.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath

from tschema.incremental.cache import Store, make_key
from tschema.regions.blocks import MarkedFile

__all__ = ["Settled"]


class Settled:
    """The notes of what runs have made of texts, and those that this run adds."""

    def __init__(self, store: Store) -> None:
        """Begin with what earlier runs have noted."""
        self._store = store
        self._keys: dict[PurePosixPath, bytes] = {}
        """Of every text that this run has emitted."""
        self._digests: dict[PurePosixPath, bytes] = {}
        """Of what stands on disk."""

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
        self._digests = {path: make_key(old[path]) for path in self._keys if path in old}
        return {
            path: old[path]
            for path, digest in self._digests.items()
            if self._store.get(self._keys[path]) == digest
        }

    def untouched(self, sealed: Mapping[PurePosixPath, MarkedFile]) -> set[PurePosixPath]:
        """
        Return the files that hold nothing of a person's, and the blocks that they are to have.

        Parameters
        ----------
        sealed
            What this run has made.
        """
        return {
            path
            for path, file in sealed.items()
            if path in self._digests
            and self._store.get(_untouched_key(path, self._digests[path])) == _names(file)
        }

    def note(
        self,
        files: Mapping[PurePosixPath, bytes],
        sealed: Mapping[PurePosixPath, MarkedFile],
    ) -> None:
        """
        Note what this run has made of the texts.

        Parameters
        ----------
        files
            The bytes of each file, now on disk.
        sealed
            The new files, before their custom regions are filled in.
        """
        for path, key in self._keys.items():
            if path not in files:
                continue
            digest = make_key(files[path])
            self._store.put(key, digest)
            if path in sealed and sealed[path].joined() == files[path]:
                self._store.put(_untouched_key(path, digest), _names(sealed[path]))


def _untouched_key(path: PurePosixPath, digest: bytes) -> bytes:
    return make_key("untouched", str(path), digest)


def _names(file: MarkedFile) -> bytes:
    """Return what stands for the blocks of a file."""
    return make_key(*sorted(file.blocks))
