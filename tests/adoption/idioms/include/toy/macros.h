#pragma once
#include <tvm/ffi/tvm_ffi.h>
#define TOY_NODE(Name, Parent)                                         \
 public:                                                              \
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("toy.mac." #Name, Name##Node, Parent)
#define TOY_REF(Name) TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Name, ::tvm::ffi::ObjectRef, Name##Node)
namespace toy {
namespace mac {
using tvm::ffi::Object;
using tvm::ffi::ObjectRef;
using tvm::ffi::String;
class LeafNode : public Object {
 public:
  String name;
  int kind = 0;
  static void RegisterReflection() {
    namespace refl = tvm::ffi::reflection;
    refl::ObjectDef<LeafNode>().def_ro("name", &LeafNode::name).def_ro("kind", &LeafNode::kind);
  }
  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindTreeNode;
  TOY_NODE(Leaf, Object);
};
class Leaf : public ObjectRef {
 public:
  TOY_REF(Leaf);
};
// virtual functions
class PassNode : public Object {
 public:
  virtual ~PassNode() = default;
  virtual int Run(int x) const = 0;
  String name;
  static constexpr const bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO("toy.mac.Pass", PassNode, Object);
};
class AddPassNode : public PassNode {
 public:
  AddPassNode(String n, int d) { name = n; delta = d; }
  int delta;
  int Run(int x) const final { return x + delta; }
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("toy.mac.AddPass", AddPassNode, PassNode);
};
class Pass : public ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Pass, ObjectRef, PassNode);
};
class AddPass : public Pass {
 public:
  AddPass(String n, int d) : Pass(tvm::ffi::make_object<AddPassNode>(n, d)) {}
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(AddPass, Pass, AddPassNode);
};
TVM_FFI_STATIC_INIT_BLOCK() {
  namespace refl = tvm::ffi::reflection;
  LeafNode::RegisterReflection();
  refl::ObjectDef<PassNode>().def_rw("name", &PassNode::name);
  refl::ObjectDef<AddPassNode>().def(refl::init<String, int>()).def_rw("delta", &AddPassNode::delta);
}
}  // namespace mac
}  // namespace toy
