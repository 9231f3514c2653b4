"""All files together: classes by full name, their bodies, macros and registrations.

In: the files.  Out: a `Program`, which the readers of classes and references ask.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator

from msgspec import Struct, field

from tschema.importer.headers.declarations import (
    FileDeclarations,
    RawClass,
    RawEnum,
    RawFunction,
    read_declarations,
)
from tschema.importer.headers.library_types import LIBRARY_NAMES
from tschema.importer.headers.masking import MacroCall, SourceText, expanded, mask
from tschema.importer.headers.members import ClassBody, read_body
from tschema.importer.headers.preprocessing import MacroDefinition
from tschema.importer.headers.registrations import Registration, read_registrations
from tschema.importer.headers.symbols import Alias, Scope, Symbols

_OF_CLASSES = re.compile(r"OBJECT_INFO|OBJECT_REF|REGISTER_NODE_TYPE|REGISTER_OBJECT_TYPE")
_MOST_NESTED = 100
"""How many classes before a macro may be nested in the class around it."""


class Program(Struct):
    """What all files declare."""

    symbols: Symbols = field(default_factory=Symbols)
    classes: dict[str, RawClass] = field(default_factory=dict)
    """By full name; of two definitions the first."""
    functions: dict[str, list[RawFunction]] = field(default_factory=dict)
    enums: dict[str, RawEnum] = field(default_factory=dict)
    macros: dict[str, list[MacroCall]] = field(default_factory=dict)
    """Full name of a class to the calls of macros right in its body."""
    other_macros: dict[str, list[str]] = field(default_factory=dict)
    """Full name of a class to the names of macros in its body that no file defines, or that declare
    members."""
    lost_macros: list[tuple[SourceText, MacroCall]] = field(default_factory=list)
    """Declarations of object information outside of any class that was read."""
    registrations: list[Registration] = field(default_factory=list)
    bodies: dict[str, ClassBody] = field(default_factory=dict)

    def body(self, full: str) -> ClassBody:
        """Return the body of a class."""
        if full not in self.bodies:
            self.bodies[full] = read_body(self.classes[full])
        return self.bodies[full]

    def find_class(self, name: str, scope: Scope) -> str | None:
        """Return the full name of a class as it is named in a scope, through aliases."""
        for _ in range(8):
            bare = name.partition("<")[0].strip()
            full = self.symbols.lookup(bare, scope)
            alias = self.symbols.aliases.get(full or "")
            if alias is None:
                return full or (bare if bare in self.classes else None)
            name, scope = alias.target, alias.scope
        return None

    def bases(self, full: str) -> Iterator[str]:
        """Yield a class and those that it derives from, first bases only."""
        seen: set[str] = set()
        at: str | None = full
        while at is not None and at not in seen:
            yield at
            seen.add(at)
            raw = self.classes.get(at)
            at = self.find_class(raw.bases[0].name, raw.scope) if raw and raw.bases else None

    def plain_members(self, full: str) -> tuple[Scope, tuple[str, ...]] | None:
        """Return the types of all members of a class that is nothing but its members."""
        raw = self.classes.get(full)
        if raw is None or raw.is_template or raw.bases:
            return None
        body = self.body(full)
        is_plain = not body.unread and not any(one.is_virtual for one in body.functions)
        if not is_plain or any(member.suffix for member in body.members):
            return None
        return (*raw.scope, raw.name), tuple(member.type for member in body.members)

    def constant(self, full: str, name: str) -> str | None:
        """Return the initializer of a static member of a class or its nearest base with one."""
        for at in self.bases(full):
            if at in self.classes and name in self.body(at).constants:
                return self.body(at).constants[name]
        return None


def read_program(sources: Iterable[SourceText]) -> Program:
    """Return what all files declare."""
    program = Program()
    for name in LIBRARY_NAMES:
        program.symbols.declare(name, "library")
    files = [read_declarations(source) for source in sources]
    definitions = {one.name: one for file in files for one in file.source.definitions}
    for file in files:
        _add_names(program, file)
        starts = [raw.node.start_byte for raw in file.classes]
        for call in expanded(file.source.macros, definitions):
            if _OF_CLASSES.search(call.name):
                _add_macro(program, file, starts, call)
        for call in file.source.macros:
            if not call.name.startswith("TVM_") and not _is_harmless(definitions.get(call.name)):
                _add_other_macro(program, file, starts, call)
    for file in files:
        program.registrations += read_registrations(file)
    return program


def _add_names(program: Program, file: FileDeclarations) -> None:
    symbols = program.symbols
    for raw in file.classes:
        symbols.declare(raw.full_name, "class")
        symbols.bases[raw.full_name] = tuple(base.name.partition("<")[0] for base in raw.bases)
        program.classes.setdefault(raw.full_name, raw)
    for enum in file.enums:
        full = "::".join((*enum.scope, enum.name))
        symbols.declare(full, "enum")
        program.enums.setdefault(full, enum)
    for scope, name, alias in file.aliases:
        _add_alias(symbols, "::".join((*scope, name)), alias)
    for scope, name, target in file.usings:
        symbols.usings.setdefault("::".join((*scope, name)), target)
        if scope:
            symbols.declare_scope("::".join(scope))
    for scope, target in file.directives:
        opened = symbols.directives.setdefault("::".join(scope), [])
        if target not in opened:
            opened.append(target)
    for function in file.functions:
        full = "::".join((*function.scope, function.name))
        program.functions.setdefault(full, []).append(function)


def _add_alias(symbols: Symbols, full: str, alias: Alias) -> None:
    if full not in symbols.kinds:
        symbols.declare(full, "alias")
        symbols.aliases[full] = alias


def _is_harmless(definition: MacroDefinition | None) -> bool:
    """Return whether a macro's definition has no data members of a class in it."""
    if definition is None:
        return False
    source = mask("", f"struct A {{ {definition.body} }};".encode())
    classes = read_declarations(source).classes
    body = read_body(classes[0]) if classes else ClassBody()
    return bool(classes) and not body.members and not body.unread


def _add_other_macro(
    program: Program, file: FileDeclarations, starts: list[int], call: MacroCall
) -> None:
    raw = _class_around(file, starts, call)
    inside = (one.node for one in file.registering)
    is_member = not any(one.start_byte <= call.start < one.end_byte for one in inside)
    if raw is not None and is_member:
        program.other_macros.setdefault(raw.full_name, []).append(call.name)


def _class_around(file: FileDeclarations, starts: list[int], call: MacroCall) -> RawClass | None:
    """Return the innermost class around a call."""
    last = bisect_right(starts, call.start)
    near = reversed(file.classes[max(0, last - _MOST_NESTED) : last])
    return next((one for one in near if call.end <= one.node.end_byte), None)


def _add_macro(
    program: Program, file: FileDeclarations, starts: list[int], call: MacroCall
) -> None:
    """Give a call to the innermost class around it."""
    raw = _class_around(file, starts, call)
    if raw is not None and program.classes.get(raw.full_name) is raw:
        program.macros.setdefault(raw.full_name, []).append(call)
    elif "OBJECT_INFO" in call.name and raw is None:
        program.lost_macros.append((file.source, call))
