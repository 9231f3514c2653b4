"""The JSON IR as one language spells its classes, enums and members.

In: the JSON IR.  Out: the same with names that the language can declare.  Type keys, which the
registry and files have, stay; so do names of fields, methods, functions and parameters, which have
two spellings in one text.
"""

from __future__ import annotations

from tschema.ir.keywords import ENUM_MEMBERS, SCOPE_NAMES, escaped
from tschema.ir.model import Enum, Namespace, Schema, Type, changed
from tschema.ir.outside_cpp import outside_cpp

_LANGUAGES = {"cpp": "C++", "python": "Python", "rust": "Rust"}
"""The targets that declare names, and what their languages are called."""


def spelled(schema: Schema, target: str) -> Schema:
    """Return a schema as the language of a target spells it: itself, if that changes nothing."""
    if target not in _LANGUAGES:
        return schema
    language = _LANGUAGES[target]
    seen = schema if language == "C++" else outside_cpp(schema)
    return seen.mapped(
        lambda space: changed(
            space,
            types=tuple(_type(type_, language) for type_ in space.types),
            enums=tuple(_enum(enum, language) for enum in space.enums),
        )
    )


def class_name(key: str, language: str) -> str:
    """Return how a language spells the class or the enum with a key, without its namespace."""
    return escaped(key.rpartition(".")[2], language, SCOPE_NAMES)


def cpp_namespace(space: Namespace) -> str:
    """Return the namespace that C++ has the declarations of a schema file in."""
    return space.cpp_namespace or space.name.replace(".", "::")


def cpp_home(key: str, schema: Schema) -> str:
    """Return the namespace that C++ has a class, an enum or a function in."""
    space = schema.find_home(key)
    if space is None:
        return key.rpartition(".")[0].replace(".", "::")
    own = schema.find_type(key)
    return (own.options.cpp_namespace if own else None) or cpp_namespace(space)


def registered_classes(schema: Schema) -> dict[str, Type]:
    """Return the types that a package registers, by the full name of the data class in C++."""
    return {
        f"{type_.options.cpp_namespace or cpp_namespace(space)}::{type_.name}": type_
        for space in schema.namespaces
        for type_ in space.types
        if type_.is_registered
    }


def cpp_name(type_: Type, schema: Schema) -> str:
    """Return the reference class of a type in C++, namespace included."""
    return f"{cpp_home(type_.key, schema)}::{escaped(type_.ref, 'C++', SCOPE_NAMES)}"


def member_name(name: str, language: str) -> str:
    """Return how a language spells a member of an enum; C++ makes `kName` of each."""
    return name if language == "C++" else escaped(name, language, ENUM_MEMBERS)


def _type(type_: Type, language: str) -> Type:
    # In Python the type key is the path of the class.
    own = type_.stem if language == "Python" else type_.ref
    name, ref = (escaped(one, language, SCOPE_NAMES) for one in (type_.name, own))
    return changed(type_, name=name, ref=ref)


def _enum(enum: Enum, language: str) -> Enum:
    members = tuple(changed(one, name=member_name(one.name, language)) for one in enum.members)
    return changed(enum, name=class_name(enum.key, language), members=members)
