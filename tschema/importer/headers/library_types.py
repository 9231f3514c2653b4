"""Facts about types of tvm-ffi, DLPack and the C++ library that need no headers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from tschema.ir.cpp_sizes import CLASS_SIZES, TEMPLATE_SIZES
from tschema.ir.model import TypeKind

FFI = "tvm::ffi"
"""The namespace of tvm-ffi."""

_FFI_KINDS: Mapping[str, TypeKind] = {
    "Any": "Any",
    "String": "String",
    "Bytes": "Bytes",
    "ObjectRef": "Object",
    "Function": "Function",
    "Tensor": "Tensor",
    "Shape": "Shape",
    "Module": "Module",
    "Optional": "Optional",
    "Array": "Array",
    "Map": "Map",
    "List": "List",
    "Dict": "Dict",
    "Tuple": "Tuple",
    "Variant": "Union",
}
LIBRARY_KINDS: Mapping[str, TypeKind] = {
    **{f"{FFI}::{name}": kind for name, kind in _FFI_KINDS.items()},
    "DLDataType": "DataType",
    "DLDevice": "Device",
}
"""Types that the schema language has, by full name."""

KINDS_OF_KEYS: Mapping[str, TypeKind] = {
    f"ffi.{name}": kind
    for name, kind in _FFI_KINDS.items()
    if name in ("Function", "Tensor", "Shape", "Module")
}
"""Types that the schema language has, by the type key of the class that a reference refers to."""

LIBRARY_ALIASES: Mapping[str, str] = {
    "tvm::DataType": "DLDataType",
    "tvm::Device": "DLDevice",
    "tvm::ObjectRef": f"{FFI}::ObjectRef",
    "tvm::runtime::ObjectRef": f"{FFI}::ObjectRef",
    "tvm::runtime::DataType": "DLDataType",
    "tvm::runtime::Device": "DLDevice",
    **{f"tvm::{name}": f"{FFI}::{name}" for name in _FFI_KINDS if name not in ("Module", "Tensor")},
    **{
        f"tvm::runtime::{name}": f"{FFI}::{name}"
        for name in ("Array", "Map", "String", "Optional", "Variant")
    },
}
"""Other names of these, as TVM has them."""

ARGUMENTS: Mapping[TypeKind, int] = {"Optional": 1, "Array": 1, "List": 1, "Map": 2, "Dict": 2}
"""How many arguments a container has; missing ones are `Any`."""

INTEGERS: Mapping[str, TypeKind] = {
    "bool": "bool",
    "int": "int32",
    "long": "int64",
    "short": "int16",
    "signed char": "int8",
    "unsigned int": "uint32",
    "unsigned long": "uint64",
    "unsigned short": "uint16",
    "unsigned char": "uint8",
    "float": "float32",
    "double": "float64",
}
"""Built-in types."""
_TYPEDEFS: Mapping[str, TypeKind] = {
    "int8_t": "int8",
    "int16_t": "int16",
    "int32_t": "int32",
    "int64_t": "int64",
    "uint8_t": "uint8",
    "uint16_t": "uint16",
    "uint32_t": "uint32",
    "uint64_t": "uint64",
}
_ALIASES_OF_INTEGERS: Mapping[str, TypeKind] = {
    "size_t": "uint64",
    "ssize_t": "int64",
    "ptrdiff_t": "int64",
    "intptr_t": "int64",
    "uintptr_t": "uint64",
}


class KnownScalar(Struct, frozen=True):
    """A plain type, and whether the name differs from what tschema emits for it."""

    kind: TypeKind
    is_alias: bool


SCALARS: Mapping[str, KnownScalar] = {
    **{
        name: KnownScalar(kind, name in ("long", "unsigned long"))
        for name, kind in INTEGERS.items()
    },
    **{name: KnownScalar(kind, False) for name, kind in _TYPEDEFS.items()},
    **{f"std::{name}": KnownScalar(kind, False) for name, kind in _TYPEDEFS.items()},
    **{name: KnownScalar(kind, True) for name, kind in _ALIASES_OF_INTEGERS.items()},
    **{f"std::{name}": KnownScalar(kind, True) for name, kind in _ALIASES_OF_INTEGERS.items()},
}
"""Numbers and `bool`, by name."""

VALUES: Mapping[str, TypeKind] = {
    f"{FFI}::AnyView": "Any",
    f"{FFI}::PackedArgs": "Any",
    f"{FFI}::TypedFunction": "Function",
    f"{FFI}::TensorView": "Tensor",
    f"{FFI}::ShapeView": "Shape",
    "std::string": "String",
    "std::string_view": "String",
    "void": "None",
    "std::nullptr_t": "None",
}
"""What parameters and results of other types are to a caller."""

REFERENCES = {
    *(f"{FFI}::{name}" for name in ("ObjectRef", "Function", "Tensor", "Shape", "Module")),
    *(f"{FFI}::{name}" for name in ("Error", "Enum", "IntEnum", "StrEnum")),
    "tvm::ObjectRef",
    "tvm::runtime::ObjectRef",
}
"""Reference classes of tvm-ffi that others derive from."""

NULLABLE = frozenset(f"{FFI}::{name}" for name in ("ObjectRef", "Function", "Tensor", "Module"))
"""Those that may refer to nothing."""

WRAPPERS = {f"{FFI}::RValueRef", f"{FFI}::ObjectPtr", f"{FFI}::Arc", f"{FFI}::Expected"}
"""Templates whose values are to a caller those of their argument."""

ROOT_CLASSES: Mapping[str, str] = {
    f"{FFI}::Object": "ffi.Object",
    f"{FFI}::EnumObj": "ffi.Enum",
    f"{FFI}::IntEnumObj": "ffi.IntEnum",
    f"{FFI}::StrEnumObj": "ffi.StrEnum",
    f"{FFI}::ModuleObj": "ffi.Module",
    f"{FFI}::ErrorObj": "ffi.Error",
    f"{FFI}::FunctionObj": "ffi.Function",
    f"{FFI}::TensorObj": "ffi.Tensor",
    "tvm::Object": "ffi.Object",
    "tvm::runtime::Object": "ffi.Object",
}
"""Classes of tvm-ffi that others derive from, by full name, with their type keys."""
POLYMORPHIC_KEYS = {"ffi.Module"}
"""Those among them that have virtual functions."""
ROOT_SIZES: Mapping[str, int] = {
    "ffi.Object": 24,
    "ffi.Enum": 48,
    "ffi.IntEnum": 48,
    "ffi.StrEnum": 48,
}
"""Where the fields of their children begin, in bytes."""
ROOT_STRUCTURAL: Mapping[str, Literal["unique"]] = {
    "ffi.Enum": "unique",
    "ffi.IntEnum": "unique",
    "ffi.StrEnum": "unique",
}
"""Structural kinds that their children inherit."""

_POINTER = (8, 8)
FOREIGN_SIZES: Mapping[str, tuple[int, int]] = {
    **CLASS_SIZES,
    **TEMPLATE_SIZES,
    "char": (1, 1),
    "long long": (8, 8),
    "unsigned long long": (8, 8),
    "long double": (16, 16),
    "std::chrono::duration": _POINTER,
    "std::chrono::time_point": _POINTER,
    "std::unique_ptr": _POINTER,
    f"{FFI}::AnyView": (16, 8),
    f"{FFI}::TypedFunction": _POINTER,
    f"{FFI}::WeakObjectPtr": _POINTER,
}
"""Size and alignment of types that the schema language does not have, by full name."""
OWN_ARGUMENTS: Mapping[str, int] = {
    **dict.fromkeys(("std::map", "std::multimap"), 2),
    **dict.fromkeys(("std::unordered_map", "std::unordered_multimap"), 2),
    **dict.fromkeys(("std::set", "std::multiset"), 1),
    **dict.fromkeys(("std::unordered_set", "std::unordered_multiset"), 1),
    **dict.fromkeys(("std::vector", "std::deque", "std::list", "std::forward_list"), 1),
    **dict.fromkeys(("std::queue", "std::stack", "std::priority_queue", "std::unique_ptr"), 1),
}
"""How many arguments of a template never change its size; further ones, such as a hash function,
are stored unless their class is empty."""
EMPTY_CLASSES = frozenset(
    {f"{FFI}::{name}" for name in ("ObjectPtrHash", "ObjectPtrEqual", "StructuralHash")}
    | {f"{FFI}::StructuralEqual"}
    | {f"std::{name}" for name in ("hash", "equal_to", "less", "greater", "allocator")}
)
"""Classes without members that occur among these arguments."""
FOREIGN_OBJECTS = frozenset(
    f"{FFI}::{name}" for name in ("Arc", "Enum", "Error", "IntEnum", "ObjectPtr", "StrEnum")
)
"""References to objects of tvm-ffi that the schema language does not have."""

LIBRARY_NAMES = frozenset(
    name
    for table in (
        *(LIBRARY_KINDS, LIBRARY_ALIASES, VALUES, WRAPPERS, FOREIGN_SIZES, ROOT_CLASSES),
        *(FOREIGN_OBJECTS, REFERENCES, EMPTY_CLASSES),
    )
    for name in table
    if "::" in name or name.startswith("DL")
)
"""Full names of what these libraries declare."""
