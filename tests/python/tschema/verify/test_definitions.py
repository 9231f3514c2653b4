"""C++ as tokens, and the functions that a file defines."""

from __future__ import annotations

import pytest

from tschema.verify.definitions import find_definitions
from tschema.verify.tokens import tokenize


def defined(text: str) -> list[str]:
    return [definition.name for definition in find_definitions(tokenize(text).tokens)]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("void f() {}", ["f"]),
        ("void f();", []),
        ("namespace a::b { void f() {} }\nvoid g() {}", ["a::b::f", "g"]),
        ("namespace a { namespace { int f(int x) { return x; } } }", ["a::f"]),
        ("inline namespace v1 { void f() {} }", ["v1::f"]),
        ('extern "C" { int f(void) { return 1; } }', ["f"]),
        ("namespace a { void XNode::PostInit() {} }", ["a::XNode::PostInit"]),
        ("void a::b::XNode::PostInit() {}", ["a::b::XNode::PostInit"]),
        ("void ::a::XNode::PostInit() {}", ["a::XNode::PostInit"]),
        ("using namespace a;\nvoid XNode::F() {}", ["XNode::F", "a::XNode::F"]),
        ("namespace c = a::b;\nvoid c::XNode::F() {}", ["a::b::XNode::F"]),
        ("class X { public: void f() const {} void g(); };", ["X::f"]),
        ("class alignas(8) X final : public B<C> { void f() override { } };", ["X::f"]),
        (
            "struct X { struct Y { void f() {} }; enum class E { kA }; void g() {} };",
            ["X::Y::f", "X::g"],
        ),
        ("struct X make() { return {}; }", ["make"]),
        ("X::X(int a) : b(a), c{a}, d{} { }\nvoid g() {}", ["X::X", "g"]),
        ("template <typename T, int N = (3)> T f(T x) noexcept(true) { return x; }", ["f"]),
        ("Map<A, Fn(int)> X::f(const Map<A, B>& m) const { return {}; }", ["X::f"]),
        ("auto f() -> decltype(g(1)) { return 1; }", ["f"]),
        ("int table[] = {1, 2};\nint x{3};\nvoid f() {}", ["f"]),
        ("auto f = [](int x) { return x; };\nvoid g() {}", ["g"]),
        ("REGISTER(x)\nvoid f() {}", ["REGISTER", "f"]),
        ("void f() try { } catch (...) { }\nvoid g() {}", ["f", "g"]),
        ("void f() { if (x) { g(); } struct Y { void h() {} }; }", ["f"]),
        ("[[nodiscard]] int f() { return 1; }", ["f"]),
        ("static inline int f() { return 1; }", ["f"]),
        ("void f() {", ["f"]),
        ("} void f() {}", ["f"]),
        ("void f( {", []),
    ],
)
def test_functions_with_a_body(text: str, names: list[str]) -> None:
    assert defined(text) == names


@pytest.mark.parametrize(
    "text",
    [
        "// void f() {}",
        "// a comment that goes on \\\nvoid f() {}",
        "/* void f() {} */",
        "/* void f() {}",
        'const char* s = "void f() {}";',
        'auto s = R"x(void f() {} )" )x";',
        "#define F void f() {}",
        "#define F \\\n  void f() {}",
        "#if 0\nvoid f() {}\n#endif",
        "#ifdef X\n#else\nvoid f() {}\n#endif",
        "char c = '{'; char d = '\\'';",
    ],
)
def test_what_is_no_code(text: str) -> None:
    assert defined(text) == []
    assert defined(f"{text}\n#if 1\nvoid g() {{}}\n#endif")[-1:] in (["g"], [])


def test_the_first_branch_counts() -> None:
    text = "#if 0\nvoid a() {\n#elif X\nvoid b() {\n#else\nvoid c() {\n#endif\n}\nvoid d() {}\n"
    assert defined(text) == ["b", "d"]
    assert defined("#ifdef X\nvoid a() {\n#else\nvoid b() {\n#endif\n}\n") == ["a"]


def test_includes() -> None:
    text = (
        '#include <a/b.h>\n  #  include "c.h"\n// #include "d.h"\n/*\n#include "e.h"\n*/\n'
        '#if 0\n#include "f.h"\n#endif\nconst char* s = "\\n#include <g.h>";\n'
    )
    assert tokenize(text).includes == ("a/b.h", "c.h")


def test_digit_separators_are_no_characters() -> None:
    assert defined("int x = 1'000'000; void f() {}") == ["f"]


def test_a_long_file_takes_no_long_time() -> None:
    text = "namespace a {\n" + "void XNode::F(int x) { if (x) { return; } }\n" * 20_000 + "}\n"
    assert len(defined(text)) == 20_000
