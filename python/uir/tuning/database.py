"""Results of measurements in a file of SQLite, which any number of processes may write."""

from __future__ import annotations

import hashlib
import json
import math
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from types import TracebackType
from typing import Any

from .context import Context
from .shares import KernelTime
from .trace_line import check_trace

__all__ = ["OUTCOMES", "Database", "Row"]

FORMAT = 2
APPLICATION = 0x75697274
"""What SQLite stores as the application of a file: `uirt`."""

OUTCOMES = ("ok", "wrong", "refused", "crash", "timeout", "memory", "error")
SERIES = ("search", "confirm")

_TABLES = """
create table contexts (key text primary key, fields text not null);
create table rows (
  kernel text not null, trace text not null, context text not null, series text not null,
  outcome text not null, reason text not null, name text not null, ratio real,
  times text not null, against text not null, against_times text not null, digest text not null,
  primary key (kernel, trace, context, series)
);
create table shares (
  module text not null, kernel text not null, context text not null, name text not null,
  share real not null, peak real, primary key (module, kernel, context)
);
"""


@dataclass(frozen=True)
class Row:
    """The measurement of a candidate.

    Attributes
    ----------
    kernel
        The hash of the kernel.
    trace
        The candidate.
    context
        The key of its `Context`.
    series
        `search` for the first series of pairs, `confirm` for the second series of a winner.
    outcome
        `ok`, or why the candidate does not count: `wrong` values, `refused` by the compiler,
        `crash`, `timeout`, `memory` or `error`.
    reason
        Why it does not count, or how the pairs ended.
    name
        The name of the function.
    ratio
        The time relative to the recipes' choice; None if it was not measured.
    times
        Its times in seconds.
    against
        The candidate that it was timed in turns with.
    against_times
        The times of that one, pair by pair.
    """

    kernel: str
    trace: tuple[str, ...]
    context: str
    series: str
    outcome: str
    reason: str
    name: str
    ratio: float | None = None
    times: tuple[float, ...] = ()
    against: tuple[str, ...] = ()
    against_times: tuple[float, ...] = ()

    @property
    def digest(self) -> str:
        """A digest of all fields, by which an edited row is told."""
        return hashlib.sha256(json.dumps(asdict(self)).encode()).hexdigest()[:16]


class Database:
    """A file of measurements.

    Parameters
    ----------
    path
        The file, which is made if there is none.

    Attributes
    ----------
    skipped
        Why rows were left out, one message for each.

    Raises
    ------
    ValueError
        If the file is not such a database, is damaged, or has another format.
    OSError
        If the file cannot be opened.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.skipped: list[str] = []
        if path.exists() and not path.is_file():
            raise OSError(f"`{path}` is not a regular file")
        try:
            self._connection = sqlite3.connect(path, timeout=60, isolation_level=None)
        except sqlite3.OperationalError as error:
            raise OSError(f"`{path}`: {error}") from error
        try:
            self._open()
        except sqlite3.DatabaseError as error:
            self._connection.close()
            raise ValueError(f"`{path}` is not a database of tuning: {error}") from error
        except ValueError:
            self._connection.close()
            raise

    def __enter__(self) -> Database:
        """Return the database, which is closed at the end of the block."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the file."""
        self._connection.close()

    def add_context(self, context: Context) -> None:
        """Write a context, which rows name by its key.

        Parameters
        ----------
        context
            The context; nothing changes if it is there.
        """
        text = json.dumps(asdict(context), sort_keys=True)
        self._connection.execute(
            "insert or ignore into contexts values (?, ?)", (context.key, text)
        )

    def add(self, row: Row) -> None:
        """Write a row.

        Parameters
        ----------
        row
            The row, which replaces an earlier one of the same candidate and series.
        """
        values = [*(_stored(getattr(row, one.name)) for one in fields(Row)), row.digest]
        names = ", ".join([*(one.name for one in fields(Row)), "digest"])
        marks = ", ".join("?" * len(values))
        self._connection.execute(f"insert or replace into rows ({names}) values ({marks})", values)

    def add_times(
        self, module: str, context: str, times: Mapping[str, KernelTime], names: Mapping[str, str]
    ) -> None:
        """Write the profile of a module, all of it or none.

        Parameters
        ----------
        module
            A digest of its kernels.
        context
            The key of a context.
        times
            The times of kernels by hash.
        names
            The names of the kernels, by hash.
        """
        rows = [
            (module, kernel, context, names[kernel], one.share, one.peak)
            for kernel, one in times.items()
        ]
        self._connection.execute("begin immediate")
        self._connection.executemany("insert or replace into shares values (?,?,?,?,?,?)", rows)
        self._connection.execute("commit")

    def times(self, context: str, module: str | None = None) -> dict[str, KernelTime]:
        """Return the profile of a module; rows with impossible values are skipped.

        Parameters
        ----------
        context
            The key of a context.
        module
            The digest of its kernels; None for the last profile of each kernel.

        Returns
        -------
        times
            The times of kernels by hash.

        Raises
        ------
        ValueError
            If the file is damaged.
        """
        query = "select kernel, share, peak from shares where context = ?"
        given = [context]
        if module is not None:
            query += " and module = ?"
            given.append(module)
        made: dict[str, KernelTime] = {}
        for kernel, share, peak in self._read(f"{query} order by rowid", given):
            numbers = [share] if peak is None else [share, peak]
            if all(isinstance(one, float) and 0 <= one < math.inf for one in numbers):
                made[kernel] = KernelTime(share, peak)
            else:
                self.skipped.append(f"profile of kernel `{kernel}`: a number is out of range")
        return made

    def contexts(self) -> dict[str, Context]:
        """Return all contexts; those that were edited are skipped.

        Returns
        -------
        contexts
            The contexts by their keys.

        Raises
        ------
        ValueError
            If the file is damaged.
        """
        made: dict[str, Context] = {}
        for key, text in self._read("select key, fields from contexts order by key"):
            try:
                context = Context(**json.loads(text))
            except (TypeError, ValueError):  # No object of JSON, or one with other fields.
                context = None
            if context is not None and context.key == key:
                made[key] = context
            else:
                self.skipped.append(f"context `{key}` was edited")
        return made

    def rows(self, kernel: str | None = None, context: str | None = None) -> Iterator[Row]:
        """Yield rows in the order in which they were written; those that were edited are skipped.

        Parameters
        ----------
        kernel
            The hash of a kernel; None for all.
        context
            The key of a context; None for all.

        Yields
        ------
        row
            A row.

        Raises
        ------
        ValueError
            If the file is damaged.
        """
        names = ", ".join([*(one.name for one in fields(Row)), "digest"])
        wanted = {"kernel": kernel, "context": context}
        given = {column: value for column, value in wanted.items() if value is not None}
        where = " and ".join(["1", *(f"{column} = ?" for column in given)])
        query = f"select rowid, {names} from rows where {where} order by rowid"
        for number, *stored in self._read(query, list(given.values())):
            try:
                yield _row(stored)
            except (TypeError, ValueError) as error:
                self.skipped.append(f"row {number} of kernel `{stored[0]}`: {error}")

    def merge(self, other: Database) -> int:
        """Add the rows of another database that this one does not have.

        Parameters
        ----------
        other
            The other database.

        Returns
        -------
        count
            The number of new rows.

        Raises
        ------
        ValueError
            If one of the files is damaged.
        """
        known = {(row.kernel, row.trace, row.context, row.series) for row in self.rows()}
        for context in other.contexts().values():
            self.add_context(context)
        new = [r for r in other.rows() if (r.kernel, r.trace, r.context, r.series) not in known]
        for row in new:
            self.add(row)
        for stored in other._read("select * from shares"):
            self._connection.execute("insert or ignore into shares values (?,?,?,?,?,?)", stored)
        return len(new)

    def prune(self, context: str) -> int:
        """Remove the rows of all other contexts, and those that did not count.

        Parameters
        ----------
        context
            The key of the context to keep.

        Returns
        -------
        count
            The number of removed rows.
        """
        removed = self._connection.execute(
            "delete from rows where context != ? or outcome != 'ok'", (context,)
        ).rowcount
        self._connection.execute("delete from contexts where key != ?", (context,))
        self._connection.execute("delete from shares where context != ?", (context,))
        self._connection.execute("vacuum")
        return removed

    def _open(self) -> None:
        self._connection.execute("pragma journal_mode = wal")
        self._connection.execute("begin immediate")
        try:
            self._check_or_create()
            self._connection.execute("commit")
        except BaseException:
            self._connection.execute("rollback")
            raise

    def _check_or_create(self) -> None:
        (application,) = self._connection.execute("pragma application_id").fetchone()
        (version,) = self._connection.execute("pragma user_version").fetchone()
        (tables,) = self._connection.execute("select count(*) from sqlite_master").fetchone()
        if (application, version, tables) == (0, 0, 0):
            self._connection.execute(f"pragma application_id = {APPLICATION}")
            self._connection.execute(f"pragma user_version = {FORMAT}")
            for statement in _TABLES.split(";"):
                self._connection.execute(statement)
        elif application != APPLICATION:
            raise ValueError(f"`{self.path}` is a database of another program")
        elif version != FORMAT:
            raise ValueError(
                f"`{self.path}` has the format {version}, and this release reads {FORMAT}"
            )

    def _read(self, query: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        try:
            return self._connection.execute(query, values).fetchall()
        except sqlite3.DatabaseError as error:
            raise ValueError(f"`{self.path}` is damaged: {error}") from error


def _stored(value: object) -> object:
    return json.dumps(value) if isinstance(value, tuple) else value


def _list(name: str, text: object) -> tuple[Any, ...]:
    try:
        return tuple(json.loads(str(text)))
    except (TypeError, ValueError):
        raise ValueError(f"`{name}` was edited, and is not a list of JSON") from None


def _row(stored: Sequence[Any]) -> Row:
    """Return a row of its stored values.

    Raises
    ------
    TypeError, ValueError
        If the row was edited, or a field has a wrong value.
    """
    *values, digest = stored
    made: dict[str, Any] = dict(zip((one.name for one in fields(Row)), values, strict=True))
    for name in ("trace", "times", "against", "against_times"):
        made[name] = _list(name, made[name])
    row = Row(**made)
    if row.digest != digest:
        raise ValueError("it was edited")
    if row.outcome not in OUTCOMES or row.series not in SERIES:
        raise ValueError(f"unknown outcome `{row.outcome}` or series `{row.series}`")
    check_trace(row.trace)
    numbers = [*row.times, *row.against_times, *([] if row.ratio is None else [row.ratio])]
    if not all(isinstance(one, float) and math.isfinite(one) and one > 0 for one in numbers):
        raise ValueError("a time is not a positive number")
    return row
