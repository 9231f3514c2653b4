"""Damaged and hostile models: an error says what is wrong, nothing else happens."""

from __future__ import annotations

import os
import time
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import external_data_helper, helper

from uir.frontend.onnx import Backend, from_onnx
from uir.frontend.onnx.functions import inline_functions

from .onnx_graphs import constant, model, tensor

node = helper.make_node


def saved(path: Path) -> bytes:
    """Write a small model; return its bytes."""
    w = np.arange(12, dtype=np.float32).reshape(3, 4)
    nodes = [
        node("MatMul", ["x", "w"], ["h"]),
        node("Reshape", ["h", "shape"], ["y"]),
        node("Softmax", ["y"], ["z"], axis=0),
    ]
    constants = [constant("w", w), constant("shape", [2, 2])]
    data = model(nodes, [tensor("x", (1, 3))], ["z"], constants).SerializeToString()
    path.write_bytes(data)
    return data


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="none.onnx"):
        from_onnx(tmp_path / "none.onnx")


def test_truncated_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "model.onnx"
    data = saved(path)
    for size in range(0, len(data), 7):
        path.write_bytes(data[:size])
        with pytest.raises((ValueError, NotImplementedError), match="from_onnx: "):
            from_onnx(path)


def test_changed_bytes_do_no_harm(tmp_path: Path) -> None:
    """A change is harmless, as in a name, or refused; nothing is written."""
    random, path = Random(5), tmp_path / "model.onnx"
    data = saved(path)
    refused = 0
    for _ in range(300):
        changed = bytearray(data)
        for _ in range(random.randint(1, 4)):
            changed[random.randrange(len(data))] = random.randrange(256)
        path.write_bytes(changed)
        try:
            from_onnx(path)
        except (ValueError, NotImplementedError) as error:
            assert str(error).startswith("from_onnx: ")
            refused += 1
    assert refused > 50
    assert list(tmp_path.iterdir()) == [path]


def test_cycles_are_refused() -> None:
    nodes = [node("Add", ["x", "b"], ["a"]), node("Exp", ["a"], ["b"])]
    with pytest.raises(ValueError, match="not a valid model.*b"):
        from_onnx(model(nodes, [tensor("x", (2,))], ["b"]))


@pytest.mark.parametrize(
    "change",
    [
        {"raw_data": bytes(4 * 4096 - 1)},
        {"data_type": onnx.TensorProto.UNDEFINED},
        {"data_type": onnx.TensorProto.STRING, "raw_data": bytes(8 * 4096)},
        {"dims": [-64, -64]},
        {"float_data": [1.0]},
        {"name": ""},
    ],
    ids=lambda change: "+".join(change),
)
def test_large_weights_are_checked(change: dict[str, Any]) -> None:
    """The message is that of the checker, which sees whole tensors without their elements."""
    weight = constant("w", np.zeros((64, 64), np.float32))
    proto = model([node("MatMul", ["x", "w"], ["y"])], [tensor("x", (64, 64))], ["y"], [weight])
    from_onnx(proto)
    (changed,) = proto.graph.initializer
    for name in change:
        changed.ClearField(name)
    changed.MergeFrom(onnx.TensorProto(**change))
    with pytest.raises(Exception) as of_checker:
        onnx.checker.check_model(proto)
    for given in (proto, proto.SerializeToString()):
        with pytest.raises(ValueError, match="from_onnx: the model is not a valid model") as ours:
            from_onnx(given)
        assert str(of_checker.value) in str(ours.value)


def test_segments_of_tensors_are_refused() -> None:
    weight = constant("w", np.zeros(2, np.float32))
    weight.segment.begin, weight.segment.end = 0, 1
    proto = model([node("Add", ["x", "w"], ["y"])], [tensor("x", (2,))], ["y"], [weight])
    with pytest.raises(ValueError, match="`w` is a segment of a tensor, not a whole one"):
        from_onnx(proto)


def external(
    place: str, location: str, offset: int = 0, length: int | None = 16
) -> onnx.ModelProto:
    """Return a model whose tensor `w` of 16 bytes is in a file: where `place` says."""
    weight = constant("w", np.zeros(4, np.float32))
    external_data_helper.set_external_data(weight, location, offset, length)
    weight.ClearField("raw_data")
    weight.data_location = onnx.TensorProto.EXTERNAL
    inputs, add = [tensor("x", (4,))], node("Add", ["x", "w"], ["y"])
    if place == "initializer":
        return model([add], inputs, ["y"], [weight])
    inner = [node("Constant", [], ["w"], value=weight), add]
    if place == "attribute":
        return model(inner, inputs, ["y"])
    if place == "branch":
        graph = helper.make_graph(inner, "branch", [], [tensor("y", (4,))])
        branches = {"then_branch": graph, "else_branch": graph}
        flag = constant("flag", np.array(True))
        return model([node("If", ["flag"], ["y"], **branches)], inputs, ["y"], [flag])
    function = helper.make_function(
        "own", "Shift", ["x"], ["y"], inner, [helper.make_opsetid("", 21)]
    )
    return model([node("Shift", ["x"], ["y"], domain="own")], inputs, ["y"], functions=[function])


PLACES = ["initializer", "attribute", "branch", "function"]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(
    ("data", "message"),
    [
        (("../secret",), r"\bw\b.*outside the directory"),
        (("/etc/passwd",), r"\bw\b.*absolute path"),
        (("missing.bin",), r"\bw\b.*missing.bin"),
        (("link.bin",), r"\bw\b.*symbolic link"),
        (("up/secret",), r"\bw\b.*outside model directory"),
        (("w.bin", 20), "offset.*exceeds.*w"),
        (("w.bin", 4), "length.*exceeds.*w"),
        (("w.bin", 0, 2**70), "length.*exceeds.*w"),
        (("w.bin", 0, 12), "`w` of shape .4. and data type float32 must have 16 bytes, got 12"),
        (("long.bin", 0, None), "`w` of shape .4. .* must have 16 bytes, got 20"),
    ],
    ids=lambda one: "" if isinstance(one, str) else "-".join(map(str, one)).replace("/", "-"),
)
def test_external_data_stays_in_its_folder(
    tmp_path: Path, place: str, data: tuple[Any, ...], message: str
) -> None:
    (tmp_path / "secret").write_bytes(bytes(16))
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "w.bin").write_bytes(bytes(16))
    (folder / "long.bin").write_bytes(bytes(20))
    (folder / "link.bin").symlink_to(tmp_path / "secret")
    (folder / "up").symlink_to(tmp_path)
    path = folder / "model.onnx"
    path.write_bytes(external(place, "w.bin").SerializeToString())
    assert len(from_onnx(path)["main"].body.bindings) > 0
    path.write_bytes(external(place, *data).SerializeToString())
    with pytest.raises(ValueError, match=f"(?s)^from_onnx: .*not a valid model.*{message}"):
        from_onnx(path)


@pytest.mark.parametrize("place", PLACES)
def test_bytes_have_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    """The current folder, which has the file, is not that of the model."""
    (tmp_path / "w.bin").write_bytes(bytes(16))
    monkeypatch.chdir(tmp_path)
    proto = external(place, "w.bin")
    for given in (proto, proto.SerializeToString()):
        with pytest.raises(
            ValueError, match="^from_onnx: the elements of `w`.* lie in other files"
        ):
            from_onnx(given)
        with pytest.raises(ValueError, match="give the path of the model's file"):
            Backend.prepare(given)
    onnx.load_external_data_for_model(proto, str(tmp_path))
    from_onnx(proto)


def test_a_pipe_is_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "model.onnx")
    with pytest.raises(ValueError, match="it is not a file"):
        from_onnx(tmp_path / "model.onnx")


def calls_of_calls(levels: int) -> onnx.ModelProto:
    """Return a model of functions each of which calls the next one twice."""
    imports = [helper.make_opsetid("", 21), helper.make_opsetid("own", 1)]
    bodies = [
        [
            node(f"F{place + 1}", ["x"], ["v"], domain="own"),
            node(f"F{place + 1}", ["v"], ["y"], domain="own"),
        ]
        for place in range(levels)
    ]
    bodies.append([node("Neg", ["x"], ["y"])])
    functions = [
        helper.make_function("own", f"F{place}", ["x"], ["y"], body, imports)
        for place, body in enumerate(bodies)
    ]
    nodes = [node("F0", ["x"], ["y"], domain="own")]
    return model(nodes, [tensor("x", (2,))], ["y"], functions=functions)


def test_functions_do_not_grow_without_limit() -> None:
    """They double at each level, and are counted before any of them is inlined."""
    assert len(from_onnx(calls_of_calls(6))["main"].body.bindings) == 64
    proto = calls_of_calls(80)
    assert len(proto.SerializeToString()) < 6000
    start = time.process_time()
    with pytest.raises(ValueError, match="expand to more than 100,000 nodes, most of them in `F0`"):
        from_onnx(proto)
    assert time.process_time() - start < 1


def test_functions_that_call_themselves_are_named() -> None:
    proto = calls_of_calls(3)
    proto.functions[3].node.append(node("F1", ["x"], ["z"], domain="own"))
    with pytest.raises(ValueError, match="F1.*F2.*F3"):
        from_onnx(proto)
    with pytest.raises(ValueError, match="`F1` calls `F2` calls `F3` calls `F1`"):
        inline_functions(proto)


@pytest.mark.parametrize(
    ("operator", "attributes"),
    [
        ("MaxPool", {"kernel_shape": [2**62, 2**62]}),
        ("MaxPool", {"kernel_shape": [2, 2], "strides": [0, 0]}),
        ("AveragePool", {"kernel_shape": [2, 2], "pads": [2**62] * 4}),
        ("DepthToSpace", {"blocksize": 2**40}),
        ("DepthToSpace", {"blocksize": 0}),
        ("Softmax", {"axis": 2**40}),
        ("Transpose", {"perm": [0, 1, 2, 2**40]}),
        ("Flatten", {"axis": -(2**40)}),
        ("Split", {"num_outputs": 10**9}),
    ],
)
def test_huge_attributes_are_refused(operator: str, attributes: dict[str, object]) -> None:
    nodes = [node(operator, ["x"], ["y"], **attributes)]
    with pytest.raises((ValueError, NotImplementedError), match="from_onnx: "):
        from_onnx(model(nodes, [tensor("x", (1, 4, 4, 4))], ["y"]))


@pytest.mark.parametrize("shape", [[2**40, 2**40], [2**62], [-5]])
def test_huge_tensors_are_not_made(shape: list[int]) -> None:
    nodes = [node("ConstantOfShape", ["shape"], ["y"])]
    with pytest.raises((ValueError, NotImplementedError, MemoryError)):
        Backend.prepare(model(nodes, [], ["y"], [constant("shape", shape)])).run([])


def test_deep_graphs_are_imported() -> None:
    """No function of the importer calls itself for each node."""
    count = 20_000
    nodes = [node("Relu", [f"v{place}"], [f"v{place + 1}"]) for place in range(count)]
    func = from_onnx(model(nodes, [tensor("v0", (2,))], [f"v{count}"]))["main"]
    assert len(func.body.bindings) == count


def test_runs_check_their_inputs() -> None:
    prepared = Backend.prepare(model([node("Relu", ["x"], ["y"])], [tensor("x", (2,))], ["y"]))
    with pytest.raises(ValueError, match="expected 1 inputs, got 2"):
        prepared.run([np.zeros(2), np.zeros(2)])
    with pytest.raises(ValueError, match="dimension 0 of `x` must be 2, got 3"):
        prepared.run([np.zeros(3, np.float32)])
    with pytest.raises(TypeError, match="`x` must have data type float32, got float64"):
        prepared.run([np.zeros(2)])
    with pytest.raises(ValueError, match="the device must be `CPU`, got `CUDA`"):
        Backend.prepare(model([], [tensor("x", (2,))], ["x"]), "CUDA")
