"""Models as JSON text.

In: a model.  Out: its canonical text: an indentation of one blank, members in the order of the
class, and what has its default value left out, so that a file of it reads well.
"""

from __future__ import annotations

from json.encoder import encode_basestring

from tschema.ir.model import Default, Enum, Function, Model, Type
from tschema.record import members

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

    def know(self, model: Type | Enum | Function, text: str) -> None:
        """Take the text of a declaration, as `dump` gives it at `DECLARATION`."""
        self._declarations[type(model), model.key, DECLARATION] = text

    def _dump(self, model: Model, margin: str) -> str:
        inner = margin + " "
        values = vars(model)
        lines = [
            f"{inner}{head}{self._value(value, inner)}"
            for name, head, default in _rows(type(model))
            if (value := values[name]) is not default and value != default
        ]
        if not lines and isinstance(model, Default):
            # A default of None is something else than no default.
            lines = [f'{inner}"value": null']
        return f"{{{','.join(lines)}{margin}}}" if lines else "{}"

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


_known: dict[type[Model], list[tuple[str, str, object]]] = {}


def _rows(kind: type[Model]) -> list[tuple[str, str, object]]:
    """Return each member of a kind of model: its name, what it is written as, and its default."""
    rows = _known.get(kind)
    if rows is None:
        rows = [(name, f'"{name}": ', default) for name, default in members(kind).items()]
        _known[kind] = rows
    return rows
