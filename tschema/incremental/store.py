"""Results of earlier runs, by a digest of all that each was made from.

In: the name of a task and its inputs.  Out: its result, made only if no run of the last few has
made it with the same tschema, dependencies and formatters.  SQLite keeps the results beside the
configuration.  A store that is corrupt, foreign, locked or not writable counts as an empty one: it
never decides what a result is, and can be deleted at any time.
"""

from __future__ import annotations

import os
import sqlite3
import zlib
from collections.abc import Callable, Iterable, Mapping
from hashlib import sha256
from pathlib import Path

from tschema.incremental.stamp import CACHE_FOLDER, prepare_folder, tool_digest

_FILE_NAME = "store"
_KEPT_RUNS = 4
"""Runs that a result outlives without being asked for."""
_SETUP = """
    PRAGMA synchronous = OFF;
    CREATE TABLE IF NOT EXISTS result (key BLOB PRIMARY KEY, run INT, checksum INT, value BLOB);
"""
"""A value stands last: SQLite passes over all that is before a column to read it."""


def make_key(*parts: bytes | str) -> bytes:
    """Return the digest of some parts, each with its length."""
    state = sha256()
    for part in parts:
        data = part if isinstance(part, bytes) else part.encode("utf-8", "surrogatepass")
        state.update(b"%d:" % len(data))
        state.update(data)
    return state.digest()[:20]


class Store:
    """Results by key: those of earlier runs, and new ones, which `save` writes."""

    def __init__(self, path: Path | None = None, maker: bytes = b"") -> None:
        """
        Open the results of earlier runs.

        Parameters
        ----------
        path
            A file that `save` has written; nothing is known where it is anything else.
        maker
            Digest of the tools that make the results; those of others are not found.
        """
        self._maker = maker
        self._fresh: dict[bytes, bytes] = {}
        self._used: set[bytes] = set()
        self._file = _open_file(path)

    def task(self, name: str, inputs: Iterable[bytes | str], make: Callable[[], bytes]) -> bytes:
        """
        Return the result of a task.

        Parameters
        ----------
        name
            What is done, and the settings that the result depends on.
        inputs
            All else that it depends on.
        make
            Does it, where the result is not known.
        """
        key = make_key(name, *inputs)
        known = self.get(key)
        if known is None:
            known = make()
            self._fresh[key] = known
        return known

    def get(self, key: bytes) -> bytes | None:
        """Return a result, or None if it is not known."""
        if key in self._fresh or self._file is None:
            return self._fresh.get(key)
        try:
            query = "SELECT value, checksum FROM result WHERE key = ?"
            row = self._file.execute(query, (self._stored(key),)).fetchone()
        except sqlite3.Error:
            return None
        if row is None or not isinstance(row[0], bytes) or row[1] != _checksum(key, row[0]):
            return None
        self._used.add(key)
        return row[0]

    def put(self, key: bytes, value: bytes) -> None:
        """Keep a result."""
        if self.get(key) != value:
            self._fresh[key] = value

    def put_all(self, results: Mapping[bytes, bytes]) -> None:
        """Keep results that were not known."""
        self._fresh.update(results)

    def is_empty(self) -> bool:
        """Return whether no earlier run has left anything."""
        return self._file is None

    def fresh(self) -> dict[bytes, bytes]:
        """Return what was put there since it was opened."""
        return dict(self._fresh)

    def save(self, root: Path) -> None:
        """Write new results into the cache of a project, and drop those that no run asks for."""
        if self._file is not None:
            self._file.close()
            self._file = None
        if not self._fresh or not prepare_folder(str(root)):
            return
        path = root / CACHE_FOLDER / _FILE_NAME
        try:
            self._write(path)
        except sqlite3.OperationalError:
            return  # Locked by another run, or not writable.
        except sqlite3.DatabaseError:
            path.unlink(missing_ok=True)

    def _write(self, path: Path) -> None:
        with _connect(path, "rwc") as file:
            file.executescript(_SETUP)
            run = (file.execute("SELECT max(run) FROM result").fetchone()[0] or 0) + 1
            rows = (
                (self._stored(key), run, _checksum(key, value), value)
                for key, value in self._fresh.items()
            )
            used = ((run, self._stored(key)) for key in self._used)
            file.executemany("UPDATE result SET run = ? WHERE key = ?", used)
            file.executemany(
                "INSERT OR REPLACE INTO result (key, run, checksum, value) VALUES (?, ?, ?, ?)",
                rows,
            )
            file.execute("DELETE FROM result WHERE run < ?", (run - _KEPT_RUNS,))
        file.close()

    def _stored(self, key: bytes) -> bytes:
        return make_key(self._maker, key)


def open_store(root: Path) -> Store:
    """Return what earlier runs of this tschema have left in the cache of a project."""
    return Store(root / CACHE_FOLDER / _FILE_NAME, tool_digest())


def _open_file(path: Path | None) -> sqlite3.Connection | None:
    if path is None or not path.is_file() or not os.access(path, os.R_OK):
        return None
    try:
        return _connect(path, "ro")
    except sqlite3.Error:
        return None


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode={mode}", timeout=0, uri=True)


def _checksum(key: bytes, value: bytes) -> int:
    return zlib.crc32(value, zlib.crc32(key))
