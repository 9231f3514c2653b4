"""Sizes that are multiples of symbols, and numbers that are computed of sizes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch.export import Dim
from torch.nn import functional as F

from uir.frontend.torch import UnsupportedModelError, as_torch_function, from_exported_program

from .eager import assert_like_eager, exported

HALF = Dim("half", min=2, max=4096)
LENGTH = Dim("length", min=2, max=4096)
LONG = Dim("long", min=8, max=4096)
KERNEL = torch.randn((4, 3, 3, 3), generator=torch.Generator().manual_seed(0))

# The first dimension is twice a symbol.
TWICE: dict[str, Callable[..., Any]] = {
    "view": lambda x: x.view(-1, 2),
    "view.pairs": lambda x: x.view(x.shape[0] // 2, 2, 3).sum(1),
    "sum": lambda x: x.sum(0),
    "softmax": lambda x: x.softmax(0),
    "chunk": lambda x: torch.cat(x.chunk(2, 0)[::-1]),
    "number": lambda x: x.sum() / x.numel() + x.shape[0],
    "conv": lambda x: F.conv2d(x[None, None].expand(1, 3, -1, -1), KERNEL, padding=1),
    "conv.stride": lambda x: F.conv2d(
        x[None, None].expand(1, 3, -1, -1), KERNEL, padding=1, stride=2
    ),
    "pool": lambda x: x + F.interpolate(F.avg_pool1d(x.T, 2)[None], scale_factor=2)[0].T,
}

ROLLS: dict[str, Callable[..., Any]] = {
    "one": lambda x: x.roll(1, 0),
    "back": lambda x: x.roll((-3, 2), (0, 1)),
    "flat": lambda x: x.roll(5),
    "half": lambda x: x.roll(x.shape[0] // 2, 0),
    "half.back": lambda x: x.roll(-(x.shape[0] // 2), 0),
    "shift": torch.fft.fftshift,
}


def rows(*counts: int) -> list[tuple[torch.Tensor]]:
    return [(torch.randn(count, 3),) for count in counts]


@pytest.mark.parametrize("name", TWICE)
def test_twice_a_symbol(name: str) -> None:
    assert_like_eager(TWICE[name], *rows(8, 4, 12), dynamic=[{0: 2 * HALF}], compiled=True)


def test_other_multiples_are_errors_at_entry() -> None:
    program = exported(lambda x: x[1:].view(-1, 4, 3).mean(1), rows(9)[0], [{0: 4 * HALF + 1}])
    function = as_torch_function(from_exported_program(program))
    assert function(torch.ones(13, 3)).shape == (3, 3)
    with pytest.raises(ValueError, match=r"must hold: .* is 12, dimension 0 of `args_0`"):
        function(torch.ones(12, 3))


def test_several_multiples_of_a_symbol() -> None:
    def pairs(x: torch.Tensor, y: torch.Tensor, z: torch.Tensor) -> torch.Tensor:
        return x.view(-1, 2) + y.view(-1, 4).sum(1, keepdim=True) + z.sum()

    args = [tuple(torch.randn(count * k) for k in (2, 4, 6)) for count in (3, 5)]
    shapes = [{0: k * HALF} for k in (2, 4, 6)]
    assert_like_eager(pairs, *args, dynamic=shapes, compiled=True)
    # A dimension that is the symbol itself, behind the multiples.
    args = [tuple(torch.randn(count * k) for k in (2, 4, 1)) for count in (3, 5)]
    shapes = [{0: 2 * HALF}, {0: 4 * HALF}, {0: HALF}]
    assert_like_eager(pairs, *args, dynamic=shapes, compiled=True)


@pytest.mark.parametrize("name", ROLLS)
def test_rolls_of_a_symbolic_axis(name: str) -> None:
    assert_like_eager(ROLLS[name], *rows(8, 7, 2), dynamic=[{0: LENGTH}], compiled=True)


# Steps of floats, as XLNet counts distances.
STEPS: dict[str, Callable[..., Any]] = {
    "down": lambda x: torch.arange(x.shape[0], -x.shape[0], -1.0, dtype=torch.int64),
    "up": lambda x: torch.arange(-x.shape[0], x.shape[0], 1.0, dtype=torch.int64),
    "three.down": lambda x: torch.arange(x.shape[0], 0, -3.0, dtype=torch.int64),
    "size": lambda x: x.sum() + torch.arange(x.shape[0], 0, -3.0, dtype=torch.int64).shape[0],
}


@pytest.mark.parametrize("name", STEPS)
def test_steps_of_whole_floats_between_sizes(name: str) -> None:
    assert_like_eager(STEPS[name], *rows(8, 12, 13), dynamic=[{0: LONG}], compiled=True)


def test_fractions_between_sizes_are_refused() -> None:
    program = exported(lambda x: torch.arange(0, x.shape[0], 0.5), rows(8)[0], [{0: LENGTH}])
    with pytest.raises(UnsupportedModelError, match="a fraction beside a symbolic size"):
        from_exported_program(program)
