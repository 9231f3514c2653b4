"""Random graphs of all operators of relay, with arguments and the values of their references.

`random_graph(seed)` is the same graph for the same seed.  An operator needs no rule here: its
declaration and `tests/operators/draws.py` say which shapes and attributes it takes, and
`tests/operators/domain.py` on which values its result is defined.  A graph has up to 12 calls,
whose operands are values of the graph where one fits and new parameters or constants else; several
results; and dimensions that are constant, or symbolic with two sizes each.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from uir import ir, relay, tir
from uir.ir import RelayExpr, TensorType, TupleType
from uir.relay.dimensions import Dimensions
from uir.runtime import numpy_dtype

from ..operators.declarations import Operand, Operator, Parameter, operators
from ..operators.domain import INDICES, REPAIRED, is_defined
from ..operators.draws import DTYPES, Shape, ShapeRandom, draw_shapes, variations
from .calls import Refusal, further_arguments, result_of
from .evaluation import Undefined, run_call
from .values import VIEWS, array_of, is_float

__all__ = ["OPERATORS", "Graph", "NoCall", "Value", "random_graph"]

Array = np.ndarray[Any, Any]

OPERATORS = operators()
SIZES = {"n": 6, "m": 11}
"""What symbolic dimensions are in the first call; no constant dimension is as long."""
OTHER_SIZES = (0, 1, 1, 2, 5, 13, 33)
CONSTANT_SIZES = (1, 1, 2, 2, 3, 3, 4, 5, 7)
RARE_SIZES = (0, 16, 17, 33)
LONG_SIZES = (15, 16, 17, 31, 33, 64, 65, 97)
"""Dimensions of some graphs, for loops in blocks and in parts that do not fill a block."""
LARGEST, LARGEST_OF_LONG = 8192, 1 << 16
"""How many elements a value may have; in graphs of long dimensions too."""
ATTEMPTS = 60
QUOTIENTS = ["divide", "floor_divide", "mod"]
WINDOWS = [
    "avg_pool", "conv", "conv_transpose", "integer_conv", "max_pool", "max_pool_with_indices",
    "pad", "resize", "strided_slice",
]  # fmt: skip
"""Operators that some symbolic sizes leave no place, or no elements."""


class Value(NamedTuple):
    """A tensor of a graph: its expression, and its elements in each call."""

    expr: RelayExpr
    arrays: list[Array]


class Graph(NamedTuple):
    """A function of relay, and for each call of it its arguments and results."""

    seed: int
    function: relay.Function
    names: list[str]
    """The operators that it calls."""
    arguments: list[list[Array]]
    expected: list[list[Array] | Refusal]
    """What the references give; refusals in further calls alone."""
    views: list[str]
    """How each argument lies in memory."""

    @property
    def symbol(self) -> str:
        """The name of the function in a library."""
        return f"graph{self.seed}"


class NoCall(Exception):
    """No call could be made of what was drawn."""


def random_graph(seed: int, names: list[str] | None = None, length: int | None = None) -> Graph:
    """Return a random graph.

    Parameters
    ----------
    seed
        What the graph follows from.
    names
        The operators to choose from; None for all.
    length
        How many calls it has; None for a random number, 1 to 12.

    Returns
    -------
    graph
        The graph.

    Raises
    ------
    NoCall
        If no operator of `names` took what was drawn.
    """
    writer = GraphWriter(f"graph {seed}", names or list(OPERATORS))
    for _ in range(length or writer.choice((1, 2, 3, 3, 4, 4, 5, 6, 8, 10, 12))):
        writer.step()
    if names is None and seed % 8 == 5:
        writer.end_with_refusals()
    return with_further_calls(writer.graph(seed))


def with_further_calls(graph: Graph) -> Graph:
    """Return a graph with two more calls, for other sizes and numbers, where there are any."""
    seed = f"calls of graph {graph.seed}"
    more = further_arguments(graph.function, graph.arguments[0], seed)
    results = [result_of(graph.function, one) for one in more]
    return graph._replace(arguments=[*graph.arguments, *more], expected=[*graph.expected, *results])


class GraphWriter(ShapeRandom):
    """Writes one graph, call by call; as random numbers, it draws the shapes of its values."""

    def __init__(self, seed: str, names: list[str]) -> None:
        super().__init__(seed)
        self.names = names
        self.numpy = np.random.default_rng(self.randrange(2**62))
        self.variables = {name: tir.SizeVar(name, "int64") for name in SIZES}
        self.is_symbolic, self.all_constant = self.random() < 0.35, self.random() < 0.08
        self.is_long = self.random() < 0.12
        self.has_integers = False
        """Whether what may be an integer is one."""
        sizes = [SIZES]
        if self.is_symbolic:
            sizes.append({name: self.choice(OTHER_SIZES) for name in SIZES})
        self.dimensions = [self._bound(one) for one in sizes]
        # The expression of each length that only symbolic dimensions have.
        self.lengths: dict[int, Any] = {SIZES[name]: one for name, one in self.variables.items()}
        self.params: list[Value] = []
        self.values: list[Value] = []
        self.bindings: list[relay.Binding] = []
        self.used: set[RelayExpr] = set()
        self.called: list[str] = []
        self.focus: Value | None = None
        """The value that the next call is to use, until a shape was drawn."""

    def _bound(self, sizes: dict[str, int]) -> Dimensions:
        dimensions = Dimensions()
        for name, size in sizes.items():
            dimensions.match([size], [self.variables[name]], f"`{name}`")
        return dimensions

    def looked_at(self) -> Value | None:
        """Return the value that the next call is to use, a floating-point one rather."""
        if not self.values or self.random() < 0.1:
            return None
        floats = [one for one in self.values if is_float(one.arrays[0].dtype)]
        found: Value = self.late(floats if floats and self.random() < 0.5 else self.values)
        return found

    def taking(self, focus: Value | None) -> list[str]:
        """Return the operators whose first operand may have the data type of a value."""
        if focus is None:
            return self.names
        dtype = key_of(focus)[1]
        fits = [name for name in self.names if dtype in accepted(OPERATORS[name])]
        return fits or self.names

    def shape(self, rank: int | None, least: int) -> Shape:
        """Return the shape of a value of the graph, a later one rather, or another one."""
        if self.focus is not None and rank in (None, len(shape_of(self.focus))):
            focus, self.focus = self.focus, None
            return shape_of(focus)
        known = [shape_of(one) for one in self.values]
        fits = [shape for shape in known if rank is None or len(shape) == rank]
        if fits and self.random() < 0.85:
            return self.late(fits)
        count = self.choice((0, 1, 1, 2, 2, 2, 3, 3, 4)) if rank is None else rank
        if self.is_long:
            count = min(count, 3) if rank is None else rank
        return tuple(self.dimension() for _ in range(count))

    def dimension(self) -> int:
        """Draw the length of a dimension."""
        if self.is_symbolic and self.random() < 0.4:
            return SIZES[self.choice(("n", "n", "m"))]
        if self.is_long and self.random() < 0.6:
            return self.choice(LONG_SIZES)
        return self.choice(RARE_SIZES if self.random() < 0.08 else CONSTANT_SIZES)

    def late(self, choices: list[Any]) -> Any:
        """Return one of some, rather a later one, which depends on others."""
        return choices[max(self.randrange(len(choices)) for _ in range(2))]

    def step(self) -> None:
        """Add a call of an operator."""
        refused: list[str] = []
        for _ in range(ATTEMPTS):
            kept = len(self.params)
            self.focus = self.looked_at()
            name = self.choice(self.taking(self.focus))
            try:
                self.call(OPERATORS[name])
                return
            except (NoCall, Undefined) as error:
                refused.append(f"{name}: {error}")
                del self.params[kept:]
        raise NoCall("; ".join(refused[-3:]))

    def end_with_refusals(self) -> None:
        """Add a call that refuses some sizes, or some divisors."""
        self.names = WINDOWS if self.is_symbolic else QUOTIENTS
        self.has_integers = not self.is_symbolic
        self.step()

    def call(self, operator: Operator) -> None:
        """Add a call of one operator, on operands that fit."""
        try:
            shapes, attributes = draw_shapes(operator, self)
        except (ValueError, IndexError) as error:
            # A dimension is 0, where what is drawn must be at least 1.
            raise NoCall(str(error)) from error
        attributes = {**attributes, **variations(operator, self)}
        operands = Operands(self, operator, shapes, attributes).made()
        given = {
            one.name: self.attribute(one, attributes[one.name])
            for one in operator.attributes
            if one.name in attributes
        }
        exprs = {
            info.name: [one.expr for one in value] if isinstance(value, list) else value.expr
            for info, value in zip(operator.operands, operands, strict=True)
            if value is not None
        }
        try:
            made: relay.Call = getattr(relay, operator.name)(**exprs, **given)
        except (TypeError, ValueError) as error:
            raise NoCall(str(error)) from error
        self.emit(operator.name, made, flat(operands))

    def emit(self, name: str, call: relay.Call, operands: list[Value]) -> None:
        """Bind a call, and each part of its result."""
        known = {one.expr: place for place, one in enumerate(operands)}

        def lookup(size: int, expr: RelayExpr) -> Array:
            return operands[known[expr]].arrays[size]

        results = [
            run_call(call, partial(lookup, size), dimensions)
            for size, dimensions in enumerate(self.dimensions)
        ]
        largest = LARGEST_OF_LONG if self.is_long else LARGEST
        if any(one.size > largest for one in flat(list(results))):
            raise NoCall("a result is too large")
        self.used.update(one.expr for one in operands)
        self.called.append(name)
        var = self.bind(call)
        if not isinstance(call.checked_type, TupleType):
            self.add(Value(var, results))
            return
        for place in range(len(call.checked_type.fields)):
            part = self.bind(relay.TupleGetItem(var, place))
            self.add(Value(part, [one[place] for one in results]))

    def bind(self, value: RelayExpr) -> relay.Var:
        """Bind an expression to a new variable."""
        var = relay.Var(f"v{len(self.bindings)}", value.checked_type)
        self.bindings.append(relay.Binding(var, value))
        return var

    def add(self, value: Value) -> Value:
        """Note a value, and the lengths that symbolic dimensions give it."""
        self.values.append(value)
        type_ = value.expr.checked_type
        assert isinstance(type_, TensorType)
        for length, dimension in zip(shape_of(value), type_.shape, strict=True):
            if isinstance(dimension, ir.IntImm):
                if self.lengths.get(length) not in self.variables.values():
                    self.lengths.pop(length, None)
            elif length > 7:
                self.lengths.setdefault(length, dimension)
        return value

    def attribute(self, parameter: Parameter, value: Any) -> Any:
        """Return an attribute with symbolic dimensions in the place of their lengths."""
        if not self.is_symbolic or "uir.ir.PrimExpr" not in str(parameter.type):
            return value
        if isinstance(value, list):
            return [self.lengths.get(one, one) for one in value]
        return self.lengths.get(value, value)

    def fresh(self, shape: Shape, dtype: str, fill: Callable[[Shape], Array]) -> Value:
        """Return a new parameter or constant; it counts when `emit` used it."""
        dims = [self.lengths.get(length, length) for length in shape] if self.is_symbolic else shape
        exact = [tuple(one.value(dim) for dim in dims) for one in self.dimensions]
        if any(np.prod(one) > LARGEST_OF_LONG for one in exact):
            raise NoCall("an operand is too large")
        arrays = [np.asarray(fill(one), numpy_dtype(dtype)) for one in exact]
        is_constant = self.all_constant or self.random() < 0.2
        if is_constant and all(isinstance(dim, int) for dim in dims):
            return Value(relay.const(arrays[0]), [arrays[0]] * len(arrays))
        value = Value(relay.Var(f"p{len(self.params)}", relay.Tensor(dims, dtype)), arrays)
        self.params.append(value)
        return value

    def graph(self, seed: int) -> Graph:
        """Return the graph, whose results are what no call uses, and one of the others."""
        results = [one for one in self.values if one.expr not in self.used][-5:]
        others = [one for one in self.values if one not in results]
        if others and self.random() < 0.3:
            results.append(self.choice(others))
        result = relay.Tuple([one.expr for one in results])
        if len(results) == 1:
            result = results[0].expr
        params = self._bound_params()
        attrs = ir.DictAttrs({"global_symbol": f"graph{seed}"})
        block = relay.Block(self.bindings, result)
        function = relay.Function([one.expr for one in params], block, None, attrs)
        count = range(len(self.dimensions))
        return Graph(
            seed,
            function,
            self.called,
            [[one.arrays[size] for one in params] for size in count],
            [[one.arrays[size] for one in results] for size in count],
            [self.choice(("compact", "compact", *VIEWS)) for _ in params],
        )

    def _bound_params(self) -> list[Value]:
        """Return the parameters, with one for each symbolic dimension that no other binds."""
        params = [one for one in self.params if one.expr in self.used]
        if self.is_symbolic:
            for variable in self.variables.values():
                arrays = [np.zeros(one.value(variable), "int8") for one in self.dimensions]
                var = relay.Var(f"size_{variable.name}", relay.Tensor([variable], "int8"))
                params.append(Value(var, arrays))
        return params


class Operands:
    """Chooses the operands of one call."""

    def __init__(
        self, writer: GraphWriter, operator: Operator, shapes: list[Any], attributes: Any
    ) -> None:
        self.writer, self.operator = writer, operator
        self.shapes, self.attributes = shapes, attributes
        self.dtypes: dict[str, str] = {}
        self.fresh: set[RelayExpr] = set()

    def made(self) -> list[Any]:
        """Return values for the operands: None for an absent one, a list for a variadic one."""
        operands: list[Any] = []
        for info, shape in zip(self.operator.operands, self.shapes, strict=True):
            if shape is None:
                operands.append(None)
            elif isinstance(shape, list):
                operands.append([self.operand(info, one) for one in shape])
            elif info.name == "indices":
                operands.append(self.indices(info, shape, operands))
            else:
                operands.append(self.operand(info, shape))
        for size in range(len(self.writer.dimensions)):
            self.define(operands, size)
        return operands

    def operand(self, info: Any, shape: Shape) -> Value:
        writer = self.writer
        dtype = self.dtype(info, shape)
        fits = [one for one in writer.values if key_of(one) == (shape, dtype)]
        if fits and writer.random() < 0.9:
            chosen: Value = writer.late(fits)
            return chosen
        value = writer.fresh(shape, dtype, lambda exact: array_of(writer.numpy, exact, dtype))
        self.fresh.add(value.expr)
        return value

    def dtype(self, info: Any, shape: Shape) -> str:
        """Return the data type of an operand, that of a value of this shape rather."""
        if info.variable in self.dtypes:
            return self.dtypes[info.variable]
        accepted = data_types(info)
        # What no declaration says: a mask is `bool`, or of the data type of the query.
        if info.name == "mask":
            accepted = ["bool", self.dtypes["T"]]
        integers = [dtype for dtype in accepted if "int" in dtype]
        if self.writer.has_integers and integers:
            accepted = integers
        known = [dtype for one in self.writer.values for at, dtype in [key_of(one)] if at == shape]
        fits = [dtype for dtype in known if dtype in accepted]
        common = [dtype for dtype in ("float32", "float32", "int32", "bool") if dtype in accepted]
        if fits and self.writer.random() < 0.85:
            chosen: str = self.writer.late(fits)
        else:
            chosen = self.writer.choice(
                common if common and self.writer.random() < 0.4 else accepted
            )
        if info.variable:
            self.dtypes[info.variable] = chosen
        return chosen

    def indices(self, info: Any, shape: Shape, operands: list[Any]) -> Value:
        """Return indices that fit the tensor before them, at each size."""
        dtype = self.dtype(info, ())
        make = INDICES[self.operator.name]
        sources = iter(operands[0].arrays)

        def fill(exact: Shape) -> Array:
            try:
                return make(self.writer.numpy, [next(sources).shape, exact], self.attributes)
            except ValueError as error:
                raise NoCall(str(error)) from error

        return self.writer.fresh(shape, dtype, fill)

    def define(self, operands: list[Any], size: int) -> None:
        """Change the values of new operands, at one size, until the result is defined."""
        name = self.operator.name
        arrays = [one.arrays[size] if isinstance(one, Value) else one for one in operands]
        try:
            defined = is_defined(name, arrays)
        except ValueError as error:
            raise NoCall(str(error)) from error
        place = REPAIRED.get(name, 0)
        repaired = operands[place] if operands else None
        if np.all(defined):
            # Passes refuse a constant of which no element would be defined, also beside none.
            alone = repaired is not None and name in REPAIRED and not np.size(defined)
            if alone and not np.all(is_defined(name, [arrays[place]] * 2)):
                raise NoCall("the result would not be defined")
            return
        is_free = isinstance(repaired.expr, relay.Var) and repaired.expr in self.fresh
        if not is_free or repaired.arrays[size].shape != np.shape(defined):
            raise NoCall("the result is not defined")
        repaired.arrays[size][~defined] = 1


def data_types(operand: Operand) -> list[str]:
    """Return the data types that an operand may have."""
    more = ["bfloat16"] if operand.accepted in ("float", "number", "any") else []
    return [*DTYPES.get(operand.accepted, [operand.accepted]), *more]


def accepted(operator: Operator) -> list[str]:
    """Return the data types that the first operand of an operator may have."""
    return data_types(operator.operands[0]) if operator.operands else []


def flat(operands: list[Any]) -> list[Any]:
    """Return what is there of operands or results, in order."""
    listed = [one for each in operands for one in (each if type(each) in (list, tuple) else [each])]
    return [one for one in listed if one is not None]


def shape_of(value: Value) -> Shape:
    """Return the shape of a value in the first call."""
    return value.arrays[0].shape


def key_of(value: Value) -> tuple[Shape, str]:
    """Return the shape of a value in the first call, and its data type."""
    return shape_of(value), str(value.arrays[0].dtype)
