"""Random graphs of objects of a schema's types, for property tests.

In: a schema, and rules for types whose `post_init` asks for more than types of operands. Out:
hypothesis strategies of objects, with shared children, made by the constructors of the library that
owns the types: a compiled library, or `tschema.runtime.load_types`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

import tvm_ffi
from hypothesis import reject
from hypothesis import strategies as st

from tschema.ir.codec import decode
from tschema.ir.model import Schema, Type, TypeRef
from tschema.testing.heights import heights
from tschema.testing.values import PLAIN

_ATTEMPTS = 3
_MAX_SIZE = 3


class Graphs:
    """Strategies of objects of a schema's types.

    Parameters
    ----------
    schema
        The schema, or the path of its JSON IR.
    rules
        By type key, what makes the arguments of a constructor, for types that refuse most
        arguments of the right types.  A rule of a parent serves its children.

    Examples
    --------
    >>> graphs = Graphs("generated/schema.json")
    >>> @given(graphs.objects("toy.Expr"))
    ... def test_text_round_trips(expr): ...
    """

    def __init__(
        self, schema: Schema | str | Path, rules: Mapping[str, Rule] | None = None
    ) -> None:
        self.schema = schema if isinstance(schema, Schema) else decode(Path(schema).read_bytes())
        self.rules = dict(rules or {})
        self._heights = heights(self.schema)
        self._children = _concrete_below(self.schema)

    def objects(self, key: str, *, max_depth: int = 4) -> st.SearchStrategy[Any]:
        """Return objects of a type or of one below it.

        Parameters
        ----------
        key
            The type key.
        max_depth
            Levels below the root; more if the smallest object of the type needs more.

        Raises
        ------
        KeyError
            If the schema has no such type.
        ValueError
            If no object of the type can be made from the schema alone.
        """
        if key not in self._heights:
            self.schema.type(key)
            raise ValueError(f"no object of `{key}` can be made from the schema alone")
        return _graph(self, key, max(max_depth, self._heights[key]))

    def candidates(self, key: str, depth: int) -> list[Type]:
        """Return the concrete types at or below a type that fit in a number of levels."""
        types = self._children[key]
        fitting = [type_ for type_ in types if self._heights.get(type_.key, depth + 1) <= depth]
        if fitting:
            return fitting
        return sorted(
            (type_ for type_ in types if type_.key in self._heights),
            key=lambda type_: self._heights[type_.key],
        )[:1]

    def rule(self, type_: Type) -> Rule | None:
        """Return the rule of a type, or of its nearest ancestor that has one."""
        chain = reversed(self.schema.ancestry(type_))
        return next((self.rules[one.key] for one in chain if one.key in self.rules), None)


class Draw:
    """Draws one graph; what rules make their arguments with.

    Attributes
    ----------
    draw
        Draws from any strategy, as in a `hypothesis.strategies.composite` function.
    """

    def __init__(self, graphs: Graphs, draw: Callable[[st.SearchStrategy[Any]], Any]) -> None:
        self.graphs = graphs
        self.draw = draw
        self._made: dict[str, list[Any]] = {}

    def node(
        self,
        key: str,
        depth: int,
        *,
        where: Callable[[Any], bool] = lambda node: True,
        otherwise: Callable[[], Any] = reject,
        fresh: bool = False,
    ) -> Any:
        """Return an object of a type or of one below it, perhaps one that was made before.

        Parameters
        ----------
        key
            The type key.
        depth
            Levels left below the object.
        where
            The condition on the object; a few objects are tried.
        otherwise
            Makes one if none of those tried does.
        fresh
            Whether to leave out objects that were made before.
        """
        known = [] if fresh else [one for one in self._made.get(key, ()) if where(one)]
        if known and self.draw(st.integers(0, 3)) == 0:
            return self.draw(st.sampled_from(known))
        for _ in range(_ATTEMPTS):
            made = self._construct(self.draw(st.sampled_from(self._candidates(key, depth))), depth)
            if made is not None and where(made):
                return made
        return self.draw(st.sampled_from(known)) if known else otherwise()

    def value(self, ref: TypeRef, depth: int) -> Any:
        """Return a value of a type."""
        if ref.kind == "node":
            return self.node(str(ref.key), depth)
        if ref.kind == "enum":
            members = self.graphs.schema.enum(str(ref.key)).members
            return self.draw(st.sampled_from([member.value for member in members]))
        if ref.kind in PLAIN:
            return self.draw(PLAIN[ref.kind])
        return self._container(ref, depth)

    def arguments(self, type_: Type, depth: int) -> dict[str, Any]:
        """Return arguments of the declared types for a constructor; defaults may be left out."""
        arguments: dict[str, Any] = {}
        for field in self.graphs.schema.arguments(type_):
            if field.default is None or (depth > 0 and self.draw(st.booleans())):
                arguments[field.name] = self.value(field.type, depth - 1)
        return arguments

    def _candidates(self, key: str, depth: int) -> list[Type]:
        return self.graphs.candidates(key, depth) or reject()

    def _construct(self, type_: Type, depth: int) -> Any:
        """Return a new object, or None if its owner refuses the arguments."""
        rule = self.graphs.rule(type_)
        arguments = rule(self, type_, depth) if rule is not None else self.arguments(type_, depth)
        try:
            made = construct(type_, arguments)
        except (TypeError, ValueError):
            return None
        for ancestor in self.graphs.schema.ancestry(type_):
            self._made.setdefault(ancestor.key, []).append(made)
        return made

    def _container(self, ref: TypeRef, depth: int) -> Any:
        draw, args = self.draw, ref.args
        if ref.kind == "Optional":
            return None if depth < 0 or draw(st.booleans()) else self.value(args[0], depth)
        if ref.kind == "Union":
            return self.value(draw(st.sampled_from(args)), depth)
        if ref.kind == "Tuple":
            return tuple(self.value(arg, depth) for arg in args)
        size = draw(st.integers(0, _MAX_SIZE)) if depth >= 0 else 0
        if ref.kind in ("Array", "List"):
            make = tvm_ffi.Array if ref.kind == "Array" else tvm_ffi.List
            return make([self.value(args[0], depth) for _ in range(size)])
        if ref.kind in ("Map", "Dict"):
            make_map = tvm_ffi.Map if ref.kind == "Map" else tvm_ffi.Dict
            pairs = [(self.value(args[0], depth), self.value(args[1], depth)) for _ in range(size)]
            return make_map(dict(pairs))
        reject()


Rule: TypeAlias = Callable[[Draw, Type, int], Mapping[str, Any]]
"""Makes the arguments of a type's constructor by name, given the levels left below the object."""


def construct(type_: Type, arguments: Mapping[str, Any]) -> Any:
    """Return a new object, made by the constructor of the type's owner.

    Raises
    ------
    TypeError, ValueError
        If the owner refuses the arguments.
    """
    keywords = [part for pair in arguments.items() for part in pair]
    return tvm_ffi.get_global_func(type_.key)(_keyword_marker(), *keywords)


@cache
def _keyword_marker() -> Any:
    """Return what starts named arguments in tvm-ffi's keyword protocol."""
    return tvm_ffi.get_global_func("ffi.GetKwargsObject")()


@st.composite
def _graph(
    draw: Callable[[st.SearchStrategy[Any]], Any], graphs: Graphs, key: str, depth: int
) -> Any:
    return Draw(graphs, draw).node(key, depth)


def _concrete_below(schema: Schema) -> dict[str, list[Type]]:
    below: dict[str, list[Type]] = {}
    for space in schema.all_namespaces():
        for type_ in space.types:
            for ancestor in schema.ancestry(type_):
                types = below.setdefault(ancestor.key, [])
                if type_.is_constructed:
                    types.append(type_)
    return below
