"""Compiled Rust, then compiled C++ too, take loaded objects apart and build the like.

In: the declarations, the Rust library, the C++ library that registers the same types.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from typing import Any

import tvm_ffi
from zoo_objects import fields_of, make_all

from tschema.runtime import load_types

REBUILT = ("Plain", "Device", "Values", "Optionals", "Containers", "Checked")


def rebuild(function_of: Callable[[str], Any], nodes: list[Any]) -> int:
    """Have each object rebuilt; count them."""
    named = [node for node in nodes if type(node).__name__ in REBUILT]
    for node in named:
        rebuilt = function_of(f"rebuild_{type(node).__name__.lower()}")(node)
        assert type(rebuilt) is type(node) and not rebuilt.same_as(node)
        assert fields_of(rebuilt) == fields_of(node)
        assert tvm_ffi.structural_equal(rebuilt, node)
    return len(named)


def main() -> None:
    """Run everything; print how many objects went which way."""
    declarations, rust_library, cpp_library = sys.argv[1:]
    zoo = load_types(declarations)
    rust = tvm_ffi.load_module(rust_library)
    rust.init()
    nodes = make_all(zoo)
    print("rust", rebuild(rust.get_function, nodes))
    assert tvm_ffi.get_global_func("zoo.rebuild_plain", allow_missing=True) is None
    ctypes.CDLL(cpp_library)
    assert list(tvm_ffi.get_global_func("tschema.registration_errors")()) == []
    from_cpp = [tvm_ffi.get_global_func("zoo.rebuild_values")(zoo.Values("made by C++"))]
    for side in (lambda name: tvm_ffi.get_global_func(f"zoo.{name}"), rust.get_function):
        print("both", rebuild(side, [*nodes, *from_cpp]))
    shape = tvm_ffi.Shape((2, 3))
    tensor = tvm_ffi.get_global_func("zoo.make_tensor")(shape, "float32")
    library = tvm_ffi.system_lib("zoo.")
    held = zoo.References(zoo.Leaf(1), nodes[1], rust.get_function("init"), tensor, shape, library)
    again = tvm_ffi.get_global_func("zoo.rebuild_references")(held)
    assert again.tensor.shape == (2, 3) and again.anything.same_as(nodes[1])
    assert load_types(declarations) is zoo


main()
