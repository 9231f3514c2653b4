"""Operators of the domain `ai.onnx.ml` that replace, encode and join features."""

from __future__ import annotations

from math import isnan

import numpy as np
from onnx import numpy_helper

from uir_nodes.ir import RelayExpr

from .... import relay
from ...errors import Refused
from ...tensors import Array, dims, dims_of_rank, dtype_of, in_type, least, number, rank, scalar
from ..node import Converter, Node, data_type
from .classifier_scores import row

__all__ = ["CONVERTERS"]


def imputer(node: Node) -> RelayExpr:
    """Replace a number, or NaN, by a number for each column or one for all."""
    x = node.input(0)
    if rank(x) not in (1, 2):
        raise Refused(f"a tensor of rank {rank(x)}, which must be 1 or 2")
    is_float = dtype_of(x).startswith("float")
    old = node.attribute("replaced_value_float" if is_float else "replaced_value_int64", 0)
    name = "imputed_value_floats" if is_float else "imputed_value_int64s"
    new = node.attribute(name)
    width = dims(x)[-1]
    if not new or (isinstance(width, int) and len(new) not in (1, width)):
        raise Refused(f"{len(new or [])} `{name}` of {width} columns")
    is_old = relay.isnan(x) if isnan(old) else relay.equal(x, scalar(old, x))
    return relay.where(is_old, row(np.array(new, np.float32 if is_float else np.int64), x), x)


def listed(node: Node, what: str) -> Array:
    """Return the keys or the values of a table.

    Raises
    ------
    Refused
        If they are texts, or missing.
    """
    if node.attribute(f"{what}_strings") or node.attribute("classes_strings"):
        raise Refused(f"{what} that are texts")
    tensor = node.attribute(f"{what}_tensor")
    if tensor is not None:
        data_type(tensor.data_type)
        return numpy_helper.to_array(tensor).reshape(-1)
    for kind, dtype in (("int64s", np.int64), ("floats", np.float32)):
        if node.attribute(f"{what}_{kind}"):
            return np.array(node.attribute(f"{what}_{kind}"), dtype)
    raise Refused(f"the {what} of the table are missing")


def default_of(node: Node, dtype: str) -> float:
    """Return the value of elements without a key."""
    tensor = node.attribute("default_tensor")
    if tensor is not None:
        found = numpy_helper.to_array(tensor).reshape(-1)
        if str(found.dtype) != dtype or len(found) != 1:
            raise Refused(f"`default_tensor` is not one element of {dtype}")
        return found.tolist()[0]  # type: ignore[no-any-return]
    if dtype == "float32":
        return node.attribute("default_float", -0.0)  # type: ignore[no-any-return]
    return node.attribute("default_int64", -1)  # type: ignore[no-any-return]


def label_encoder(node: Node) -> RelayExpr:
    """Replace keys by their values, and other elements by the default.

    Raises
    ------
    Refused
        If keys or values are texts, or a key has two values.
    """
    x, keys, values = node.input(0), listed(node, "keys"), listed(node, "values")
    if len(keys) != len(values):
        raise Refused(f"{len(keys)} keys and {len(values)} values")
    if str(keys.dtype) != dtype_of(x):
        raise Refused(f"keys of data type {keys.dtype} and elements of {dtype_of(x)}")
    default = default_of(node, str(values.dtype))
    other = number(default, str(values.dtype))
    is_number = ~np.isnan(keys)
    result = found_values(node.bind(x), keys[is_number], values[is_number], other)
    if is_number.all():
        return result
    of_nan = values[~is_number]
    return relay.where(relay.isnan(x), relay.const(of_nan[:1].reshape(())), result)


def found_values(x: RelayExpr, keys: Array, values: Array, other: RelayExpr) -> RelayExpr:
    """Return the values of keys, which a search by halves finds; others become `other`."""
    order = np.argsort(keys, kind="stable")
    keys, values = keys[order], values[order]
    if np.any(keys[1:] == keys[:-1]):
        raise Refused("a key that has two values")
    if not len(keys):
        return relay.broadcast_to(other, dims(x))
    last = len(keys) - 1
    table = relay.const(keys)
    place = relay.broadcast_to(number(0, "int64"), dims(x))
    for bit in reversed(range(last.bit_length())):
        further = relay.minimum(relay.add(place, number(1 << bit, "int64")), number(last, "int64"))
        is_below = relay.less_equal(relay.take(table, further, 0, mode="clip"), x)
        place = relay.where(is_below, further, place)
    is_key = relay.equal(relay.take(table, place, 0, mode="clip"), x)
    return relay.where(is_key, relay.take(relay.const(values), place, 0, mode="clip"), other)


def one_hot_encoder(node: Node) -> RelayExpr:
    """Return 1 at the place of the category of each element, else 0, as float32 `(*x, places)`.

    Without `zeros`, the call fails if an element has no category.
    """
    x, categories = node.input(0), node.attribute("cats_int64s")
    if not categories:
        raise Refused("categories that are texts, or none")
    cats = relay.const(np.array(categories, np.int64))
    whole = relay.expand_dims(in_type(x, "int64"), [-1])
    is_category = relay.equal(whole, cats)
    if node.flag("zeros", True):
        return relay.cast(is_category, "float32")
    numbers = relay.cast(is_category, "int64")
    place = relay.argmax(numbers, -1)
    has_one = relay.max(is_category, [-1])
    count = number(len(categories), "int64")
    return relay.take(
        relay.const(np.eye(len(categories), dtype=np.float32)),
        relay.where(has_one, place, count),
        0,
    )


def feature_vectorizer(node: Node) -> RelayExpr:
    """Join the columns of matrices as float32; `inputdimensions` says how many of each.

    A matrix with fewer columns is padded with 0.
    """
    counts, inputs = node.attribute("inputdimensions"), node.inputs()
    if not counts or len(counts) != len(inputs):
        raise Refused(f"{len(counts or [])} `inputdimensions` of {len(inputs)} inputs")
    parts = []
    for x, count in zip(inputs, counts, strict=True):
        width = dims_of_rank(x, 2)[1]
        if not isinstance(width, int):
            raise Refused("a matrix of a symbolic number of columns")
        kept = relay.strided_slice(x, [0], [least(width, count)], axes=[1])
        padded = relay.pad(kept, [0, 0], [0, max(count - width, 0)])
        parts.append(in_type(padded, "float32"))
    return relay.concatenate(parts, axis=1)


CONVERTERS: dict[str, Converter] = {
    "FeatureVectorizer": feature_vectorizer,
    "Imputer": imputer,
    "LabelEncoder": label_encoder,
    "OneHotEncoder": one_hot_encoder,
    "ZipMap": lambda node: node.input(0),
}
