"""Declarations by the names that schema files and other languages call them.

In: a schema and its files.  Out: targets of the editing commands.
"""

from __future__ import annotations

from collections import Counter
from functools import cached_property

from msgspec import Struct

from tschema.editing.rename.handwritten import words_of
from tschema.editing.rename.meaning import DocNames
from tschema.editing.rename.target import Target, attributes_of, spellings
from tschema.ir.declarations import FileDecl
from tschema.ir.model import Schema, Type, named_keys


class SchemaIndex(Struct, frozen=True, dict=True):
    """The declarations of a schema, by name."""

    schema: Schema
    files: tuple[FileDecl, ...]

    @cached_property
    def targets(self) -> dict[str, Target]:
        """Every declaration by each of its dotted names."""
        return spellings(self.schema)

    @cached_property
    def docs(self) -> DocNames:
        """The declarations by the names of docs."""
        return DocNames(self.schema, self.modules)

    @cached_property
    def modules(self) -> dict[str, str]:
        """The module of each schema file, by path."""
        return {file.source.path: file.module for file in self.files}

    @cached_property
    def by_word(self) -> dict[str, list[Target]]:
        """The declarations by the words of hand-written code, of any language."""
        found: dict[str, list[Target]] = {}
        unique = {target.dotted: target for target in self.targets.values()}
        for target in unique.values():
            for word in words_of(target, self.names(target)):
                found.setdefault(word, []).append(target)
        return found

    def names(self, target: Target) -> set[str]:
        """Return the names of a declaration itself: of a class, its reference and data class."""
        if target.kind != "class":
            return {target.name}
        type_ = self.schema.type(target.key)
        return {target.name, type_.ref, type_.name}

    def owner(self, target: Target) -> Type | None:
        """Return the class that a target is, or that it is a member of."""
        return self.schema.find_type(target.key)

    @cached_property
    def users(self) -> Counter[str]:
        """How many declarations name a type or an enum, by key."""
        counts: Counter[str] = Counter()
        for space in self.schema.namespaces:
            for type_ in space.types:
                counts.update({*named_keys(type_)})
            for function in space.functions:
                counts.update({*named_keys(function)})
        return counts

    def target_of_operator(self, target: Target) -> Target:
        """Return the operator for a class that holds its attributes, else the target itself."""
        operator = attributes_of(self.schema, target.key)
        if operator is None:
            return target
        key = f"{target.key.rpartition('.')[0]}.{operator.name}"
        return self.targets.get(f"{key}.{target.name}" if target.member else key, target)
