"""One object, three languages: a short tour that prints what it does.

Run it with `make`, which builds what it needs: libuir, and a small library in Rust.
"""

from __future__ import annotations

from pathlib import Path

import tvm_ffi

from uir.ir import IntImm, PrimExpr, describe, object_address
from uir.tir import Add, Var

RUST_LIBRARY = Path(__file__).resolve().parent.parent / "build/cargo/debug/libuir_interop.so"


def main() -> None:
    """Walk one expression through the languages."""
    rust = tvm_ffi.load_module(str(RUST_LIBRARY))
    rust.init()
    x = Var("x", "int32")
    show_one_object(x + 1, rust)
    show_a_node_from_rust(rust)
    show_an_error(x, rust)


def show_one_object(expr: PrimExpr, rust: tvm_ffi.Module) -> None:
    """Print where C++ and Rust see an expression that Python made."""
    print("An expression made in Python:")
    print(f"    {describe(expr)}")
    print(f"    its address in C++:  {object_address(expr):#x}")
    print(f"    its address in Rust: {rust.address(expr):#x}")
    same = rust.identity(expr).same_as(expr)
    print(f"    through Rust and back it is the same object: {same}")


def show_a_node_from_rust(rust: tvm_ffi.Module) -> None:
    """Print a node that Rust made, and use it from C++ and from Python."""
    total = rust.make_sum("n", tvm_ffi.dtype("int64"), 42)
    assert isinstance(total, Add) and isinstance(total.a, Var) and isinstance(total.b, IntImm)
    print("A node made in Rust:")
    print(f"    {describe(total)}")
    print(f"    Python reads its fields:  {total.a.name} and {total.b.value}, {total.dtype}")
    print(f"    C++ multiplies it by two: {describe(total * 2)}")


def show_an_error(x: Var, rust: tvm_ffi.Module) -> None:
    """Print an error that C++ throws, Rust passes on and Python catches."""
    print("An error thrown in C++, passed on by Rust, caught in Python:")
    try:
        rust.add(x, IntImm("int64", 1))
    except TypeError as error:
        print(f"    TypeError: {error}")


if __name__ == "__main__":
    main()
