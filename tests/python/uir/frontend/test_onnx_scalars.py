"""Tensors of rank 0 in every operator, and nodes of constants alone, against onnx.reference."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
import pytest
from onnx import helper
from onnx.reference import ReferenceEvaluator

import uir
from uir import relay
from uir.frontend.onnx import InternalError, UnknownElementsError, UnsupportedModelError, from_onnx
from uir.frontend.onnx.expansion import is_defined
from uir.frontend.onnx.operators import converters

from .onnx_graphs import constant, model

node = helper.make_node
OPSET = onnx.defs.onnx_opset_version()

# The first data type that an operator takes is tried.
SCALARS = {
    "tensor(float)": np.float32(0.75),
    "tensor(int64)": np.int64(2),
    "tensor(bool)": np.bool_(True),
}

# Attributes that have no default.
ATTRIBUTES: dict[str, dict[str, Any]] = {
    "Cast": {"to": onnx.TensorProto.DOUBLE},
    "BitShift": {"direction": "LEFT"},
    "Constant": {"value_float": 1.0},
    "Concat": {"axis": 0},
    "Einsum": {"equation": "->"},
}

# The reference makes a result of another rank than the text of ONNX says.
OF_ANOTHER_RANK = ("LpNormalization",)


def schemas() -> dict[str, onnx.defs.OpSchema]:
    """Return the operators that the importer converts or expands, by name."""
    return {
        schema.name: schema
        for schema in onnx.defs.get_all_schemas()
        if schema.domain == ""
        and not schema.deprecated
        and (schema.name in converters() or is_defined(schema.name))
    }


def scalars_of(schema: onnx.defs.OpSchema) -> list[np.ndarray] | None:
    """Return an operand of rank 0 for each input; None if an input has no type of `SCALARS`."""
    allowed = {one.type_param_str: one.allowed_type_strs for one in schema.type_constraints}
    operands = []
    for place in range(schema.min_input):
        name = schema.inputs[min(place, len(schema.inputs) - 1)].type_str
        fitting = [value for key, value in SCALARS.items() if key in allowed.get(name, [name])]
        if not fitting:
            return None
        operands.append(np.array(fitting[0]))
    return operands


def model_of(schema: onnx.defs.OpSchema, operands: list[np.ndarray]) -> onnx.ModelProto:
    names = [f"x{place}" for place in range(len(operands))]
    outputs = [f"y{place}" for place in range(max(1, schema.min_output))]
    inputs = [
        helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(x.dtype), ())
        for name, x in zip(names, operands, strict=True)
    ]
    only = node(schema.name, names, outputs, **ATTRIBUTES.get(schema.name, {}))
    return model([only], inputs, outputs[:1], opset=OPSET)


@pytest.mark.parametrize("is_constant", [False, True])
def test_every_operator_of_scalars(is_constant: bool) -> None:
    """Where the reference has a result, ours is it, or the operator is refused by name."""
    agreed, refused = [], []
    for name, schema in sorted(schemas().items()):
        operands = scalars_of(schema)
        if operands is None:
            continue
        proto = model_of(schema, operands)
        feeds = {info.name: x for info, x in zip(proto.graph.input, operands, strict=True)}
        try:
            module = from_onnx(proto, constants=feeds if is_constant else {})
            given = [] if is_constant else list(operands)
            is_random = len(module["main"].params) > len(given)
            if is_random:
                given.append(np.zeros(2, np.uint32))  # The state of random numbers.
            found = relay.evaluate(module, *given)
        except (UnsupportedModelError, UnknownElementsError, ValueError) as error:
            assert not isinstance(error, InternalError)
            refused.append(name)
            continue
        try:
            wanted = np.asarray(ReferenceEvaluator(proto).run(None, feeds)[0])
        except Exception:
            continue  # The reference has no result of rank 0 for many operators.
        ours = np.asarray(found[0] if isinstance(found, tuple) else found)
        if name not in OF_ANOTHER_RANK:
            assert ours.shape == wanted.shape, name
        if not is_random:
            np.testing.assert_allclose(ours, wanted, rtol=1e-5, atol=1e-6, err_msg=name)
        agreed.append(name)
    assert len(agreed) > 80
    assert not {"Celu", "Softmax", "LogSoftmax", "Hardmax", "ArgMax", "ReduceMax"} & {*refused}
    allowed = {"BatchNormalization", "Flatten", "Gemm", "InstanceNormalization", "MatMul"}
    assert allowed <= {*refused}


def test_compiled_scalars() -> None:
    names = ("Celu", "Softmax", "LogSoftmax", "Hardmax", "ArgMax", "LayerNormalization")
    nodes = [
        node(name, ["x", "x"] if name == "LayerNormalization" else ["x"], [name]) for name in names
    ]
    x = helper.make_tensor_value_info("x", onnx.TensorProto.FLOAT, ())
    library = uir.build(from_onnx(model(nodes, [x], names)))
    found = [np.from_dlpack(one) for one in library["main"](np.array(-0.5, np.float32))]
    assert [one.shape for one in found] == [()] * len(names)
    assert [one.item() for one in found] == pytest.approx([np.expm1(-0.5), 1, 0, 1, 0, 0])


RNG = np.random.default_rng(7)


def operands_of(*shapes: tuple[int, ...]) -> list[np.ndarray]:
    return [RNG.standard_normal(shape).astype(np.float32) for shape in shapes]


# Operators of constants: the attributes, and the shapes of the operands after the first one.
OF_CONSTANTS: dict[str, tuple[dict[str, Any], tuple[int, ...], list[tuple[int, ...]]]] = {
    "AveragePool": ({"kernel_shape": [2, 2], "ceil_mode": 1}, (2, 5, 5), []),
    "Celu": ({"alpha": 2.0}, (3,), []),
    "Conv": ({"pads": [1, 1, 1, 1], "strides": [2, 2]}, (2, 5, 5), [(4, 2, 3, 3), (4,)]),
    "ConvTranspose": ({}, (2, 5), [(2, 3, 3)]),
    "Gemm": ({}, (3,), [(3, 4), (4,)]),
    "GlobalAveragePool": ({}, (2, 5, 5), []),
    "GroupNormalization": ({"num_groups": 2}, (4, 3), [(4,), (4,)]),
    "InstanceNormalization": ({}, (4, 3), [(4,), (4,)]),
    "LRN": ({"size": 3}, (4, 3, 2), []),
    "LayerNormalization": ({}, (3,), [(3,)]),
    "LpPool": ({"kernel_shape": [2, 2]}, (2, 5, 5), []),
    "MatMul": ({}, (3,), [(3, 4)]),
    "MaxPool": ({"kernel_shape": [2]}, (2, 5), []),
    "Mish": ({}, (3,), []),
    "Softmax": ({}, (3,), []),
}


@pytest.mark.parametrize("batch", [2, 0])
@pytest.mark.parametrize("name", OF_CONSTANTS)
def test_nodes_of_constants(name: str, batch: int) -> None:
    """What only has initializers has the result that inputs would have, also for no images."""
    attributes, first, others = OF_CONSTANTS[name]
    operands = operands_of((batch, *first), *others)
    names = [f"c{place}" for place in range(len(operands))]
    nodes = [node(name, names, ["y"], **attributes)]
    constants = [constant(key, x) for key, x in zip(names, operands, strict=True)]
    folded = relay.evaluate(from_onnx(model(nodes, [], ["y"], constants)))
    inputs = [
        helper.make_tensor_value_info(key, onnx.TensorProto.FLOAT, x.shape)
        for key, x in zip(names, operands, strict=True)
    ]
    # A size of 0 stands for an unknown one in a model.
    shapes = {key: x.shape for key, x in zip(names, operands, strict=True)}
    given = relay.evaluate(from_onnx(model(nodes, inputs, ["y"]), shapes=shapes), *operands)
    assert folded.shape == given.shape and folded.shape[0] == batch
    np.testing.assert_array_equal(folded, given)
