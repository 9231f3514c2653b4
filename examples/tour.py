"""One object, three languages, and a network that is compiled: a tour that prints what it does.

Run it with `make`, which builds what it needs: libuir, and a small library in Rust.
"""

from __future__ import annotations

import re
from ctypes import CDLL, c_char_p
from functools import partial
from pathlib import Path
from timeit import repeat
from typing import Any

import numpy as np
import tvm_ffi

import uir
from uir.ir import IntImm, PrimExpr, describe, object_address
from uir.tir import Add, Var

RUST_LIBRARY = Path(__file__).resolve().parent.parent / "build/cargo/debug/libuir_interop.so"


def main() -> None:
    """Walk one expression through the languages, then compile a network."""
    rust = tvm_ffi.load_module(str(RUST_LIBRARY))
    rust.init()
    x = Var("x", "int32")
    show_one_object(x + 1, rust)
    show_a_node_from_rust(rust)
    show_an_error(x, rust)
    show_a_network()


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


NETWORK = """
@uir.script.ir_module
class Module:
    @relay.function
    def main(
        x: relay.Tensor((n, 64), "float32"),
        w: relay.Tensor((64, 64), "float32"),
        b: relay.Tensor((64,), "float32"),
        v: relay.Tensor((64, 10), "float32"),
    ):
        n = tir.SizeVar("n", "int32")
        h = relay.relu(x @ w + b)
        return relay.softmax(h @ v)
"""


def show_a_network() -> None:
    """Compile a network of two layers; print its result, and its time beside that of NumPy."""
    print("A network, compiled to a library and run:")
    module = uir.build(uir.script.parse(NETWORK))
    rng = np.random.default_rng(0)
    w, b, v = (0.2 * rng.standard_normal(s, "float32") for s in ((64, 64), (64,), (64, 10)))
    x = rng.standard_normal((1, 64), "float32")
    found, expected = np.from_dlpack(module(x, w, b, v)), network_in_numpy(x, w, b, v)
    print(f"    it says class {found.argmax()} with probability {found.max():.4f}")
    print(f"    NumPy says    {expected.argmax()} with probability {expected.max():.4f}")
    print(f"    microseconds of a call (NumPy with OPENBLAS_CORETYPE={core_type()}):")
    for rows in (1, 64):
        x = rng.standard_normal((rows, 64), "float32")
        timing = uir.runtime.time_evaluator(module, number=200)(x, w, b, v)
        numpy_times = repeat(partial(network_in_numpy, x, w, b, v), number=200, repeat=3)
        ours, theirs = timing.min * 1e6, min(numpy_times) / 200 * 1e6
        print(f"    {rows:2} rows: {ours:6.1f}, NumPy {theirs:6.1f}")


def network_in_numpy(x: Any, w: Any, b: Any, v: Any) -> Any:
    """Compute the network."""
    scores = np.maximum(x @ w + b, 0) @ v
    powers = np.exp(scores - scores.max(-1, keepdims=True))
    return powers / powers.sum(-1, keepdims=True)


def core_type() -> str:
    """Return for which processor the OpenBLAS of NumPy has chosen its kernels."""
    maps = Path("/proc/self/maps").read_text()
    for library in re.findall(r"/\S*openblas\S*", maps):
        get_name = getattr(CDLL(library), "scipy_openblas_get_corename64_", None)
        if get_name is not None:
            get_name.restype = c_char_p
            return str(get_name().decode())
    return "unknown"


if __name__ == "__main__":
    main()
