"""Random functions of relay, and arguments for them.

A program is a function `main` of parameters of several shapes and data types, and private functions
that it and its branches call. Its bindings have operators of every kind, constants that rules look
for, tuples, branches, loops, values that are computed twice and values that are not used. The first
dimension is constant, or symbolic: then two variables stand for it, which are equal in calls.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import NamedTuple

import numpy as np

from uir import ir, relay, tir
from uir.ir import TensorType, TupleType
from uir.relay import Tensor
from uir.transform import InferType

Shape = tuple[int | str, ...]
"""Dimensions: a number, or the text of an expression."""
Key = tuple[Shape, str]

SMOOTH = ["tanh", "sin", "sigmoid", "negative", "silu", "gelu", "relu", "leaky_relu"]
INPUTS: list[Key] = [
    (("n", 3), "float64"),
    ((3,), "float64"),
    (("n", 3), "int32"),
    (("m", 3), "float64"),
]
ROUGH = ["floor", "ceil", "round", "sign", "abs", "relu"]
CONSTANT_ROWS, ROWS = 2, [6, 12]
"""What the first dimension is: in programs of constant shapes, and in turns in others."""


class Program(NamedTuple):
    """A module, and arguments of its function `main`, for each size."""

    module: ir.IRModule
    arguments: list[list[np.ndarray]]


def random_program(draw: Random, *, length: int = 16, smooth: bool = False) -> Program:
    """Return a random program; a smooth one changes little if its values change little."""
    is_symbolic = draw.random() < 0.5
    functions: dict[ir.GlobalVar, relay.Function] = {}
    for name in ("inner", "helper"):
        writer = Writer(draw, smooth, INPUTS[:2], is_symbolic, list(functions))
        for _ in range(3):
            writer.step()
        functions[ir.GlobalVar(name)] = writer.function(writer.one(writer.inputs[0]))
    main = Writer(draw, smooth, INPUTS, is_symbolic, list(functions))
    main.called()
    for _ in range(length):
        main.step()
    result = relay.Tuple([main.late(main.values) for _ in range(2)])
    attrs = ir.DictAttrs({"global_symbol": "main"})
    functions[ir.GlobalVar("main")] = main.function(main.emit(result), attrs)
    sizes = ROWS if is_symbolic else [CONSTANT_ROWS]
    arguments = [[elements(draw, *key, size) for key in INPUTS] for size in sizes]
    return Program(InferType()(ir.IRModule(functions)), arguments)


def elements(draw: Random, shape: Shape, dtype: str, size: int) -> np.ndarray:
    """Return random elements."""
    random = np.random.default_rng(draw.randrange(2**32))
    extents = [dim if isinstance(dim, int) else size for dim in shape]
    if dtype == "int32":
        return random.integers(-9, 9, extents, dtype)
    return random.normal(size=extents).astype(dtype)


class Writer:
    """Writes one function, one branch or the body of a loop, binding by binding."""

    def __init__(
        self,
        draw: Random,
        smooth: bool,
        inputs: Sequence[Key],
        is_symbolic: bool,
        callees: list[ir.GlobalVar],
    ) -> None:
        self.draw, self.smooth, self.callees = draw, smooth, callees
        # A callee may be called with any extent, so that it assumes nothing.
        self.may_split = len(inputs) == len(INPUTS)
        rows = {name: tir.SizeVar(name) if is_symbolic else CONSTANT_ROWS for name in "nm"}
        types = [Tensor([rows.get(str(dim), dim) for dim in shape], t) for shape, t in inputs]
        self.params = [relay.Var(f"p{place}", type_) for place, type_ in enumerate(types)]
        self.values: list[ir.RelayExpr] = list(self.params)
        self.inputs = [key_of(param) for param in self.params]
        self.calls: list[ir.RelayExpr] = []
        self.bindings: list[relay.Binding] = []

    def function(self, result: ir.RelayExpr, attrs: ir.DictAttrs | None = None) -> relay.Function:
        # The private functions that this one calls have no type yet.
        type_ = result.checked_type
        return relay.Function(self.params, relay.Block(self.bindings, result), type_, attrs)

    def branch_of(self) -> Writer:
        """Return a writer of a branch or a body, which sees the values so far."""
        inner = Writer(self.draw, self.smooth, [], False, self.callees)
        inner.values, inner.calls = list(self.values), list(self.calls)
        inner.inputs, inner.may_split = self.inputs, self.may_split
        return inner

    def step(self) -> None:
        """Add a binding, or a few that belong together."""
        makers: list[Callable[[], ir.RelayExpr]] = [
            self.unary, self.unary, self.binary, self.binary, self.number, self.number,
            self.reduced, self.row, self.layout, self.layout, self.product, self.parts,
            self.choice, self.conversion, self.again, self.branch, self.loop, self.called,
            self.selected,
        ]  # fmt: skip
        value = self.draw.choice(makers)()
        if isinstance(value.checked_type, TensorType):
            self.values.append(value)

    def one(self, key: Key) -> ir.RelayExpr:
        """Return a value of a shape and a data type."""
        return self.late([value for value in self.values if key_of(value) == key])

    def late(self, values: list[ir.RelayExpr]) -> ir.RelayExpr:
        """Return one of some values, rather a later one, which depends on others."""
        return values[max(self.draw.randrange(len(values)) for _ in range(2))]

    def any(self, dtype: str = "float64", rank: int = 0) -> ir.RelayExpr:
        """Return a value of a data type with at least so many dimensions."""
        keys = [(value, *key_of(value)) for value in self.values]
        return self.late([v for v, shape, t in keys if t == dtype and len(shape) >= rank])

    def emit(self, value: ir.RelayExpr) -> ir.RelayExpr:
        self.calls.append(value)
        return self.bind(value, value.checked_type)

    def bind(self, value: ir.RelayExpr, type_: ir.Type | None) -> ir.RelayExpr:
        """Bind a value; the type of a call of a function is not known yet."""
        self.bindings.append(relay.Binding(relay.Var(f"v{len(self.bindings)}", type_), value))
        return self.bindings[-1].var

    def called(self) -> ir.RelayExpr:
        """Return the value of a private function, whose rows are symbolic if it has any."""
        fits = [v for v in self.values if key_of(v) == self.inputs[0] or has_symbolic_rows(v)]
        if not self.callees or not fits:
            return self.unary()
        x, scale = self.draw.choice(fits), self.one(INPUTS[1])
        return self.bind(relay.Call(self.draw.choice(self.callees), [x, scale]), x.checked_type)

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
        assert isinstance(x.checked_type, TensorType)
        shape, (rows, *_) = list(x.checked_type.shape), key_of(x)[0]
        end = rows if isinstance(rows, int) else 2**40
        makers: list[Callable[[], ir.RelayExpr]] = [
            lambda: relay.transpose(x),
            lambda: relay.reshape(x, shape=[-1]),
            lambda: relay.reshape(x, shape=shape),
            lambda: relay.expand_dims(x, axes=[0]),
            lambda: relay.squeeze(x),
            lambda: (
                relay.broadcast_to(x, shape=[2, *shape]) if len(shape) < 3 else relay.transpose(x)
            ),
            lambda: relay.strided_slice(x, begin=[0], end=[end], axes=[0]),
        ]
        if 0 not in key_of(x)[0] and isinstance(rows, int):
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
        count = self.draw.choice([n for n in (1, 2, 3) if self.divides(n, key_of(x)[0][0])])
        whole = self.emit(relay.split(x, sections=count))
        return self.emit(relay.TupleGetItem(whole, self.draw.randrange(count)))

    def divides(self, count: int, rows: int | str) -> bool:
        """Tell whether rows can be split, if need be by an assumption that calls keep."""
        if isinstance(rows, int):
            return rows % count == 0
        return count == 1 or (self.may_split and rows in ("n", "m"))

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
        return self.emit(relay.Call(call.op, call.args, call.attrs))

    def selected(self) -> ir.RelayExpr:
        """Return a value plus a sum over those of its elements that are large, whose number a call
        binds."""
        if self.smooth:
            return self.unary()
        x = self.any(rank=1)
        flags = self.emit(relay.greater(x, self.draw.choice([0, 1, 9])))
        both = self.emit(relay.nonzero(flags))
        places, count = (self.emit(relay.TupleGetItem(both, field)) for field in range(2))
        rows = relay.first_rows(places, count, size=tir.SizeVar(f"found{len(self.bindings)}"))
        # No other call binds the size.
        found = self.emit(relay.gather_nd(x, self.bind(rows, rows.checked_type)))
        changed = self.emit(getattr(relay, self.draw.choice(SMOOTH))(found))
        joined = self.emit(relay.concatenate([changed, found], 0))
        return self.emit(relay.add(x, self.emit(relay.sum(joined))))

    def branch(self) -> ir.RelayExpr:
        x = self.any()
        flag: ir.RelayExpr = relay.const(self.draw.random() < 0.5, "bool")
        if not self.smooth and self.draw.random() < 0.7:
            flag = self.emit(relay.less(self.emit(relay.sum(x)), 0))

        def block() -> relay.Block:
            inner = self.branch_of()
            for _ in range(self.draw.randint(0, 3)):
                inner.step()
            return relay.Block(inner.bindings, inner.one(key_of(x)))

        return self.emit(relay.If(flag, block(), block()))

    def loop(self) -> ir.RelayExpr:
        """Return a value after at most two steps of a loop, which its elements may end."""
        x = self.any()
        first = self.emit(relay.const(self.draw.randint(0, 2), "int64"))
        counter, state = relay.Var("i", first.checked_type), relay.Var("s", x.checked_type)
        inner = self.branch_of()
        inner.values += [state, state]
        for _ in range(self.draw.randint(1, 3)):
            inner.step()
        after = inner.one(key_of(x))
        left = inner.emit(relay.subtract(counter, relay.const(1, "int64")))
        goes_on = inner.emit(relay.greater(left, relay.const(0, "int64")))
        if not self.smooth and self.draw.random() < 0.5:
            is_small = inner.emit(relay.less(inner.emit(relay.sum(after)), 9))
            goes_on = inner.emit(relay.logical_and(goes_on, is_small))
        body = relay.Block(inner.bindings, relay.Tuple([goes_on, left, after]))
        runs = self.emit(relay.greater(first, relay.const(0, "int64")))
        whole = self.emit(relay.While([counter, state], runs, [first, x], body))
        return self.emit(relay.TupleGetItem(whole, 1))


def key_of(value: ir.RelayExpr) -> Key:
    """Return the shape and the data type of a value; those of no tensor for a tuple."""
    found = value.checked_type
    if isinstance(found, TupleType):
        return (), ""
    assert isinstance(found, TensorType)
    dims = [dim.value if isinstance(dim, ir.IntImm) else str(dim) for dim in found.shape]
    return tuple(dims), str(found.dtype)


def has_symbolic_rows(value: ir.RelayExpr) -> bool:
    """Tell whether a value has the shape of a parameter, with any symbolic number of rows."""
    shape, dtype = key_of(value)
    return dtype == "float64" and len(shape) == 2 and isinstance(shape[0], str) and shape[1] == 3


def joins(one: Shape, other: Shape) -> bool:
    """Tell whether two shapes broadcast, if need be by an assumption that calls keep."""
    pairs = zip(reversed(one), reversed(other), strict=False)
    return all(a == b or 1 in (a, b) or {a, b} == {"n", "m"} for a, b in pairs)
