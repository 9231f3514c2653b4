#include <toy/sources.h>
#include <tvm/ffi/container/array.h>
namespace toy {
namespace src {
namespace refl = tvm::ffi::reflection;
Kid::Kid(double weight) : Node(tf::UnsafeInit{}) {
  auto n = tf::make_object<KidNode>();
  n->weight = weight;
  data_ = n;
}
/*! \brief A class of the source. */
class HiddenObj : public tf::Object {
 public:
  tf::Array<Node> nodes;
  int64_t Len() const { return static_cast<int64_t>(nodes.size()); }
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("toy.src.Hidden", HiddenObj, tf::Object);
};
class Hidden : public tf::ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Hidden, tf::ObjectRef, HiddenObj);
};
TVM_FFI_STATIC_INIT_BLOCK() {
  auto def = refl::ObjectDef<NodeNode>();
  def.def_ro("mode", &NodeNode::mode);
  def.def_ro("from", &NodeNode::from);
  def.def_ro("_y", &NodeNode::_y);
  refl::ObjectDef<KidNode>().def_ro("weight", &KidNode::weight);
  refl::ObjectDef<HiddenObj>().def_ro("nodes", &HiddenObj::nodes).def("__len__", &HiddenObj::Len).def_static("make", []() {
    auto n = tf::make_object<HiddenObj>();
    return Hidden(n);
  });
}
}  // namespace src
}  // namespace toy
