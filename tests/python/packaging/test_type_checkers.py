"""What type checkers say of a checkout, and of a project that finds tschema and uir in it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tschema.pipeline.new_project import new_project

from ..support.project import ROOT

pytestmark = [pytest.mark.deep, pytest.mark.long]

TYPED = """
from typing_extensions import assert_type

from uir import script
from uir.ir import BaseExpr, BaseFunc, IRModule

module = script.parse("text")
assert_type(module, IRModule)
assert_type(module["main"], BaseFunc)
assert_type(script.parse_function("text"), BaseFunc)
assert_type(script.parse_expr("text"), BaseExpr)
"""
WRONG = """
from uir import script

print(script.parse("text").body)
"""
SCHEMA = """
from typing_extensions import assert_type

from tschema import declare
from uir.schema.ir.expr import PrimExprNode
from uir.schema.ir.span import SpanNode
from uir.schema.tir.arith import AddNode


@declare
class ShiftNode(PrimExprNode):
    type_key = "toy.Shift"
    sum: AddNode


def look(node: ShiftNode, span: SpanNode) -> None:
    assert_type(node.sum, AddNode)
    assert_type(span.line, int)
    print(node.span, node.sum.a.dtype)
    print(node.sum.width)
"""
CHECKERS = {
    # Methods of declarations have bodies in C++.
    "mypy": ["--strict", "--disable-error-code=empty-body", "--cache-dir=cache"],
    "pyright": ["--pythonpath", sys.executable],
}


@pytest.mark.parametrize("checker", CHECKERS)
def test_a_project_has_the_types_of_its_schema_and_of_script(checker: str, tmp_path: Path) -> None:
    for path, content in new_project("toy").items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(content)
    (tmp_path / "typed.py").write_text(TYPED)
    (tmp_path / "wrong.py").write_text(WRONG)
    program = str(Path(sys.executable).parent / checker)
    command = [program, *CHECKERS[checker], "schema/shape.py", "typed.py", "wrong.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    (error,) = [line for line in done.stdout.splitlines() if "error:" in line]
    assert "wrong.py:4:" in error and '"body"' in error and "IRModule" in error


@pytest.mark.parametrize("checker", CHECKERS)
def test_a_schema_file_imports_the_schema_of_a_checkout(checker: str, tmp_path: Path) -> None:
    (tmp_path / "shift.py").write_text(SCHEMA)
    command = [str(Path(sys.executable).parent / checker), *CHECKERS[checker], "shift.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    (error,) = [line for line in done.stdout.splitlines() if "error:" in line]
    assert "shift.py:20:" in error and '"width"' in error and "AddNode" in error


def test_a_schema_file_of_a_checkout_is_right() -> None:
    pyright = Path(sys.executable).parent / "pyright"
    command = [str(pyright), "schema/ir/expr.py", "schema/tir/arith.py"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.stdout.startswith("0 errors, 0 warnings"), done.stdout
