"""A library and headers of two revisions: the library wins, and each member has its place."""

from __future__ import annotations

from tschema.importer.combine import combine
from tschema.importer.headers import read_texts
from tschema.importer.headers.files import CppFile
from tschema.importer.records import Found, FoundClass, FoundField
from tschema.ir.model import TypeRef

HEAD = b"""
namespace acme {
namespace refl = tvm::ffi::reflection;
struct Same { bool operator()(int a, int b) const; const Rule& rule; };
class ShapeNode : public tvm::ffi::Object {
 public:
  int64_t sides;
  tvm::ffi::String label;
  int32_t color;
"""
TAIL = b"""
  static void RegisterReflection() {
    refl::ObjectDef<ShapeNode>()
        .def_ro("sides", &ShapeNode::sides)
        .def_ro("label", &ShapeNode::label, refl::AttachFieldFlag::SEqHashIgnore())
        .def_ro("color", &ShapeNode::color);
  }
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("acme.Shape", ShapeNode, tvm::ffi::Object);
};
}
"""


def member(name: str, kind: str, offset: int, size: int) -> FoundField:
    type_ = TypeRef(kind=kind)  # type: ignore[arg-type]
    return FoundField(name=name, type=type_, offset=offset, size=size, align=min(size, 8))


def merged(*fields: FoundField, size: int, members: bytes = b"") -> FoundClass:
    """Return the class above as a registry with these fields and the headers tell it together."""
    shape = FoundClass(key="acme.Shape", parent="ffi.Object", fields=fields, size=size)
    text = read_texts([CppFile("shape.h", HEAD + members + TAIL)], "include")
    (found,) = combine(Found(source="registry", classes=(shape,)), text)[0].classes
    return found


def layout(found: FoundClass) -> list[tuple[str, str, int | None, bool]]:
    return [
        (one.name, one.type.kind if one.type else "", one.size, one.registered)
        for one in found.fields
    ]


def test_a_field_has_the_type_and_the_role_that_were_built() -> None:
    found = merged(
        member("sides", "Any", 24, 16),
        member("label", "String", 40, 16),
        member("color", "int32", 56, 4),
        size=64,
    )
    assert layout(found) == [
        ("sides", "Any", 16, True),
        ("label", "String", 16, True),
        ("color", "int32", 4, True),
    ]
    assert found.fields[1].structural is None


def test_a_field_that_the_library_lacks_is_a_plain_member_or_is_not_there() -> None:
    kept = merged(member("sides", "int64", 24, 8), member("label", "String", 32, 16), size=56)
    assert layout(kept)[2] == ("color", "int32", 4, False)
    gone = merged(member("sides", "int64", 24, 8), member("label", "String", 32, 16), size=48)
    assert [one.name for one in gone.fields] == ["sides", "label"]


def test_a_member_that_the_text_does_not_register_is_the_registered_field() -> None:
    found = merged(
        member("sides", "int64", 24, 8),
        member("label", "String", 32, 16),
        member("color", "int32", 48, 4),
        member("depth", "int32", 52, 4),
        size=56,
        members=b"  int32_t depth;\n",
    )
    assert layout(found)[3] == ("depth", "int32", 4, True)


def test_the_only_member_of_unknown_size_has_what_the_others_leave() -> None:
    known = (
        member("sides", "int64", 24, 8),
        member("label", "String", 32, 16),
        member("color", "int32", 48, 4),
    )
    one = b"  std::unordered_map<int, int, Hash, Same> table;\n  std::vector<int> rest;\n"
    found = merged(*known, size=144, members=one)
    assert layout(found)[3:] == [("table", "foreign", 64, False), ("rest", "foreign", 24, False)]
    assert found.unsaid == ()
    two = merged(*known, size=144, members=one + one.replace(b"table", b"other"))
    assert [one.partition(",")[0] for one in two.unsaid] == [
        "only a compiler knows the size of `table`",
        "only a compiler knows the size of `other`",
    ]


def test_members_of_an_untyped_parent_are_not_taken_for_those_of_the_class() -> None:
    text = b"""
    namespace acme {
    class BaseNode : public tvm::ffi::Object {
     public:
      TVM_FFI_DECLARE_OBJECT_INFO("acme.Base", BaseNode, tvm::ffi::Object);
    };
    class BetweenNode : public BaseNode { int64_t hidden_; };
    class LeafNode : public BetweenNode {
      int32_t own_;
      TVM_FFI_DECLARE_OBJECT_INFO_FINAL("acme.Leaf", LeafNode, BetweenNode);
    };
    }
    """
    leaf = FoundClass(key="acme.Leaf", parent="acme.Base", size=40)
    base = FoundClass(key="acme.Base", parent="ffi.Object", size=24)
    found = combine(
        Found(source="registry", classes=(base, leaf)),
        read_texts([CppFile("leaf.h", text)], "include"),
    )[0]
    assert found.classes[1].by_hand == ("its base `BetweenNode` is untyped and has members",)
    assert [one.name for one in found.classes[1].fields] == ["hidden_", "own_"]


def test_a_second_reference_of_a_class_of_tvm_ffi_is_that_type() -> None:
    text = b"""
    namespace tvm { namespace ffi {
    class TensorObj : public Object {
      TVM_FFI_DECLARE_OBJECT_INFO_STATIC("ffi.Tensor", TensorObj, Object);
    };
    class Tensor : public ObjectRef {
      TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Tensor, ObjectRef, TensorObj);
    };
    } }
    namespace acme {
    class Tensor : public tvm::ffi::Tensor {
     public:
      TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Tensor, tvm::ffi::Tensor, tvm::ffi::TensorObj);
    };
    class HolderNode : public tvm::ffi::Object {
     public:
      Tensor held;
      TVM_FFI_DECLARE_OBJECT_INFO_FINAL("acme.Holder", HolderNode, tvm::ffi::Object);
    };
    }
    """
    found = read_texts([CppFile("holder.h", text)], "include")
    (holder,) = (one for one in found.classes if one.key == "acme.Holder")
    assert holder.fields[0].type == TypeRef(kind="Tensor")
    assert holder.fields[0].cpp_type == "Tensor"
