"""Recurrent layers: directions, layouts, biases and activations around those of relay."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from uir_nodes.ir import RelayExpr

from .... import relay
from ...errors import Refused
from ...tensors import Dim, dims, dims_of_rank, scalar
from ..node import Converter, Node, Outputs

__all__ = ["CONVERTERS"]

# The functions as expressions of `x`, with the defaults of `alpha` and `beta`.
ACTIVATIONS: dict[str, tuple[str, float | None, float | None]] = {
    "affine": ("{alpha} * x + {beta}", 1.0, 0.0),
    "elu": ("select(x < 0, {alpha} * expm1(x), x)", 1.0, None),
    "hardsigmoid": ("max(min({alpha} * x + {beta}, 1), 0)", 0.2, 0.5),
    "leakyrelu": ("select(x < 0, {alpha} * x, x)", 0.01, None),
    "relu": ("max(x, 0)", None, None),
    "scaledtanh": ("{alpha} * tanh({beta} * x)", 1.0, 1.0),
    "sigmoid": ("sigmoid(x)", None, None),
    "softplus": ("max(x, 0) + log1p(exp(-abs(x)))", None, None),
    "softsign": ("x / (1 + abs(x))", None, None),
    "tanh": ("tanh(x)", None, None),
    "thresholdedrelu": ("select(x < {alpha}, 0, x)", 1.0, None),
}

DIRECTIONS = {"forward": [False], "reverse": [True], "bidirectional": [False, True]}


@dataclass
class Direction:
    """One direction of a layer, with its parts of the inputs.

    Attributes
    ----------
    layer
        The layer.
    place
        The index of the direction among those of the layer.
    reverse
        Whether the steps go from the last time to the first.
    """

    layer: Layer
    place: int
    reverse: bool

    def part(self, operand: RelayExpr | None) -> RelayExpr | None:
        """Return the part of an input with a first axis of directions."""
        if operand is None:
            return None
        only = relay.strided_slice(operand, [self.place], [self.place + 1], axes=[0])
        return relay.squeeze(only, [0])

    def state(self, place: int) -> RelayExpr:
        """Return an initial state; zeros if the input is left out."""
        states = self.layer.node.optional(place)
        if states is None:
            return relay.full(scalar(0, self.layer.x), [self.layer.rows, self.layer.features])
        found = self.part(self.layer.batch_second(states))
        assert found is not None
        return found

    @cached_property
    def weight(self) -> RelayExpr:
        """The weights of the state, with a column for each feature of each gate."""
        weight = self.part(self.layer.node.input(2))
        assert weight is not None
        return relay.transpose(weight)

    @cached_property
    def biases(self) -> tuple[RelayExpr, RelayExpr] | None:
        """The biases of the products of the input and of the state, of shape `(gates, h)`."""
        both = self.part(self.layer.node.optional(3))
        if both is None:
            return None
        shape = [2, self.layer.num_gates, self.layer.features]
        apart = relay.reshape(both, shape, allowzero=True)
        first, second = self.layer.node.bind(relay.split(apart, sections=2))
        return relay.squeeze(first, [0]), relay.squeeze(second, [0])

    def gates(self, bias: RelayExpr | None) -> RelayExpr:
        """Return the products of the input plus a bias, of shape `(t, n, gates, h)`."""
        layer = self.layer
        weight = self.part(layer.node.input(1))
        assert weight is not None
        rows = relay.reshape(layer.x, [layer.times * layer.rows, layer.inputs], allowzero=True)
        products = relay.matmul(rows, relay.transpose(weight))
        shape = [layer.times, layer.rows, layer.num_gates, layer.features]
        gates = relay.reshape(products, shape, allowzero=True)
        return gates if bias is None else relay.add(gates, bias)


class Layer:
    """A node of `RNN`, `GRU` or `LSTM`.

    Parameters
    ----------
    node
        The node; its inputs are the data, the weights of the data and of the state, the biases, the
        lengths and the initial states.
    num_gates
        The number of gates.
    functions
        The default activation functions of a direction.

    Raises
    ------
    Refused
        If an attribute has a value that ONNX does not define, or contradicts the weights.
    """

    def __init__(self, node: Node, num_gates: int, functions: Sequence[str]) -> None:
        self.node = node
        self.num_gates = num_gates
        self.is_batch_first = node.flag("layout")
        x = node.input(0)
        dims_of_rank(x, 3)
        dims_of_rank(node.input(1), 3)
        dims_of_rank(node.input(2), 3)
        self.x = node.bind(self.with_known_rows(self.batch_second(x)))
        self.times, self.rows, self.inputs = dims(self.x)
        self.features: Dim = dims(node.input(2))[2]
        if node.attribute("hidden_size", self.features) != self.features:
            raise Refused(f"hidden_size {node.attribute('hidden_size')} of {self.features} states")
        self.clip: float | None = node.attribute("clip")
        if self.clip is not None and not self.clip > 0:
            raise Refused(f"clip {self.clip}, which must be positive")
        direction = node.attribute("direction", "forward")
        if direction not in DIRECTIONS:
            raise Refused(f"direction `{direction}`")
        self._reverse = DIRECTIONS[direction]
        found = dims(node.input(1))[0]
        if found != len(self._reverse):
            raise Refused(f"weights of {found} directions for direction `{direction}`")
        self.functions = functions
        self.activations = list(activations_of(node, [*functions] * len(self._reverse)))

    def with_known_rows(self, x: RelayExpr) -> RelayExpr:
        """Return data of a symbolic batch with the batch of an initial state, if that is constant.

        A call checks it. Nodes behind the layer may need it, such as a `Squeeze` without axes.
        """
        times, rows, inputs = dims(x)
        states = (self.node.optional(place) for place in (5, 6))
        batches = [dims(self.batch_second(one))[1] for one in states if one is not None]
        size = next((one for one in batches if isinstance(one, int)), rows)
        if isinstance(rows, int) or size is rows:
            return x
        return relay.reshape(x, [times, size, inputs], allowzero=True)

    def batch_second(self, x: RelayExpr) -> RelayExpr:
        """Return a tensor of rank 3 with the batch as its second axis, as `layout=0` has it."""
        return relay.transpose(x, [1, 0, 2]) if self.is_batch_first else x

    def outputs(self, convert: Callable[[Direction, list[str]], RelayExpr]) -> Outputs:
        """Return the outputs; `convert` gives those of one direction and takes its activations."""
        count = len(self.functions)
        results = [
            self.node.bind(
                convert(
                    Direction(self, place, reverse),
                    self.activations[count * place : count * (place + 1)],
                )
            )
            for place, reverse in enumerate(self._reverse)
        ]
        every, *states = zip(*[list(one) for one in results], strict=True)
        y = relay.concatenate([relay.expand_dims(one, [1]) for one in every], 1)
        if self.is_batch_first:
            y = relay.transpose(y, [2, 0, 1, 3])
        return [y, *(self._last(parts) for parts in states)]

    def _last(self, parts: Sequence[RelayExpr]) -> RelayExpr:
        """Return the last states of all directions as one tensor."""
        axis = 1 if self.is_batch_first else 0
        return relay.concatenate([relay.expand_dims(one, [axis]) for one in parts], axis)


def activations_of(node: Node, default: Sequence[str]) -> Iterator[str]:
    """Return the activation functions of all directions, as expressions of `x`."""
    names = node.attribute("activations") or default
    if len(names) != len(default):
        raise Refused(f"{len(names)} activations, expected {len(default)}")
    alphas = iter(node.attribute("activation_alpha") or [])
    betas = iter(node.attribute("activation_beta") or [])
    for name in names:
        text = name.decode(errors="replace") if isinstance(name, bytes) else name
        if text.lower() not in ACTIVATIONS:
            raise Refused(f"activation `{text}`")
        formula, alpha, beta = ACTIVATIONS[text.lower()]
        yield formula.format(
            alpha=alpha if alpha is None else next(alphas, alpha),
            beta=beta if beta is None else next(betas, beta),
        )


def added(biases: tuple[RelayExpr, RelayExpr] | None) -> RelayExpr | None:
    """Return the sum of both biases; None if there are none."""
    return None if biases is None else relay.add(*biases)


def rnn(node: Node) -> Outputs:
    """Return the states of all times, and the last ones."""

    def convert(one: Direction, activations: list[str]) -> RelayExpr:
        return relay.rnn(
            one.gates(added(one.biases)),
            one.state(5),
            one.weight,
            node.optional(4),
            activations=activations,
            clip=one.layer.clip,
            reverse=one.reverse,
        )

    return Layer(node, 1, ["Tanh"]).outputs(convert)


def gru(node: Node) -> Outputs:
    """Return the states of all times, and the last ones."""
    reset_after = node.flag("linear_before_reset")

    def convert(one: Direction, activations: list[str]) -> RelayExpr:
        bias, state_bias = added(one.biases), None
        if reset_after and one.biases is not None:
            first, second = one.biases
            both, candidate = node.bind(relay.split(second, [2, 1]))
            bias = relay.add(first, relay.pad(both, [0, 0], [1, 0]))
            state_bias = relay.squeeze(candidate, [0])
        return relay.gru(
            one.gates(bias),
            one.state(5),
            one.weight,
            state_bias,
            node.optional(4),
            activations=activations,
            clip=one.layer.clip,
            reset_after=reset_after,
            reverse=one.reverse,
        )

    return Layer(node, 3, ["Sigmoid", "Tanh"]).outputs(convert)


def lstm(node: Node) -> Outputs:
    """Return the states of all times, the last ones, and the last memories."""

    def convert(one: Direction, activations: list[str]) -> RelayExpr:
        peephole = one.part(node.optional(7))
        if peephole is not None:
            peephole = relay.reshape(peephole, [3, one.layer.features], allowzero=True)
        return relay.lstm(
            one.gates(added(one.biases)),
            one.state(5),
            one.state(6),
            one.weight,
            peephole,
            node.optional(4),
            activations=activations,
            clip=one.layer.clip,
            input_forget=node.flag("input_forget"),
            reverse=one.reverse,
        )

    return Layer(node, 4, ["Sigmoid", "Tanh", "Tanh"]).outputs(convert)


CONVERTERS: dict[str, Converter] = {"GRU": gru, "LSTM": lstm, "RNN": rnn}
