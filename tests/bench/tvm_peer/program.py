"""One program for both compilers: 125 loop nests of eight statements, some ten thousand nodes.

Neither compiler is imported here: `dialect` is `uir.tir` on one side and `tvm.tirx` on the other,
and the classes have the same names and arguments. Each nest gives every pass something to do:

- Simplify: `(i * 32 + j) // 32` is `i`, `i < 64` and `max(j, 0)` are decided by the loops' ranges;
- RemoveNoOp: the loop over `k` does nothing;
- CommonSubexprElim: `(i * 7 + j) % 64` is an index three times;
- FlattenBuffer: all buffers have two dimensions;
- NarrowDataType: all indices are `int64` and small.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["NESTS", "build"]

NESTS = 125
ROWS, COLUMNS = 64, 32


def build(
    dialect: Any, int_imm: Any, float_imm: Any, buffer: Any, function: Any, count: int = NESTS
) -> Any:
    """Build the function from Python.

    Parameters
    ----------
    dialect
        The module with the classes of expressions and statements.
    int_imm, float_imm
        The classes of constants.
    buffer
        Makes a buffer of a shape, a data type and a name.
    function
        Makes a function of its buffers and its body.
    count
        How many loop nests.

    Returns
    -------
    Any
        The function.
    """
    index = lambda value: int_imm("int64", value)  # noqa: E731
    shape = [index(ROWS), index(COLUMNS)]
    a, b, c = (buffer(shape, "float32", name) for name in "ABC")
    nests = [nest(dialect, index, float_imm, a, b, c) for _ in range(count)]
    return function([a, b, c], dialect.SeqStmt(nests))


def nest(tir: Any, index: Callable[[int], Any], float_imm: Any, a: Any, b: Any, c: Any) -> Any:
    """Build one loop nest."""
    i, j = tir.Var("i", "int64"), tir.Var("j", "int64")
    flat = lambda: i * index(COLUMNS) + j  # noqa: E731
    hop = lambda: (i * index(7) + j) % index(ROWS)  # noqa: E731
    load, store = tir.BufferLoad, tir.BufferStore
    rows, columns = flat() // index(COLUMNS), flat() % index(COLUMNS)
    scaled = load(a, [rows, columns]) * float_imm("float32", 2.0)
    added = load(b, [hop(), j]) + load(a, [hop(), j])
    mixed = load(c, [i, tir.Max(j, index(0))]) - load(b, [i, j]) * float_imm("float32", 0.5)
    far = load(
        a, [(i * index(3) + index(1)) % index(ROWS), (j * index(5) + index(3)) % index(COLUMNS)]
    )
    mixed = mixed + far * float_imm("float32", 0.25) + load(a, [i, j]) - load(c, [i, j])
    mixed = mixed + load(b, [i, j]) + load(b, [i, j])
    nothing = tir.Evaluate(index(0))
    body = tir.SeqStmt(
        [
            store(b, scaled, [i, j]),
            tir.IfThenElse(tir.LT(i, index(ROWS)), store(c, added, [hop(), j]), None),
            loop(tir, tir.Var("k", "int64"), index, 4, nothing),
            store(b, mixed, [i, j]),
        ]
    )
    return loop(tir, i, index, ROWS, loop(tir, j, index, COLUMNS, body))


def loop(tir: Any, var: Any, index: Callable[[int], Any], extent: int, body: Any) -> Any:
    """Build a serial loop from zero."""
    return tir.For(var, index(0), index(extent), tir.ForKind.SERIAL, body)
