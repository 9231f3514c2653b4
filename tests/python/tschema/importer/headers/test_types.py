"""Types of C++ as types of a schema."""

from __future__ import annotations

import pytest

from tschema.importer.headers.cpp_types import CppType, parse_type
from tschema.importer.headers.symbols import Alias, Symbols
from tschema.importer.headers.type_refs import EnumType, TypeTable

SCOPE = ("acme", "ir")


@pytest.fixture
def types() -> TypeTable:
    symbols = Symbols()
    for name in ("acme::ir::Expr", "acme::Outer", "acme::ir::ExprNode"):
        symbols.declare(name, "class")
    symbols.declare("acme::ir::Kind", "enum")
    symbols.declare("acme::Index", "alias")
    symbols.aliases["acme::Index"] = Alias("int64_t", ("acme",))
    symbols.declare("acme::Loop", "alias")
    symbols.aliases["acme::Loop"] = Alias("Loop", ("acme",))
    symbols.usings["acme::rt"] = "tvm::ffi"
    for name in ("tvm::ffi::Array", "tvm::ffi::String"):
        symbols.declare(name, "library")
    return TypeTable(
        symbols,
        nodes={"acme::ir::Expr": "acme.Expr", "acme::Outer": None},
        values={"acme::ir::Expr": "acme.Expr", "acme::Outer": "acme.Expr"},
        data_classes={"acme::ir::ExprNode": "acme.Expr"},
        enums={"acme::ir::Kind": EnumType("acme.Kind", 4, True)},
    )


@pytest.mark.parametrize(
    ("text", "ref", "size"),
    [
        ("int", "int32", 4),
        ("unsigned", "uint32", 4),
        ("long unsigned int", "uint64", 8),
        ("signed char", "int8", 1),
        ("std::uint16_t", "uint16", 2),
        ("const double", "float64", 8),
        ("DLDataType", "DataType", 4),
        ("Expr", "acme.Expr", 8),
        ("::acme::ir::Expr", "acme.Expr", 8),
        ("ir::Expr", "acme.Expr", 8),
        ("Kind", "acme.Kind", 4),
        ("Index", "int64", 8),
        ("tvm::ffi::Array<Expr>", "Array[acme.Expr]", 8),
        ("rt::Array< rt::String >", "Array[String]", 8),
        ("ffi::Map<ffi::String, ffi::Array<int>>", "Map[String, Array[int32]]", 8),
        ("ffi::Map<ffi::String, Any>", "Map[String, Any]", 8),
        ("ffi::Optional<Expr>", "Optional[acme.Expr]", 8),
        ("ffi::Optional<int64_t>", "Optional[int64]", 16),
        ("ffi::Variant<Expr, ffi::String>", "Union[acme.Expr, String]", 16),
        ("ffi::Tuple<int, Expr>", "Tuple[int32, acme.Expr]", 8),
        ("ObjectRef", "Object", 8),
        # Types that the language lacks keep their spelling.
        # A second reference class refers to the same data class.
        ("Outer", "acme.Expr", 8),
        ("ffi::Array<Outer>", "Array[acme.Expr]", 8),
        ("std::vector<int>", "std::vector<int>", 24),
        ("std::vector<bool>", "std::vector<bool>", 40),
        ("std::pair<bool, double>", "std::pair<bool, double>", 16),
        ("std::optional<int>", "std::optional<int>", 8),
        ("std::array<int, 3>", "std::array<int, 3>", 12),
        ("const ExprNode*", "const ExprNode*", 8),
        ("void (*)(int)", "void (*)(int)", 8),
        ("long long", "long long", 8),
        ("Unheard", "Unheard", None),
        ("Loop", "Loop", None),
        ("std::map<int, int, Unheard>", "std::map<int, int, Unheard>", None),
        ("A<B>::C", "A<B>::C", None),
    ],
)
def test_member(types: TypeTable, text: str, ref: str, size: int | None) -> None:
    found = types.member(text, SCOPE)
    assert (str(found.ref), found.size) == (ref, size)


@pytest.mark.parametrize(
    ("text", "ref"),
    [
        ("const Expr&", "acme.Expr"),
        ("Outer", "acme.Expr"),
        ("const ExprNode*", "acme.Expr"),
        ("ffi::ObjectPtr<ExprNode>", "acme.Expr"),
        ("ffi::RValueRef<Expr>", "acme.Expr"),
        ("const std::string&", "String"),
        ("const char*", "String"),
        ("std::optional<int64_t>", "Optional[int64]"),
        ("ffi::AnyView", "Any"),
        ("ffi::TypedFunction<int(int)>", "Function"),
        ("void", "None"),
        ("void*", "None"),
        ("std::vector<int>", "None"),
    ],
)
def test_value(types: TypeTable, text: str, ref: str) -> None:
    assert str(types.value(text, SCOPE)) == ref


def test_a_type_without_a_value(types: TypeTable) -> None:
    assert types.value("void*", SCOPE) is None
    assert types.value("std::vector<int>", SCOPE) is None


def test_parts_of_a_type() -> None:
    assert parse_type("const ffi::Array<const T*, 3>&") == CppType(
        "ffi::Array", (CppType("T", (), "*"), CppType("3")), "&"
    )
    assert (
        parse_type("typename std::function<void(int, T<U>)>").args[0].name
        == "void ( int , T < U > )"
    )
    assert parse_type("a b").is_opaque
    assert parse_type("A<" * 500).is_opaque


def test_other_names_of_plain_structs_are_kept(types: TypeTable) -> None:
    assert types.member("tvm::Device", SCOPE).is_alias
    assert types.member("ffi::Array<tvm::runtime::DataType>", SCOPE).is_alias
    assert not types.member("DLDevice", SCOPE).is_alias
    assert not types.member("ffi::String", SCOPE).is_alias
