"""Parsing texts of a known kind."""

from __future__ import annotations

import pytest

from uir import script, tir
from uir.ir import BaseExpr, BaseFunc, IRModule

FUNCTION = '@tir.prim_func\ndef f(A: tir.Buffer((16,), "float32")):\n    A[0] = 1.0'
MODULE = "@uir.script.ir_module\nclass Module:\n    pass"
X = tir.Var("x", "int32")


def test_each_kind_has_its_type() -> None:
    # The annotations are checked by mypy.
    module: IRModule = script.parse_module(MODULE)
    function: BaseFunc = script.parse_function(FUNCTION)
    expr: BaseExpr = script.parse_expr("x + 1", resolve={"x": X}.get)
    assert (str(module), str(function), str(expr)) == (MODULE, FUNCTION, "x + 1")


def test_other_texts_are_refused() -> None:
    with pytest.raises(TypeError, match="`f.py`: expected a `IRModule`, got `PrimFunc`"):
        script.parse_module(FUNCTION, "f.py")
    with pytest.raises(TypeError, match="expected a `BaseFunc`, got `IRModule`"):
        script.parse_function(MODULE)
    with pytest.raises(TypeError, match="expected a `BaseExpr`, got `IRModule`"):
        script.parse_expr(MODULE)
    with pytest.raises(script.ScriptError, match="f.py:4"):
        script.parse_expr("x +", "f.py", 4)
