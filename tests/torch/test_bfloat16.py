"""Programs of bfloat16: what PyTorch computes, to the bits that the data type has."""

from __future__ import annotations

import numpy as np
import pytest
import torch
import tvm_ffi
from torch import nn

from uir import relay
from uir.frontend.torch import as_torch_function, from_exported_program
from uir.runtime import as_array

# Of 8 bits the last one may differ where a result is rounded once more.
CLOSE = {"rtol": 2**-6, "atol": 2**-6}


class Mixed(nn.Module):
    """Constants, casts, comparisons and numbers between data types."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("table", torch.linspace(-1, 1, 12).reshape(3, 4).bfloat16())

    def forward(self, x: torch.Tensor, wide: torch.Tensor) -> tuple[torch.Tensor, ...]:
        y = x * 1.5 + self.table
        masked = torch.where(y > 0.25, y, torch.finfo(torch.bfloat16).min)
        return (
            y,
            y.float() - wide,
            (x + wide).to(torch.bfloat16),
            masked.softmax(-1),
            y > wide,
            y.to(torch.int32),
            torch.arange(4, dtype=torch.bfloat16) + torch.ones(4, dtype=torch.bfloat16),
            y.pow(2).mean(-1, keepdim=True).rsqrt(),
            torch.zeros(2, dtype=torch.bfloat16),
        )


MODULES = {
    "mlp": lambda: nn.Sequential(nn.Linear(8, 32), nn.GELU(), nn.LayerNorm(32), nn.Linear(32, 4)),
    "encoder": lambda: nn.TransformerEncoderLayer(8, 2, 16, batch_first=True),
    "convolution": lambda: nn.Sequential(nn.Conv1d(8, 8, 3, padding=1), nn.SiLU(), nn.AvgPool1d(2)),
}


@pytest.mark.parametrize("name", MODULES)
def test_modules(name: str) -> None:
    torch.manual_seed(0)
    module, x = MODULES[name]().eval().bfloat16(), torch.randn(3, 8, 8).bfloat16()
    batch = torch.export.Dim("batch", max=64)
    program = torch.export.export(module, (x,), dynamic_shapes=[{0: batch}])
    imported = from_exported_program(program)
    function = as_torch_function(imported)
    for rows in (3, 5):
        x = torch.randn(rows, 8, 8).bfloat16()
        found, wanted = function(x), module(x).detach()
        assert found.dtype == torch.bfloat16
        torch.testing.assert_close(found, wanted, **CLOSE)
    evaluated = relay.evaluate(imported, as_array(tvm_ffi.from_dlpack(x)))
    assert str(evaluated.dtype) == "bfloat16"
    np.testing.assert_allclose(evaluated.astype("float32"), wanted.float().numpy(), **CLOSE)


def test_data_types_are_mixed_as_in_pytorch() -> None:
    module = Mixed()
    args = (torch.linspace(-2, 2, 12).reshape(3, 4).bfloat16(), torch.linspace(1, -1, 4))
    imported = from_exported_program(torch.export.export(module, args))
    for found, wanted in zip(as_torch_function(imported)(*args), module(*args), strict=True):
        assert found.dtype == wanted.dtype
        torch.testing.assert_close(found, wanted, **CLOSE)
