"""`If` with branches of different types, against ONNX's own reference."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
import onnx.parser
import pytest
from onnx.reference import ReferenceEvaluator

import uir
from uir import relay
from uir.frontend.onnx import UnsupportedModelError, from_onnx

HEAD = '<ir_version: 10, opset_import: ["" : 21]>\n'
RNG = np.random.default_rng(11)


def parsed(text: str) -> onnx.ModelProto:
    return onnx.parser.parse_model(HEAD + text)


def normal(*shape: int) -> np.ndarray:
    return RNG.standard_normal(shape, np.float32)


def compare(text: str, *calls: list[np.ndarray]) -> Any:
    """Compare calls of a compiled model with the reference; return the compiled function."""
    proto = parsed(text)
    module = from_onnx(proto)
    library = uir.build(module)["main"]
    for args in calls:
        names = [one.name for one in proto.graph.input]
        expected = ReferenceEvaluator(proto).run(None, dict(zip(names, args, strict=True)))
        for result in (relay.evaluate(module, *args), library(*args)):
            fields = [result] if len(expected) == 1 else list(result)
            for found, wanted in zip(fields, expected, strict=True):
                found = np.from_dlpack(found)
                assert found.shape == wanted.shape
                np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-6)
    return library


# What PyTorch exports for `x.squeeze(1)`; the product takes matrices of 3 rows only.
SQUEEZE = """g (float[n, k, 3] x, float[3, 2] w) => (float[a, b] y)
    <int64 one = {1}, int64[1] axis = {1}, int64 first = {1}> {
    shape = Shape (x)
    size = Gather <axis = 0> (shape, first)
    is_one = %s
    s = If (is_one) <then_branch = t () => (float[n, 3] p) { %s },
                     else_branch = e () => (float[n, k, 3] q) { %s }>
    y = Gemm (s, w)
}"""

DROPPED, KEPT = "p = Squeeze (x, axis)", "q = Identity (x)"


def test_sizes_choose_the_branch_whose_rest_has_a_result() -> None:
    library = compare(
        SQUEEZE % ("Equal (size, one)", DROPPED, KEPT),
        [normal(4, 1, 3), normal(3, 2)],
        [normal(1, 1, 3), normal(3, 2)],
    )
    with pytest.raises(ValueError, match="`k == 1` must hold: `k` is 2, dimension 1 of `x`"):
        library(normal(4, 2, 3), normal(3, 2))


@pytest.mark.parametrize(
    "condition",
    [
        "Greater (size, one)",
        """Cast <to = 9> (other)
        equal = Equal (size, one)
        other = Not (equal)""",
        """And (more, odd)
        more = Greater (size, one)
        equal = Equal (size, one)
        odd = Not (equal)""",
    ],
    ids=["comparison", "negation", "conjunction"],
)
def test_the_other_branch_may_be_the_one(condition: str) -> None:
    lines = condition.splitlines()
    first = "\n".join([*lines[1:], f"is_one = {lines[0]}"])
    text = SQUEEZE % ("@", KEPT.replace("q", "p"), DROPPED.replace("p", "q"))
    library = compare(text.replace("is_one = @", first), [normal(4, 1, 3), normal(3, 2)])
    with pytest.raises(ValueError, match="must hold"):
        library(normal(4, 2, 3), normal(3, 2))


# Rows are doubled or not, so that the branches differ, and their sums agree.
JOINED = """g (bool c, float[2, 3] x) => (float[3] y, float[m] z) <int64[1] axis = {0}> {
    s = If (c) <then_branch = t () => (float[4, 3] p) { p = Concat <axis = 0> (x, x) },
                else_branch = e () => (float[2, 3] q) { q = Neg (x) }>
    y = ReduceSum <keepdims = 0> (s, axis)
    a = Sin (y)
    z = Add (a, y)
}"""


def test_both_branches_take_the_rest_along() -> None:
    x = normal(2, 3)
    compare(JOINED, [np.array(True), x], [np.array(False), x])


def test_ranks_may_differ() -> None:
    text = JOINED.replace("q = Neg (x)", "q = Flatten <axis = 0> (x)").replace(
        "y = ReduceSum <keepdims = 0> (s, axis)",
        """two = ReduceSum <keepdims = 0> (s)
        y = Mul (two, v)""",
    )
    text = text.replace("<int64[1] axis = {0}>", "<float[3] v = {1, 2, 3}>")
    x = normal(2, 3)
    compare(text, [np.array(True), x], [np.array(False), x])


# A squeeze in each branch of an `If`, for vectors of one and of two halves.
HALVES = """g (bool c, float[1, k, 3] x, float[3, 2] w) => (float[1, 2] y)
    <int64 one = {1}, int64[1] axis = {1}, int64 two = {2}> {
    shape = Shape (x)
    size = Gather <axis = 0> (shape, one)
    h = If (c) <
        then_branch = a () => (float[1, 2] r) {
            is_one = Equal (size, one)
            s = If (is_one) <then_branch = t () => (float[1, 3] p) { p = Squeeze (x, axis) },
                             else_branch = e () => (float[1, k, 3] q) { q = Identity (x) }>
            r = Gemm (s, w)
        },
        else_branch = b () => (float[1, 2] z) {
            half = Div (size, two)
            is_half = Equal (half, one)
            l = ReduceMax (x, axis)
            s2 = If (is_half) <
                then_branch = t2 () => (float[1, 3] p2) { p2 = Squeeze (l, axis) },
                else_branch = e2 () => (float[1, 1, 3] q2) { q2 = Identity (l) }>
            z = Gemm (s2, w)
        }>
    y = Neg (h)
}"""


def test_a_branch_checks_its_own_sizes() -> None:
    """No size fits both halves of the outer `If`; a call needs that of the half it takes."""
    one, two, w = normal(1, 1, 3), normal(1, 2, 3), normal(3, 2)
    library = compare(HALVES, [np.array(True), one, w], [np.array(False), two, w])
    for flag, x in ((True, two), (False, one)):
        with pytest.raises(ValueError, match="must hold: `k` is"):
            library(np.array(flag), x, w)


# The first inner `If` is the output of a branch that a known condition chooses.
INNER = """g (bool c, float[2, 3] x) => (float[3] y, float[3] z)
    <bool yes = {1}, int64[1] axis = {0}> {
    s = If (yes) <
        then_branch = t () => (float[n, 3] r) {
            r = If (c) <then_branch = a () => (float[4, 3] p) { p = Concat <axis = 0> (x, x) },
                        else_branch = b () => (float[2, 3] q) { q = Neg (x) }>
        },
        else_branch = e () => (float[2, 3] d) { d = Identity (x) }>
    y = ReduceSum <keepdims = 0> (s, axis)
    u = If (c) <then_branch = f () => (float[1, 3] v) { v = Unsqueeze (y, axis) },
                else_branch = h () => (float[3] w) { w = Identity (y) }>
    m = ReduceMax <keepdims = 0> (u)
    z = Add (y, m)
}"""


def test_the_rest_of_all_graphs_around_follows() -> None:
    x = normal(2, 3)
    compare(INNER, [np.array(True), x], [np.array(False), x])


def test_a_branch_that_fails_names_the_input_that_leaves_it_out() -> None:
    """Both halves need another size; a constant flag leaves one of them out."""
    proto = parsed(HALVES)
    with pytest.raises(UnsupportedModelError) as caught:
        from_onnx(proto, shapes={"x": (1, 1, 3)})
    (problem,) = caught.value.nodes
    assert problem.node == "If_2.else.Gemm_4"
    assert "`c` chooses whether this runs: give it by `constants`" in problem.help
    x, w = normal(1, 1, 3), normal(3, 2)
    module = from_onnx(proto, {"x": (1, 1, 3)}, {"c": np.array(True)})
    np.testing.assert_allclose(relay.evaluate(module, x, w), -(x[0] @ w), rtol=1e-5)


def test_outputs_keep_one_type() -> None:
    text = JOINED.replace("y = ReduceSum <keepdims = 0> (s, axis)", "y = Identity (s)")
    with pytest.raises(UnsupportedModelError, match=r"branches of the types .*\(4, 3\).* and "):
        from_onnx(parsed(text))


def test_elements_do_not_choose_a_branch_without_a_rest() -> None:
    text = SQUEEZE % ("ReduceMax <keepdims = 0> (flags)", DROPPED, KEPT)
    text = text.replace("float[3, 2] w)", "float[3, 2] w, bool[2] flags)")
    with pytest.raises(UnsupportedModelError, match=r"behind one of them, Gemm `Gemm_4`: "):
        from_onnx(parsed(text))


def test_many_divisions_are_refused() -> None:
    body = "\n".join(
        f"""s{at} = If (c) <then_branch = t{at} () => (float[4, 3] p{at}) {{
            p{at} = Concat <axis = 0> (y{at}, y{at}) }},
            else_branch = e{at} () => (float[2, 3] q{at}) {{ q{at} = Neg (y{at}) }}>
        w{at} = Slice (s{at}, first, last)
        y{at + 1} = Identity (w{at})"""
        for at in range(14)
    )
    text = f"""g (bool c, float[2, 3] y0) => (float[2, 3] y14)
        <int64[1] first = {{0}}, int64[1] last = {{2}}> {{ {body} }}"""
    with pytest.raises(UnsupportedModelError, match="more than 10,000 nodes behind branches"):
        from_onnx(parsed(text))
