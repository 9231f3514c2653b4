"""Quantized tensors of `quantized_decomposed`, as PT2E writes them, bit by bit as PyTorch's."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
import torch
import torch.ao.quantization.fx._decomposed  # It registers the operators.
from torch import nn

import uir
from uir.frontend.torch import UnsupportedModelError, from_exported_program
from uir.transform import PassContext, PassStatistics

OPS = torch.ops.quantized_decomposed
X = torch.tensor([[0.0, -0.4, 0.75, 1e30], [-1e30, 1.25, 3.75, float("inf")]])
BYTES = torch.tensor([[-128, -1, 0, 127], [5, 6, 7, 8]], dtype=torch.int8)
SCALES = torch.tensor([0.5, 0.3, 2.0, 0.01])
ZEROS = torch.tensor([0, -3, 100, 7])
INT8 = (-128, 127, torch.int8)


class Calls(nn.Module):
    """A module that calls a function."""

    def __init__(self, function: Callable[..., Any], *buffers: torch.Tensor) -> None:
        super().__init__()
        self.function = function
        for place, buffer in enumerate(buffers):
            self.register_buffer(f"b{place}", buffer)

    def forward(self, x: torch.Tensor) -> Any:
        """Call the function with an input and the buffers."""
        return self.function(x, *self.buffers())


def program_of(function: Callable[..., Any], x: torch.Tensor, *buffers: torch.Tensor) -> Any:
    """Return the program of a function."""
    return torch.export.export(Calls(function, *buffers), (x,))


def check(function: Callable[..., Any], x: torch.Tensor, *buffers: torch.Tensor) -> None:
    """Compare all results of a function with those of PyTorch."""
    found = uir.build(from_exported_program(program_of(function, x, *buffers)))["main"](x)
    wanted = function(x, *buffers)
    is_one = isinstance(wanted, torch.Tensor)
    for one, right in zip(*([[one] if is_one else one for one in (found, wanted)]), strict=True):
        result = torch.from_dlpack(one)
        assert result.dtype == right.dtype
        assert torch.equal(result, right), (result, right)


@pytest.mark.parametrize("zero", [0, -7])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16])
def test_tensors(zero: int, dtype: torch.dtype) -> None:
    """One scale and one zero point, for numbers that are halves and for those out of range."""
    x = torch.where(X.abs() > 1e20, X.sign() * 6e4, X).to(dtype)
    check(lambda x: OPS.quantize_per_tensor(x, 0.5, zero, *INT8), x)
    check(lambda x: OPS.quantize_per_tensor(x, 0.3, 9, 0, 15, torch.uint8), x)
    check(lambda x: OPS.dequantize_per_tensor(x, 0.3, zero, *INT8), BYTES)
    check(lambda x: OPS.dequantize_per_tensor(x, 0.3, zero, *INT8, out_dtype=dtype), BYTES)


def test_scales_that_are_tensors() -> None:
    """Scales and zero points are constants, or computed."""
    scale, zero = torch.tensor([0.3], dtype=torch.float64), torch.tensor([-7])
    check(lambda x, s, z: OPS.quantize_per_tensor.tensor(x, s, z, *INT8), X, scale, zero)
    check(lambda x, s, z: OPS.dequantize_per_tensor.tensor(x, s, z, *INT8), BYTES, scale, zero)


def test_channels() -> None:
    """A scale for each place of an axis, with zero points and without."""
    check(lambda x, s, z: OPS.quantize_per_channel(x, s, z, 1, *INT8), X, SCALES, ZEROS)
    first, zeros = SCALES[:2].clone(), ZEROS[:2].clone()
    check(lambda x, s, z: OPS.dequantize_per_channel(x, s, z, 0, *INT8), BYTES, first, zeros)
    check(lambda x, s: OPS.dequantize_per_channel(x, s, None, 1, *INT8), BYTES, SCALES)


def test_ranges() -> None:
    """Schemes that fit the range of a tensor, and what they quantize."""
    x = torch.linspace(-1.7, 5.3, 24).reshape(4, 6)
    for low, high, dtype in (INT8, (0, 255, torch.uint8)):
        own = {"quant_min": low, "quant_max": high, "eps": 2**-12, "dtype": dtype}
        for one in (x, x.abs(), torch.zeros(4, 6)):
            check(partial(OPS.choose_qparams.tensor, **own), one)
            check(partial(OPS.choose_qparams_symmetric.tensor, **own), one)
    check(lambda x: OPS.choose_qparams_per_token(x, torch.int8), x)
    check(lambda x: OPS.choose_qparams_per_token_asymmetric(x, torch.int8), x)

    def rows(x: torch.Tensor) -> torch.Tensor:
        scale, zero = OPS.choose_qparams_per_token_asymmetric(x, torch.int8)
        q = OPS.quantize_per_token(x, scale, zero, *INT8)
        return OPS.dequantize_per_token(q, scale, zero, *INT8, torch.float32)

    check(rows, x)


def test_products_of_integers() -> None:
    """A product of int8 is exact, and so is one of dequantized tensors as 8 bits."""
    random = torch.Generator().manual_seed(0)
    a, b = (
        torch.randint(-128, 128, shape, dtype=torch.int8, generator=random)
        for shape in ((32, 64), (64, 24))
    )
    check(torch._int_mm, a, b)

    def product(
        x: torch.Tensor, w: torch.Tensor, scales: torch.Tensor, zeros: torch.Tensor
    ) -> torch.Tensor:
        q = OPS.quantize_per_tensor(x, 0.02, 11, 0, 255, torch.uint8)
        left = OPS.dequantize_per_tensor(q, 0.02, 11, 0, 255, torch.uint8)
        weights = OPS.dequantize_per_channel(w, scales, zeros, 0, *INT8)
        return nn.functional.linear(left, weights)

    x, scales = torch.rand((32, 64), generator=random), torch.rand(24, generator=random)
    weights, zeros = b.T.contiguous(), torch.zeros(24, dtype=torch.int64)
    statistics = PassStatistics()
    with PassContext(instruments=[statistics]):
        module = from_exported_program(program_of(product, x, weights, scales, zeros))
        found = uir.build(module)["main"](x)
    assert statistics.counts["FuseQuantize"]["quantized products in 8 bits"] == 1
    steps = OPS.quantize_per_tensor(x, 0.02, 11, 0, 255, torch.uint8).double() - 11
    exact = steps @ weights.double().T * scales.double() * torch.tensor(0.02).double()
    torch.testing.assert_close(torch.from_dlpack(found).double(), exact, rtol=5e-7, atol=0.0)


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (lambda x: OPS.dequantize_per_tensor(x, 0.0, 0, *INT8), "a scale of 0.0"),
        (lambda x: OPS.dequantize_per_tensor(x, float("nan"), 0, *INT8), "a scale of nan"),
        (lambda x: OPS.dequantize_per_tensor(x, 0.5, 300, *INT8), "a zero point of 300"),
    ],
)
def test_wrong_schemes_are_refused(function: Callable[..., Any], reason: str) -> None:
    """Scales by which nothing can be divided, and zero points out of range."""
    with pytest.raises(UnsupportedModelError, match=reason):
        from_exported_program(program_of(function, BYTES))
