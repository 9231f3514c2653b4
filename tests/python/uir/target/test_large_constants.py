"""Constants of more bytes than code reaches: pointers to them, or a refusal on other machines."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
import tvm_ffi

import uir
from uir import ir, relay
from uir.target import Target, emit_c

from ...support.compiled_c import load_c
from ...support.process import run_new_python

HALF = 2**30
LIMIT = 2**31 - 2**26

PROGRAM = """
@tir.prim_func
def main(y: tir.Buffer((8,), "float32")):
    data: tir.handle("float32") = tir.constant_data(2, dtype="handle")
    c = tir.decl_buffer((8,), "float32", data=data)
    for i in range(8):
        y[i] = c[i] * tir.float32(2.0)
"""
LOADED = """
import sys, time
import numpy as np
import tvm_ffi
start = time.perf_counter()
library = tvm_ffi.load_module(sys.argv[1])
print(time.perf_counter() - start)
found = np.from_dlpack(library["main"](np.full((1, 1), 2, "float32")))
print(found[0, 0], found[0, -1], found.size)
"""


def module_of(*sizes: int) -> ir.IRModule:
    # The memory of zeros is not touched.
    constants = [tvm_ffi.from_dlpack(np.zeros(size, "uint8")) for size in sizes]
    constants.append(tvm_ffi.from_dlpack(np.arange(8, dtype="float32")))
    main = ir.with_attr(uir.script.parse_function(PROGRAM), "global_symbol", "main")
    module = ir.IRModule({ir.GlobalVar("main"): main})
    return ir.IRModule(module.functions, ir.DictAttrs({"constants": constants}))


def test_other_machines_refuse_more_than_code_reaches_by_name() -> None:
    module = module_of(HALF, HALF - 2**26 - 63)
    message = (
        rf"the constants take {LIMIT + 64} bytes, and a library for `aarch64` holds at most "
        rf"{LIMIT}: make parameters of the largest, of which one is a uint8 tensor of shape "
        rf"\({HALF}\)"
    )
    for refused in (
        lambda: emit_c(module, Target(isa="aarch64")),
        lambda: uir.build(module, Target(isa="aarch64"), pipeline=[]),
    ):
        with pytest.raises(ValueError, match=message):
            refused()


def test_just_as_much_lies_near_code() -> None:
    text = emit_c(module_of(HALF, HALF - 2**26 - 64), Target(isa="aarch64"))
    assert ".pushsection .rodata" in text
    assert ".lrodata" not in text


def test_more_than_that_may_lie_anywhere(tmp_path: Path) -> None:
    """The text computes right values when it reads a small file instead, from its start."""
    text = emit_c(module_of(HALF, HALF), Target(isa="x86-64"))
    assert ".pushsection .rodata" not in text
    near, count = re.subn(rf'"constants.bin\\", {2 * HALF}, 32', r'"constants.bin\\", 0, 32', text)
    assert count == 1
    np.arange(8, dtype="float32").tofile(tmp_path / "constants.bin")
    y = np.zeros(8, "float32")
    load_c(near, tmp_path)["main"](y)
    np.testing.assert_array_equal(y, 2 * np.arange(8))


@pytest.mark.deep
def test_a_model_of_3_gigabytes_is_one_library(tmp_path: Path) -> None:
    """It is loaded at once, since its pages are read when they are needed."""
    columns = 750_000_000
    weights = np.zeros((1, columns), "float32")
    weights[0, 0], weights[0, -1] = 3, 5
    builder = relay.Builder()
    x = builder.param("x", relay.Tensor((1, 1), "float32"))
    constant = relay.Constant(tvm_ffi.from_dlpack(weights))
    function = builder.make_func(builder.emit(relay.multiply(x, constant)))
    path = tmp_path / "model.so"
    uir.runtime.export_library(uir.build(function), path)
    assert path.stat().st_size > 4 * columns
    seconds, *values = run_new_python(LOADED, path).split()
    assert float(seconds) < 0.3
    assert values == ["6.0", "10.0", str(columns)]
