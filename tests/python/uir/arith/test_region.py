"""What regions cover, in at most and in exactly a set for each dimension."""

from __future__ import annotations

import random
from collections.abc import Mapping
from itertools import product

import pytest

from uir import arith, ir, tir

from .evaluate import evaluate, evaluator

X, Y, Z = tir.Var("x"), tir.Var("y"), tir.Var("z")
TRUE = tir.const(True)
Dim = tuple[ir.PrimExpr, int]


def region(*dims: Dim) -> list[ir.Range]:
    return [ir.Range(first, tir.const(extent)) for first, extent in dims]


def ranges(extents: Mapping[tir.Var, int]) -> dict[tir.Var, ir.Range]:
    return {var: ir.Range(tir.const(0), tir.const(extent)) for var, extent in extents.items()}


def ends(values: arith.IntSet) -> tuple[str, str]:
    return str(values.min_value), str(values.max_value)


@pytest.mark.parametrize(
    ("dims", "extents", "predicate", "expected"),
    [
        ([(X, 2)], {X: 64}, TRUE, [("0", "64")]),
        ([(X * 4, 8)], {X: 64}, TRUE, [("0", "259")]),
        ([(1 - X, 4), (20 - Y * 4, 16)], {X: 4, Y: 4}, TRUE, [("-2", "4"), ("8", "35")]),
        ([(X // 4, 1), (X % 4 + Z, 1)], {X: 64}, TRUE, [("0", "15"), ("z", "z + 3")]),
        ([((X * 4 + Y) * 4, 8)], {X: 16, Y: 4}, X * 4 + Y < 63, [("0", "255")]),
        ([(Z, 3)], {X: 4}, TRUE, [("z", "z + 2")]),
    ],
)
def test_what_is_covered_exactly(
    dims: list[Dim], extents: dict[tir.Var, int], predicate: ir.PrimExpr, expected: list[object]
) -> None:
    for estimate in (arith.estimate_region_lower_bound, arith.estimate_region_strict_bound):
        found = estimate(region(*dims), ranges(extents), predicate)
        assert found is not None
        assert [ends(dim) for dim in found] == expected
    upper = arith.estimate_region_upper_bound(region(*dims), ranges(extents), predicate)
    assert [ends(dim) for dim in upper] == expected


@pytest.mark.parametrize(
    ("dims", "extents", "predicate", "expected"),
    [
        ([(X, 2), (X + 2, 2)], {X: 64}, TRUE, [("0", "64"), ("2", "66")]),
        ([(X * 4, 2)], {X: 64}, TRUE, [("0", "253")]),
        ([(X * X, 1)], {X: 5}, TRUE, [("0", "16")]),
        ([(X * 4 + Z, 2)], {X: 16}, X > 3, [("z + 16", "z + 61")]),
        ([(tir.truncdiv(X, 2), 1)], {X: 16}, TRUE, [("0", "7")]),
    ],
)
def test_what_is_covered_at_most(
    dims: list[Dim], extents: dict[tir.Var, int], predicate: ir.PrimExpr, expected: list[object]
) -> None:
    upper = arith.estimate_region_upper_bound(region(*dims), ranges(extents), predicate)
    assert [ends(dim) for dim in upper] == expected
    assert arith.estimate_region_strict_bound(region(*dims), ranges(extents), predicate) is None


def test_what_is_covered_at_least() -> None:
    lower = arith.estimate_region_lower_bound(
        region((X * 4, 2), (Y, 3)), ranges({X: 8, Y: 5}), TRUE
    )
    assert lower is not None
    assert [ends(dim) for dim in lower] == [("0", "1"), ("0", "6")]
    lower = arith.estimate_region_lower_bound(region((9 - X * 4, 2)), ranges({X: 8}), X > 0)
    assert lower is not None
    assert [ends(dim) for dim in lower] == [("5", "6")]
    dependent = region((X, 2), (X + 2, 2))
    assert arith.estimate_region_lower_bound(dependent, ranges({X: 8}), TRUE) is None


def test_ranges_that_depend_on_other_variables() -> None:
    triangle = {X: ir.Range(tir.const(0), Y), Y: ir.Range(tir.const(0), tir.const(8))}
    found = arith.estimate_region_upper_bound(region((X, 1)), triangle, TRUE)
    assert ends(found[0]) == ("0", "6")
    assert arith.estimate_region_strict_bound(region((X, 1)), triangle, TRUE) is None


def test_tiles_at_the_border_have_symbolic_ends() -> None:
    inside = tir.all(Z * 8 + X >= 1, Z * 8 + X < 224)
    found = arith.estimate_region_lower_bound(region((Z * 8 + X, 1)), ranges({X: 10}), inside)
    assert found is not None
    for tile, expected in ((0, (1, 9)), (10, (80, 89)), (27, (216, 223))):
        values = {Z: tile}
        low, high = found[0].min_value, found[0].max_value
        assert low is not None
        assert high is not None
        assert (evaluate(low, values), evaluate(high, values)) == expected


def test_empty_ranges_cover_nothing() -> None:
    found = arith.estimate_region_upper_bound(region((X, 2)), ranges({X: 0}), TRUE)
    assert found[0].is_nothing()
    assert arith.estimate_region_lower_bound(region((X, 2)), ranges({X: 0}), TRUE) is None


def start(draw: random.Random) -> ir.PrimExpr:
    """Return a random start of a range."""
    kind = draw.randrange(5)
    first, second = draw.sample([X, Y], 2)
    number = draw.choice([2, 3, 4])
    if kind == 0:
        return first * number + draw.randint(-3, 3)
    if kind == 1:
        return tir.floordiv(first * 4 + second, number)
    if kind == 2:
        return tir.floormod(first, number)
    return draw.choice([first * number + second, first + second, 5 - first])


@pytest.mark.parametrize("block", range(4))
def test_regions_cover_what_they_say(block: int) -> None:
    exact = 0
    for seed in range(block * 60, block * 60 + 60):
        draw = random.Random(seed)
        dims = [(start(draw), draw.randint(1, 5)) for _ in range(draw.randint(1, 2))]
        extents = {X: draw.choice([1, 2, 4, 6]), Y: draw.choice([1, 3, 4])}
        predicate = draw.choice([TRUE, X < 3, X * 4 + Y < 9])
        holds = evaluator(predicate)
        starts = [evaluator(first) for first, _ in dims]
        covered = set()
        for point in product(*map(range, extents.values())):
            values = dict(zip(extents, point, strict=True))
            if not holds(values):
                continue
            firsts = [value(values) for value in starts]
            parts = [range(i, i + dim[1]) for i, dim in zip(firsts, dims, strict=True)]
            covered |= set(product(*parts))
        upper = arith.estimate_region_upper_bound(region(*dims), ranges(extents), predicate)
        assert covered <= set(product(*map(integers, upper))), seed
        lower = arith.estimate_region_lower_bound(region(*dims), ranges(extents), predicate)
        if lower is not None:
            assert covered >= set(product(*map(integers, lower))), seed
        strict = arith.estimate_region_strict_bound(region(*dims), ranges(extents), predicate)
        if strict is not None:
            exact += 1
            assert covered == set(product(*map(integers, strict))), seed
    assert exact > 10


def integers(values: arith.IntSet) -> range:
    """Return the integers of a set with constant ends."""
    assert values.min_value is not None
    assert values.max_value is not None
    return range(evaluate(values.min_value, {}), evaluate(values.max_value, {}) + 1)


def test_wrong_arguments_are_refused() -> None:
    for estimate in (
        arith.estimate_region_upper_bound,
        arith.estimate_region_lower_bound,
        arith.estimate_region_strict_bound,
    ):
        with pytest.raises(TypeError, match="`predicate` must be a scalar boolean"):
            estimate([], {}, X)
