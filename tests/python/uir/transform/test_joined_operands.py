"""Values that are joined are written in their places, by kernels that keep their epilogues."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

import uir
from uir import ir, relay, tir, transform
from uir.ir import GlobalVar, IRModule

from ...support.depth import DEPTH

PIPELINE = transform.default_pipeline("c")
END = [one.pass_info.name for one in PIPELINE].index("BindConstants") + 1
X = relay.Var("x", relay.Tensor((1, 16, 4, 4), "float32"))
RNG = np.random.default_rng(9)
WEIGHTS = [relay.const(RNG.normal(size=(16, 16, 1, 1)).astype("float32")) for _ in range(3)]


def conv(x: Any, place: int = 0) -> Any:
    return relay.relu(relay.conv(x, WEIGHTS[place]))


def join(*values: Any) -> Any:
    return relay.concatenate(list(values), 1)


def main_of(params: list[relay.Var], result: Any) -> IRModule:
    attrs = ir.DictAttrs({"global_symbol": "main"})
    func = relay.Function(params, relay.Block([], result), None, attrs)
    return IRModule({GlobalVar("main"): func})


def planned(result: Any, *params: relay.Var) -> IRModule:
    """Return a module after the passes up to the plan of memory, which is well formed."""
    after = uir.lower(main_of(list(params or [X]), result), pipeline=PIPELINE[:END])
    return transform.VerifyWellFormed()(after)


def callees(module: IRModule) -> list[str]:
    calls = ir.post_order(module["main"].body, tir.Call)
    return [call.op.name_hint for call in calls if isinstance(call.op, GlobalVar)]


def places(module: IRModule) -> list[str]:
    """Return the addresses in the arena, in the order of the values."""
    binds = [bind.value for bind in ir.post_order(module["main"].body, tir.Bind)]
    return [
        str(value.args[0].indices[0])
        for value in binds
        if isinstance(value, tir.Call) and "address_of" in str(value.op.name)
    ]


def check(result: Any, *params: relay.Var) -> None:
    """Compare compiled code with the references."""
    module = main_of(list(params or [X]), result)
    shapes = [[int(dim.value) for dim in one.checked_type.shape] for one in params or [X]]
    args = [RNG.normal(size=shape).astype("float32") for shape in shapes]
    expected = relay.evaluate(module, *args)
    found = np.from_dlpack(uir.build(module)["main"](*args))
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5)


def test_branches_write_where_they_are_joined() -> None:
    result = relay.softmax(join(conv(X), conv(X, 1)))
    module = planned(result)
    assert callees(module) == ["fused_conv_relu", "fused_conv_relu", "softmax"]
    first, second, whole = places(module)
    assert (first, second, whole) == ("tir.int64(0)", "tir.int64(1024)", "tir.int64(0)")
    assert int(module["main"].get_attr("arena_bytes")) == 2048
    assert len(module.functions) == 3
    check(result)


def test_joined_values_are_joined_again() -> None:
    """Each layer of DenseNet adds to what all before it have computed."""
    features = conv(X)
    for place in range(3):
        grown = relay.reshape(features, [1, -1, 4, 4])
        features = join(features, conv(relay.strided_slice(grown, 0, 16, axes=1), place))
    result = relay.softmax(features)
    module = planned(result)
    assert not any("concat" in name for name in callees(module))
    assert int(module["main"].get_attr("arena_bytes")) < 6 * 1024
    check(result)


def test_values_that_others_read_later_stay() -> None:
    a, b = conv(X), conv(X, 1)
    whole = relay.softmax(join(a, b))
    result = relay.add(relay.sum(whole, [1], keepdims=True), relay.add(relay.exp(a), relay.exp(b)))
    assert not any("concat" in name for name in callees(planned(result)))
    check(result)


@pytest.mark.parametrize(
    "result",
    [
        join(conv(X), X),  # The memory of an input is the caller's.
        join(conv(X), conv(X, 1)),  # That of a result too.
        relay.softmax(relay.concatenate([conv(X), conv(X, 1)], 2)),  # Rows lie between each other.
        relay.softmax(join(relay.max(conv(X), [1], keepdims=True), conv(X, 1), X)),
        relay.softmax(join(relay.softmax(X[:, :, :3, :3]), relay.softmax(X[:, :2, 1:, 1:]))),
    ],
    ids=["input", "result", "rows", "short", "unaligned"],
)
def test_other_joins_copy(result: Any) -> None:
    assert any("concat" in name for name in callees(planned(result)))
    check(result)


def test_a_value_is_joined_once() -> None:
    a, b, c = (conv(X, place) for place in range(3))
    result = relay.add(relay.softmax(join(a, b)), relay.softmax(join(a, c)))
    assert sum("concat" in name for name in callees(planned(result))) == 1
    twice = relay.softmax(join(a, a))
    assert any("concat" in name for name in callees(planned(twice)))
    check(result)
    check(twice)


def test_symbolic_sizes_copy() -> None:
    x = relay.Var("x", relay.Tensor((1, 16, 4, tir.SizeVar("n")), "float32"))
    result = relay.softmax(join(relay.softmax(x), relay.softmax(relay.exp(x))))
    assert any("concat" in name for name in callees(planned(result, x)))


def random_value(random: Random, values: list[Any]) -> Any:
    kind = random.randrange(6)
    one, other = random.choice(values), random.choice(values)
    if kind < 3:
        return join(one, other)
    if kind == 3:
        return relay.softmax(one)
    if kind == 4:
        return relay.relu(relay.negative(one))
    channels = one.checked_type.shape[1].value
    return relay.strided_slice(one, 0, max(channels // 2, 1), axes=1)


@pytest.mark.parametrize("seed", range(6 * DEPTH))
def test_random_joins_compute_the_same(seed: int) -> None:
    random = Random(seed)
    rb = relay.builder()
    x = rb.param("x", X.checked_type)
    values: list[Any] = [x]
    for _ in range(14):
        value = random_value(random, values[-5:])
        if value.checked_type.shape[1].value <= 256:
            values.append(rb.emit(value))
    results = [random.choice(values[1:]) for _ in range(2)]
    total = relay.add(*(relay.sum(one, [1], keepdims=True) for one in results))
    func = ir.with_attr(rb.make_func(total), "global_symbol", "main")
    module = IRModule({GlobalVar("main"): func})
    array = RNG.normal(size=(1, 16, 4, 4)).astype("float32")
    expected = relay.evaluate(module, array)
    found = np.from_dlpack(uir.build(module)["main"](array))
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-4)
