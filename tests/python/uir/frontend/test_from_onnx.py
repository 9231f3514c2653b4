"""Models of ONNX become modules: names, symbolic shapes, constants, branches, functions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import helper
from onnx.reference import ReferenceEvaluator

import uir
from uir import ir, relay, transform
from uir.frontend.onnx import (
    Backend,
    InternalError,
    UnknownElementsError,
    UnsupportedModelError,
    from_onnx,
)
from uir.frontend.onnx.expansion import is_defined
from uir.frontend.onnx.importer import SPECIAL
from uir.frontend.onnx.operators import converters
from uir.frontend.onnx.refusals import REFUSED
from uir.frontend.refusals import refused_rows

from .onnx_graphs import INT64, constant, model, tensor

node = helper.make_node
RNG = np.random.default_rng(3)


def run(proto: onnx.ModelProto, *args: Any, **options: Any) -> list[np.ndarray]:
    """Return the outputs of the references."""
    found = relay.evaluate(from_onnx(proto, **options), *args)
    return list(found) if isinstance(found, tuple) else [found]


def test_names_of_the_model_stay() -> None:
    nodes = [node("MatMul", ["in.put", "w"], ["h"], name="dense/1"), node("Elu", ["h"], ["out/1"])]
    w = RNG.standard_normal((4, 2), np.float32)
    func = from_onnx(model(nodes, [tensor("in.put", (3, 4))], ["out/1"], [constant("w", w)]))[
        "main"
    ]
    assert list(func.attrs["input_names"]) == ["in.put"]
    assert list(func.attrs["output_names"]) == ["out/1"]
    assert [param.name for param in func.params] == ["in.put"]
    spans = [binding.span.source_name.name for binding in func.body.bindings]
    assert spans[0] == "dense/1"
    assert set(spans[1:]) == {"Elu_1"}


def test_one_library_runs_every_batch() -> None:
    """Shapes are computed from the shape of the input, whose first dimension is symbolic."""
    nodes = [
        node("Shape", ["x"], ["shape"]),
        node("Gather", ["shape", "zero"], ["batch"], axis=0),
        node("Unsqueeze", ["batch", "axes"], ["batches"]),
        node("Concat", ["batches", "rest"], ["wanted"], axis=0),
        node("Reshape", ["x", "wanted"], ["flat"]),
        node("Mul", ["batches", "two"], ["double"]),
        node("Concat", ["double", "three"], ["halves"], axis=0),
        node("Reshape", ["flat", "halves"], ["y"]),
        node("Slice", ["flat", "zeros", "batches", "zeros"], ["z"]),
    ]
    constants = [
        constant("zero", np.int64(0)),
        constant("zeros", [0]),
        constant("axes", [0]),
        constant("rest", [6]),
        constant("two", [2]),
        constant("three", [3]),
    ]
    proto = model(nodes, [tensor("x", ("batch", 2, 3))], ["y", "z"], constants)
    library = uir.build(from_onnx(proto))
    for batch in (1, 3, 64):
        x = RNG.standard_normal((batch, 2, 3), np.float32)
        y, z = (np.from_dlpack(one) for one in library["main"](x))
        np.testing.assert_array_equal(y, x.reshape(2 * batch, 3))
        np.testing.assert_array_equal(z, x.reshape(batch, 6))


def test_equal_names_of_dimensions_are_one_variable() -> None:
    nodes = [node("Add", ["x", "y"], ["z"])]
    proto = model(nodes, [tensor("x", ("n", 2)), tensor("y", ("n", 2))], ["z"])
    x, y = (param.checked_type.shape[0] for param in from_onnx(proto)["main"].params)
    assert x.same_as(y)


def test_shapes_replace_those_of_the_model() -> None:
    proto = model([node("Relu", ["x"], ["y"])], [tensor("x", (3, 3))], ["y"])
    x = np.array([[-1, 2]], np.float32)
    np.testing.assert_array_equal(run(proto, x, shapes={"x": ("n", 2)})[0], [[0, 2]])


def test_elements_that_decide_shapes_are_asked_for() -> None:
    nodes = [node("Reshape", ["x", "shape"], ["h"]), node("Tile", ["h", "repeats"], ["y"])]
    inputs = [tensor("x", (2, 3)), tensor("shape", (1,), INT64), tensor("repeats", (1,), INT64)]
    proto = model(nodes, inputs, ["y"])
    with pytest.raises(UnknownElementsError, match="give them by `constants`") as caught:
        from_onnx(proto)
    assert caught.value.inputs == ["shape"]
    constants = {"shape": np.array([6]), "repeats": np.array([2])}
    x = RNG.standard_normal((2, 3), np.float32)
    (y,) = run(proto, x, constants=constants)
    np.testing.assert_array_equal(y, np.tile(x.reshape(-1), 2))


@pytest.mark.parametrize(
    ("constants", "message"),
    [
        ({"y": np.zeros(2)}, "the model has no input `y`; it has `x`"),
        ({"x": np.zeros(2)}, "`x` must have data type float32, got float64"),
        ({"x": np.zeros(3, np.float32)}, r"`x` must have shape \(2\), got \(3,\)"),
    ],
)
def test_constants_must_fit(constants: dict[str, np.ndarray], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        from_onnx(model([node("Relu", ["x"], ["y"])], [tensor("x", (2,))], ["y"]), None, constants)


def test_all_that_is_not_supported_is_listed() -> None:
    nodes = [
        node("ImageDecoder", ["x"], ["a"], name="first"),
        node("Relu", ["a"], ["b"]),
        node("Cast", ["x"], ["c"], to=onnx.TensorProto.FLOAT8E5M2),
        node("StringNormalizer", ["x"], ["d"], name="last"),
    ]
    with pytest.raises(UnsupportedModelError) as caught:
        from_onnx(model(nodes, [tensor("x", (2, 2))], ["b", "c", "d"]))
    assert [(one.node, one.operator, one.reason) for one in caught.value.nodes] == [
        (
            "first",
            "ImageDecoder",
            "no such operator in relay: text and images in files",
        ),
        ("Cast_2", "Cast", "data type float8e5m2"),
        (
            "last",
            "StringNormalizer",
            "no such operator in relay: text and images in files",
        ),
    ]
    assert "3 nodes are not supported:\n  ImageDecoder `first`: no such" in str(caught.value)


def test_refusals_name_the_nodes_of_the_user() -> None:
    """A node of a definition has the name and the place of the node that is defined by it."""
    imports = [helper.make_opsetid("", 21), helper.make_opsetid("own", 1)]
    body = [
        node("Relu", ["x"], ["t"], name="inside"),
        node("ImageDecoder", ["t"], ["u"]),
        node("StringNormalizer", ["t"], ["y"], name="also inside"),
    ]
    function = helper.make_function("own", "Odd", ["x"], ["y"], body, imports)
    outer = helper.make_function(
        "own", "Outer", ["x"], ["y"], [node("Odd", ["x"], ["y"], domain="own")], imports
    )
    nodes = [
        node("Exp", ["x"], ["a"]),
        node("Odd", ["a"], ["b"], domain="own", name="first"),
        node("Outer", ["a"], ["c"], domain="own"),
        *(node("StringNormalizer", ["a"], [f"d{place}"]) for place in range(5)),
        node("Constant", [], ["n"], value_int=4),
        node("BlackmanWindow", ["n"], ["e"], output_datatype=onnx.TensorProto.FLOAT8E5M2),
    ]
    with pytest.raises(UnsupportedModelError) as caught:
        from_onnx(model(nodes, [tensor("x", (2, 2))], ["e"], functions=[function, outer]))
    assert str(caught.value).splitlines()[1:] == [
        "  ImageDecoder `first`: no such operator in relay: text and images in files, in the "
        "definition of Odd",
        "  StringNormalizer `first`: no such operator in relay: text and images in files, in the "
        "definition of Odd",
        "  ImageDecoder `Outer_2`: no such operator in relay: text and images in files, in the "
        "definition of Outer",
        "  StringNormalizer `Outer_2`: no such operator in relay: text and images in files, in the "
        "definition of Outer",
        "  StringNormalizer `StringNormalizer_3`, `StringNormalizer_4`, `StringNormalizer_5` and 2 "
        "more: no such operator in relay: text and images in files",
        "  Cast `BlackmanWindow_9`: data type float8e5m2, in the definition of BlackmanWindow",
    ]


BRANCHED = """<ir_version: 10, opset_import: ["" : 21, "own" : 1]>
g (float[2, 2] x, bool c, bool e) => (float y) {
    z = Neg (x)
    y = If (c) <then_branch = t () => (float[1] v) <float8e5m2[1] k = {1}, int64 n = {4}> {
        a = BlackmanWindow <output_datatype = 19> (n)
        v = If (e) <then_branch = i () => (float v1) { v1 = StringNormalizer (x) },
            else_branch = j () => (float v2) { [named] v2 = own.Odd (x) }>
    }, else_branch = o () => (float w) { p = Exp (x)  w = own.Odd (p) }>
}
<domain: "own", opset_import: ["" : 21]>
Odd (x) => (y) {
    s = ReduceSum <keepdims = 0> (x)
    b = Cast <to = 9> (s)
    y = If (b) <then_branch = t () => (r) { r = StringNormalizer (x) },
        else_branch = f () => (q) { q = StringNormalizer (x) }>
}"""


BEHIND_UNKNOWN_ELEMENTS = """<ir_version: 10, opset_import: ["" : 21]>
g (float[2, 3] x, int64[2] size) => (float[3, 2] y) {
    c = Constant <value_int = 1> ()
    d = Cast <to = 9> (c)
    r = Reshape (x, size)
    y = If (d) <then_branch = t () => (float a) { a = Neg (r) },
        else_branch = e () => (float b) { b = Exp (r) }>
}"""


def test_a_branch_whose_nodes_wait_for_elements_asks_for_them() -> None:
    proto = onnx.parser.parse_model(BEHIND_UNKNOWN_ELEMENTS)
    with pytest.raises(UnknownElementsError, match="`size`"):
        from_onnx(proto)
    x = np.arange(6, dtype="float32").reshape(2, 3)
    (y,) = Backend.prepare(proto).run([x, np.array([3, 2])])
    np.testing.assert_array_equal(y, -x.reshape(3, 2))


def test_refusals_name_the_branch_of_a_node() -> None:
    with pytest.raises(UnsupportedModelError) as caught:
        from_onnx(onnx.parser.parse_model(BRANCHED))
    assert str(caught.value).splitlines()[1:] == [
        "  initializer `If_1.then.k`: data type float8e5m2",
        "  Cast `If_1.then.BlackmanWindow_0`: data type float8e5m2, in the definition of "
        "BlackmanWindow",
        "  StringNormalizer `If_1.then.If_1.then.StringNormalizer_0`: no such operator in "
        "relay: text and images in files",
        "  StringNormalizer `If_1.then.If_1.else.named`, `If_1.else.Odd_1`: no such operator in "
        "relay: text and images in files, in the definition of Odd",
    ]


def test_sources_of_calls_in_branches_name_the_branch() -> None:
    then, other = branches()
    nodes = [node("If", ["c"], ["y"], name="choose", then_branch=then, else_branch=other)]
    proto = model(nodes, [tensor("c", (), onnx.TensorProto.BOOL), tensor("x", (2,))], ["y"])
    func = from_onnx(proto)["main"]
    (chosen,) = [one.value for one in func.body.bindings if isinstance(one.value, relay.If)]
    blocks = (chosen.true_branch, chosen.false_branch)
    names = [one.span.source_name.name for block in blocks for one in block.bindings]
    assert names == ["choose.then.Exp_0", "choose.else.Neg_0"]


def test_operands_that_do_not_fit_are_located() -> None:
    proto = model([node("MatMul", ["x", "x"], ["y"], name="product")], [tensor("x", (2, 3))], ["y"])
    with pytest.raises(UnsupportedModelError, match="MatMul `product`: relay.matmul: operand `b`"):
        from_onnx(proto)


@pytest.mark.parametrize("fault", [KeyError, TypeError, AttributeError, ValueError, IndexError])
def test_faults_inside_are_no_refusals(
    fault: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_: object) -> None:
        raise fault("mode")

    monkeypatch.setitem(converters(""), "Relu", broken)
    proto = model([node("Relu", ["x"], ["y"], name="here")], [tensor("x", (2,))], ["y"])
    with pytest.raises(InternalError, match=r"internal error at Relu `here`.*\n.*report") as caught:
        from_onnx(proto)
    assert isinstance(caught.value.__cause__, fault)


def branches() -> list[onnx.GraphProto]:
    """Return two graphs that use a value of the outer one."""
    nodes = node("Exp", ["x"], ["a"]), node("Neg", ["x"], ["b"])
    return [helper.make_graph([one], "branch", [], [tensor(one.output[0], (2,))]) for one in nodes]


def test_a_branch_is_chosen_when_it_runs() -> None:
    then, other = branches()
    nodes = [node("If", ["c"], ["y"], then_branch=then, else_branch=other)]
    proto = model(nodes, [tensor("c", (), onnx.TensorProto.BOOL), tensor("x", (2,))], ["y"])
    library, x = uir.build(from_onnx(proto)), np.array([1, 2], np.float32)
    found = [np.from_dlpack(library["main"](np.array(flag), x)) for flag in (True, False)]
    np.testing.assert_allclose(found, [np.exp(x), -x], rtol=1e-6)


def test_a_known_condition_chooses_a_branch() -> None:
    then, other = branches()
    nodes = [node("If", ["c"], ["y"], then_branch=then, else_branch=other)]
    proto = model(nodes, [tensor("x", (2,))], ["y"], [constant("c", np.array(False))])
    func = from_onnx(proto)["main"]
    assert [binding.value.op.name for binding in func.body.bindings] == ["relay.negative"]


def test_weights_may_be_nodes() -> None:
    """A weight in a node is folded as one in an initializer."""
    w = RNG.standard_normal((64, 32), np.float32)
    nodes = [
        node("Constant", [], ["w"], value=onnx.numpy_helper.from_array(w)),
        node("Transpose", ["w"], ["t"]),
        node("MatMul", ["x", "t"], ["y"]),
    ]
    module = from_onnx(model(nodes, [tensor("x", (2, 32))], ["y"]))
    folded = transform.FoldConstant()(module)
    (product,) = [binding.value for binding in folded["main"].body.bindings]
    assert isinstance(product.args[1], relay.Constant)
    np.testing.assert_array_equal(np.from_dlpack(product.args[1].data), w.T)


def test_functions_of_the_model_are_inlined() -> None:
    body = [node("Mul", ["a", "a"], ["s"]), node("Sqrt", ["s"], ["b"])]
    length = helper.make_function(
        "own", "Length", ["a"], ["b"], body, [helper.make_opsetid("", 21)]
    )
    proto = model(
        [node("Length", ["x"], ["y"], domain="own")], [tensor("x", (2,))], ["y"], functions=[length]
    )
    np.testing.assert_allclose(run(proto, np.array([-3, 4], np.float32))[0], [3, 4])


def test_operators_that_onnx_defines_by_others() -> None:
    proto = model([node("HardSwish", ["x"], ["y"])], [tensor("x", (3,))], ["y"])
    (y,) = run(proto, np.array([-4, 0, 3], np.float32))
    np.testing.assert_allclose(y, [0, 0, 3], atol=1e-6)


def test_operators_that_onnx_defines_may_leave_operands_out() -> None:
    """The inliner of ONNX asks for the types of operands that are left out."""
    options = {"q_num_heads": 2, "kv_num_heads": 2, "update_rule": "gated"}
    attention = node("LinearAttention", ["q", "k", "v", "", "d"], ["y", "s"], **options)
    inputs = [tensor(name, (1, 3, 4)) for name in "qkvd"]
    proto = model([attention], inputs, ["y", "s"], opset=27)
    operands = RNG.uniform(-1, 0, (4, 1, 3, 4)).astype(np.float32)
    expected = ReferenceEvaluator(proto).run(None, dict(zip("qkvd", operands, strict=True)))
    for found, wanted in zip(run(proto, *operands), expected, strict=True):
        np.testing.assert_allclose(found, wanted, 1e-5, 1e-6)


def test_operators_of_the_preview_have_definitions() -> None:
    twice = helper.make_graph(
        [node("Add", ["s", "s"], ["t"])],
        "scores",
        [tensor("s", "abcd")],
        [tensor("t", "abcd")],
    )
    attention = node(
        "FlexAttention", ["q", "k", "v"], ["y"], domain="ai.onnx.preview", score_mod=twice
    )
    proto = model([attention], [tensor(name, (1, 2, 3, 4)) for name in "qkv"], ["y"], opset=26)
    proto.opset_import.append(helper.make_opsetid("ai.onnx.preview", 1))
    q, k, v = RNG.standard_normal((3, 1, 2, 3, 4), np.float32)
    weights = np.exp(q @ k.swapaxes(2, 3))
    (found,) = run(proto, q, k, v)
    np.testing.assert_allclose(found, weights / weights.sum(3, keepdims=True) @ v, 1e-4, 1e-5)


def test_softmax_of_old_versions_covers_the_axes_that_follow() -> None:
    proto = model([node("Softmax", ["x"], ["y"])], [tensor("x", (2, 3, 4))], ["y"], opset=11)
    x = RNG.standard_normal((2, 3, 4), np.float32)
    wide = np.exp(x - x.max((1, 2), keepdims=True))
    np.testing.assert_allclose(run(proto, x)[0], wide / wide.sum((1, 2), keepdims=True), rtol=1e-6)


def test_old_versions_broadcast_along_an_axis() -> None:
    nodes = [node("Add", ["x", "b"], ["y"], broadcast=1, axis=1)]
    proto = model(nodes, [tensor("x", (2, 3, 4)), tensor("b", (3,))], ["y"], opset=6)
    x, b = RNG.standard_normal((2, 3, 4), np.float32), np.arange(3, dtype=np.float32)
    np.testing.assert_allclose(run(proto, x, b)[0], x + b[:, None])


def test_versions_out_of_range_are_refused() -> None:
    proto = model([node("Relu", ["x"], ["y"])], [tensor("x", (2,))], ["y"], opset=5)
    with pytest.raises(UnsupportedModelError, match="version 5 of the operators, not 6 to 28"):
        from_onnx(proto)


def test_weights_of_external_data(tmp_path: Path) -> None:
    w = RNG.standard_normal((64, 64), np.float32)
    proto = model(
        [node("MatMul", ["x", "w"], ["y"])], [tensor("x", (1, 64))], ["y"], [constant("w", w)]
    )
    path = tmp_path / "model.onnx"
    onnx.save(proto, path, save_as_external_data=True, location="weights.bin", size_threshold=0)
    x = RNG.standard_normal((1, 64), np.float32)
    for source in (path, str(path)):
        np.testing.assert_allclose(relay.evaluate(from_onnx(source), x), x @ w, rtol=1e-5)


def test_bytes_are_a_model() -> None:
    proto = model([node("Relu", ["x"], ["y"])], [tensor("x", (2,))], ["y"])
    assert ir.structural_equal(from_onnx(proto.SerializeToString()), from_onnx(proto))


def test_inputs_with_an_initializer_are_constants() -> None:
    """Models before version 4 of the format list their weights among the inputs."""
    inputs = [tensor("x", (2,)), tensor("w", (2,))]
    weights = [constant("w", np.array([2, 3], np.float32))]
    proto = model([node("Mul", ["x", "w"], ["y"])], inputs, ["y"], weights)
    assert [param.name for param in from_onnx(proto)["main"].params] == ["x"]


@pytest.mark.parametrize("kind", ["proto", "file"])
def test_weights_of_old_formats_need_not_be_inputs(tmp_path: Path, kind: str) -> None:
    """Exporters left them out before version 4 of the format allowed it."""
    weights = [constant("w", np.array([2, 3], np.float32))]
    proto = model([node("Mul", ["x", "w"], ["y"])], [tensor("x", (2,))], ["y"], weights)
    proto.ir_version = 3
    path = tmp_path / "m.onnx"
    path.write_bytes(proto.SerializeToString())
    module = from_onnx(proto if kind == "proto" else path)
    np.testing.assert_array_equal(relay.evaluate(module, np.array([1, -1], np.float32)), [2, -3])
    assert proto.ir_version == 3
    proto.graph.node[0].input[0] = "z"
    path.write_bytes(proto.SerializeToString())
    with pytest.raises(ValueError, match="is not a valid model"):
        from_onnx(proto if kind == "proto" else path)


def test_a_model_needs_outputs() -> None:
    proto = model([node("Relu", ["x"], ["y"])], [tensor("x", (2,))], [])
    with pytest.raises(ValueError, match="from_onnx: the model has no outputs"):
        from_onnx(proto)


def test_every_operator_is_supported_or_in_the_table_of_refusals() -> None:
    """Once, and those that ONNX defines by others are supported too, but for the table."""
    newest = {
        (one.domain, one.name): one
        for one in onnx.defs.get_all_schemas()
        if one.domain in ("", "ai.onnx.ml") and not one.deprecated
    }
    table = [
        (domain, name)
        for domain, of_domain in REFUSED.items()
        for names in of_domain.values()
        for name in names.split()
    ]
    assert len(table) == len(set(table))
    for domain, name in newest:
        special = domain == "" and name in SPECIAL
        supported = name in converters(domain) or special
        defined = domain == "" and is_defined(name)
        assert supported != ((domain, name) in table) or defined, name


def test_the_page_lists_the_table_of_refusals() -> None:
    page = (Path(__file__).parents[4] / "docs" / "models" / "onnx.md").read_text()
    assert "\n".join(refused_rows(REFUSED)) in page


@pytest.mark.parametrize("kind", ["proto", "file"])
def test_outputs_without_a_shape_have_the_inferred_one(tmp_path: Path, kind: str) -> None:
    proto = model([node("Relu", ["x"], ["y"])], [tensor("x", ("n", 2))], ["y"])
    proto.graph.output[0].type.tensor_type.ClearField("shape")
    path = tmp_path / "m.onnx"
    path.write_bytes(proto.SerializeToString())
    func = from_onnx(proto if kind == "proto" else path)["main"]
    assert str(func.ret_type) == 'relay.Tensor((n, 2), "float32")'


def test_inputs_without_a_shape_need_one() -> None:
    proto = model([node("Relu", ["x"], ["y"])], [tensor("x", ("n", 2))], ["y"])
    proto.graph.input[0].type.tensor_type.ClearField("shape")
    with pytest.raises(UnsupportedModelError, match="input `x`: no shape: give it by `shapes`"):
        from_onnx(proto)
    (y,) = run(proto, np.array([-1, 2], np.float32), shapes={"x": (2,)})
    np.testing.assert_array_equal(y, [0, 2])


def squeezing(compared: int = 1) -> onnx.ModelProto:
    """Return a model that drops the first axis if its size is a number, and else negates."""
    squeeze = helper.make_graph(
        [node("Squeeze", ["x", "first"], ["a"])], "then", [], [tensor("a", ("n",))]
    )
    keep = helper.make_graph([node("Neg", ["x"], ["b"])], "else", [], [tensor("b", ("m", "n"))])
    nodes = [
        node("Shape", ["x"], ["shape"], end=1),
        node("Equal", ["shape", "compared"], ["condition"]),
        node("If", ["condition"], ["y"], then_branch=squeeze, else_branch=keep),
    ]
    constants = [constant("compared", [compared]), constant("first", [0])]
    return model(nodes, [tensor("x", ("m", "n"))], ["y"], constants)


def test_sizes_choose_a_branch() -> None:
    """The branches have different ranks, so that only one of them can be in the function."""
    proto = squeezing()
    x = RNG.standard_normal((1, 3), np.float32)
    for options in ({"sizes": {"m": 1}}, {"shapes": {"x": (1, "n")}}):
        np.testing.assert_array_equal(run(proto, x, **options)[0], x[0])
    two = RNG.standard_normal((2, 3), np.float32)
    np.testing.assert_array_equal(run(proto, two, sizes={"m": 2})[0], -two)
    with pytest.raises(ValueError, match="no input has a dimension `k`; there are `m`, `n`"):
        from_onnx(proto, sizes={"k": 1})


def test_an_axis_of_symbolic_size_is_dropped_and_calls_check_the_size() -> None:
    library = uir.build(from_onnx(squeezing()))
    x = RNG.standard_normal((1, 3), np.float32)
    np.testing.assert_array_equal(np.from_dlpack(library["main"](x)), x[0])
    with pytest.raises(ValueError, match="m == 1"):
        library["main"](RNG.standard_normal((2, 3), np.float32))
    with pytest.raises(UnsupportedModelError, match="branches of the types"):
        from_onnx(squeezing(compared=2))


def test_an_axis_is_dropped_in_a_branch() -> None:
    """The sum behind it fits both ranks, so that no size is refused."""
    inner = squeezing().graph
    then = helper.make_graph(
        [*inner.node, node("ReduceSum", ["y"], ["s"], keepdims=0)],
        "then",
        [],
        [tensor("s", ())],
        list(inner.initializer),
    )
    other = helper.make_graph(
        [node("ReduceMax", ["x"], ["t"], keepdims=0)], "else", [], [tensor("t", ())]
    )
    nodes = [node("If", ["flag"], ["r"], then_branch=then, else_branch=other)]
    inputs = [tensor("x", ("m", "n")), tensor("flag", (), onnx.TensorProto.BOOL)]
    library = uir.build(from_onnx(model(nodes, inputs, ["r"])))
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    for flag, data, wanted in ((True, x, -15), (True, x[:1], 3), (False, x, 5)):
        assert np.from_dlpack(library["main"](data, np.array(flag))) == wanted
