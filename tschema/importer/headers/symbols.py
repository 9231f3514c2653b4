"""Names of C++ declarations, and the rules by which a scope finds them.

In: the declarations of all files.  Out: for a name and the scope where it is written, the full
name that it means.  Lookup goes from the innermost scope outwards, through aliases of namespaces,
using-declarations and using-directives.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, field

Scope = tuple[str, ...]
"""Namespaces and classes from the outside in; unnamed namespaces are left out."""

_MOST_STEPS = 16
"""Aliases of aliases; a cycle ends there."""


class Alias(Struct, frozen=True):
    """`using Index = int64_t`, a typedef."""

    target: str
    scope: Scope
    """Where the target is looked up."""


class Symbols(Struct):
    """The declared names, by full name (`acme::ir::ExprNode`)."""

    kinds: dict[str, str] = field(default_factory=dict)
    """`class`, `enum`, `alias`, `namespace` or `library`."""
    aliases: dict[str, Alias] = field(default_factory=dict)
    usings: dict[str, str] = field(default_factory=dict)
    """Full name to the name that a using-declaration or a namespace alias refers to."""
    directives: dict[str, list[str]] = field(default_factory=dict)
    """Namespace to those that a using-directive opens in it."""
    bases: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Class to its bases as written."""
    found: dict[tuple[str, Scope], str | None] = field(default_factory=dict)
    """Answers of earlier look-ups."""

    def declare(self, name: str, kind: str) -> None:
        """Note a declaration and the namespaces around it."""
        self.kinds[name] = kind
        self.declare_scope(name.rpartition("::")[0])

    def declare_scope(self, scope: str) -> None:
        """Note a namespace and those around it."""
        while scope and scope not in self.kinds:
            self.kinds[scope] = "namespace"
            scope = scope.rpartition("::")[0]

    def lookup(self, name: str, scope: Scope) -> str | None:
        """Return the full name that a name has in a scope; None if nothing declares it."""
        request = (name, scope)
        if request not in self.found:
            # A cycle of using-declarations ends here.
            self.found[request] = None
            self.found[request] = self._lookup(name, scope)
        return self.found[request]

    def _lookup(self, name: str, scope: Scope) -> str | None:
        if name.startswith("::"):
            return self._in_scope(name[2:], "", 0)
        for end in range(len(scope), -1, -1):
            found = self._in_scope(name, "::".join(scope[:end]), 0)
            if found is not None:
                return found
        return None

    def _in_scope(self, name: str, scope: str, steps: int) -> str | None:
        """Return the full name of a name right in a scope."""
        if steps > _MOST_STEPS:
            return None
        first, _, rest = name.partition("::")
        for full in self._firsts(first, scope):
            if not rest:
                return full
            found = self._in_scope(rest, full, steps + 1)
            if found is not None:
                return found
        return None

    def _firsts(self, name: str, scope: str) -> Iterator[str]:
        """Yield the full names that the first part of a name may have right in a scope."""
        full = f"{scope}::{name}" if scope else name
        if full in self.usings:
            target = self.usings[full]
            parts = tuple(scope.split("::")) if scope else ()
            found = None if target == name else self.lookup(target, parts)
            if found is not None:
                yield found
        if full in self.kinds:
            yield full
        for opened in self.directives.get(scope, ()):
            parts = tuple(scope.split("::")) if scope else ()
            namespace = self.lookup(opened, parts)
            inner = f"{namespace}::{name}"
            if namespace is not None and (inner in self.kinds or inner in self.usings):
                yield from self._firsts(name, namespace) if namespace != scope else ()
        for base in self.bases.get(scope, ()):
            found = self.lookup(base, tuple(scope.split("::")[:-1]))
            # The name of a base class is a name of the class itself.
            if found is not None and found.rpartition("::")[2] == name:
                yield found
            if found is not None and found != scope and f"{found}::{name}" in self.kinds:
                yield f"{found}::{name}"
