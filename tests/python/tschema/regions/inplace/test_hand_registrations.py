"""Registrations that were written by hand."""

from __future__ import annotations

import pytest

from tschema.regions.inplace.hand_registrations import find_registrations, switch_off

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
OFF = b"""\
namespace toy {
TVM_FFI_STATIC_INIT_BLOCK() {
  namespace refl = tvm::ffi::reflection;
#if 0  // `src/tschema` registers this: remove the lines when you are sure of it.
  refl::ObjectDef<toy::ANode>()  // of a schema
      .def(refl::init<int>())
      .def_ro("a", &ANode::a, "Not def(\\"b\\").")
      .def("size", [](const ANode* a) { return Table().def("no", a); });

  refl::ObjectDef<BNode>().def_rw("b", &BNode::b);
#endif
  refl::ObjectDef<OtherNode>();
  refl::GlobalDef().def("f", F);
}
}
"""
REASON = b"#if 0  // `src/tschema` registers this: remove the lines when you are sure of it.\n"
NAMES = {"toy::ANode", "toy::BNode"}


def test_chains_and_what_they_register() -> None:
    first, second = find_registrations(CHAINS, NAMES)
    assert (first.name, first.names) == ("toy::ANode", (("a", 5), ("size", 6)))
    assert (second.name, second.names) == ("toy::BNode", (("b", 8),))
    assert CHAINS[second.start : second.stop] == b'refl::ObjectDef<BNode>().def_rw("b", &BNode::b);'


@pytest.mark.parametrize("line_end", [b"\n", b"\r\n"])
def test_chains_are_switched_off_once(line_end: bytes) -> None:
    data, expected = (text.replace(b"\n", line_end) for text in (CHAINS, OFF))
    assert switch_off(data, find_registrations(data, NAMES), "src/tschema") == expected
    assert find_registrations(expected, NAMES) == []


@pytest.mark.parametrize(
    ("line", "rest"),
    [
        (b"INIT_BLOCK() { ObjectDef<ANode>(); ObjectDef<BNode>(); }\n", b"INIT_BLOCK() {   }\n"),
        (b"void F() { ObjectDef<ANode>(); G(); }", b"void F() {  G(); }\n"),
        (b"G(); ObjectDef<ANode>();  // A.\n", b"G();   // A.\n"),
    ],
)
def test_other_code_on_the_lines_of_a_chain_stays(line: bytes, rest: bytes) -> None:
    changed = switch_off(line, find_registrations(line, {"ANode", "BNode"}), "src/tschema")
    first = line if line.endswith(b"\n") else line + b"\n"
    assert changed == REASON + first + b"#else\n" + rest + b"#endif\n"
    assert find_registrations(changed, {"ANode", "BNode"}) == []


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
