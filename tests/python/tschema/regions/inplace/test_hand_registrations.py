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
    assert (first.name, first.first, first.last, first.is_apart) == ("ANode", 2, 5, True)
    assert first.names == (("a", 4), ("size", 5))
    assert (second.name, second.first, second.last) == ("BNode", 7, 7)
    assert second.names == (("b", 7),)


@pytest.mark.parametrize("line_end", [b"\n", b"\r\n"])
def test_chains_are_switched_off_once(line_end: bytes) -> None:
    data, expected = (text.replace(b"\n", line_end) for text in (CHAINS, OFF))
    assert switch_off(data, find_registrations(data, NAMES), "Because.") == expected
    assert find_registrations(expected, NAMES) == []


@pytest.mark.parametrize(
    ("line", "is_apart"),
    [
        (b"TVM_FFI_STATIC_INIT_BLOCK() { ObjectDef<ANode>(); }\n", True),
        (b"TVM_FFI_STATIC_INIT_BLOCK() { ObjectDef<ANode>(); ObjectDef<BNode>(); }\n", True),
        (b"void F() { ObjectDef<ANode>(); G(); }\n", False),
        (b"G(); ObjectDef<ANode>();\n", False),
    ],
)
def test_other_code_on_the_lines_of_a_chain(line: bytes, is_apart: bool) -> None:
    assert {one.is_apart for one in find_registrations(line, NAMES)} == {is_apart}


def test_what_is_not_compiled_or_not_code_does_not_count() -> None:
    text = b"#if 0\n#ifdef A\n#endif\nObjectDef<ANode>();\n#endif\n// ObjectDef<ANode>();\n"
    assert find_registrations(text + b'auto s = "ObjectDef<ANode>();";\n', NAMES) == []
