"""The program that lists the types of a registry, as JSON.

In: as arguments, what registers types: names of packages, and paths of shared libraries.  Out: one
JSON document on standard output.

    {"tvm_ffi": "0.1.15.post2", "types": [{"key": "toy.Point", "parent": "ffi.Object", ...}],
     "functions": ["toy.make"]}

On failure the last line of standard error is the message, and the exit status is not 0.

It runs in the environment that it is asked about, which may hold another release of tvm-ffi and
another Python than tschema's.  So it imports `tvm_ffi`, the requested packages, and nothing else.
It reads the tables through the C ABI, which the releases 0.1 share, since their Python does not
show all of a table; the probe compares its values with those that this Python shows.
"""

from __future__ import annotations

import ctypes
import importlib
import json
import re
import sys
import traceback
from collections.abc import Iterable, Iterator
from pathlib import Path

import tvm_ffi
from tvm_ffi import core

_KINDS = (None, "tree", "var", "dag", "const_tree", "unique")
"""`TVMFFISEqHashKind`, by number."""
_FLAGS = {
    0: "writable",
    1: "has_default",
    2: "static",
    3: "structural_ignore",
    4: "structural_def_pattern",
    5: "default_from_factory",
    6: "repr_off",
    7: "compare_off",
    8: "hash_off",
    9: "init_off",
    10: "kw_only",
    11: "setter_is_function",
    12: "structural_def",
}
"""`TVMFFIFieldFlagBitMask`, by bit."""
_EMPTY = {"Array": "list", "List": "list", "Map": "dict", "Dict": "dict"}
"""What makes an empty container in Python, by its class."""
_HOOKS = (
    "__ffi_convert__", "__ffi_init__", "__ffi_new__", "__ffi_repr__", "__ffi_shallow_copy__",
    "__ffi_type_final__", "__any_equal__", "__any_hash__", "__data_to_json__", "__data_from_json__",
    "__s_equal__", "__s_hash__", "__s_visit__", "__s_mutate__",
)  # fmt: skip
"""Attributes of types that a library may have registered by code of another one."""
_TEXT = re.compile(rb"[!-~]{2,80}(?=\0)")
"""A text in a library that may be the name of an attribute."""
_INTEGER, _BOOLEAN, _POINTER = 1, 2, 4
"""`kTVMFFIInt`, `kTVMFFIBool` and `kTVMFFIOpaquePtr`."""


class _Bytes(ctypes.Structure):
    """`TVMFFIByteArray`."""

    _fields_ = (("data", ctypes.c_void_p), ("size", ctypes.c_size_t))

    def text(self) -> str:
        """Return the text, which is UTF-8 where its author was careful."""
        data = ctypes.string_at(self.data, self.size) if self.data and self.size else b""
        return data.decode("utf-8", "replace")


class _Any(ctypes.Structure):
    """`TVMFFIAny`."""

    _fields_ = (
        ("type_index", ctypes.c_int32),
        ("small_len", ctypes.c_uint32),
        ("value", ctypes.c_int64),
    )


class _Field(ctypes.Structure):
    """`TVMFFIFieldInfo`."""

    _fields_ = (
        ("name", _Bytes),
        ("doc", _Bytes),
        ("metadata", _Bytes),
        ("flags", ctypes.c_int64),
        ("size", ctypes.c_int64),
        ("alignment", ctypes.c_int64),
        ("offset", ctypes.c_int64),
        ("getter", ctypes.c_void_p),
        ("setter", ctypes.c_void_p),
        ("default", _Any),
        ("static_type_index", ctypes.c_int32),
    )


class _Method(ctypes.Structure):
    """`TVMFFIMethodInfo`."""

    _fields_ = (
        ("name", _Bytes),
        ("doc", _Bytes),
        ("metadata", _Bytes),
        ("flags", ctypes.c_int64),
        ("method", _Any),
    )


class _Metadata(ctypes.Structure):
    """`TVMFFITypeMetadata`."""

    _fields_ = (
        ("doc", _Bytes),
        ("creator", ctypes.c_void_p),
        ("total_size", ctypes.c_int32),
        ("structural", ctypes.c_int32),
    )


class _Type(ctypes.Structure):
    """`TVMFFITypeInfo`."""


_Type._fields_ = (
    ("type_index", ctypes.c_int32),
    ("type_depth", ctypes.c_int32),
    ("type_key", _Bytes),
    ("ancestors", ctypes.POINTER(ctypes.POINTER(_Type))),
    ("key_hash", ctypes.c_uint64),
    ("num_fields", ctypes.c_int32),
    ("num_methods", ctypes.c_int32),
    ("fields", ctypes.POINTER(_Field)),
    ("methods", ctypes.POINTER(_Method)),
    ("metadata", ctypes.POINTER(_Metadata)),
)


class _Column(ctypes.Structure):
    """`TVMFFITypeAttrColumn`."""

    _fields_ = (
        ("data", ctypes.POINTER(_Any)),
        ("size", ctypes.c_int32),
        ("begin", ctypes.c_int32),
    )


class _Vector(ctypes.Structure):
    """`std::vector`, of libstdc++ and libc++ alike."""

    _fields_ = (("begin", ctypes.c_void_p), ("end", ctypes.c_void_p), ("room", ctypes.c_void_p))


class _Entry(ctypes.Structure):
    """`TypeTable::Entry`, the private record that a table is the first part of."""

    _fields_ = (
        ("table", _Type),
        ("key", _Any),
        ("ancestors", _Vector),
        ("fields", _Vector),
        ("methods", _Vector),
        ("metadata", _Metadata),
        ("num_slots", ctypes.c_int32),
    )


def main(sources: Iterable[str]) -> None:
    """Import or load what registers types, and print all types."""
    names = list(sources)
    before, functions = set(_keys()), set(_functions())
    for name in names:
        _load(name)
    if "tvm_ffi" in names:
        before.clear()
        functions.clear()
    library = _library()
    columns = dict(_columns(library, names))
    types = [
        {**_type(library, key), "own": key not in before, "hooks": _hooks(library, columns, key)}
        for key in _keys()
    ]
    # Imported packages may print, so that the document begins a line of its own.
    print()
    document = {"tvm_ffi": str(tvm_ffi.__version__), "types": types}
    found = sorted(set(_functions()) - functions)
    signatures = {name: signature for name in found if (signature := _signature(name))}
    print(json.dumps({**document, "functions": found, "signatures": signatures}))


def _load(source: str) -> None:
    if _is_path(source):
        ctypes.CDLL(source, ctypes.RTLD_GLOBAL)
    else:
        importlib.import_module(source)


def _is_path(source: str) -> bool:
    return "/" in source or Path(source).suffix in (".so", ".dylib", ".dll")


def _library() -> ctypes.CDLL:
    library: ctypes.CDLL = tvm_ffi.LIB
    library.TVMFFIGetTypeInfo.restype = ctypes.POINTER(_Type)
    library.TVMFFIGetTypeInfo.argtypes = [ctypes.c_int32]
    library.TVMFFIGetTypeAttrColumn.restype = ctypes.POINTER(_Column)
    return library


def _columns(library: ctypes.CDLL, sources: list[str]) -> Iterator[tuple[str, _Column]]:
    """Yield the attributes of types by name.

    tvm-ffi lists no names: those of all attributes occur as text in the libraries that use them.
    """
    names = {*_HOOKS}
    for source in filter(_is_path, sources):
        names.update(match.decode() for match in _TEXT.findall(Path(source).read_bytes()))
    for name in sorted(names):
        text = name.encode()
        data = ctypes.cast(ctypes.c_char_p(text), ctypes.c_void_p)
        column = library.TVMFFIGetTypeAttrColumn(ctypes.byref(_Bytes(data, len(text))))
        if column:
            yield name, column.contents


def _hooks(library: ctypes.CDLL, columns: dict[str, _Column], key: str) -> dict[str, str]:
    """Return the attributes of a type: plain values as text; of others, their kind."""
    index = core._object_type_key_to_index(key)
    return {
        name: _shown(library, column.data[index - column.begin])
        for name, column in columns.items()
        if 0 <= index - column.begin < column.size
        and column.data[index - column.begin].type_index != 0
    }


def _shown(library: ctypes.CDLL, value: _Any) -> str:
    if value.type_index in (_INTEGER, _BOOLEAN):
        return str(bool(value.value) if value.type_index == _BOOLEAN else value.value)
    if value.type_index == _POINTER:
        return "a native function"
    info = library.TVMFFIGetTypeInfo(value.type_index)
    return f"a value of type {info.contents.type_key.text()}" if info else "a value"


def _signature(name: str) -> str:
    """Return the type schema of a global function; empty where it tells none."""
    try:
        return str(tvm_ffi.registry.get_global_func_metadata(name).get("type_schema", ""))
    except (AttributeError, ValueError, RuntimeError):
        return ""  # A release that does not tell, or a function without.


def _keys() -> list[str]:
    keys = [str(key) for key in tvm_ffi.get_global_func("ffi.GetRegisteredTypeKeys")()]
    # That of the object runtime has no objects: it is the name of tensors in JSON.
    return [key for key in keys if key != "tschema.Tensor"]


def _functions() -> list[str]:
    return [str(name) for name in tvm_ffi.registry.list_global_func_names()]


def _type(library: ctypes.CDLL, key: str) -> dict[str, object]:
    index = core._object_type_key_to_index(key)
    place = library.TVMFFIGetTypeInfo(index)
    table = place.contents
    shown = core._lookup_or_register_type_info_from_type_key(key).fields
    fields = [table.fields[at] for at in range(table.num_fields)]
    _check(key, table.type_key.text(), fields, shown)
    depth = table.type_depth
    metadata = table.metadata.contents if table.metadata else _Metadata()
    return {
        "key": key,
        "index": index,
        "parent": table.ancestors[depth - 1].contents.type_key.text() if depth else None,
        "registered": bool(table.metadata),
        "doc": metadata.doc.text(),
        "size": metadata.total_size,
        "child_slots": _child_slots(place),
        "structural": _KINDS[metadata.structural],
        "creator": bool(metadata.creator),
        "fields": list(map(_field, fields, shown)),
        "methods": [_method(table.methods[at]) for at in range(table.num_methods)],
    }


def _child_slots(place: ctypes._Pointer[_Type]) -> int | None:
    """Return the type indices that a type reserves, which no public table has.

    None if the private record has another shape than in the releases 0.1: each of its pointers has
    a public twin.
    """
    entry = ctypes.cast(place, ctypes.POINTER(_Entry)).contents
    table = entry.table
    pairs = (
        (entry.ancestors, ctypes.cast(table.ancestors, ctypes.c_void_p).value, table.type_depth),
        (entry.fields, ctypes.cast(table.fields, ctypes.c_void_p).value, table.num_fields),
        (entry.methods, ctypes.cast(table.methods, ctypes.c_void_p).value, table.num_methods),
    )
    is_known = all(vector.begin == twin for vector, twin, count in pairs if count)
    return entry.num_slots - 1 if is_known else None


def _check(key: str, found: str, fields: list[_Field], shown: list[core.TypeField]) -> None:
    """Refuse a release whose tables are not those that are read here."""
    ours = [(field.name.text(), field.offset, field.size) for field in fields]
    theirs = [(field.name, field.offset, field.size) for field in shown]
    if found != key or ours != theirs:
        release = tvm_ffi.__version__
        raise RuntimeError(f"the tables of tvm-ffi {release} are not those of the releases 0.1")


def _field(field: _Field, shown: core.TypeField) -> dict[str, object]:
    flags = _flags(field.flags)
    found: dict[str, object] = {
        "name": field.name.text(),
        "doc": field.doc.text(),
        "metadata": field.metadata.text(),
        "flags": flags,
        "size": field.size,
        "align": field.alignment,
        "offset": field.offset,
    }
    if "has_default" in flags:
        found["default"] = _default(shown, is_factory="default_from_factory" in flags)
    return found


def _method(method: _Method) -> dict[str, object]:
    return {
        "name": method.name.text(),
        "doc": method.doc.text(),
        "metadata": method.metadata.text(),
        "flags": _flags(method.flags),
    }


def _flags(bits: int) -> list[str]:
    return [name for bit, name in _FLAGS.items() if bits >> bit & 1]


def _default(shown: core.TypeField, is_factory: bool) -> dict[str, object]:
    """Return a default as JSON: a literal, what makes an empty container, or else a type."""
    if not hasattr(shown, "c_default"):
        return {"type": "a value that this release of tvm-ffi does not show"}
    value = shown.c_default_factory() if is_factory else shown.c_default
    if value is None or isinstance(value, (bool, int, float, str)):
        return {"literal": value if value is None else _plain(value)}
    name = type(value).__name__
    if name in ("dtype", "DataType"):
        return {"literal": str(value)}
    if name in _EMPTY and len(value) == 0:
        return {"factory": _EMPTY[name]}
    return {"type": name}


def _plain(value: bool | float | str) -> bool | float | str:
    """Return a value without the additions of a subclass of tvm-ffi."""
    if isinstance(value, bool):
        return value
    return next(type_(value) for type_ in (int, float, str) if isinstance(value, type_))


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except BaseException as error:  # Imported packages may end the interpreter.
        traceback.print_exc()
        sys.exit(f"{type(error).__name__}: {error}")
