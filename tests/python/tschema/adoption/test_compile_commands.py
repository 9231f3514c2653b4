"""The commands of a project: read, cleaned, and chosen for a header."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tschema.adoption.compile_commands import find_database, nearest_command, read_database
from tschema.adoption.overlay import overlay
from tschema.adoption.syntax_check import _errors
from tschema.diagnostics.errors import SchemaError


def database(folder: Path, *entries: dict[str, object]) -> Path:
    path = folder / "compile_commands.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(entries))
    return path


def test_what_a_command_writes_is_left_out_and_paths_are_absolute(tmp_path: Path) -> None:
    build = tmp_path / "build"
    build.mkdir()
    (build / "flags.rsp").write_text("-I../generated -DB")
    command = (
        "ccache /usr/bin/g++ -DA -I../include -isystem ../deps -include ../pre.h @flags.rsp "
        "-MD -MT x.o -MF x.d -o x.o -c ../src/x.cc"
    )
    path = database(build, {"directory": str(build), "command": command, "file": "../src/x.cc"})
    (found,) = read_database(path)
    assert found.file == tmp_path / "src/x.cc"
    assert found.arguments == (
        "/usr/bin/g++", "-DA", f"-I{tmp_path}/include", "-isystem", f"{tmp_path}/deps",
        "-include", f"{tmp_path}/pre.h", f"-I{tmp_path}/generated", "-DB",
    )  # fmt: skip
    assert list(found.includes()) == [
        tmp_path / name for name in ("include", "deps", "pre.h", "generated")
    ]
    assert find_database(tmp_path) == path


def test_the_folder_build_comes_before_others(tmp_path: Path) -> None:
    other = database(tmp_path / "a-build")
    assert find_database(tmp_path) == other
    usual = database(tmp_path / "build")
    assert find_database(tmp_path) == usual


def test_a_header_is_compiled_as_the_nearest_source_that_reaches_it(tmp_path: Path) -> None:
    entries = [
        {"directory": str(tmp_path), "file": file, "arguments": ["c++", folder, file]}
        for file, folder in (("a/x.cc", "-Ia"), ("b/y.cc", "-Ib"), ("b/z.cc", "-Ib"))
    ]
    commands = read_database(database(tmp_path, *entries))
    for path, source in (("b/z.h", "b/z.cc"), ("a/other.h", "a/x.cc"), ("b/y.cc", "b/y.cc")):
        assert nearest_command(tmp_path / path, commands).file == tmp_path / source


@pytest.mark.parametrize("text", [None, "{", '[{"file": 1}]'])
def test_a_database_that_is_none(tmp_path: Path, text: str | None) -> None:
    path = tmp_path / "compile_commands.json"
    if text is not None:
        path.write_text(text)
    with pytest.raises(SchemaError) as refused:
        read_database(path)
    assert refused.value.diagnostics[0].code == "TS157"


def test_a_view_of_a_project_has_other_contents(tmp_path: Path) -> None:
    root = tmp_path / "src"
    for name in ("a/x.h", "a/y.h", "build/CMakeCache.txt", "b/old.h"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(name)
    (root / "b/link.h").symlink_to("../a/x.h")
    from pathlib import PurePosixPath as Pure

    files = {Pure("a/x.h"): b"new", Pure("c/d/z.h"): b"z"}
    with overlay(root, files, [Pure("b/old.h")]) as view:
        assert (view.top / "a/x.h").read_text() == "new"
        assert (view.top / "b/link.h").read_text() == "new"
        assert (view.top / "a/y.h").read_text() == "a/y.h"
        assert (view.top / "c/d/z.h").read_text() == "z"
        assert (view.top / "build").is_symlink()
        assert not (view.top / "b/old.h").exists()
        assert view.shown(f"-I{root}/a") == f"-I{view.top}/a"
        assert view.shown(f"-DX={root}") == f"-DX={view.top}"
        for other in (f"-I{root}2", f"-I/usr{root}/a", "-Wall"):
            assert view.shown(other) == other
        assert view.relative(f"{view.top}/b/../a/x.h") == Pure("a/x.h")
        assert view.relative("/usr/include/stdio.h") is None
        gone = view.top
    assert not gone.exists()
    assert (root / "a/x.h").read_text() == "a/x.h"


def test_errors_know_what_led_to_them() -> None:
    gcc = """\
In file included from /p/a.h:3,
                 from <stdin>:1:
/usr/include/x.h: In instantiation of 'void f()':
/p/a.h:9:5:   required from here
/usr/include/x.h:7:1: error: no member named 'q'
    7 | q
/p/a.h:12:1: fatal error: gone.h: No such file
"""
    first, second = _errors(gcc)
    assert first.text == "no member named 'q'"
    assert [(one.path, one.line) for one in first.places] == [
        ("/usr/include/x.h", 7), ("/p/a.h", 3), ("<stdin>", 1), ("/p/a.h", 9),
    ]  # fmt: skip
    assert (second.text, second.places[0].line) == ("gone.h: No such file", 12)
