"""Damaged models of ONNX end in documented refusals that name a node, or in lowered modules."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter

import onnx
import pytest
from onnx import helper

from uir import relay
from uir.frontend.onnx import UnsupportedModelError, from_onnx
from uir.ir import structural_equal

from .onnx_bases import parsed
from .onnx_graphs import constant, model, tensor

deep = pytest.mark.deep
node = helper.make_node


@pytest.mark.parametrize(
    ("first", "end", "kind"),
    [
        (0, 250, "bases"),
        (0, 150, "microsoft"),
        pytest.param(250, 4250, "bases", marks=deep),
        pytest.param(150, 3000, "microsoft", marks=deep),
        pytest.param(0, 3000, "suite", marks=deep),
    ],
)
def test_mutants_are_imported_or_refused(first: int, end: int, kind: str) -> None:
    """They run in a process of their own, which a mutant may end: its seed is in the last line."""
    command = [sys.executable, "-m", "tests.python.uir.frontend.onnx_mutants"]
    process = subprocess.run([*command, str(first), str(end), kind], capture_output=True, text=True)
    lines = process.stdout.splitlines()
    assert process.returncode == 0, f"{process.returncode}: {lines[-1:]}\n{process.stderr}"
    assert len(lines) == end - first
    assert [line for line in lines if " FAULT " in line] == []
    outcomes = Counter(line.split()[2] for line in lines)
    assert min(outcomes[kind] for kind in ("lowered", "refused", "unsupported")) > len(lines) / 20


REFUSED = {
    "float[2] x, int8 c) => (float[2] y) { y = If (c) <then_branch = t () => (float[2] a) "
    "{ a = Neg (x) }, else_branch = e () => (float[2] b) { b = Exp (x) }> }": (
        "If `If_0`: the condition must be of data type bool, got int8"
    ),
    "float[2] x, bool c) => (float[2] y, float[2] z) { y, z = If (c) <then_branch = t () => "
    "(float[2] a) { a = Neg (x) }, else_branch = e () => (float[2] b) { b = Exp (x) }> }": (
        "If `If_0`: 2 outputs, and a branch has 1"
    ),
    "float[2, 3] x) => (float[2] y) <int64 i = {5}> { s = Shape (x) y = Gather (s, i) }": (
        "Gather `Gather_1`: constants that have no result: .*5"
    ),
    "float[1, 2, n] x) => (float y) <int64 i = {5}> { s = Shape (x) y = Gather (s, i) }": (
        "Gather `Gather_1`: index 5 is out of bounds"
    ),
    "float[1, 2, 4] x) => (float y) { y = LpPool <kernel_shape = [2], p = 0> (x) }": (
        "LpPool `LpPool_0`: `p` must not be 0"
    ),
    "int64[2] x) => (int64[2] y) <int64[0] a = {}, int64 b = {1}> { y = Range (a, b, b) }": (
        "Range `Range_0`: input 0 must have one element, got 0"
    ),
    "float[n, 3] x) => (float[n, 3] y) <int64[1] a = {-9223372036854775808}, int64[1] b = {3}, "
    "int64[1] c = {0}> { y = Slice (x, a, b, c, a) }": "Slice `Slice_0`: a size that its data type",
    "float[1, 2, 4] x) => (float y) { y = MaxPool <kernel_shape = [1], "
    "strides = [9223372036854775807]> (x) }": "MaxPool `MaxPool_0`: `strides` beyond int32",
    "float[9223372036854775807, 2] x) => (float[2] y) { y = Neg (x) }": "input `x`: TensorType: .*",
}


@pytest.mark.parametrize("text", REFUSED)
def test_refusals_name_the_node(text: str) -> None:
    with pytest.raises(UnsupportedModelError, match=REFUSED[text]):
        from_onnx(parsed(f"g ({text}"))


def test_attributes_of_functions_and_bad_text_are_refused() -> None:
    pad = node("Pad", ["x", "pads"], ["y"], "pad", mode=b"\xff")
    proto = model([pad], [tensor("x", (2,))], ["y"], [constant("pads", [1, 1])])
    with pytest.raises(UnsupportedModelError, match="Pad `pad`: attribute `mode` is not UTF-8"):
        from_onnx(proto)
    proto.graph.node[0].attribute[0].ref_attr_name = "other"
    with pytest.raises(UnsupportedModelError, match="Pad `pad`: attribute `mode` refers to"):
        from_onnx(proto)


def of_function(body: list[onnx.NodeProto], inputs: list[str]) -> onnx.ModelProto:
    """Return a model that calls a function, whose operand is `p` and whose value `q`."""
    function = helper.make_function("own", "f", ["p"], ["q"], body, [helper.make_opsetid("", 21)])
    call = node("f", inputs, ["y"], "call", domain="own")
    return model([call], [tensor("x", (2,))], ["y"], functions=[function])


def test_a_missing_operand_is_named() -> None:
    with pytest.raises(UnsupportedModelError, match="Neg `.*`: input 0 is missing"):
        from_onnx(of_function([node("Neg", ["p"], ["q"])], [""]))


def test_outputs_that_nothing_defines_are_named() -> None:
    with pytest.raises(ValueError, match="^from_onnx: the model does not define its output `y`"):
        from_onnx(of_function([node("Neg", ["p"], ["r"])], ["x"]))


def test_names_are_text() -> None:
    data = model([node("Neg", ["x"], ["name"])], [tensor("x", (2,))], ["name"]).SerializeToString()
    with pytest.raises(ValueError, match="from_onnx: .* not a valid model: .*not UTF-8"):
        from_onnx(data.replace(b"name", b"n\xffme"))


def test_calls_with_too_many_operands_are_named() -> None:
    proto = of_function([node("Neg", ["p"], ["q"])], ["x", "x"])
    with pytest.raises(ValueError, match="f `call` has 2 inputs, and its function 1"):
        from_onnx(proto)


def test_stated_types_are_no_more_than_hints() -> None:
    """Those that contradict the graph keep no operator from being replaced by its definition."""
    proto = model(
        [node("SoftmaxCrossEntropyLoss", ["x", "labels"], ["y"], reduction="none")],
        [tensor("x", (2, 3)), tensor("labels", (2,), 7)],
        ["y"],
    )
    proto.graph.output[0].CopyFrom(tensor("y", (7, 7, 7)))
    assert structural_equal(from_onnx(proto)["main"].ret_type, relay.Tensor([2], "float32"))
