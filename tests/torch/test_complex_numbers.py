"""Complex numbers inside programs, whose inputs and outputs are real."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch

from uir.frontend.torch import UnsupportedModelError, from_exported_program

from .eager import assert_like_eager, exported

torch.manual_seed(0)
X = torch.randn(3, 4, 6)
Y = torch.randn(3, 4, 6)
WEIGHTS = torch.randn(3, dtype=torch.complex64)


def pairs(x: torch.Tensor) -> torch.Tensor:
    return torch.view_as_complex(x.unflatten(-1, (-1, 2)).contiguous())


def parts(z: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    return z.real, z.imag


def rotary(x: torch.Tensor, angles: torch.Tensor) -> torch.Tensor:
    turns = torch.polar(torch.ones_like(angles), angles)
    return torch.view_as_real(pairs(x) * turns).flatten(-2)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "abs": lambda x, y: (pairs(x).abs(), pairs(y).angle()),
    "arithmetic": lambda x, y: parts(pairs(x) * pairs(y) + pairs(x) - y[..., :3]),
    "cat": lambda x, y: parts(torch.cat([pairs(x), pairs(y)], 1)),
    "complex": lambda x, y: parts(torch.complex(x, y).sum(1).conj() / 3),
    "constant": lambda x, y: parts((pairs(x) * WEIGHTS)[:, 1:].transpose(0, 1)),
    "exp": lambda x, y: parts((pairs(x) / y[..., :3]).exp()),
    "fft": lambda x, y: parts(torch.fft.fft(x)),
    "fft.complex": lambda x, y: parts(torch.fft.fft(torch.complex(x, y), dim=1, norm="ortho")),
    "fft.several": lambda x, y: torch.fft.fftn(x, dim=(1, 2)).real,
    "ifft": lambda x, y: parts(torch.fft.ifft2(torch.complex(x, y))),
    "irfft.even": lambda x, y: torch.fft.irfft(torch.complex(x, y), n=10),
    "irfft.odd": lambda x, y: torch.fft.irfft(torch.complex(x, y), n=11),
    "rfft": lambda x, y: (torch.fft.rfft(x, dim=1).abs(), torch.fft.rfft(y[..., :5]).imag),
    "rfft.back": lambda x, y: torch.fft.irfft2(torch.fft.rfft2(x) * torch.fft.rfft2(y)),
    "split": lambda x, y: [one.real for one in torch.complex(x, y).split([2, 4], 2)],
    "stack": lambda x, y: parts(torch.stack([pairs(x), pairs(y)]).flip(1)),
    "to": lambda x, y: (x.to(torch.complex64).imag, torch.complex(x, y).to(torch.float64)),
    "to.bool": lambda x, y: torch.complex(x.relu(), y.relu()).to(torch.bool),
}


@pytest.mark.filterwarnings("ignore:Casting complex values to real discards")
@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function(name: str) -> None:
    assert_like_eager(FUNCTIONS[name], (X, Y))


def test_sizes_vary() -> None:
    def correlation(x: torch.Tensor, y: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        product = torch.fft.fft(x, dim=1) * torch.fft.fft(y, dim=1, norm="forward").conj()
        return torch.fft.ifft(product, dim=1).real, torch.fft.fftn(x, dim=(1, 2)).imag

    length = torch.export.Dim("length")
    others = ((X[:, :3], Y[:, :3]), (X.repeat(1, 3, 1), Y.repeat(1, 3, 1)))
    assert_like_eager(correlation, (X, Y), *others, dynamic=[{1: length}, {1: length}])


def test_rotations_of_pairs_compile() -> None:
    length = torch.export.Dim("length")
    args = (X, torch.randn(4, 3))
    longer = (torch.randn(3, 9, 6), torch.randn(9, 3))
    assert_like_eager(rotary, args, longer, dynamic=[{1: length}, {0: length}], compiled=True)


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (lambda x, y: torch.complex(x, y), "complex numbers"),
        (lambda x, y: torch.complex(x, y).tanh().real, "aten.tanh.default `tanh`: complex numbers"),
        (lambda x, y: (x / torch.complex(x, y)).real, "the quotient of complex numbers"),
        (lambda x, y: torch.fft.fft(x.new_zeros(5000)).real, "5000 elements; at most 4096"),
    ],
)
def test_refusals(function: Callable[..., Any], reason: str) -> None:
    with pytest.raises(UnsupportedModelError, match=reason):
        from_exported_program(exported(function, (X, Y)))
