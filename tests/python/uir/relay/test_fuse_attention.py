"""Attention: products with a softmax become one operator, computed in blocks of queries."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import uir
from uir import ir, relay, tir, transform

Shape = tuple[Any, ...]
PREPARE = [transform.ToANormalForm(), transform.InferType()]
FUSE = [transform.FuseAttention(), transform.SimplifyExpr(), transform.DeadCode()]


def module_of(shapes: list[Shape], body: Callable[..., Any], dtype: str = "float32") -> ir.IRModule:
    """Return a module of one function of tensors."""
    params = [relay.Var(f"x{i}", relay.Tensor(shape, dtype)) for i, shape in enumerate(shapes)]
    func = relay.Function(params, relay.Block([], body(*params)))
    return ir.IRModule({ir.GlobalVar("main"): ir.with_attr(func, "global_symbol", "main")})


def arguments(shapes: list[tuple[int, ...]], dtype: str = "float32") -> list[Any]:
    rng = np.random.default_rng(len(shapes))
    return [rng.standard_normal(shape).astype(dtype) for shape in shapes]


def names_of(module: ir.IRModule) -> list[str]:
    """Return the operators of `main`, in order."""
    calls = [binding.value for binding in module.lookup("main").body.bindings]
    return [call.op.name.removeprefix("relay.") for call in calls]


def fuse(module: ir.IRModule, args: list[Any]) -> ir.IRModule:
    """Return the module after the pass, which computes what it did."""
    before = transform.Sequential(PREPARE)(module)
    after = transform.Sequential(FUSE)(before)
    assert ir.verify(after) == []
    assert transform.InferType()(after).same_as(after)
    assert ir.structural_equal(uir.script.parse(uir.script.print(after)), after)
    expected = relay.evaluate(before, *args, name="main")
    found = relay.evaluate(after, *args, name="main")
    np.testing.assert_allclose(found, expected, rtol=2e-5, atol=1e-6)
    built = np.from_dlpack(uir.build(module).main(*args))
    np.testing.assert_allclose(built, expected, rtol=2e-4, atol=2e-6)
    return after


QKV = [(2, 3, 5, 8), (2, 3, 8, 7), (2, 3, 7, 4)]


@pytest.mark.parametrize(
    ("shapes", "body"),
    [
        (QKV, lambda q, k, v: relay.softmax(q @ k) @ v),
        (QKV, lambda q, k, v: relay.softmax((q @ k) * 0.25) @ v),
        (QKV, lambda q, k, v: relay.softmax(0.25 * (q @ k), axis=3) @ v),
        (QKV, lambda q, k, v: relay.softmax((q @ k) / 3.0) @ v),
        ([*QKV, (2, 1, 1, 7)], lambda q, k, v, m: relay.softmax((q @ k) * 0.5 + m) @ v),
        ([*QKV, (5, 7)], lambda q, k, v, m: relay.softmax(m + (q @ k)) @ v),
        ([(3, 5, 8), (3, 8, 7), (3, 7, 4)], lambda q, k, v: relay.softmax((q @ k) * 2.0) @ v),
        ([(3, 5, 8), (3, 8, 7), (3, 7, 4), (3, 1, 7)],
         lambda q, k, v, m: relay.softmax(q @ k + m) @ v),
    ],
    ids=["plain", "factor", "factor in front", "divisor", "mask", "small mask", "stack", "masked"],
)  # fmt: skip
def test_products_with_a_softmax_become_one_operator(
    shapes: list[tuple[int, ...]], body: Callable[..., Any]
) -> None:
    names = names_of(fuse(module_of(shapes, body), arguments(shapes)))
    assert names.count("attention") == 1
    assert set(names) <= {"attention", "transpose", "expand_dims", "squeeze"}


def test_keys_that_were_turned_are_turned_back() -> None:
    shapes = [(2, 3, 5, 8), (2, 7, 3, 8), (2, 3, 7, 4)]
    module = module_of(
        shapes, lambda q, k, v: relay.softmax(q @ relay.transpose(k, [0, 2, 3, 1])) @ v
    )
    assert names_of(fuse(module, arguments(shapes))) == ["transpose", "attention"]


@pytest.mark.parametrize(
    "body",
    [
        lambda q, k, v: relay.softmax(q @ k, axis=2) @ v,
        lambda q, k, v: relay.softmax(relay.exp(q @ k)) @ v,
        lambda q, k, v: relay.softmax((q @ k) * relay.const(np.ones((1, 3, 1, 1), "float32"))) @ v,
        lambda q, k, v: relay.softmax(q @ k) @ relay.const(np.ones((7, 4), "float32")),
        lambda q, k, v: relay.softmax(q @ relay.expand_dims(relay.sum(k, axis=[0]), [0])) @ v,
    ],
    ids=["other axis", "no factor", "factors of heads", "constant values", "broadcast"],
)
def test_other_products_stay(body: Callable[..., Any]) -> None:
    before = transform.Sequential(PREPARE)(module_of(QKV, body))
    assert transform.FuseAttention()(before).same_as(before)


def test_scores_with_another_use_stay() -> None:
    def body(q: relay.Var, k: relay.Var, v: relay.Var) -> Any:
        weights = relay.softmax(q @ k)
        return relay.Tuple([weights @ v, weights])

    before = transform.Sequential(PREPARE)(module_of(QKV, body))
    # The same product stands in two places before values are bound once.
    before = transform.EliminateCommonSubexpr()(before)
    assert transform.FuseAttention()(before).same_as(before)


ATTENTION: dict[str, tuple[list[tuple[int, ...]], dict[str, Any]]] = {
    "one block": ([(1, 2, 128, 8), (1, 2, 40, 8), (1, 2, 40, 16)], {}),
    "two blocks": ([(2, 1, 200, 8), (2, 1, 33, 8), (2, 1, 33, 5)], {}),
    "a smaller last block": ([(1, 2, 131, 8), (1, 2, 20, 8), (1, 2, 20, 8)], {}),
    "causal": ([(1, 2, 131, 8), (1, 2, 131, 8), (1, 2, 131, 8)], {"causal": True}),
    "few heads of keys": ([(1, 6, 130, 8), (1, 2, 30, 8), (1, 2, 30, 8)], {"scale": 0.5}),
    "limited": ([(1, 2, 10, 8), (1, 2, 30, 8), (1, 2, 30, 8)], {"softcap": 2.0}),
    "masked": ([(1, 2, 70, 8), (1, 2, 30, 8), (1, 2, 30, 8), (1, 1, 70, 30)], {"scale": 1.0}),
    "nothing": ([(1, 2, 0, 8), (1, 2, 30, 8), (1, 2, 30, 8)], {}),
}


@pytest.mark.parametrize("name", ATTENTION)
def test_blocks_compute_what_the_whole_does(name: str) -> None:
    shapes, options = ATTENTION[name]
    module = module_of(shapes, lambda *operands: relay.attention(*operands, **options))
    args = arguments(shapes)
    expected = relay.reference.attention(*args, **options)
    np.testing.assert_allclose(
        np.from_dlpack(uir.build(module).main(*args)), expected, rtol=2e-4, atol=2e-6
    )


def test_queries_that_see_no_keys_give_0() -> None:
    shapes = [(1, 1, 3, 4), (1, 1, 5, 4), (1, 1, 5, 4)]
    mask = np.array([[True] * 5, [False] * 5, [True] * 5])
    module = module_of(shapes, lambda q, k, v: relay.attention(q, k, v, relay.const(mask)))
    found = np.from_dlpack(uir.build(module).main(*arguments(shapes)))
    assert not found[0, 0, 1].any() and found[0, 0, 0].any() and np.isfinite(found).all()


@pytest.mark.parametrize(("queries", "keys"), [(1, 1), (64, 65), (150, 3)])
def test_symbolic_sizes(queries: int, keys: int) -> None:
    n, m, h = tir.SizeVar("n"), tir.SizeVar("m"), tir.SizeVar("h")
    module = module_of(
        [(1, h, n, 8), (1, h, m, 8), (1, h, m, 4)], lambda q, k, v: relay.attention(q, k, v)
    )
    args = arguments([(1, 3, queries, 8), (1, 3, keys, 8), (1, 3, keys, 4)])
    np.testing.assert_allclose(
        np.from_dlpack(uir.build(module).main(*args)),
        relay.reference.attention(*args),
        rtol=2e-4,
        atol=2e-6,
    )


def test_no_tensor_has_all_scores() -> None:
    """Memory grows with the keys, and not with their product by the queries."""
    shapes = [(1, 2, 1024, 16), (1, 2, 1024, 16), (1, 2, 1024, 16)]
    module = uir.lower(module_of(shapes, lambda q, k, v: relay.attention(q, k, v)))
    sizes = [
        int(np.prod([int(extent) for extent in alloc.buffer.shape]))
        for _, func in module.functions.items()
        for alloc in ir.post_order(func, tir.AllocBuffer)
    ]
    assert max(sizes) == 128 * 1024
