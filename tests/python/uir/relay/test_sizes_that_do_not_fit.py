"""Sizes of which an operator can make nothing are refused by the call, and others compute."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import uir
from uir import ir, relay, tir
from uir.transform import InferType

IMAGE, FILTER = (1, 1, "n"), (1, 1, 3)

# By name: the shapes of the operands, what is made of n and of them, and the least n that fits.
CASES: dict[str, tuple[list[tuple], Callable[..., ir.RelayExpr], int]] = {
    "max_pool": ([IMAGE], lambda n, x: relay.max_pool(x, [3]), 3),
    "strided": ([IMAGE], lambda n, x: relay.max_pool(x, [3], strides=[2]), 3),
    "ceil": ([IMAGE], lambda n, x: relay.max_pool(x, [3], strides=[2], ceil_mode=True), 2),
    "padded": ([IMAGE], lambda n, x: relay.avg_pool(x, [3], pads=[0, 1]), 2),
    "dilated": ([IMAGE, FILTER], lambda n, x, w: relay.conv(x, w, dilations=[2]), 5),
    "any_filter": ([IMAGE, (1, 1, 4), ("m",)], lambda n, x, w, _: relay.conv(x, w), 4),
    "transposed": ([IMAGE, FILTER], lambda n, x, w: relay.conv_transpose(x, w, pads=[3, 3]), 4),
    "two": ([IMAGE], lambda n, x: relay.max_pool(relay.max_pool(x, [3], strides=[2]), [2]), 5),
    "cut": ([("n",)], lambda n, x: relay.pad(x, [-2], [-1]), 3),
    "cut_and_padded": ([("n",)], lambda n, x: relay.pad(x, [-3], [5]), 3),
    "edge": ([("n",)], lambda n, x: relay.pad(x, [2], [-1], "edge"), 2),
    "reflect": ([("n",)], lambda n, x: relay.pad(x, [2], [1], "reflect"), 1),
    "symmetric": ([("n",)], lambda n, x: relay.pad(x, [0], [1], "symmetric"), 1),
    "wrap": ([("n",)], lambda n, x: relay.pad(x, [4], [0], "wrap"), 1),
    "resize": ([IMAGE], lambda n, x: relay.resize(x, sizes=[4], axes=[2]), 1),
    "split": ([("n",)], lambda n, x: relay.split(x, sizes=[n - 3, 3]), 3),
    "full": ([(), ("n",)], lambda n, x, _: relay.full(x, [n - 3]), 3),
    "broadcast": ([(), ("n",)], lambda n, x, _: relay.broadcast_to(x, [2, n - 3]), 3),
    "reshape": ([(0, "n")], lambda n, x: relay.reshape(x, [n - 3, -1]), 4),
    "tile": ([(2,), ("n",)], lambda n, x, _: relay.tile(x, [n - 2]), 2),
    "topk": ([(7,), ("n",)], lambda n, x, _: relay.topk(x, n - 2), 2),
    "slice": ([("n",)], lambda n, x: relay.strided_slice(x, [2], [-1]), 0),
    "backwards": ([("n",)], lambda n, x: relay.strided_slice(x, [-1], [1], strides=[-2]), 0),
    "sections": ([("n",)], lambda n, x: relay.split(x, sections=3), 0),
}
SIZES = range(8)


def entry(name: str) -> relay.Function:
    shapes, made, _ = CASES[name]
    sizes = {symbol: tir.SizeVar(symbol) for symbol in "nm"}
    types = [relay.Tensor([sizes.get(extent, extent) for extent in shape]) for shape in shapes]
    params = [relay.Var(f"x{i}", type_) for i, type_ in enumerate(types)]
    attrs = ir.DictAttrs({"global_symbol": name})
    return relay.Function(params, relay.Block([], made(sizes["n"], *params)), None, attrs)


def arguments(name: str, size: int) -> list[np.ndarray]:
    random = np.random.default_rng(size)
    sizes = {"n": size, "m": 2}
    shapes = [[sizes.get(extent, extent) for extent in shape] for shape in CASES[name][0]]
    return [random.standard_normal(shape).astype("float32") for shape in shapes]


@pytest.fixture(scope="module")
def built() -> ir.Module:
    entries = {ir.GlobalVar(name): entry(name) for name in CASES}
    return uir.build(ir.IRModule(entries))


@pytest.mark.parametrize("name", CASES)
def test_a_size_fits_or_is_refused(name: str, built) -> None:
    module = InferType()(ir.IRModule({ir.GlobalVar(name): entry(name)}))
    for size in SIZES:
        args = arguments(name, size)
        if size < CASES[name][2]:
            with pytest.raises(ValueError, match=rf"{name}: .*\bn\b.*(must hold|negative)"):
                built[name](*args)
            with pytest.raises(ValueError, match=r"`n` is \d, dimension \d of argument"):
                relay.evaluate(module, *args, name=name)
            continue
        found, expected = built[name](*args), relay.evaluate(module, *args, name=name)
        pairs = (
            [(found, expected)] if hasattr(found, "shape") else zip(found, expected, strict=True)
        )
        for one, other in pairs:
            np.testing.assert_allclose(np.from_dlpack(one), other, rtol=1e-5, atol=1e-6)


def test_an_output_is_not_made_where_a_size_does_not_fit() -> None:
    built = uir.build(ir.IRModule({ir.GlobalVar("max_pool"): entry("max_pool")}))
    with pytest.raises(ValueError, match="`3 <= n` must hold: `n` is 1, dimension 2 of `x0`"):
        built["max_pool"](*arguments("max_pool", 1))
    with pytest.raises(ValueError, match="`3 <= n` must hold: `n` is 2, dimension 2 of `x0`"):
        built["max_pool_into"](*arguments("max_pool", 2), np.zeros((1, 1, 0), "float32"))


def test_constants_that_do_not_fit_are_refused_at_once() -> None:
    x = relay.Var("x", relay.Tensor((2,)))
    for made in (
        lambda: relay.pad(x, [-3], [5]),
        lambda: relay.pad(relay.Var("x", relay.Tensor((0,))), [1], [0], "edge"),
        lambda: relay.resize(relay.Var("x", relay.Tensor((0,))), sizes=[4]),
        lambda: relay.max_pool(relay.Var("x", relay.Tensor((1, 1, 2))), [3]),
    ):
        with pytest.raises(ValueError, match="dimension|axis"):
            made()
