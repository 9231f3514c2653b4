"""Quotients, remainders, powers, signs and reductions of nothing: imported, they are PyTorch's."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

from uir.frontend.torch import as_torch_function, from_exported_program

from .eager import evaluated, exported, leaves

INTEGERS = (torch.int8, torch.int16, torch.int32, torch.int64, torch.uint8)
FLOATS = (torch.float64, torch.float32, torch.float16)
NUMBERS = (0.0, -0.0, 0.1, -0.1, 1.0, -1.0, 2.0, -2.5, 6.0, 7.0, -7.0)
SPECIAL = (float("inf"), -float("inf"), float("nan"))


def assert_equal_to_eager(function: Callable[..., Any], *args: torch.Tensor) -> None:
    """Compare every element of what is evaluated and compiled with PyTorch's; NaN equals NaN."""
    module = from_exported_program(exported(function, args))
    wanted = leaves(function(*args))
    for found in (evaluated(module, args), leaves(as_torch_function(module)(*args))):
        for one, other in zip(found, wanted, strict=True):
            np.testing.assert_array_equal(np.asarray(one), other.numpy(), strict=True)


def operations(a: torch.Tensor, b: torch.Tensor) -> list[torch.Tensor]:
    return [
        a // b,
        a % b,
        torch.fmod(a, b),
        torch.div(a, b, rounding_mode="floor"),
        torch.div(a, b, rounding_mode="trunc"),
    ]


def pairs(values: Any, dtype: torch.dtype, divisors: Any) -> tuple[torch.Tensor, ...]:
    rows = list(itertools.product(values, divisors))
    return tuple(torch.tensor(side, dtype=dtype) for side in zip(*rows, strict=True))


@pytest.mark.parametrize("dtype", INTEGERS, ids=str)
def test_integers_at_their_borders(dtype: torch.dtype) -> None:
    limits = torch.iinfo(dtype)
    near = {limits.min, limits.min + 1, limits.max, limits.max - 1, -3, -2, 0, 1, 2, 3, 7}
    values = [one for one in near if one >= limits.min]
    # PyTorch ends the process where the least integer is divided by -1.
    divisors = [one for one in values if one]
    assert_equal_to_eager(operations, *pairs(values, dtype, divisors))


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16], ids=str)
def test_quotients_of_16_bits(dtype: torch.dtype) -> None:
    """They are those of single elements: PyTorch's vectors round between the steps as well."""
    random = torch.from_numpy(np.random.default_rng(0).integers(-(1 << 15), 1 << 15, 100, "int16"))
    fractions = [one / 10 for one in range(-30, 31)]
    few = torch.tensor(
        [*NUMBERS, *SPECIAL, *fractions, 2048, 4097, 65504, 6e-8, 1 / 3], dtype=dtype
    )
    numbers = torch.cat([random.view(dtype), few])
    a, b = (one.reshape(-1).contiguous() for one in torch.meshgrid(numbers, numbers, indexing="ij"))
    module = from_exported_program(exported(torch.floor_divide, (a, b)))
    found = as_torch_function(module)(a, b)
    single = [one.split(1) for one in (a, b)]
    wanted = torch.cat([torch.floor_divide(*one) for one in zip(*single, strict=True)])
    is_same = (found.view(torch.int16) == wanted.view(torch.int16)) | (
        found.isnan() & wanted.isnan()
    )
    assert is_same.all(), [(a[i], b[i], found[i], wanted[i]) for i in (~is_same).nonzero()[:4]]


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
def test_floats(dtype: torch.dtype) -> None:
    # PyTorch's vectors round between the steps of a quotient of float16, which may then be 1 off.
    numbers = (*NUMBERS, *SPECIAL) if dtype == torch.float16 else (*NUMBERS, *SPECIAL, 1e4)
    assert_equal_to_eager(operations, *pairs(numbers, dtype, numbers))


def test_a_divisor_of_0_is_an_error() -> None:
    x, y = torch.tensor([5, 6]), torch.tensor([1, 2])
    for operation in (torch.floor_divide, torch.remainder, torch.fmod):
        function = as_torch_function(from_exported_program(exported(operation, (x, y))))
        assert torch.equal(function(x, y), operation(x, y))
        with pytest.raises(ValueError, match="the divisor `y` is 0"):
            function(x, torch.tensor([1, 0]))


def test_negative_powers_of_integers() -> None:
    x = torch.tensor([1, 2, -1, 3, 0, -5], dtype=torch.int32)
    for exponent in (-1, -2, -7):
        y = torch.full_like(x, exponent)
        assert_equal_to_eager(torch.pow, x, y)


def test_signs() -> None:
    x = torch.tensor([float("nan"), 0.0, -0.0, 3.0, -3.0, *SPECIAL])
    assert_equal_to_eager(torch.sign, x)
    assert_equal_to_eager(torch.sign, torch.tensor([3, 0, -7]))


@pytest.mark.parametrize("correction", [0, 1, 2, 3])
def test_variances_of_few_elements(correction: int) -> None:
    def statistics(x: torch.Tensor) -> Any:
        return [
            x.var(1, correction=correction),
            x.std(1, correction=correction),
            *torch.var_mean(x, 1, correction=correction),
        ]

    for row in ([1.0], [1.0, 3.0], [2.0, 2.0], []):
        assert_equal_to_eager(statistics, torch.tensor([row, row]))


REDUCTIONS: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {
    "all": lambda x: x.all(1),
    "any": lambda x: x.any(1),
    "any.keepdim": lambda x: x.any(1, keepdim=True),
    "cumsum": lambda x: x.cumsum(1),
    "logsumexp": lambda x: torch.logsumexp(x, 1),
    "mean": lambda x: x.mean(1),
    "norm": lambda x: torch.linalg.vector_norm(x, dim=1),
    "prod": lambda x: x.prod(1),
    "sum": lambda x: x.sum(1),
    "sum.all": lambda x: x.sum(),
    "all.all": lambda x: x.all(),
    "any.all": lambda x: x.any(),
    "amax.other": lambda x: x.amax(0),
}


@pytest.mark.parametrize("name", REDUCTIONS)
def test_reductions_of_no_elements(name: str) -> None:
    assert_equal_to_eager(REDUCTIONS[name], torch.zeros(3, 0))


def test_statistics_of_elements_far_from_0() -> None:
    """Means of 10,000 deviations leave variances the precision that the elements have."""
    x = torch.from_numpy(np.random.default_rng(0).standard_normal((8, 4, 256)) + 1e4).float()

    def statistics(x: torch.Tensor) -> list[torch.Tensor]:
        y = torch.nn.functional.batch_norm(x, None, None, training=True)
        return [y, x.var((0, 2)), x.std((0, 2)), *torch.var_mean(x, (0, 2))]

    found = as_torch_function(from_exported_program(exported(statistics, (x,))))(x)
    exact = x.double()
    spread = exact.var((0, 2), correction=0, keepdim=True)
    centered = exact - exact.mean((0, 2), keepdim=True)
    wanted = [centered / (spread + 1e-5).sqrt(), *statistics(exact)[1:]]
    for one, other in zip(found, wanted, strict=True):
        torch.testing.assert_close(one.double(), other, rtol=2e-6, atol=2.5e-6)
