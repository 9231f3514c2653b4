"""Random numbers of ONNX, against Philox in NumPy."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnx.parser
import pytest

import uir
from uir import relay
from uir.commands import main
from uir.frontend.onnx import Backend, UnsupportedModelError, from_onnx
from uir.ir import post_order

from .onnx_calls import Array, node
from .onnx_graphs import model, tensor
from .philox_numpy import normal, state_of_step, uniform

HEAD = '<ir_version: 10, opset_import: ["" : 22]>\n'

STATE = np.array([7, 2**32 - 1], np.uint32)


def parsed(text: str) -> onnx.ModelProto:
    return onnx.parser.parse_model(HEAD + text)


def drawn(operator: str, *inputs: Array, state: Array = STATE, **options: Any) -> Any:
    """Return the output of one node, interpreted; sizes of inputs are symbolic."""
    names = [f"x{at}" for at in range(len(inputs))]
    infos = [
        tensor(
            name,
            [f"{name}_{axis}" for axis in range(x.ndim)],
            onnx.helper.np_dtype_to_tensor_dtype(x.dtype),
        )
        for name, x in zip(names, inputs, strict=True)
    ]
    proto = model([node(operator, " ".join(names), "y", **options)], infos, ["y"], opset=22)
    return relay.evaluate(from_onnx(proto), *inputs, state)


def compiled(proto: onnx.ModelProto) -> Any:
    """Return a model as a function that returns arrays."""
    function = uir.build(from_onnx(proto)).main

    def call(*args: Array) -> Any:
        found = function(*args)
        return [np.from_dlpack(one) for one in found] if len(proto.graph.output) > 1 else found

    return call


@pytest.mark.parametrize(("number_of_type", "dtype"), [(1, "float32"), (11, "float64")])
def test_numbers_are_those_of_numpy(number_of_type: int, dtype: str) -> None:
    options: dict[str, Any] = {"shape": [3, 50], "dtype": number_of_type}
    found = drawn("RandomUniform", **options)
    assert found.dtype == dtype
    np.testing.assert_array_equal(found, uniform((3, 50), STATE, (0, 0), dtype))
    found = drawn("RandomNormal", mean=3.0, scale=0.5, **options)
    expected = 3 + normal((3, 50), STATE, (0, 0), dtype) / 2
    np.testing.assert_allclose(found, expected, 1e-6 if dtype == "float32" else 1e-14)


@pytest.mark.parametrize("operator", ["RandomUniformLike", "RandomNormalLike"])
def test_the_type_is_that_of_the_input_or_of_the_attribute(operator: str) -> None:
    x = np.zeros((2, 3), np.float16)
    assert drawn(operator, x).dtype == np.float16
    found = drawn(operator, x.astype(np.int32), dtype=1)
    assert (found.dtype, found.shape) == (np.float32, (2, 3))


@pytest.mark.parametrize("number_of_type", [1, 10, 11, 16])
def test_the_upper_bound_is_not_reached(number_of_type: int) -> None:
    """Sums of narrow floats round: 1 + 0.9999 is 2 in `float16`."""
    found = drawn("RandomUniform", shape=[5000], low=1.0, high=2.0, dtype=number_of_type)
    numbers = found.astype(np.float64)
    assert numbers.min() >= 1 and numbers.max() < 2
    assert abs(numbers.mean() - 1.5) < 0.02
    assert np.all(drawn("RandomUniform", shape=[9], low=3.0, high=3.0) == 3)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_bernoulli_compares(dtype: str) -> None:
    p = np.linspace(0, 1, 200).reshape(20, 10).astype(dtype)
    found = drawn("Bernoulli", p)
    wide = "float64" if dtype == "float64" else "float32"
    np.testing.assert_array_equal(found, uniform((20, 10), STATE, (0, 0), wide) < p)
    assert found.dtype == dtype
    assert drawn("Bernoulli", p, dtype=9).dtype == bool
    # The probabilities 0 and 1 leave no choice.
    assert not drawn("Bernoulli", np.zeros(999, dtype)).any()
    assert drawn("Bernoulli", np.ones(999, dtype)).all()


def test_multinomial_draws_classes() -> None:
    p = np.array([[0, 0.2, 0.5, 0, 0.3, 0], [0.1, 0, 0, 0.9, 0, 0]])
    with np.errstate(divide="ignore"):
        logits = np.log(p) + np.array([[5], [-300]])
    found = drawn("Multinomial", logits, sample_size=4000, dtype=7)
    pairs = zip(np.cumsum(p, 1), uniform((2, 4000), STATE, (0, 0), "float64"), strict=True)
    np.testing.assert_array_equal(found, [np.searchsorted(*pair, "right") for pair in pairs])
    shares = np.stack([(found == one).mean(1) for one in range(6)], 1)
    np.testing.assert_allclose(shares, p, atol=0.02)
    assert drawn("Multinomial", logits.astype(np.float32)).dtype == np.int32


def test_distributions() -> None:
    """By moments, and by correlations of neighbors and of states."""
    a = drawn("RandomNormal", shape=[20000], dtype=11)
    b = drawn("RandomNormal", shape=[20000], dtype=11, state=np.array([8, 2**32 - 1], np.uint32))
    u = drawn("RandomUniform", shape=[20000])
    moments = [np.mean(a**power) for power in (1, 2, 3, 4)]
    np.testing.assert_allclose(moments, [0, 1, 0, 3], atol=0.15)
    counts = np.histogram(u, 20, (0, 1))[0]
    assert np.sum((counts - 1000) ** 2 / 1000) < 43.8  # Of chi squared with 19 degrees: 0.1 %.
    for x, y in ((a, b), (a[1:], a[:-1]), (a[2:], b[:-2])):
        assert abs(np.corrcoef(x, y)[0, 1]) < 0.025


STREAMS = """g (float[n] x) => (float[n] a, float[n] b, float[n] c, float[n] d, float[n] e) {
    a = RandomUniformLike (x)
    b = RandomUniformLike (x)
    c = RandomUniformLike <seed = 2.5> (x)
    d = RandomUniformLike <seed = 2.5> (x)
    e = RandomUniformLike <seed = 3.0> (x)
}"""


def test_streams_states_and_sizes() -> None:
    """Compiled; each element depends on the state, the node and its place only."""
    proto = parsed(STREAMS)
    assert list(from_onnx(proto)["main"].get_attr("input_names")) == ["x", "random_state"]
    call = compiled(proto)
    x = np.zeros(100, np.float32)
    a, b, c, d, e = call(x, STATE)
    bits = [int(np.float32(seed).view(np.uint32)) for seed in (2.5, 3)]
    streams = [(0, 0), (1, 0), (bits[0], 1), (bits[0], 1), (bits[1], 1)]
    for found, stream in zip((a, b, c, d, e), streams, strict=True):
        np.testing.assert_array_equal(found, uniform((100,), STATE, stream))
    assert len({one.tobytes() for one in (a, b, c, e)}) == 4
    again, other, few = call(x, STATE), call(x, STATE + np.uint32(1)), call(x[:7], STATE)
    for before, same, changed, start in zip((a, b, c, d, e), again, other, few, strict=True):
        np.testing.assert_array_equal(same, before)
        np.testing.assert_array_equal(start, before[:7])
        assert not np.any(changed == before)


def test_compiled_operators_are_those_of_the_interpreter() -> None:
    proto = parsed(
        """g (float[n, 4] x) => (float[n, 4] a, float16[n, 4] b, int64[n, 9] c, bool[n, 4] d) {
            a = RandomNormalLike (x)
            b = RandomUniformLike <dtype = 10, high = 8.0> (x)
            c = Multinomial <dtype = 7, sample_size = 9> (x)
            p = Sigmoid (x)
            d = Bernoulli <dtype = 9> (p)
        }"""
    )
    x = np.random.default_rng(3).normal(size=(50, 4)).astype(np.float32)
    expected = relay.evaluate(from_onnx(proto), x, STATE)
    for found, wanted in zip(compiled(proto)(x, STATE), expected, strict=True):
        assert found.dtype == wanted.dtype
        np.testing.assert_allclose(found, wanted, 1e-5, 1e-6)


LOOP = """g (%s) => (float[k, 3] y) <int64 count = {4}, bool yes = {1}> {
    y = Loop (%s, yes) <body = b (int64 i, bool c) => (bool d, float[3] r) {
        d = Identity (c)
        a = RandomUniform <shape = [3]> ()
        e = RandomUniform <shape = [3], seed = 1.0> ()
        r = Add (a, e)
    }>
}"""


def test_steps_of_loops_differ_and_are_the_same_unrolled_or_not() -> None:
    seed = (int(np.float32(1).view(np.uint32)), 1)
    states = [state_of_step(STATE, step) for step in range(4)]
    expected = [uniform((3,), one, (0, 0)) + uniform((3,), one, seed) for one in states]
    unrolled = relay.evaluate(from_onnx(parsed(LOOP % ("", "count"))), STATE)
    np.testing.assert_array_equal(unrolled, expected)
    text = LOOP % ("float[n] x", "s")
    repeated = from_onnx(parsed(text.replace("y = Loop", "s = Shape (x)\ny = Loop")))
    assert len(list(post_order(repeated["main"], relay.While))) == 1
    found = relay.evaluate(repeated, np.zeros(4, np.float32), STATE)
    np.testing.assert_array_equal(found, expected)


def test_rows_of_a_scan_have_states_of_their_own() -> None:
    text = """g (float[%s, 2] x) => (float[m, 2] y) {
        y = Scan (x) <num_scan_inputs = 1, body = b (float[2] row) => (float[2] r) {
            a = RandomNormalLike (row)
            r = Add (a, row)
        }>
    }"""
    x = np.ones((3, 2), np.float32)
    expected = [1 + normal((2,), state_of_step(STATE, step), (0, 0)) for step in range(3)]
    for size in ("3", "n"):
        found = relay.evaluate(from_onnx(parsed(text % size)), x, STATE)
        np.testing.assert_allclose(found, expected, 1e-5)


def test_branches_draw_numbers() -> None:
    text = """g (bool c) => (float[4] y) {
        y = If (c) <
            then_branch = t () => (float[4] p) { p = RandomUniform <shape = [4]> () },
            else_branch = e () => (float[4] p) { p = RandomNormal <shape = [4]> () }
        >
    }"""
    module = from_onnx(parsed(text))
    found = relay.evaluate(module, np.array(True), STATE)
    np.testing.assert_array_equal(found, uniform((4,), STATE, (0, 0)))
    found = relay.evaluate(module, np.array(False), STATE)
    np.testing.assert_allclose(found, normal((4,), STATE, (1, 0)), 1e-5)


def test_the_input_exists_only_for_random_nodes_and_has_a_name_of_its_own() -> None:
    relu = model([node("Relu", "x", "y")], [tensor("x", (2,))], ["y"])
    assert list(from_onnx(relu)["main"].get_attr("input_names")) == ["x"]
    taken = [tensor("random_state", (2,)), tensor("random_state_1", (2,))]
    proto = model([node("RandomNormalLike", "random_state", "y")], taken, ["y"])
    names = from_onnx(proto)["main"].get_attr("input_names")
    assert list(names) == ["random_state", "random_state_1", "random_state_2"]


def test_runs_of_a_backend_have_different_states() -> None:
    proto = model([node("RandomUniform", "", "y", shape=[6])], [], ["y"])
    prepared = Backend.prepare(proto)
    for run in range(3):
        (found,) = prepared.run([])
        np.testing.assert_array_equal(found, uniform((6,), (run, 0), (0, 0)))


@pytest.mark.parametrize(
    ("operator", "options", "reason"),
    [
        ("RandomUniformLike", {"low": 2.0, "high": 1.0}, "low 2.0 and high 1.0 in float32"),
        ("RandomUniformLike", {"high": 1e5, "dtype": 10}, "low 0.0 and high 100000.0 in float16"),
        ("RandomUniformLike", {"high": float("nan")}, "high nan"),
        ("RandomNormalLike", {"dtype": 7}, "data type int64, which must be one of bfloat16, "),
        ("Multinomial", {"dtype": 1}, "data type float32, which must be one of int32, int64"),
        ("Multinomial", {"sample_size": 0}, "0 samples of x0_1 classes"),
    ],
)
def test_refusals(operator: str, options: dict[str, Any], reason: str) -> None:
    with pytest.raises(UnsupportedModelError, match=reason):
        drawn(operator, np.zeros((2, 3), np.float32), **options)


def test_shapes_of_random_numbers_are_refused() -> None:
    text = """g (int64[1] x) => (float[n] y) {
        f = RandomUniformLike <dtype = 1> (x)
        s = Cast <to = 7> (f)
        y = ConstantOfShape (s)
    }"""
    with pytest.raises(
        UnsupportedModelError,
        match="shapes or axes depend on values that are known only at run time",
    ):
        from_onnx(parsed(text))


def test_commands_show_and_take_the_state(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    proto = model([node("RandomUniform", "", "y", shape=[6])], [], ["y"], opset=22)
    onnx.save(proto, tmp_path / "noise.onnx")
    np.save(tmp_path / "state.npy", STATE)
    program, output = str(tmp_path / "noise.onnx"), tmp_path / "y.npz"
    assert main(["compile", program, "-o", str(tmp_path / "noise.so")]) == 0
    shown = capsys.readouterr()
    assert "random_state" in shown.out + shown.err
    arguments = ["--input", f"random_state={tmp_path / 'state.npy'}", "--output", str(output)]
    assert main(["run", program, *arguments]) == 0
    np.testing.assert_array_equal(np.load(output)["output0"], uniform((6,), STATE, (0, 0)))
