"""The names that a script binds, by scope.

In: definitions, in the order of the text.  Out: the definition that a name means.  Suites are
scopes, as for the parser; a name that no open scope binds means the last binding of its function in
a suite that has ended, as after an `if`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

from msgspec import Struct

from tschema.diagnostics.source import Span

__all__ = ["Definition", "Kind", "Scopes"]

Kind = Literal["module", "function", "parameter", "variable"]


class Definition(Struct, frozen=True, eq=False, gc=False):
    """A name that a script binds."""

    name: str
    kind: Kind
    span: Span
    """The name itself."""
    extent: Span
    """The whole statement, suites included."""
    owner: Definition | None
    """The function or the module around it."""


class Scopes:
    """The open scopes of a text."""

    def __init__(self) -> None:
        self.owner: Definition | None = None
        self._open: list[dict[str, Definition]] = [{}]
        self._bound: dict[Definition | None, dict[str, list[Definition]]] = {}

    def define(self, definition: Definition) -> None:
        """Bind a name in the innermost scope."""
        self._open[-1][definition.name] = definition
        self.record(definition)

    def record(self, definition: Definition) -> None:
        """Note a name of a scope that has ended."""
        bound = self._bound.setdefault(definition.owner, {})
        bound.setdefault(definition.name, []).append(definition)

    @contextmanager
    def suite(self, owner: Definition | None = None) -> Iterator[None]:
        """Open a scope; that of a function or a module, if there is an `owner`."""
        before = self.owner
        self.owner = owner or before
        self._open.append({})
        yield
        self._open.pop()
        self.owner = before

    def find(self, name: str) -> Definition | None:
        """Return the meaning of a name at the present place."""
        found = (scope[name] for scope in reversed(self._open) if name in scope)
        ended = self._bound.get(self.owner, {}).get(name, [None])
        return next(found, ended[-1])

    def member(self, owner: Definition, name: str) -> Definition | None:
        """Return the meaning of a name in a module or a function, before its definition too."""
        return self._bound.get(owner, {}).get(name, [None])[0]
