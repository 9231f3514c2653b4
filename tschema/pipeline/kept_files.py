"""Files that need neither formatting nor merging.

In: emitted texts, and the files on disk.  Out: the files whose bytes an earlier run left behind for
the same text, as merging those with themselves changes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath

from tschema.incremental.stamp import content_digest
from tschema.incremental.store import Store, make_key

_Files = Mapping[PurePosixPath, bytes]


class KeptFiles:
    """What runs have left behind, by emitted text."""

    def __init__(self, store: Store) -> None:
        """Take results of earlier runs."""
        self._store = store
        self._keys: dict[PurePosixPath, bytes] = {}
        self._kept: dict[PurePosixPath, bytes] = {}
        """The digests of the files that stay."""
        self._standing: _Files = {}

    def unknown(self, texts: Mapping[PurePosixPath, str]) -> dict[PurePosixPath, str]:
        """Return those of the emitted texts that no earlier run has made a file of."""
        for path, text in texts.items():
            self._keys[path] = make_key("file", str(path), text)
        return {path: texts[path] for path in texts if self._store.get(self._keys[path]) is None}

    def find(self, standing: _Files) -> dict[PurePosixPath, bytes]:
        """Return the files that are as an earlier run left them for the texts of this one."""
        self._kept = {
            path: digest
            for path, key in self._keys.items()
            if path in standing
            and (digest := content_digest(standing[path])) == self._store.get(key)
        }
        self._standing = {path: standing[path] for path in self._kept}
        return dict(self._standing)

    def note(self, files: _Files) -> dict[PurePosixPath, bytes]:
        """Keep the files that this run leaves behind; return the digest of each file."""
        # A merge of git may bring hand-written code to a file that needs nothing else.
        stay = {path for path in self._kept if files.get(path) is self._standing[path]}
        digests = {
            path: self._kept[path] if path in stay else content_digest(files[path])
            for path in files
        }
        for path, key in self._keys.items():
            if path in files and path not in stay:
                self._store.put(key, digests[path])
        return digests
