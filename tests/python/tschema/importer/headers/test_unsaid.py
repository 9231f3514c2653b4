"""What no schema can say is listed with the reason, and never guessed."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tschema.importer.records import Found, FoundClass

ReadFiles = Callable[..., Found]
ReadClass = Callable[[str], FoundClass]
INFO = 'TVM_FFI_DECLARE_OBJECT_INFO("x.A", A, tvm::ffi::Object);'
REASONS = {
    f"template <typename T> struct A : tvm::ffi::Object {{ {INFO} }};": "it is a template",
    f"class Outer {{ struct A : tvm::ffi::Object {{ {INFO} }}; }};": "it is nested in `Outer`",
    f"void f() {{ struct A : tvm::ffi::Object {{ {INFO} }}; }}": "it is nested in `a function`",
    f"namespace {{ struct A : tvm::ffi::Object {{ {INFO} }}; }}": (
        "it stands in an unnamed namespace"
    ),
    f"struct A : tvm::ffi::Object, Mixin {{ {INFO} }};": (
        "it has several bases: `tvm::ffi::Object`, `Mixin`"
    ),
    f"struct A : virtual tvm::ffi::Object {{ {INFO} }};": "its base `tvm::ffi::Object` is virtual",
    "struct A : B { TVM_FFI_DECLARE_OBJECT_INFO(kKey, A, tvm::ffi::Object); };": (
        "its type key `kKey` is not a literal"
    ),
    'struct A : B { TVM_FFI_DECLARE_OBJECT_INFO("x.A", A, B); };': (
        "its parent `B` declares no type key in these files"
    ),
    f"struct B : tvm::ffi::Object {{ virtual ~B(); int b; }}; struct A : B {{ {INFO} }};": (
        "its base `B` is untyped and has members and virtual functions"
    ),
    f"#ifdef ACME_CUDA\nstruct A : tvm::ffi::Object {{ {INFO} }};\n#endif": (
        "it stands under `#ifdef ACME_CUDA`"
    ),
    f"struct A : tvm::ffi::Object {{\n#if ACME\n  int a;\n#endif\n {INFO} }};": (
        "member `a` stands under `#if ACME`"
    ),
    f"struct A : tvm::ffi::Object {{ int flag : 1; {INFO} }};": "`flag` is a bit-field",
    f"struct A : tvm::ffi::Object {{ int all[4]; {INFO} }};": "`all` is an array",
    f"struct A : tvm::ffi::Object {{ void (*f)(int); {INFO} }};": (
        "`f` is a pointer to a function without an alias"
    ),
    f"struct A : tvm::ffi::Object {{ union {{ int a; float b; }}; {INFO} }};": (
        "`union { int a; float b; }` in it cannot be read"
    ),
    f"struct A : tvm::ffi::Object {{ ACME_FIELD(int64_t, a); {INFO} }};": (
        "macro `ACME_FIELD` in it may declare members"
    ),
    f"#define FIELD(T) T a;\nstruct A : tvm::ffi::Object {{ FIELD(int) {INFO} }};": (
        "macro `FIELD` in it may declare members"
    ),
    f"struct A : tvm::ffi::Object {{ Unheard u; {INFO} }};": (
        "only a compiler knows the size of `u`, a `Unheard`"
    ),
    f"struct A : tvm::ffi::Object {{ {INFO} static void R() {{"
    ' refl::ObjectDef<A>().def_ro("b", &A::b); } };': (
        "it registers `b`, which is not a member of it"
    ),
    f"struct A : tvm::ffi::Object {{ int a; {INFO} static void R() {{"
    ' refl::ObjectDef<A>().def_ro("a", &A::a).def_ro("b", &A::a); } };': (
        "it registers `a` more than once"
    ),
}


@pytest.mark.parametrize("text", REASONS)
def test_reason(read_class: ReadClass, text: str) -> None:
    assert read_class(text).unsaid == (REASONS[text],)


def test_a_parent_that_is_not_a_base(read_files: ReadFiles) -> None:
    found = read_files(
        ir="struct B : tvm::ffi::Object {"
        ' TVM_FFI_DECLARE_OBJECT_INFO("x.B", B, tvm::ffi::Object); };'
        'struct A : tvm::ffi::Object { TVM_FFI_DECLARE_OBJECT_INFO("x.A", A, B); };'
    )
    reason = "it derives from `tvm::ffi::Object`, and declares `B` as its parent"
    assert [one.unsaid for one in found.classes] == [(), (reason,)]


def test_macros_without_members(read_class: ReadClass) -> None:
    found = read_class(
        f"""
        #define NO_COPY(Name) Name(const Name&) = delete; friend class Name##Ref;
        struct A : tvm::ffi::Object {{
          NO_COPY(A)
          TVM_FFI_DEFINE_DEFAULT_COPY_MOVE_AND_ASSIGN(A)
          void f() {{ ICHECK(true); }}
          {INFO}
        }};
        """
    )
    assert found.unsaid == ()


def test_two_classes_with_one_key(read_files: ReadFiles) -> None:
    found = read_files(
        ir=f"struct A : tvm::ffi::Object {{ {INFO} }};"
        'struct B : A { TVM_FFI_DECLARE_OBJECT_INFO("x.A", B, A); };'
    )
    assert [one.unsaid for one in found.classes] == [(), ("its type key `x.A` is that of `A` too",)]


def test_omissions(read_class: ReadClass) -> None:
    found = read_class(
        """
        struct A : tvm::ffi::Object {
          int64_t a;
          static void R() {
            refl::ObjectDef<A>(refl::Metadata{{"k", 1}})
                .def_ro("a", &A::a, refl::compare(false), refl::hash(false), refl::hash(true),
                        kDoc);
          }
          TVM_FFI_DECLARE_OBJECT_INFO("x.A", A, tvm::ffi::Object);
        };
        """
    )
    assert found.unsaid == ()
    assert found.omitted == (
        '`refl::Metadata{{"k", 1}}` of its registration',
        "`a` does not count in ordered comparisons",
        "`a` does not count in hashes of values",
        "`kDoc` of `a`",
    )


def test_registrations_without_a_class(read_files: ReadFiles) -> None:
    found = read_files(ir_cc='\nvoid f() { refl::ObjectDef<Gone>().def_ro("a", &Gone::a); }\n')
    assert found.unsaid == ("src/ir.cc:2: `ObjectDef<Gone>`: its class is not defined here",)


def test_a_declaration_without_a_class(read_files: ReadFiles) -> None:
    found = read_files(ir='\nTVM_FFI_DECLARE_OBJECT_INFO("x.A", A, tvm::ffi::Object);\n')
    assert found.unsaid == (
        "include/acme/ir.h:2: `A`: the class around `TVM_FFI_DECLARE_OBJECT_INFO` cannot be read",
    )
