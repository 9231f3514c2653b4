"""Uses the new node and the new operator: each language makes one, and each of them reads it.

Run by `test_new_node.py` in a process of its own; the arguments are the libraries in C++ and Rust.
"""

from __future__ import annotations

import sys

import numpy as np
import tvm_ffi

from uir import relay, script
from uir.ir import PrimExpr, structural_equal
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

pot = relay.Var("pot", relay.Tensor((3,)))
call = relay.softsign(pot)
for library in (cpp, rust):
    assert structural_equal(library.softsign(pot), call)
y = relay.Var("y", call.checked_type)
function = relay.Function([pot], relay.Block([relay.Binding(y, call)], y))
text = script.print(function)
assert "y = relay.softsign(pot)" in text, text
assert structural_equal(script.parse_function(text), function)
assert structural_equal(call.checked_type, relay.Tensor((3,)))
value = np.array([-1, 0, 3], "float32")
assert relay.evaluate(function, value).tolist() == [-0.5, 0, 0.75]
try:
    relay.softsign(relay.Var("i", relay.Tensor((3,), "int8")))
except TypeError as error:
    print(error)
