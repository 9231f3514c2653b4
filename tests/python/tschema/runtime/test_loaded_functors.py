"""Loaded types of another package in functors of Rust, which know only their ancestors."""

from __future__ import annotations

from pathlib import Path

from ...support.process import run_python
from ...support.project import ROOT
from .conftest import make_schema

LIBRARY = ROOT / "build" / "cargo" / "debug" / "libuir_interop.so"
CLAMP = '''
from tschema import declare, field, ty
from uir.schema.ir.expr import PrimExprNode
from uir.schema.tir.var import VarNode

@declare
class ClampNode(PrimExprNode):
    """
    A value within bounds.

    Attributes
    ----------
    bounds
        By name.
    value
        The value.
    more
        Further ones.
    hint
        Not compared, and so not visited.
    """
    type_key = "small.Clamp"
    bounds: ty.Map[ty.String, PrimExprNode]
    value: PrimExprNode
    more: ty.Array[PrimExprNode]
    hint: ty.Optional[PrimExprNode] = field(default=None, structural="ignore")
'''
PROGRAM = """
import sys
import tvm_ffi
import uir.tir as tir
from uir.ir import IntImm
from tschema.runtime import load_types

small = load_types(sys.argv[1])
rust = tvm_ffi.load_module(sys.argv[2])
rust["init"]()

def number(value):
    return IntImm("int32", value)

nested = tir.Add(number(4), number(5))
clamp = small.Clamp("int32", {"low": number(1), "high": number(2)}, number(3), [nested], number(9))
outer = tir.Add(clamp, number(6))
assert list(rust["constants"](outer)) == [1, 2, 3, 4, 5, 6]

new = rust["increment"](outer)
assert list(rust["constants"](new)) == [2, 3, 4, 5, 6, 7]
assert type(new.a) is small.Clamp and new.a.hint.same_as(clamp.hint)
assert list(rust["constants"](outer)) == [1, 2, 3, 4, 5, 6]

same = small.Clamp("int32", {}, tir.Var("x", "int32"), [], None)
assert rust["increment"](same).same_as(same)
print("served")
"""


def test_a_type_without_a_method_is_served_by_its_fields(tmp_path: Path) -> None:
    schema = make_schema(tmp_path / "project", CLAMP, imports=("uir",))
    assert run_python(PROGRAM, schema, LIBRARY) == "served\n"
