#pragma once
#include <tvm/ffi/tvm_ffi.h>
#include <vector>
namespace toy::cuda {
/**
 * A launch.
 */
class LaunchObj : public tvm::ffi::Object {
  using Self = LaunchObj;

 protected:
  std::vector<int> sizes_;
  mutable int count_ = 0;

 public:
  int grid[3] = {1, 1, 1};
  int64_t stream = 0;
  void Push(int n) { sizes_.push_back(n); }
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("toy.cuda.Launch", LaunchObj, tvm::ffi::Object);
};
class Launch : public tvm::ffi::ObjectRef {
 public:
  explicit Launch(tvm::ffi::ObjectPtr<LaunchObj> n) : ObjectRef(n) {}
  LaunchObj* operator->() const { return static_cast<LaunchObj*>(const_cast<tvm::ffi::Object*>(get())); }
  using ContainerType = LaunchObj;
};
class EventObj : public tvm::ffi::Object {
 public:
  bool done : 1;
  tvm::ffi::Tensor data{tvm::ffi::UnsafeInit{}};
  tvm::ffi::Optional<tvm::ffi::Function> callback;
  tvm::ffi::Variant<int64_t, tvm::ffi::String> tag{int64_t(0)};
  EventObj() : done(false) {}
  TVM_FFI_DECLARE_OBJECT_INFO("toy.cuda.Event", EventObj, tvm::ffi::Object);
};
class Event : public tvm::ffi::ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Event, tvm::ffi::ObjectRef, EventObj);
};
TVM_FFI_STATIC_INIT_BLOCK() {
  namespace refl = tvm::ffi::reflection;
  refl::ObjectDef<LaunchObj>().def_rw("stream", &LaunchObj::stream).def("push", &LaunchObj::Push);
  refl::ObjectDef<EventObj>().def_ro("callback", &EventObj::callback).def_ro("tag", &EventObj::tag);
}
}  // namespace toy::cuda
