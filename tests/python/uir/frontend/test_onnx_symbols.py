"""Sizes that graphs compute from symbolic dimensions, against ONNX's own reference at two sizes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import onnx
import pytest
from onnx import helper
from onnx.reference import ReferenceEvaluator

import uir
from uir.frontend.onnx import UnknownElementsError, UnsupportedModelError, from_onnx

from .onnx_graphs import FLOAT, INT64, constant, model, tensor

Shapes = Sequence[Sequence[int]]

node = helper.make_node
RNG = np.random.default_rng(3)

CONSTANTS = [
    constant("zero", np.int64(0)),
    constant("one", np.int64(1)),
    constant("two", np.int64(2)),
    constant("first", [0]),
    constant("second", [1]),
    constant("twelve", [12]),
    constant("zero_f", np.float32(0)),
    constant("one_f", np.float32(1)),
    constant("half_f", np.float32(0.5)),
    constant("two_f", np.float32(2)),
    constant("three_f", np.float32(3)),
    constant("table", np.arange(50, dtype=np.float32)),
    constant("grid", np.arange(150, dtype=np.float32).reshape(50, 3)),
]


def size(name: str, of: str, axis: int = 0) -> list[onnx.NodeProto]:
    """Return nodes that define a dimension as a scalar, and as the vector `<name>s`."""
    return [
        node("Shape", [of], [f"{name}s"], start=axis, end=axis + 1),
        node("Squeeze", [f"{name}s"], [name]),
    ]


def check(
    nodes: Sequence[onnx.NodeProto],
    inputs: Sequence[onnx.ValueInfoProto],
    every: Sequence[Shapes],
    outputs: Sequence[str] = ("y",),
    constants: Sequence[onnx.TensorProto] = (),
) -> None:
    """Compare one library with the reference, for inputs of several shapes."""
    proto = model(nodes, inputs, outputs, [*CONSTANTS, *constants])
    library, reference = uir.build(from_onnx(proto)), ReferenceEvaluator(proto)
    for shapes in every:
        arrays = [RNG.standard_normal(shape, np.float32) for shape in shapes]
        names = [one.name for one in inputs]
        expected = reference.run(None, dict(zip(names, arrays, strict=True)))
        result = library["main"](*arrays)
        found = [result] if len(outputs) == 1 else list(result)
        for one, wanted in zip(map(np.from_dlpack, found), expected, strict=True):
            assert (one.dtype, one.shape) == (wanted.dtype, np.shape(wanted))
            np.testing.assert_allclose(one, wanted)


def test_places_that_begin_after_a_cache() -> None:
    """Bounds add the length of a cache, which is no dimension of what they cut."""
    nodes = [
        *size("past", "cache"),
        *size("now", "x"),
        node("Add", ["past", "now"], ["end"]),
        node("Add", ["pasts", "nows"], ["ends"]),
        node("Range", ["past", "end", "one"], ["places"]),
        node("Slice", ["w", "pasts", "ends", "first"], ["rows"]),
        node("Slice", ["table", "first", "pasts"], ["head"]),
        node("Slice", ["grid", "pasts", "ends", "first"], ["tail"]),
        node("Gather", ["table", "past"], ["element"]),
        node("Trilu", ["x", "past"], ["upper"], upper=1),
        node("Trilu", ["x", "past"], ["lower"], upper=0),
    ]
    inputs = [tensor("cache", ("p", 2)), tensor("x", ("s", 5)), tensor("w", ("t", 3))]
    outputs = ["places", "rows", "head", "tail", "element", "upper", "lower"]
    check(nodes, inputs, [((3, 2), (4, 5), (9, 3)), ((1, 2), (1, 5), (1, 3))], outputs)


def test_computed_bounds_that_are_negative_count_from_the_end() -> None:
    nodes = [
        *size("n", "x"),
        node("Sub", ["ns", "twelve"], ["bound"]),
        node("Slice", ["x", "first", "bound"], ["head"]),
        node("Slice", ["x", "bound", "ns"], ["tail"]),
        node("Sub", ["ns", "pair"], ["second_last"]),
        node("Slice", ["x", "second_last", "ns"], ["pair_of_rows"]),
        node("Slice", ["x", "second_last", "before", "first", "back"], ["backward"]),
    ]
    inputs, outputs = [tensor("x", ("n", 2))], ["head", "tail", "pair_of_rows", "backward"]
    constants = [constant("pair", [2]), constant("before", [-100]), constant("back", [-1])]
    every = [((rows, 2),) for rows in (10, 20, 3, 1)]
    check(nodes, inputs, every, outputs, constants)


@pytest.mark.parametrize("bound", [2**63 - 1, -(2**63)])
def test_bounds_that_no_size_has_are_refused(bound: int) -> None:
    nodes = [
        *size("n", "x"),
        node("Add", ["bound", "ns"], ["shifted"]),
        node("Slice", ["x", "shifted", "shifted"], ["y"]),
    ]
    proto = model(nodes, [tensor("x", ("n", 2))], ["y"], [constant("bound", [bound])])
    with pytest.raises(UnsupportedModelError, match="Add `.*`: a size that its data type does not"):
        from_onnx(proto)


def test_sizes_that_pass_through_floats() -> None:
    """Exporters write `ceil(n / 2)` so, and counters of pixels."""
    nodes = [
        *size("n", "x"),
        node("Cast", ["n"], ["f"], to=FLOAT),
        node("Div", ["f", "two_f"], ["halved"]),
        node("Ceil", ["halved"], ["up"]),
        node("Cast", ["up"], ["count"], to=INT64),
        node("Range", ["zero", "count", "one"], ["a"]),
        node("Range", ["zero_f", "up", "one_f"], ["b"]),
        node("Range", ["half_f", "f", "half_f"], ["c"]),
        node("Div", ["f", "three_f"], ["third"]),
        node("Floor", ["third"], ["down"]),
        node("Cast", ["down"], ["thirds"], to=INT64),
        node("Mul", ["f", "half_f"], ["product"]),
        node("Cast", ["product"], ["whole"], to=INT64),
        node("Min", ["whole", "thirds"], ["least"]),
        node("Max", ["least", "two"], ["greatest"]),
        node("Range", ["zero", "greatest", "one"], ["d"]),
    ]
    check(nodes, [tensor("x", ("n", 2))], [((10, 2),), ((7, 2),), ((20, 2),)], ["a", "b", "c", "d"])


def test_integers_divide_toward_zero() -> None:
    nodes = [
        *size("n", "x"),
        node("Sub", ["n", "ten"], ["less"]),
        node("Div", ["less", "three"], ["part"]),
        node("Add", ["part", "ten"], ["count"]),
        node("Range", ["zero", "count", "one"], ["y"]),
    ]
    constants = [constant("ten", np.int64(10)), constant("three", np.int64(3))]
    check(nodes, [tensor("x", ("n",))], [((2,),), ((18,),)], constants=constants)


@pytest.mark.parametrize("factor", [0.1, 1 / 3, np.nan, 3.0, 513 / 512], ids=str)
def test_floats_that_would_round_are_not_folded(factor: float) -> None:
    """With 3, it is the factor of what was divided: `(n / 3) * 3` may be less than `n`."""
    nodes = [
        *size("n", "x"),
        node("Cast", ["n"], ["f"], to=FLOAT),
        node("Div", ["f", "three_f"], ["third"]),
        node("Mul", ["third" if factor == 3 else "f", "factor"], ["g"]),
        node("Floor", ["g"], ["h"]),
        node("Cast", ["h"], ["count"], to=INT64),
        node("Range", ["zero", "count", "one"], ["y"]),
    ]
    constants = [*CONSTANTS, constant("factor", np.float32(factor))]
    with pytest.raises(UnknownElementsError, match="depend on the elements of `x`"):
        from_onnx(model(nodes, [tensor("x", ("n",))], ["y"], constants))


def test_unknown_dimensions_broadcast_at_run_time() -> None:
    nodes = [
        node("Add", ["a", "b"], ["sum"]),
        node("Where", ["flag", "a", "b"], ["choice"]),
        node("Mul", ["c", "weight"], ["product"]),
    ]
    inputs = [tensor("a", ("n", 4)), tensor("b", (2, "m", 4)), tensor("c", ("k",))]
    constants = [constant("flag", np.array(True)), constant("weight", np.ones(3, np.float32))]
    every = [
        ((5, 4), (2, 1, 4), (1,)),
        ((1, 4), (2, 7, 4), (3,)),
        ((5, 4), (2, 5, 4), (3,)),
        ((1, 4), (2, 1, 4), (1,)),
    ]
    check(nodes, inputs, every, ["sum", "choice", "product"], constants)


def test_dimensions_that_do_not_broadcast_are_named() -> None:
    proto = model([node("Add", ["a", "b"], ["y"])], [tensor("a", ("n",)), tensor("b", ("m",))], "y")
    library = uir.build(from_onnx(proto))
    for n, m in ((2, 3), (3, 2), (0, 1), (0, 5)):
        with pytest.raises(ValueError, match=r"must hold: .*dimension 0 of `a`") as caught:
            library["main"](np.ones(n, np.float32), np.ones(m, np.float32))
        assert "dimension 0 of `b`" in str(caught.value)


def test_expand_has_both_shapes() -> None:
    nodes = [
        *size("n", "x"),
        node("Expand", ["a", "ns"], ["y"]),
        node("Expand", ["b", "three"], ["z"]),
        node("Expand", ["c", "rows"], ["w"]),
    ]
    inputs = [tensor("x", ("n", 2)), *(tensor(name, (f"{name}0",)) for name in "abc")]
    constants = [constant("three", [3]), constant("rows", [2, 1])]
    every = [((10, 2), (1,), (3,), (4,)), ((7, 2), (7,), (1,), (1,)), ((1, 2), (5,), (1,), (2,))]
    check(nodes, inputs, every, ["y", "z", "w"], constants)


def test_sizes_that_are_not_positive_are_unknown() -> None:
    proto = model([node("Relu", ["x"], ["y"])], [tensor("x", (-1, 0, 2, "?", "?"))], ["y"])
    shape = from_onnx(proto)["main"].params[0].checked_type.shape
    assert [str(dim) for dim in shape] == ["x_0", "x_1", "2", "x_3", "x_4"]
    library = uir.build(from_onnx(proto))
    for sizes in ((1, 3, 2, 1, 2), (4, 1, 2, 3, 1)):
        x = RNG.standard_normal(sizes, np.float32)
        np.testing.assert_array_equal(np.from_dlpack(library["main"](x)), np.maximum(x, 0))


def test_symbolic_factors_are_refused_by_name() -> None:
    nodes = [*size("n", "x"), node("OneHot", ["i", "n", "values"], ["y"])]
    constants = [constant("values", np.array([0, 1], np.float32))]
    inputs = [tensor("x", ("n",)), tensor("i", (2,), INT64)]
    proto = model(nodes, inputs, ["y"], constants)
    with pytest.raises(UnsupportedModelError) as caught:
        from_onnx(proto)
    (problem,) = caught.value.nodes
    assert problem.reason == "input 1 depends on the symbolic dimension `n`"
    assert problem.help == "give numbers for `n`: `--shape x=n`, or `shapes` of `from_onnx`"
    assert str(caught.value).endswith(f"\n    help: {problem.help}")
    assert len(from_onnx(proto, shapes={"x": (3,)})["main"].params) == 2


def test_help_names_the_inputs_that_have_the_dimension() -> None:
    nodes = [
        node("Resize", ["image", "", "", "wanted"], ["y"], keep_aspect_ratio_policy="not_larger")
    ]
    inputs = [tensor("flag", (1,)), tensor("image", (1, 3, "H", "W"))]
    proto = model(nodes, inputs, ["y"], [constant("wanted", [1, 3, 8, 8])])
    with pytest.raises(UnsupportedModelError) as caught:
        from_onnx(proto)
    assert str(caught.value) == (
        "from_onnx: a node is not supported:\n"
        "  Resize `Resize_0`: keep_aspect_ratio_policy depends on the symbolic dimensions `H`, "
        "`W`\n"
        "    help: give numbers for `H`, `W`: `--shape image=1,3,H,W`, or `shapes` of `from_onnx`"
    )
