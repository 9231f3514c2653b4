"""The base of generated visitors and mutators: containers, and types without a method.

In: nodes of any package. Out: visits of their children, or changed copies. Fields that structural
equality ignores are skipped. The methods for the types of a schema are generated.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import is_
from typing import Any, ClassVar, NamedTuple, NoReturn, TypeVar

from tvm_ffi import Array, Dict, List, Map, Object
from tvm_ffi import _ffi_api as ffi_api

from tschema.runtime.functor import Functor, type_key_of

__all__ = ["Mutator", "Visitor"]

_Self = TypeVar("_Self", bound="Mutator")
_Node = TypeVar("_Node", bound=Object)
_Visit = Callable[[Any], Any]

_FIRST_OBJECT = 64
"""Type indices below this one are those of plain values."""
_array_size = ffi_api.ArraySize
_array_item = ffi_api.ArrayGetItem
_list_size = ffi_api.ListSize
_list_item = ffi_api.ListGetItem


class Visitor(Functor[None]):
    """Visits nodes and their children."""

    _variables: ClassVar[frozenset[type[Object]]] = frozenset()
    """Types outside the family that are visited only at their definitions."""

    def visit_default(self, node: Object, /) -> None:
        """Visit the fields of a node without a method, of any package."""
        for field in _walked_fields(type(node)):
            value = getattr(node, field.name)
            if field.binds or type(value) not in self._variables:
                self.visit_value(value)

    def visit_value(self, value: object, /) -> None:
        """Visit a node, or the nodes in a container; skip any other value."""
        if isinstance(value, (Array, List)):
            for item in _elements(value):
                self.visit_value(item)
        elif isinstance(value, (Map, Dict)):
            for key, item in value.items():
                self.visit_value(key)
                self.visit_value(item)
        elif isinstance(value, Object):
            self.visit(value)

    def visit_array(self, array: Array[Any] | List[Any], /) -> None:
        """Visit the nodes in an array."""
        for node in _elements(array):
            self.visit(node)


class Mutator(Functor[Any]):
    """Rewrites nodes and their children.

    No node is changed in place: a node with a changed child is constructed anew, with all checks.
    An unchanged node is returned itself.
    """

    _variables: ClassVar[frozenset[type[Object]]] = frozenset()
    """Types outside the family that are mutated only at their definitions."""
    _replacements: dict[Object, Any]

    def __new__(cls: type[_Self], *_args: object, **_kwargs: object) -> _Self:
        """Start without replacements, for any `__init__` of a subclass."""
        mutator = super().__new__(cls)
        mutator._replacements = {}
        return mutator

    def visit(self, node: Object, /) -> Any:
        """Call the method for the type of a node; return its result, the node itself if equal.

        Raises
        ------
        RecursionError
            If nodes are nested more deeply than Python's stack allows.  `tschema.runtime.map` has
            no such limit.
        TypeError
            If the method returns something other than a node.
        """
        new = self._methods[type(node)](self, node)
        if new is node:
            return node
        if not isinstance(new, Object):
            _refuse_result(self, node, new)
        return node if node.same_as(new) else new

    def visit_default(self, node: Object, /) -> Any:
        """Mutate the fields of a node without a method, of any package.

        Raises
        ------
        TypeError
            If something changed, and the class of the node has no constructor to copy it with.
        """
        changes: dict[str, Any] = {}
        for field in _walked_fields(type(node)):
            old = getattr(node, field.name)
            is_use = type(old) in self._variables and not field.binds
            new = self.replaced(old) if is_use else self.visit_value(old)
            if new is not old:
                changes[field.name] = new
        return self.rebuilt(node, **changes) if changes else node

    def visit_value(self, value: Any, /) -> Any:
        """Mutate a node, or the nodes in a container; return any other value unchanged."""
        if isinstance(value, (Array, List)):
            return self.visit_array(value, self.visit_value)
        if isinstance(value, (Map, Dict)):
            return self.visit_map(value, self.visit_value, self.visit_value)
        if isinstance(value, Object):
            return self.bound(value) if type(value) in self._variables else self.visit(value)
        return value

    def visit_array(self, array: Any, visit: _Visit | None = None, /) -> Any:
        """Mutate the nodes in an array; return a new array, or the same one if nothing changed."""
        old = _elements(array)
        visit = visit or self.visit
        # Not called from C, so that deep nodes raise RecursionError.
        new = [visit(node) for node in old]
        return array if all(map(is_, new, old)) else type(array)(new)

    def visit_map(self, mapping: Any, visit_key: _Visit, visit_item: _Visit, /) -> Any:
        """Mutate keys and items; return a new map, or the same one if nothing changed."""
        old = list(mapping.items())
        new = [(visit_key(key), visit_item(item)) for key, item in old]
        if all(new[at][0] is key and new[at][1] is item for at, (key, item) in enumerate(old)):
            return mapping
        return type(mapping)(dict(new))

    def bound(self, part: Any, /) -> Any:
        """Mutate a variable outside the family at its definition, and record its replacement."""
        new = self.visit(part)
        if new is not part:
            self._replacements[part] = new
        else:
            self._replacements.pop(part, None)
        return new

    def replaced(self, part: Any, /) -> Any:
        """Return the replacement of a variable outside the family."""
        return self._replacements.get(part, part)

    def rebuilt(self, node: _Node, /, **changes: Any) -> _Node:
        """Construct a copy of a node with changes.

        Raises
        ------
        TypeError
            If the class of the node has no constructor.
        """
        replace = getattr(node, "__replace__", None)
        if replace is None:
            raise TypeError(f"`{type_key_of(type(node))}` has no constructor to copy a node with")
        copy: _Node = replace(**changes)
        return copy


def _refuse_result(mutator: Mutator, node: Object, result: object) -> NoReturn:
    method = mutator._methods[type(node)].__qualname__
    raise TypeError(
        f"`{method}` must return a node, what becomes of the `{type_key_of(type(node))}` that it "
        f"is given; it returned {'None' if result is None else f'a `{type(result).__name__}`'}"
    )


class _WalkedField(NamedTuple):
    """A field that may hold nodes."""

    name: str
    binds: bool
    """Whether it binds the variables in it."""


_walked: dict[type, tuple[_WalkedField, ...]] = {}


def _walked_fields(node_type: type) -> tuple[_WalkedField, ...]:
    """Return a type's fields that may hold nodes and that structural equality does not ignore."""
    known = _walked.get(node_type)
    if known is None:
        known = _walked[node_type] = tuple(_find_walked_fields(node_type))
    return known


def _find_walked_fields(node_type: type) -> list[_WalkedField]:
    info = getattr(node_type, "__tvm_ffi_type_info__", None)
    found: list[_WalkedField] = []
    # tvm-ffi 0.1.12 does not tell Python the index: a field of numbers is read, and not entered.
    while info is not None:
        found[:0] = [
            _WalkedField(field.name, field.c_structural_eq is not None)
            for field in info.fields
            if field.c_structural_eq != "ignore"
            and not 0 <= getattr(field, "field_static_type_index", -1) < _FIRST_OBJECT
        ]
        info = info.parent_type_info
    return found


def _elements(container: Any) -> list[Any]:
    """Return the elements of an array, faster than by iteration."""
    if isinstance(container, Array):
        return [_array_item(container, at) for at in range(_array_size(container))]
    return [_list_item(container, at) for at in range(_list_size(container))]
