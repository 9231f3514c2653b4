"""Files that need neither formatting nor merging.

In: emitted texts, and what stands on disk.  Out: the files whose bytes are what an earlier run left
behind for the same text, as merging those with themselves changes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath

from tschema.incremental.store import Store, make_key

_Files = Mapping[PurePosixPath, bytes]


class KeptFiles:
    """What runs have left behind, by emitted text."""

    def __init__(self, store: Store) -> None:
        """Take results of earlier runs."""
        self._store = store
        self._keys: dict[PurePosixPath, bytes] = {}
        self._kept: dict[PurePosixPath, bytes] = {}

    def unknown(self, texts: Mapping[PurePosixPath, str]) -> dict[PurePosixPath, str]:
        """Return those of the emitted texts that no earlier run has made a file of."""
        for path, text in texts.items():
            self._keys[path] = make_key("file", str(path), text)
        return {path: texts[path] for path in texts if self._store.get(self._keys[path]) is None}

    def find(self, standing: _Files) -> dict[PurePosixPath, bytes]:
        """Return the files that stand as an earlier run left them for the texts of this one."""
        self._kept = {
            path: standing[path]
            for path, key in self._keys.items()
            if path in standing and self._store.get(key) == make_key(standing[path])
        }
        return self._kept

    def note(self, files: _Files) -> None:
        """Keep what this run leaves behind."""
        for path, key in self._keys.items():
            if path in files and path not in self._kept:
                self._store.put(key, make_key(files[path]))
