"""Divisions of iterator maps: at each point the outer and the inner indices give the index."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

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


def value_of(mark: arith.IterMark) -> ir.PrimExpr:
    """Return the expression of an index."""
    assert isinstance(mark.source, arith.IterSumExpr)
    return arith.normalize_iter_map_to_expr(mark.source)


def parts(marks: Sequence[arith.IterMark]) -> list[str]:
    """Return each index with its extent."""
    return [f"{value_of(mark)}: {mark.extent}" for mark in marks]


@pytest.mark.parametrize(
    ("indices", "extents", "inner", "expected"),
    [
        ([A * 6 + B + N], {A: 4, B: 6}, [B], (["i: 4"], ["j + n: 6"])),
        ([A * 6 + B], {A: 4, B: 6}, [], (["i * 6 + j: 24"], ["0: 1"])),
        ([A, B], {A: 4, B: 6}, [B], (["i: 4", "0: 1"], ["0: 1", "j: 6"])),
        ([A * N + B], {A: 4, B: N}, [B], (["i: 4"], ["j: n"])),
        ([A // 4, A % 4], {A: 32}, [A], (["0: 1", "0: 1"], ["i // 4: 8", "i % 4: 4"])),
        (
            [(A * 4 + B) // 8, (A * 4 + B) % 8],
            {A: 4, B: 4},
            [B],
            (["i // 2: 2", "i % 2: 2"], ["0: 1", "j: 4"]),
        ),
        ([(A * 9 + B) // 3 % 3], {A: 2, B: 9}, [B], (["0: 1"], ["j // 3: 3"])),
    ],
)
def test_divisions(
    indices: list[ir.PrimExpr],
    extents: Extents,
    inner: list[tir.Var],
    expected: tuple[list[str], list[str]],
) -> None:
    found = arith.subspace_divide(indices, ranges(extents), inner)
    assert list(found.errors) == []
    assert (parts(found.outer), parts(found.inner)) == expected


def test_predicates_are_divided() -> None:
    fused = A * 6 + B
    found = arith.subspace_divide([fused], ranges({A: 4, B: 6}), [B], tir.all(A < 3, B < 6))
    assert (str(found.outer_predicate), str(found.inner_predicate)) == ("i < 3", "True")
    assert parts(found.outer) == ["i: 3"]
    tile, rest = C * 3 + B, A * 5 + C * 3 + B
    found = arith.subspace_divide([rest], ranges({A: 4, C: 2, B: 3}), [B, C], tile < 5)
    assert (str(found.outer_predicate), str(found.inner_predicate)) == ("True", "k * 3 + j < 5")
    assert parts(found.inner) == ["k * 3 + j: 5"]


@pytest.mark.parametrize(
    ("indices", "extents", "inner", "predicate", "message"),
    [
        ([A * 6 + B], {A: 4, B: 6}, [A], None, "an inner index has steps"),
        ([A * 8 + B * 2], {A: 4, B: 4}, [B], None, "an inner index has steps"),
        ([A * 6 + B], {A: 4, B: 8}, [B], None, "is not a multiple of its inner extent"),
        ([A * 6 + B], {A: 4, B: 6}, [B], A * 6 + B < 20, "a condition is on outer and inner"),
        ([A, A], {A: 4, B: 6}, [B], None, "digits of an iterator overlap"),
        ([A * B], {A: 4, B: 6}, [B], None, "an index is not made of splits and fusions"),
        ([A * N + B], {A: 4, B: 6}, [B], None, "an index is not made of splits and fusions"),
    ],
)
def test_what_is_not_divided(
    indices: list[ir.PrimExpr],
    extents: Extents,
    inner: list[tir.Var],
    predicate: ir.PrimExpr | None,
    message: str,
) -> None:
    found = arith.subspace_divide(indices, ranges(extents), inner, predicate)
    assert len(found.outer) == len(found.inner) == 0
    assert message in found.errors[0]


def test_variables_of_one_value_stay_if_asked_for() -> None:
    domain = ranges({A: 1, B: 16})
    found = arith.subspace_divide([A * 16 + B], domain, [B], None, "surjective", False)
    assert (parts(found.outer), parts(found.inner)) == (["i: 1"], ["j: 16"])
    assert parts(arith.subspace_divide([A * 16 + B], domain, [B]).outer) == ["0: 1"]


def test_facts_of_an_analyzer_count() -> None:
    tile = tir.Var("tile")
    domain = ranges({A: 4, B: tile})
    assert not arith.subspace_divide([B * tile + A], domain, [A]).outer
    analyzer = arith.Analyzer()
    analyzer.bind(tile, tir.const(4))
    found = arith.subspace_divide([B * tile + A], domain, [A], analyzer=analyzer)
    assert [str(mark.extent) for mark in found.inner] == ["4"]


def test_wrong_arguments_are_refused() -> None:
    with pytest.raises(ValueError, match="`k` of `inner_vars` has no range"):
        arith.subspace_divide([A], ranges({A: 4}), [C])
    with pytest.raises(TypeError, match="an index must be a scalar of `int32` or `int64`"):
        arith.subspace_divide([tir.const(0.5)], {}, [])


def test_divisions_give_the_index_at_all_points() -> None:
    divided = 0
    for seed in range(120):
        draw = random.Random(seed)
        extents = {var: draw.choice([2, 3, 4, 6]) for var in (A, B, C)}
        indices = split_and_fused(draw, extents, steps=4, splits=0.4)
        inner_vars = draw.sample([A, B, C], draw.randint(1, 2))
        predicate = None
        if draw.random() < 0.3:
            var = draw.choice([A, B, C])
            predicate = var < draw.randint(1, extents[var])
        found = arith.subspace_divide(indices, ranges(extents), inner_vars, predicate, "bijective")
        if not found.outer:
            continue
        divided += 1
        holds = evaluator(tir.const(True) if predicate is None else predicate)
        outer_holds, inner_holds = map(evaluator, (found.outer_predicate, found.inner_predicate))
        outer, inner = (
            [evaluator(value_of(mark)) for mark in marks] for marks in (found.outer, found.inner)
        )
        sizes = [evaluator(mark.extent)({}) for mark in found.inner]
        run = [evaluator(index) for index in indices]
        others = [var for var in extents if var not in inner_vars]
        seen: dict[str, set[tuple[int, ...]]] = {"outer": set(), "inner": set()}
        for point in points(extents):
            assert holds(point) == (outer_holds(point) and inner_holds(point)), seed
            if not holds(point):
                continue
            high = tuple(value({var: point[var] for var in others}) for value in outer)
            low = tuple(value({var: point[var] for var in inner_vars}) for value in inner)
            again = [h * size + v for h, size, v in zip(high, sizes, low, strict=True)]
            assert again == [value(point) for value in run], seed
            seen["outer"].add(high)
            seen["inner"].add(low)
        for name, marks in (("outer", found.outer), ("inner", found.inner)):
            count = 1
            for mark in marks:
                count *= evaluator(mark.extent)({})
            assert len(seen[name]) == count, (seed, name)
    assert divided > 35
