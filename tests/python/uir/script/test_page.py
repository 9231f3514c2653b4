"""What docs/compiler/script.md shows is script."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

import pytest

from uir import script

from ...support.process import run_python
from ...support.project import ROOT
from ...tschema.runtime.conftest import make_schema

PAGE = (ROOT / "docs" / "compiler" / "script.md").read_text()
BLOCKS = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
PROGRAMS = [block for block in BLOCKS if re.match(r"@(?!declare)|x = tir\.Var", block)]
BLOCK = next(block for block in BLOCKS if block.startswith("with tir.block"))
DECLARATIONS = """
i = tir.Var("i")
k = tir.Var("k")
A = tir.Buffer((16, 16), "float32")
B = tir.Buffer((16, 16), "float32")
C = tir.Buffer((16,), "float32")
"""


def check(text: str) -> None:
    printed = script.print(script.parse_value(text))
    assert script.print(script.parse_value(printed)) == printed


@pytest.mark.parametrize("text", PROGRAMS)
def test_programs(text: str) -> None:
    check(text)


def test_a_block() -> None:
    check(DECLARATIONS + BLOCK)


def test_a_declared_form(tmp_path: Path) -> None:
    (declaration,) = (block for block in BLOCKS if block.startswith("@declare"))
    head = "from tschema import declare, ty\nfrom uir.schema.ir.expr import PrimExprNode\n\n"
    schema = make_schema(tmp_path, head + declaration, package="toy", imports=("uir",))
    program = """
        import sys
        from tschema.runtime import load_types
        from uir import ir, script

        toy = load_types(sys.argv[1])
        clamp = toy.Clamp("int32", ir.IntImm("int32", 7), 2)
        assert script.print(clamp) == 'toy.clamp("int32", 7, low=2)', script.print(clamp)
        by_fields = script.parse_value('toy.Clamp(dtype="int32", value=7, low=2)')
        assert ir.structural_equal(by_fields, clamp)
    """
    run_python(textwrap.dedent(program), str(schema))


def test_programs_are_there() -> None:
    assert len(PROGRAMS) >= 3
