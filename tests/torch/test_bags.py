"""Bags of rows of a table."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch.nn import functional as F

from uir.frontend.torch import UnsupportedModelError, from_exported_program

from .eager import assert_like_eager, exported

TABLE = torch.randn((5, 3), generator=torch.Generator().manual_seed(0))
INDICES = torch.tensor([1, 4, 4, 0, 2, 2, 3])
STARTS = torch.tensor([0, 2, 2, 6])
FACTORS = torch.rand(7, generator=torch.Generator().manual_seed(1))


@pytest.mark.parametrize("mode", ["sum", "mean", "max"])
@pytest.mark.parametrize(
    "options",
    [{}, {"padding_idx": 2}, {"include_last_offset": True}],
    ids=["plain", "padding", "last"],
)
def test_modes(mode: str, options: dict[str, Any]) -> None:
    def function(indices: torch.Tensor, starts: torch.Tensor) -> torch.Tensor:
        return F.embedding_bag(indices, TABLE, starts, mode=mode, **options)

    starts = torch.tensor([0, 2, 2, 7]) if options.get("include_last_offset") else STARTS
    other = (INDICES[:6].flip(0), starts.clamp(max=6))
    dynamic = [{0: torch.export.Dim("indices")}, None]
    assert_like_eager(function, (INDICES, starts), other, dynamic=dynamic)


def test_rows_times_numbers() -> None:
    def function(indices: torch.Tensor, factors: torch.Tensor) -> torch.Tensor:
        return F.embedding_bag(indices, TABLE, STARTS, mode="sum", per_sample_weights=factors)

    assert_like_eager(function, (INDICES, FACTORS))


def test_bags_of_one_size() -> None:
    bags = INDICES[:6].reshape(2, 3)
    assert_like_eager(lambda x: F.embedding_bag(x, TABLE, mode="mean"), (bags,), compiled=True)


def test_the_padding_counts_from_the_front() -> None:
    bag = torch.ops.aten._embedding_bag
    program = exported(lambda x: bag(TABLE, x, STARTS, padding_idx=-2)[0], (INDICES,))
    with pytest.raises(UnsupportedModelError, match="a negative `padding_idx`"):
        from_exported_program(program)
