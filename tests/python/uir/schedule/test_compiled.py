"""Scheduled kernels, compiled together, compute what NumPy does, with blocks of every kind."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np

import uir
from uir import te, tir

from .nests import LAYOUTS, arrays, contraction, module_of

# Extents that cross the borders of groups, panels and blocks; a name stands for a variable.
SHAPES: list[tuple[str, str, dict[str, int], str]] = [
    ("plain", "float32", {"m": 200, "k": 600, "n": 100}, ""),
    ("plain", "float32", {"m": 13, "k": 1030, "n": 1100}, ""),
    ("plain", "float32", {"m": 16, "k": 64, "n": 10}, ""),
    ("plain", "float32", {"m": 67, "k": 530, "n": 1057}, "mkn"),
    ("plain", "float32", {"m": 1, "k": 5, "n": 3}, "mkn"),
    ("plain", "float32", {"m": 2, "k": 70, "n": 90}, "m"),
    ("plain", "float32", {"m": 0, "k": 5, "n": 3}, "mkn"),
    ("plain", "float32", {"m": 5, "k": 0, "n": 40}, "mkn"),
    ("plain", "float64", {"m": 33, "k": 40, "n": 37}, "m"),
    ("plain", "int32", {"m": 33, "k": 40, "n": 37}, "n"),
    ("right transposed", "float32", {"m": 31, "k": 520, "n": 65}, "m"),
    ("right transposed", "float32", {"m": 2, "k": 5000, "n": 37}, ""),
    ("right transposed", "float32", {"m": 3, "k": 50, "n": 37}, "mn"),
    ("matrix and vector", "float32", {"m": 67, "k": 70}, "k"),
    ("left transposed", "float32", {"m": 31, "k": 52, "n": 65}, ""),
    ("swapped", "float32", {"m": 31, "k": 52, "n": 65}, "k"),
    ("batches", "float32", {"b": 3, "m": 17, "k": 20, "n": 40}, "b"),
    ("shared weights", "float32", {"b": 3, "m": 5, "k": 20, "n": 40}, "b"),
    ("two sums", "float32", {"m": 20, "k": 9, "l": 70, "n": 33}, ""),
    ("vector", "float32", {"k": 600, "n": 200}, ""),
    ("vector", "float32", {"k": 60, "n": 200}, "n"),
    ("heads", "float32", {"b": 2, "k": 9, "h": 3, "m": 16, "n": 33}, "b"),
]


def test_contractions() -> None:
    functions = {}
    for i, (layout, dtype, values, names) in enumerate(SHAPES):
        extents: dict[str, Any] = {
            letter: tir.SizeVar(letter) if letter in names else value
            for letter, value in values.items()
        }
        functions[f"f{i}"] = contraction(layout, extents, dtype, f"f{i}")
    library = uir.build(module_of(**functions))
    random = Random(0)
    for i, (layout, dtype, values, _) in enumerate(SHAPES):
        # The operands are small integers: every sum is exact.
        operands, expected = arrays(layout, values, dtype, random)
        out = np.full(expected.shape, 77, dtype)
        library[f"f{i}"](*operands, out)
        np.testing.assert_array_equal(out, expected, f"{layout} {values}")
        assert "".join(sorted({*LAYOUTS[layout]} - {*"->,"})) == "".join(sorted(values))


def test_elementwise() -> None:
    shapes = [(1,), (5,), (16,), (1000,), (3, 7), (33, 65), (2, 3, 5)]
    functions = {}
    for i, shape in enumerate(shapes):
        for name, first in (("static", shape[0]), ("symbolic", tir.SizeVar("n"))):
            extents = [first, *shape[1:]]
            x, row = (
                te.placeholder(extents, "float32", "x"),
                te.placeholder(extents[-1:], "int8", "row"),
            )

            def element(*at: Any, x: Any = x, row: Any = row) -> Any:
                return tir.max(x[at], 0.0) + row[at[-1]].astype("float32")

            result = te.compute(extents, element, "y")
            functions[f"{name}{i}"] = te.create_prim_func([x, row, result], f"{name}{i}")
    library = uir.build(module_of(**functions))
    numbers = np.random.default_rng(0)
    for i, shape in enumerate(shapes):
        values = numbers.standard_normal(shape, np.float32)
        added = numbers.integers(-9, 9, shape[-1:]).astype(np.int8)
        for name in ("static", "symbolic"):
            out = np.full(shape, np.nan, np.float32)
            library[f"{name}{i}"](values, added, out)
            np.testing.assert_array_equal(out, np.maximum(values, 0) + added.astype(np.float32))
