"""Models as JSON text.

In: a model.  Out: its canonical text: an indentation of one blank, members in the order of the
class, and what has its default value left out, so that a file of it reads well.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from json.encoder import encode_basestring

from tschema.model import Default, Enum, Function, Model, Type

__all__ = ["DECLARATION", "Dumper"]

DECLARATION = "\n    "
"""The margin of a declaration of the package itself."""


class Dumper:
    """Dumps models; what it is asked for again, as declarations are, it has at hand."""

    def __init__(self) -> None:
        self._declarations: dict[tuple[type[Model], str, str], str] = {}

    def dump(self, model: Model, margin: str = "\n") -> str:
        """
        Return the text of a model.

        Parameters
        ----------
        model
            The model; of two declarations of a kind and a key only one is ever dumped.
        margin
            What a line begins with: a line end, and the indentation of the text as a whole.
        """
        if not isinstance(model, Type | Enum | Function):
            return self._dump(model, margin)
        key = type(model), model.key, margin
        if key not in self._declarations:
            self._declarations[key] = self._dump(model, margin)
        return self._declarations[key]

    def _dump(self, model: Model, margin: str) -> str:
        inner = margin + " "
        members = [
            f'{inner}"{name}": {self._value(value, inner)}'
            for name, default in _members(type(model))
            if (value := getattr(model, name)) is not default and value != default
        ]
        if not members and isinstance(model, Default):
            # A default of None is something else than no default.
            members = [f'{inner}"value": null']
        return f"{{{','.join(members)}{margin}}}" if members else "{}"

    def _value(self, value: object, margin: str) -> str:
        if isinstance(value, str):
            return encode_basestring(value)
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, int | float):
            return repr(value)
        if isinstance(value, Model):
            return self.dump(value, margin)
        if isinstance(value, tuple):
            inner = margin + " "
            return f"[{','.join(inner + self._value(one, inner) for one in value)}{margin}]"
        return "null"


_known: dict[type[Model], list[tuple[str, object]]] = {}


def _members(kind: type[Model]) -> list[tuple[str, object]]:
    """Return the members of a kind of model with their defaults."""
    if kind not in _known:
        assert is_dataclass(kind)
        _known[kind] = [(field.name, field.default) for field in fields(kind)]
    return _known[kind]
