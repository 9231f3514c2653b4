"""Calls of relay as nodes of ONNX, which others run: a second opinion on the references.

In: a call and arrays for its operands.  Out: a model of one node, or None where ONNX has no such
operator, attribute or data type.  An operator whose declaration names one of ONNX with the same
operands and attributes needs no rule; `FORMS` has the others.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import tvm_ffi
from onnx import ModelProto, TensorProto, defs, helper
from onnx.reference import ReferenceEvaluator

from uir import ir, relay
from uir.relay.dimensions import Dimensions

from .evaluation import Array

__all__ = ["FORMS", "WITHOUT", "Form", "Model", "form_of", "node_of", "run_by_reference"]


class Form(NamedTuple):
    """A node: its operator, what comes behind the operands, and its attributes."""

    operator: str
    inputs: Sequence[Any] = ()
    attributes: Mapping[str, Any] = MappingProxyType({})


Attributes = dict[str, Any]
Make = Callable[[Attributes, list[Any]], Form | None]
"""Makes a node of the attributes of a call and its operands: arrays, None or lists of arrays."""


def _integers(values: Any) -> Array:
    return np.array(values, np.int64)


def _axes(operator: str) -> Make:
    def make(given: Attributes, operands: list[Any]) -> Form:
        axes = given["axis"]
        # No axes at all are all of them in ONNX, unless the attribute says otherwise.
        more = {"noop_with_empty_axes": 1} if axes is not None and not axes else {}
        inputs = [] if axes is None else [_integers(axes)]
        return Form(operator, inputs, {"keepdims": int(given["keepdims"]), **more})

    return make


def _extremum(operator: str) -> Make:
    def make(given: Attributes, operands: list[Any]) -> Form | None:
        if given["axis"] is None:
            return None
        last = int(given["select_last"])
        keep = int(given["keepdims"])
        return Form(
            operator, [], {"axis": given["axis"], "keepdims": keep, "select_last_index": last}
        )

    return make


def _window(operator: str, *names: str) -> Make:
    def make(given: Attributes, operands: list[Any]) -> Form:
        renamed = {"groups": "group", "kernel": "kernel_shape"}
        attributes = {renamed.get(name, name): given[name] for name in names}
        attributes["auto_pad"] = given["auto_pad"].upper()
        if given["auto_pad"] != "notset":
            attributes["pads"] = None
        return Form(operator, [], attributes)

    return make


def _split(given: Attributes, operands: list[Any]) -> Form | None:
    if given["sizes"] is None:
        return None
    return Form("Split", [_integers(given["sizes"])], {"axis": given["axis"]})


def _slice(given: Attributes, operands: list[Any]) -> Form:
    begin, end = given["begin"], given["end"]
    axes = list(range(len(begin))) if given["axes"] is None else given["axes"]
    strides = [1] * len(begin) if given["strides"] is None else given["strides"]
    return Form("Slice", [_integers(one) for one in (begin, end, axes, strides)])


def _pad(given: Attributes, operands: list[Any]) -> Form | None:
    if given["mode"] == "symmetric":
        return None
    rank = operands[0].ndim
    axes = range(rank) if given["axes"] is None else given["axes"]
    widths = [0] * (2 * rank)
    for axis, before, after in zip(axes, given["before"], given["after"], strict=True):
        widths[axis % rank], widths[axis % rank + rank] = before, after
    # The value is the third input, behind the widths.
    value = operands.pop() if len(operands) > 1 else None
    return Form("Pad", [_integers(widths), value], {"mode": given["mode"]})


def _topk(given: Attributes, operands: list[Any]) -> Form:
    k = _integers([given["k"]])
    return Form("TopK", [k], {"axis": given["axis"], "largest": int(given["largest"])})


def _take(given: Attributes, operands: list[Any]) -> Form | None:
    if given["axis"] is None or given["mode"] != "raise":
        return None
    return Form("Gather", [], {"axis": given["axis"]})


def _cast(given: Attributes, operands: list[Any]) -> Form:
    name = str(given["dtype"])
    renamed = {"float32": "FLOAT", "float64": "DOUBLE"}
    return Form("Cast", [], {"to": getattr(TensorProto, renamed.get(name, name.upper()))})


def _mod(given: Attributes, operands: list[Any]) -> Form | None:
    # Of floating-point numbers ONNX has the truncated one alone.
    if not given["truncated"] and operands[0].dtype.kind not in "iu":
        return None
    return Form("Mod", [], {"fmod": int(given["truncated"])})


def _squeeze(given: Attributes, operands: list[Any]) -> Form:
    return Form("Squeeze", [] if given["axes"] is None else [_integers(given["axes"])])


def _layer_norm(given: Attributes, operands: list[Any]) -> Form | None:
    if operands[1] is None:
        return None
    return Form("LayerNormalization", [], {"axis": given["axis"], "epsilon": given["epsilon"]})


FORMS: dict[str, Make] = {
    "argmax": _extremum("ArgMax"),
    "argmin": _extremum("ArgMin"),
    "avg_pool": _window(
        "AveragePool", "kernel", "strides", "pads", "dilations", "ceil_mode", "count_include_pad"
    ),
    "batch_norm": lambda given, operands: Form(
        "BatchNormalization", [], {"epsilon": given["epsilon"]}
    ),
    "broadcast_to": lambda given, operands: Form("Expand", [_integers(given["shape"])]),
    "cast": _cast,
    "concatenate": lambda given, operands: Form("Concat", [], {"axis": given["axis"]}),
    "conv": _window("Conv", "strides", "pads", "dilations", "groups"),
    "expand_dims": lambda given, operands: Form("Unsqueeze", [_integers(given["axes"])]),
    "gather_nd": lambda given, operands: Form("GatherND", [], {"batch_dims": given["batch_dims"]}),
    "gelu": lambda given, operands: Form(
        "Gelu", [], {"approximate": "tanh" if given["approximate"] else "none"}
    ),
    "layer_norm": _layer_norm,
    "left_shift": lambda given, operands: Form("BitShift", [], {"direction": "LEFT"}),
    "max": _axes("ReduceMax"),
    "max_pool": _window("MaxPool", "kernel", "strides", "pads", "dilations", "ceil_mode"),
    "mean": _axes("ReduceMean"),
    "min": _axes("ReduceMin"),
    "mod": _mod,
    "pad": _pad,
    "prod": _axes("ReduceProd"),
    "reshape": lambda given, operands: Form(
        "Reshape", [_integers(given["shape"])], {"allowzero": int(given["allowzero"])}
    ),
    "right_shift": lambda given, operands: Form("BitShift", [], {"direction": "RIGHT"}),
    "scatter_elements": lambda given, operands: Form(
        "ScatterElements", [], {"axis": given["axis"], "reduction": given["reduction"]}
    ),
    "scatter_nd": lambda given, operands: Form("ScatterND", [], {"reduction": given["reduction"]}),
    "split": _split,
    "squeeze": _squeeze,
    "strided_slice": _slice,
    "sum": _axes("ReduceSum"),
    "take": _take,
    "take_along_axis": lambda given, operands: Form("GatherElements", [], {"axis": given["axis"]}),
    "tile": lambda given, operands: Form("Tile", [_integers(given["repeats"])]),
    "topk": _topk,
    "transpose": lambda given, operands: Form("Transpose", [], {"perm": given["axes"]}),
}
"""How calls of operators become nodes; None where ONNX has no such attribute."""

WITHOUT = {
    "arange": "`Range` takes its bounds as operands",
    "attention": "`Attention` has no infinite rows that are 0, and data types of its own",
    "batch_norm_training": "the results of the training mode have another order",
    "conv_transpose": "the shapes that `auto_pad` and `output_shape` give differ",
    "cumprod": "the reference of `CumProd` takes its axis as an operand",
    "cumsum": "`CumSum` takes its axis as an operand",
    "expm1": "there is no such operator",
    "floor_divide": "there is no such operator",
    "full": "`ConstantOfShape` takes its value as an attribute",
    "group_norm": "`GroupNormalization` needs a scale and a bias",
    "gru": "`GRU` takes the weights of the input too",
    "integer_conv": "`ConvInteger` takes integers of 8 bits",
    "integer_matmul": "`MatMulInteger` takes integers of 8 bits",
    "layer_norm_with_statistics": "tested by `layer_norm`",
    "log1p": "there is no such operator",
    "lstm": "`LSTM` takes the weights of the input too",
    "matmul_n_bits": "`onnx.reference` lacks `MatMulNBits`",
    "max_pool_with_indices": "indices of ONNX count over the whole tensor",
    "non_max_suppression": "the rows that count have another shape",
    "nonzero": "the rows that count have another shape",
    "not_equal": "there is no such operator",
    "resize": "`onnx.reference` reads beyond edges, and lacks axes",
    "rnn": "`RNN` takes the weights of the input too",
    "rsqrt": "there is no such operator",
    "shape_of": "a type, and no values",
    "tree_leaves": "nodes of `ai.onnx.ml` sum the weights of leaves",
}
"""Why an operator is not held against ONNX."""


def form_of(call: relay.Call, operands: list[Any], dimensions: Dimensions) -> Form | None:
    """Return the node of ONNX that computes a call; None if there is none."""
    name = call.op.name.removeprefix("relay.")
    given = attributes_of(call, dimensions)
    if name in WITHOUT:
        return None
    if name in FORMS:
        return FORMS[name](given, operands)
    operator = _declared(name)
    if operator is None:
        return None
    names = defs.get_schema(operator).attributes
    if any(value != _defaults(name)[key] for key, value in given.items() if key not in names):
        return None
    return Form(operator, [], {key: value for key, value in given.items() if key in names})


@cache
def _declared(name: str) -> str | None:
    """Return the operator of ONNX that a declaration names, if it has as many operands."""
    op = ir.Op.get(f"relay.{name}")
    text = op.get_attr("onnx")
    if text is None:
        raise LookupError(f"`{name}` needs an entry in `FORMS` or `WITHOUT`")
    operator = str(text).partition("@")[0]
    schema = defs.get_schema(operator)
    if schema.max_input < len(op.arguments):
        raise LookupError(f"`{name}` needs an entry in `FORMS` or `WITHOUT`")
    return operator


@cache
def _defaults(name: str) -> dict[str, Any]:
    parameters = inspect.signature(getattr(relay, name)).parameters
    return {key: one.default for key, one in parameters.items()}


def attributes_of(call: relay.Call, dimensions: Dimensions) -> dict[str, Any]:
    """Return the attributes of a call as plain values."""

    def plain(value: Any) -> Any:
        return dimensions.value(value) if isinstance(value, ir.PrimExpr) else value

    found = {}
    for name in vars(type(call.attrs)).get("__annotations__", {}) if call.attrs else ():
        value = getattr(call.attrs, name)
        is_list = isinstance(value, tvm_ffi.Array)
        found[name] = [plain(one) for one in value] if is_list else plain(value)
    return found


class Model(NamedTuple):
    """A model of one node, and the arrays that it takes by name."""

    proto: ModelProto
    given: dict[str, Array]


def run_by_reference(model: Model) -> list[Array] | None:
    """Return what `onnx.reference` computes for a node; None if it cannot."""
    try:
        with np.errstate(all="ignore"):
            found = ReferenceEvaluator(model.proto).run(None, model.given)
    except Exception:
        # It does not implement all that ONNX's text allows, and fails in many ways.
        return None
    return [np.asarray(one) for one in found]


def node_of(call: relay.Call, operands: list[Any], dimensions: Dimensions) -> Model | None:
    """Return the node of ONNX that computes a call; None if there is none.

    Parameters
    ----------
    call
        The call.
    operands
        An array for each operand: None for an absent one, a list for a variadic one.
    dimensions
        The values of symbolic dimensions, which attributes may have.
    """
    arrays = [one for each in operands for one in (each if isinstance(each, list) else [each])]
    form = form_of(call, arrays, dimensions)
    if form is None or not _is_exact(form, arrays):
        return None
    inputs = [*arrays, *form.inputs]
    while inputs and inputs[-1] is None:
        inputs.pop()
    schema = defs.get_schema(form.operator)
    if not _has_types(schema, inputs):
        return None
    names = ["" if one is None else f"x{place}" for place, one in enumerate(inputs)]
    fields = getattr(call.checked_type, "fields", None)
    outputs = [f"y{place}" for place in range(1 if fields is None else len(fields))]
    attributes = {name: one for name, one in form.attributes.items() if one not in (None, [])}
    node = helper.make_node(form.operator, names, outputs, **attributes)
    given = {name: one for name, one in zip(names, inputs, strict=True) if name}
    types = [
        helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(one.dtype), one.shape)
        for name, one in given.items()
    ]
    results = [helper.make_empty_tensor_value_info(name) for name in outputs]
    graph = helper.make_graph([node], "node", types, results)
    opset = helper.make_opsetid("", defs.onnx_opset_version())
    return Model(helper.make_model(graph, opset_imports=[opset]), given)


def _is_exact(form: Form, arrays: list[Any]) -> bool:
    """Return whether the numbers of a node are `float32`, as ONNX stores attributes."""
    numbers = [one for one in form.attributes.values() if isinstance(one, float)]
    is_wide = any(one is not None and one.dtype == np.float64 for one in arrays)
    return not is_wide or all(float(np.float32(one)) == one for one in numbers)


def _has_types(schema: Any, inputs: list[Any]) -> bool:
    """Return whether ONNX's operator takes operands of these data types."""
    accepted = {one.type_param_str: one.allowed_type_strs for one in schema.type_constraints}
    for place, array in enumerate(inputs):
        formal = schema.inputs[min(place, len(schema.inputs) - 1)]
        if array is None:
            continue
        kinds = accepted.get(formal.type_str, [formal.type_str])
        name = str(array.dtype).replace("float64", "double")
        name = "float" if name == "float32" else name
        if f"tensor({name})" not in kinds:
            return False
    return True
