"""Changes of one plain field in the saved form of an object.

In: JSON that `save_json` has written, and the schema.  Out: the places of fields of numbers, words
and data types that structural equality comes to, and the JSON with another value in one of them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tschema.ir.model import Field, Schema, Type

__all__ = ["Place", "change", "places"]

NUMBERS = {f"{kind}{bits}" for kind in ("int", "uint") for bits in (8, 16, 32, 64)}
CHANGEABLE = NUMBERS | {"bool", "float32", "float64", "DataType", "enum"}
"""What stands in the data of a node itself, and has a neighbour of its kind."""
INLINE = CHANGEABLE | {"Device"}
SEQUENCES = {"ffi.Array", "ffi.List"}
MAPS = {"ffi.Map", "ffi.Dict"}


@dataclass(frozen=True)
class Place:
    """A field of one of the saved nodes."""

    node: int
    type: Type
    field: Field


def places(saved: str, schema: Schema, *, ignored: bool = False) -> list[Place]:
    """Return the places of plain arguments that count, or of plain ones that do not."""
    graph = json.loads(saved)
    found = []
    for index in _reached(graph, schema):
        type_ = _type(graph["nodes"][index], schema)
        for field in schema.arguments(type_) if type_ is not None else ():
            if (field.structural == "ignore") == ignored and _is_plain(graph, index, field):
                found.append(Place(index, type_, field))
    return found


def change(saved: str, place: Place) -> str:
    """Return JSON with another value at a place; a loader may refuse it."""
    graph = json.loads(saved)
    data = graph["nodes"][place.node]["data"]
    old = data[place.field.name]
    if place.field.type.kind == "String":
        text = graph["nodes"][old]["data"]
        graph["nodes"].append({"type": "ffi.String", "data": text + "'"})
        data[place.field.name] = len(graph["nodes"]) - 1
    else:
        data[place.field.name] = _another(old)
    return json.dumps(graph)


def _another(old: Any) -> Any:
    if isinstance(old, bool):
        return not old
    if isinstance(old, int):
        return old ^ 1
    if isinstance(old, str):
        return "int64" if old != "int64" else "int32"
    return 0.5 if old != 0.5 else 1.5


def _is_plain(graph: Any, index: int, field: Field) -> bool:
    if field.type.kind == "String":
        value = graph["nodes"][index]["data"][field.name]
        return bool(graph["nodes"][value]["type"] == "ffi.String")
    return field.type.kind in CHANGEABLE


def _type(node: Any, schema: Schema) -> Type | None:
    """Return the declared type of a saved node."""
    if not isinstance(node.get("data"), dict):
        return None
    return schema.type(node["type"])


def _reached(graph: Any, schema: Schema) -> list[int]:
    """Return the nodes that are reached by fields that count and by values of maps."""
    reached: list[int] = []
    waiting = [graph["root_index"]]
    while waiting:
        index = waiting.pop()
        if index not in reached:
            reached.append(index)
            waiting += _below(graph["nodes"][index], schema)
    return reached


def _below(node: Any, schema: Schema) -> Iterator[int]:
    type_ = _type(node, schema)
    if type_ is not None:
        for field in schema.fields(type_):
            value = node["data"][field.name]
            if field.structural != "ignore" and field.type.kind not in INLINE:
                yield value
    elif node["type"] in SEQUENCES:
        yield from node["data"]
    elif node["type"] in MAPS:
        yield from node["data"][1::2]
