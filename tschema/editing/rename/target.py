"""The declaration that the argument of `tschema rename` names.

In: a dotted name, as users of a language or the JSON IR write it.  Out: the one declaration that
this name refers to.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from tschema.diagnostics.errors import schema_error
from tschema.diagnostics.helps import suggest
from tschema.ir.model import Namespace, Operator, Schema, Type

TargetKind = Literal[
    "class", "field", "method", "enum", "enum member", "function", "operator", "parameter"
]


class Target(Struct, frozen=True):
    """A declaration that can have another name."""

    kind: TargetKind
    key: str
    """The key of the declaration itself, or of the owner of a member."""
    name: str
    space: Namespace
    member: bool = False

    @property
    def dotted(self) -> str:
        """The whole name: `uir.tir.For.extent`."""
        return f"{self.key}.{self.name}" if self.member else self.key


def find_target(schema: Schema, dotted: str) -> Target:
    """
    Return the declaration of a name.

    Parameters
    ----------
    dotted
        A type key, a data class, an enum, a function or a member of one of them, with its
        namespace: `uir.tir.For`, `uir.tir.ForNode.extent`. The package may be left out.

    Raises
    ------
    SchemaError
        The package declares no such thing, or makes it of another declaration.
    """
    known = spellings(schema)
    spelling = dotted if dotted in known else f"{schema.package}.{dotted}"
    if spelling not in known:
        help = suggest(dotted, known) or "write the namespace too, as in `uir.tir.For.extent`"
        raise schema_error("TS095", f"the schema declares no `{dotted}`", help)
    return as_declared(schema, known[spelling])


def as_declared(schema: Schema, target: Target) -> Target:
    """
    Return a declaration as it is renamed: a field that a class restates is that of the first class.

    Raises
    ------
    SchemaError
        tschema makes the declaration of another one.
    """
    _refuse_derived(schema, target)
    return _where_declared(schema, target)


def spellings(schema: Schema) -> dict[str, Target]:
    """Return all that can be renamed, by every name that it is called."""
    known: dict[str, Target] = {}
    for space in schema.namespaces:
        for spelling, target in _declared(space):
            known.setdefault(spelling, target)
    return known


def _declared(space: Namespace) -> Iterator[tuple[str, Target]]:
    """Yield the declarations of a schema file, by every spelling."""
    for type_ in space.types:
        for spelling in (type_.key, f"{space.name}.{type_.name}", f"{space.name}.{type_.ref}"):
            yield spelling, Target("class", type_.key, type_.stem, space)
            yield from _members(type_, spelling, space)
    for enum in space.enums:
        yield enum.key, Target("enum", enum.key, enum.name, space)
        for member in enum.members:
            found = Target("enum member", enum.key, member.name, space, member=True)
            yield f"{enum.key}.{member.name}", found
    operators = {one.name for one in space.operators}
    for function in space.functions:
        kind: TargetKind = "operator" if function.name in operators else "function"
        yield function.key, Target(kind, function.key, function.name, space)
        for param in function.params:
            found = Target("parameter", function.key, param.name, space, member=True)
            yield f"{function.key}.{param.name}", found


def _members(type_: Type, spelling: str, space: Namespace) -> Iterator[tuple[str, Target]]:
    names = [field.name for field in type_.fields] + [field.name for field in type_.restated]
    for name in names:
        yield f"{spelling}.{name}", Target("field", type_.key, name, space, member=True)
    for method in type_.methods:
        found = Target("method", type_.key, method.name, space, member=True)
        yield f"{spelling}.{method.name}", found


def _refuse_derived(schema: Schema, target: Target) -> None:
    """Refuse what tschema makes of an operator."""
    operator = attributes_of(schema, target.key)
    if operator is not None:
        home, _, _ = target.key.rpartition(".")
        part = f"{home}.{operator.name}" + (f".{target.name}" if target.member else "")
        message = f"`{target.dotted}` is made of the operator `{operator.name}`"
        raise schema_error("TS095", message, f"rename `{part}`")
    if target.kind == "parameter":
        _refuse_implied(schema, target)


def _refuse_implied(schema: Schema, target: Target) -> None:
    dialect = schema.dialect(target.space.name)
    operators = {f"{target.space.name}.{one.name}" for one in target.space.operators}
    if target.name == "span" and target.key in operators and dialect and dialect.span:
        message = f"every operator of `{target.space.name}` has the parameter `span`"
        raise schema_error("TS095", message, "it is declared by the dialect, and not written")


def attributes_of(schema: Schema, key: str) -> Operator | None:
    """Return the operator whose attributes a class holds; None for a class that is written."""
    for space in schema.namespaces:
        for operator in space.operators:
            if operator.attrs == key:
                return operator
    return None


def _where_declared(schema: Schema, target: Target) -> Target:
    """Return a field that a class restates as the field of the class that declares it."""
    if target.kind != "field":
        return target
    for ancestor in schema.ancestry(schema.type(target.key)):
        if any(field.name == target.name for field in ancestor.fields):
            home = schema.home(ancestor.key)
            if home not in schema.namespaces:
                message = f"field `{target.name}` belongs to `{ancestor.key}` of another package"
                raise schema_error("TS095", message, "rename it in that package")
            return Target("field", ancestor.key, target.name, home, member=True)
    return target
