"""Object information: the classes that declare a type key, and their parents.

In: a `Program`.  Out: a `Declaration` for each data class.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from msgspec import Struct

from tschema.importer.headers.declarations import RawClass
from tschema.importer.headers.defaults import string_literal
from tschema.importer.headers.masking import MacroCall
from tschema.importer.headers.program import Program
from tschema.importer.headers.symbols import Scope

_DECLARATION = re.compile(
    r"TVM_(?:FFI_)?DECLARE_(?:BASE_|FINAL_)?OBJECT_INFO(?:_FINAL|_STATIC|_PREDEFINED_TYPE_KEY)?$"
)


class Declaration(Struct, frozen=True):
    """The facts that a class's `TVM_FFI_DECLARE_OBJECT_INFO*` states."""

    full: str
    raw: RawClass
    key: str | None
    written_key: str
    parent: str
    """Full name of the parent class, or as written if no file defines it."""
    is_final: bool


def read_object_declarations(program: Program) -> dict[str, Declaration]:
    """Return the data classes of a program, by full name."""
    found, templates = {}, {}
    for full, calls in program.macros.items():
        for call in calls:
            if not _DECLARATION.match(call.name) or len(call.args) < 2:
                continue
            if program.classes[full].is_template and call.args[-2] != program.classes[full].name:
                templates[full] = call
            else:
                found[full] = _declaration(program, full, full, call)
    if templates:
        found.update(_heirs(program, templates))
    return found


def _heirs(
    program: Program, templates: Mapping[str, MacroCall]
) -> Iterator[tuple[str, Declaration]]:
    """Yield the classes with a key of their own whose base, a template, declares the rest."""
    for full in program.classes:
        base = next((at for at in program.bases(full) if at in templates), None)
        if base is not None and _key_constant(templates[base]) in program.body(full).constants:
            yield full, _declaration(program, full, base, templates[base])


def _key_constant(call: MacroCall) -> str:
    """Return the constant of a class that has its key: `kTypeKey` for `T::kTypeKey`."""
    is_stated = len(call.args) == 3 and "::" in call.args[0]
    return call.args[0].rpartition("::")[2].strip() if is_stated else "_type_key"


def _key(program: Program, written: str, scope: Scope) -> str | None:
    """Return the type key that is written as a literal, or as a constant of a class."""
    literal = string_literal(written)
    owner, _, name = written.rpartition("::")
    if literal is not None or not owner:
        return literal
    full = program.find_class(owner, scope)
    constant = program.body(full).constants.get(name) if full in program.classes else None
    return string_literal(constant) if constant is not None else None


def template_heirs(program: Program, declared: Mapping[str, Declaration]) -> dict[str, list[str]]:
    """Return the data classes by each template that they derive from."""
    heirs: dict[str, list[str]] = {}
    for full in declared:
        for base in [*program.bases(full)][1:]:
            if base in program.classes and program.classes[base].is_template:
                heirs.setdefault(base, []).append(full)
    return heirs


def _declaration(program: Program, full: str, home: str, call: MacroCall) -> Declaration:
    """Return the declaration of a class by a macro in the class `home`."""
    raw = program.classes[full]
    inside: Scope = (*program.classes[home].scope, program.classes[home].name)
    is_stated = len(call.args) == 3 and home == full
    constants = program.body(full).constants
    written = call.args[0] if is_stated else constants.get(_key_constant(call))
    parent = program.find_class(call.args[-1], inside) or call.args[-1]
    return Declaration(
        full,
        raw,
        _key(program, written, inside) if written else None,
        written or "",
        parent,
        "FINAL" in call.name or program.constant(full, "_type_final") == "true",
    )
