"""`Loop` and `Scan`, unrolled or not, against ONNX's own reference and NumPy."""

from __future__ import annotations

import numpy as np
import onnx
import onnx.parser
import pytest
from onnx.reference import ReferenceEvaluator

import uir
from uir import relay
from uir.frontend.onnx import UnknownElementsError, UnsupportedModelError, from_onnx

HEAD = '<ir_version: 10, opset_import: ["" : 21]>\n'

X = np.arange(6, dtype=np.float32).reshape(2, 3) - 2


def parsed(text: str) -> onnx.ModelProto:
    return onnx.parser.parse_model(HEAD + text)


def compare(text: str, *args: np.ndarray) -> None:
    """Compare a model with the reference."""
    proto = parsed(text)
    names = [one.name for one in proto.graph.input]
    expected = ReferenceEvaluator(proto).run(None, dict(zip(names, args, strict=True)))
    result = relay.evaluate(from_onnx(proto), *args)
    found = [result] if len(expected) == 1 else list(result)
    for one, wanted in zip(found, expected, strict=True):
        assert one.shape == wanted.shape
        np.testing.assert_allclose(one, wanted, rtol=1e-6)


# The body adds a constant of its own, a value of the graph outside, and the number of the step.
LOOP = """g (float[n, 3] x) => (float[n, 3] y) <int64 count = {%s}, bool yes = {%s}> {
    y = Loop (%s, %s, x) <body = b (int64 i, bool c, float[n, 3] s) => (bool d, float[n, 3] t)
        <float[1] one = {1.5}, int64 three = {%s}> {
            f = Cast <to = 1> (i)
            u = Add (s, f)
            v = Mul (u, one)
            t = Add (v, x)
            d = Less (i, three)
    }>
}"""


@pytest.mark.parametrize(
    ("count", "yes", "trip", "condition", "last"),
    [
        (4, 1, "count", "yes", 9),
        (9, 1, "count", "yes", 2),  # The condition ends it.
        (4, 1, "count", "", 0),  # The condition of the body does not count.
        (0, 1, "count", "yes", 9),
        (4, 0, "count", "yes", 9),
    ],
)
def test_loops_carry_values(count: int, yes: int, trip: str, condition: str, last: int) -> None:
    text = LOOP % (count, yes, trip, condition or '""', last)
    proto = parsed(text.replace('""', "yes"))
    if not condition:
        proto.graph.node[0].input[1] = ""
    carried, steps = X, 0
    while steps < count and (yes or not condition):
        carried = (carried + steps) * np.float32(1.5) + X
        steps += 1
        if condition and steps > last:
            break
    found = relay.evaluate(from_onnx(proto), X)
    np.testing.assert_allclose(found, carried, rtol=1e-6)


def test_outputs_of_steps_are_stacked() -> None:
    proto = parsed(STACKED)
    y, z = relay.evaluate(from_onnx(proto), X)
    steps = [np.sin(X), np.sin(np.sin(X)), np.sin(np.sin(np.sin(X)))]
    np.testing.assert_allclose(y, steps[-1], rtol=1e-5)
    np.testing.assert_allclose(z, np.stack([one.sum(0) for one in steps]), rtol=1e-5)


STACKED = """g (float[2, 3] x) => (float[2, 3] y, float[m, 3] z)
    <int64 count = {3}, bool yes = {1}> {
    y, z = Loop (count, yes, x) <body = b (int64 i, bool c, float[2, 3] s)
        => (bool d, float[2, 3] t, float[3] r) <int64[1] axis = {0}> {
        t = Sin (s)
        r = ReduceSum <keepdims = 0> (t, axis)
        d = Identity (c)
    }>
}"""


SCAN = """g (float[3] s, float[2, 3] x) => (float[3] y, float[m, 3] z) {
    y, z = Scan (s, x) <num_scan_inputs = 1 %s, body = b (float[3] p, float[%s] row)
        => (float[3] q, float[3] r) {
        q = Add (p, row)
        r = Mul (q, row)
    }>
}"""


def test_rows_are_scanned() -> None:
    compare(SCAN % ("", "3"), X[0], X)


def test_axes_are_scanned_backwards() -> None:
    options = ", scan_input_axes = [-1], scan_input_directions = [1], scan_output_axes = [1]"
    text = SCAN % (options + ", scan_output_directions = [1]", "3")
    table = np.arange(12, dtype=np.float32).reshape(3, 4)
    proto = parsed(text.replace("float[2, 3] x", "float[3, 4] x"))
    state, outputs = X[0], []
    for column in table.T[::-1]:
        state = state + column
        outputs.append(state * column)
    y, z = relay.evaluate(from_onnx(proto), X[0], table)
    np.testing.assert_array_equal(y, state)
    np.testing.assert_array_equal(z, np.stack(outputs[::-1], 1))


def test_names_of_nodes_say_where_they_are() -> None:
    proto = parsed(STACKED.replace("Sin (s)", "Det (s)"))
    with pytest.raises(UnsupportedModelError) as caught:
        from_onnx(proto)
    assert [one.node for one in caught.value.nodes] == ["Loop_0.body.Det_0"]


def test_a_trip_count_may_be_an_input() -> None:
    text = (LOOP % (0, 1, "n2", "yes", 9)).replace("(float[n, 3] x)", "(float[n, 3] x, int64 n2)")
    proto = parsed(text)
    library = uir.build(from_onnx(proto))["main"]
    for count in (-1, 0, 1, 3, 12):
        carried = X
        for step in range(min(count, 10)):
            carried = (carried + step) * np.float32(1.5) + X
        found = np.from_dlpack(library(X, np.array(count)))
        np.testing.assert_allclose(found, carried, rtol=1e-5)
    found = relay.evaluate(from_onnx(proto, constants={"n2": np.array(1)}), X)
    np.testing.assert_allclose(found, X * 1.5 + X, rtol=1e-6)
    stacked = STACKED.replace("(float[2, 3] x)", "(float[2, 3] x, int64 n2)")
    with pytest.raises(UnknownElementsError, match="`n2`"):
        from_onnx(parsed(stacked.replace("Loop (count", "Loop (n2")))


# The body reads a row by the number of the step, which is known when it runs; there are as many
# steps as rows behind the first one.
ROWS = """g (float[n, 3] x, float[3] s) => (float[3] y, float[m, 3] z)
    <int64 first = {0}, int64 one = {1}, bool yes = {1}> {
    shape = Shape (x)
    rows = Gather <axis = 0> (shape, first)
    count = Sub (rows, one)
    y, z = Loop (count, yes, s) <body = b (int64 i, bool c, float[3] a)
        => (bool d, float[3] e, float[3] f) {
        row = Gather <axis = 0> (x, i)
        half = Add (a, row)
        e = Sin (half)
        f = Mul (e, row)
        d = Identity (c)
    }>
}"""


def test_a_size_may_be_the_trip_count() -> None:
    module = from_onnx(parsed(ROWS))
    library = uir.build(module)["main"]
    for rows in (0, 1, 2, 6):
        x, state = np.linspace(-1, 2, rows * 3, dtype=np.float32).reshape(rows, 3), X[0]
        outputs = np.empty((0, 3), np.float32)
        for row in x[:-1]:
            state = np.sin(state + row)
            outputs = np.concatenate([outputs, (state * row)[None]])
        for result in (relay.evaluate(module, x, X[0]), library(x, X[0])):
            np.testing.assert_allclose(np.from_dlpack(result[0]), state, rtol=1e-5)
            np.testing.assert_allclose(np.from_dlpack(result[1]), outputs, rtol=1e-5)


@pytest.mark.parametrize(
    ("options", "is_turned", "reads_back", "writes_back"),
    [
        ("", False, False, False),
        (", scan_input_directions = [1]", False, True, False),
        (", scan_output_directions = [1]", False, False, True),
        (", scan_input_axes = [-1], scan_output_axes = [-1]", True, False, False),
        (
            ", scan_input_axes = [1], scan_input_directions = [1], scan_output_axes = [1]"
            ", scan_output_directions = [1]",
            True,
            True,
            True,
        ),
    ],
)
def test_sequences_of_symbolic_length_are_scanned(
    options: str, is_turned: bool, reads_back: bool, writes_back: bool
) -> None:
    text = SCAN % (options, "3")
    text = text.replace("float[2, 3] x", f"float[{'3, n' if is_turned else 'n, 3'}] x")
    proto = parsed(text.replace("float[m, 3] z", "float[p, q] z"))
    module = from_onnx(proto)
    library = uir.build(module)["main"]
    for count in (5, 1, 0):
        rows = np.arange(count * 3, dtype=np.float32).reshape(count, 3) - 6
        state, outputs = X[0], np.empty_like(rows)
        for at in range(count)[:: -1 if reads_back else 1]:
            state = state + rows[at]
            place = count - 1 - at if reads_back else at
            outputs[count - 1 - place if writes_back else place] = state * rows[at]
        wanted = [state, outputs.T if is_turned else outputs]
        x = np.ascontiguousarray(rows.T) if is_turned else rows
        for result in (relay.evaluate(module, X[0], x), library(X[0], x)):
            for one, expected in zip(result, wanted, strict=True):
                np.testing.assert_array_equal(np.from_dlpack(one), expected)


# A recurrent layer with constant weights.
RECURRENT = """g (float[2, 16] s, float[n, 2, 8] x) => (float[2, 16] y, float[n, 2, 16] z) {
    y, z = Scan (s, x) <num_scan_inputs = 1, body = b (float[2, 16] h, float[2, 8] row)
        => (float[2, 16] state, float[2, 16] output) {
        a = MatMul (row, w)
        b = MatMul (h, r)
        c = Add (a, b)
        state = Tanh (c)
        output = Identity (state)
    }>
}"""


def test_recurrent_layers_are_scanned() -> None:
    proto, source = parsed(RECURRENT), np.random.default_rng(0)
    w, r = (source.normal(size=(rows, 16)).astype(np.float32) / 4 for rows in (8, 16))
    proto.graph.initializer.extend(
        onnx.numpy_helper.from_array(one, name) for one, name in ((w, "w"), (r, "r"))
    )
    library = uir.build(from_onnx(proto))["main"]
    for length in (0, 1, 40):
        x = source.normal(size=(length, 2, 8)).astype(np.float32)
        state, outputs = np.ones((2, 16), np.float32), []
        for row in x:
            state = np.tanh(row @ w + state @ r)
            outputs.append(state)
        y, z = (np.from_dlpack(one) for one in library(np.ones((2, 16), np.float32), x))
        np.testing.assert_allclose(y, state, rtol=1e-4, atol=1e-5)
        np.testing.assert_allclose(z, np.array(outputs).reshape(z.shape), rtol=1e-4, atol=1e-5)


def refused(text: str) -> str:
    with pytest.raises(UnsupportedModelError) as caught:
        from_onnx(parsed(text))
    return str(caught.value)


def test_a_known_condition_may_be_the_only_end() -> None:
    proto = parsed(LOOP % (1, 1, "count", "yes", 3))
    proto.graph.node[0].input[0] = ""
    carried = X
    for step in range(4):
        carried = (carried + step) * np.float32(1.5) + X
    np.testing.assert_allclose(relay.evaluate(from_onnx(proto), X), carried, rtol=1e-6)


# Doubles a vector until its sum is large, or an input forbids it.
DOUBLED = """g (float[3] x, bool yes) => (float[3] y, float z)
    <int64 count = {%s}, float one = {1}> {
    y, z = Loop (count, yes, x, one) <body = b (int64 i, bool c, float[3] s, float p)
        => (bool d, float[3] t, float q) <float most = {20}, float two = {2}> {
        t = Mul (s, two)
        q = Add (p, two)
        e = ReduceSum <keepdims = 0> (t)
        d = Less (e, most)
    }>
}"""


@pytest.mark.parametrize("count", [0, 1, 5, 2**62])
def test_elements_end_a_loop(count: int) -> None:
    proto = parsed(DOUBLED % count)
    module = from_onnx(proto)
    library = uir.build(module)["main"]
    for scale, yes in ((0.1, True), (3.0, True), (50.0, True), (1.0, False)):
        x = np.array([scale, scale, 1], np.float32)
        y, z, flag = x, 1.0, yes
        for _ in range(min(count, 99)):
            if not flag:
                break
            y, z, flag = y * 2, z + 2, (y * 2).sum() < 20
        for result in (relay.evaluate(module, x, np.array(yes)), library(x, np.array(yes))):
            np.testing.assert_allclose(np.from_dlpack(result[0]), y, rtol=1e-6)
            assert np.from_dlpack(result[1]) == z


def test_a_condition_that_comes_to_be_known_ends_a_loop() -> None:
    """The first step runs if an input says so; behind it, only the number of the step counts."""
    text = DOUBLED.replace("d = Less (e, most)", "d = Less (i, three)")
    proto = parsed((text % 9).replace("float two = {2}>", "float two = {2}, int64 three = {3}>"))
    x = np.array([1, 2, 3], np.float32)
    for yes, factor in ((True, 16), (False, 1)):
        y, _ = relay.evaluate(from_onnx(proto), x, np.array(yes))
        np.testing.assert_array_equal(y, x * factor)


# The slice of a step is known when it is compiled, and elements end the loop.
SLICED = """g (float[4, 3] x) => (float[3] y)
    <int64 count = {4}, int64[1] zero = {0}, int64[1] one = {1}, bool yes = {1}, float most = {4}> {
    first = ReduceSum <keepdims = 0> (x, zero)
    y = Loop (count, yes, first) <body = b (int64 i, bool c, float[3] s)
        => (bool d, float[3] t) {
        begin = Reshape (i, one)
        end = Add (begin, one)
        row = Slice (x, begin, end, zero)
        flat = Squeeze (row, zero)
        t = Add (s, flat)
        e = ReduceMax <keepdims = 0> (t)
        d = Less (e, most)
    }>
}"""


def test_steps_that_need_their_number_are_nested() -> None:
    proto = parsed(SLICED)
    module = from_onnx(proto)
    library = uir.build(module)["main"]
    numbers = np.random.default_rng(0)
    counts = set()
    for scale in (0.1, 0.7, 1.0, 9.0):
        x = numbers.random((4, 3), np.float32) * np.float32(scale)
        state, count = x.sum(0), 0
        for row in x:
            state, count = state + row, count + 1
            if not state.max() < 4:
                break
        counts.add(count)
        for found in (relay.evaluate(module, x), library(x)):
            np.testing.assert_allclose(np.from_dlpack(found), state, rtol=1e-5)
    assert len(counts) > 1 and 4 in counts
    many = SLICED.replace("count = {4}", "count = {65}").replace("float[4, 3]", "float[66, 3]")
    assert "Slice" in refused(many)


def test_many_steps_are_not_unrolled() -> None:
    """Each of 100,000 steps halves a value, and adds another one."""
    text = LOOP % (100_000, 1, "count", "yes", 200_000)
    proto = parsed(text.replace("{1.5}", "{0.5}").replace("Mul (u, one)", "Mul (s, one)"))
    module = from_onnx(proto)
    assert len(module["main"].body.bindings) < 20
    np.testing.assert_allclose(np.from_dlpack(uir.build(module)["main"](X)), 2 * X, rtol=1e-6)


def test_other_loops_are_refused() -> None:
    endless = parsed(LOOP % (1, 1, "count", "yes", 9))
    endless.graph.node[0].input[0] = ""
    endless.graph.node[0].input[1] = ""
    with pytest.raises(UnsupportedModelError, match="a loop without a trip count and a condition"):
        from_onnx(endless)
    no_end = parsed(DOUBLED.replace("d = Less (e, most)", "d = Identity (c)") % 1)
    no_end.graph.node[0].input[0] = ""
    with pytest.raises(UnsupportedModelError, match="a loop that no step ends"):
        from_onnx(no_end)
    grows = (DOUBLED % 3).replace("t = Mul (s, two)", "t = Concat <axis = 0> (s, s)")
    assert "a step that changes a value of type" in refused(grows)
    compared = "e = ReduceMax <keepdims = 0> (t)\nd = Greater (e, e)"
    depends = STACKED.replace("d = Identity (c)", compared)
    assert "outputs of steps whose number depends on elements of inputs" in refused(depends)
    assert "a loop without steps" in refused(STACKED.replace("count = {3}", "count = {0}"))
    two = (SCAN % ("", "3")).replace("float[2, 3] x", "float[n, 3] x, float[m, 3] w")
    two = two.replace("Scan (s, x)", "Scan (s, x, w)").replace("inputs = 1", "inputs = 2")
    two = two.replace("float[3] row)", "float[3] row, float[3] other)")
    assert "inputs of the lengths `n`, `m`" in refused(two)
