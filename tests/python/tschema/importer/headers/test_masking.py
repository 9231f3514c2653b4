"""Text as its parser sees it: branches, macros, bodies of functions."""

from __future__ import annotations

import pytest

from tschema.importer.headers.masking import mask


def shown(text: str) -> str:
    """Return masked text with runs of blanks as one."""
    return " ".join(mask("a.h", text.encode()).masked.decode().split())


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("#if 0\nint a;\n#else\nint b;\n#endif\n", "int b;"),
        ("#ifdef A\nint a;\n#elif B\nint b;\n#else\nint c;\n#endif\n", "int a;"),
        ("#if 0\n#if 1\nint a;\n#endif\n#else\nint b;\n#endif", "int b;"),
        ("#if 1 // yes\nint a; /* #endif */\n#endif", "int a;"),
        ("#define X \\\n  int a;\nint b;", "int b;"),
        ("class ACME_DLL A {};", "class A {};"),
        ("class ACME A final {};", "class A final {};"),
        ("class ABC final {};", "class ABC final {};"),
        ("ACME_API int f(); ACME_INLINE static void g();", "int f(); static void g();"),
        ("struct A { ACME_MACRO(1, f(2)); int a; };", "struct A { ; int a; };"),
        ("TVM_REGISTER(x).set(1);", "TVM_REGISTER(x).set(1);"),
        ("int f() { return 1; } int g;", "int f() { } int g;"),
        ("void f() { ObjectDef<A>(); }", "void f() { ObjectDef<A>(); }"),
        ('const char* s = "// no comment";', 'const char* s = "// no comment";'),
        ("char c = '\"'; int a; // x", "char c = '\"'; int a;"),
        ('auto s = R"x(/* )" */)x"; int a;', 'auto s = R"x(/* )" */)x"; int a;'),
        ("int n = 1'000'000; // x", "int n = 1'000'000;"),
        ("\ufeffint a;", "int a;"),
    ],
)
def test_masked(text: str, masked: str) -> None:
    assert shown(text) == masked


def test_static_initializers_become_functions() -> None:
    both = "TVM_FFI_STATIC_INIT_BLOCK() { ObjectDef<A>(); }"
    assert shown(both) == "void FI_STATIC_INIT_BLOCK() { ObjectDef<A>(); }"
    older = "TVM_FFI_STATIC_INIT_BLOCK({ ObjectDef<A>(); });"
    assert shown(older) == "void FI_STATIC_INIT_BLOC(){ ObjectDef<A>(); } ;"


def test_macros_are_recorded() -> None:
    source = mask("a.h", b'struct A {\n  ACME("a, b", f(1, 2), T<U, V>, {3, 4});\n};')
    (call,) = source.macros
    assert (call.name, call.args) == ("ACME", ('"a, b"', "f(1, 2)", "T<U, V>", "{3, 4}"))
    assert source.line(call.start) == 2


def test_conditions_are_recorded() -> None:
    text = b"#ifndef A_H_\n#define A_H_\n#if ACME\nint a;\n#else\nint b;\n#endif\n#endif\n"
    (condition,) = mask("a.h", text).conditions
    assert condition.text == "#if ACME"
    assert text[condition.start : condition.end].strip() == b"int a;"


def test_braces_that_do_not_match_keep_everything() -> None:
    assert shown("void f() { g(); } } int a;") == "void f() { g(); } } int a;"
