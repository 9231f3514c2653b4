"""Any text is read without a crash, and a long one in time that grows as its length."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tschema.importer.headers import read_texts
from tschema.importer.headers.files import CppFile
from tschema.importer.headers.masking import mask
from tschema.importer.headers.preprocessing import preprocess
from tschema.importer.records import Found

SAMPLE = Path(__file__).with_name("sample.h").read_bytes()
PIECES = [
    *("class A : public B {", "struct ", "};", "namespace n {", "}", "template <typename T> ", "("),
    *(")", "<", ">", ",", ";", '"', "'", "/*", "*/", "//", "\n", "\\\n", "#if X\n", "#else\n"),
    *("#endif\n", "#define M(a) a\n", "M(1)", "R\"(", ")\"", "int64_t a = 1;"),
    *("enum class E { k, ", "&A::a"),
    *("refl::ObjectDef<A>()", '.def_ro("a", &A::a)', ".def(", "[](int x) -> bool {", "return x;"),
    *('TVM_FFI_DECLARE_OBJECT_INFO("x.A", A, Object);', "TVM_FFI_STATIC_INIT_BLOCK() {", "::"),
    *("TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(R, ObjectRef, A);", "using X = ", "typedef "),
    *("using namespace n;", "virtual ", "static ", "operator", "~A()", "\x00", "\xff", "é", "\r\n"),
]  # fmt: skip


def read(text: bytes) -> Found:
    return read_texts([CppFile("a.h", text)], "a.h")


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=60))
def test_random_text(pieces: list[str]) -> None:
    read(" ".join(pieces).encode("utf-8", "surrogateescape"))


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=300))
@example(b"\xef\xbb\xbfclass A {};")
def test_random_bytes(text: bytes) -> None:
    read(text)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, len(SAMPLE)), st.integers(0, len(SAMPLE)))
def test_truncated_text(start: int, end: int) -> None:
    read(SAMPLE[min(start, end) : max(start, end)])


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=60))
def test_masked_text_keeps_every_offset(pieces: list[str]) -> None:
    text = " ".join(pieces).encode()
    masked = mask("a.h", text).masked
    assert len(masked) == len(text)
    assert [idx for idx, code in enumerate(masked) if code == 10] == [
        idx for idx, code in enumerate(text) if code == 10
    ]
    assert len(preprocess(text).text) == len(text)


def seconds(text: bytes) -> float:
    """Return the best time of a few; of the process, which others do not slow down much."""
    times = []
    for _ in range(3):
        start = time.process_time()
        read(text)
        times.append(time.process_time() - start)
    return min(times)


@pytest.mark.alone
@pytest.mark.parametrize(
    "piece",
    [
        *(b"/* ", b'R"(', b'"', b"( ", b"{ ", b"< ", b"A_B( ", b"A_B() ", b"namespace a { "),
        *(
            b"struct A { ",
            b"#if X\n",
            b"#define M(a) \\\n",
            b"// a\n",
            b"ObjectDef<",
            b"a::",
            b"A<",
        ),
        b"int f() { return 1; } ",
        b'struct A : B { int a; TVM_FFI_DECLARE_OBJECT_INFO("x.A", A, B); }; ',
    ],
)
def test_time_is_linear(piece: bytes) -> None:
    small, large = piece * 1000, piece * 8000
    assert seconds(large) < 24 * seconds(small) + 0.25
