"""Reading and checking of models."""

from __future__ import annotations

import os
from math import prod
from os import PathLike, fspath
from pathlib import Path
from stat import S_ISREG
from typing import TypeAlias

import onnx
import onnx.checker
from google.protobuf.field_mask_pb2 import FieldMask  # type: ignore[import-untyped]
from google.protobuf.message import DecodeError, Message  # type: ignore[import-untyped]

from ..errors import Unsupported, UnsupportedModelError
from .functions import all_nodes
from .operators import is_own
from .tensor_data import UnknownFolder, all_tensors, check_sizes, refuse_external

__all__ = ["Model", "opset_of", "read_model"]

Model: TypeAlias = onnx.ModelProto | bytes | str | PathLike[str]

# What exporters of 2017 wrote.
OLDEST_OPSET = 6

# The version of the format in which initializers need not be inputs.
FIRST_WITH_CONSTANTS = 4

# What onnxruntime's optimizer writes into ONNX's own domain, and the version that has it; 0 for
# none.
FOREIGN = {"LayerNormalization": 17, "SimplifiedLayerNormalization": 0}
MICROSOFT = "com.microsoft"

# A tensor of fewer elements is checked with them.
FEWEST_ELEMENTS = 1024

INVALID = (onnx.checker.ValidationError, DecodeError, RuntimeError, ValueError)


def read_model(model: Model) -> onnx.ModelProto:
    """Return a model that ONNX's checker accepts.

    Raises
    ------
    OSError
        If the file cannot be read.
    ValueError
        If the file is damaged, the model is malformed (a cycle, a value that nothing defines), or
        its external data lies outside its folder or in a folder that is not known.
    """
    name = "the model" if isinstance(model, onnx.ModelProto | bytes) else f"`{fspath(model)}`"
    try:
        proto = _read(model)
        check_names(proto)
        check_sizes(proto)
        return proto
    except UnknownFolder as error:
        raise ValueError(f"from_onnx: {error}") from None
    except INVALID as error:
        raise ValueError(f"from_onnx: {name} is not a valid model: {error}") from error


def check_names(model: onnx.ModelProto) -> None:
    """Check that names are text; protobuf gives those that are not UTF-8 as bytes.

    Raises
    ------
    ValueError
        If one is not.
    """
    infos = (*model.graph.input, *model.graph.output)
    names = [model.graph.name, *(one.name for one in infos)]
    names += [
        dim.dim_param for one in infos for dim in one.type.tensor_type.shape.dim if dim.dim_param
    ]
    names += [tensor.name for tensor in all_tensors(model)]
    bodies = (model.graph.node, *(function.node for function in model.functions))
    for node in (node for body in bodies for node in all_nodes(body)):
        names += [node.name, node.op_type, node.domain, *node.input, *node.output]
        names += [name for one in node.attribute for name in (one.name, one.ref_attr_name)]
    for name in names:
        if not isinstance(name, str):
            raise ValueError(f"the name {name!r} is not UTF-8")


def _read(model: Model) -> onnx.ModelProto:
    if isinstance(model, onnx.ModelProto | bytes):
        proto = onnx.load_model_from_string(model) if isinstance(model, bytes) else model
        refuse_external(proto)
        if foreign_nodes(proto):
            copy = onnx.ModelProto()
            copy.CopyFrom(proto)
            proto = with_own_domain(copy)
        onnx.checker.check_model(_outline(proto))
        return proto
    path = fspath(model)
    # The checker does not tell a missing file from a damaged one, and waits for a pipe.
    if not S_ISREG(os.stat(path).st_mode):
        raise ValueError("it is not a file")
    with open(path, "rb"):
        pass
    try:
        onnx.checker.check_model(path)  # With the path, it looks at external data too.
    except onnx.checker.ValidationError:
        # It refuses inputs and outputs without a shape, operators of onnxruntime, and constants of
        # old formats that are not inputs, also where all else is right.
        proto = onnx.load(path, load_external_data=False)
        if not (_lacks_shapes(proto.graph) or foreign_nodes(proto) or _has_own_constants(proto)):
            raise
        onnx.load_external_data_for_model(proto, str(Path(path).parent))
        proto = with_own_domain(proto)
        onnx.checker.check_model(_outline(proto))
        return proto
    return onnx.load(path)


def foreign_nodes(model: onnx.ModelProto) -> list[onnx.NodeProto]:
    """Return the nodes of operators of onnxruntime that are said to be ONNX's own."""
    versions = [one.version for one in model.opset_import if is_own(one.domain)]
    return [
        node
        for node in all_nodes(model.graph.node)
        if is_own(node.domain)
        and node.op_type in FOREIGN
        and (not FOREIGN[node.op_type] or max(versions, default=0) < FOREIGN[node.op_type])
    ]


def with_own_domain(model: onnx.ModelProto) -> onnx.ModelProto:
    """Return a model after its operators of onnxruntime have got the domain that they are from."""
    nodes = foreign_nodes(model)
    for node in nodes:
        node.domain = MICROSOFT
    if nodes and all(one.domain != MICROSOFT for one in model.opset_import):
        model.opset_import.append(onnx.helper.make_opsetid(MICROSOFT, 1))
    return model


def _has_own_constants(model: onnx.ModelProto) -> bool:
    """Return whether a model has initializers that are not inputs, which its format forbids.

    Exporters wrote such models before version 4 of the format allowed it.
    """
    inputs = {one.name for one in model.graph.input}
    has = any(one.name not in inputs for one in model.graph.initializer)
    return has and model.ir_version < FIRST_WITH_CONSTANTS


def _lacks_shapes(graph: onnx.GraphProto) -> bool:
    return any(
        info.type.WhichOneof("value") in (None, "tensor_type")
        and not info.type.tensor_type.HasField("shape")
        for info in (*graph.input, *graph.output)
    )


def _add_shapes(graph: onnx.GraphProto) -> None:
    """Give inputs and outputs without a shape one, which the checker wants to be there."""
    for info in graph.output:
        if not info.HasField("type"):
            info.type.tensor_type.elem_type = onnx.TensorProto.FLOAT
    for info in (*graph.input, *graph.output):
        if info.type.WhichOneof("value") == "tensor_type":
            info.type.tensor_type.shape.SetInParent()


def _outline(model: onnx.ModelProto) -> onnx.ModelProto:
    """Return a model for the checker, which looks at its bytes.

    Large weights have no elements, each input and output has a shape, and initializers need not be
    inputs.
    """
    if not model.HasField("graph"):
        return model
    outline = onnx.ModelProto()
    _copy_fields(model, outline, without="graph")
    _copy_fields(model.graph, outline.graph, without="initializer")
    _add_shapes(outline.graph)
    if _has_own_constants(model):
        outline.ir_version = FIRST_WITH_CONSTANTS
    for tensor in model.graph.initializer:
        if _is_large_and_whole(tensor):
            outline.graph.initializer.add(name=tensor.name, data_type=tensor.data_type, dims=[0])
        else:
            outline.graph.initializer.append(tensor)
    return outline


def _copy_fields(source: Message, target: Message, without: str) -> None:
    names = [field.name for field, _ in source.ListFields() if field.name != without]
    FieldMask(paths=names).MergeMessage(source, target)


def _is_large_and_whole(tensor: onnx.TensorProto) -> bool:
    """Return whether a tensor has many elements, and the bytes of each of them."""
    size = prod(tensor.dims)
    is_known = tensor.data_type in onnx.helper.get_all_tensor_dtypes()
    if size < FEWEST_ELEMENTS or min(tensor.dims) < 0 or not is_known:
        return False
    dtype = onnx.helper.tensor_dtype_to_np_dtype(tensor.data_type)
    names = {field.name for field, _ in tensor.ListFields()}
    has_bytes_alone = names == {"dims", "data_type", "name", "raw_data"} and not dtype.hasobject
    return has_bytes_alone and len(tensor.raw_data) == size * dtype.itemsize


def opset_of(model: onnx.ModelProto) -> int:
    """Return the version of ONNX's own operators in a model; the newest if it uses none.

    Raises
    ------
    UnsupportedModelError
        If it is too old, or newer than the package `onnx`.
    """
    newest = onnx.defs.onnx_opset_version()
    versions = [one.version for one in model.opset_import if is_own(one.domain)]
    version = versions[0] if versions else newest
    if not OLDEST_OPSET <= version <= newest:
        reason = f"version {version} of the operators, not {OLDEST_OPSET} to {newest}; "
        reason += "`onnx.version_converter` converts models"
        raise UnsupportedModelError("from_onnx", [Unsupported(model.graph.name, "graph", reason)])
    return version
