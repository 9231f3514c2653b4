"""Constants of functions become constants of their module, equal ones once."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from uir import ir, script, tir
from uir.ir import IRModule
from uir.transform import BindConstants, VerifyWellFormed

from ...support.interpreter import run

FUNCTION = """
    @tir.prim_func
    def {name}(A: tir.Buffer((2,), "float32")):
        tir.func_attr({{"constants": [{tensors}]}})
        w: tir.handle("float32") = tir.constant_data({index}, dtype="handle")
        W = tir.decl_buffer((2,), "float32", data=w)
        for i in range(2):
            A[i] = A[i] + W[i]
"""
TENSORS = {"one": "float32;2;AACAPwAAAEA=", "other": "float32;2;AABAQAAAgEA="}
"""The numbers 1 and 2, and 3 and 4."""


def function(name: str, tensors: list[str], index: int) -> str:
    uses = ", ".join(f'metadata["ffi.Tensor"][{list(TENSORS).index(one)}]' for one in tensors)
    return FUNCTION.format(name=name, tensors=uses, index=index)


def module_of(*functions: str, attrs: str = "") -> IRModule:
    metadata = f'metadata = {{"ffi.Tensor": {list(TENSORS.values())}}}'.replace("'", '"')
    text = "@uir.script.ir_module\nclass Module:\n" + attrs + "".join(functions) + "\n" + metadata
    return script.parse(text)


def numbers(module: IRModule) -> list[list[float]]:
    return [np.from_dlpack(tensor).tolist() for tensor in module.get_attr("constants") or ()]


def added(module: IRModule, name: str) -> list[float]:
    """Return what a function adds to zeros."""
    array = np.zeros(2, "float32")
    func: Any = module.lookup(name)
    run(func, array, module=module)
    return array.tolist()


def test_equal_constants_of_two_functions_are_one() -> None:
    before = module_of(
        function("f", ["one"], 0), function("g", ["other", "one"], 1), function("h", ["other"], 0)
    )
    after = VerifyWellFormed()(BindConstants()(before))
    assert numbers(after) == [[1, 2], [3, 4]]
    assert [added(after, name) for name in "fgh"] == [[1, 2], [1, 2], [3, 4]]
    assert all(after.lookup(name).get_attr("constants") is None for name in "fgh")
    assert ir.structural_equal(script.parse(script.print(after)), after)
    assert BindConstants()(after).same_as(after)
    assert before.lookup("f").get_attr("constants") is not None


def test_constants_that_nothing_uses_are_dropped() -> None:
    after = BindConstants()(module_of(function("f", ["one", "other"], 1)))
    assert numbers(after) == [[3, 4]]


def test_constants_of_the_module_keep_their_places() -> None:
    first = BindConstants()(module_of(function("f", ["one"], 0)))
    more = module_of(function("g", ["other"], 0), function("h", ["one"], 0))
    after = BindConstants()(ir.with_functions(first, more.functions))
    assert numbers(after) == [[1, 2], [3, 4]]
    assert [added(after, name) for name in "fgh"] == [[1, 2], [3, 4], [1, 2]]


def test_an_index_beyond_the_constants_is_an_error() -> None:
    with pytest.raises(ValueError, match="the function has 1 constants; the index is beyond them"):
        BindConstants()(module_of(function("f", ["one"], 1)))


def test_modules_without_constants_do_not_change() -> None:
    module = IRModule({ir.GlobalVar("f"): tir.PrimFunc([], tir.Evaluate(tir.const(0)))})
    assert BindConstants()(module).same_as(module)
