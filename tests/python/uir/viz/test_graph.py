"""Pictures of functions on tensors: their boxes, lines, times and folds."""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ElementTree
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from onnx import TensorProto, helper

import uir
from uir import runtime, script, te
from uir.frontend.onnx import from_onnx
from uir.ir import GlobalVar, IRModule
from uir.runtime import KernelProfile, Profile
from uir.viz import Drawing, graph

from ...support.readable import check_readable

NETWORK = """
@uir.script.ir_module
class Module:
    @relay.function
    def main(
        x: relay.Tensor((n, 8), "float32"),
        w: relay.Tensor((8, 8), "float32"),
        c: relay.Tensor((), "bool"),
    ):
        n = tir.SizeVar("n", "int32")
        y = relay.relu(x @ w)
        t = relay.split(y + x, axis=1, sections=2)
        a = t[0]
        b = t[1]
        if c:
            z = y @ w
        else:
            z = y * 2.0
        return a - b, Module.helper(z)

    @relay.function
    def helper(x: relay.Tensor((n, 8), "float32")):
        n = tir.SizeVar("n", "int32")
        return relay.exp(x)
"""
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def module() -> IRModule:
    found = script.parse(NETWORK, "net.py")
    assert isinstance(found, IRModule)
    return found


def edges(drawing: Drawing) -> set[tuple[str, str]]:
    steps = drawing.flow.steps
    return {(steps[one.source].name, steps[one.target].name) for one in drawing.flow.values}


def test_boxes_are_calls_and_lines_are_values(module: IRModule) -> None:
    drawing = graph(module)
    assert edges(drawing) == {
        ("x", "matmul"), ("w", "matmul"), ("matmul", "relu"), ("relu", "add"), ("x", "add"),
        ("add", "split"), ("split", "item 0"), ("split", "item 1"), ("item 0", "subtract"),
        ("item 1", "subtract"), ("c", "if"), ("relu", "if"), ("w", "if"), ("if", "helper"),
        ("subtract", "tuple"), ("helper", "tuple"), ("tuple", "result"),
    }  # fmt: skip
    typed = {(drawing.flow.steps[one.source].name, one.type) for one in drawing.flow.values}
    assert ("relu", "float32 (n, 8)") in typed
    assert ("split", "(float32 (n, 4), float32 (n, 4))") in typed


def test_a_loop_is_a_box_with_all_that_it_reads() -> None:
    text = """
@relay.function
def main(
    x: relay.Tensor((3,), "float32"),
    w: relay.Tensor((3,), "float32"),
    c: relay.Tensor((), "bool"),
):
    for s in relay.loop(c, [relay.exp(x)]):
        t = s * w
        z = (relay.less(relay.sum(t), 1.0), t)
    return z[0]
"""
    drawing = graph(IRModule({GlobalVar("main"): script.parse_function(text)}))
    assert edges(drawing) == {
        ("x", "exp"), ("exp", "loop"), ("c", "loop"), ("w", "loop"), ("loop", "item 0"),
        ("item 0", "result"),
    }  # fmt: skip


def test_values_go_down_and_boxes_do_not_overlap(module: IRModule) -> None:
    drawing = graph(module)
    boxes = drawing.places.boxes
    for value in drawing.flow.values:
        assert boxes[value.source][1] < boxes[value.target][1]
    for (x, y), (other_x, other_y) in combinations(boxes, 2):
        assert y != other_y or abs(x - other_x) >= 1


def test_the_picture_is_valid_and_escaped(module: IRModule, tmp_path: Path) -> None:
    drawing = graph(module)
    drawing.save(tmp_path / "g.svg")
    root = ElementTree.parse(tmp_path / "g.svg").getroot()
    boxes = [one for one in root.iter(f"{SVG}g") if one.get("class") != "value"]
    assert [one.findtext(f"{SVG}text") for one in boxes] == [one.name for one in drawing.flow.steps]
    assert len([*root.iter(f"{SVG}path")]) == len(drawing.flow.values)
    width, height = float(root.get("width", 0)), float(root.get("height", 0))
    for rect in root.iter(f"{SVG}rect"):
        x, y, w, h = (float(rect.get(key, "nan")) for key in ("x", "y", "width", "height"))
        assert x >= 0 and y >= 0 and x + w <= width and y + h <= height
    # Titles have the script of the steps.
    assert "relay.split(y + x" in "".join(root.itertext())
    assert "prefers-color-scheme" in drawing.to_svg()


def test_called_functions_are_folded_below(module: IRModule) -> None:
    drawing = graph(module)
    assert [one.title for one in drawing.parts] == ["helper"]
    page = drawing._repr_html_()
    assert page.count("<svg") == 2 and "<details><summary>helper</summary>" in page
    assert graph(module, name="helper").parts == ()


def test_a_profile_gives_times(module: IRModule) -> None:
    kernels = [
        KernelProfile("fused_matmul_relu", "net.py:11", 2, 4e-5, 2e-5, 2e-5, -1, -1),
        KernelProfile("helper", "net.py:23", 2, 2e-5, 1e-5, 1e-5, -1, -1),
        KernelProfile("other", "", 2, 1e-5, 1e-5, 1e-5, -1, -1),
    ]
    drawing = graph(module, profile=Profile("main", 2, 1e-4, kernels))
    times = {drawing.flow.steps[place].name: text for place, (text, _) in drawing.times.items()}
    assert times == {
        "matmul": "20.00 us, 40%", "relu": "20.00 us, 40%", "helper": "10.00 us, 20%"
    }  # fmt: skip
    assert drawing.notes == ("other (source unknown): 5.00 us, 10%",)
    assert "20.00 us, 40%" in drawing.to_svg() and "other (source" in drawing._repr_html_()


def test_times_are_readable_in_both_schemes(module: IRModule, tmp_path: Path) -> None:
    """The color behind a time is the stronger, the more of the whole the time is."""
    kernel = KernelProfile("fused_matmul_relu", "net.py:11", 2, 4e-5, 2e-5, 2e-5, -1, -1)
    drawing = graph(module, profile=Profile("main", 2, 4e-5, [kernel]))
    assert {share for _, share in drawing.times.values()} == {1.0}
    check_readable(drawing._repr_html_(), tmp_path)


def test_a_profile_gives_times_to_nodes_of_models() -> None:
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, [4])
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT, [4])
    node = helper.make_node("Exp", ["x"], ["y"], name="growth")
    module = from_onnx(helper.make_model(helper.make_graph([node], "model", [x], [y])))
    profile = runtime.profile(uir.build(module))(np.ones(4, "float32"))
    drawing = graph(module, profile=profile)
    (place,) = drawing.times
    assert (drawing.flow.steps[place].name, drawing.flow.steps[place].source) == ("exp", "growth")
    assert drawing.notes == ()


def test_steps_of_a_group_are_one_box(module: IRModule) -> None:
    drawing = graph(module, fold=lambda step: "front" if step.source == "net.py:11" else None)
    assert ("x", "front") in edges(drawing) and ("front", "add") in edges(drawing)
    (front,) = [one for one in drawing.flow.steps if one.kind == "group"]
    assert [one.name for one in front.members] == ["matmul", "relu"]
    assert "2 steps" in drawing.to_svg()


def test_groups_may_depend_on_each_other(module: IRModule) -> None:
    ends = {"matmul", "subtract"}
    drawing = graph(module, fold=lambda step: "ends" if step.name in ends else None)
    assert {("ends", "relu"), ("item 0", "ends")} <= edges(drawing)
    ElementTree.fromstring(drawing.to_svg())


def test_a_long_chain_is_drawn() -> None:
    body = "".join(f"        x{i + 1} = relay.exp(x{i})\n" for i in range(1500))
    text = f'    def main(x0: relay.Tensor((2,), "float32")):\n{body}        return x1500\n'
    module = script.parse(f"@uir.script.ir_module\nclass Module:\n    @relay.function\n{text}")
    assert len(graph(module).flow.values) == 1501


def test_mistakes_are_named(module: IRModule, monkeypatch: pytest.MonkeyPatch) -> None:
    x = te.placeholder((8,), "float32", name="x")
    prims = te.create_prim_func([x, te.compute((8,), lambda i: x[i] * 2.0, name="y")])
    with pytest.raises(TypeError, match="expected a function of relay, got `PrimFunc`"):
        graph(prims)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="mian"):
        graph(module, name="mian")
    monkeypatch.setitem(sys.modules, "igraph", None)
    with pytest.raises(ImportError, match=r"install `uir\[viz\]`"):
        graph(module)
