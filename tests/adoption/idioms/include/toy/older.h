#pragma once
#include <tvm/ffi/tvm_ffi.h>
namespace toy {
namespace old {
using namespace tvm::ffi;
struct CfgNode : Object {
  int64_t n = 4;
  double ratio = 0.5;
  String name = "cfg";
  Array<int64_t> dims;
  Optional<String> tag;
  bool SEqualReduce(const CfgNode* other) const { return n == other->n; }
  static constexpr const char* _type_key = "toy.old.Cfg";
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_PREDEFINED_TYPE_KEY(CfgNode, Object);
};
struct Cfg : ObjectRef {
  Cfg() : ObjectRef(make_object<CfgNode>()) {}
  explicit Cfg(ObjectPtr<CfgNode> n) : ObjectRef(std::move(n)) {}
  CfgNode* operator->() const { return static_cast<CfgNode*>(data_.get()); }
  using ContainerType = CfgNode;
};
TVM_FFI_STATIC_INIT_BLOCK() {
  namespace refl = reflection;
  refl::ObjectDef<CfgNode>()
      .def(refl::init<>())
      // a comment in the chain
      .def_rw("n", &CfgNode::n, refl::default_value(int64_t(4)))
      .def_rw("ratio", &CfgNode::ratio, "The ratio.", refl::default_value(0.5))
      .def_rw("name", &CfgNode::name, refl::default_value(String("cfg")))
      .def_ro("dims", &CfgNode::dims)
      .def_rw("tag", &CfgNode::tag);
  refl::GlobalDef().def("toy.old.make", []() { return Cfg(); });
}
}  // namespace old
}  // namespace toy
