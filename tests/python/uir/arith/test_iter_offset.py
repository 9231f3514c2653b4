"""Iterator maps with offsets that are expressions: what is detected holds for all their values."""

from __future__ import annotations

import random
from itertools import product

import pytest

from uir import arith, ir, tir

from .evaluate import evaluator

A, B, C, N = tir.Var("i"), tir.Var("j"), tir.SizeVar("c"), tir.Var("n", "int64")


def ranges(**extents: int) -> dict[tir.Var, ir.Range]:
    variables = {"i": A, "j": B}
    return {
        variables[name]: ir.Range(tir.const(0), tir.const(extent))
        for name, extent in extents.items()
    }


@pytest.mark.parametrize(
    ("index", "extent", "expected"),
    [
        ((A + C * 24) % 16, 40, "16"),
        ((A + C * 24) // 16, 40, "3"),
        ((A + C) % 4, 16, "4"),
        ((A + C) % 4 // 2, 16, "2"),
        ((A + C) // 4, 16, None),
        ((A + C) % 4, 3, None),
        ((A + C * 24) // 16, 8, None),
    ],
)
def test_offsets_that_are_expressions(
    index: ir.PrimExpr, extent: int, expected: str | None
) -> None:
    found = arith.detect_iter_map([index], ranges(i=extent)).indices
    assert [str(sum.args[0].extent) for sum in found] == ([] if expected is None else [expected])
    # What begins anywhere is not taken once.
    assert not arith.detect_iter_map([index], ranges(i=extent), None, "bijective").indices


def test_digits_of_an_iterator_with_an_offset_are_not_independent() -> None:
    shifted = A + C * 24
    assert not arith.detect_iter_map([shifted // 16, shifted % 16], ranges(i=40)).indices
    assert not arith.detect_iter_map([shifted % 16, A % 8], ranges(i=40)).indices


def random_index(draw: random.Random) -> ir.PrimExpr:
    """Return a random index with an offset, often one that is a digit of another."""
    base = draw.choice([C, C * draw.choice([2, 3, 8, 12]), C * C, C % 3, C * 4 + 1])
    expr = draw.choice([A, A * 3 + B, A * 2, B]) + base
    for _ in range(draw.randint(1, 3)):
        number = draw.choice([2, 3, 4, 8])
        expr = draw.choice([tir.floordiv, tir.floormod])(expr, number)
        if draw.random() < 0.3:
            expr = expr + draw.choice([tir.const(1), C])
    return expr


def test_detected_maps_are_maps() -> None:
    detected = 0
    for seed in range(160):
        draw = random.Random(seed)
        extents = {A: draw.choice([2, 8, 12]), B: draw.choice([3, 5])}
        indices = [random_index(draw) for _ in range(draw.choice([1, 1, 2]))]
        found = arith.detect_iter_map(indices, ranges(i=extents[A], j=extents[B])).indices
        if not found:
            continue
        detected += 1
        run = [evaluator(index) for index in indices]
        again = [evaluator(arith.normalize_iter_map_to_expr(sum)) for sum in found]
        parts = [(evaluator(s.base), *map(evaluator, terms(s))) for s in found]
        for offset in (0, 1, 5):
            points = [
                {A: i, B: j, C: offset} for i, j in product(range(extents[A]), range(extents[B]))
            ]
            taken = [tuple(value(point) for value in run) for point in points]
            assert taken == [tuple(value(point) for value in again) for point in points], seed
            axes = [
                [base({C: offset}) + scale({}) * k for k in range(extent({}))]
                for base, extent, scale in parts
            ]
            assert set(taken) == set(product(*axes)), (seed, offset)
    assert detected > 30


def terms(index: arith.IterSumExpr) -> tuple[ir.PrimExpr, ir.PrimExpr]:
    """Return the extent and the scale of an index."""
    one = tir.const(1)
    return (index.args[0].extent, index.args[0].scale) if len(index.args) else (one, one)


def test_ranges_of_symbolic_extent_are_not_empty() -> None:
    var = tir.Var("fused", "int64")
    domain = {var: ir.Range(tir.const(0, "int64"), N * tir.const(16, "int64"))}
    row = var // tir.const(16, "int64")
    index = row // N * N + row % N
    assert [str(expr) for expr in arith.iter_map_simplify([index], domain)] == ["fused // 16"]
