"""The files below a folder, while other programs write there."""

from __future__ import annotations

import os
from pathlib import Path

from tschema.project.folders import read_files, read_regular_file


def test_files_come_with_their_contents(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner/b.py").write_bytes(b"b\r\n")
    (tmp_path / "a.py").write_bytes(b"a")
    (tmp_path / "a.md").write_bytes(b"page")
    found = list(read_files(str(tmp_path), (".py",)))
    assert found == [("a.py", b"a"), ("inner/b.py", b"b\r\n")]


def test_a_file_that_goes_while_others_are_read_is_left_out(tmp_path: Path) -> None:
    for name in ("a.py", "b.py", "c.py"):
        (tmp_path / name).write_bytes(name.encode())
    found = read_files(str(tmp_path))
    assert next(found) == ("a.py", b"a.py")
    (tmp_path / "b.py").unlink()
    assert list(found) == [("c.py", b"c.py")]


def test_pipes_and_links_to_nothing_are_left_out(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.py")
    (tmp_path / "link.py").symlink_to("nothing.py")
    assert list(read_files(str(tmp_path))) == []
    assert read_regular_file(str(tmp_path / "pipe.py")) is None


def test_the_first_bytes_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "a.h").write_bytes(b"abcdef")
    assert read_regular_file(str(tmp_path / "a.h"), 3) == b"abc"
