"""The view of the index: the namespaces, and a diagram of each type hierarchy.

In: the JSON IR.  Out: views.  Knows nothing of templates or files.
"""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from itertools import groupby

from tschema.backends.base import View, source_folders
from tschema.backends.docs import names
from tschema.backends.docs.names import References
from tschema.ir.model import ROOT_KEY, Namespace, Schema, Type
from tschema.ir.spelling import cpp_home

_WRAPPER = textwrap.TextWrapper(36, break_long_words=False, break_on_hyphens=False)
"""Wraps the text in a box of a diagram."""


def namespaces(schema: Schema) -> list[tuple[Namespace, ...]]:
    """Return the namespaces, sorted by name, each with its files in the order of the schema."""
    ordered = sorted(schema.namespaces, key=lambda space: space.name)
    return [tuple(group) for _, group in groupby(ordered, key=lambda space: space.name)]


def index_view(schema: Schema) -> View:
    """Return the view of the index."""
    hierarchy = _Hierarchy(schema)
    diagrams = [hierarchy.diagram(root) for root in hierarchy.roots()]
    singles = ", ".join(map(hierarchy.refs.link, hierarchy.singles()))
    return View(
        sources=source_folders(schema.namespaces),
        package=schema.package,
        spaces=[_space_view(spaces) for spaces in namespaces(schema)],
        example=hierarchy.example(),
        has_operators=any(space.operators for space in schema.namespaces),
        diagrams=diagrams,
        singles=f"On their own: {singles}" if diagrams and singles else singles,
    )


def _space_view(spaces: tuple[Namespace, ...]) -> View:
    page = names.page_file(spaces[0].name)
    counted = [
        _count(sum(len(space.types) for space in spaces), "type"),
        _count(sum(len(space.enums) for space in spaces), "enum"),
        _count(sum(len(space.functions) for space in spaces), "function"),
    ]
    return View(
        link=f"[`{spaces[0].name}`]({page})",
        counts=", ".join(filter(None, counted)),
        parts=", ".join(f"[{space.file}]({page}#file-{space.file})" for space in spaces),
    )


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}" if number else ""


class _Hierarchy:
    """Draws who derives from whom: a box for each parent, one for all of its other kinds."""

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self.refs = References(schema)
        self.types = list(schema.types())
        self.own = {type_.key for type_ in self.types}

    @cached_property
    def children(self) -> dict[str, list[Type]]:
        """Own types by the key of their parent."""
        children: dict[str, list[Type]] = {}
        for type_ in self.types:
            children.setdefault(type_.parent, []).append(type_)
        return children

    def roots(self) -> list[str]:
        """Return the types that have kinds, and no parent in this package."""
        return [
            key
            for key in self.children
            if key != ROOT_KEY and (key not in self.own or self.schema.type(key).parent == ROOT_KEY)
        ]

    def singles(self) -> list[str]:
        """Return the types that no diagram shows."""
        roots = self.children.get(ROOT_KEY, [])
        return [type_.key for type_ in roots if type_.key not in self.children]

    def example(self) -> View | None:
        """Return a type of the package that can be made, one with all there is to explain."""
        concrete = [type_ for type_ in self.types if not type_.options.abstract]
        if not concrete:
            return None
        type_ = max(concrete, key=self._worth)
        path, cpp = type_.key.replace(".", "::"), cpp_home(type_.key, self.refs.schema)
        cpp = f"{cpp}::{type_.ref}"
        in_cpp = "" if cpp == path else f"`{cpp}` in C++"
        return View(
            link=self.refs.link(type_.key), key=type_.key, node=type_.name, path=path, in_cpp=in_cpp
        )

    def _worth(self, type_: Type) -> int:
        """Return how much a type has to explain: defaults after arguments, methods."""
        arguments = [field for field in self.schema.arguments(type_) if not field.kw_only]
        required = sum(field.default is None for field in arguments)
        return (0 < required < len(arguments)) + bool(type_.methods)

    def diagram(self, root: str) -> View:
        """Return the diagram of the hierarchy below a type."""
        lines = [f"n0{self._box(self.schema.type(root))}", *self._below("n0", root)]
        count = sum(1 for _ in self._descendants(root))
        size = f"the {count} types" if count > 1 else "the type"
        return View(root=self.refs.link(root), size=size, lines=lines)

    def _descendants(self, key: str) -> Iterator[Type]:
        for child in self.children.get(key, []):
            yield child
            yield from self._descendants(child.key)

    def _below(self, node: str, key: str) -> Iterator[str]:
        """Yield the lines that hang a type's kinds on its box, whose name is `node`."""
        children = self.children[key]
        parents = [child for child in children if child.key in self.children]
        for index, child in enumerate(parents):
            inner = f"{node}_{index}"
            yield f"{node} --> {inner}{self._box(child)}"
            yield from self._below(inner, child.key)
        leaves = [child for child in children if child.key not in self.children]
        if leaves:
            listed = ", ".join(map(self._label, leaves))
            wrapped = _WRAPPER.wrap(listed)
            yield f'{node} --> {node}_kinds("{"<br>".join(wrapped)}")'

    def _box(self, type_: Type) -> str:
        return f'["{self._label(type_)}"]{":::abstract" if type_.options.abstract else ""}'

    def _label(self, type_: Type) -> str:
        return type_.ref if type_.key in self.own and self._counts[type_.ref] == 1 else type_.key

    @cached_property
    def _counts(self) -> Counter[str]:
        return Counter(type_.ref for type_ in self.types)
