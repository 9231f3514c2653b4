"""Constants that no library can hold are refused before a compiler runs."""

from __future__ import annotations

import numpy as np
import pytest
import tvm_ffi

import uir
from uir import ir
from uir.target import Target, constant_bytes, emit_c

HALF = 2**30
LIMIT = 2**31 - 2**26


def module_of(*sizes: int) -> ir.IRModule:
    # The memory of zeros is not touched.
    constants = [tvm_ffi.from_dlpack(np.zeros(size, "uint8")) for size in sizes]
    text = """
@tir.prim_func
def main(y: tir.Buffer((1,), "float32")):
    y[0] = 1.0
"""
    main = ir.with_attr(uir.script.parse(text), "global_symbol", "main")
    module = ir.IRModule({ir.GlobalVar("main"): main})
    return ir.IRModule(module.functions, ir.DictAttrs({"constants": constants}))


def test_more_than_code_reaches_is_refused_by_name() -> None:
    module = module_of(HALF, HALF - 2**26 + 1)
    message = (
        rf"the constants take {LIMIT + 64} bytes, and a library holds at most {LIMIT}: make "
        rf"parameters of the largest, of which one is a uint8 tensor of shape \({HALF}\)"
    )
    for refused in (
        lambda: emit_c(module, Target()),
        lambda: constant_bytes(module),
        lambda: uir.build(module, pipeline=[]),
    ):
        with pytest.raises(ValueError, match=message):
            refused()


def test_just_as_much_is_taken() -> None:
    assert "main" in emit_c(module_of(HALF, HALF - 2**26), Target())
