"""Runs passes of three languages in one sequence; the arguments are the libraries to load."""

from __future__ import annotations

import sys

import tvm_ffi
from add import Add

from uir.ir import GlobalVar, IRModule
from uir.tir import Evaluate, PrimFunc, const
from uir.transform import PassContext, Sequential, make_pass

for library in sys.argv[1:]:
    tvm_ffi.load_module(library)


def run(value: int, dtype: str = "int32") -> None:
    """Print what becomes of a constant, or the error."""
    names = ["passes.Add", "passes.Double", "passes.Negate"]
    passes = [make_pass(name, *([1] if name == "passes.Add" else [])) for name in names]
    func = PrimFunc([], Evaluate(const(value, dtype)))
    try:
        module = Sequential([*passes, Add(100)])(IRModule({GlobalVar("main"): func}))
        print(module.lookup("main").body.value.value)
    except Exception as error:
        print(f"{type(error).__name__}: {error}")


run(3)
run(-1)
with PassContext(config={"passes.Negate.keep_zero": True}):
    run(-1)
run(2**62, "int64")
