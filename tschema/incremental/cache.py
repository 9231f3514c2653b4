"""What earlier runs worked out: bytes by key, in one file.

In: keys that are digests of what a value was made from.  Out: the value, if a run of the last few
has had it with the same tschema, dependencies and formatters.  A run adds what is new to the end of
the file, and which values it has had; now and then the file is written anew without those that
nobody asks for any more.  What is broken counts as missing, and a file that cannot be written is
not: a cache may miss at any time, and never decides what a result is.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path

from tschema.incremental.stamp import CACHE_FOLDER, prepare_folder, tool_digest, write_atomically

__all__ = ["Store", "make_key", "open_store"]

_FILE_NAME = "store"
_MAGIC = b"tschema store 3\n"
_DIGEST_BYTES = 20
_RUN = struct.Struct("<IIIQ")
"""What a run has added: a checksum of the counts and all keys, how many values it has had from
others and how many are new, and the bytes of the new values.  The keys follow, then the values."""
_ENTRY = struct.Struct(f"<{_DIGEST_BYTES}sBII")
"""Key, age, length and checksum of a new value."""
_OLDEST = 4
"""Runs that an entry outlives without being asked for."""
_MOST_RUNS = 12
"""Runs after which the file is written anew."""


def make_key(*parts: bytes | str) -> bytes:
    """Return the key of a value that is made from some parts."""
    state = sha256()
    for part in parts:
        data = part if isinstance(part, bytes) else part.encode("utf-8", "surrogatepass")
        state.update(b"%d:" % len(data))
        state.update(data)
    return state.digest()[:_DIGEST_BYTES]


_Place = tuple[int, int, int, int]
"""Start, length and checksum of a value, and the number of the run that has last asked for it."""


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
        self._head = _MAGIC + maker
        self._places: dict[bytes, _Place] = {}
        self._fresh: dict[bytes, bytes] = {}
        self._used: set[bytes] = set()
        self._runs = 0
        self._is_whole = self._read(data)

    def is_empty(self) -> bool:
        """Return whether no run has left anything."""
        return not self._places

    def fresh(self) -> dict[bytes, bytes]:
        """Return what was put there since it was read."""
        return dict(self._fresh)

    def get(self, key: bytes) -> bytes | None:
        """Return a value, or None if it is not known."""
        if key in self._fresh:
            return self._fresh[key]
        place = self._places.get(key)
        if place is None:
            return None
        start, length, checksum, asked = place
        value = bytes(self._data[start : start + length])
        if self._runs - asked > _OLDEST or zlib.crc32(value) != checksum:
            return None
        self._used.add(key)
        return value

    def put(self, key: bytes, value: bytes) -> None:
        """Keep a value."""
        if self.get(key) != value:
            self._fresh[key] = value

    def save(self, root: Path) -> None:
        """Write the values into the cache of a project, if there is a new one."""
        if not self._fresh or not prepare_folder(str(root)):
            return
        path = str(root / CACHE_FOLDER / _FILE_NAME)
        if not self._is_whole or self._runs >= _MOST_RUNS:
            write_atomically(path, self._head + _pack((), self._kept() | self._new()))
        else:
            _append(path, _pack(self._used, self._new()))

    def _new(self) -> dict[bytes, tuple[int, bytes]]:
        return {key: (0, value) for key, value in self._fresh.items()}

    def _kept(self) -> dict[bytes, tuple[int, bytes]]:
        """Return age and bytes of the values in the file that a later run may need."""
        kept = {}
        for key, (start, length, _, asked) in self._places.items():
            age = 0 if key in self._used else self._runs - asked
            if age < _OLDEST:
                kept[key] = age, bytes(self._data[start : start + length])
        return kept

    def _read(self, data: bytes) -> bool:
        """Note where the values stand; return whether the file is as runs have left it."""
        if not data.startswith(self._head):
            return False
        at = len(self._head)
        while at < len(data):
            end = self._read_run(data, at)
            if end is None:
                return False
            at = end
        return True

    def _read_run(self, data: bytes, at: int) -> int | None:
        """Note what a run has added, and return where that ends; None if it is broken."""
        if at + _RUN.size > len(data):
            return None
        checksum, used, added, length = _RUN.unpack_from(data, at)
        keys = at + _RUN.size
        start = keys + used * _DIGEST_BYTES + added * _ENTRY.size
        end: int = start + length
        if end > len(data) or zlib.crc32(self._data[at + 4 : start]) != checksum:
            return None
        for first in range(keys, keys + used * _DIGEST_BYTES, _DIGEST_BYTES):
            key = data[first : first + _DIGEST_BYTES]
            known = self._places.get(key)
            if known is not None:
                self._places[key] = (*known[:3], self._runs)
        entries = self._data[keys + used * _DIGEST_BYTES : start]
        for key, age, size, value_checksum in _ENTRY.iter_unpack(entries):
            self._places[key] = start, size, value_checksum, self._runs - age
            start += size
        self._runs += 1
        return end


def open_store(root: Path) -> Store:
    """Return what the cache of a project holds."""
    maker = tool_digest()
    try:
        return Store((root / CACHE_FOLDER / _FILE_NAME).read_bytes(), maker)
    except OSError:
        return Store(maker=maker)


def _pack(used: Iterable[bytes], values: Mapping[bytes, tuple[int, bytes]]) -> bytes:
    """Return what a run adds: the keys that it has used, and new values with their ages."""
    used_keys = b"".join(used)
    entries = b"".join(
        _ENTRY.pack(key, age, len(value), zlib.crc32(value)) for key, (age, value) in values.items()
    )
    body = b"".join(value for _, value in values.values())
    counts = (len(used_keys) // _DIGEST_BYTES, len(values), len(body))
    head = _RUN.pack(0, *counts)[4:] + used_keys + entries
    return struct.pack("<I", zlib.crc32(head)) + head + body


def _append(path: str, data: bytes) -> None:
    """Add to a file in one go, which may as well fail: half of it counts as nothing."""
    try:
        with open(path, "ab", buffering=0) as stream:
            stream.write(data)
    except OSError:
        return
