"""Python spellings of field and argument types, defaults and imports.

In: parts of the JSON IR.  Out: Python text, and its imports.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Protocol

from msgspec import Struct, field

from tschema.backends.base import python_value
from tschema.ir.model import Default, TypeRef

_PLAIN = {
    "bool": "bool",
    **{f"{sign}int{bits}": "int" for sign in ("", "u") for bits in (8, 16, 32, 64)},
    "float32": "float",
    "float64": "float",
    "String": "str",
    "Bytes": "bytes",
    "None": "None",
}
_IMPORTED = {
    "DataType": ("tvm_ffi", "dtype as DataType"),
    **{
        name: ("tvm_ffi", name)
        for name in (
            "Device", "Object", "Function", "Tensor", "Shape", "Module",
            "Array", "Map", "List", "Dict",
        )
    },
    "Any": ("typing", "Any"),
    "Callable": ("collections.abc", "Callable"),
    "Mapping": ("collections.abc", "Mapping"),
    "Sequence": ("collections.abc", "Sequence"),
}  # fmt: skip


_STANDARD = ("collections.abc", "enum", "typing")


class SpellDeclared(Protocol):
    """Spells a declared type or enum, and notes that it has to be imported."""

    def __call__(self, key: str) -> str:
        """Return the text that names the class in an annotation."""


class Imports(Struct):
    """The imports for the annotations of one file: module to the names taken from it."""

    taken: frozenset[str] = frozenset()
    """Names that the file declares or imports otherwise: a library's name gives way to them."""
    names: dict[str, set[str]] = field(default_factory=dict)

    def library(self, name: str) -> str:
        """Return how a library's name is spelled here, and import it."""
        module, imported = _IMPORTED[name]
        if name in self.taken:
            self.names.setdefault(module, set()).add("")
            return f"{module}.{imported.partition(' ')[0]}"
        self.add(module, imported)
        return name

    def add(self, module: str, name: str) -> None:
        """Import a name from a module."""
        self.names.setdefault(module, set()).add(name)

    def hidden(self) -> str:
        """Return the names of libraries that give way, as text."""
        return " ".join(sorted(self.taken.intersection(_IMPORTED)))

    def listed(self) -> dict[str, list[str]]:
        """Return the imports in a form that JSON can hold."""
        return {module: sorted(names) for module, names in self.names.items()}

    def add_all(self, listed: Mapping[str, Iterable[str]]) -> None:
        """Import what another file's imports have listed."""
        for module, names in listed.items():
            self.names.setdefault(module, set()).update(names)

    def lines(self) -> tuple[str, ...]:
        """Return the import statements as linters want them, groups set apart by empty lines."""
        lines: list[str] = []
        modules = sorted(self.names, key=_import_order)
        for previous, module in zip([None, *modules], modules, strict=False):
            if previous is not None and _import_order(previous)[0] != _import_order(module)[0]:
                lines.append("")
            lines += _statements(module, self.names[module])
        return tuple(lines)


def _statements(module: str, names: set[str]) -> list[str]:
    """Return the statements that import names from one module; `""` imports the module itself."""
    statements = [f"import {module}"] if "" in names else []
    plain = [name for name in names - {""} if " as " not in name]
    if plain:
        statements.append(f"from {module} import {', '.join(sorted_names(plain))}")
    renamed = sorted(names - {"", *plain})
    return [*statements, *(f"from {module} import {name}" for name in renamed)]


def sorted_names(names: Iterable[str]) -> tuple[str, ...]:
    """Return names as linters sort them: constants, classes, the rest."""
    return tuple(sorted(names, key=lambda name: (_import_case(name), _natural(name))))


def _natural(name: str) -> list[tuple[int, str]]:
    """Order `Int8` before `Int16`."""
    parts = re.split(r"(\d+)", name)
    return [(int(part), "") if part.isdigit() else (-1, part) for part in parts]


def quoted(names: Iterable[str]) -> str:
    """Return names for an `__all__`: sorted, in quotes, separated by commas."""
    return ", ".join(f'"{name}"' for name in sorted_names(names))


def _import_case(name: str) -> int:
    """Order constants, then classes, then the rest."""
    if name.isupper() and len(name) > 1:
        return 0
    return 1 if name[0].isupper() else 2


def _import_order(module: str) -> tuple[int, int, str]:
    """Order the standard library, third parties, the own package; more dots first."""
    if module.startswith("."):
        dots = len(module) - len(module.lstrip("."))
        return 2, -dots, module
    return (0 if module in _STANDARD else 1), 0, module


def read_type(type_ref: TypeRef, declared: SpellDeclared, imports: Imports) -> str:
    """Return the annotation of a value that is read: a field, a result."""
    if type_ref.kind in _PLAIN:
        return _PLAIN[type_ref.kind]
    if type_ref.key is not None:
        return declared(type_ref.key)
    args = [
        "int" if arg.kind == "enum" and type_ref.kind not in ("Optional", "Union")
        else read_type(arg, declared, imports)
        for arg in type_ref.args
    ]  # fmt: skip
    if type_ref.kind == "Optional":
        return f"{args[0]} | None"
    if type_ref.kind == "Union":
        return " | ".join(dict.fromkeys(args))
    if type_ref.kind == "Tuple":
        return f"{imports.library('Array')}[{' | '.join(dict.fromkeys(args))}]"
    name = imports.library(type_ref.kind)
    return f"{name}[{', '.join(args)}]" if args else name


def given_type(type_ref: TypeRef, declared: SpellDeclared, imports: Imports) -> str:
    """Return the annotation of a value that is given: an argument."""
    args = [given_type(arg, declared, imports) for arg in type_ref.args]
    match type_ref.kind:
        case "DataType":
            return f"{imports.library('DataType')} | str"
        case "Function":
            return f"{imports.library('Callable')}[..., {imports.library('Any')}]"
        case "Optional":
            return f"{args[0]} | None"
        case "Union":
            return " | ".join(dict.fromkeys(args))
        case "Array" | "List":
            return f"{imports.library('Sequence')}[{args[0]}]"
        case "Map" | "Dict":
            return f"{imports.library('Mapping')}[{args[0]}, {args[1]}]"
        case "Tuple":
            return f"tuple[{', '.join(args) or '()'}]"
        case _:
            return read_type(type_ref, declared, imports)


def default_text(default: Default, type_ref: TypeRef, declared: SpellDeclared) -> str:
    """Return a default as Python text; `()` and `None` mean fresh empty containers."""
    if default.factory is not None:
        return "()" if default.factory == "list" else "None"
    return python_value(default, type_ref, declared)
