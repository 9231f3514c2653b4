"""Compositions of operators that relay does not have: errors, limits, ranks and truth values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch

from uir.frontend.torch import UnsupportedModelError, from_exported_program

from .eager import assert_like_eager, evaluated, exported

INF, NAN = float("inf"), float("nan")
LIMITS = torch.tensor([INF, -INF, NAN, 0.0, -0.0, 1.0, 2.0, -1.0, -2.0, 3e38, -1e30, 1e-30, -1e-30])


def relative_error(function: Callable[..., Any], *args: torch.Tensor) -> float:
    """Return the greatest relative error, compared with PyTorch's result of float64 elements."""
    found = torch.as_tensor(evaluated(from_exported_program(exported(function, args)), args)[0])
    wanted = function(*(one.double() for one in args)).to(found.dtype)
    assert torch.equal(found.isnan(), wanted.isnan())
    differs = (found != wanted) & ~wanted.isnan()
    if not differs.any():
        return 0.0
    errors = (found.double() - wanted.double()).abs() / wanted.double().abs()
    return float(errors[differs].max())


def test_erfc_is_precise_in_its_tail() -> None:
    x = torch.cat([torch.linspace(-10, 26, 20001, dtype=torch.float64), LIMITS.double()])
    assert relative_error(torch.erfc, x) < 2e-13
    assert relative_error(torch.erfc, x.float()) < 1.2e-7
    assert_like_eager(torch.erfc, (torch.tensor([-1, 0, 3]),), compiled=True)


def test_the_gamma_function_of_all_kinds_of_numbers() -> None:
    torch.manual_seed(0)
    near_zeros = torch.cat([1 + torch.randn(1000) * 1e-5, 2 + torch.randn(1000) * 1e-5])
    x = torch.cat([torch.rand(20000) * 60, near_zeros, LIMITS, -torch.rand(1000) * 1e-5])
    assert relative_error(torch.lgamma, x) < 2.5e-7
    negative = -torch.rand(1000) * 20
    torch.testing.assert_close(
        torch.as_tensor(evaluated(imported(torch.lgamma, negative), [negative])[0]),
        torch.lgamma(negative.double()).float(),
        rtol=1e-6,
        atol=1e-12,
    )
    assert_like_eager(torch.lgamma, (torch.tensor([0.5, 7.0]),), compiled=True)


def imported(function: Callable[..., Any], *args: Any) -> Any:
    return from_exported_program(exported(function, args))


def test_the_gamma_function_of_float64_is_refused() -> None:
    with pytest.raises(UnsupportedModelError, match="gamma function of float64"):
        imported(torch.lgamma, torch.ones(2, dtype=torch.float64))


def test_lengths_neither_overflow_nor_underflow() -> None:
    values = torch.tensor([0.0, INF, -INF, NAN, 3.0, -4.0, 1e308, 1e-308, 5e-324, 1e-200])
    x, y = (
        one.flatten() for one in torch.meshgrid(values.double(), values.double(), indexing="ij")
    )
    assert relative_error(torch.hypot, x, y) < 7e-16
    assert_like_eager(torch.hypot, (torch.randn(3, 1), torch.randn(4)), compiled=True)


@pytest.mark.parametrize("decimals", [0, 2, -2])
def test_rounding_to_decimals(decimals: int) -> None:
    x = torch.cat([torch.randn(1000) * 1000, torch.tensor([INF, NAN, -0.0, 0.125, 0.135, 150.0])])
    assert_like_eager(lambda x: torch.round(x, decimals=decimals), (x,))


RUNNING = torch.tensor([[3.0, 1.0, 3.0, 5.0, 5.0, NAN, 2.0, NAN, INF], [INF, -INF] * 4 + [0.0]])


@pytest.mark.parametrize("function", [torch.cummax, torch.cummin])
def test_running_extrema_and_their_places(function: Callable[..., Any]) -> None:
    for x in (RUNNING, torch.tensor([4, 4, 2, 2, 7]), torch.tensor([True, False, True])):
        assert_like_eager(lambda x: tuple(function(x, -1)), (x,))
    assert_like_eager(lambda x: tuple(function(x, 0)), (RUNNING.t(),))
    assert_like_eager(lambda x: tuple(function(x, 0)), (torch.tensor(2.0),))


def test_running_sums_of_exponentials() -> None:
    infinite = torch.tensor([[-INF, -INF, 2.0, INF, INF, 1.0], [1e30, 1e30, -1e30, 0.0, NAN, 1.0]])
    for x in (infinite, torch.randn(2, 17) * 50):
        assert_like_eager(lambda x: torch.logcumsumexp(x, 1), (x,))
    assert_like_eager(lambda x: torch.logcumsumexp(x, 0), (torch.randn(5, 2),), compiled=True)


def test_a_running_extremum_needs_a_known_length() -> None:
    length = torch.export.Dim("length")
    program = exported(lambda x: torch.cummax(x, 0)[0], (torch.randn(4),), [{0: length}])
    with pytest.raises(UnsupportedModelError, match="the number of steps depends"):
        from_exported_program(program)


def test_truth_values_are_added_where_masks_are_true() -> None:
    x, mask = torch.tensor([True, False, False]), torch.tensor([False, True, False])
    value = torch.tensor(True)
    assert_like_eager(lambda x, m, v: x.index_put((m,), v, accumulate=True), (x, mask, value))
    places, source = torch.tensor([1, 1]), torch.tensor([False, True])
    assert_like_eager(lambda x, p, s: x.index_add(0, p, s, alpha=True), (x, places, source))


def test_truth_values_are_compared() -> None:
    x, y = torch.tensor([True, False, True, False]), torch.tensor([True, True, False, False])
    assert_like_eager(lambda x, y: (x < y, x >= y, x > 0, x == y), (x, y))


def test_windows_and_axes_of_a_number() -> None:
    number = torch.tensor(2.0)
    assert_like_eager(lambda x: (x.unfold(0, 1, 1), x.unfold(0, 0, 1)), (number,))
    assert_like_eager(lambda x: x.squeeze((0,)) + x.squeeze(0), (number,))
