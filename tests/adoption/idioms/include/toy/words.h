#pragma once
#include <tvm/ffi/tvm_ffi.h>
namespace toy {
namespace words {
class SpanNode : public tvm::ffi::Object {
 public:
  int64_t from = 0;
  int64_t to = 0;
  int64_t _y = 0;
  int64_t class_ = 0;
  int64_t self = 0;
  int64_t lambda = 0;
  int64_t none = 0;
  int64_t __dict__ = 0;
  bool same_as = false;
  bool unique = false;
  int64_t count_ = 0;
  int64_t self_() const { return self; }
  int64_t Len() const { return to - from; }
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("toy.words.Span", SpanNode, tvm::ffi::Object);
};
class Span : public tvm::ffi::ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Span, tvm::ffi::ObjectRef, SpanNode);
};
class DotNode : public tvm::ffi::Object {
 public:
  Span at;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("toy.words.Dot", DotNode, tvm::ffi::Object);
};
class Dot : public tvm::ffi::ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Dot, tvm::ffi::ObjectRef, DotNode);
};
TVM_FFI_STATIC_INIT_BLOCK() {
  namespace refl = tvm::ffi::reflection;
  refl::ObjectDef<SpanNode>()
      .def_ro("from", &SpanNode::from)
      .def_ro("to", &SpanNode::to)
      .def_ro("_y", &SpanNode::_y)
      .def_ro("class", &SpanNode::class_)
      .def_ro("self", &SpanNode::self)
      .def_ro("lambda", &SpanNode::lambda)
      .def_ro("None", &SpanNode::none)
      .def_ro("__dict__", &SpanNode::__dict__)
      .def_ro("same_as", &SpanNode::same_as)
      .def_ro("unique", &SpanNode::unique)
      .def_ro("str", &SpanNode::count_)
      .def("from_to", [](const SpanNode* from, int64_t lambda) -> int64_t { return from->to + lambda; })
      .def("global", &SpanNode::Len)
      .def("__len__", &SpanNode::Len);
  refl::ObjectDef<DotNode>().def_ro("at", &DotNode::at);
}
}  // namespace words
}  // namespace toy
