"""Runs passes over high-level functions, of three languages; the arguments are the libraries."""

from __future__ import annotations

import sys

import narrow
import tvm_ffi

from uir import script
from uir.transform import InferType, Sequential, VerifyWellFormed, make_pass

for library in sys.argv[1:]:
    tvm_ffi.load_module(library)

MODULE = """
@uir.script.ir_module
class Module:
    @relay.function
    def main(x: relay.Tensor((n, 16), "float32")):
        n = tir.SizeVar("n", "int32")
        a = relay.cast(x, dtype="float64")
        b = -a
        c = -b
        y = relay.silu(c)
        return y
"""
passes = [
    *(InferType(), make_pass("passes.DropDoubleNegation"), make_pass("passes.ExpandSilu")),
    *(narrow.narrow, VerifyWellFormed()),
]
print(Sequential(passes)(script.parse(MODULE)).lookup("main"))
