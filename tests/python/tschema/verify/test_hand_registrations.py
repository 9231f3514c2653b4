"""Registrations that were written by hand."""

from __future__ import annotations

import pytest

from tschema.verify.hand_registrations import find_registrations, without_chains

CHAINS = b"""\
namespace toy {
TVM_FFI_STATIC_INIT_BLOCK() {
  namespace refl = tvm::ffi::reflection;
  refl::ObjectDef<toy::ANode>()  // of a schema
      .def(refl::init<int>())
      .def_ro("a", &ANode::a, "Not def(\\"b\\").")
      .def("size", [](const ANode* a) { return Table().def("no", a); });

  refl::ObjectDef<BNode>().def_rw("b", &BNode::b);
  refl::ObjectDef<OtherNode>();
  refl::GlobalDef().def("f", F);
}
}
"""
OUT = b"""\
namespace toy {
TVM_FFI_STATIC_INIT_BLOCK() {
  namespace refl = tvm::ffi::reflection;

  refl::ObjectDef<OtherNode>();
  refl::GlobalDef().def("f", F);
}
}
"""
NAMES = {"toy::ANode", "toy::BNode"}


def test_chains_and_what_they_register() -> None:
    first, second = find_registrations(CHAINS, NAMES)
    assert (first.name, first.names) == ("toy::ANode", (("a", 5), ("size", 6)))
    assert (second.name, second.names) == ("toy::BNode", (("b", 8),))
    assert CHAINS[second.start : second.stop] == b'refl::ObjectDef<BNode>().def_rw("b", &BNode::b);'


@pytest.mark.parametrize("line_end", [b"\n", b"\r\n"])
def test_chains_are_taken_out(line_end: bytes) -> None:
    data, expected = (text.replace(b"\n", line_end) for text in (CHAINS, OUT))
    assert without_chains(data, find_registrations(data, NAMES)) == expected


@pytest.mark.parametrize(
    ("line", "rest"),
    [
        (b"INIT_BLOCK() { ObjectDef<ANode>(); ObjectDef<BNode>(); }\n", b"INIT_BLOCK() {   }\n"),
        (b"void F() { ObjectDef<ANode>(); G(); }", b"void F() {  G(); }"),
        (b"G(); ObjectDef<ANode>();  // A.\n", b"G();   // A.\n"),
    ],
)
def test_other_code_on_the_lines_of_a_chain_stays(line: bytes, rest: bytes) -> None:
    assert without_chains(line, find_registrations(line, {"ANode", "BNode"})) == rest


def test_a_chain_in_a_variable_goes_on_in_other_statements() -> None:
    text = b"""\
void F() {
  auto def = refl::ObjectDef<ANode>();
  def.def_ro("a", &ANode::a);
  other.def_ro("c", &ANode::c);
  def.def_ro("b", &ANode::b)
      .def("f", [](const ANode* a) { return a->a; });
}
void G() {
  def.def_ro("d", &ANode::a);
}
"""
    found = find_registrations(text, {"ANode"})
    assert [name for one in found for name, _ in one.names] == ["a", "b", "f"]
    rest = without_chains(text, found)
    assert rest == (
        b'void F() {\n  other.def_ro("c", &ANode::c);\n}\n'
        b'void G() {\n  def.def_ro("d", &ANode::a);\n}\n'
    )


@pytest.mark.parametrize(
    ("text", "is_found"),
    [
        (b"namespace a { namespace { void F() { ObjectDef<b::XNode>(); } } }", True),
        (b"namespace a::b { void F() { refl::ObjectDef<XNode>(); } }", True),
        (b"namespace a::b::c { void F() { refl::ObjectDef<::a::b::XNode>(); } }", True),
        (b"using namespace a::b; void F() { refl::ObjectDef<XNode>(); }", True),
        (b"namespace a { using namespace b; void F() { refl::ObjectDef<XNode>(); } }", True),
        (b"void F() { refl::ObjectDef<XNode>(); }", False),
        (b"namespace c { void F() { refl::ObjectDef<XNode>(); } }", False),
        (b"namespace a::b { void F() { refl::ObjectDef<c::XNode>(); } }", False),
    ],
)
def test_a_class_is_known_by_its_namespace(text: bytes, is_found: bool) -> None:
    assert bool(find_registrations(text, {"a::b::XNode"})) == is_found


def test_what_is_not_compiled_or_not_code_does_not_count() -> None:
    text = b"#if 0\n#ifdef A\n#endif\nObjectDef<ANode>();\n#endif\n// ObjectDef<ANode>();\n"
    assert find_registrations(text + b'auto s = "ObjectDef<ANode>();";\n', {"ANode"}) == []
