"""Layers of experts, and the operators that they are made of."""

from __future__ import annotations

import pytest
import torch
from transformers import MixtralConfig, MixtralModel
from transformers.integrations import moe

from uir.frontend.torch import UnsupportedModelError, as_torch_function, from_exported_program

from .eager import assert_like_eager, exported

ROWS = torch.export.Dim("rows")
X = torch.randn((7, 4), generator=torch.Generator().manual_seed(0))
MATRICES = torch.randn((3, 4, 5), generator=torch.Generator().manual_seed(1))
ENDS = torch.tensor([2, 2, 7], dtype=torch.int32)


def test_histograms() -> None:
    x = torch.tensor([0.0, 0.5, 1.0, 1.5, 2.0, -0.1, 2.1, float("nan"), float("inf"), 2.0])
    assert_like_eager(lambda x: torch.histc(x, 4, 0, 2), (x,), (x[:3],), dynamic=[{0: ROWS}])
    whole = torch.arange(12.0).reshape(3, 4)
    assert_like_eager(lambda x: torch.histc(x, 9, 0, 8), (whole,))
    assert_like_eager(lambda x: torch.histc(x.double(), 3, -1, 8.5), (whole,))
    with pytest.raises(UnsupportedModelError, match="whose range is that of the elements"):
        from_exported_program(exported(lambda x: torch.histc(x, 4), (x,)))


@pytest.mark.parametrize("ends", [ENDS, ENDS.new_tensor([0, 7, 7]), ENDS.new_tensor([1, 3, 5])])
def test_groups_of_rows(ends: torch.Tensor) -> None:
    def function(x: torch.Tensor, matrices: torch.Tensor, ends: torch.Tensor) -> torch.Tensor:
        return torch.ops.transformers.grouped_mm_fallback(x, matrices, ends)

    assert moe
    dynamic = [{0: ROWS}, None, None]
    smaller = (X[:5], MATRICES, ends.clamp(max=5))
    assert_like_eager(function, (X, MATRICES, ends), smaller, dynamic=dynamic, compiled=True)


def test_grouped_products_of_pytorch() -> None:
    # PyTorch wants rows of multiples of 16 bytes.
    x, matrices = torch.randn(7, 8), torch.randn(3, 8, 4)
    assert_like_eager(lambda *args: torch._grouped_mm(*args), (x, matrices, ENDS))
    batches = torch.randn(3, 7, 8)
    assert_like_eager(lambda *args: torch._grouped_mm(*args), (batches, matrices))
    program = exported(lambda *args: torch._grouped_mm(*args), (x.t(), torch.randn(7, 4), ENDS))
    with pytest.raises(UnsupportedModelError, match="groups of columns"):
        from_exported_program(program)


def test_a_model_of_experts() -> None:
    torch.manual_seed(0)
    config = MixtralConfig(
        vocab_size=99,
        hidden_size=16,
        intermediate_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        num_key_value_heads=1,
        num_local_experts=4,
        use_cache=False,
    )
    model = MixtralModel(config).eval()
    shapes = {"input_ids": {1: torch.export.Dim.DYNAMIC}}
    given = {"input_ids": torch.randint(4, 96, (2, 6))}
    function = as_torch_function(
        from_exported_program(torch.export.export(model, (), given, dynamic_shapes=shapes))
    )
    for tokens in (given["input_ids"], torch.randint(4, 96, (2, 9))):
        with torch.no_grad():
            wanted = model(tokens)[0]
        torch.testing.assert_close(function(tokens)[0], wanted, rtol=1e-4, atol=1e-5)
