"""Inputs and outputs of programs that are not tensors, checks, and tables of decompositions."""

from __future__ import annotations

import re
from typing import Any

import pytest
import torch

from uir import relay
from uir.frontend.torch import (
    InternalError,
    UnsupportedModelError,
    as_torch_function,
    default_decompositions,
    from_exported_program,
)
from uir.frontend.torch.operators import CONVERTERS

from .eager import Wrapped, assert_like_eager, exported

X = torch.randn((3, 4), generator=torch.Generator().manual_seed(0))


def test_numbers_as_inputs() -> None:
    def function(x: torch.Tensor, n: int, scale: float, flag: bool, mode: str, mask: Any) -> Any:
        y = x.repeat(n, 1) * scale
        return y.exp() if flag and mode == "exp" and mask is None else y

    args = (X, 2, 0.5, True, "exp", None)
    assert_like_eager(function, args)
    module = from_exported_program(exported(function, args))
    assert list(module["main"].attrs["input_names"]) == ["args_0"]
    torch.testing.assert_close(as_torch_function(module)(X), function(*args))


def test_nested_inputs_and_absent_outputs() -> None:
    class Cached(torch.nn.Module):
        def forward(self, x: torch.Tensor, cache: dict[str, Any], last: int = -1) -> Any:
            return {"y": x + cache["k"], "none": None, "pair": (cache["k"][last], None)}

    cache = {"k": X + 1, "length": 3, "name": "cache"}
    program = torch.export.export(Cached(), (X, cache), {"last": -2})
    found = relay.evaluate(from_exported_program(program), X.numpy(), cache["k"].numpy())
    assert (found[0] == (X + cache["k"]).numpy()).all()
    assert (found[1] == cache["k"][-2].numpy()).all()


def test_sizes_in_arithmetic_and_as_outputs() -> None:
    rows, columns = torch.export.Dim("rows", min=2), torch.export.Dim("columns")

    def function(x: torch.Tensor) -> Any:
        n, m = x.shape
        shapes = (
            torch.zeros(n * m),
            torch.ones((n * n + m) // 2),
            torch.full((m,), 2.0 * n),
            x * (n / m),
        )
        return x / n, x.sum() / x.numel(), x + max(n - 1, 1), x.reshape(m, n) % m, *shapes

    args = [(torch.randn(n, m),) for n, m in ((3, 4), (2, 1), (5, 7))]
    assert_like_eager(function, *args, dynamic=[{0: rows, 1: columns}], compiled=True)


def test_an_integer_that_varies_is_refused() -> None:
    program = exported(lambda x, n: x * n, (X, 3), [None, torch.export.Dim.DYNAMIC])
    with pytest.raises(UnsupportedModelError, match="an integer that varies"):
        from_exported_program(program)


def test_checks_are_dropped() -> None:
    def function(x: torch.Tensor) -> torch.Tensor:
        torch._assert_async(x.sum() < 100)
        torch.ops.aten._assert_async.msg((x > -9).all(), "too small")
        torch._check(x.shape[0] > 1)
        torch.ops.aten._assert_tensor_metadata(x, dtype=torch.float32)
        return x * 2

    assert_like_eager(function, (X,))


def test_a_size_that_depends_on_elements_is_refused() -> None:
    program = exported(lambda x, n: x * (n.item() + 1), (X, torch.tensor(3)))
    with pytest.raises(UnsupportedModelError, match="depends on elements"):
        from_exported_program(program)


def test_a_change_of_an_operand_is_refused() -> None:
    program = torch.export.export(Wrapped(lambda x: (x.add_(1), x * 2)[1]), (X.clone(),))
    with pytest.raises(UnsupportedModelError, match=r"add_|an output of kind"):
        from_exported_program(program, decompose=False)


class Noisy(torch.nn.Module):
    """Adds random numbers in several places."""

    def forward(self, x: torch.Tensor) -> Any:
        y = torch.nn.functional.dropout(x)
        for _ in range(5):
            x = x + torch.rand(4)
        return x, y


def test_reasons_are_grouped_and_have_the_line_of_the_user() -> None:
    program = torch.export.export(Noisy(), (X,))
    with pytest.raises(UnsupportedModelError) as caught:
        from_exported_program(program)
    head, dropout, _, training, rand, line, todo = str(caught.value).split("\n")
    assert head == "from_exported_program: 6 nodes are not supported:"
    assert rand == ("  aten.rand.default `rand`, `rand_1`, `rand_2` and 2 more: random numbers")
    assert re.fullmatch(r"    at .*test_inputs\.py:\d+: `x = x \+ torch\.rand\(4\)`", line)
    assert todo == "    help: make them before the model and give them as an input"
    assert dropout.endswith("`native_dropout`: dropout in training")
    assert training == "    help: export `module.eval()`"
    assert [one.node for one in caught.value.nodes][1:3] == ["rand", "rand_1"]


@pytest.mark.parametrize("fault", [KeyError, TypeError, AttributeError, ValueError, IndexError])
def test_faults_inside_are_no_refusals(
    fault: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_: object) -> None:
        raise fault("mode")

    monkeypatch.setitem(CONVERTERS, "aten.relu.default", broken)
    message = r"internal error at aten\.relu\.default `relu`.*\n.*report"
    with pytest.raises(InternalError, match=message) as caught:
        from_exported_program(exported(torch.relu, (X,)))
    assert isinstance(caught.value.__cause__, fault)


def test_a_table_of_decompositions() -> None:
    program = exported(torch.nn.functional.mish, (X,))
    aten = torch.ops.aten
    table = default_decompositions()
    assert aten.linear.default not in table
    table[aten.mish.default] = lambda x: x * 5
    other = from_exported_program(program, decompositions=table)
    assert (relay.evaluate(other, X.numpy()) == (X * 5).numpy()).all()
    kept = {key: value for key, value in table.items() if key is not aten.mish.default}
    with pytest.raises(UnsupportedModelError, match=r"aten\.mish"):
        from_exported_program(program, decompositions=kept)
