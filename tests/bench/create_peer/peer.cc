// The same nodes as uir's, registered with tvm-ffi's own ObjectDef: the other side of create.py.
#include <tvm/ffi/reflection/registry.h>
#include <tvm/ffi/tvm_ffi.h>

#include <utility>

namespace peer {

namespace ffi = ::tvm::ffi;

class ExprNode : public ffi::Object {
 public:
  ffi::Optional<ffi::ObjectRef> span;

  explicit ExprNode(ffi::UnsafeInit) {}
  static constexpr uint32_t _type_child_slots = 2;
  TVM_FFI_DECLARE_OBJECT_INFO("peer.Expr", ExprNode, ffi::Object);
};

class Expr : public ffi::ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Expr, ffi::ObjectRef, ExprNode);
};

class IntImmNode : public ExprNode {
 public:
  DLDataType dtype;
  int64_t value;

  explicit IntImmNode(ffi::UnsafeInit tag) : ExprNode(tag) {}
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("peer.IntImm", IntImmNode, ExprNode);
};

class AddNode : public ExprNode {
 public:
  Expr a;
  Expr b;

  explicit AddNode(ffi::UnsafeInit tag) : ExprNode(tag), a(tag), b(tag) {}
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("peer.Add", AddNode, ExprNode);
};

TVM_FFI_STATIC_INIT_BLOCK() {
  namespace refl = ::tvm::ffi::reflection;
  refl::ObjectDef<ExprNode>(refl::init(false))
      .def_ro("span", &ExprNode::span, refl::default_value(nullptr), refl::kw_only(true));
  refl::ObjectDef<IntImmNode>()
      .def_ro("dtype", &IntImmNode::dtype)
      .def_ro("value", &IntImmNode::value);
  refl::ObjectDef<AddNode>().def_ro("a", &AddNode::a).def_ro("b", &AddNode::b);
}

}  // namespace peer
