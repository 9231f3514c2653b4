#ifndef TOY_SOURCES_H
#define TOY_SOURCES_H
#include <tvm/ffi/memory.h>
#include <tvm/ffi/object.h>
#include <tvm/ffi/reflection/registry.h>
#include <tvm/ffi/string.h>
namespace toy {
namespace src {
namespace tf = tvm::ffi;
enum class Mode : int { kA = 0, kB = 1 };
class NodeNode : public tf::Object {
 public:
  Mode mode = Mode::kA;
  tf::String from;
  int64_t _y = 0;
  TVM_FFI_DECLARE_OBJECT_INFO("toy.src.Node", NodeNode, tf::Object);
};
class Node : public tf::ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Node, tf::ObjectRef, NodeNode);
};
class KidNode : public NodeNode {
 public:
  double weight;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("toy.src.Kid", KidNode, NodeNode);
};
class Kid : public Node {
 public:
  Kid(double weight);
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Kid, Node, KidNode);
};
}  // namespace src
}  // namespace toy
#endif
