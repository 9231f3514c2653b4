"""Every rule of SimplifyExpr: it fires, and keeps values, shapes and data types."""

from __future__ import annotations

import ast
from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple

import numpy as np
import pytest

import uir
from uir import ir, relay
from uir.relay import Tensor
from uir.transform import InferType, Sequential, SimplifyExpr, ToANormalForm, _ffi_api


class Rule(NamedTuple):
    """The texts of a rule."""

    domain: str
    pattern: str
    result: str
    condition: str


RULES = [Rule(*(str(text) for text in rule)) for rule in _ffi_api.relay_rewrite_rules()]
MAIN = ir.GlobalVar("main")
FLOATS = [0.0, 0.0, -0.0, -0.0, 1.0, -1.5, 2.5, 7e4, float("inf"), float("-inf"), float("nan")]
SIGNED, UNSIGNED = ["int8", "int16", "int32", "int64"], ["uint8", "uint16", "uint32", "uint64"]
REAL = ["float16", "float32", "float64"]
DTYPES = {
    "float": REAL,
    "int": SIGNED + UNSIGNED,
    "signed": REAL + SIGNED,
    "unsigned": UNSIGNED,
    "number": REAL + SIGNED + UNSIGNED,
    "bool": ["bool"],
    "any": [*REAL, *SIGNED, *UNSIGNED, "bool"],
}
SIGNS = {
    ast.Add: "add",
    ast.Sub: "subtract",
    ast.Mult: "multiply",
    ast.Div: "divide",
    ast.Eq: "equal",
    ast.NotEq: "not_equal",
    ast.Lt: "less",
    ast.LtE: "less_equal",
    ast.And: "logical_and",
    ast.Or: "logical_or",
    ast.USub: "negative",
    ast.Not: "logical_not",
}


def elements(draw: Random, shape: tuple[int, ...], dtype: str) -> np.ndarray:
    """Return random elements, with the borders of the data type among them."""
    count = int(np.prod(shape))
    if dtype == "bool":
        values: list[Any] = [draw.random() < 0.5 for _ in range(count)]
    elif dtype.startswith("float"):
        values = [draw.choice(FLOATS) for _ in range(count)]
    else:
        info = np.iinfo(dtype)
        small = [number for number in (-2, -1, 0, 1, 2, 3) if number >= info.min]
        values = [draw.choice([*small, info.min, info.max]) for _ in range(count)]
    with np.errstate(over="ignore"):
        return np.array(values, dtype).reshape(shape)


def shape_of(call: ir.RelayExpr) -> tuple[int, ...]:
    return tuple(int(dim) for dim in call.checked_type.shape)


def factors(draw: Random, count: int) -> list[int]:
    """Return a shape of so many elements."""
    shape = []
    while count > 1 and draw.random() < 0.7:
        factor = draw.choice([n for n in range(1, count + 1) if count % n == 0])
        shape.append(factor)
        count //= factor
    return [*shape, count] if count > 1 or draw.random() < 0.5 else shape


def permutation(draw: Random, shape: tuple[int, ...]) -> Any:
    axes = list(range(len(shape)))
    if draw.random() < 0.5:
        draw.shuffle(axes)
    return draw.choice([axes, axes, [axis - len(axes) for axis in axes], None])


def sliced(draw: Random, shape: tuple[int, ...]) -> dict[str, Any]:
    if draw.random() < 0.3:
        return {
            "begin": [-1 for _ in shape],
            "end": [-9 for _ in shape],
            "strides": [-1] * len(shape),
        }
    if draw.random() < 0.3:
        return {"begin": [0 for _ in shape], "end": [max(dim - 1, 1) for dim in shape]}
    return {"begin": [0 for _ in shape], "end": list(shape)}


def padded(draw: Random, shape: tuple[int, ...]) -> dict[str, Any]:
    before = [draw.choice([0, 0, 0, 1, -1]) for _ in shape]
    return {"before": before, "after": [-amount for amount in before]}


def expanded(draw: Random, shape: tuple[int, ...]) -> dict[str, Any]:
    axes = [axis for axis in range(len(shape) + 1) if draw.random() < 0.4]
    return {"axes": axes if len(axes) < 2 or axes[-1] < len(shape) + len(axes) else axes[:1]}


def squeezed(draw: Random, shape: tuple[int, ...]) -> dict[str, Any]:
    ones = [axis for axis, dim in enumerate(shape) if dim == 1]
    return {"axes": draw.choice([None, ones, ones[:1], []])}


ATTRIBUTES: dict[str, Callable[[Random, tuple[int, ...]], dict[str, Any]]] = {
    "transpose": lambda draw, shape: {"axes": permutation(draw, shape)},
    "reshape": lambda draw, shape: {
        "shape": draw.choice([list(shape), factors(draw, int(np.prod(shape)))])
    },
    "squeeze": squeezed,
    "expand_dims": expanded,
    "broadcast_to": lambda draw, shape: {
        "shape": [draw.choice([1, 2]) for _ in range(draw.randint(0, 1))]
        + [draw.choice([1, 3]) if dim == 1 else dim for dim in shape]
    },
    "tile": lambda draw, shape: {"repeats": [draw.choice([1, 1, 1, 2]) for _ in shape]},
    "concatenate": lambda draw, shape: {"axis": draw.randrange(len(shape))},
    "strided_slice": sliced,
    "split": lambda draw, shape: {"sections": 1, "axis": draw.randrange(len(shape))},
    "pad": padded,
    "cast": lambda draw, shape: {"dtype": draw.choice(DTYPES["any"])},
}
"""Random attributes of the operators in patterns, for an operand of a shape."""


class Instance:
    """A random instance of a pattern: an expression, and parameters with values."""

    def __init__(self, rule: Rule, dtype: str, draw: Random) -> None:
        self.draw = draw
        self.dtype = dtype
        self.shape = tuple(draw.choice([1, 2, 3]) for _ in range(draw.randint(1, 3)))
        self.params: dict[str, relay.Var] = {}
        self.values: dict[str, np.ndarray] = {}
        self.names: dict[str, ir.RelayExpr] = {}
        self.rule = rule
        self.expr = self.build(ast.parse(rule.pattern, mode="eval").body)

    def module(self) -> ir.IRModule:
        """Return a function of the parameters that returns the expression."""
        block = relay.Block([], self.expr)
        func = relay.Function(list(self.params.values()), block)
        return ToANormalForm()(ir.IRModule({MAIN: func}))

    def build(self, node: ast.expr) -> Any:
        """Return what a part of the pattern stands for."""
        if isinstance(node, ast.Name):
            return self.name(node.id)
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.Tuple):
            return [self.build(element) for element in node.elts]
        if isinstance(node, ast.Subscript):
            assert isinstance(node.slice, ast.Constant)
            return relay.TupleGetItem(self.build(node.value), node.slice.value)
        if isinstance(node, ast.UnaryOp) and isinstance(node.operand, ast.Constant):
            return -node.operand.value
        if isinstance(node, ast.Call):
            assert isinstance(node.func, ast.Name)
            return self.call(node.func.id, node.args)
        name, operands = {
            ast.BinOp: lambda: (node.op, [node.left, node.right]),
            ast.UnaryOp: lambda: (node.op, [node.operand]),
            ast.BoolOp: lambda: (node.op, node.values),
            ast.Compare: lambda: (node.ops[0], [node.left, *node.comparators]),
        }[type(node)]()
        return self.call(SIGNS[type(name)], operands)

    def call(self, name: str, parts: list[ast.expr]) -> ir.RelayExpr:
        operands = [self.build(part) for part in parts]
        if name == "where" and isinstance(operands[0], bool):
            operands[0] = relay.const(operands[0], "bool")
        first = operands[0][0] if isinstance(operands[0], list) else operands[0]
        attributes = {}
        if name in ATTRIBUTES:
            attributes = ATTRIBUTES[name](self.draw, shape_of(first))
        call: ir.RelayExpr = getattr(relay, name)(*operands, **attributes)
        return call

    def name(self, name: str) -> ir.RelayExpr:
        """Return the operand of a name: a parameter, or a constant where a condition asks."""
        if name not in self.names:
            dtype, shape = self.dtype, self.shape
            if self.rule.pattern.startswith("where") and name == "b":
                dtype = "bool"
            if self.rule.pattern.startswith("pad") and name == "z":
                shape = ()
            elif name in ("z", "w", "c") and self.draw.random() < 0.4:
                shape = tuple(self.draw.choice([1, dim]) for dim in shape)
            if name == "c":
                filled = self.draw.choice([0, 0, 1, -0.0, True])
                array = np.full(shape, filled).astype(dtype)
                self.names[name] = relay.const(array)
            else:
                self.names[name] = self.params[name] = relay.Var(name, Tensor(shape, dtype))
                self.values[name] = elements(self.draw, shape, dtype)
        return self.names[name]


def same(found: Any, expected: Any) -> None:
    """Compare arrays bit for bit; every NaN is the same."""
    assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
    np.testing.assert_array_equal(found, expected)
    if expected.dtype.kind == "f":
        is_number = ~np.isnan(expected)
        assert (np.signbit(found) == np.signbit(expected))[is_number].all()


@pytest.mark.parametrize(
    "index", range(len(RULES)), ids=lambda i: f"{RULES[i].domain}-{RULES[i].pattern}"
)
def test_the_rule_fires_and_keeps_the_value(index: int) -> None:
    draw = Random(index)
    dtypes = DTYPES[RULES[index].domain]
    fired = 0
    for example in range(200 * len(dtypes)):
        instance = Instance(RULES[index], dtypes[example % len(dtypes)], draw)
        before = instance.module()
        after = _ffi_api.apply_relay_rewrite_rule(index, before)
        if after.same_as(before):
            continue
        fired += 1
        old, new = before.lookup("main"), after.lookup("main")
        assert ir.structural_equal(old.ret_type, new.ret_type)
        assert ir.verify(after) == [] and InferType()(after).same_as(after)
        values = list(instance.values.values())
        with np.errstate(all="ignore"):
            found, expected = (relay.evaluate(module, *values) for module in (after, before))
        same(found, expected)
        if fired == 8 * len(dtypes):
            return
    pytest.fail(f"fired {fired} times")


def test_no_rule_outside() -> None:
    for index in (-1, len(RULES)):
        with pytest.raises(IndexError, match="there is no rule"):
            _ffi_api.apply_relay_rewrite_rule(index, ir.IRModule({}))


PARAMS = """
@uir.script.ir_module
class Module:
    @relay.function
    def main(
        x: relay.Tensor((n, 8), "float32"),
        i: relay.Tensor((4, 4), "int32"),
        u: relay.Tensor((4, 4), "uint8"),
        b: relay.Tensor((4, 4), "bool"),
    ):
        n = tir.SizeVar("n", "int32")
        return {}
"""


def simplified(expr: str) -> str:
    """Return the last lines of a function that returns an expression, after the pass."""
    module = Sequential([InferType(), ToANormalForm()])(uir.script.parse(PARAMS.format(expr)))
    after = Sequential([SimplifyExpr(), uir.transform.DeadCode()])(module)
    assert ir.verify(after) == [] and SimplifyExpr()(after).same_as(after)
    assert ir.structural_equal(uir.script.parse(uir.script.print(after)), after)
    lines = str(after["main"]).splitlines()
    return "; ".join(line.strip() for line in lines[3:])


KEPT = [
    "x + 0.0",
    "x * 0.0",
    "0.0 - x",
    "x - x",
    "relay.transpose(i)",
    "relay.cast(relay.cast(x, dtype='float16'), dtype='float32')",
    "relay.cast(relay.cast(i, dtype='float32'), dtype='int32')",
    "relay.cast(relay.cast(u, dtype='float32'), dtype='int8')",
    "relay.strided_slice(i, begin=[-1], end=[-5], axes=[0], strides=[-1])",
    "relay.logical_not(x < 1.0)",
]
"""What rules that looked less closely would change."""


@pytest.mark.parametrize("expr", KEPT)
def test_what_is_not_simpler(expr: str) -> None:
    module = Sequential([InferType(), ToANormalForm()])(uir.script.parse(PARAMS.format(expr)))
    assert SimplifyExpr()(module).same_as(module)


@pytest.mark.parametrize(
    ("expr", "expected"),
    [
        ("relay.reshape(relay.reshape(x, shape=[n * 8]), shape=[n, 8]) * 1.0", "return x"),
        (
            "relay.transpose(relay.transpose(relay.transpose(x)))",
            "v2 = relay.transpose(x); return v2",
        ),
        ("relay.cast(relay.cast(u, dtype='float32'), dtype='uint8')", "return u"),
        ("relay.cast(relay.cast(u, dtype='int32'), dtype='uint8')", "return u"),
        ("-(-(-x))", "v2 = -x; return v2"),
        ("(i + 0) * 1 - 0", "return i"),
        ("(x, i)[1]", "return i"),
        ("relay.concatenate([relay.split(i, sections=1)[0]])", "return i"),
        ("relay.squeeze(relay.expand_dims(x, axes=[0, 2]), axes=[0, 2])", "return x"),
    ],
)
def test_rules_together(expr: str, expected: str) -> None:
    assert simplified(expr) == expected


def test_constant_branches() -> None:
    text = """
@uir.script.ir_module
class Module:
    @relay.function
    def main(x: relay.Tensor((2,), "float32")):
        if relay.const(CONDITION, "bool"):
            y = relay.exp(x)
            z = relay.sin(y)
        else:
            z = relay.cos(x)
        return relay.tanh(z)
"""
    for condition, expected in (("True", "exp sin tanh"), ("False", "cos tanh")):
        module = uir.script.parse(text.replace("CONDITION", condition))
        module = Sequential([InferType(), ToANormalForm()])(module)
        after = SimplifyExpr()(module)
        assert ir.verify(after) == []
        calls = [binding.value for binding in after.lookup("main").body.bindings]
        assert " ".join(call.op.name.removeprefix("relay.") for call in calls) == expected
