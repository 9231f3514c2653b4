"""The parts of the JSON IR that `load_types` needs in Python: names, types, docs, defaults.

In: the text of a `schema.json`.  Out: frozen dataclasses.  C++ handles layouts and validates the
text before.  Imports the standard library only.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

__all__ = [
    "ROOT_KEY",
    "Default",
    "EnumDecl",
    "FieldDecl",
    "FunctionDecl",
    "NamespaceDecl",
    "SchemaDecl",
    "TypeDecl",
    "TypeRef",
    "read_schema",
]

ROOT_KEY = "ffi.Object"

_Json = Mapping[str, Any]


@dataclass(frozen=True)
class TypeRef:
    """The type of a field."""

    kind: str
    key: str
    args: tuple[TypeRef, ...]


@dataclass(frozen=True)
class Default:
    """A default: a literal, or `list` or `dict` for a fresh container."""

    value: Any
    factory: str | None


@dataclass(frozen=True)
class FieldDecl:
    """A field, with the redeclarations of a type applied."""

    name: str
    type: TypeRef
    doc: str
    default: Default | None
    kw_only: bool


@dataclass(frozen=True)
class TypeDecl:
    """A type."""

    key: str
    ref: str
    parent: str
    doc: str
    see_also: tuple[str, ...]
    is_abstract: bool
    digest: str
    fields: tuple[FieldDecl, ...]
    """Its own, in source order."""
    arguments: tuple[FieldDecl, ...]
    """The arguments of its constructor, in order."""


@dataclass(frozen=True)
class EnumDecl:
    """An enum."""

    key: str
    name: str
    doc: str
    members: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class FunctionDecl:
    """A function that has a documented Python function."""

    key: str
    name: str
    doc: str
    params: tuple[FieldDecl, ...]


@dataclass(frozen=True)
class NamespaceDecl:
    """One schema file's part of a namespace."""

    name: str
    file: str
    doc: str
    types: tuple[TypeDecl, ...]
    enums: tuple[EnumDecl, ...]
    functions: tuple[FunctionDecl, ...]


@dataclass(frozen=True)
class SchemaDecl:
    """A package's declarations, and those of other packages that they build on."""

    package: str
    namespaces: tuple[NamespaceDecl, ...]
    imported: tuple[NamespaceDecl, ...]

    @property
    def types(self) -> Iterator[TypeDecl]:
        """Yield the package's own types, a parent before its children."""
        for space in self.namespaces:
            yield from space.types

    @property
    def digest(self) -> str:
        """Digest of the package's types, as its library has it."""
        lines = sorted(f"{decl.key} {decl.digest}\n" for decl in self.types)
        return hashlib.sha256("".join(lines).encode()).hexdigest()[:16]


def read_schema(text: str | bytes, path: str) -> SchemaDecl:
    """Read the JSON IR.

    Parameters
    ----------
    text
        The content of a `schema.json`.
    path
        Its name, for the error.

    Returns
    -------
    schema
        Its declarations.

    Raises
    ------
    ValueError
        If it is not JSON IR.
    """
    try:
        document = json.loads(text)
        imported = [space for one in document.get("imports", ()) for space in one["namespaces"]]
        reader = _Reader([*imported, *document.get("namespaces", ())])
        return SchemaDecl(
            package=document["package"],
            namespaces=tuple(map(reader.namespace, document.get("namespaces", ()))),
            imported=tuple(map(reader.namespace, imported)),
        )
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise ValueError(f"{path} is not the JSON IR of tschema: {error}") from error


class _Reader:
    """Reads namespaces, given all types that their restatements may refer to."""

    def __init__(self, namespaces: list[_Json]) -> None:
        self._types: dict[str, _Json] = {
            entry["key"]: entry for space in namespaces for entry in space.get("types", ())
        }
        self._maybe_null = {key for key, one in self._types.items() if _may_be_null(one)}
        self._unregistered = {key for key, one in self._types.items() if not _is_registered(one)}

    def namespace(self, space: _Json) -> NamespaceDecl:
        return NamespaceDecl(
            name=space["name"],
            file=space["file"],
            doc=space.get("doc", ""),
            types=tuple(map(self._type, filter(_is_registered, space.get("types", ())))),
            enums=tuple(map(_enum, space.get("enums", ()))),
            functions=tuple(
                map(self._function, (one for one in space.get("functions", ()) if one.get("api")))
            ),
        )

    def _type(self, entry: _Json) -> TypeDecl:
        fields = self._fields(entry)
        return TypeDecl(
            key=entry["key"],
            ref=entry["ref"],
            parent=entry["parent"],
            doc=entry.get("doc", ""),
            see_also=tuple(entry.get("see_also", ())),
            is_abstract=entry.get("options", {}).get("abstract", False),
            digest=entry["layout"].get("digest", ""),
            fields=tuple(map(self._field, entry.get("fields", ()))),
            arguments=tuple(self._field(fields[name]) for name in entry.get("init", ())),
        )

    def _function(self, entry: _Json) -> FunctionDecl:
        params = tuple(map(self._field, entry.get("params", ())))
        return FunctionDecl(entry["key"], entry["name"], entry.get("doc", ""), params)

    def _field(self, entry: _Json) -> FieldDecl:
        default = entry.get("default")
        seen = self._seen(_type_ref(entry["type"]))
        is_null = default is not None and default.get("value", ...) is None
        if is_null and seen.kind not in ("Optional", "Any", "Union"):
            seen = TypeRef("Optional", "", (seen,))
        return FieldDecl(
            name=entry["name"],
            type=seen,
            doc=entry.get("doc", ""),
            default=default and Default(default.get("value"), default.get("factory")),
            kw_only=entry.get("kw_only", False),
        )

    def _seen(self, ref: TypeRef) -> TypeRef:
        """Return a type as Python sees it; a reference that may be null is optional."""
        if ref.kind == "node":
            seen = TypeRef("Object", "", ()) if ref.key in self._unregistered else ref
            return TypeRef("Optional", "", (seen,)) if ref.key in self._maybe_null else seen
        args = tuple(map(self._seen, ref.args))
        if ref.kind in ("Optional", "Union"):
            args = tuple(arg.args[0] if arg.kind == "Optional" else arg for arg in args)
        return TypeRef(ref.kind, ref.key, args)

    def _fields(self, entry: _Json) -> dict[str, _Json]:
        """Return all fields by name, with redeclarations applied to inherited ones."""
        parent = self._types.get(entry["parent"])
        fields = {} if parent is None else self._fields(parent)
        fields.update((field["name"], field) for field in entry.get("fields", ()))
        for restated in entry.get("restated", ()):
            kept = {key: fields[restated["name"]][key] for key in ("name", "type")}
            fields[restated["name"]] = {**restated, **kept}
        return fields


def _may_be_null(entry: _Json) -> bool:
    """Whether references to objects of a type may be null in C++."""
    return entry.get("options", {}).get("ref", "default") in ("nullable", "hand")


def _is_registered(entry: _Json) -> bool:
    return bool(entry.get("options", {}).get("register", True))


def _type_ref(entry: _Json) -> TypeRef:
    args = tuple(map(_type_ref, entry.get("args", ())))
    return TypeRef(entry["kind"], entry.get("key", ""), args)


def _enum(entry: _Json) -> EnumDecl:
    members = tuple((member["name"], member["value"]) for member in entry["members"])
    return EnumDecl(entry["key"], entry["name"], entry.get("doc", ""), members)
