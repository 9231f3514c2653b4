"""Sums of digits of iterators take time linear in the number of their terms."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import pytest

from uir import arith, ir, tir

SHORT, LONG = 200, 1_600
Index = tuple[ir.PrimExpr, dict[tir.Var, ir.Range]]


def added(terms: Sequence[ir.PrimExpr]) -> ir.PrimExpr:
    expr = terms[0]
    for term in terms[1:]:
        expr = tir.Add(expr, term)
    return expr


def iterators(count: int) -> dict[tir.Var, ir.Range]:
    return {tir.Var(f"i{k}"): ir.Range(tir.const(0), tir.const(16)) for k in range(count)}


def many_iterators(count: int) -> Index:
    ranges = iterators(count)
    return added(list(ranges)), ranges


def many_joined(count: int) -> Index:
    ranges = iterators(count)
    return added([var // 4 * 4 + var % 4 for var in ranges]), ranges


def many_of_one(count: int) -> Index:
    var = tir.Var("i")
    terms = [var // k * k for k in range(2, count + 2)]
    return added(terms), {var: ir.Range(tir.const(0), tir.const(1_000_000))}


def many_offsets(count: int) -> Index:
    ranges = iterators(1)
    return added([*ranges, *(tir.Var(f"n{k}") for k in range(count))]), ranges


MAKERS: dict[str, tuple[Callable[[int], Index], Callable[[int], int]]] = {
    "iterators": (many_iterators, lambda count: count),
    "joined": (many_joined, lambda count: count),
    "of one": (many_of_one, lambda count: count),
    "offsets": (many_offsets, lambda _: 1),
}


def seconds(name: str, count: int) -> float:
    """Return the least processor time of some runs."""
    make, num_terms = MAKERS[name]
    index, ranges = make(count)
    times = []
    for _ in range(3):
        begin = time.process_time()
        found = arith.normalize_to_iter_sum(index, ranges)
        arith.detect_iter_map([index], ranges)
        times.append(time.process_time() - begin)
        assert len(found.args) == num_terms(count)
    return min(times)


@pytest.mark.parametrize("name", MAKERS)
def test_eight_times_the_terms_take_about_eight_times_as_long(name: str) -> None:
    # Quadratic time would be 64 times as long.
    assert seconds(name, LONG) < 32 * max(seconds(name, SHORT), 0.0005)


def test_sums_that_stand_in_many_places() -> None:
    ranges = iterators(2)
    first, second = ranges
    expr: ir.PrimExpr = tir.Add(first, second)
    for _ in range(20):
        expr = tir.Add(expr, expr)
    terms = list(arith.normalize_to_iter_sum(expr, ranges).args)
    assert [str(term.scale) for term in terms] == ["1048576", "1048576"]
    assert {str(term.source.source) for term in terms} == {"i0", "i1"}


def test_digits_join_in_any_order() -> None:
    var = tir.Var("i")
    ranges = {var: ir.Range(tir.const(0), tir.const(1 << 20))}
    digits = [tir.Mul(var // (1 << k) % 2, tir.const(1 << k)) for k in range(20)]
    for order in (digits, digits[::-1], digits[::2] + digits[1::2]):
        (joined,) = arith.normalize_to_iter_sum(added(order), ranges).args
        assert str(joined.extent) == str(1 << 20)
    missing = arith.normalize_to_iter_sum(added(digits[:9] + digits[10:]), ranges)
    assert sorted(str(term.extent) for term in missing.args) == ["1024", "512"]
