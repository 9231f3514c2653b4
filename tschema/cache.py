"""What earlier runs worked out: bytes by key, in one file.

In: keys that are digests of what a value was made from.  Out: the value, if a run of the last few
has had it with the same tschema, dependencies and formatters.  A file that is broken counts as
empty, and one that cannot be written is not: a cache may miss at any time, and never decides what
a result is.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from tschema.state import CACHE_FOLDER, prepare_folder, tool_digest, write_atomically

__all__ = ["Store", "make_key", "open_store"]

_FILE_NAME = "store"
_MAGIC = b"tschema store 2\n"
_DIGEST_BYTES = 20
_HEAD = struct.Struct(f"<{len(_MAGIC)}s{_DIGEST_BYTES}sI")
"""What the file begins with: the magic, the digest of the tools, and a checksum of the entries."""
_ENTRY = struct.Struct(f"<{_DIGEST_BYTES}sBI")
"""Key, age and length of an entry; its value follows."""
_OLDEST = 4
"""Runs that an entry outlives without being asked for."""


def make_key(*parts: bytes | str) -> bytes:
    """Return the key of a value that is made from some parts."""
    state = sha256()
    for part in parts:
        data = part if isinstance(part, bytes) else part.encode("utf-8", "surrogatepass")
        state.update(b"%d:" % len(data))
        state.update(data)
    return state.digest()[:_DIGEST_BYTES]


class Store:
    """Values by key, in memory; `save` writes them."""

    def __init__(self, data: bytes = b"", maker: bytes = b"") -> None:
        """
        Read what `save` has written.

        Parameters
        ----------
        data
            The contents of the file; anything else counts as nothing.
        maker
            Digest of the tools that make the values; those of others count as nothing.
        """
        self._data = memoryview(data)
        self._maker = maker
        self._places = dict(_entries(data, maker))
        self._fresh: dict[bytes, bytes] = {}
        self._used: set[bytes] = set()

    def get(self, key: bytes) -> bytes | None:
        """Return a value, or None if it is not known."""
        if key in self._fresh:
            return self._fresh[key]
        place = self._places.get(key)
        if place is None:
            return None
        self._used.add(key)
        start, length, _ = place
        return bytes(self._data[start : start + length])

    def put(self, key: bytes, value: bytes) -> None:
        """Keep a value."""
        if self.get(key) != value:
            self._fresh[key] = value

    def save(self, root: Path) -> None:
        """Write the values into the cache of a project, if there is a new one."""
        if not self._fresh or not prepare_folder(str(root)):
            return
        pieces = [_ENTRY.pack(key, 0, len(data)) + data for key, data in self._fresh.items()]
        for key, (start, length, age) in self._places.items():
            now = 0 if key in self._used else age + 1
            if key not in self._fresh and now < _OLDEST:
                pieces.append(_ENTRY.pack(key, now, length))
                pieces.append(bytes(self._data[start : start + length]))
        body = b"".join(pieces)
        path = root / CACHE_FOLDER / _FILE_NAME
        write_atomically(str(path), _head(self._maker, body) + body)


def open_store(root: Path) -> Store:
    """Return what the cache of a project holds."""
    maker = tool_digest()
    try:
        return Store((root / CACHE_FOLDER / _FILE_NAME).read_bytes(), maker)
    except OSError:
        return Store(maker=maker)


def _head(maker: bytes, body: bytes | memoryview) -> bytes:
    return _HEAD.pack(_MAGIC, maker, zlib.crc32(body))


def _entries(data: bytes, maker: bytes) -> Iterator[tuple[bytes, tuple[int, int, int]]]:
    """Yield key, and start, length and age of the value; nothing if the file is broken."""
    at = _HEAD.size
    if data[:at] != _head(maker, memoryview(data)[at:]):
        return
    while at < len(data):
        key, age, length = _ENTRY.unpack_from(data, at)
        at += _ENTRY.size
        yield key, (at, length, age)
        at += length
