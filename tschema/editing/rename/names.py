"""All names that change when a declaration is renamed.

In: a target, its new name and the project.  Out: `Names`: what changes, where.  It reads
declarations and the schema, no text.
"""

from __future__ import annotations

from collections.abc import Container, Iterator

from msgspec import Struct, field

from tschema.editing.project import EditedProject
from tschema.editing.rename.target import Target
from tschema.editing.syntax import Owner
from tschema.ir.model import Namespace, Operator, Schema, Type
from tschema.passes.attribute_nodes import attribute_node_name

Place = tuple[str, Owner]
"""A schema file, and the declarations around something in it."""


class Names(Struct):
    """Old names and new ones."""

    spellings: dict[str, str] = field(default_factory=dict)
    """Parts of dotted names: reference and data class, or the one name of anything else."""
    keys: dict[str, str] = field(default_factory=dict)
    """Type keys and dotted names; their last part changes."""
    references: dict[str, str] = field(default_factory=dict)
    """Absolute names in schema files: `schema.tir.stmt.ForNode`."""
    definitions: dict[tuple[str, Owner, str], str] = field(default_factory=dict)
    """By file, owner and old name."""
    locals: dict[Place, dict[str, str]] = field(default_factory=dict)
    """What docs in a declaration call its members."""
    rules: dict[Place, dict[str, str]] = field(default_factory=dict)
    """Names in the rules of an operator."""
    steps: dict[str, dict[str, str]] = field(default_factory=dict)
    """Operators that `decompose` calls, by namespace."""
    functions: dict[str, str] = field(default_factory=dict)
    """Operators on scalars, which the formulas of any namespace call."""
    cpp: dict[str, str] = field(default_factory=dict)
    """Names in C++ that options quote: of classes, enums and their members."""
    members: dict[Place, dict[str, str]] = field(default_factory=dict)
    """Names of data members in the C++ that options of a declaration quote."""

    def words(self) -> set[str]:
        """Return the words of which a file must hold one to be edited."""
        return {*self.spellings, *self.cpp, *(old for _, _, old in self.definitions)}

    def words_of_texts(self) -> set[str]:
        """Return the words of which a text must have one to be edited."""
        renamed = (*self.locals.values(), *self.rules.values(), *self.steps.values())
        named = (one for each in (*renamed, *self.members.values()) for one in each)
        keys = (key.rpartition(".")[2] for key in self.keys)
        return {*self.words(), *self.functions, *keys, *named}


def names_of(project: EditedProject, target: Target, new: str) -> Names:
    """Return the changes that a new name causes.

    Parameters
    ----------
    new
        The new name; of a class, that of the reference class.
    """
    schema = project.schema
    if target.kind == "class":
        return _class(project, schema.type(target.key), target, new)
    if target.kind in ("field", "method"):
        return _member(project, target, new)
    if target.kind == "parameter":
        return _parameter(target, new)
    if target.kind in ("function", "operator"):
        return _function(project, target, new)
    return _enum(project, target, new)


def data_class(type_: Type, new: str) -> str:
    """Return the data class that goes with a new reference class: `ForNode` of `For`."""
    if type_.ref != type_.stem:
        return type_.name  # Named apart from the key, by `ref_name`.
    if type_.name == type_.ref:
        return new
    return f"{new}Node" if type_.name == f"{type_.ref}Node" else type_.name


def _class(project: EditedProject, type_: Type, target: Target, new: str) -> Names:
    path, home = target.space.source, type_.key.rpartition(".")[0]
    data = data_class(type_, new)
    names = Names(spellings={type_.stem: new})
    names.keys[type_.key] = f"{home}.{new}"
    if data != type_.name:
        module = project.files()[path].module
        names.spellings[type_.name] = data
        names.references[f"{module}.{type_.name}"] = data
    # Listed even if the class keeps its name, so that the literal of its key is found.
    names.definitions[path, (), type_.name] = data
    refs = {type_.ref: new} if type_.ref == type_.stem else {}
    names.cpp = _told_apart(project.schema, {**refs, type_.name: data})
    return names


def _told_apart(schema: Schema, spellings: dict[str, str]) -> dict[str, str]:
    """Return the names of one class or enum alone: namespaces of C++ are not resolved."""
    taken = [name for type_ in schema.types() for name in {type_.ref, type_.name}]
    taken += [enum.key.rpartition(".")[2] for space in schema.namespaces for enum in space.enums]
    return {old: new for old, new in spellings.items() if old != new and taken.count(old) == 1}


def _enum(project: EditedProject, target: Target, new: str) -> Names:
    path, enum = target.space.source, target.key.rpartition(".")[2]
    absolute = f"{project.files()[path].module}.{enum}"
    names = Names(spellings={target.name: new})
    names.keys[target.dotted] = f"{target.dotted.rpartition('.')[0]}.{new}"
    if target.member:
        names.references[f"{absolute}.{target.name}"] = new
        names.definitions[path, (enum,), target.name] = new
        names.locals[path, (enum,)] = {target.name: new}
    else:
        names.references[absolute] = new
        names.definitions[path, (), enum] = new
        names.cpp = _told_apart(project.schema, {enum: new})
    return names


def _member(project: EditedProject, target: Target, new: str) -> Names:
    names = Names(spellings={target.name: new})
    kin = list(_family(project.schema, target.key))
    for space, type_ in kin:
        owner = (type_.name,)
        names.keys[f"{type_.key}.{target.name}"] = f"{type_.key}.{new}"
        names.definitions[space.source, owner, target.name] = new
        names.locals[space.source, owner] = {target.name: new}
        named = next((one for one in type_.fields if one.name == target.name), None)
        if target.kind == "field" and (named is None or named.cpp_name is None):
            names.members[space.source, owner] = {target.name: new}
    if target.kind == "field":
        keys = {type_.key for _, type_ in kin}
        for space, operator in _building(project.schema, keys):
            _rename_parameter(names, space, operator.name, target.name, new)
    return names


def _family(schema: Schema, key: str) -> Iterator[tuple[Namespace, Type]]:
    """Yield a class and the package's classes below it."""
    for space in schema.namespaces:
        for type_ in space.types:
            if any(ancestor.key == key for ancestor in schema.ancestry(type_)):
                yield space, type_


def _building(schema: Schema, keys: Container[str | None]) -> Iterator[tuple[Namespace, Operator]]:
    """Yield the operators whose parameters are the fields of the node that they make."""
    for space in schema.namespaces:
        for operator in space.operators:
            if operator.builds in keys and not operator.custom:
                yield space, operator


def _parameter(target: Target, new: str) -> Names:
    names = Names(spellings={target.name: new})
    _rename_parameter(names, target.space, target.key.rpartition(".")[2], target.name, new)
    return names


def _rename_parameter(names: Names, space: Namespace, function: str, old: str, new: str) -> None:
    owner = (function,)
    names.keys[f"{space.name}.{function}.{old}"] = f"{space.name}.{function}.{new}"
    names.definitions[space.source, owner, old] = new
    names.locals[space.source, owner] = {old: new}
    names.rules[space.source, owner] = {old: new}


def _function(project: EditedProject, target: Target, new: str) -> Names:
    space = target.space
    names = Names(spellings={target.name: new})
    names.keys[target.key] = f"{space.name}.{new}"
    names.definitions[space.source, (), target.name] = new
    if target.kind == "operator":
        _add_operator(names, project.schema, target, new)
    return names


def _add_operator(names: Names, schema: Schema, target: Target, new: str) -> None:
    space, renamed = target.space, {target.name: new}
    operator = next(one for one in space.operators if one.name == target.name)
    dialect = schema.dialect(space.name)
    names.steps[space.name] = renamed
    if dialect is not None and not dialect.shapes:
        names.functions.update(renamed)
    if operator.key is not None and operator.key.rpartition(".")[2] == target.name:
        names.keys[operator.key] = f"{operator.key.rpartition('.')[0]}.{new}"
    if operator.attrs is not None:
        old, ref = operator.attrs.rpartition(".")[2], attribute_node_name(new)
        names.keys[operator.attrs] = f"{space.name}.{ref}"
        names.spellings |= {old: ref, f"{old}Node": f"{ref}Node"}
