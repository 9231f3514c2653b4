"""Sequences and optional values of ONNX, against ONNX's own reference and NumPy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import onnx
import onnx.parser
import pytest
from onnx.reference import ReferenceEvaluator

import uir
from uir import relay
from uir.frontend.onnx import Backend, UnknownElementsError, UnsupportedModelError, from_onnx
from uir.frontend.tensors import Array

HEAD = '<ir_version: 10, opset_import: ["" : 21]>\n'

X = np.arange(12, dtype=np.float32).reshape(2, 6) - 4


def parsed(text: str) -> onnx.ModelProto:
    return onnx.parser.parse_model(HEAD + text)


def equal(found: Any, expected: Any) -> None:
    """Check that outputs are equal; those that are sequences are lists."""
    assert isinstance(found, list) == isinstance(expected, list)
    if isinstance(expected, list):
        for one, wanted in zip(found, expected, strict=True):
            equal(one, wanted)
        return
    assert (found.dtype, found.shape) == (np.asarray(expected).dtype, np.shape(expected))
    np.testing.assert_array_equal(found, expected)


def tensors(outputs: Sequence[Any]) -> list[Any]:
    """Return outputs, and those that are sequences as their tensors."""
    return [part for one in outputs for part in (one if isinstance(one, list) else [one])]


def compare(text: str, *args: Array) -> None:
    """Compare a model with the reference of ONNX."""
    proto = parsed(text)
    names = [one.name for one in proto.graph.input]
    expected = ReferenceEvaluator(proto).run(None, dict(zip(names, args, strict=True)))
    result = relay.evaluate(from_onnx(proto), *args)
    equal(list(result) if isinstance(result, tuple) else [result], tensors(list(expected)))


SPLIT = """g (float[2, 6] x) => (seq(float[a, b]) y, int64 n)
    <%s> {
    y = SplitToSequence <axis = %d%s> (x%s)
    n = SequenceLength (y)
}"""


@pytest.mark.parametrize(
    ("sizes", "axis", "keep", "operand"),
    [
        ("", 0, "", ""),
        ("", 1, ", keepdims = 0", ""),
        ("", -1, ", keepdims = 1", ""),
        ("int64 s = {4}", 1, "", ", s"),
        ("int64 s = {4}", 1, ", keepdims = 0", ", s"),  # `keepdims` counts without lengths only.
        ("int64[3] s = {1, 3, 2}", 1, "", ", s"),
    ],
)
def test_tensors_are_split(sizes: str, axis: int, keep: str, operand: str) -> None:
    compare(SPLIT % (sizes, axis, keep, operand), X)


PLACES = """g (float[3] z) => (seq(float[a]) y, seq(float[a]) w, float[a] v, int64 n)
    <int64 place = {%d}, float[1] one = {1.0}> {
    a = Abs (z)
    b = Add (z, one)
    c = Neg (z)
    s = SequenceConstruct (a, b, c)
    y = SequenceInsert (s, z, place)
    w = SequenceErase (y, place)
    v = SequenceAt (y, place)
    n = SequenceLength (w)
}"""


@pytest.mark.parametrize("place", [0, 1, 2, -1, -2, -3])
def test_tensors_have_places(place: int) -> None:
    """An index counts from the end if it is negative, in an insertion too."""
    z = np.array([1, -2, 3], np.float32)
    inserted = [np.abs(z), z + 1, -z]
    inserted.insert(place, z)
    erased = [one for at, one in enumerate(inserted) if at != place % 4]
    found = relay.evaluate(from_onnx(parsed(PLACES % place)), z)
    equal(list(found), [*inserted, *erased, inserted[place], np.array(3)])


def test_a_backend_returns_lists() -> None:
    z = np.array([1, -2, 3], np.float32)
    found = Backend.prepare(parsed(PLACES % 0)).run([z])
    absolute, more, minus = np.abs(z), z + 1, -z
    equal(list(found), [[z, absolute, more, minus], [absolute, more, minus], z, np.array(3)])


def test_tensors_are_added_at_the_end_and_joined() -> None:
    compare(
        """g (float[2, 6] x) => (float[a, b] y, float[c, d, e] z, seq(float[f, g]) w)
        <int64 middle = {1}> {
        none = SequenceEmpty <dtype = 1> ()
        one = SequenceInsert (none, x)
        minus = Neg (x)
        both = SequenceInsert (one, minus)
        three = SequenceInsert (both, x, middle)
        y = ConcatFromSequence <axis = 1> (three)
        z = ConcatFromSequence <axis = -1, new_axis = 1> (three)
        w = SequenceErase (three)
    }""",
        X,
    )


def test_shapes_stay_known_in_sequences() -> None:
    """A size that went through a sequence is one of a reshape, also a symbolic one."""
    module = from_onnx(
        parsed(
            """g (float[n, 6] x) => (float[a, b] y) <int64 first = {0}, int64 two = {2}> {
            shape = Shape (x)
            sizes = SplitToSequence (shape)
            rows = SequenceAt (sizes, first)
            doubled = Mul (rows, two)
            three = Constant <value_ints = [3]> ()
            both = SequenceConstruct (doubled, three)
            wanted = ConcatFromSequence <axis = 0> (both)
            y = Reshape (x, wanted)
        }"""
        )
    )
    library = uir.build(module)["main"]
    for rows in (1, 4):
        x = np.random.default_rng(rows).random((rows, 6), np.float32)
        np.testing.assert_array_equal(np.from_dlpack(library(x)), x.reshape(2 * rows, 3))


def test_a_loop_collects_a_sequence() -> None:
    """PyTorch exports lists that a loop fills so."""
    compare(
        """g (float[2, 6] x) => (float[a, b, c] y) <int64 four = {4}, bool yes = {1}> {
        none = SequenceEmpty ()
        list = Loop (four, yes, none) <body = b (int64 i, bool c, seq(float[a, b]) s)
            => (bool d, seq(float[a, b]) t) {
                f = Cast <to = 1> (i)
                v = Mul (x, f)
                t = SequenceInsert (s, v)
                d = Identity (c)
        }>
        y = ConcatFromSequence <axis = 0, new_axis = 1> (list)
    }""",
        X,
    )


@pytest.mark.parametrize("flag", [True, False])
def test_branches_return_sequences(flag: bool) -> None:
    compare(
        """g (float[2, 6] x, bool c) => (seq(float[a, b]) y, float[a, b] z) <int64 one = {1}> {
        y = If (c) <
            then_branch = t () => (seq(float[a, b]) p) { p = SequenceConstruct (x, x) },
            else_branch = e () => (seq(float[a, b]) q) { n = Neg (x) q = SequenceConstruct (n, x) }
        >
        z = SequenceAt (y, one)
    }""",
        X,
        np.array(flag),
    )


def test_outputs_of_sequences_have_names() -> None:
    module = from_onnx(parsed(SPLIT % ("int64 s = {4}", 1, "", ", s")))
    assert list(module["main"].get_attr("output_names")) == ["y.0", "y.1", "n"]
    first, second, number = relay.evaluate(module, X)
    equal([first, second, number], [X[:, :4], X[:, 4:], np.array(2)])


def test_sequences_are_mapped() -> None:
    """`SequenceMap` is defined by a loop over the sequence."""
    compare(
        """g (float[2, 6] x) => (seq(float[a]) y) <float[1] half = {0.5}> {
        rows = SplitToSequence <axis = 0, keepdims = 0> (x)
        y = SequenceMap (rows) <body = b (float[6] row) => (float[6] r) {
            one = Constant <value_float = 1.0> ()
            r = Add (row, one)
        }>
    }""",
        X,
    )


def test_optional_values() -> None:
    nodes = [
        onnx.helper.make_node(
            "Optional",
            [],
            ["none"],
            type=onnx.helper.make_tensor_type_proto(onnx.TensorProto.FLOAT, [2, 6]),
        ),
        onnx.helper.make_node("Optional", ["x"], ["some"]),
        onnx.helper.make_node("OptionalHasElement", ["none"], ["a"]),
        onnx.helper.make_node("OptionalHasElement", ["some"], ["b"]),
        onnx.helper.make_node("OptionalHasElement", [], ["c"]),
        onnx.helper.make_node("OptionalGetElement", ["some"], ["y"]),
    ]
    a, b, c, y = relay.evaluate(from_onnx(graph_of(nodes, "abcy")), X)
    assert (bool(a), bool(b), bool(c)) == (False, True, False)
    equal(y, X)


def graph_of(nodes: list[onnx.NodeProto], outputs: str) -> onnx.ModelProto:
    """Return a model of nodes with the input `x`."""
    x = onnx.helper.make_tensor_value_info("x", onnx.TensorProto.FLOAT, (2, 6))
    results = [onnx.helper.make_tensor_value_info(name, 1, ()) for name in outputs]
    graph = onnx.helper.make_graph(nodes, "g", [x], results)
    return onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 21)])


REFUSED = {
    "y = SequenceAt (s, three)": "the index 3 of a sequence of 2 tensors",
    "y = SequenceErase (s, minus)": "the index -3 of a sequence of 2 tensors",
    "t = SequenceInsert (s, x, three) y = SequenceAt (t, zero)": "the index 3 of a sequence of 2",
    "y = SequenceLength (x)": "input 0 is not a sequence",
    "y = Neg (s)": "operand `x` must be a tensor",
    "y = Concat <axis = 0> (s, s)": "operand `tensors[0]` must be a tensor",
    "t = SequenceInsert (s, s) y = SequenceAt (t, zero)": "a value of the type",
    "t = SequenceInsert (s, three) y = SequenceAt (t, zero)": "a tensor of int64 in a sequence of",
    "t = SequenceEmpty () y = ConcatFromSequence <axis = 0> (t)": "an empty sequence, whose",
    "t = SequenceEmpty () y = SequenceErase (t)": "an empty sequence, of which nothing",
    "y = SequenceEmpty ()": "sequences without tensors, and no other output",
    "t = SplitToSequence <axis = 2> (x) y = SequenceAt (t, zero)": "axis 2 of a tensor of rank 2",
    "t = SplitToSequence (x, zero) y = SequenceAt (t, zero)": "parts of the length 0",
    "t = SplitToSequence <axis = 0> (w) y = SequenceAt (t, zero)": "the number of parts depends",
    "t = SequenceEmpty <dtype = 8> () y = SequenceLength (t)": "data type string",
}


@pytest.mark.parametrize("nodes", REFUSED)
def test_what_is_not_known_is_refused(nodes: str) -> None:
    text = "g (float[2, 6] x, float[n, 6] w) => (float[a, b] y) <int64 zero = {0}, "
    text += "int64 three = {3}, int64 minus = {-3}> { s = SequenceConstruct (x, x) %s }"
    with pytest.raises(UnsupportedModelError) as caught:
        from_onnx(parsed(text % nodes))
    assert REFUSED[nodes] in str(caught.value)


def test_an_index_that_is_an_input_must_be_a_constant() -> None:
    proto = parsed(
        """g (float[2, 6] x, int64 i) => (float[2, 6] y) {
        n = Neg (x)
        s = SequenceConstruct (x, n)
        y = SequenceAt (s, i)
    }"""
    )
    with pytest.raises(UnknownElementsError, match="`i`"):
        from_onnx(proto)
    equal(relay.evaluate(from_onnx(proto, constants={"i": np.array(1)}), X), -X)


def test_names_of_tensors_of_sequences_are_their_own() -> None:
    nodes = [
        onnx.helper.make_node("SequenceConstruct", ["x", "x"], ["y"]),
        onnx.helper.make_node("Neg", ["x"], ["y.1"]),
    ]
    proto = graph_of(nodes, "y")
    proto.graph.output.append(onnx.helper.make_tensor_value_info("y.1", 1, ()))
    with pytest.raises(UnsupportedModelError, match="the name `y.1`"):
        from_onnx(proto)
