"""CombineParallelMatmul: products of one value become one product, and values stay."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import uir
from uir import ir, relay, transform

PREPARE = [transform.ToANormalForm(), transform.InferType()]
COMBINE = [transform.CombineParallelMatmul(), transform.FoldConstant(), transform.DeadCode()]

Body = Callable[[relay.Var, np.random.Generator], Any]


def const(rng: np.random.Generator, *shape: int) -> Any:
    return relay.const(rng.standard_normal(shape).astype("float64"))


def module_of(body: Body, *shape: int) -> ir.IRModule:
    """Return a module of one function of one tensor."""
    x = relay.Var("x", relay.Tensor(shape, "float64"))
    func = relay.Function([x], relay.Block([], body(x, np.random.default_rng(1))))
    return ir.IRModule({ir.GlobalVar("main"): ir.with_attr(func, "global_symbol", "main")})


def products(module: ir.IRModule) -> list[ir.RelayExpr]:
    """Return the calls of `matmul`, in order."""
    values = [binding.value for binding in module.lookup("main").body.bindings]
    return [value for value in values if getattr(value.op, "name", "") == "relay.matmul"]


def combine(body: Body, *shape: int) -> ir.IRModule:
    """Return the module after the pass, which is well-formed and computes what it did."""
    before = transform.Sequential(PREPARE)(module_of(body, *shape))
    after = transform.Sequential(COMBINE)(before)
    assert ir.verify(after) == []
    assert transform.InferType()(after).same_as(after)
    assert ir.structural_equal(uir.script.parse(uir.script.print(after)), after)
    x = np.random.default_rng(2).standard_normal(shape)
    expected, found = (relay.evaluate(one, x, name="main") for one in (before, after))
    for one, other in zip(expected, found, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-12)
    return after


def queries_keys_values(x: relay.Var, rng: np.random.Generator) -> Any:
    return relay.Tuple([x @ const(rng, 6, width) + const(rng, width) for width in (4, 5, 3)])


def test_products_and_their_summands_become_one() -> None:
    module = combine(queries_keys_values, 2, 7, 6)
    (product,) = products(module)
    assert [int(dim) for dim in product.checked_type.shape] == [2, 7, 12]
    names = [binding.value.op.name for binding in module.lookup("main").body.bindings]
    assert names == ["relay.matmul", "relay.add", *["relay.strided_slice"] * 3]


def test_one_product_without_a_summand_leaves_all_summands_where_they_are() -> None:
    def body(x: relay.Var, rng: np.random.Generator) -> Any:
        return relay.Tuple([x @ const(rng, 6, 4) + const(rng, 4), x @ const(rng, 6, 4)])

    module = combine(body, 7, 6)
    assert len(products(module)) == 1
    names = [binding.value.op.name for binding in module.lookup("main").body.bindings]
    assert sorted(names) == ["relay.add", "relay.matmul", *["relay.strided_slice"] * 2]


def test_a_product_with_another_use_keeps_its_summand_apart() -> None:
    def body(x: relay.Var, rng: np.random.Generator) -> Any:
        first = x @ const(rng, 6, 4)
        return relay.Tuple([first, first + const(rng, 4), x @ const(rng, 6, 4) + const(rng, 4)])

    assert len(products(combine(body, 7, 6))) == 1


def test_constants_that_are_computed_count() -> None:
    def body(x: relay.Var, rng: np.random.Generator) -> Any:
        weights = [relay.transpose(const(rng, 4, 6)) for _ in range(2)]
        return relay.Tuple([x @ weights[0], x @ weights[1]])

    (product,) = products(combine(body, 7, 6))
    assert [int(dim) for dim in product.checked_type.shape] == [7, 8]


@pytest.mark.parametrize(
    "body",
    [
        lambda x, rng: relay.Tuple([x @ x, x @ const(rng, 6, 6)]),
        lambda x, rng: relay.Tuple([relay.exp(x) @ const(rng, 6, 6), x @ const(rng, 6, 6)]),
        lambda x, rng: relay.Tuple([const(rng, 6, 6) @ x, const(rng, 6, 6) @ x]),
        lambda x, rng: relay.Tuple([x @ const(rng, 2, 6, 3), x @ const(rng, 6, 3)]),
    ],
    ids=["not constant", "other values", "from the left", "stacks"],
)
def test_other_products_stay(body: Body) -> None:
    before = transform.Sequential(PREPARE)(module_of(body, 6, 6))
    assert transform.CombineParallelMatmul()(before).same_as(before)


def test_a_chain_of_sets() -> None:
    def body(x: relay.Var, rng: np.random.Generator) -> Any:
        for _ in range(3):
            x = relay.tanh(x @ const(rng, 6, 6)) * relay.sigmoid(x @ const(rng, 6, 6))
        return x

    module = combine(body, 7, 6)
    assert len(products(module)) == 3


def test_programs_run_with_it_and_without() -> None:
    rng = np.random.default_rng(3)
    x = rng.standard_normal((7, 6)).astype("float32")

    def body(y: relay.Var, rng: np.random.Generator) -> Any:
        weights = [relay.const(rng.standard_normal((6, 5)).astype("float32")) for _ in range(3)]
        return relay.Tuple([relay.relu(y @ weight) for weight in weights])

    y = relay.Var("x", relay.Tensor((7, 6), "float32"))
    module = relay.Function([y], relay.Block([], body(y, rng)))
    apart = uir.build(module)
    pipeline = transform.default_pipeline()
    pipeline.insert(3, transform.CombineParallelMatmul())
    together = uir.build(module, pipeline=pipeline)
    for one, other in zip(apart.main(x), together.main(x), strict=True):
        np.testing.assert_allclose(np.from_dlpack(one), np.from_dlpack(other), rtol=1e-6)
