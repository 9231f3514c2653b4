"""Parsing texts of a known kind."""

from __future__ import annotations

import pytest

from uir import ir, script, tir
from uir.ir import BaseExpr, BaseFunc, IRModule

FUNCTION = '@tir.prim_func\ndef f(A: tir.Buffer((16,), "float32")):\n    A[0] = 1.0'
MODULE = "@uir.script.ir_module\nclass Module:\n    pass"
X = tir.Var("x", "int32")


def test_each_kind_has_its_type() -> None:
    # The annotations are checked by mypy.
    module: IRModule = script.parse(MODULE)
    function: BaseFunc = script.parse_function(FUNCTION)
    expr: BaseExpr = script.parse_expr("x + 1", resolve={"x": X}.get)
    assert (str(module), str(function), str(expr)) == (MODULE, FUNCTION, "x + 1")
    for value in (module, function, expr, tir.Evaluate(tir.const(1))):
        assert ir.structural_equal(
            script.parse_value(script.print(value)), value, map_free_vars=True
        )
    assert script.parse_value("[1, 2]") == [1, 2]


def test_other_texts_are_refused_by_the_name_of_their_function() -> None:
    message = "`f.py`: expected `IRModule`, got `PrimFunc`, which `script.parse_function` returns"
    with pytest.raises(TypeError, match=message):
        script.parse(FUNCTION, "f.py")
    with pytest.raises(TypeError, match="`IRModule`, got `IntImm`, which `script.parse_expr` "):
        script.parse("tir.int64(1)")
    with pytest.raises(TypeError, match="`IRModule`, got `Evaluate`, which `script.parse_value` "):
        script.parse("tir.evaluate(1)")
    with pytest.raises(TypeError, match="`BaseFunc`, got `IRModule`, which `script.parse` returns"):
        script.parse_function(MODULE)
    with pytest.raises(TypeError, match="`BaseExpr`, got `IRModule`, which `script.parse` returns"):
        script.parse_expr(MODULE)
    with pytest.raises(script.ScriptError, match="f.py:4"):
        script.parse_expr("x +", "f.py", 4)
