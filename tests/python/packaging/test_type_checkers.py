"""What type checkers say of a user's project, which finds tschema and uir in this checkout."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tschema.pipeline.new_project import new_project

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
