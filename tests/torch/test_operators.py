"""Operators of PyTorch, imported and evaluated, against PyTorch itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
import torch.nn.functional as F

from uir.frontend.torch import UnsupportedModelError, from_exported_program

from .eager import Wrapped, assert_like_eager

X = torch.linspace(-2, 2, 24).reshape(2, 3, 4)
P = torch.linspace(0.1, 0.9, 24).reshape(2, 3, 4)
Y = torch.linspace(3, -1, 24).reshape(2, 3, 4)
I = torch.arange(-5, 7).reshape(3, 4)  # noqa: E741
J = torch.tensor([2, 3, 1, 4])
IMAGE = torch.linspace(-1, 1, 2 * 4 * 6 * 6).reshape(2, 4, 6, 6)
SIGNAL = torch.linspace(-1, 1, 2 * 4 * 9).reshape(2, 4, 9)
WEIGHT = torch.linspace(-0.5, 0.5, 6 * 4 * 3 * 3).reshape(6, 4, 3, 3)
MASKS = torch.linspace(1, -1, 2 * 1 * 2 * 4 * 4).reshape(2, 1, 2, 4, 4)
FACTORS = torch.linspace(0.5, 1.5, 4)
SIGNED = torch.tensor([0.0, -0.0, 1.0, -1.0, float("inf"), -float("inf"), float("nan")])
INDEX = torch.tensor([[0, 1, 2, 0], [1, 1, 0, 2]])

Case = tuple[Callable[..., Any], tuple[torch.Tensor, ...]]

UNARY: dict[str, torch.Tensor] = {
    **dict.fromkeys(
        [
            "abs",
            "asinh",
            "atan",
            "ceil",
            "cos",
            "cosh",
            "erf",
            "exp",
            "expm1",
            "floor",
            "neg",
            "round",
            "sigmoid",
            "sign",
            "sin",
            "sinh",
            "square",
            "tan",
            "tanh",
            "trunc",
            "isnan",
            "isinf",
            "relu",
        ],
        X,
    ),
    **dict.fromkeys(
        ["acos", "asin", "atanh", "log", "log10", "log1p", "log2", "reciprocal", "rsqrt", "sqrt"], P
    ),
    "acosh": P + 1,
    "bitwise_not": I,
    "logical_not": I,
}

CASES: dict[str, Case] = {
    **{name: (getattr(torch, name), (x,)) for name, x in UNARY.items()},
    **{
        name: (getattr(torch, name), (X, Y))
        for name in [
            "add",
            "sub",
            "mul",
            "div",
            "maximum",
            "minimum",
            "eq",
            "ne",
            "lt",
            "le",
            "gt",
            "ge",
            "remainder",
            "fmod",
        ]
    },
    **{
        f"{name}.int": (getattr(torch, name), (I, J))
        for name in [
            "add",
            "mul",
            "sub",
            "remainder",
            "fmod",
            "floor_divide",
            "bitwise_and",
            "bitwise_or",
            "bitwise_xor",
            "logical_and",
            "logical_or",
            "logical_xor",
            "eq",
            "lt",
            "div",
        ]
    },
    "add.alpha": (lambda x, y: torch.add(x, y, alpha=3), (X, Y)),
    "add.number": (lambda x: 2 * x + 1, (I,)),
    "add.promoted": (lambda x: x + 1.5, (I,)),
    "add.mixed": (lambda x, y: x + y, (X, J)),
    "all": (lambda x: torch.all(x > -3, dim=1), (X,)),
    "amax": (lambda x: x.amax((0, 2), keepdim=True), (X,)),
    "amin": (lambda x: x.amin(1), (X,)),
    "any": (lambda x: (x > 1).any(-1, keepdim=True), (X,)),
    "arange": (lambda x: x + torch.arange(4), (X,)),
    "argmax": (lambda x: x.argmax(1), (X,)),
    "argmin.all": (lambda x: x.argmin(), (X,)),
    "adaptive_avg_pool": (lambda x: F.adaptive_avg_pool2d(x, 1), (IMAGE,)),
    "adaptive_avg_pool.3": (lambda x: F.adaptive_avg_pool2d(x, 3), (IMAGE,)),
    "atan2": (torch.atan2, (X.round(), Y.round())),
    "atan2.signs": (torch.atan2, (SIGNED[:, None], SIGNED)),
    "atan2.int": (torch.atan2, (I, J)),
    "cdist": (torch.cdist, (X, Y[:, :2])),
    "pdist": (lambda x: [F.pdist(x, p) for p in (0, 1, 2, 2.5, float("inf"))], (X[0],)),
    "cdist.norms": (lambda x, y: [torch.cdist(x, y, p) for p in (0, 1, 2.5, float("inf"))], (X, Y)),
    "col2im": (lambda x: F.fold(x, (4, 5), 2), (torch.arange(2.0 * 8 * 12).reshape(2, 8, 12),)),
    "grid_sample": (
        lambda x, g: F.grid_sample(x, g, align_corners=False),
        (IMAGE, torch.linspace(-1.2, 1.2, 2 * 3 * 5 * 2).reshape(2, 3, 5, 2)),
    ),
    "addbmm": (lambda x: torch.addbmm(x[0], x, x, beta=2, alpha=3), (IMAGE[0],)),
    "addmv": (lambda x: torch.addmv(x[0, 0], x[0], x[0, 1], beta=0.5), (IMAGE[0],)),
    "copysign": (torch.copysign, (X[0, 0, :1], SIGNED[:6])),
    "copysign.int": (lambda x: torch.copysign(x, -2), (I,)),
    "exp2": (torch.exp2, (X,)),
    "fmax": (torch.fmax, (SIGNED[:, None], SIGNED)),
    "fmin": (torch.fmin, (SIGNED[:, None], SIGNED)),
    "fmin.int": (torch.fmin, (I, J)),
    "shifts": (lambda x, y: (x << y, x >> y, x << 2, 1 << y, -64 >> y), (I, J)),
    "signbit": (lambda x, i: (x.signbit(), i.signbit()), (SIGNED[:6], I)),
    "numbers.first": (lambda i: (7 & i, 9 | i, 5 ^ i, 17 % i), (J,)),
    "truth.arithmetic": (
        lambda x, y: (
            (x > 0) * (y > 0),
            (x > 0) + (y > 0),
            torch.maximum(x > 0, y > 0),
            x.isfinite(),
        ),
        (X, Y),
    ),
    "isclose": (torch.isclose, (X, X.clone())),
    "rounding.int": (
        lambda x: [f(x) for f in (torch.ceil, torch.floor, torch.round, torch.trunc)],
        (I,),
    ),
    "linear.vector": (lambda x: F.linear(x[0, 0], x[1], x[0, :, 0]), (X,)),
    "views.copied": (
        lambda x: (
            torch.permute_copy(x, (2, 0, 1)),
            torch.view_copy(x, (6, 4)),
            torch.select_copy(x, 1, 0),
        ),
        (X,),
    ),
    "bucketize": (
        lambda x: (
            torch.bucketize(x, X[1, 1]),
            torch.bucketize(x, X[1, 1], right=True, out_int32=True),
        ),
        (torch.cat([X[1], SIGNED[:6].reshape(-1, 1).expand(6, 4), SIGNED[6:].expand(1, 4)]),),
    ),
    "searchsorted": (
        lambda x, y: (
            torch.searchsorted(x[0], y[0].contiguous()),
            torch.searchsorted(x, y, side="right"),
            torch.searchsorted(x[0].flip(1), y[0], sorter=torch.arange(3, -1, -1).expand(3, 4)),
        ),
        (X, Y),
    ),
    "index_reduce": (
        lambda x: [
            x.index_reduce(1, J[2:3].expand(2), x[:, :2], reduce, include_self=own)
            for reduce in ("prod", "mean", "amax", "amin")
            for own in (True, False)
        ],
        (X,),
    ),
    "no.nan": (lambda x: (x.isnan(), x.isinf()), (I,)),
    "triangles": (
        lambda x: x[0][tuple(torch.tril_indices(3, 4, -1))] + torch.triu_indices(2, 2)[0, 0],
        (X,),
    ),
    "number.reduced": (
        lambda x: (
            x.sum(0),
            x.amax(-1, keepdim=True),
            x.max(0),
            x.argmin(0),
            x.argmax(),
            x.cumsum(0),
        ),
        (X[0, 0, 0],),
    ),
    "pad.modes": (
        lambda x: [F.pad(x, (2, 1, 0, 3), mode) for mode in ("reflect", "replicate", "circular")],
        (IMAGE,),
    ),
    "pad.signal": (lambda x: [F.pad(x, (2, 1), m) for m in ("reflect", "replicate")], (SIGNAL,)),
    "pad.volume": (
        lambda x: [F.pad(x, (1, 1, 2, 0, 1, 0), m) for m in ("reflect", "replicate")],
        (IMAGE[None],),
    ),
    "attention": (
        lambda q, k: F.scaled_dot_product_attention(q, k, k),
        (IMAGE, IMAGE.flip(2)),
    ),
    "attention.causal": (
        lambda q, k: F.scaled_dot_product_attention(q, k, k, is_causal=True, scale=0.3),
        (IMAGE, IMAGE.flip(2)),
    ),
    "attention.masks": (
        lambda q, m: (
            F.scaled_dot_product_attention(q, q, q, m),
            F.scaled_dot_product_attention(q, q, q, m > 0, scale=0.7),
            F.scaled_dot_product_attention(q[0], q[1], q[0], m),
            F.scaled_dot_product_attention(q[0, 0], q[0, 1, :4], q[1, 0, :4]),
        ),
        (IMAGE, torch.linspace(1, -1, 36).reshape(6, 6)),
    ),
    "attention.ranks": (
        lambda q: (
            F.scaled_dot_product_attention(q, q[1], q[0]),
            F.scaled_dot_product_attention(q[1], q, q[0]),
            F.scaled_dot_product_attention(q[0, 0], q[0], q),
        ),
        (IMAGE,),
    ),
    "attention.groups": (
        lambda q: F.scaled_dot_product_attention(q, q[:, :2], q[:, 2:], enable_gqa=True),
        (IMAGE,),
    ),
    "attention.batches": (
        lambda q, m: (
            F.scaled_dot_product_attention(q, q, q[:, :1]),
            F.scaled_dot_product_attention(q, q, q, m, is_causal=False),
            F.scaled_dot_product_attention(q, q, q, m[0, 0] > 0),
        ),
        (torch.linspace(-1, 1, 2 * 3 * 2 * 4 * 5).reshape(2, 3, 2, 4, 5), MASKS),
    ),
    "avg_pool1d": (lambda x: F.avg_pool1d(x, 3, 2, 1), (SIGNAL,)),
    "avg_pool2d": (lambda x: F.avg_pool2d(x, 3, 2, 1, count_include_pad=False), (IMAGE,)),
    "baddbmm": (lambda a, b: torch.baddbmm(a, b, b, beta=2, alpha=0.5), (IMAGE[0], IMAGE[1])),
    "batch_norm": (
        lambda x, f: F.batch_norm(x, f, f + 1, f * 2, f - 1, eps=1e-3),
        (IMAGE, FACTORS),
    ),
    "bmm": (torch.bmm, (IMAGE[0], IMAGE[1])),
    "cat.empty": (lambda x: torch.cat([torch.zeros(0), x, torch.zeros(0), x], 1), (X,)),
    "cat.empty.alone": (lambda x: torch.cat([torch.zeros(0), x[0]], -1), (X,)),
    "cat.only.empty": (lambda x: torch.cat([torch.zeros(0), torch.zeros(0)]), (X,)),
    "cat.types": (lambda x, i: torch.cat([x[0], i]), (X, I)),
    "cat": (lambda x, y: torch.cat([x, y, x], -1), (X, Y)),
    "chunk": (lambda x: torch.chunk(x, 2, dim=2), (X,)),
    "clamp": (lambda x: x.clamp(-1, 1.5), (X,)),
    "clamp.tensor": (lambda x, y: torch.clamp(x, max=y), (X, Y)),
    "conv1d": (lambda x, w: F.conv1d(x, w[:, :, 0], padding=1), (SIGNAL, WEIGHT)),
    "conv2d": (lambda x, w: F.conv2d(x, w, None, 2, 1), (IMAGE, WEIGHT)),
    "conv2d.groups": (lambda x, w: F.conv2d(x, w[:, :2], groups=2), (IMAGE, WEIGHT)),
    "conv_transpose2d": (
        lambda x, w: F.conv_transpose2d(x, w.transpose(0, 1), None, 2, 1, 1),
        (IMAGE, WEIGHT),
    ),
    "cumsum": (lambda x: x.cumsum(1), (X,)),
    "div.floor": (lambda x, y: torch.div(x, y, rounding_mode="floor"), (X, Y)),
    "div.trunc": (lambda x, y: torch.div(x, y, rounding_mode="trunc"), (X, Y)),
    "dropout": (lambda x: F.dropout(x, training=False), (X,)),
    "elu": (lambda x: F.elu(x, 0.7), (X,)),
    "embedding": (F.embedding, (INDEX, X[0])),
    "expand": (lambda x: x[:, None].expand(-1, 5, 3, 4), (X,)),
    "flip": (lambda x: x.flip(0, 2), (X,)),
    "full_like": (lambda x: torch.full_like(x, 3) + torch.zeros(4) + torch.ones_like(x), (X,)),
    "gather": (lambda x, i: x.gather(1, i[:, None, :]), (X, INDEX)),
    "gelu": (F.gelu, (X,)),
    "gelu.tanh": (lambda x: F.gelu(x, approximate="tanh"), (X,)),
    "group_norm": (lambda x, f: F.group_norm(x, 2, f, f), (IMAGE, FACTORS)),
    "hardsigmoid": (F.hardsigmoid, (X,)),
    "hardswish": (F.hardswish, (X,)),
    "hardtanh": (F.hardtanh, (X,)),
    "index": (lambda x, i: x[:, i[0, :2]], (X, INDEX)),
    "index_select": (lambda x, i: x.index_select(1, i[0]), (X, INDEX)),
    "layer_norm": (lambda x, f: F.layer_norm(x, (4,), f, f), (X, FACTORS)),
    "leaky_relu": (lambda x: F.leaky_relu(x, 0.2), (X,)),
    "linear": (F.linear, (X, X[0])),
    "log_softmax": (lambda x: F.log_softmax(x, 1), (X,)),
    "masked_fill": (lambda x: x.masked_fill(x > 0, -9), (X,)),
    "matmul": (lambda x: x @ x[0].T, (X,)),
    "matmul.vector": (lambda x: x @ x[0, 0], (X,)),
    "max.dim": (lambda x: torch.max(x, 2), (X,)),
    "max_pool2d": (lambda x: F.max_pool2d(x, 3, 2, 1), (IMAGE,)),
    "mean": (lambda x: (x.mean((0, 1)), x.mean()), (X,)),
    "min.dim": (lambda x: torch.min(x, 0, keepdim=True), (X,)),
    "mm": (lambda x: torch.mm(x[0], x[1].T), (X,)),
    "pad": (lambda x: F.pad(x, (1, 2, 0, 3), value=7.0), (X,)),
    "permute": (lambda x: x.permute(2, 0, -2), (X,)),
    "pow": (lambda x, y: (x**2, x.abs() ** y, 2**y), (X, Y)),
    "prod": (lambda x: x.prod(1), (X,)),
    "repeat": (lambda x: x.repeat(2, 1, 3, 1), (X,)),
    "reshape": (lambda x: x.reshape(4, -1), (X,)),
    "scatter": (lambda x, y, i: x.scatter(1, i[:, None, :], y), (X, Y, INDEX)),
    "select": (lambda x: (x[:, -1], x[..., 2]), (X,)),
    "selu": (F.selu, (X,)),
    "silu": (F.silu, (X,)),
    "slice": (lambda x: x[:, 1:, ::2], (X,)),
    "softmax": (lambda x: x.softmax(1), (X,)),
    "softplus": (F.softplus, (X,)),
    "sort": (lambda x: x.sort(1, descending=True), (X,)),
    "split": (lambda x: x.split([1, 3], 2), (X,)),
    "squeeze": (lambda x: x[:, :1].squeeze(1).squeeze(0), (X,)),
    "stack": (lambda x, y: torch.stack([x, y], 1), (X, Y)),
    "sum": (lambda x: (x.sum(1), x.sum(), (x > 0).sum(-1)), (X,)),
    "to": (lambda x: (x.to(torch.int32), x.double(), x > 0), (X,)),
    "topk": (lambda x: x.topk(2, 1), (X,)),
    "transpose": (lambda x: x.transpose(0, -1), (X,)),
    "unflatten": (lambda x: x.unflatten(2, (2, 2)).flatten(0, 1), (X,)),
    "upsample": (lambda x: F.interpolate(x, scale_factor=2), (IMAGE,)),
    "upsample.bilinear": (
        lambda x: F.interpolate(x, size=(9, 5), mode="bilinear", align_corners=True),
        (IMAGE,),
    ),
    "var": (lambda x: (x.var(1), x.var((0, 2), correction=0, keepdim=True), x.std(1)), (X,)),
    "where": (lambda x, y: torch.where(x > y, x, 0.0), (X, Y)),
}


@pytest.mark.parametrize("name", CASES)
def test_an_operator(name: str) -> None:
    function, args = CASES[name]
    assert_like_eager(function, args)


def test_all_that_is_not_supported_is_listed() -> None:
    def function(x: torch.Tensor) -> Any:
        return torch.linalg.det(x) + torch.fft.fft(x).tanh().abs(), x.to(torch.float8_e5m2).float()

    program = torch.export.export(Wrapped(function), (torch.eye(3),))
    with pytest.raises(UnsupportedModelError) as caught:
        from_exported_program(program)
    text = str(caught.value)
    assert text.startswith("from_exported_program: ")
    assert "_linalg_det" in text
    assert "aten.tanh.default `tanh`: complex numbers" in text
    assert "data type float8_e5m2" in text
