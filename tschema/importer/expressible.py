"""The parts of a single class that the schema language can express.

In: a found class.  Out: why it cannot be declared, and the declarable part of a class that stays by
hand.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import ValidationError, convert
from msgspec.structs import replace

from tschema.importer.records import FoundClass, FoundField
from tschema.ir.keywords import MEMBERS, attribute_name, is_path_name
from tschema.ir.model import ROOT_KEY, TypeRef
from tschema.passes.options import CLASS_OPTIONS
from tschema.passes.vocabulary import KNOWN_NAMES


def type_refs(found: FoundClass) -> Iterator[TypeRef]:
    """Yield the types of the fields, parameters and results of a class, and of defaults."""
    refs = [field.type for field in found.fields]
    members = (field.default.member for field in found.fields if field.default is not None)
    refs += [TypeRef(kind="enum", key=member[0]) for member in members if member is not None]
    for method in found.methods:
        refs += [*(param.type for param in method.params), method.returns]
    return (ref for ref in refs if ref is not None)


def node_keys(ref: TypeRef | None) -> Iterator[str]:
    """Yield the keys of the classes in a type."""
    for one in ref.walk() if ref is not None else ():
        if one.kind == "node" and one.key:
            yield one.key


def is_in_language(found: FoundClass) -> bool:
    """Return whether a class is a type of the schema language."""
    root, _, last = (found.key or "").partition(".")
    return root == ROOT_KEY.partition(".")[0] and f"tschema.ty.{last}" in KNOWN_NAMES


def can_be_extern(found: FoundClass) -> bool:
    """Return whether the language takes the header of a class, or that it has none."""
    try:
        convert(found.header or True, CLASS_OPTIONS["extern"][0])
    except ValidationError:
        return False
    return True


def schema_name(field: FoundField) -> str:
    """Return the name of a member in a schema file: `from_` for `from`."""
    is_free = not field.registered and field.name in MEMBERS["Python"]
    return field.name if is_free else attribute_name(field.name)


def folders_of(key: str, package: str) -> list[str]:
    """Return the folders, below that of the schema, of a class with a key."""
    folders = key.split(".")[:-1]
    return folders[1:] if folders[:1] == [package] else folders


def reserved_folder(key: str, package: str) -> str | None:
    """Return the first folder of a class whose name no folder can have, or None."""
    return next((one for one in folders_of(key, package) if not is_path_name(one)), None)


def is_method_name(name: str) -> bool:
    """Return whether a method of a class in Python can have a name, and a schema can declare it."""
    return name.isidentifier() and not name.startswith("_") and attribute_name(name) == name


def inexpressible(found: FoundClass) -> Iterator[str]:
    """Yield why the language cannot express a class, apart from its relatives."""
    yield from found.unsaid
    last = (found.key or "").partition(".")[2]
    if not last:
        yield f"its type key `{found.key}` has no namespace"
    if found.cpp_namespace == "":
        yield "it stands in no namespace of C++"
    if is_in_language(found):
        yield f"it is `ty.{last}` in a schema"
    for field in found.fields:
        yield from _inexpressible_member(field)


def not_emitted(found: FoundClass, package: str, *, is_in_place: bool) -> Iterator[str]:
    """Yield why a class cannot be emitted, though its layout can be said."""
    root, _, last = (found.key or "").partition(".")
    is_library = root == ROOT_KEY.partition(".")[0]
    reserved = reserved_folder(found.key or "", package)
    if reserved is not None and not is_library:
        yield f"its key has the part `{reserved}`, which no folder of schema files can be called"
    if not last:
        yield f"its type key `{found.key}` has no namespace"
    if is_library and not is_in_language(found):
        yield "tvm-ffi itself declares it"
    yield from found.by_hand
    if found.outer is not None and not is_in_place:
        yield f"it is nested in `{found.outer}`"
    for field in found.fields:
        # In place, its own code goes on to register it.
        if schema_name(field) != field.name and not is_in_place:
            yield f"`{field.name}` is a name that Python reserves"
        if field.registered and field.type is not None and field.type.kind == "foreign":
            yield f"`{field.name}` is registered, and has the C++ type `{field.type.key}`"


def described(found: FoundClass) -> FoundClass:
    """Return the declaration of a class that stays by hand: its fields and their docs."""
    fields = tuple(
        FoundField(
            name=field.name,
            type=field.type,
            doc=field.doc,
            registered=field.registered,
            access=field.access,
            offset=field.offset,
            size=field.size,
            align=field.align,
        )
        for field in found.fields
    )
    return replace(found, fields=fields, methods=(), omitted=())


def _inexpressible_member(field: FoundField) -> Iterator[str]:
    if not field.name.isidentifier():
        yield f"`{field.name}` cannot be a name in Python, in which schema files are written"
    if field.type is None:
        shown = field.unknown_type or field.cpp_type or "unknown"
        yield f"`{field.name}` has the type `{shown}`, which no type of a schema stands for"
