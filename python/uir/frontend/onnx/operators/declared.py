"""Operators whose converters follow from the declarations of relay's operators.

A declaration names an operator of ONNX, as in `onnx="LeakyRelu@6"`. It is all that a converter
needs if both have the same operands and attributes of the same names.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import onnx

from uir_nodes.ir import Op, RelayExpr, list_op_names

from .... import relay
from ...tensors import dims, rank
from ..node import Converter, Node, Outputs

__all__ = ["declared_converters"]


SINGLE = onnx.defs.OpSchema.FormalParameterOption.Single


def declared_converters() -> dict[str, Converter]:
    """Return the converters that follow from declarations, by the names of ONNX's operators."""
    names = [name for name in list_op_names() if name.startswith("relay.")]
    found = {name: Op.get(name).get_attr("onnx") for name in names}
    return {
        operator: converter
        for name, text in found.items()
        if text is not None
        for operator in [str(text).partition("@")[0]]
        if (converter := _converter(Op.get(name), onnx.defs.get_schema(operator))) is not None
    }


def _converter(op: Op, schema: onnx.defs.OpSchema) -> Converter | None:
    """Return the converter of an operator; None if it needs code."""
    function: Callable[..., RelayExpr] = getattr(relay, op.name.removeprefix("relay."))
    operands = [info.name for info in op.arguments]
    attributes = {
        name: parameter
        for name, parameter in inspect.signature(function).parameters.items()
        if name not in (*operands, "span")
    }
    is_same = (
        len(schema.inputs) == len(operands)
        and schema.attributes.keys() <= attributes.keys()
        and all(
            name in schema.attributes or parameter.default is not inspect.Parameter.empty
            for name, parameter in attributes.items()
        )
    )
    is_variadic = [
        one.option == onnx.defs.OpSchema.FormalParameterOption.Variadic for one in schema.inputs
    ]
    if not is_same or is_variadic != [info.type_info.endswith("...") for info in op.arguments]:
        return None
    defaults = {
        name: onnx.helper.get_attribute_value(attribute.default_value)
        for name, attribute in schema.attributes.items()
        if attribute.default_value.name
    }
    flags = {name for name, parameter in attributes.items() if isinstance(parameter.default, bool)}

    def convert(node: Node) -> Outputs:
        values = _attributes(node, schema.attributes, defaults, flags)
        if is_variadic == [True]:
            return function(node.inputs(), **values)
        given = [
            node.input(place) if one.option == SINGLE else node.optional(place)
            for place, one in enumerate(schema.inputs)
        ]
        return function(*broadcast_along(node, given), **values)

    return convert


def broadcast_along(node: Node, operands: Sequence[RelayExpr | None]) -> Sequence[RelayExpr | None]:
    """Return operands; before version 7, `axis` told where the second one's shape begins."""
    axis = node.attribute("axis")
    if node.opset >= 7 or not node.flag("broadcast") or axis is None:
        return operands
    x, y = node.input(0), node.input(1)
    behind = rank(x) - axis % rank(x) - rank(y)
    return [x, relay.reshape(y, [*dims(y), *[1] * behind])]


def _attributes(
    node: Node, names: Mapping[str, object], defaults: Mapping[str, object], flags: set[str]
) -> dict[str, Any]:
    """Return the attributes of a node, which have the same names in relay."""
    values = {name: node.attribute(name, defaults.get(name)) for name in names}
    values = {name: one.decode() if isinstance(one, bytes) else one for name, one in values.items()}
    return {name: bool(one) if name in flags else one for name, one in values.items()}
