"""Results of earlier runs, by a digest of all that each was made from.

In: the name of a task and its inputs.  Out: its result, made only if no run of the last few has
made it with the same tschema, dependencies and formatters.  SQLite keeps the results beside the
configuration.  A store that is corrupt, foreign, locked or not writable counts as an empty one: it
never changes a result, and can be deleted at any time.
"""

from __future__ import annotations

import os
import sqlite3
import zlib
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing, suppress
from hashlib import sha256
from pathlib import Path

from tschema.incremental.stamp import CACHE_FOLDER, prepare_folder, tool_digest

_FILE_NAME = "store"
_KEPT_RUNS = 4
"""Runs that a result outlives without being asked for."""
_SETUP = """
    PRAGMA page_size = 32768;
    PRAGMA synchronous = OFF;
    PRAGMA journal_mode = MEMORY;
    CREATE TABLE IF NOT EXISTS result (key BLOB PRIMARY KEY, checksum INT, value BLOB);
    CREATE TABLE IF NOT EXISTS asked (key BLOB PRIMARY KEY, run INT) WITHOUT ROWID;
"""
"""The last run that asked for a key has its own table, so that SQLite need not rewrite the
value."""


def make_key(*parts: bytes | str) -> bytes:
    """Return the digest of some parts, each with its length."""
    pieces: list[bytes] = []
    for part in parts:
        data = part if isinstance(part, bytes) else part.encode("utf-8", "surrogatepass")
        pieces += (b"%d:" % len(data), data)
    return sha256(b"".join(pieces)).digest()[:20]


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
        # All at once: a query for each takes three times as long, most of it to lock the file.
        self._found = _read(path, maker)

    def task(self, name: str, inputs: Iterable[bytes | str], make: Callable[[], bytes]) -> bytes:
        """
        Return the result of a task.

        Parameters
        ----------
        name
            The name of the task, and the settings that the result depends on.
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
        row = self._found.get(self._stored(key)) if key not in self._fresh else None
        if row is None:
            return self._fresh.get(key)
        checksum, value = row
        if not isinstance(value, bytes) or checksum != _checksum(key, value):
            return None
        self._used.add(key)
        return value

    def put(self, key: bytes, value: bytes) -> None:
        """Keep a result."""
        if self.get(key) != value:
            self._fresh[key] = value

    def put_all(self, results: Mapping[bytes, bytes]) -> None:
        """Keep results that were not known."""
        self._fresh.update(results)

    def is_empty(self) -> bool:
        """Return whether no earlier run has left anything."""
        return not self._found

    def fresh(self) -> dict[bytes, bytes]:
        """Return the entries that were added since the store was opened."""
        return dict(self._fresh)

    def save(self, root: Path) -> None:
        """Write new results into the cache of a project, and drop those that no run asks for."""
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
        rows = (
            (self._stored(key), _checksum(key, value), value) for key, value in self._fresh.items()
        )
        with closing(_connect(path, "rwc")) as file, file:
            file.executescript(_SETUP)
            run = file.execute("SELECT coalesce(max(run), 0) + 1 FROM asked").fetchone()[0]
            asked = ((self._stored(key), run) for key in self._used | self._fresh.keys())
            file.executemany(
                "INSERT OR REPLACE INTO result (key, checksum, value) VALUES (?, ?, ?)", rows
            )
            file.executemany("INSERT OR REPLACE INTO asked VALUES (?, ?)", asked)
            old = (run - _KEPT_RUNS,)
            file.execute(
                "DELETE FROM result WHERE key IN (SELECT key FROM asked WHERE run < ?)", old
            )
            file.execute("DELETE FROM asked WHERE run < ?", old)

    def _stored(self, key: bytes) -> bytes:
        return self._maker + key


def open_store(root: Path) -> Store:
    """Return what earlier runs of this tschema have left in the cache of a project."""
    return Store(root / CACHE_FOLDER / _FILE_NAME, tool_digest())


def _read(path: Path | None, maker: bytes) -> dict[bytes, tuple[object, object]]:
    """Return the checksum and the value of each result of a maker; those that can be read."""
    found: dict[bytes, tuple[object, object]] = {}
    if path is None or not path.is_file() or not os.access(path, os.R_OK):
        return found
    query = "SELECT key, checksum, value FROM result WHERE substr(key, 1, ?) = ?"
    with suppress(sqlite3.Error), closing(_connect(path, "ro")) as file:
        for key, checksum, value in file.execute(query, (len(maker), maker)):
            found[key] = (checksum, value)
    return found


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode={mode}", timeout=0, uri=True)


def _checksum(key: bytes, value: bytes) -> int:
    return zlib.crc32(value, zlib.crc32(key))
