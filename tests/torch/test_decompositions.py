"""Operators that neither core ATen nor PyTorch's decompositions have, and their special cases."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import pytest
import torch
import torch.nn.functional as F

from uir.frontend.torch import UnsupportedModelError, from_exported_program

from .eager import assert_like_eager, exported

NAN = float("nan")
X = torch.linspace(-2, 2, 24).reshape(2, 3, 4)
VOLUME = torch.linspace(-1, 1, 2 * 3 * 4 * 5 * 6).reshape(2, 3, 4, 5, 6)
# Places in and around a volume; halves fall on borders and on ties of rounding.
GRID = torch.linspace(-3.3, 3.1, 2 * 2 * 3 * 2 * 3).reshape(2, 2, 3, 2, 3).sin() * 2.5
REPEATED = torch.tensor([[3.0, 1.0, 3.0, 2.0, 1.0], [5.0, 4.0, 4.0, 5.0, 6.0]])
HOLES = torch.tensor([[NAN, 2.0, 1.0, 4.0], [NAN, NAN, NAN, NAN], [7.0, 5.0, NAN, 6.0]])
TRUE = torch.tensor([True, False, True, False])
FALSE = torch.tensor([False, False, True, True])

CASES: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    "add of truth values, none of the second": (
        lambda x, y: torch.add(x, y, alpha=False),
        (TRUE, FALSE),
    ),
    "add of truth values": (lambda x, y: torch.add(x, y, alpha=True), (TRUE, FALSE)),
    "angle": (torch.angle, (torch.tensor([1.0, 0.0, -0.0, -2.0, NAN, -float("inf")]),)),
    "angle of integers": (torch.angle, (torch.arange(-2, 3),)),
    "bilinear": (F.bilinear, (X, X[..., :2] + 1, X.reshape(3, 4, 2), X[0, 0, :3])),
    "bucketize a number": (lambda x: torch.bucketize(0.3, x), (X[0, 0],)),
    "clamp truth values": (lambda x, y: torch.clamp(x, max=y), (TRUE, FALSE)),
    "clamp truth values from below": (lambda x, y: torch.clamp(x, min=y), (TRUE, FALSE)),
    "dist": (lambda x, y: torch.dist(x, y, 3.0), (X, X.flip(1))),
    "fmax of truth values": (torch.fmax, (TRUE, FALSE)),
    "fmin of truth values": (torch.fmin, (TRUE, FALSE)),
    "index_reduce of a number": (
        lambda x, index, y: x.index_reduce(0, index, y, "prod"),
        (torch.tensor(3.0), torch.tensor([0]), torch.tensor(2.0)),
    ),
    "index_reduce without an index": (
        lambda x, index, y: x.index_reduce(1, index, y, "amax"),
        (X, torch.zeros(0, dtype=torch.int64), X[:, :0]),
    ),
    "ldexp": (torch.ldexp, (X, torch.arange(4))),
    "max of truth values along an axis": (lambda x: x.max(1), (X > 1,)),
    "min of truth values along an axis": (lambda x: x.min(0, keepdim=True), (X > -1,)),
    "mode": (lambda x: torch.mode(x, 1)[0], (REPEATED,)),
    "mode, kept": (lambda x: torch.mode(x, 0, keepdim=True)[0], (REPEATED,)),
    "nanmedian": (torch.nanmedian, (HOLES,)),
    "nanmedian along an axis": (lambda x: torch.nanmedian(x, 1)[0], (HOLES,)),
    "nanmedian, kept": (lambda x: torch.nanmedian(x, 0, keepdim=True)[0], (HOLES,)),
    "put": (torch.put, (X, torch.tensor([[1, -1], [5, 7]]), X[0, :2, :2])),
    "put, accumulated": (
        lambda x, index, y: torch.put(x, index, y, accumulate=True),
        (X, torch.tensor([1, 1, 5]), X[0, 0, :3]),
    ),
    "rrelu": (lambda x: F.rrelu(x, 0.1, 0.4), (X,)),
    "searchsorted of a number": (lambda x: torch.searchsorted(x, 0.3, right=True), (X[0, 0],)),
    "topk of a number": (lambda x: torch.topk(x, 1), (torch.tensor(3.0),)),
}


@pytest.mark.parametrize(("function", "args"), CASES.values(), ids=CASES)
def test_operators(function: Callable[..., Any], args: tuple[Any, ...]) -> None:
    assert_like_eager(function, args)


@pytest.mark.parametrize("mode", ["bilinear", "nearest"])
def test_samples_of_volumes(mode: str) -> None:
    choices = list(product(("zeros", "border", "reflection"), (False, True)))

    def sampled(x: torch.Tensor, grid: torch.Tensor) -> list[torch.Tensor]:
        return [
            F.grid_sample(x, grid, mode=mode, padding_mode=padding, align_corners=corners)
            for padding, corners in choices
        ]

    assert_like_eager(sampled, (VOLUME, GRID))


def test_samples_of_volumes_of_any_size() -> None:
    def sampled(x: torch.Tensor, grid: torch.Tensor) -> torch.Tensor:
        return F.grid_sample(x, grid, align_corners=False)

    sizes = [{0: torch.export.Dim("n"), 2: torch.export.Dim("d")}, {0: torch.export.Dim("n")}]
    other = (VOLUME[:1].repeat(3, 1, 2, 1, 1), GRID[:1].repeat(3, 1, 1, 1, 1) / 2)
    assert_like_eager(sampled, (VOLUME, GRID), other, dynamic=sizes, compiled=True)


def test_parts_of_complex_numbers_broadcast() -> None:
    def length(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return torch.complex(x, y).abs()

    assert_like_eager(length, (X, X[0, 0]))


def test_random_slopes_are_refused() -> None:
    program = exported(lambda x: F.rrelu(x, training=True), (X,))
    with pytest.raises(UnsupportedModelError, match="random numbers"):
        from_exported_program(program)


def test_the_sums_of_attention_are_refused() -> None:
    """PyTorch's decomposition returns the weights in their place."""
    attend = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu
    program = exported(lambda x: attend(x, x, x)[1], (X.reshape(1, 2, 3, 4),))
    with pytest.raises(UnsupportedModelError, match="relay does not compute"):
        from_exported_program(program)
