"""Functors in C++: a header and a source for each dispatch root.

In: a `Family`, and the headers that declare its types.  Out: the texts.  The text does not list the
fields that visitors and mutators walk: the object runtime finds them in the tables of the types.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from pathlib import PurePosixPath

from tschema.backends.base import View, source_roots
from tschema.backends.cpp import names
from tschema.backends.cpp.scope import Scope
from tschema.emit.render import Renderer
from tschema.ir.casing import camel_case, snake_case
from tschema.ir.functor_families import Family
from tschema.ir.model import Type
from tschema.ir.spelling import cpp_home, cpp_namespace

HeaderOf = Callable[[Type], str]
"""Returns the header of a type as it is included, quotes or brackets around."""

_TAKEN = frozenset({"Children", "Default", "Member", "Part"})
"""What methods of the classes are named after already."""
_LOCALS = frozenset({"Args", "Method", "Node", "R", "Ref", "RegisteredMethod", "Signature"})
"""Names of types inside the classes, which hide those of the schema."""


def functor_path(family: Family) -> PurePosixPath:
    """Return the path of the header below the folder of headers."""
    folder = PurePosixPath(*family.namespace.split("."))
    return folder / f"{snake_case(family.root.stem)}_functor.h"


def functor_folder(family: Family) -> tuple[str, ...]:
    """Return the parts of the folder of its source below that of all sources."""
    return family.schema.inside(family.namespace)


class Functors:
    """Renders the functors of one family."""

    def __init__(
        self, family: Family, families: Sequence[Family], header_of: HeaderOf, own_header: HeaderOf
    ) -> None:
        """
        Begin with a family.

        Parameters
        ----------
        families
            All families of the schema.
        header_of
            Finds the header of a type.
        own_header
            Finds the header with the functors of a root.
        """
        self._family = family
        self._schema = family.schema
        self._scope = Scope(family.schema, _home(family))
        self._header_of = header_of
        self._own_header = own_header
        self._families = families

    def header(self, renderer: Renderer) -> str:
        """Return the text of the header."""
        kinds = ("functor", "visitor", "mutator")
        classes = (renderer.render(f"cpp/{kind}_class.h.jinja", file=self._view) for kind in kinds)
        parts = [text.rstrip() for text in classes]
        return renderer.render("cpp/functor.h.jinja", file=self._view, parts=parts)

    def source(self, renderer: Renderer) -> str:
        """Return the text of the source."""
        return renderer.render("cpp/functor.cc.jinja", file=self._view)

    @cached_property
    def _view(self) -> View:
        family, root = self._family, self._family.root
        namespace, forward = self._scope.namespace, self._forward()
        forward_own = forward.pop(namespace, [])
        # The own family has the place 0.
        included = [self._included(*one) for one in enumerate(_included(family), 1)]
        named = (family, *_included(family), *_walked(family))
        tables = [f"{self._prefix(one)}{_table(one.root)}" for one in named]
        return View(
            sources=source_roots(self._schema),
            guard=names.guard(str(functor_path(family))),
            includes=self._includes(),
            source_includes=self._source_includes(),
            # Classes that are named before they are declared.
            forward=forward.items(),
            forward_own=forward_own,
            namespace=namespace,
            name=root.stem,
            # Of the functor.
            key=f"{family.namespace}.{root.stem}Functor",
            table_arguments=f'"{root.key}"{f", k{root.stem}CaseKeys" if self._dispatched else ""}',
            ref=self._ref(root),
            node=self._node(root),
            table=_table(root),
            cases=[self._case(type_) for type_ in self._dispatched],
            # Those that no included family has.
            parts=[self._part(key) for key in self._declared_parts()],
            all_parts=[self._part(key) for key in self._parts],
            included=included,
            included_text=" and ".join(one.name for one in included),
            roots=", ".join(f"&{table}" for table in tables),
            part_table=f"&k{root.stem}Parts" if self._parts else "nullptr",
            num_walked=len(_walked(family)),
            # Included families with a method that is called as that for the root.
            hidden=list(self._hidden()),
            bases=[self._included(*one) for one in enumerate(_bases(family))],
            visitor_bases=self._base_classes("Visitor"),
            mutator_bases=self._base_classes("Mutator"),
        )

    @cached_property
    def _dispatched(self) -> list[Type]:
        """The types that have a method: the cases, and the types between them and the root."""
        keys = {
            one.key
            for case in self._family.cases
            for one in self._schema.ancestry(case)
            if self._family.root.key in {above.key for above in self._schema.ancestry(one)[:-1]}
        }
        return [type_ for type_ in self._schema.types() if type_.key in keys]

    @cached_property
    def _parts(self) -> list[str]:
        return list(dict.fromkeys(part.key for part in self._family.all_parts()))

    # -- Names ------------------------------------------------------------------------------

    def _ref(self, type_: Type) -> str:
        return self._scope_of(type_.ref).name(type_.key)

    def _node(self, type_: Type) -> str:
        return self._scope_of(type_.name).data(type_.key)

    def _prefix(self, family: Family) -> str:
        """Return the qualifier of the names that are emitted for another family."""
        home = _home(family)
        return "" if home == self._scope.namespace else f"::{home}::"

    def _scope_of(self, name: str) -> Scope:
        return Scope(self._schema, "") if name in _LOCALS else self._scope

    def _stem(self, type_: Type) -> str:
        """Return the stem of a method's name: as in other languages, if C++ permits it."""
        stem = self._family.method_name(type_)
        roots = (self._family.root, *(one.root for one in _included(self._family)))
        if stem in _TAKEN or any(stem == root.stem for root in roots):
            return f"{camel_case(type_.namespace.rpartition('.')[2])}{type_.stem}"
        return stem

    # -- Cases and parts --------------------------------------------------------------------

    def _case(self, type_: Type) -> View:
        known = {one.key: one for one in self._dispatched}
        above = [one for one in self._schema.ancestry(type_)[:-1] if one.key in known]
        default = above[-1] if above else self._family.root
        stem = self._stem(type_)
        return View(
            key=type_.key,
            method=f"Visit{stem}",
            constant="kNone_" if stem == "None" else f"k{stem}",  # `kNone` is of no type.
            node=self._node(type_),
            # The method that serves the type unless its own one is overridden.
            default=f"Visit{self._stem(default)}" if above else "VisitDefault",
            default_node=self._node(default),
        )

    def _part(self, key: str) -> View:
        type_ = self._schema.type(key)
        return View(
            place=self._parts.index(key) + 1,
            key=key,
            method=f"Visit{self._stem(type_)}",
            node=self._node(type_),
            ref=self._ref(type_),
        )

    def _declared_parts(self) -> Iterator[str]:
        """Yield the parts whose methods no base class has, or more than one."""
        bases = [{part.key for part in one.all_parts()} for one in _bases(self._family)]
        return (key for key in self._parts if sum(key in base for base in bases) != 1)

    def _hidden(self) -> Iterator[View]:
        for place, family in enumerate(_bases(self._family)):
            views = Functors(family, [], self._header_of, self._own_header)
            types = [*views._dispatched, *map(self._schema.type, views._parts)]
            if any(views._stem(one) == self._family.root.stem for one in types):
                yield self._included(place, family)

    def _included(self, place: int, family: Family) -> View:
        root = family.root
        return View(place=place, name=root.stem, ref=self._ref(root))

    def _base_classes(self, kind: str) -> tuple[str, ...]:
        virtual = "virtual " if any(len(_bases(one)) > 1 for one in self._families) else ""
        bases = [
            f"{virtual}{self._prefix(one)}{one.root.stem}{kind}" for one in _bases(self._family)
        ]
        return tuple(bases) or (f"{virtual}tschema::Child{kind}",)

    # -- Files ------------------------------------------------------------------------------

    def _includes(self) -> tuple[str, ...]:
        found = {self._header_of(self._family.root)}
        found |= {self._own_header(one.root) for one in _bases(self._family)}
        return ("<tschema/functor.h>", *sorted(found))

    def _source_includes(self) -> tuple[str, ...]:
        found = {self._header_of(self._schema.type(key)) for key in self._parts}
        found |= {self._own_header(one.root) for one in _walked(self._family)}
        return (self._own_header(self._family.root), *sorted(found - set(self._includes())))

    def _forward(self) -> dict[str, list[str]]:
        """Return the classes that the header names, by their namespaces."""
        groups: defaultdict[str, set[str]] = defaultdict(set)
        for type_ in self._dispatched:
            groups[cpp_home(type_.key, self._schema)].add(type_.name)
        for type_ in map(self._schema.type, self._declared_parts()):
            groups[cpp_home(type_.key, self._schema)] |= {type_.name, type_.ref}
        return {namespace: sorted(groups[namespace]) for namespace in sorted(groups)}


def _home(family: Family) -> str:
    """Return the C++ namespace of the classes that are emitted for a family."""
    spaces = family.schema.namespaces
    return cpp_namespace(next(space for space in spaces if space.name == family.namespace))


def _table(root: Type) -> str:
    return f"k{root.stem}Cases"


def _is_below(family: Family, other: Family) -> bool:
    """Whether the root of a family is below that of another one."""
    return any(one.key == other.root.key for one in family.schema.ancestry(family.root)[:-1])


def _walked(family: Family) -> list[Family]:
    """Return the included families that a family is part of: their methods would be its own."""
    return [one for one in family.reached().values() if _is_below(family, one)]


def _included(family: Family) -> list[Family]:
    """Return the families whose methods visitors and mutators of a family have too."""
    others = [one for one in family.reached().values() if not _is_below(family, one)]
    return [one for one in others if not any(_is_below(one, other) for other in others)]


def _bases(family: Family) -> list[Family]:
    """Return the included families that no other one of them includes."""
    included = _included(family)
    below = {one.root.key for each in included for one in _included(each)}
    return [one for one in included if one.root.key not in below]
