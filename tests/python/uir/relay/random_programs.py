"""Random functions of relay, and arguments for them.

A program is a function `main`, which may call a private function, of parameters of several shapes
and data types. Its bindings have operators of every kind, constants that rules look for, tuples,
branches, values that are computed twice and values that are not used.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import NamedTuple

import numpy as np

from uir import ir, relay
from uir.ir import TensorType, TupleType
from uir.relay import Tensor
from uir.transform import InferType

Shape = tuple[int, ...]
SMOOTH = ["tanh", "sin", "sigmoid", "negative", "silu", "gelu", "relu", "leaky_relu"]
INPUTS: list[tuple[Shape, str]] = [((2, 3), "float64"), ((3,), "float64"), ((2, 3), "int32")]
ROUGH = ["floor", "ceil", "round", "sign", "abs", "relu"]


class Program(NamedTuple):
    """A module, and the arguments of its function `main`."""

    module: ir.IRModule
    arguments: list[np.ndarray]


def random_program(draw: Random, *, length: int = 16, smooth: bool = False) -> Program:
    """Return a random program; a smooth one changes little if its values change little."""
    private = Writer(draw, smooth, INPUTS[:2])
    for _ in range(3):
        private.step()
    helper = ir.GlobalVar("helper")
    main = Writer(draw, smooth, INPUTS)
    called = relay.Var("called", Tensor(*INPUTS[0]))
    call = relay.Binding(called, relay.Call(helper, main.values[:2]))
    main.values.append(called)
    for _ in range(length):
        main.step()
    func = main.function(relay.Tuple([draw.choice(main.values) for _ in range(2)]))
    block = relay.Block([call, *func.body.bindings], func.body.result)
    attrs = ir.DictAttrs({"global_symbol": "main"})
    functions = {
        helper: private.function(private.one(*INPUTS[0])),
        ir.GlobalVar("main"): relay.Function(func.params, block, attrs=attrs),
    }
    return Program(InferType()(ir.IRModule(functions)), [elements(draw, *key) for key in INPUTS])


def elements(draw: Random, shape: Shape, dtype: str) -> np.ndarray:
    """Return random elements."""
    random = np.random.default_rng(draw.randrange(2**32))
    if dtype == "int32":
        return random.integers(-9, 9, shape, dtype)
    return random.normal(size=shape).astype(dtype)


class Writer:
    """Writes one function, binding by binding."""

    def __init__(self, draw: Random, smooth: bool, inputs: list[tuple[Shape, str]]) -> None:
        self.draw, self.smooth = draw, smooth
        self.builder = relay.builder()
        self.values: list[ir.RelayExpr] = [
            self.builder.param(f"p{place}", Tensor(*key)) for place, key in enumerate(inputs)
        ]
        self.calls: list[ir.RelayExpr] = []

    def function(self, result: ir.RelayExpr) -> relay.Function:
        return self.builder.make_func(result)

    def step(self) -> None:
        """Add a binding, or a few that belong together."""
        makers: list[Callable[[], ir.RelayExpr]] = [
            self.unary, self.unary, self.binary, self.binary, self.number, self.number,
            self.reduced, self.row, self.layout, self.layout, self.product, self.parts,
            self.choice, self.conversion, self.again, self.branch,
        ]  # fmt: skip
        value = self.draw.choice(makers)()
        if isinstance(value.checked_type, TensorType):
            self.values.append(value)

    def one(self, shape: Shape, dtype: str) -> ir.RelayExpr:
        """Return a value of a shape: one that is there, or a parameter that is broadcast."""
        found = [value for value in self.values if key_of(value) == (shape, dtype)]
        return self.draw.choice(found)

    def any(self, dtype: str = "float64", rank: int = 0) -> ir.RelayExpr:
        """Return a value of a data type with at least so many dimensions."""
        keys = [(value, *key_of(value)) for value in self.values]
        return self.draw.choice([v for v, shape, t in keys if t == dtype and len(shape) >= rank])

    def emit(self, value: ir.RelayExpr) -> ir.RelayExpr:
        self.calls.append(value)
        return self.builder.emit(value)

    def number_type(self) -> str:
        has_integers = any(key_of(value)[1] == "int32" for value in self.values)
        if self.smooth or not has_integers:
            return "float64"
        return self.draw.choice(["float64", "float64", "int32"])

    def unary(self) -> ir.RelayExpr:
        name = self.draw.choice(SMOOTH if self.smooth else SMOOTH + ROUGH)
        call: ir.RelayExpr = getattr(relay, name)(self.any())
        return self.emit(call)

    def binary(self) -> ir.RelayExpr:
        dtype = self.number_type()
        x = self.any(dtype)
        near = [
            v for v in self.values if key_of(v)[1] == dtype and joins(key_of(v)[0], key_of(x)[0])
        ]
        names = ["add", "subtract", "multiply", "maximum", "minimum"]
        call: ir.RelayExpr = getattr(relay, self.draw.choice(names))(x, self.draw.choice(near))
        return self.emit(call)

    def number(self) -> ir.RelayExpr:
        """Return a sum or product with a constant that a rule may look for."""
        value = self.draw.choice([0, 1, 1, 2, -1])
        name = self.draw.choice(["add", "subtract", "multiply", "divide"])
        value = 1 if name == "divide" else value
        call: ir.RelayExpr = getattr(relay, name)(self.any(self.number_type()), value)
        return self.emit(call)

    def reduced(self) -> ir.RelayExpr:
        x = self.any(rank=1)
        name = self.draw.choice(["sum", "mean", "max", "min"])
        axis = self.draw.choice([None, [-1], [0]])
        call: ir.RelayExpr = getattr(relay, name)(x, axis, keepdims=self.draw.random() < 0.5)
        return self.emit(call)

    def row(self) -> ir.RelayExpr:
        x = self.any(rank=1)
        name = self.draw.choice(["softmax", "log_softmax", "layer_norm", "rms_norm"])
        call: ir.RelayExpr = getattr(relay, name)(x)
        return self.emit(call)

    def layout(self) -> ir.RelayExpr:
        x = self.any(self.number_type(), rank=1)
        shape, _ = key_of(x)
        makers: list[Callable[[], ir.RelayExpr]] = [
            lambda: relay.transpose(x),
            lambda: relay.reshape(x, shape=[-1]),
            lambda: relay.reshape(x, shape=list(shape)),
            lambda: relay.expand_dims(x, axes=[0]),
            lambda: relay.squeeze(x),
            lambda: (
                relay.broadcast_to(x, shape=[2, *shape]) if len(shape) < 3 else relay.transpose(x)
            ),
            lambda: relay.strided_slice(x, begin=[0], end=[shape[0]], axes=[0]),
        ]
        if all(shape):
            makers.append(
                lambda: relay.strided_slice(x, begin=[-1], end=[-99], axes=[0], strides=[-1])
            )
        return self.emit(self.draw.choice(makers)())

    def product(self) -> ir.RelayExpr:
        x = self.any(rank=2)
        order = list(range(len(key_of(x)[0])))
        order[-1], order[-2] = order[-2], order[-1]
        return self.emit(relay.matmul(x, self.emit(relay.transpose(x, order))))

    def parts(self) -> ir.RelayExpr:
        """Return a part of a tuple, or tensors in a row."""
        x = self.any(self.number_type(), rank=1)
        if self.draw.random() < 0.4:
            return self.emit(relay.concatenate([x] * self.draw.randint(1, 2), 0))
        if self.draw.random() < 0.4:
            pair = self.emit(relay.Tuple([x, self.any()]))
            return self.emit(relay.TupleGetItem(pair, self.draw.randint(0, 1)))
        count = self.draw.choice([n for n in (1, 2, 3) if key_of(x)[0][0] % n == 0])
        whole = self.emit(relay.split(x, sections=count))
        return self.emit(relay.TupleGetItem(whole, self.draw.randrange(count)))

    def choice(self) -> ir.RelayExpr:
        x = self.any()
        if self.smooth or self.draw.random() < 0.3:
            condition: ir.RelayExpr = relay.const(self.draw.random() < 0.5, "bool")
        else:
            condition = self.emit(relay.less(x, self.draw.choice([0, 1])))
        if self.draw.random() < 0.3:
            condition = self.emit(relay.logical_not(condition))
        return self.emit(relay.where(condition, x, self.emit(relay.negative(x))))

    def conversion(self) -> ir.RelayExpr:
        x = self.any(self.number_type())
        wide = self.emit(relay.cast(x, dtype=self.draw.choice(["int64", "float64"])))
        if self.smooth or key_of(x)[1] == "float64":
            return self.emit(relay.cast(x, dtype="float64"))
        return self.emit(relay.cast(wide, dtype=key_of(x)[1]))

    def again(self) -> ir.RelayExpr:
        """Return the value of an expression that is bound already."""
        calls = [call for call in self.calls if isinstance(call, relay.Call)]
        if not calls:
            return self.unary()
        call = self.draw.choice(calls)
        return self.builder.emit(relay.Call(call.op, call.args, call.attrs))

    def branch(self) -> ir.RelayExpr:
        x = self.any()
        flag: ir.RelayExpr = relay.const(self.draw.random() < 0.5, "bool")
        if not self.smooth and self.draw.random() < 0.7:
            flag = self.emit(relay.less(self.emit(relay.sum(x)), 0))

        def block() -> relay.Block:
            inner = relay.builder()
            last = x
            for _ in range(self.draw.randint(0, 3)):
                last = inner.emit(getattr(relay, self.draw.choice(SMOOTH))(last))
            return inner.make_block(last)

        return self.emit(relay.If(flag, block(), block()))


def key_of(value: ir.RelayExpr) -> tuple[Shape, str]:
    """Return the shape and the data type of a value; those of no tensor for a tuple."""
    found = value.checked_type
    if isinstance(found, TupleType):
        return (), ""
    assert isinstance(found, TensorType)
    return tuple(int(dim) for dim in found.shape), str(found.dtype)


def joins(one: Shape, other: Shape) -> bool:
    """Tell whether two shapes broadcast."""
    pairs = zip(reversed(one), reversed(other), strict=False)
    return all(a == b or 1 in (a, b) for a, b in pairs)
