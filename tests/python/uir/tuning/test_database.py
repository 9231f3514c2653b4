"""Databases: whole rows in spite of kills, and damaged files that are refused by name."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from time import sleep

import pytest

from uir.tuning import Database, Row
from uir.tuning.shares import KernelTime

from .samples import CONTEXT

LINE = "ScheduleContraction: c: few_rows(rows=3, vectors=4, lanes=8, sum_block=8)"
ROW = Row(
    "a1",
    (LINE,),
    CONTEXT.key,
    "search",
    "ok",
    "faster",
    "main",
    0.5,
    (1.0, 2.0),
    (LINE,),
    (2.0, 4.0),
)


def filled(path: Path, count: int = 3) -> Database:
    database = Database(path)
    database.add_context(CONTEXT)
    for place in range(count):
        database.add(replace(ROW, kernel=f"a{place}"))
    return database


def test_rows_are_read_as_they_were_written(tmp_path: Path) -> None:
    with filled(tmp_path / "a.db") as database:
        failed = replace(ROW, kernel="b", outcome="crash", reason="SIGSEGV", ratio=None, times=())
        database.add(failed)
        database.add(replace(ROW, kernel="a0", reason="slower"))  # Another measurement of it.
    with Database(tmp_path / "a.db") as again:
        rows = {row.kernel: row for row in again.rows()}
        assert rows["a1"] == ROW and rows["b"] == failed and rows["a0"].reason == "slower"
        assert len(rows) == 4 and again.skipped == []
        assert again.contexts() == {CONTEXT.key: CONTEXT}
        assert [row.kernel for row in again.rows("a1", CONTEXT.key)] == ["a1"]
        assert list(again.rows("a1", "another context")) == []


WRITER = """
import sys
from dataclasses import replace
from pathlib import Path
from tests.python.uir.tuning.test_database import ROW, Database
with Database(Path(sys.argv[1])) as database:
    for place in range(100_000):
        database.add(replace(ROW, kernel=f"{sys.argv[2]}-{place}"))
        print(place, flush=True)
"""


def test_killed_writers_leave_whole_rows(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    logs = [tmp_path / name for name in ("one", "two")]
    writers = []
    for log in logs:
        with log.open("w") as output:
            command = [sys.executable, "-c", WRITER, str(path), log.name]
            writers.append(subprocess.Popen(command, stdout=output))
    for log, writer in zip(logs, writers, strict=True):
        while log.read_text().count("\n") < 30:
            assert writer.poll() is None
            sleep(0.02)
        os.kill(writer.pid, signal.SIGKILL)
        writer.wait()
    with Database(path) as database:
        found = {row.kernel for row in database.rows()}
        assert database.skipped == []
    for log in logs:
        said = [line for line in log.read_text().split("\n")[:-1] if line]
        assert {f"{log.name}-{place}" for place in said} <= found


def test_edited_rows_are_skipped_by_name(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with filled(path):
        pass
    with sqlite3.connect(path) as connection:
        connection.execute("update rows set ratio = 0.01 where kernel = 'a0'")
        connection.execute("update rows set trace = 'x' where kernel = 'a1'")
        connection.execute("update contexts set fields = '{}'")
    connection.close()
    with Database(path) as database:
        assert [row.kernel for row in database.rows()] == ["a2"]
        assert database.contexts() == {}
        assert database.skipped == [
            "row 1 of kernel `a0`: it was edited",
            "row 2 of kernel `a1`: `trace` was edited, and is not a list of JSON",
            f"context `{CONTEXT.key}` was edited",
        ]


@pytest.mark.parametrize(
    "changed",
    [
        {"trace": ("not a line",)},
        {"outcome": "fine"},
        {"times": (-1.0,)},
        {"times": ("1",)},
        {"ratio": 0.0},
    ],
    ids=str,
)
def test_rows_that_do_not_parse_are_skipped(tmp_path: Path, changed: dict[str, object]) -> None:
    with filled(tmp_path / "a.db") as database:
        database.add(replace(ROW, kernel="b", **changed))  # type: ignore[arg-type]
        assert [row.kernel for row in database.rows()] == ["a0", "a1", "a2"]
        assert len(database.skipped) == 1 and "kernel `b`" in database.skipped[0]


def test_other_files_are_refused(tmp_path: Path) -> None:
    text, other, older = (tmp_path / name for name in ("text.db", "other.db", "older.db"))
    text.write_text("a file of text, which is longer than the header of a database\n" * 20)
    with pytest.raises(ValueError, match=r"text.db` is not a database of tuning"):
        Database(text)
    with sqlite3.connect(other) as connection:
        connection.execute("create table rows (a)")
    connection.close()
    with pytest.raises(ValueError, match=r"other.db` is a database of another program"):
        Database(other)
    with filled(older):
        pass
    with sqlite3.connect(older) as connection:
        connection.execute("pragma user_version = 1")
    connection.close()
    with pytest.raises(ValueError, match=r"older.db` has the format 1, and this release reads 2"):
        Database(older)
    with pytest.raises(OSError, match="is not a regular file"):
        Database(tmp_path)


def test_a_truncated_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with filled(path, 200):
        pass
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with pytest.raises(ValueError, match=r"a.db` is (damaged|not a database)"):  # noqa: SIM117
        with Database(path) as database:
            list(database.rows())


def test_profiles_of_modules_are_kept(tmp_path: Path) -> None:
    first, second = KernelTime(0.75, 0.5), KernelTime(0.25)
    names = {"a": "f", "b": "g"}
    with filled(tmp_path / "a.db") as database, Database(tmp_path / "b.db") as other:
        database.add_times("module", CONTEXT.key, {"a": first, "b": second}, names)
        assert other.merge(database) == 3
        for one in (database, other):
            assert one.times(CONTEXT.key, "module") == {"a": first, "b": second}
            assert one.times(CONTEXT.key, "another") == one.times("another context") == {}
        other.add_times("another", CONTEXT.key, {"a": second}, names)
        assert other.times(CONTEXT.key) == {"a": second, "b": second}
    with sqlite3.connect(tmp_path / "a.db") as connection:
        connection.execute("update shares set share = -1.0 where kernel = 'a'")
        connection.execute("update shares set peak = 'x' where kernel = 'b'")
    connection.close()
    with Database(tmp_path / "a.db") as database:
        assert database.times(CONTEXT.key) == {}
        assert database.skipped == [
            f"profile of kernel `{kernel}`: a number is out of range" for kernel in "ab"
        ]
        database.prune("another context")
        assert database.times(CONTEXT.key) == {} and len(database.skipped) == 2


def test_merge_takes_new_rows_and_prune_keeps_those_of_a_context(tmp_path: Path) -> None:
    other_context = replace(CONTEXT, lowering=2)
    with filled(tmp_path / "a.db") as database, filled(tmp_path / "b.db", 5) as other:
        other.add_context(other_context)
        other.add(replace(ROW, context=other_context.key))
        other.add(replace(ROW, kernel="b", outcome="wrong"))
        assert database.merge(other) == 4
        assert database.merge(other) == 0
        assert {*database.contexts()} == {CONTEXT.key, other_context.key}
        assert database.prune(CONTEXT.key) == 2
        assert sorted(row.kernel for row in database.rows()) == [f"a{place}" for place in range(5)]
        assert {*database.contexts()} == {CONTEXT.key}
