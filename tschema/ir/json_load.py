"""Models out of the JSON text that `json_dump.py` has made of them.

In: what the JSON module reads.  Out: the models.  It trusts the text: what others may have written
is for `codec.py`.
"""

from __future__ import annotations

from typing import TypeVar

from tschema.ir.model import (
    Default,
    Enum,
    EnumMember,
    Field,
    Function,
    Layout,
    Method,
    Model,
    Options,
    Parameter,
    Raised,
    Restatement,
    Type,
    TypeRef,
)

__all__ = ["load_model"]

_M = TypeVar("_M", bound=Model)

_PARTS: dict[type[Model], dict[str, type[Model]]] = {
    TypeRef: {"args": TypeRef},
    Field: {"type": TypeRef, "default": Default},
    Restatement: {"default": Default},
    Parameter: {"type": TypeRef, "default": Default},
    Method: {"params": Parameter, "returns": TypeRef, "raises": Raised},
    Function: {"params": Parameter, "returns": TypeRef, "raises": Raised},
    Enum: {"members": EnumMember},
    Type: {
        "options": Options,
        "fields": Field,
        "restated": Restatement,
        "methods": Method,
        "layout": Layout,
    },
}
"""The models in other models, by the names of the members that hold one or many."""


def load_model(kind: type[_M], data: dict[str, object]) -> _M:
    """
    Return the model that a JSON object stands for.

    Parameters
    ----------
    kind
        The kind of the model.
    data
        The object, which is taken apart.
    """
    parts = _PARTS.get(kind, {})
    for name, value in data.items():
        if isinstance(value, list):
            part = parts.get(name)
            data[name] = tuple(value if part is None else [load_model(part, one) for one in value])
        elif isinstance(value, dict):
            data[name] = load_model(parts[name], value)
    return kind(**data)
