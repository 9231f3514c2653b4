"""Sizes that blocks bind: text, types, passes and compiled code, against NumPy."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import uir
from uir import ir, relay, tir, transform
from uir.script import ScriptError

HEAD = """@uir.script.ir_module
class Module:
    @relay.function
    def main(x: relay.Tensor((m, 3), "float32"), w: relay.Tensor((k, 2), "float32")):
        m = tir.SizeVar("m", "int32")
        k = tir.SizeVar("k", "int32")
        n = tir.SizeVar("n", "int32")
        l = tir.SizeVar("l", "int32")
"""

FOUND = """both = relay.nonzero(relay.greater(x, 0.0))
rows = relay.first_rows(both[0], both[1], size=n)
"""

W = np.arange(8, dtype=np.float32).reshape(4, 2)

Tensors = list[np.ndarray[Any, Any]]


def parsed(body: str, others: str = "") -> ir.IRModule:
    lines = "".join(f"        {line}\n" for line in body.splitlines())
    module = uir.script.parse(HEAD + lines + others)
    assert isinstance(module, ir.IRModule)
    return module


def inputs(positive: int) -> np.ndarray[Any, Any]:
    """Return a tensor with some positive elements of twelve."""
    x = np.full(12, -1, np.float32)
    x[np.random.default_rng(3).permutation(12)[:positive]] = 2
    return x.reshape(4, 3)


def tensors(value: Any) -> Tensors:
    """Return a result, or those of a tuple."""
    several = [value] if hasattr(value, "shape") else list(value)
    return [np.from_dlpack(one) for one in several]


def check(module: ir.IRModule, expected: Callable[[Any, Any], Tensors], counts: Any) -> None:
    """Compare the interpreter and compiled code with NumPy for numbers of positive elements."""
    library = uir.build(module)
    for count in counts:
        x = inputs(count)
        wanted = expected(x, np.argwhere(x > 0))
        for value in (relay.evaluate(module, x, W), library["main"](x, W)):
            found = tensors(value)
            assert [one.shape for one in found] == [one.shape for one in wanted]
            assert [one.dtype for one in found] == [one.dtype for one in wanted]
            for one, other in zip(found, wanted, strict=True):
                np.testing.assert_allclose(one, other, rtol=1e-5)


def padded(found: np.ndarray[Any, Any], most: int) -> np.ndarray[Any, Any]:
    return np.concatenate([found, np.zeros((most - len(found), found.shape[1]), np.int64)])


def floats(at: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    return at.astype(np.float32)


# Each body computes with the rows, by operators of different kinds.
BODIES: dict[str, tuple[str, Callable[[Any, Any], Tensors]]] = {
    "the rows are the result": ("return rows", lambda x, at: [at]),
    "the rows and their number are results": (
        "return (rows, both[1], both[0])",
        lambda x, at: [at, np.array(len(at)), padded(at, x.size)],
    ),
    "the rows are results twice": (
        "t = relay.transpose(rows)\nreturn (t, rows, t)",
        lambda x, at: [at.T, at, at.T],
    ),
    "a kernel takes the rows": (
        "y = relay.gather_nd(x, rows)\nreturn relay.exp(y) * 2.0",
        lambda x, at: [np.exp(x[x > 0]) * 2],
    ),
    "a sum of rows has a constant size": (
        "return relay.sum(relay.gather_nd(x, rows))",
        lambda x, at: [x[x > 0].sum()],
    ),
    "a size is an attribute": (
        "y = relay.full(relay.const(2.5, 'float32'), [n, 2])\n"
        "return relay.matmul(y, relay.transpose(w))",
        lambda x, at: [np.full((len(at), 2), 2.5, np.float32) @ W.T],
    ),
    "a product of sizes is a dimension": (
        "y = relay.cast(rows, 'float32')\n"
        "return relay.reshape(relay.matmul(y, relay.transpose(y)), [-1])",
        lambda x, at: [(floats(at) @ floats(at).T).reshape(-1)],
    ),
    "rows of rows": (
        "y = relay.nonzero(relay.greater(rows[:, 1], 0))\n"
        "z = relay.first_rows(y[0], y[1], size=l)\n"
        "return relay.take(rows, relay.reshape(z, [l]), 0)",
        lambda x, at: [at[at[:, 1] > 0]],
    ),
    "rows are parts of a concatenation": (
        "y = relay.cast(rows, 'float32')\nreturn relay.concatenate([w, y, relay.exp(y)], 0)",
        lambda x, at: [np.concatenate([W, floats(at), np.exp(floats(at))])],
    ),
    "rows are sorted": (
        "y = relay.topk(relay.gather_nd(x * x, rows), n, axis=0)\nreturn y[0]",
        lambda x, at: [np.sort(x[x > 0] ** 2)[::-1]],
    ),
    "a branch binds the size": (
        "if relay.less(both[1], 3):\n"
        "    part = relay.first_rows(both[0], both[1], size=l)\n"
        "    y = relay.sum(part, 0)\n"
        "else:\n"
        "    y = relay.sum(rows * 2, 0)\n"
        "return y",
        lambda x, at: [(at if len(at) < 3 else at * 2).sum(0)],
    ),
    "each step of a loop binds the size": (
        "for s, i in relay.loop(relay.const(True, 'bool'), [x, relay.const(0, 'int64')]):\n"
        "    y = relay.nonzero(relay.greater(s, relay.const(0.0, 'float32')))\n"
        "    z = relay.first_rows(y[0], y[1], size=l)\n"
        "    t = s - relay.cast(relay.sum(relay.take(z, relay.const(0, 'int64'), 1)), 'float32')\n"
        "    v = (relay.less(i, 2), t, i + 1)\n"
        "return v[0]",
        lambda x, at: [steps(x)],
    ),
}


def steps(x: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    for _ in range(3):
        x = x - np.float32(np.argwhere(x > 0)[:, 0].sum())
    return x


@pytest.mark.parametrize("name", BODIES)
def test_results_have_their_sizes(name: str) -> None:
    body, expected = BODIES[name]
    check(parsed(FOUND + body), expected, (0, 1, 5, 12))


@pytest.mark.parametrize("name", BODIES)
def test_text_is_read_back(name: str) -> None:
    module = transform.InferType()(parsed(FOUND + BODIES[name][0]))
    text = uir.script.print(module)
    again = uir.script.parse(text)
    assert uir.script.print(again) == text
    assert ir.structural_equal(module, again)
    assert ir.structural_hash(module) == ir.structural_hash(again)
    assert transform.InferType()(module).same_as(module)


@pytest.mark.parametrize("name", ["first_rows"])
def test_rows_have_a_number_and_a_variable(name: str) -> None:
    call, size = getattr(relay, name), tir.SizeVar("n")
    x, count = relay.Var("x", relay.Tensor((4, 2))), relay.Var("c", relay.Tensor((), "int64"))
    assert str(call(x, count, size=size).checked_type) == str(relay.Tensor((size, 2)))
    scalar, pair = relay.Var("s", relay.Tensor(())), relay.Var("p", relay.Tensor((2,), "int64"))
    refused = [
        (TypeError, "operand `x` must have rank 1 or more", (scalar, count, size)),
        (TypeError, "operand `count` has rank 1, expected 0", (x, pair, size)),
        (TypeError, "operand `count` has data type `float32`", (x, scalar, size)),
        (ValueError, "`size` must be a variable, which the call binds", (x, count, size + 1)),
    ]
    for error, message, (rows, number, bound) in refused:
        with pytest.raises(error, match=re.escape(message)):
            call(rows, number, size=bound)


def test_numbers_of_rows_are_checked() -> None:
    module = uir.script.parse("""
@uir.script.ir_module
class Module:
    @relay.function
    def main(x: relay.Tensor((m, 2), "float32"), count: relay.Tensor((), "int32")):
        m = tir.SizeVar("m", "int32")
        n = tir.SizeVar("n", "int32")
        return relay.first_rows(x, count, size=n)
""")
    assert isinstance(module, ir.IRModule)
    library = uir.build(module)
    for count in (0, 2, 4):
        found = np.from_dlpack(library["main"](W, np.array(count, np.int32)))
        np.testing.assert_array_equal(found, W[:count])
    for count in (-1, 5):
        with pytest.raises(ValueError, match=f"must be from 0 to 4, got {count}"):
            library["main"](W, np.array(count, np.int32))
        with pytest.raises(ValueError, match=f"must be from 0 to 4, got {count}"):
            relay.evaluate(module, W, np.array(count, np.int32))


ADDED = (
    FOUND
    + """y = relay.cast(rows, 'float32')
return y + w"""
)


def test_equalities_are_checked_where_the_size_is_bound() -> None:
    module = transform.InferType()(parsed(ADDED))
    lines = [line.strip() for line in str(module["main"]).splitlines()]
    assert "checked = relay.require([n == k])" in lines
    assert lines.index("checked = relay.require([n == k])") == 1 + next(
        place for place, line in enumerate(lines) if line.startswith("rows =")
    )
    assert not any("shape_assumptions" in line for line in lines)
    x = inputs(4)
    wanted = np.argwhere(x > 0).astype(np.float32) + W
    library = uir.build(module)
    for value in (relay.evaluate(module, x, W), library["main"](x, W)):
        np.testing.assert_allclose(np.from_dlpack(value), wanted)
    text = "`n == k` must hold.*`n` is 3, dimension 0 of .*`k` is 4, dimension 0 of"
    with pytest.raises(ValueError, match=text):
        library["main"](inputs(3), W)
    with pytest.raises(ValueError, match=text):
        relay.evaluate(module, inputs(3), W)


def test_dead_code_keeps_sizes_that_attributes_have() -> None:
    kept = parsed(FOUND + "return relay.full(relay.const(1.0, 'float32'), [n])")
    names = [str(one.var.name) for one in transform.DeadCode()(kept)["main"].body.bindings]
    assert "rows" in names
    dropped = transform.DeadCode()(parsed(FOUND + "return relay.exp(w)"))["main"]
    assert not list(dropped.body.bindings)[:-1]


def test_sizes_of_equal_rows_stay_apart() -> None:
    body = (
        FOUND
        + """again = relay.first_rows(both[0], both[1], size=l)
return relay.concatenate([rows, again], 0)"""
    )
    check(parsed(body), lambda x, at: [np.concatenate([at, at])], (0, 3))


COUNTED = """
    @relay.function(private=True)
    def count(y: relay.Tensor((q, 3), "float32")):
        q = tir.SizeVar("q", "int32")
        p = tir.SizeVar("p", "int32")
        both = relay.nonzero(relay.greater(y, 0.0))
        rows = relay.first_rows(both[0], both[1], size=p)
        return {}
"""


@pytest.mark.parametrize("inlines", [True, False])
def test_each_call_of_a_function_binds_a_size(inlines: bool) -> None:
    body = """a = Module.count(x)
b = Module.count(relay.negative(x))
return a - b - b"""
    module = parsed(body, COUNTED.format("relay.sum(relay.full(relay.const(1.0, 'float32'), [p]))"))
    if inlines:
        module = transform.Inline()(module)
        assert len({str(size) for size in sizes_of(module)}) >= 1
        assert len(set(sizes_of(module))) == len(sizes_of(module))
    check(module, lambda x, at: [np.array(3 * len(at) - 24, np.float32)], (0, 5, 12))


def sizes_of(module: ir.IRModule) -> list[tir.SizeVar]:
    """Return the variables that `main` binds."""
    calls = [binding.value for binding in module["main"].body.bindings]
    return [one.attrs.size for one in calls if isinstance(one.attrs, relay.FirstRowsAttrs)]


def test_a_called_function_returns_no_size_of_its_own() -> None:
    module = parsed("return Module.count(x)", COUNTED.format("rows"))
    with pytest.raises(TypeError, match="`count` returns a tensor whose size it binds itself"):
        transform.InferType()(module)


def problems(module: ir.IRModule) -> str:
    return "\n".join(one.message for one in ir.verify(module))


def test_the_verifier_finds_sizes_without_a_binding() -> None:
    assert not problems(parsed(FOUND + "return rows"))
    twice = "again = relay.first_rows(both[0], both[1], size=n)\nreturn again"
    assert "`n` is bound twice" in problems(parsed(FOUND + twice))
    param = "return relay.first_rows(both[0], both[1], size=m)"
    assert "`m` is bound twice" in problems(parsed(FOUND + param))
    early = "y = relay.full(relay.const(1.0, 'float32'), [n])\n" + FOUND + "return y"
    assert "the attribute has the dimension `n`" in problems(parsed(early))
    with pytest.raises(ScriptError, match="both branches must have the same type"):
        parsed(
            FOUND
            + """if relay.less(both[1], 3):
    y = relay.first_rows(both[0], both[1], size=l)
else:
    y = rows
return y"""
        )


def random_boxes(random: np.random.Generator, shape: tuple[int, ...], dtype: str) -> Tensors:
    """Return boxes on a coarse grid, so that some scores and overlaps are equal, and scores."""
    images, classes, count = shape
    boxes = random.integers(0, 8, (images, count, 4)).astype(dtype)
    scores = random.integers(0, 10, (images, classes, count)).astype(dtype) / 8
    return [boxes, scores.astype(dtype)]


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16"])
@pytest.mark.parametrize("center", [False, True])
@pytest.mark.parametrize("most", [0, 3, 100])
def test_boxes_are_selected(dtype: str, center: bool, most: int) -> None:
    random = np.random.default_rng(most)
    module = uir.script.parse(f"""
@uir.script.ir_module
class Module:
    @relay.function
    def main(
        boxes: relay.Tensor((b, k, 4), "{dtype}"), scores: relay.Tensor((b, c, k), "{dtype}"),
        iou: relay.Tensor((), "{dtype}"), least: relay.Tensor((), "{dtype}")
    ):
        b = tir.SizeVar("b", "int32")
        c = tir.SizeVar("c", "int32")
        k = tir.SizeVar("k", "int32")
        n = tir.SizeVar("n", "int32")
        both = relay.non_max_suppression(
            boxes, scores, iou, least, max_output={most}, center_point_box={center}
        )
        return relay.first_rows(both[0], both[1], size=n)
""")
    assert isinstance(module, ir.IRModule)
    library = uir.build(module)
    for shape in ((1, 1, 1), (2, 3, 40), (1, 2, 0), (0, 2, 3)):
        for iou, least in ((0.3, -1), (0, 0.5), (1, 2)):
            args = [
                *random_boxes(random, shape, dtype),
                np.array(iou, dtype),
                np.array(least, dtype),
            ]
            wanted = relay.evaluate(module, *args)
            np.testing.assert_array_equal(np.from_dlpack(library["main"](*args)), wanted)
            if least == 2:
                assert len(wanted) == 0
