"""Writing: all or nothing, nothing outside the root, nothing that did not change."""

from __future__ import annotations

import os
from pathlib import Path, PurePosixPath

import pytest

from tschema.output import files as output
from tschema.output.files import OutputError, compare, read_outputs, write

A, B, C = (PurePosixPath(name) for name in ("a.txt", "sub/b.txt", "old/c.txt"))


def put(root: Path, new: dict[PurePosixPath, bytes], *gone: PurePosixPath) -> None:
    write(root, new, compare(new, read_outputs(root, [*new, *gone])))


def test_files_are_written_and_removed_with_their_empty_folders(tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()
    (tmp_path / C).write_bytes(b"c")
    put(tmp_path, {A: b"a", B: b"b"}, C)
    assert (tmp_path / A).read_bytes() == b"a"
    assert (tmp_path / B).read_bytes() == b"b"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.txt", "sub"]


def test_an_unchanged_file_is_not_touched(tmp_path: Path) -> None:
    (tmp_path / A).write_bytes(b"a")
    os.utime(tmp_path / A, (1, 1))
    put(tmp_path, {A: b"a", B: b"b"})
    assert (tmp_path / A).stat().st_mtime == 1


def test_mode_bits_and_links_stay(tmp_path: Path) -> None:
    (tmp_path / "real.txt").write_bytes(b"old")
    (tmp_path / "real.txt").chmod(0o640)
    (tmp_path / A).symlink_to("real.txt")
    put(tmp_path, {A: b"new"})
    assert (tmp_path / A).is_symlink()
    assert (tmp_path / "real.txt").read_bytes() == b"new"
    assert (tmp_path / "real.txt").stat().st_mode & 0o777 == 0o640


def test_nothing_is_written_outside_the_root(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (root / "sub").symlink_to(tmp_path)
    for path in (B, PurePosixPath("../x.txt")):
        with pytest.raises(OutputError, match="is outside"):
            put(root, {A: b"a", path: b"b"})
    assert [path.name for path in root.iterdir()] == ["sub"]
    assert [path.name for path in tmp_path.iterdir()] == ["root"]


def test_a_failure_leaves_every_file_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / A).write_bytes(b"old")

    def fail(descriptor: int) -> None:
        if "b.txt" in os.readlink(f"/proc/self/fd/{descriptor}"):
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(output.os, "fsync", fail)
    with pytest.raises(OutputError, match=r"cannot write `sub/b\.txt`: No space left on device"):
        put(tmp_path, {A: b"new", B: b"b"})
    assert (tmp_path / A).read_bytes() == b"old"
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == ["a.txt"]


def test_what_runs_while_the_disk_takes_the_names_finds_all_files_in_place(tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()
    (tmp_path / C).write_bytes(b"c")
    new, found = {A: b"a", B: b"b"}, list[str]()

    def look() -> None:
        found.extend(str(one.relative_to(tmp_path)) for one in tmp_path.rglob("*") if one.is_file())

    write(tmp_path, new, compare(new, {C: b"c"}), while_placed=look)
    assert {"a.txt", "sub/b.txt"} <= set(found)
    assert "old/c.txt" not in found


def test_a_file_in_place_of_a_folder_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "sub").write_bytes(b"")
    with pytest.raises(OutputError, match="cannot write `sub`: File exists"):
        put(tmp_path, {B: b"b"})
