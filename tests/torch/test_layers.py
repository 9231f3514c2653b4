"""Poolings, normalizations of batches and variances, as PyTorch has them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from torch import nn

from uir import relay
from uir.frontend.torch import as_torch_function, from_exported_program

from .eager import assert_like_eager, compare

X = torch.randn((2, 4, 7, 10), generator=torch.Generator().manual_seed(0))
SIGNAL, VOLUME = X[:, :, 0], X[:, :2, None].expand(2, 2, 5, 7, 10).cumsum(2)
TIES = (X * 2).round()

POOLS: dict[str, tuple[Callable[..., Any], torch.Tensor]] = {
    "max1d.single": (lambda x: F.max_pool1d(x, 2), SIGNAL[0]),
    "max2d.single": (lambda x: F.max_pool2d(x, 3, 2, 1), X[0]),
    "max2d.indices": (lambda x: F.max_pool2d(x, 3, 2, 1, return_indices=True), TIES),
    "max3d.indices": (lambda x: F.max_pool3d(x, 2, return_indices=True), VOLUME),
    "max3d.single": (lambda x: F.max_pool3d(x, 2, ceil_mode=True), VOLUME[0]),
    "avg1d.single": (lambda x: F.avg_pool1d(x, 3), SIGNAL[0]),
    "avg2d.single": (lambda x: F.avg_pool2d(x, 3, 2, 1, ceil_mode=True), X[0]),
    "avg2d.divisor": (lambda x: F.avg_pool2d(x, 3, 2, 1, divisor_override=5), X),
    **{
        f"avg2d.divisor.{kernel}.{stride}.{padding}": (
            lambda x, kernel=kernel, stride=stride, padding=padding: F.avg_pool2d(
                x, kernel, stride, padding, ceil_mode=True, divisor_override=5
            ),
            X,
        )
        for kernel, stride, padding in ((3, 2, 1), (2, 3, 1), (4, 3, 0), (2, 5, 1))
    },
    "avg3d": (lambda x: F.avg_pool3d(x, 2, 1), VOLUME),
    "lp2d": (lambda x: F.lp_pool2d(x, 2, 3), X.abs()),
    "adaptive.avg1d": (lambda x: F.adaptive_avg_pool1d(x, 4), SIGNAL),
    "adaptive.avg1d.single": (lambda x: F.adaptive_avg_pool1d(x, 12), SIGNAL[0]),
    "adaptive.avg2d": (lambda x: F.adaptive_avg_pool2d(x, (3, 4)), X),
    "adaptive.avg2d.one": (lambda x: F.adaptive_avg_pool2d(x, (1, None)), X[0]),
    "adaptive.avg2d.more": (lambda x: F.adaptive_avg_pool2d(x, (9, 13)), X),
    "adaptive.avg2d.infinite": (lambda x: F.adaptive_avg_pool2d(1 / x, 3), TIES),
    "adaptive.avg3d": (lambda x: F.adaptive_avg_pool3d(x, (2, 7, 3)), VOLUME),
    "adaptive.avg3d.whole": (lambda x: F.adaptive_avg_pool3d(x, 1), VOLUME[0]),
    "adaptive.max1d": (lambda x: F.adaptive_max_pool1d(x, 3, return_indices=True), SIGNAL),
    "adaptive.max2d": (lambda x: F.adaptive_max_pool2d(x, (3, 4), return_indices=True), TIES),
    "adaptive.max2d.even": (lambda x: F.adaptive_max_pool2d(x, (1, 5), True), TIES),
    "adaptive.max3d": (lambda x: F.adaptive_max_pool3d(x, (2, 3, 3), True), VOLUME),
    "adaptive.max3d.single": (lambda x: F.adaptive_max_pool3d(x, 2), VOLUME[0]),
}


@pytest.mark.parametrize("name", POOLS)
def test_pool(name: str) -> None:
    function, x = POOLS[name]
    assert_like_eager(function, (x,))


def test_pools_of_half_precision() -> None:
    for name in ("max2d.single", "avg2d.single", "adaptive.avg2d", "adaptive.max2d"):
        function, x = POOLS[name]
        assert_like_eager(function, (x.half(),))


def test_pools_of_symbolic_batches() -> None:
    batch = torch.export.Dim("batch")

    def pools(x: torch.Tensor) -> Any:
        return (
            F.adaptive_avg_pool2d(x, 3),
            *F.adaptive_max_pool2d(x, (3, 4), True),
            *F.max_pool2d(x, 2, return_indices=True),
        )

    args = [(torch.randn(n, 3, 7, 10),) for n in (2, 1, 5)]
    assert_like_eager(pools, *args, dynamic=[{0: batch}], compiled=True)


def test_pools_of_symbolic_images() -> None:
    height = torch.export.Dim("height", min=4)

    def pools(x: torch.Tensor) -> Any:
        return F.adaptive_avg_pool2d(x, 3), F.adaptive_max_pool2d(x, 3)

    args = [(torch.randn(2, 3, n, 10),) for n in (7, 4, 12)]
    assert_like_eager(pools, *args, dynamic=[{2: height}], compiled=True)


NORMS: dict[str, tuple[Callable[..., Any], torch.Tensor]] = {
    "instance": (lambda x: F.instance_norm(x, eps=1e-3), X),
    "instance.factors": (lambda x: F.instance_norm(x, None, None, x[0, :, 0, 0], x[0, :, 0, 1]), X),
    "instance1d": (F.instance_norm, SIGNAL),
    "batch": (lambda x: F.batch_norm(x, None, None, training=True), X),
    "batch.factors": (lambda x: F.batch_norm(x, None, None, x[0, :, 0, 0], None, True), X),
    "batch.rows": (lambda x: F.batch_norm(x, None, None, training=True), X[:, :, 0, 0]),
    "batch.running": (lambda x: F.batch_norm(x, x[0, :, 0, 0], x[0, :, 0, 1].abs()), X),
    "batch.legit": (
        lambda x: torch.ops.aten._native_batch_norm_legit.no_stats(x, None, None, True, 0.1, 1e-5),
        X,
    ),
    "batch.functional": (
        lambda x: torch.ops.aten._native_batch_norm_legit_functional(
            x, None, x[0, :, 0, 3], x[0, :, 0, 0], x[0, :, 0, 1].abs(), True, 0.2, 1e-5
        ),
        X,
    ),
    "var": (lambda x: (x.var(1), x.var((0, 2), correction=0, keepdim=True), x.var()), X),
    "var.dim": (lambda x: (torch.ops.aten.var.dim(x, [1], False), x.var([-1], unbiased=True)), X),
    "var.all": (lambda x: torch.ops.aten.var.correction(x, []), X),
    "var.one": (lambda x: (x[:1, :1].var((0, 1)), x[:1].var(0, correction=3)), X),
    "var_mean": (lambda x: torch.var_mean(x, (1, 3)), X),
    "var_mean.keepdim": (lambda x: torch.var_mean(x, -1, correction=2, keepdim=True), X),
    "std_mean": (torch.std_mean, X),
    "std": (lambda x: x.std((0, 1)), X),
}


@pytest.mark.parametrize("name", NORMS)
def test_norm(name: str) -> None:
    function, x = NORMS[name]
    assert_like_eager(function, (x,))


def test_norms_of_half_precision() -> None:
    for name in ("instance", "batch", "batch.running", "var", "var_mean"):
        function, x = NORMS[name]
        assert_like_eager(function, (x.half(),))
    statistics = X[0, :, 0, 0], X[0, :, 0, 1].abs()
    assert_like_eager(lambda x, m, v: F.batch_norm(x, m, v), (X.half(), *statistics))


def test_norms_of_symbolic_sizes() -> None:
    batch, length = torch.export.Dim("batch"), torch.export.Dim("length")
    module = nn.InstanceNorm1d(4, affine=True).eval()

    def norms(x: torch.Tensor) -> Any:
        return module(x).detach(), F.batch_norm(x, None, None, training=True)

    args = [(torch.randn(n, 4, m),) for n, m in ((2, 5), (3, 3), (6, 8))]
    assert_like_eager(norms, *args, dynamic=[{0: batch, 2: length}], compiled=True)
    dynamic = [{0: batch, 2: length}]
    assert_like_eager(lambda x: torch.var_mean(x, (0, 2)), *args, dynamic=dynamic, compiled=True)


def test_a_batch_norm_in_training_returns_its_new_statistics() -> None:
    module = nn.BatchNorm2d(4, momentum=0.3).train()
    program = torch.export.export(module, (X,))
    names = ("running_mean", "running_var", "num_batches_tracked")
    state = [program.state_dict[name].numpy().copy() for name in names]
    found = relay.evaluate(from_exported_program(program), X.numpy(), *state)
    compare(found, [module(X).detach(), *(getattr(module, name) for name in names)])


def test_sorts() -> None:
    x = TIES[:, :, :, 0]
    assert_like_eager(
        lambda x: (x.sort(dim=1, stable=True), x.sort(dim=0, descending=True, stable=True)), (x,)
    )
    assert_like_eager(lambda x: (x.sort(-1), x.argsort(dim=1, stable=True)), (x.to(torch.int8),))
    assert_like_eager(lambda x: (x > 0).sort(dim=1, stable=True), (x,))
    assert_like_eager(lambda x: x[0, 0, 0].sort(), (x,))


def test_middle_elements() -> None:
    x = TIES[:, :, :, 0].clone()
    x[0, 1, 2] = float("nan")
    assert_like_eager(lambda x: (x.kthvalue(3, 1)[0], x.median(), x.median(1)[0]), (x,))
    unlike = torch.arange(35).reshape(5, 7) * 3 % 8 - X[0, 0, 0, 0].int()
    assert_like_eager(lambda x: (x.kthvalue(2, 0, True)[0], x.median(), x.median(-1)[0]), (unlike,))
    assert_like_eager(lambda x: (x.median(1, True), x.kthvalue(2)), (X[0, 0],))
    assert_like_eager(lambda x: (x[0].median(), x[0].median(0)), (SIGNAL[0, 0],))


def test_tensors_that_are_made() -> None:
    def function(x: torch.Tensor) -> Any:
        y = torch.empty(3, 4).fill_(2)
        z = torch.empty_like(x).copy_(x + 1)
        made = x.new_zeros(2), x.new_ones(2, 1), x.new_full((3,), 4.5), x.new_empty(2, 2).fill_(3)
        return y, z, *made, torch.empty_strided((2, 3), (3, 1)).zero_()

    assert_like_eager(function, (X,))


def test_attention_without_keys_gives_nan() -> None:
    attention = nn.MultiheadAttention(8, 2, batch_first=True).eval()
    x, is_masked = torch.randn(2, 4, 8), torch.tensor([[False] * 4, [True] * 4])
    y, _ = attention(x, x, x, key_padding_mask=is_masked)
    assert y[1].isnan().all() and not y[0].isnan().any()

    class Layer(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.attention = attention

        def forward(self, x: torch.Tensor, is_masked: torch.Tensor) -> Any:
            return self.attention(x, x, x, key_padding_mask=is_masked)

    program = torch.export.export(Layer().eval(), (x, is_masked))
    found = as_torch_function(from_exported_program(program))(x, is_masked)
    with torch.no_grad():
        wanted = attention(x, x, x, key_padding_mask=is_masked)
    for one, other in zip(found, wanted, strict=True):
        torch.testing.assert_close(one, other, equal_nan=True, rtol=1e-4, atol=1e-5)
