"""`interpolate` with fractional factors, and with sizes, as PyTorch rounds places."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch.nn import functional as F

from .eager import assert_like_eager

LINE = torch.randn((2, 3, 50), generator=torch.Generator().manual_seed(0))
IMAGE = torch.randn((1, 2, 33, 50), generator=torch.Generator().manual_seed(1))
VOLUME = torch.randn((1, 2, 5, 6, 11), generator=torch.Generator().manual_seed(2))

# PyTorch places elements with the precision of their data type.
CASES: dict[str, tuple[torch.Tensor, dict[str, Any]]] = {
    "line.1.1": (LINE, {"scale_factor": 1.1}),
    "line.exact": (LINE, {"scale_factor": 1.1, "mode": "nearest-exact"}),
    "line.linear": (LINE, {"scale_factor": 0.7, "mode": "linear"}),
    "image.1.1": (IMAGE, {"scale_factor": 1.1}),
    "image.recomputed": (IMAGE, {"scale_factor": 1.1, "recompute_scale_factor": True}),
    "image.pair": (IMAGE, {"scale_factor": (0.3, 2.3)}),
    "image.down": (IMAGE, {"scale_factor": (1 / 3, 0.9)}),
    "image.41": (IMAGE[..., :5], {"scale_factor": (1.0, 41.0)}),
    "image.as large": (IMAGE[:, :, :5], {"scale_factor": (1.1, 1.3)}),
    "image.doubled": (IMAGE[:, :, :3], {"scale_factor": (2.3, 1.1)}),
    "line.as large": (LINE[..., :5], {"scale_factor": 1.1}),
    "image.exact": (IMAGE, {"scale_factor": 1.7, "mode": "nearest-exact"}),
    "image.size": (IMAGE, {"size": (47, 20)}),
    "volume.1.1": (VOLUME, {"scale_factor": (1.1, 2.0, 1.9)}),
    "bilinear": (IMAGE.double(), {"scale_factor": 1.1, "mode": "bilinear"}),
    "bilinear.recomputed": (
        IMAGE.double(),
        {"scale_factor": 0.7, "mode": "bilinear", "recompute_scale_factor": True},
    ),
    "bilinear.corners": (
        IMAGE.double(),
        {"scale_factor": (1.1, 0.3), "mode": "bilinear", "align_corners": True},
    ),
    "bilinear.one": (IMAGE, {"size": (1, 7), "mode": "bilinear", "align_corners": True}),
    "bicubic": (IMAGE, {"scale_factor": 1.3, "mode": "bicubic"}),
    "bicubic.corners": (IMAGE, {"scale_factor": 0.6, "mode": "bicubic", "align_corners": True}),
    "trilinear": (VOLUME, {"scale_factor": 1.3, "mode": "trilinear"}),
    **{
        f"antialiased.{mode}.{name}": (
            IMAGE.double(),
            {"mode": mode, "antialias": True, **options},
        )
        for mode in ("bilinear", "bicubic")
        for name, options in {
            "down": {"size": (9, 13)},
            "up": {"size": (40, 77)},
            "factors": {"scale_factor": (0.31, 1.7)},
            "one": {"size": (1, 50)},
        }.items()
    },
}


@pytest.mark.parametrize("name", CASES)
def test_interpolate(name: str) -> None:
    x, options = CASES[name]
    assert_like_eager(lambda x: F.interpolate(x, **options), (x,))


def test_a_symbolic_size() -> None:
    rows = torch.export.Dim("rows", min=2)
    for factor in (2.0, 41.0):
        assert_like_eager(
            lambda x, factor=factor: F.interpolate(x, scale_factor=factor),
            *[(torch.randn(1, 1, count, 3),) for count in (6, 5)],
            dynamic=[{2: rows}],
        )
