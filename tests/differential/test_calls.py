"""Further calls of graphs: compiled code refuses what the references refuse."""

from __future__ import annotations

import numpy as np
import pytest

from uir import relay, tir

from . import batches
from .batches import DIFFERS, EQUAL, outcomes
from .calls import Refusal, Skipped, result_of
from .graphs import Graph, random_graph
from .open_refusals import errors, is_unneeded

ARGUMENTS = [np.array([-128, 7], "int8"), np.array([-1, 2], "int8")]
REFUSED = Refusal("the divisor is 0")
ZERO = [np.array([-128, 7], "int8"), np.array([-1, 0], "int8")]


def graph_of(*names: str, result: int = -1) -> Graph:
    """Return a graph whose calls are of two `int8` tensors, with arguments and a divisor of 0."""
    x, y = (relay.Var(name, relay.Tensor((2,), "int8")) for name in "xy")
    calls = [getattr(relay, name)(x, y) for name in names]
    variables = [relay.Var(f"v{place}", call.checked_type) for place, call in enumerate(calls)]
    bindings = [relay.Binding(*pair) for pair in zip(variables, calls, strict=True)]
    attrs = random_graph(1, ["add"], 1).function.attrs
    function = relay.Function([x, y], relay.Block(bindings, variables[result]), None, attrs)
    calls_of = [ARGUMENTS, ZERO]
    expected = [result_of(function, one) for one in calls_of]
    return Graph(1, function, list(names), calls_of, expected, ["compact", "compact"])


@pytest.mark.parametrize("name", ["divide", "floor_divide", "mod"])
def test_a_divisor_of_0_is_refused(name: str) -> None:
    graph = graph_of(name)
    assert graph.expected[1] == Refusal("ValueError: the divisor `y` is 0")
    assert [one.kind for one in outcomes([graph])] == [EQUAL]


def test_a_number_in_the_place_of_a_refusal_differs(monkeypatch: pytest.MonkeyPatch) -> None:
    zeros = [np.zeros(2, "int8")]
    monkeypatch.setattr(batches, "run", lambda graph, library, arguments: zeros)
    (found,) = outcomes([graph_of("floor_divide")._replace(arguments=[ZERO], expected=[REFUSED])])
    assert (found.kind, found.text) == (DIFFERS, "no error, expected the divisor is 0")


def test_a_refusal_in_the_place_of_a_number_differs() -> None:
    graph = graph_of("floor_divide")
    (found,) = outcomes([graph._replace(expected=[graph.expected[0], graph.expected[0]])])
    assert found.kind == DIFFERS
    assert "ValueError" in found.text


def test_what_no_result_needs_may_fail_or_not() -> None:
    with pytest.raises(Skipped):
        graph_of("floor_divide", "add")


def test_a_quotient_that_is_not_taken_need_not_fail() -> None:
    x, y = (relay.Var(name, relay.Tensor((2,), "int8")) for name in "xy")
    quotient = relay.floor_divide(x, y)
    whole = relay.Var("v0", quotient.checked_type)
    first = relay.strided_slice(whole, [0], [1])
    variables = [whole, relay.Var("v1", first.checked_type)]
    bindings = [relay.Binding(*pair) for pair in zip(variables, [quotient, first], strict=True)]
    function = relay.Function([x, y], relay.Block(bindings, variables[1]))
    assert is_unneeded(function, ZERO, [np.array([-128], "int8")])
    assert not is_unneeded(function, ZERO, [np.array([0], "int8")])
    assert not is_unneeded(graph_of("floor_divide").function, ZERO, [np.array([-128, 0], "int8")])


def test_an_element_of_none_that_no_result_needs_need_not_fail() -> None:
    n = tir.SizeVar("n", "int64")
    x, at = (
        relay.Var("x", relay.Tensor((n,), "float32")),
        relay.Var("at", relay.Tensor((1,), "int8")),
    )
    taken = relay.take(x, at)
    element = relay.Var("v0", taken.checked_type)
    never = relay.isinf(element, detect_negative=False, detect_positive=False)
    variables = [element, relay.Var("v1", never.checked_type)]
    bindings = [relay.Binding(*pair) for pair in zip(variables, [taken, never], strict=True)]
    arguments = [np.zeros(0, "float32"), np.array([-2], "int8")]
    function = relay.Function([x, at], relay.Block(bindings, variables[1]))
    assert is_unneeded(function, arguments, [np.array([False])])
    function = relay.Function([x, at], relay.Block(bindings[:1], variables[0]))
    assert not is_unneeded(function, arguments, [np.zeros(1, "float32")])
    assert errors(function, arguments) == {"IndexError"}


def test_rounding_shows_no_need_of_what_is_refused() -> None:
    """The sum and the difference leave few bits of `x`, and any index takes the only element."""
    x, at = relay.Var("x", relay.Tensor((1,), "float32")), relay.Var("at", relay.Tensor((), "int8"))
    sum_ = relay.add(x, relay.const(np.float32(1e4)))
    variables, calls = [relay.Var("v0", sum_.checked_type)], [sum_]
    for make in (
        lambda v: relay.subtract(v, relay.const(np.float32(1e4))),
        lambda v: relay.take(v, at),
    ):
        calls.append(make(variables[-1]))
        variables.append(relay.Var(f"v{len(variables)}", calls[-1].checked_type))
    bindings = [relay.Binding(*pair) for pair in zip(variables, calls, strict=True)]
    function = relay.Function([x, at], relay.Block(bindings, variables[-1]))
    arguments = [np.array([0.5], "float32"), np.array(100, "int8")]
    assert is_unneeded(function, arguments, [np.array(0.501, "float32")])
    assert not is_unneeded(function, arguments, [np.array(5, "float32")])


def test_indices_that_wrap_are_not_refused() -> None:
    x, at = relay.Var("x", relay.Tensor((3,), "int8")), relay.Var("at", relay.Tensor((1,), "int8"))
    calls = [relay.take(x, at, mode="wrap"), relay.take(x, at)]
    variables = [relay.Var(f"v{place}", one.checked_type) for place, one in enumerate(calls)]
    bindings = [relay.Binding(*pair) for pair in zip(variables, calls, strict=True)]
    function = relay.Function([x, at], relay.Block(bindings, variables[0]))
    arguments = [np.array([5, 6, 7], "int8"), np.array([4], "int8")]
    assert is_unneeded(function, arguments, [np.array([6], "int8")])


def test_errors_are_those_of_the_reference() -> None:
    graph = graph_of("floor_divide")
    assert errors(graph.function, ZERO) == {"ValueError"}
    assert errors(graph.function, ARGUMENTS) == set()
    x, y = (relay.Var(name, relay.Tensor((2,), "int8")) for name in "xy")
    quotient = relay.floor_divide(x, y)
    taken = relay.take(x, y)
    variables = [relay.Var("v0", quotient.checked_type), relay.Var("v1", taken.checked_type)]
    bindings = [relay.Binding(*pair) for pair in zip(variables, [quotient, taken], strict=True)]
    function = relay.Function([x, y], relay.Block(bindings, relay.Tuple(variables)))
    outside = [np.array([3, 4], "int8"), np.array([0, 2], "int8")]
    assert errors(function, outside) == {"ValueError", "IndexError"}


def test_another_error_than_that_of_the_reference_differs(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(graph: Graph, library: object, arguments: object) -> list[np.ndarray]:
        raise IndexError("planted")

    monkeypatch.setattr(batches, "run", failing)
    (found,) = outcomes([graph_of("floor_divide")._replace(arguments=[ZERO], expected=[REFUSED])])
    assert (found.kind, found.text) == (DIFFERS, "IndexError: planted, expected the divisor is 0")


def test_graphs_have_refusals_of_each_kind() -> None:
    texts = set()
    for seed in (*range(200), *range(205, 1400, 8)):
        graph = random_graph(seed)
        assert not isinstance(graph.expected[0], Refusal)
        texts |= {one.text for one in graph.expected if isinstance(one, Refusal)}
    for part in ("the divisor", "an assumption", "out of range"):
        assert any(part in text for text in texts)


def test_nothing_is_said_where_a_shift_is_undefined_too() -> None:
    x, y = (relay.Var(name, relay.Tensor((2,), "int32")) for name in "xy")
    quotient, shifted = relay.floor_divide(x, y), relay.left_shift(x, y)
    variables = [relay.Var("v0", quotient.checked_type), relay.Var("v1", shifted.checked_type)]
    bindings = [relay.Binding(*pair) for pair in zip(variables, [quotient, shifted], strict=True)]
    function = relay.Function([x, y], relay.Block(bindings, relay.Tuple(variables)))
    found = [np.array([3, 0], "int32"), np.array([12, 7], "int32")]
    numbers = np.array([6, 7], "int32")
    assert not is_unneeded(function, [numbers, np.array([2, 0], "int32")], found)
    assert is_unneeded(function, [numbers, np.array([99, 0], "int32")], found)
