"""Outputs that a function allocates when it knows their sizes."""

from __future__ import annotations

import numpy as np
import pytest

import uir
from uir import ir

COPY = """@uir.script.ir_module
class Module:
    @tir.prim_func
    def copy(
        x: tir.Buffer((m, 2), "float32"), count: tir.int32, first: tir.handle, sums: tir.handle
    ):
        m = tir.SizeVar("m", "int32")
        tir.func_attr({"num_outputs": 2, "has_into_entry": False})
        n: tir.SizeVar("int32") = count
        rows: tir.handle("float32", "global") = tir.allocate_output(first, tir.float32(0), n, 2)
        row = tir.decl_buffer((n * 2,), "float32", data=rows)
        assert n <= m, ("ValueError", ["too many rows"])
        total: tir.handle("float64", "global") = tir.allocate_output(sums, tir.float64(0))
        sum = tir.decl_buffer((1,), "float64", data=total)
        sum[0] = 0.0
        for i in range(n * 2):
            row[i] = x[i // 2, i % 2]
            sum[0] = sum[0] + tir.float64(row[i])
"""


def test_outputs_have_the_sizes_that_the_function_states() -> None:
    module = uir.script.parse(COPY)
    assert isinstance(module, ir.IRModule)
    library = uir.build(module)
    x = np.arange(8, dtype=np.float32).reshape(4, 2)
    for count in (0, 1, 4):
        rows, total = map(np.from_dlpack, library["copy"](x, count))
        np.testing.assert_array_equal(rows, x[:count])
        assert total.shape == () and float(total) == x[:count].sum()
    # The first output is given back.
    with pytest.raises(ValueError, match="too many rows"):
        library["copy"](x, 5)
    with pytest.raises(AttributeError):
        library["copy_into"]
    described = library.get_function_metadata("copy")
    assert described["outputs"] == [
        {"name": "first", "dtype": "float32", "shape": ["count", 2]},
        {"name": "sums", "dtype": "float64", "shape": []},
    ]
