"""Compiled objects are kept by content, also if several build at once or the folder is damaged."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from uir.driver import cache_folder, clear_cache, compile_c, find_compiler

from ...support.c_texts import add_module, fake_compiler
from ...support.process import run_python

CC = find_compiler()[0]


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "some" / "cache"
    monkeypatch.setenv("UIR_CACHE_DIR", str(folder))
    return folder


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a file that gets a line whenever the compiler runs."""
    log = tmp_path / "runs"
    log.touch()
    compiler = fake_compiler(tmp_path, f'echo run >> {log}; exec {CC} "$@"')
    monkeypatch.setenv("UIR_CC", str(compiler))
    return log


def count(runs: Path) -> int:
    return len(runs.read_text().splitlines())


def entries(cache: Path) -> list[Path]:
    return sorted(cache.iterdir())


def result(constant: int) -> int:
    return int(compile_c(add_module(constant)).add(0, 0))


def test_the_second_build_compiles_nothing(cache: Path, runs: Path) -> None:
    assert result(11) == result(11) == 11
    assert count(runs) == 1
    (entry,) = entries(cache)
    assert sorted(path.name for path in entry.iterdir()) == ["file.digest", "module.c", "module.so"]
    assert (entry / "module.c").read_text() == add_module(11)
    assert cache.stat().st_mode & 0o777 == 0o700


def test_what_an_object_is_made_from_is_its_key(
    cache: Path, runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compile_c(add_module(12))
    compile_c(add_module(13))
    compile_c(add_module(12), ["-DX"])
    compile_c(add_module(12), constants=b"x")
    assert count(runs) == 4
    compiler = fake_compiler(tmp_path, f'echo run >> {runs}; exec {CC} "$@"')
    compiler.write_text(compiler.read_text().replace("fake 1", "fake 2"))
    compile_c(add_module(12))
    assert count(runs) == 5
    monkeypatch.setenv("UIR_CC", CC)
    compile_c(add_module(12))
    assert len(entries(cache)) == 6


@pytest.mark.parametrize("damage", ["truncate", "flip", "no digest", "no file", "empty"])
def test_a_damaged_entry_is_made_again(damage: str, cache: Path, runs: Path) -> None:
    constant = 20 + len(damage)
    # The file of a loaded library must stay as it is, so that another process loads it.
    code = "import sys; from uir.driver import compile_c; compile_c(sys.argv[1])"
    run_python(code, add_module(constant))
    (entry,) = entries(cache)
    library = entry / "module.so"
    content = library.read_bytes()
    if damage == "truncate":
        library.write_bytes(content[: len(content) // 2])
    elif damage == "flip":
        library.write_bytes(content[:5000] + bytes([content[5000] ^ 1]) + content[5001:])
    elif damage == "no digest":
        (entry / "file.digest").unlink()
    elif damage == "no file":
        library.unlink()
    else:
        for path in entry.iterdir():
            path.unlink()
    assert result(constant) == constant
    assert count(runs) == 2
    assert library.read_bytes() == content


def test_an_entry_that_is_no_folder(cache: Path, runs: Path) -> None:
    assert result(31) == 31
    (entry,) = entries(cache)
    shutil.rmtree(entry)
    entry.write_text("a file")
    assert result(31) == 31
    assert count(runs) == 2 and entry.is_dir()


def test_a_folder_that_others_may_write_is_not_used(cache: Path, runs: Path) -> None:
    cache.mkdir(parents=True)
    cache.chmod(0o777)
    assert result(32) == result(32) == 32
    assert count(runs) == 2 and entries(cache) == []


def test_a_cache_that_cannot_be_made(
    tmp_path: Path, runs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("UIR_CACHE_DIR", str(tmp_path / "file" / "cache"))
    assert result(33) == result(33) == 33
    assert count(runs) == 2
    clear_cache()


def test_without_a_home_there_is_no_cache(runs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("UIR_CACHE_DIR")
    monkeypatch.setenv("HOME", "/home/x")
    assert cache_folder() == Path("/home/x/.cache/uir")
    monkeypatch.delenv("HOME")
    assert cache_folder() is None
    assert result(34) == 34


READ_ONLY = """
import ctypes, sys
from uir.driver import compile_c
# Even root obeys the permissions of files from here on: it gives up all capabilities.
header, none = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)()
assert ctypes.CDLL(None).capset(header, none) == 0
for text in sys.argv[1:]:
    print(compile_c(text).add(0, 0))
"""


def test_a_read_only_cache(cache: Path, runs: Path) -> None:
    """What is in it is used, and what is not is compiled elsewhere."""
    assert result(35) == 35
    cache.chmod(0o500)
    try:
        assert run_python(READ_ONLY, add_module(35), add_module(36)) == "35\n36\n"
    finally:
        cache.chmod(0o700)
    assert count(runs) == 2 and len(entries(cache)) == 1


def test_the_least_recently_used_go(
    cache: Path, runs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for constant in (41, 42, 43):
        compile_c(add_module(constant))
    used: dict[str, Path] = {}
    for age, entry in enumerate(entries(cache)):
        used[(entry / "module.c").read_text()] = entry
        os.utime(entry, (age, age))
    compile_c(add_module(41))
    size = sum(path.stat().st_size for path in used[add_module(41)].iterdir())
    monkeypatch.setenv("UIR_CACHE_LIMIT", str(2 * size + 100))
    compile_c(add_module(44))
    kept = {(entry / "module.c").read_text() for entry in entries(cache)}
    assert kept == {add_module(41), add_module(44)}
    monkeypatch.setenv("UIR_CACHE_LIMIT", "0")
    assert result(45) == 45
    assert [(e / "module.c").read_text() for e in entries(cache)] == [add_module(45)]


def test_a_wrong_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UIR_CACHE_LIMIT", "1 GB")
    with pytest.raises(ValueError, match="`UIR_CACHE_LIMIT` must be a number of bytes, got `1 GB`"):
        compile_c(add_module(46))


def test_clear_cache_removes_what_is_its_own(cache: Path) -> None:
    module = compile_c(add_module(51))
    with pytest.raises(RuntimeError):
        compile_c("no C")
    (cache / "notes.txt").write_text("mine")
    (cache / "work-now").mkdir()
    (cache / "work-old").mkdir()
    os.utime(cache / "work-old", (1, 1))
    clear_cache()
    assert [path.name for path in entries(cache)] == ["notes.txt", "work-now"]
    assert module.add(1, 1) == 53
    module.write_to_file(str(cache / "again.so"))
    assert result(51) == 51


def test_threads_build_the_same_and_others(cache: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(result, [61, 62] * 8)) == [61, 62] * 8
    assert len(entries(cache)) == 2


PROCESS = """
import sys
from uir.driver import clear_cache, compile_c
for i in range(30):
    if i % 3 == 0 and sys.argv[2] == "clear":
        clear_cache()
    assert compile_c(sys.argv[1]).add(0, 0) == 71
"""


def test_processes_build_while_another_clears(cache: Path) -> None:
    command = [sys.executable, "-c", PROCESS, add_module(71)]
    started = [
        subprocess.Popen([*command, what], stderr=subprocess.PIPE, text=True)
        for what in ("build", "build", "clear")
    ]
    for process in started:
        _, error = process.communicate(timeout=120)
        assert process.returncode == 0, error
    assert not [path for path in entries(cache) if path.name.startswith("work-")]
