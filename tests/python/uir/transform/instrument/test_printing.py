"""Printing and dumping modules around passes, and checking them."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from uir.ir import GlobalVar, IRModule
from uir.tir import Evaluate, PrimFunc, Var
from uir.transform import (
    DumpToFolder,
    PassContext,
    PrintAfter,
    PrintBefore,
    Sequential,
    VerifyEach,
    module_pass,
)


@module_pass(opt_level=0, name="AddOne")
def add_one(module: IRModule, _context: PassContext) -> IRModule:
    return module.with_function(f"f{len(module)}", PrimFunc([], Evaluate(Var("x", "int32"))))


@module_pass(opt_level=0, name="Keep/it")
def keep(module: IRModule, _context: PassContext) -> IRModule:
    return module


def count(module: IRModule) -> str:
    return f"{len(module)} functions"


def test_print_before_and_after(capsys: pytest.CaptureFixture[str]) -> None:
    instruments = [PrintBefore(script=count), PrintAfter(script=count)]
    with PassContext(instruments=instruments):
        add_one(IRModule())
    assert capsys.readouterr().out == (
        "# before AddOne\n0 functions\n\n# after AddOne\n1 functions\n\n"
    )


def test_print_of_some_passes_into_a_stream() -> None:
    stream = io.StringIO()
    with PassContext(instruments=[PrintAfter(["Keep/it"], stream=stream, script=count)]):
        Sequential([add_one, keep, add_one])(IRModule())
    assert stream.getvalue() == "# after Keep/it\n1 functions\n\n"


def test_the_script_is_printed_by_default() -> None:
    stream = io.StringIO()
    with PassContext(instruments=[PrintAfter(stream=stream)]):
        add_one(IRModule())
    assert "def f0" in stream.getvalue()


def test_dump_numbers_the_files(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "dump"
    with PassContext(instruments=[DumpToFolder(folder, script=count)]):
        Sequential([add_one, keep], name="all")(IRModule())
    files = {path.name: path.read_text() for path in folder.iterdir()}
    assert files == {
        "000_input.py": "# DumpToFolder: before all\n0 functions\n",
        "001_AddOne.py": "# DumpToFolder: after AddOne\n1 functions\n",
        "002_Keep_it.py": "# DumpToFolder: after Keep/it\n1 functions\n",
        "003_all.py": "# DumpToFolder: after all\n1 functions\n",
    }


def test_dump_removes_what_it_wrote_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "000_mine.py").write_text("mine")
    dump = DumpToFolder(tmp_path, script=count)
    for pipeline in (Sequential([add_one, keep]), add_one):
        with PassContext(instruments=[dump]):
            pipeline(IRModule())
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["000_input.py", "000_mine.py", "001_AddOne.py"]


def test_verify_names_the_pass_that_broke_the_module() -> None:
    with (
        pytest.raises(ValueError, match="pass `AddOne` left an ill-formed module") as caught,
        PassContext(instruments=[VerifyEach()]),
    ):
        Sequential([keep, add_one])(IRModule())
    assert "variable `x` is not bound" in str(caught.value)


def test_verify_is_content_with_a_well_formed_module() -> None:
    x = Var("x", "int32")
    module = IRModule({GlobalVar("main"): PrimFunc([x], Evaluate(x))})
    with PassContext(instruments=[VerifyEach()]):
        assert keep(module).same_as(module)
