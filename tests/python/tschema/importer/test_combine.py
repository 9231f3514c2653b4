"""A registry and headers of the same classes: together where they agree, told where they differ."""

from __future__ import annotations

from pathlib import Path

import pytest
import tvm_ffi

from tschema.importer.combine import combine
from tschema.importer.headers import read_headers, read_texts
from tschema.importer.headers.files import CppFile
from tschema.importer.records import (
    Found,
    FoundClass,
    FoundDefault,
    FoundField,
    FoundMethod,
    FoundParameter,
    Location,
)
from tschema.importer.registry import ask_registry, read_registry
from tschema.ir.model import TypeRef

TEXT = b"""
namespace acme {
class ExprNode : public tvm::ffi::Object {
 public:
  uint32_t width;      //!< In bits.
  std::string secret;  // not registered
  Expr other;
  int64_t Size(int64_t depth) const;
  static void R() {
    namespace refl = tvm::ffi::reflection;
    refl::ObjectDef<ExprNode>()
        .def_ro("width", &ExprNode::width, refl::DefaultValue(32))
        .def_ro("other", &ExprNode::other)
        .def("size", &ExprNode::Size)
        .def("unknown", [](const ExprNode* self) { return self->width; });
  }
  static constexpr uint32_t _type_child_slots = 3;
  TVM_FFI_DECLARE_OBJECT_INFO("acme.Expr", ExprNode, tvm::ffi::Object);
};
}
"""
INT = TypeRef(kind="int64")


def headers(text: bytes = TEXT) -> Found:
    return read_texts([CppFile("acme.h", text)], "include")


def registered(**changes: object) -> Found:
    """Return what a registry tells of the class above, with other values of its members."""
    facts: dict[str, object] = {
        "key": "acme.Expr",
        "parent": "ffi.Object",
        "fields": (
            FoundField(
                name="width",
                type=TypeRef(kind="int32"),
                default=FoundDefault(value=32),
                writable=False,
                offset=24,
                size=4,
                align=4,
            ),
            FoundField(
                name="other",
                type=TypeRef(kind="node", key="acme.Other"),
                writable=False,
                offset=64,
                size=8,
                align=8,
            ),
        ),
        "methods": (
            FoundMethod(name="size", params=(FoundParameter(type=INT),), returns=INT),
            FoundMethod(name="unknown", returns=INT),
        ),
        "abstract": False,
        "child_slots": 3,
        "size": 72,
        **changes,
    }
    return Found(source="registry", classes=(FoundClass(**facts),))  # type: ignore[arg-type]


def test_each_tells_what_it_alone_knows() -> None:
    merged, differences = combine(registered(), headers())
    assert differences == ()
    (expr,) = merged.classes
    width, secret, other = expr.fields
    assert (width.type, width.doc, width.offset) == (TypeRef(kind="uint32"), "In bits.", 24)
    assert (secret.registered, secret.offset, secret.size) == (False, 32, 32)
    # Nothing in the text declares `Expr`; the registry knows what it refers to.
    assert (other.type, other.offset) == (TypeRef(kind="node", key="acme.Other"), 64)
    assert (expr.size, expr.name, expr.abstract, expr.unsaid) == (72, "ExprNode", False, ())
    size, unknown = expr.methods
    assert [(one.name, one.type) for one in size.params] == [("depth", INT)]
    assert (unknown.returns, unknown.cpp is not None) == (INT, True)


def with_field(chosen: str, **changes: object) -> Found:
    """Return the registry with a changed field."""
    found = registered()
    for field in found.classes[0].fields:
        if field.name == chosen:
            for key, value in changes.items():
                setattr(field, key, value)
    return found


@pytest.mark.parametrize(
    ("registry", "line", "message"),
    [
        (
            registered(parent="acme.Base"),
            3,
            "the parent of `acme.Expr` is `acme.Base` in the registry, "
            "and `ffi.Object` in the headers",
        ),
        (
            registered(size=80),
            3,
            "the size of `acme.Expr` is 80 in the registry, and 72 in the headers",
        ),
        (
            registered(child_slots=0),
            3,
            "the number of child slots of `acme.Expr` is 0 in the registry, and 3 in the headers",
        ),
        (
            registered(structural="dag"),
            3,
            "the structural kind of `acme.Expr` is `dag` in the registry, and none in the headers",
        ),
        (
            with_field("width", type=TypeRef(kind="String")),
            5,
            "the type of `acme.Expr.width` is `String` in the registry, "
            "and `uint32` in the headers",
        ),
        (
            with_field("width", size=8),
            5,
            "the size of `acme.Expr.width` is 8 in the registry, and 4 in the headers",
        ),
        (
            with_field("other", offset=56),
            7,
            "the offset of `acme.Expr.other` is 56 in the registry, and 64 in the headers",
        ),
        (
            with_field("width", default=FoundDefault(value=64)),
            5,
            "the default of `acme.Expr.width` is `64` in the registry, and `32` in the headers",
        ),
        (
            with_field("other", default=FoundDefault(value=None)),
            7,
            "the default of `acme.Expr.other` is `None` in the registry, and none in the headers",
        ),
        (
            with_field("width", kw_only=True),
            5,
            "the place in the constructor of `acme.Expr.width` is `keyword` in the registry, "
            "and `positional` in the headers",
        ),
        (
            with_field("width", structural="ignore"),
            5,
            "the structural role of `acme.Expr.width` is `ignore` in the registry, "
            "and `compared` in the headers",
        ),
        (
            with_field("width", name="bits"),
            3,
            "the registry has the field `acme.Expr.bits`, and the headers do not",
        ),
        (
            registered(methods=()),
            14,
            "the headers have the method `acme.Expr.size`, and the registry does not",
        ),
        (
            registered(
                methods=(
                    FoundMethod(name="size", static=True, params=(), returns=INT),
                    FoundMethod(name="unknown", returns=INT),
                )
            ),
            14,
            "the receiver of `acme.Expr.size` is static in the registry, "
            "and of an object in the headers",
        ),
        (
            registered(key="acme.Old"),
            None,
            "the registry has the class `acme.Old`, and the headers do not",
        ),
    ],
)
def test_difference(registry: Found, line: int | None, message: str) -> None:
    _, differences = combine(registry, headers())
    told = {one.message: one.location for one in differences}
    assert message in told
    assert told[message] == (None if line is None else Location("acme.h", line))


def test_signatures_that_differ() -> None:
    methods = (
        FoundMethod(name="size", params=(), returns=INT),
        FoundMethod(name="unknown", returns=INT),
    )
    _, (one,) = combine(registered(methods=methods), headers())
    assert one.message == (
        "the signature of `acme.Expr.size` is `() -> int64` in the registry, "
        "and `(int64) -> int64` in the headers"
    )


def test_the_registry_answers_for_a_parent_that_no_header_declares() -> None:
    text = TEXT.replace(b"public tvm::ffi::Object", b"public Base")
    text = text.replace(b"ExprNode, tvm::ffi::Object", b"ExprNode, Base")
    (alone,) = headers(text).classes
    assert alone.unsaid == ("its parent `Base` declares no type key in these files",)
    merged, differences = combine(registered(parent="acme.Base"), headers(text))
    assert (merged.classes[0].parent, merged.classes[0].unsaid) == ("acme.Base", ())
    assert differences == ()


def test_classes_of_other_packages_are_taken_as_they_are() -> None:
    other = FoundClass(key="other.Thing", parent="ffi.Object")
    registry = registered()
    both = Found(source="registry", classes=(*registry.classes, other))
    merged, differences = combine(both, headers())
    assert [one.key for one in merged.classes] == ["acme.Expr", "other.Thing"]
    assert differences == ()


def test_tvm_ffi_itself() -> None:
    """The headers and sources in the wheel of tvm-ffi say what its library registers."""
    package = Path(tvm_ffi.__file__).parent
    registry = read_registry(ask_registry(["tvm_ffi.testing"]), "registry of tvm_ffi.testing")
    read = read_headers([package / "include", package / "src"])
    merged, differences = combine(registry, read)
    told = [one.message for one in differences]
    assert told == [
        "the registry has the class `ffi.OpaquePyObject`, and the headers do not",
        # Python registers these two.
        "the registry has the field `ffi.IntEnum.value`, and the headers do not",
        "the registry has the field `ffi.StrEnum.value`, and the headers do not",
    ]
    laid_out = [one for one in merged.classes if one.name is not None and one.size is not None]
    assert len(laid_out) >= 48
