"""Iterator maps: what is detected holds for all values of the input variables."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from itertools import product

import pytest

from uir import arith, ir, tir

from .evaluate import evaluator
from .iterators import points, split_and_fused

A, B, C, N = tir.Var("i"), tir.Var("j"), tir.Var("k"), tir.SizeVar("n")
Extents = Mapping[tir.Var, "int | ir.PrimExpr"]


def ranges(extents: Extents) -> dict[tir.Var, ir.Range]:
    return {
        var: ir.Range(tir.const(0), tir.const(extent) if isinstance(extent, int) else extent)
        for var, extent in extents.items()
    }


def shapes(
    indices: Sequence[ir.PrimExpr],
    extents: Extents,
    predicate: ir.PrimExpr | None = None,
    level: str = "surjective",
) -> list[tuple[str, str, str]] | None:
    """Return the extent, the base and the scale of each index; None if it is not a map."""
    found = arith.detect_iter_map(indices, ranges(extents), predicate, level)
    assert (len(found.indices) == 0) == (len(found.errors) > 0)
    if not found.indices:
        return None
    parts = []
    for index in found.indices:
        terms = list(index.args)
        extent, scale = (str(terms[0].extent), str(terms[0].scale)) if terms else ("1", "1")
        parts.append((extent, str(index.base), scale))
    return parts


@pytest.mark.parametrize(
    ("indices", "extents", "expected"),
    [
        ([A, B], {A: 3, B: 4}, [("3", "0", "1"), ("4", "0", "1")]),
        ([A * 4 + B + 7], {A: 3, B: 4}, [("12", "7", "1")]),
        ([A * 8 + B * 2], {A: 3, B: 4}, [("12", "0", "2")]),
        ([A // 6, A % 6], {A: 24}, [("4", "0", "1"), ("6", "0", "1")]),
        ([A // 6 * 6 + A % 6], {A: 24}, [("24", "0", "1")]),
        ([A * 2 // 4, A * 2 % 4], {A: 8}, [("4", "0", "1"), ("2", "0", "2")]),
        ([(A * 4 + B) // 6, (A * 4 + B) % 6], {A: 3, B: 4}, [("2", "0", "1"), ("6", "0", "1")]),
        ([(A + 64) // 32, (A + 64) % 32], {A: 96}, [("3", "2", "1"), ("32", "0", "1")]),
        ([B * N + A], {A: N, B: 4}, [("n * 4", "0", "1")]),
        ([A // N, A % N], {A: C * N}, [("k", "0", "1"), ("n", "0", "1")]),
        ([A + C], {A: 4}, [("4", "k", "1")]),
    ],
)
def test_bijective_maps(
    indices: list[ir.PrimExpr], extents: Extents, expected: list[tuple[str, str, str]]
) -> None:
    assert shapes(indices, extents, None, "bijective") == expected


@pytest.mark.parametrize(
    ("indices", "extents", "expected"),
    [
        ([A * 7 + B], {A: 3, B: 8}, [("22", "0", "1")]),
        ([A // 15], {A: 26}, [("2", "0", "1")]),
        ([A // 3 % 5, A % 3], {A: 26}, [("5", "0", "1"), ("3", "0", "1")]),
        ([(A + 80) // 32], {A: 176}, [("6", "2", "1")]),
        ([(A + 10) % 3, (A + 10) // 3 % 4], {A: 240}, [("3", "0", "1"), ("4", "0", "1")]),
        ([A % 4], {A: 24}, [("4", "0", "1")]),
    ],
)
def test_maps_that_are_only_surjective(
    indices: list[ir.PrimExpr], extents: Extents, expected: list[tuple[str, str, str]]
) -> None:
    assert shapes(indices, extents) == expected
    assert shapes(indices, extents, None, "bijective") is None


@pytest.mark.parametrize(
    ("indices", "extents"),
    [
        ([A, A], {A: 3}),
        ([A * 4 + B, B], {A: 3, B: 4}),
        ([A * 5 + B], {A: 3, B: 4}),
        ([A * 5 + B * 2], {A: 3, B: 4}),
        ([B - A], {A: 3, B: 4}),
        ([A * A], {A: 3}),
        ([A // B], {A: 3, B: 4}),
        ([(A + 80) // 32, (A + 80) % 32], {A: 176}),
        ([A // 15, A % 15], {A: 26}),
        ([A % 6 // 4], {A: 24}),
        ([tir.decl_buffer((8,), "int32")[A]], {A: 8}),
    ],
)
def test_what_is_not_a_map(indices: list[ir.PrimExpr], extents: Extents) -> None:
    assert shapes(indices, extents) is None


FUSED, TILE = A * 10 + B, B * 2 + C
GRID = {A: 13, B: 10}
DEEP = {A: 11, B: 5, C: 2}


@pytest.mark.parametrize(
    ("index", "extents", "predicate", "expected"),
    [
        (FUSED, GRID, FUSED < 128, ("128", "0", "1")),
        (FUSED, GRID, FUSED > 5, ("124", "6", "1")),
        (FUSED, GRID, tir.all(FUSED >= 6, FUSED <= 127), ("122", "6", "1")),
        (FUSED, GRID, A * 10 < 128 - B, ("128", "0", "1")),
        (FUSED, GRID, FUSED < 140, ("130", "0", "1")),
        (A * 20 + B * 2, GRID, FUSED < 128, ("128", "0", "2")),
        (A * 8 + TILE, DEEP, tir.all(TILE >= 1, TILE < 9), ("88", "1", "1")),
        (FUSED % 16, GRID, tir.all(FUSED >= 1, FUSED <= 32), ("16", "0", "1")),
        (FUSED % 16, GRID, tir.all(FUSED % 16 >= 3, FUSED % 16 < 9), ("6", "3", "1")),
        (A, GRID, A < 9, ("9", "0", "1")),
        (FUSED // 4 * 3 + FUSED % 4, GRID, tir.all(FUSED % 4 < 3, FUSED < 120), ("90", "0", "1")),
        (A + C, {A: 4}, C < 3, ("4", "k", "1")),
    ],
)
def test_predicates_restrict_fused_iterators(
    index: ir.PrimExpr, extents: Extents, predicate: ir.PrimExpr, expected: tuple[str, str, str]
) -> None:
    assert shapes([index], extents, predicate) == [expected]


def test_predicates_that_no_index_has() -> None:
    assert shapes([A, B], GRID, FUSED < 99) is None
    assert shapes([FUSED], GRID, tir.any(FUSED < 9, FUSED > 99)) is None
    assert shapes([A], GRID, A * A < 9) is None
    assert shapes([A * 10 + B * 2 + C], DEEP, TILE < 7) is None


def random_index(draw: random.Random, variables: Sequence[tir.Var], depth: int) -> ir.PrimExpr:
    """Return a random index, often one that splits or fuses."""
    if depth == 0 or draw.random() < 0.2:
        return draw.choice(variables)
    inner = random_index(draw, variables, depth - 1)
    number = draw.choice([2, 2, 3, 4, 6])
    kind = draw.randrange(6)
    if kind == 0:
        return tir.floordiv(inner, number)
    if kind == 1:
        return tir.floormod(inner, number)
    if kind == 2:
        return tir.Add(inner, tir.const(draw.randint(-3, 9)))
    other = random_index(draw, variables, depth - 1)
    return tir.Add(tir.Mul(inner, tir.const(number)), other)


def compare(
    indices: list[ir.PrimExpr],
    found: Sequence[arith.IterSumExpr],
    at: list[dict[tir.Var, int]],
    *,
    bijective: bool,
) -> None:
    """Compare what was detected with the values at all points where the predicate holds."""
    run = [evaluator(index) for index in indices]
    again = [evaluator(arith.normalize_iter_map_to_expr(index)) for index in found]
    taken = [tuple(value(point) for value in run) for point in at]
    assert taken == [tuple(value(point) for value in again) for point in at]
    axes = []
    for index in found:
        base = evaluator(index.base)({})
        terms = list(index.args)
        extent, scale = (
            (evaluator(terms[0].extent)({}), evaluator(terms[0].scale)({})) if terms else (1, 1)
        )
        axes.append([base + scale * i for i in range(extent)])
    assert set(taken) == set(product(*axes))
    if not bijective:
        return
    assert len(set(taken)) == len(at)
    outputs = [tir.Var(f"output{i}") for i in range(len(indices))]
    for var, inverse in arith.inverse_affine_iter_map(found, outputs).items():
        invert = evaluator(inverse)
        for point, values in zip(at, taken, strict=True):
            assert invert(dict(zip(outputs, values, strict=True))) == point[var]


@pytest.mark.parametrize("block", range(8))
def test_detected_maps_are_maps(block: int) -> None:
    detected = {"surjective": 0, "bijective": 0}
    for seed in range(block * 150, block * 150 + 150):
        draw = random.Random(seed)
        variables = [A, B, C][: draw.randint(1, 3)]
        extents = {var: draw.choice([1, 2, 3, 4, 6, 8]) for var in variables}
        indices = [
            random_index(draw, variables, draw.randint(0, 3)) for _ in range(draw.randint(1, 2))
        ]
        predicate = None
        if draw.random() < 0.4:
            restricted = draw.choice([*indices, random_index(draw, variables, 2)])
            predicate = draw.choice([tir.LT, tir.GE])(restricted, tir.const(draw.randint(1, 12)))
        holds = evaluator(tir.const(True) if predicate is None else predicate)
        held = [point for point in points(extents) if holds(point)]
        for level in detected:
            found = arith.detect_iter_map(indices, ranges(extents), predicate, level)
            if not found.indices:
                continue
            detected[level] += 1
            compare(indices, found.indices, held, bijective=level == "bijective")
    assert detected["surjective"] > 30
    assert detected["bijective"] > 8


@pytest.mark.parametrize("block", range(4))
def test_splits_and_fusions_have_inverses(block: int) -> None:
    for seed in range(block * 30, block * 30 + 30):
        draw = random.Random(seed)
        extents = {var: draw.choice([2, 4, 6, 12]) for var in (A, B)}
        indices = split_and_fused(draw, extents, steps=6, splits=0.6)
        found = arith.detect_iter_map(indices, ranges(extents), None, "bijective")
        assert len(found.indices) == len(indices), (seed, list(found.errors))
        compare(indices, found.indices, points(extents), bijective=True)


def test_ranges_that_do_not_begin_at_zero() -> None:
    domain = {A: ir.Range(tir.const(5), tir.const(8))}
    found = arith.detect_iter_map([A // 4, A % 4], domain)
    assert len(found.indices) == 0
    found = arith.detect_iter_map([(A - 5) // 4, (A - 5) % 4], domain, None, "bijective")
    compare(
        [(A - 5) // 4, (A - 5) % 4], found.indices, [{A: i} for i in range(5, 13)], bijective=True
    )


@pytest.mark.parametrize(
    ("index", "extents", "expected"),
    [
        (A // N * N + A % N, {A: N * 32}, "i"),
        ((A * 32 + B) // N * N + (A * 32 + B) % N, {A: N, B: 32}, "i * 32 + j"),
        ((A % 12 // 4) * 4 + A % 4, {A: 24}, "i % 12"),
        (A * 4 + B + C, {A: 3, B: 4, C: 1}, "i * 4 + j"),
        (B + 64 - A % 2 * 64, {A: 6, B: 64}, "j - i % 2 * 64 + 64"),
    ],
)
def test_simplified_indices(index: ir.PrimExpr, extents: Extents, expected: str) -> None:
    assert [str(expr) for expr in arith.iter_map_simplify([index], ranges(extents))] == [expected]


def summands(index: ir.PrimExpr, extents: Extents) -> tuple[list[str], str]:
    """Return the terms of an index, and its base."""
    found = arith.normalize_to_iter_sum(index, ranges(extents))
    zero = tir.const(0)
    terms = [arith.IterSumExpr([term], zero) for term in found.args]
    return [str(arith.normalize_iter_map_to_expr(term)) for term in terms], str(found.base)


def test_sums_of_terms_that_need_not_be_independent() -> None:
    grid = {A: 9, B: 4, C: 3}
    assert summands(C + (B + A * 4 + 2) * N + 3, grid) == (
        ["i * (n * 4)", "j * n", "k"],
        "n * 2 + 3",
    )
    assert summands(tir.max(C, N) + B * 2, grid) == (["j * 2"], "tir.max(k, n)")
    assert summands(C * 2 + B * 6 + A // 3 * 3 + A % 3, grid) == (["j * 6", "k * 2", "i"], "0")
    assert summands(A // 5, grid) == (["i // 5"], "0")
    assert summands(A * 4 - B, grid) == (["i * 4", "0 - j"], "0")


def test_sums_keep_the_value() -> None:
    for seed in range(300):
        draw = random.Random(seed)
        index = random_index(draw, [A, B, C], 3)
        if draw.random() < 0.5:
            index = tir.max(index, C) - random_index(draw, [A, B], 2)
        extents = {A: 4, B: 3, C: draw.choice([1, 5])}
        again = arith.normalize_to_iter_sum(index, ranges(extents))
        before, after = evaluator(index), evaluator(arith.normalize_iter_map_to_expr(again))
        for values in points(extents):
            assert before(values) == after(values), (seed, values)


def test_facts_of_an_analyzer_count() -> None:
    analyzer = arith.Analyzer()
    analyzer.bind(N, tir.const(4))
    domain = ranges({A: 16})
    found = arith.detect_iter_map([A // N, A % N], domain, None, "bijective", analyzer=analyzer)
    assert len(found.indices) == 2
    assert not arith.detect_iter_map([A // N, A % N], domain).indices


def test_wrong_arguments_are_refused() -> None:
    with pytest.raises(
        ValueError, match="`check_level` must be `surjective`, `bijective` or `none`"
    ):
        arith.detect_iter_map([A], ranges({A: 3}), None, "injective")
    with pytest.raises(TypeError, match="an index must be a scalar of `int32` or `int64`"):
        arith.detect_iter_map([tir.const(0.5)], {})
    with pytest.raises(TypeError, match="`source` must be an expression or an `IterSumExpr`"):
        arith.IterMark(ir.Range(tir.const(0), tir.const(1)), tir.const(1))
    with pytest.raises(ValueError, match="0 indices need as many outputs, got 1"):
        arith.inverse_affine_iter_map([], [A])


def test_deep_and_shared_indices() -> None:
    deep: ir.PrimExpr = A
    shared: ir.PrimExpr = A
    for _ in range(20_000):
        deep = tir.Add(deep, tir.const(1))
    for _ in range(60):
        shared = tir.FloorDiv(tir.Add(shared, shared), tir.const(2))
    assert shapes([deep], {A: 8}) == [("8", "20000", "1")]
    assert shapes([shared], {A: 8}) == [("8", "0", "1")]
