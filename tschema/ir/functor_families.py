"""Families of functors: the types visited below a dispatch root, decided once for all languages.

In: the JSON IR.  Out: a `Family` for each type with `dispatch`, which knows no target language.

- The *cases* are the concrete types below the root that the family's namespace can name.  That
  namespace is the one with the most of them; it can name its own types and those of the namespaces
  that it builds on.  Every other type below the root is dispatched to its nearest ancestor.
- A visitor enters the fields whose types are, or are made of, *members*: types below the root.  It
  goes through containers and optionals; it enters no field that structural equality ignores, and
  nothing that is declared as `Any` or `Object` only.
- A family *includes* the families before it in its namespace that its fields mention: a visitor of
  statements visits the expressions in them.
- A *part* is a type outside every family through which members are reached, such as a range: it
  has a method too.  A part that is a variable (`structural = "var"`), such as a buffer, is entered
  where a field binds it (`def`, `def_pattern`).  Elsewhere it is a *use*: visitors leave it alone,
  and mutators replace it by the variable that they made where it was bound.
- A method is named after its type (`VisitAdd`, `visit_add`); where two types of a family have one
  name, those that the family's namespace does not declare put the last part of theirs first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Literal

from msgspec import Struct

from tschema.ir.model import Field, Schema, Type, TypeRef

Role = Literal["visit", "use"]
"""What happens to a value: it is entered, or it is the use of a part that was bound elsewhere."""


class Child(Struct, frozen=True):
    """A field with values that have a role."""

    field: Field
    roles: frozenset[Role]
    """Never empty."""

    @property
    def binds(self) -> bool:
        """Whether the field binds the variables in it."""
        return self.field.structural in ("def", "def_pattern")


class Family(Struct, frozen=True, eq=False):
    """The types that the functors of one dispatch root know.

    Attributes
    ----------
    schema
        The package's schema.
    root
        The type with `dispatch`.
    namespace
        Where the functors are emitted, dotted: `uir.tir`.
    cases
        The types that have a method, in schema order.
    parts
        Types outside every family that have a method too; without those of included families.
    included
        Families whose members are visited by the methods of theirs.
    members
        Keys of all types at and below the root, and of the included families.
    passages
        Keys of the types outside every family through which members are reached.
    """

    schema: Schema
    root: Type
    namespace: str
    cases: tuple[Type, ...]
    parts: tuple[Type, ...]
    included: tuple[Family, ...]
    members: frozenset[str]
    passages: frozenset[str]

    def reached(self) -> dict[str, Family]:
        """Return the families that this one includes, and those that they include, by root."""
        found: dict[str, Family] = {}
        for one in self.included:
            found |= {one.root.key: one, **one.reached()}
        return found

    def all_cases(self) -> Iterator[Type]:
        """Yield the cases of included families, then the own ones."""
        yield from chain.from_iterable(family.all_cases() for family in self.included)
        yield from self.cases

    def all_parts(self) -> Iterator[Type]:
        """Yield the parts of included families, then the own ones."""
        yield from chain.from_iterable(family.all_parts() for family in self.included)
        yield from self.parts

    def method_name(self, type_: Type) -> str:
        """Return the stem of the method name of a case or a part: `Add`, or `IrAdd`."""
        others = (one for one in (*self.all_cases(), *self.all_parts()) if one.key != type_.key)
        is_alone = all(one.stem != type_.stem for one in others)
        if is_alone or type_.namespace == self.namespace:
            return type_.stem
        last = type_.namespace.rpartition(".")[2]
        return f"{last[:1].upper()}{last[1:]}{type_.stem}"

    def forwarded(self, case: Type) -> Type | None:
        """Return the case whose method serves another one by default: its nearest ancestor."""
        above = {one.key for one in self.schema.ancestry(case)[:-1]}
        return next((one for one in reversed(self.cases) if one.key in above), None)

    def inherited(self, type_: Type) -> Type | None:
        """Return the case as which visitors and mutators treat a type that adds no child to it."""
        forward = self.forwarded(type_)
        if forward is None or self.children(type_) != self.children(forward):
            return None
        return forward

    def variables(self) -> list[Type]:
        """Return the parts that are entered only where they are bound, as `all_parts` does."""
        return [part for part in self.all_parts() if part.is_variable]

    def class_names(self) -> tuple[str, ...]:
        """Return the names of the functor, the mutator and the visitor."""
        return tuple(f"{self.root.stem}{kind}" for kind in ("Functor", "Mutator", "Visitor"))

    def children(self, type_: Type) -> tuple[Child, ...]:
        """Return the fields of a type with values that have a role, in declared order."""
        found = (Child(one, self._field_roles(one)) for one in self.schema.fields(type_))
        return tuple(child for child in found if child.roles)

    def roles(self, ref: TypeRef, *, binds: bool) -> frozenset[Role]:
        """Return the roles of the values of a type, given whether their field binds variables."""
        found = (self._role(str(one.key), binds) for one in ref.walk() if one.kind == "node")
        return frozenset(role for role in found if role is not None)

    def _field_roles(self, field: Field) -> frozenset[Role]:
        if field.structural == "ignore":
            return frozenset()
        return self.roles(field.type, binds=field.structural in ("def", "def_pattern"))

    def _role(self, key: str, binds: bool) -> Role | None:
        if key in self.members:
            return "visit"
        if key not in self.passages:
            return None
        return "use" if self.schema.type(key).is_variable and not binds else "visit"


def find_families(schema: Schema) -> tuple[Family, ...]:
    """Return the families of a package's own dispatch roots, in schema order."""
    families: list[Family] = []
    for root in schema.types():
        if root.options.dispatch:
            cases = [one for one in _below(schema, [root]) if not one.options.abstract]
            if cases:
                families.append(_family(schema, root, cases, families))
    return tuple(families)


def _family(schema: Schema, root: Type, below: list[Type], earlier: list[Family]) -> Family:
    counts = Counter(one.namespace for one in below)
    home = max(counts, key=lambda namespace: counts[namespace])
    visible = _visible_from(schema, home)
    cases = tuple(one for one in below if one.namespace in visible)
    mentioned = {key for one in cases for key in _mentioned(schema, one)}
    included = tuple(
        one for one in earlier if one.namespace == home and not mentioned.isdisjoint(one.members)
    )
    roots = [root, *(one.root for one in included)]
    members = frozenset(one.key for one in _below(schema, roots))
    passages = frozenset(_passages(schema, members))
    bare = Family(schema, root, home, cases, (), included, members, passages)
    parts = tuple(one for one in _parts(bare) if one.namespace in visible)
    return Family(schema, root, home, cases, parts, included, members, passages)


def _below(schema: Schema, roots: Iterable[Type]) -> list[Type]:
    """Return a package's types at and below some types, in schema order."""
    keys = {root.key for root in roots}
    if not keys:
        return []
    return [
        type_
        for type_ in schema.types()
        if type_.options.register and not keys.isdisjoint(one.key for one in schema.ancestry(type_))
    ]


def _mentioned(schema: Schema, type_: Type) -> set[str]:
    """Return the keys of the types that a type's fields are made of."""
    fields = (one for one in schema.fields(type_) if one.structural != "ignore")
    return {str(ref.key) for one in fields for ref in one.type.walk() if ref.kind == "node"}


def _visible_from(schema: Schema, home: str) -> set[str]:
    """Return the namespaces that a namespace builds on, itself included."""
    visible: set[str] = set()
    todo = {home}
    while todo:
        visible |= todo
        named = {
            key.rpartition(".")[0]
            for type_ in schema.types()
            if type_.namespace in todo
            for key in {
                type_.parent,
                *(str(one.key) for field in type_.fields for one in field.type.walk()),
            }
        }
        todo = named - visible
    return visible


def _passages(schema: Schema, members: frozenset[str]) -> set[str]:
    """Return the keys of types outside every family that lead to members."""
    inside = {
        one.key for one in _below(schema, (one for one in schema.types() if one.options.dispatch))
    }
    outside = [one for one in schema.types() if one.key not in inside]
    leading = {one.key: _mentioned(schema, one) for one in outside}
    for one in outside:
        if one.parent in leading:
            leading[one.parent].add(one.key)
    found: set[str] = set()
    while True:
        more = {key for key, named in leading.items() if not named.isdisjoint(members | found)}
        if more == found:
            return found
        found = more


def _parts(family: Family) -> list[Type]:
    """Return the concrete types of passages that a visitor enters, in schema order."""
    schema = family.schema
    known = {part.key for part in family.all_parts()}
    entered: set[str] = set()
    todo = [*family.cases]
    while todo:
        keys = _entered_keys(family, todo.pop())
        below = _below(schema, [schema.type(key) for key in keys - family.members])
        new = [one for one in below if one.key in family.passages and one.key not in entered]
        entered.update(one.key for one in new)
        todo += new
    return [
        one for one in schema.types() if one.key in entered - known and not one.options.abstract
    ]


def _entered_keys(family: Family, type_: Type) -> set[str]:
    """Return the keys of the types of values that a visitor enters from a type."""
    return {
        str(ref.key)
        for child in family.children(type_)
        for ref in child.field.type.walk()
        if ref.kind == "node" and "visit" in family.roles(ref, binds=child.binds)
    }
