"""Types that a user declares: written by their fields from the first day, nicely with a form."""

from __future__ import annotations

from pathlib import Path

from ...support.process import run_python
from ...tschema.runtime.conftest import make_schema

SCHEMA = '''
from tschema import declare, field, ty
from uir.schema.ir.expr import PrimExprNode
from uir.schema.tir.stmt import StmtNode

@declare
class ClampNode(PrimExprNode):
    """
    A value within bounds.

    Attributes
    ----------
    value
        The value.
    low
        The least.
    more
        Further values.
    hint
        A name.
    """
    type_key = "small.Clamp"
    value: PrimExprNode
    low: ty.int64_t
    more: ty.Array[PrimExprNode] = field(default_factory=list)
    hint: ty.Optional[ty.String] = field(default=None)

@declare
class RepeatNode(StmtNode):
    """
    A statement, several times.

    Attributes
    ----------
    body
        The statement.
    """
    type_key = "small.Repeat"
    body: StmtNode

@declare
class CellNode(PrimExprNode):
    """
    A place with an identity.

    Attributes
    ----------
    name
        What it is called.
    """
    type_key = "small.Cell"
    structural = "var"
    name: ty.String
'''
PROGRAM = """
import sys
from tschema.runtime import load_types
from uir import ir, script, tir

small = load_types(sys.argv[1])
x = tir.Var("x", "int32")

def check(value, text):
    printed = script.print(value)
    assert printed == text, printed
    parsed = script.parse_value(printed)
    assert ir.structural_equal(value, parsed, map_free_vars=True), ir.first_mismatch(value, parsed)
    assert script.print(parsed) == printed

declaration = 'x = tir.Var("x", "int32")\\n'
clamp = small.Clamp("int32", x, 2)
check(clamp, declaration + 'small.Clamp(dtype="int32", value=x, low=2)')
assert repr(clamp) == str(clamp) == 'small.Clamp(dtype="int32", value=x, low=2)'
full = small.Clamp("int32", clamp, -2, [x, ir.IntImm("int64", 1)], "near")
inner = 'small.Clamp(dtype="int32", value=x, low=2)'
check(full, declaration + f'small.Clamp(dtype="int32", value={inner}, '
      'low=-2, more=[x, tir.int64(1)], hint="near")')
check(tir.Add(clamp, x), declaration + 'small.Clamp(dtype="int32", value=x, low=2) + x')
store = tir.Evaluate(x)
check(tir.SeqStmt([small.Repeat(store), store]),
      declaration + 'small.Repeat(body=tir.Evaluate(value=x))\\ntir.evaluate(x)')
cell = small.Cell("int32", "spot")
check(tir.Add(cell, cell), 'spot = small.Cell(dtype="int32", name="spot")\\nspot + spot')
small_named = tir.Var("small", "int32")
check(tir.Add(small_named, small_named), 'small_1 = tir.Var("small", "int32")\\nsmall_1 + small_1')

script.register_form(
    "small.Clamp",
    print=lambda node, text: f"small.clamp({text(node.value)}, {node.low})",
    name="small.clamp",
    parse=lambda value, low: small.Clamp("int32", value, low),
)
check(small.Clamp("int32", tir.Add(x, x), 3), declaration + "small.clamp(x + x, 3)")
try:
    script.register_form("small.Clamp", print=lambda node, text: "")
except ValueError as error:
    assert str(error) == "the form of `small.Clamp` is registered already"
else:
    raise AssertionError("a second form was taken")
try:
    script.parse_value("small.clam(1, 2)")
except script.ScriptError as error:
    assert "did you mean `small.clamp`?" in str(error)
try:
    script.parse_value("small.clamp(1, 2)")
except script.ScriptError as error:
    assert "<text>:1:1: error: " in str(error), error
"""


def test_declared_types(tmp_path: Path) -> None:
    run_python(PROGRAM, str(make_schema(tmp_path, SCHEMA, imports=("uir",))))
