"""Types whose declarations state their forms in script: printed and read by what they state."""

from __future__ import annotations

from pathlib import Path

import pytest

from ...support.process import run_python
from ...tschema.runtime.conftest import make_schema

SCHEMA = '''
from tschema import declare, field, ty
from uir.schema.ir.expr import PrimExprNode
from uir.schema.tir.var import VarNode
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
    high
        The greatest.
    hint
        A name.
    """
    type_key = "small.Clamp"
    script = "small.clamp({dtype}, {value}, {low}, to={high})"
    value: PrimExprNode
    low: ty.int64_t = 0
    high: ty.int64_t = 1
    hint: ty.Optional[ty.String] = field(default=None)

@declare
class StepsNode(StmtNode):
    """
    A loop of a user.

    Attributes
    ----------
    var
        The variable.
    extent
        The number of iterations.
    body
        The statement.
    width
        The size of a step.
    """
    type_key = "small.Steps"
    script = "for {var} in small.steps({extent}, width={width})"
    var: VarNode = field(structural="def")
    extent: PrimExprNode
    body: StmtNode
    width: ty.int64_t = 1

@declare
class RegionNode(StmtNode):
    """
    A statement with a number.

    Attributes
    ----------
    name
        What it is called.
    var
        The number, if there is one.
    body
        The statement.
    """
    type_key = "small.Region"
    script = "with small.region({name}) as {var}"
    name: ty.String
    var: ty.Optional[VarNode] = field(default=None, structural="def", kw_only=True)
    body: StmtNode

@declare
class LoadNode(StmtNode):
    """
    A number that is bound.

    Attributes
    ----------
    var
        The variable.
    address
        The place.
    """
    type_key = "small.Load"
    script = "{var} = small.load({address})"
    var: VarNode = field(structural="def")
    address: PrimExprNode

@declare
class FenceNode(StmtNode):
    """
    A statement without parts.
    """
    type_key = "small.Fence"
    script = "small.fence()"
'''
HEAD = """
import sys
from tschema.runtime import load_types
from uir import ir, script, tir

small = load_types(sys.argv[1])
x = tir.Var("x", "int32")
DECLARED = 'x = tir.Var("x", "int32")\\n'

def check(value, text):
    printed = script.print(value)
    assert printed == text, printed
    parsed = script.parse_value(printed)
    assert ir.structural_equal(value, parsed, map_free_vars=True), ir.first_mismatch(value, parsed)
    assert script.print(parsed) == printed

def refusal(text):
    try:
        script.parse_value(text)
    except script.ScriptError as error:
        return str(error)
    raise AssertionError("read " + text)
"""
PROGRAMS = {
    "expressions": """
clamp = small.Clamp("int32", x, 2, 7)
check(clamp, DECLARED + 'small.clamp("int32", x, 2, to=7)')
check(small.Clamp("int32", x), DECLARED + 'small.clamp("int32", x)')
check(small.Clamp("int32", x, high=7), DECLARED + 'small.clamp("int32", x, to=7)')
named = small.Clamp("int32", clamp, hint="near")
inner = 'small.clamp("int32", x, 2, to=7)'
check(named, DECLARED + f'small.clamp("int32", {inner}, hint="near")')
check(tir.Add(clamp, x), DECLARED + inner + " + x")
by_fields = 'small.Clamp(dtype="int32", value=x, low=2, high=7)'
parsed = script.parse_value(DECLARED + by_fields)
assert ir.structural_equal(parsed, clamp, map_free_vars=True)
""",
    "statements": """
i, n = tir.Var("i", "int32"), ir.IntImm("int32", 8)
store = tir.Evaluate(i)
loop = small.Steps(i, n, store, 4)
check(loop, "for i in small.steps(8, width=4):\\n    tir.evaluate(i)")
wide = tir.Var("i", "int64")
check(small.Steps(wide, n, tir.Evaluate(wide)),
      'i = tir.Var("i", "int64")\\nfor i in small.steps(8):\\n    tir.evaluate(i)')
check(small.Region("a", small.Fence()), 'with small.region("a"):\\n    small.fence()')
number = tir.Var("k", "int32")
check(small.Region("a", tir.Evaluate(number), var=number),
      'with small.region("a") as k:\\n    tir.evaluate(k)')
read = small.Load(x, n)
check(tir.SeqStmt([read, tir.Evaluate(x), small.Fence()]),
      "x = small.load(8)\\ntir.evaluate(x)\\nsmall.fence()")
check(small.Steps(i, n, small.Steps(x, i, tir.Evaluate(x))),
      "for i in small.steps(8):\\n    for x in small.steps(i):\\n        tir.evaluate(x)")
""",
    "depth": """
body = small.Fence()
for level in range(3000):
    body = small.Region("a", body)
printed = script.print(body)
assert ir.structural_equal(script.parse_value(printed), body)
""",
    "errors": """
assert "did you mean `small.steps`?" in refusal("for i in small.stepz(4):\\n    pass")
assert "missing argument `extent`" in refusal("for i in small.steps():\\n    pass")
assert "cannot stand here" in refusal("tir.evaluate(small.steps(4))")
assert "unknown argument `form`" in refusal("for i in small.steps(4, form=2):\\n    pass")
assert "expected the name of a variable" in refusal("for i, j in small.steps(4):\\n    pass")
assert "`small.clamp` cannot stand here" in refusal("for i in small.clamp(4):\\n    pass")
form = "help: its form is `for {var} in small.steps({extent}, width={width})`"
assert form in refusal("with small.steps(4):\\n    pass")
wrong = refusal('small.clamp("int32", 1, "a")')
assert "<text>:1:1: error: the field cannot hold `String`" in wrong
""",
}


@pytest.fixture(scope="module")
def schema(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_schema(tmp_path_factory.mktemp("forms"), SCHEMA, imports=("uir",))


@pytest.mark.parametrize("name", PROGRAMS)
def test_declared_forms(name: str, schema: Path) -> None:
    run_python(HEAD + PROGRAMS[name], str(schema))


def test_two_types_of_one_form_are_refused(tmp_path: Path) -> None:
    other = SCHEMA.replace("small", "other").replace("other.fence", "small.fence")
    paths = [
        make_schema(tmp_path / package, text, package=package, imports=("uir",))
        for package, text in (("small", SCHEMA), ("other", other))
    ]
    program = HEAD + (
        "load_types(sys.argv[2])\n"
        'assert "declare the form `small.fence` both" in refusal("small.fence()")\n'
    )
    run_python(program, *map(str, paths))
