"""The bytes of a model's tensors: those in other files, and how many there are."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

import onnx

from .functions import all_nodes
from .node import DATA_TYPES

__all__ = ["UnknownFolder", "all_tensors", "check_sizes", "refuse_external"]


class UnknownFolder(Exception):
    """Tensors lie in other files, and the folder of the model is not known."""


def all_tensors(model: onnx.ModelProto) -> Iterator[onnx.TensorProto]:
    """Yield the tensors of a model: initializers, and attributes of nodes, also in subgraphs."""
    yield from initializers(model.graph)
    bodies = (model.graph.node, *(function.node for function in model.functions))
    for node in (node for body in bodies for node in all_nodes(body)):
        for attribute in node.attribute:
            if attribute.HasField("t"):
                yield attribute.t
            yield from attribute.tensors
            for sparse in (attribute.sparse_tensor, *attribute.sparse_tensors):
                yield from (sparse.values, sparse.indices)
            for graph in (attribute.g, *attribute.graphs):
                yield from initializers(graph)


def initializers(graph: onnx.GraphProto) -> Iterator[onnx.TensorProto]:
    """Yield the initializers of a graph, without its nodes."""
    yield from graph.initializer
    for sparse in graph.sparse_initializer:
        yield from (sparse.values, sparse.indices)


def refuse_external(model: onnx.ModelProto) -> None:
    """Refuse tensors in other files, for a model whose folder is not known.

    Raises
    ------
    UnknownFolder
        If there are such tensors.
    """
    names = [one.name for one in all_tensors(model) if is_external(one)]
    if not names:
        return
    others = f" and {len(names) - 1} more tensors" if len(names) > 1 else ""
    raise UnknownFolder(
        f"the elements of `{names[0]}`{others} lie in other files, whose folder is not known: give "
        "the path of the model's file, or first call "
        "`onnx.load_external_data_for_model(model, folder)`"
    )


def is_external(tensor: onnx.TensorProto) -> bool:
    """Return whether the data of a tensor is in a file of its own."""
    return tensor.data_location == onnx.TensorProto.EXTERNAL


def check_sizes(model: onnx.ModelProto) -> None:
    """Check that tensors are whole, and have as many bytes as their shapes say.

    Raises
    ------
    ValueError
        If one has fewer or more, or is a segment of a tensor.
    """
    for tensor in all_tensors(model):
        if tensor.HasField("segment"):
            raise ValueError(f"tensor `{tensor.name}` is a segment of a tensor, not a whole one")
        if tensor.data_type not in DATA_TYPES:
            continue
        if not tensor.HasField("raw_data"):
            check_count(tensor)
            continue
        dtype = onnx.helper.tensor_dtype_to_np_dtype(tensor.data_type)
        expected, found = prod(tensor.dims) * dtype.itemsize, len(tensor.raw_data)
        if found != expected:
            shape = ", ".join(map(str, tensor.dims))
            raise ValueError(
                f"tensor `{tensor.name}` of shape ({shape}) and data type {dtype} must have "
                f"{expected} bytes, got {found}"
            )


def check_count(tensor: onnx.TensorProto) -> None:
    """Check that a tensor without raw bytes has as many elements as its shape says.

    Raises
    ------
    ValueError
        If it has fewer or more.
    """
    found = len(getattr(tensor, onnx.helper.tensor_dtype_to_field(tensor.data_type)))
    if min(tensor.dims, default=0) < 0 or found != prod(tensor.dims):
        shape = ", ".join(map(str, tensor.dims))
        raise ValueError(
            f"tensor `{tensor.name}` of shape ({shape}) must have as many elements, got {found}"
        )
