"""The reader against libclang: the same members, types and places, in tvm-ffi and in a sample."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest
import tvm_ffi
from clang import cindex

from tschema.importer.headers import read_headers
from tschema.importer.records import Found, FoundClass, FoundField
from tschema.ir.model import TypeRef

SAMPLE = Path(__file__).with_name("sample.h")
PACKAGE = Path(tvm_ffi.__file__).parent
TESTING = PACKAGE / "src/ffi/testing/testing.cc"
CLASSES = (cindex.CursorKind.CLASS_DECL, cindex.CursorKind.STRUCT_DECL)
SPACES = (cindex.CursorKind.NAMESPACE, cindex.CursorKind.LINKAGE_SPEC)
REFERENCES = (cindex.TypeKind.LVALUEREFERENCE, cindex.TypeKind.RVALUEREFERENCE)
CANONICAL = {
    "bool": "bool",
    "int8": "signed char",
    "int16": "short",
    "int32": "int",
    "int64": "long",
    "uint8": "unsigned char",
    "uint16": "unsigned short",
    "uint32": "unsigned int",
    "uint64": "unsigned long",
    "float32": "float",
    "float64": "double",
    "DataType": "DLDataType",
    "Device": "DLDevice",
    "Object": "tvm::ffi::ObjectRef",
    "Union": "tvm::ffi::Variant",
}
"""How a compiler spells a kind; the others are classes of tvm-ffi of that name."""


@pytest.fixture(scope="module", autouse=True)
def _freed() -> Iterator[None]:
    """Free what libclang holds before Python takes its module down."""
    yield
    definitions.cache_clear()


@cache
def definitions() -> Mapping[str, cindex.Cursor]:
    """Return the classes that libclang finds, by full name."""
    # libclang has none of the headers that come with a compiler.
    ask = ["c++", "-print-file-name=include"]
    builtin = subprocess.run(ask, check=True, capture_output=True, text=True).stdout.strip()
    arguments = ["-std=c++17", f"-I{PACKAGE}/include", "-isystem", builtin]
    text = f'#include "{SAMPLE}"\n#include "{TESTING}"\n'
    index = cindex.Index.create()
    # Bodies of functions say nothing of layouts.
    skip = cindex.TranslationUnit.PARSE_SKIP_FUNCTION_BODIES
    unit = index.parse("all.cc", arguments, unsaved_files=[("all.cc", text)], options=skip)
    errors = [one.spelling for one in unit.diagnostics if one.severity >= 3]
    assert errors == []
    return dict(_classes(unit.cursor, ""))


def _classes(cursor: cindex.Cursor, space: str) -> Iterator[tuple[str, cindex.Cursor]]:
    for child in cursor.get_children():
        name = f"{space}{child.spelling}"
        if child.kind in SPACES:
            yield from _classes(child, f"{name}::" if child.spelling else space)
        elif child.kind in CLASSES and child.is_definition():
            yield name, child


@cache
def found() -> Found:
    return read_headers([SAMPLE, PACKAGE / "include", TESTING])


def full_name(one: FoundClass) -> str:
    return f"{one.cpp_namespace}::{one.name}"


def comparable() -> list[tuple[FoundClass, cindex.Cursor]]:
    """Return the classes that both found; of several bases the reader gives no layout."""
    cursors = definitions()
    return [(one, cursors[full_name(one)]) for one in found().classes if full_name(one) in cursors]


def has_type_key(cursor: cindex.Cursor) -> bool:
    names = {child.spelling for child in cursor.get_children()}
    return "_type_key" in names or "_GetOrAllocRuntimeTypeIndex" in names


def test_every_class_is_found() -> None:
    ours = {full_name(one) for one in found().classes}
    theirs = {name for name, cursor in definitions().items() if has_type_key(cursor)}
    # `Object` itself is the root.
    assert theirs - ours == {"tvm::ffi::Object"}
    assert len(theirs) >= 65


def members_of(one: FoundClass, cursor: cindex.Cursor) -> list[str]:
    """Return the names of the members that the class itself declares, as libclang has them."""
    return [field.spelling for field in cursor.type.get_fields()]


def own_fields(one: FoundClass, cursor: cindex.Cursor) -> list[FoundField]:
    """Return the fields without those of untyped bases, which belong to the record too."""
    names = set(members_of(one, cursor))
    return [field for field in one.fields if (field.cpp_name or field.name) in names]


def test_members_are_the_same() -> None:
    for one, cursor in comparable():
        ours = [field.cpp_name or field.name for field in own_fields(one, cursor)]
        assert ours == members_of(one, cursor), one.key


def test_access_is_the_same() -> None:
    for one, cursor in comparable():
        ours = [field.access for field in own_fields(one, cursor)]
        theirs = [field.access_specifier.name.lower() for field in cursor.type.get_fields()]
        assert ours == theirs, one.key


def test_layouts_are_the_same() -> None:
    n_laid_out = 0
    for one, cursor in comparable():
        if one.size is None:
            continue
        n_laid_out += 1
        # Offsets count from the header, behind the table pointer.
        before = 8 if one.polymorphic else 0
        ours = {field.cpp_name or field.name: field.offset for field in own_fields(one, cursor)}
        theirs = {
            name: cursor.type.get_offset(name) // 8 - before for name in members_of(one, cursor)
        }
        assert (one.key, ours, one.size) == (one.key, theirs, cursor.type.get_size())
    assert n_laid_out >= 55


def test_what_has_no_layout() -> None:
    keys = {one.key for one, _ in comparable() if one.size is None}
    assert keys == {
        # A hash function with a member.
        "acme.Unknown",
        # Several bases.
        *("ffi.Error", "ffi.Function", "ffi.Shape", "ffi.Tensor"),
        *("ffi.Array", "ffi.List", "ffi.Bytes", "ffi.String"),
        # A member that only a build for debugging has.
        *("ffi.Map", "ffi.Dict"),
    }


def test_types_are_the_same() -> None:
    references = {
        one.key: f"{one.reference.cpp_namespace}::{one.reference.name}"
        for one in found().classes
        if one.reference is not None
    }
    n_compared = 0
    for one, cursor in comparable():
        types = {field.spelling: field.type for field in cursor.type.get_fields()}
        for field in own_fields(one, cursor):
            theirs = types[field.cpp_name or field.name].get_canonical()
            if field.type is None or str(field.type.kind) == "foreign":
                size = 8 if theirs.kind in REFERENCES else theirs.get_size()
                assert field.size in (None, size), (one.key, field.name)
                continue
            n_compared += 1
            name = theirs.spelling.removeprefix("const ").partition("<")[0]
            assert name == canonical(field.type, references), (one.key, field.name)
    assert n_compared >= 130


def canonical(ref: TypeRef, references: Mapping[str | None, str]) -> str:
    if ref.kind == "node":
        return references[ref.key]
    if ref.kind == "enum":
        (enum,) = (one for one in found().enums if one.key == ref.key)
        return f"{enum.cpp_namespace}::{enum.name}"
    return CANONICAL.get(ref.kind, f"tvm::ffi::{ref.kind}")


def test_polymorphic_classes_are_the_same() -> None:
    for one, cursor in comparable():
        assert one.polymorphic == is_polymorphic(cursor), one.key


def is_polymorphic(cursor: cindex.Cursor) -> bool:
    for child in cursor.get_children():
        if child.kind in (cindex.CursorKind.CXX_METHOD, cindex.CursorKind.DESTRUCTOR):
            if child.is_virtual_method():
                return True
        elif child.kind == cindex.CursorKind.CXX_BASE_SPECIFIER:
            base = child.type.get_declaration()
            if is_polymorphic(base):
                return True
    return False
