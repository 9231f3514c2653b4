"""Errors of operators that PyTorch decomposes, against `docs/compiler/target-c.md`."""

from __future__ import annotations

import numpy as np
import torch

from uir.frontend.torch import as_torch_function, from_exported_program

from .eager import exported

COUNT = 1 << 16


def test_logaddexp_errs_by_3_ulp_of_its_largest_number() -> None:
    random = np.random.default_rng(0)
    below = random.uniform(0, 1, COUNT)
    wide = random.uniform(-90, 90, COUNT)
    scales = 10.0 ** random.uniform(-38, 38, COUNT)
    signs = random.choice([-1, 1], (2, COUNT))
    # Sums of 1, which is where the result cancels; operands near each other, and of all sizes.
    x = np.concatenate([np.log(below), wide, random.uniform(-4, 4, COUNT), signs[0] * scales])
    others = [np.log1p(-below), wide + random.uniform(-17, 17, COUNT)]
    y = np.concatenate([*others, random.uniform(-4, 4, COUNT), signs[1] * scales * 1.5])
    a, b = (torch.from_numpy(one).float() for one in (x, y))
    function = as_torch_function(from_exported_program(exported(torch.logaddexp, (a, b))))
    found, exact = function(a, b).double(), torch.logaddexp(a.double(), b.double())
    size = torch.stack([a.double(), b.double(), exact]).abs().amax(0).float()
    unit = (torch.nextafter(size, torch.tensor(torch.inf)) - size).double()
    assert ((found - exact).abs() / unit).max() < 3


def test_logaddexp_of_special_numbers() -> None:
    numbers = torch.tensor([torch.inf, -torch.inf, torch.nan, 0.0, -0.0, 3e38, -3e38])
    a, b = (one.reshape(-1) for one in torch.meshgrid(numbers, numbers, indexing="ij"))
    function = as_torch_function(from_exported_program(exported(torch.logaddexp, (a, b))))
    torch.testing.assert_close(function(a, b), torch.logaddexp(a, b), equal_nan=True)
