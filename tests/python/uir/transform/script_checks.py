"""Passes on script text: what becomes of the body of one function."""

from __future__ import annotations

import textwrap

import numpy as np

from uir import ir, script, tir
from uir.transform import Pass

from ...support.interpreter import run

BUFFERS = 'A: tir.Buffer((64,), "float32"), B: tir.Buffer((64,), "int32")'
PARAMS = f"{BUFFERS}, n: tir.int32, m: tir.int32"


def unindented(body: str) -> str:
    """Return the text of a body without the indentation of all its lines."""
    return textwrap.dedent(body).strip("\n")


def parse_body(body: str, params: str = PARAMS) -> ir.IRModule:
    """Return a module of one function, given the text of its body."""
    head = f"@uir.script.ir_module\nclass Module:\n    @tir.prim_func\n    def main({params}):\n"
    module = script.parse(head + textwrap.indent(unindented(body), " " * 8))
    assert isinstance(module, ir.IRModule)
    return module


def becomes(pass_: Pass, before: str, after: str, params: str = PARAMS) -> bool:
    """Return whether a pass turns one body into another, keeps its input, and is idempotent."""
    module, expected = parse_body(before, params), parse_body(after, params)
    copy = ir.deep_copy(module)
    result = pass_(module)
    assert ir.structural_equal(result, expected), str(result)
    assert ir.structural_equal(module, copy)
    assert pass_(result).same_as(result)
    return not result.same_as(module)


def stays(pass_: Pass, body: str, params: str = PARAMS) -> bool:
    """Return whether a pass returns the module itself."""
    module = parse_body(body, params)
    result = pass_(module)
    assert result.same_as(module), str(result)
    return True


def same_results(before: ir.IRModule, after: ir.IRModule, n: int, m: int, fill: int = 0) -> bool:
    """Return whether `main` of two modules, with the parameters `PARAMS`, computes the same.

    Parameters
    ----------
    before, after
        The modules.
    n, m
        The sizes.
    fill
        All elements of `A` before the call; those of `B` are 0.
    """
    results = []
    for module in (before, after):
        main = module["main"]
        assert isinstance(main, tir.PrimFunc)
        arrays = np.full(64, fill, "float32"), np.zeros(64, "int32")
        run(main, *arrays, n, m)
        results.append(arrays)
    return all(map(np.array_equal, *results))
