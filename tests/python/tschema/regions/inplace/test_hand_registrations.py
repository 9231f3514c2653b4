"""Registrations that were written by hand."""

from __future__ import annotations

import pytest

from tschema.regions.inplace.hand_registrations import find_registrations, switch_off

CHAINS = b"""\
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
"""
OFF = b"""\
TVM_FFI_STATIC_INIT_BLOCK() {
  namespace refl = tvm::ffi::reflection;
#if 0  // Because.
  refl::ObjectDef<toy::ANode>()  // of a schema
      .def(refl::init<int>())
      .def_ro("a", &ANode::a, "Not def(\\"b\\").")
      .def("size", [](const ANode* a) { return Table().def("no", a); });

  refl::ObjectDef<BNode>().def_rw("b", &BNode::b);
#endif
  refl::ObjectDef<OtherNode>();
  refl::GlobalDef().def("f", F);
}
"""
NAMES = {"ANode", "BNode"}


def test_chains_and_what_they_register() -> None:
    first, second = find_registrations(CHAINS, NAMES)
    assert (first.name, first.names) == ("ANode", (("a", 4), ("size", 5)))
    assert (second.name, second.names) == ("BNode", (("b", 7),))
    assert CHAINS[second.start : second.stop] == b'refl::ObjectDef<BNode>().def_rw("b", &BNode::b);'


@pytest.mark.parametrize("line_end", [b"\n", b"\r\n"])
def test_chains_are_switched_off_once(line_end: bytes) -> None:
    data, expected = (text.replace(b"\n", line_end) for text in (CHAINS, OFF))
    assert switch_off(data, find_registrations(data, NAMES), "Because.") == expected
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
    changed = switch_off(line, find_registrations(line, NAMES), "Because.")
    first = line if line.endswith(b"\n") else line + b"\n"
    assert changed == b"#if 0  // Because.\n" + first + b"#else\n" + rest + b"#endif\n"
    assert find_registrations(changed, NAMES) == []


def test_what_is_not_compiled_or_not_code_does_not_count() -> None:
    text = b"#if 0\n#ifdef A\n#endif\nObjectDef<ANode>();\n#endif\n// ObjectDef<ANode>();\n"
    assert find_registrations(text + b'auto s = "ObjectDef<ANode>();";\n', NAMES) == []
