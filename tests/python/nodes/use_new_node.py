"""Uses the new node: each language makes one, and each of them reads it.

Run by `test_new_node.py` in a process of its own; the arguments are the libraries in C++ and Rust.
"""

from __future__ import annotations

import sys

import tvm_ffi

from uir.ir import PrimExpr
from uir.tir import Repeat, Var

x = Var("x", "int16")
cpp, rust = (tvm_ffi.load_module(path) for path in sys.argv[1:])
rust.init()
made = {"python": Repeat("int16", x, 200), "cpp": cpp.make(x, 200), "rust": rust.make(x, 200)}
for maker, node in made.items():
    assert type(node) is Repeat and isinstance(node, PrimExpr), maker
    for fields in (
        [node.dtype, node.value, node.times, node.label],
        cpp.read(node),
        rust.read(node),
    ):
        dtype, value, times, label = fields
        assert (dtype, times, label) == ("int16", 200, "again"), maker
        assert value.same_as(x), maker
for times in (-1, 256):
    try:
        Repeat("int16", x, times)
    except ValueError as error:
        print(error)
