"""Members of C++ classes, and what they declare."""

from __future__ import annotations

from pathlib import Path

import pytest
import tvm_ffi.libinfo

from tschema.adoption.inplace.class_markers import find_definitions
from tschema.adoption.inplace.cpp_members import comment_words, read_class, read_members
from tschema.adoption.inplace.cpp_tokens import say_the_same
from tschema.adoption.inplace.kept_enums import is_same_enum

ROOT = Path(__file__).resolve().parents[5]


def declared(text: str) -> list[tuple[str, ...]]:
    return [one.declares for one in read_members(text.encode().splitlines(keepends=True))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("int x = 0;\n", ["field x"]),
        ("Map<String, Any> notes{{}};\n", ["field notes"]),
        ("int a = f(1, 2), b[2], c;\n", ["field a", "field b", "field c"]),
        ("static constexpr int kMost = 1 << 3;\n", ["field kMost"]),
        ("int Get() const { return x; }\n", ["method Get()"]),
        (
            "explicit A(ffi::String s, const Array<::b::Expr>& x = {}) : s{s}, x(x) {}\n",
            ["method A(String,Array<Expr>)"],
        ),
        ("virtual ~A() = default;\n", ["method ~A()"]),
        ("bool operator==(const A& other) const;\n", ["method operator =(A)"]),
        ("TVM_FFI_DECLARE_OBJECT_INFO(A, B, C);\n", ["macro TVM_FFI_DECLARE_OBJECT_INFO"]),
        ("private:\n", ["label private"]),
        ("friend class B;\n", ["friend class B ;"]),
        ("enum Mood { kCalm, kWild };\n", []),
        (
            "enum Mood : int { kCalm, kWild } mood = kCalm, last{kWild};\n",
            ["field mood", "field last"],
        ),
        ("struct { int x; } place;\n", ["field place"]),
        ("#ifdef DEBUG\n", []),
    ],
)
def test_what_a_member_declares(text: str, expected: list[str]) -> None:
    assert [name for member in declared(text) for name in member] == expected


def test_members_are_cut_where_they_end() -> None:
    text = """\
  int a;  // Behind.

  // Above.
  void F() {
    if (a) { a = 1; }
  }
  ACME_COPY_ON_WRITE(FooNode)
  struct B {
    int c;
  };
  int d; int e;
  // Last.
"""
    members = read_members(text.encode().splitlines(keepends=True))
    assert [(one.start, one.code, one.stop) for one in members] == [
        (0, 0, 1),
        (1, 3, 6),
        (6, 6, 7),
        (7, 7, 10),
        (10, 10, 11),
        (11, 12, 12),
    ]
    assert [one.words for one in members] == [(), ("Above.",), (), (), (), ("Last.",)]
    assert members[4].declares == ("field d", "field e")


def test_a_class_has_a_head_and_members() -> None:
    text = """\
class B;

/*! \\brief An A. */
class DLL A final : public B,
    C {
 public:
  int x;
"""
    found = read_class(text.encode().splitlines(keepends=True))
    assert found is not None
    assert (found.name, found.keyword, found.bases) == ("A", "class", ("public", "B", ",", "C"))
    assert (found.doc, found.head) == (range(1, 3), range(3, 5))
    assert found.words == ("An", "A.")
    assert [one.declares for one in found.members] == [("label public",), ("field x",)]


def test_a_class_on_one_line_is_left_alone() -> None:
    assert read_class([b"class A { int x;\n"]) is None
    assert read_class([b"int x;\n"]) is None


@pytest.mark.parametrize(
    "comment",
    [
        "/*! \\brief Its place. */",
        "/// Its place.",
        "//! @brief Its place.",
        "// Its\n// place.",
        "/**\n * Its\n * place.\n */",
    ],
)
def test_comments_are_compared_by_their_words(comment: str) -> None:
    assert comment_words(comment) == ("Its", "place.")


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("ffi :: String s", ":: tvm :: ffi :: String s ;", True),
        ("String s", ":: tvm :: ffi :: String s", True),
        ("Array < Expr > a", ":: tvm :: ffi :: Array < :: acme :: Expr > a", True),
        ("int x", "int32_t x", True),
        ("std :: int64_t x", "int64_t x", True),
        ("ffi :: String s", "std :: String s", False),
        ("int x", "int64_t x", False),
        ("String s", "String t", False),
    ],
)
def test_names_may_be_qualified(one: str, other: str, expected: bool) -> None:
    assert say_the_same(one.split(), other.split()) == expected
    assert say_the_same(other.split(), one.split()) == expected


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        ("enum class Mood : int { kCalm, kWild };", True),
        ("enum class Mood : std::int32_t { kCalm = 0, kWild = 1 };", True),
        ("enum class Mood { kCalm, kWild, };", True),
        ("enum class Mood { kWild, kCalm };", False),
        ("enum class Mood : uint8_t { kCalm, kWild };", False),
        ("enum Mood { kCalm, kWild };", False),
    ],
)
def test_enums_are_compared_by_values(found: str, expected: bool) -> None:
    generated = (
        b"/*! \\brief A mood. */\nenum class Mood : int32_t {\n  kCalm = 0,\n  kWild = 1,\n};\n"
    )
    assert is_same_enum([generated], [found.encode()]) == expected


def headers() -> list[Path]:
    """Return headers that people wrote: those of tvm-ffi and of the object runtime."""
    folders = [*map(Path, tvm_ffi.libinfo.include_paths()), ROOT / "cpp" / "include"]
    return [path for folder in folders for path in sorted(folder.rglob("*.h"))]


def test_members_cover_the_lines_of_every_class() -> None:
    count = 0
    for path in headers():
        data = path.read_bytes()
        lines = data.splitlines(keepends=True)
        for definition in find_definitions(data):
            found = read_class(lines[definition.first : definition.last])
            if found is None:
                continue
            count += 1
            assert found.name == definition.name
            done = found.head.stop
            for member in found.members:
                assert (member.start, member.code >= done) == (done, True), (path, definition)
                done = member.stop
            rest = lines[definition.first + done : definition.last]
            assert not b"".join(rest).strip(), (path, definition)
    assert count > 100
