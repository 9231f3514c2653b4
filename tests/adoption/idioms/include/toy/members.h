#pragma once
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/memory.h>
#include <tvm/ffi/object.h>
#include <tvm/ffi/optional.h>
#include <tvm/ffi/reflection/registry.h>
#include <tvm/ffi/string.h>

namespace toy {
namespace ffi = tvm::ffi;
namespace refl = tvm::ffi::reflection;

/*! \brief Base by hand slots. */
class ThingNode : public ffi::Object {
 public:
  int64_t id = 0;  ///< Which one it is.
  ffi::String note;  ///< What is noted.

  static void RegisterReflection() {
    refl::ObjectDef<ThingNode>().def_ro("id", &ThingNode::id).def_ro("note", &ThingNode::note, "What is noted.");
  }
  static constexpr const uint32_t _type_child_slots = 4;
  TVM_FFI_DECLARE_OBJECT_INFO("toy.Thing", ThingNode, ffi::Object);
};

class Thing : public ffi::ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Thing, ffi::ObjectRef, ThingNode);
};

// No hooks, no constructors; a mutable class with one writable field.
class BoxNode : public ThingNode {
 public:
  int64_t width{1};
  int64_t height = 2;
  ffi::Array<Thing> things;

  static void RegisterReflection() {
    refl::ObjectDef<BoxNode>()
        .def_rw("width", &BoxNode::width)
        .def_ro("height", &BoxNode::height)
        .def_ro("things", &BoxNode::things)
        .def("area", [](const BoxNode* self) { return self->width * self->height; });
  }
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("toy.Box", BoxNode, ThingNode);
};

class Box : public Thing {
 public:
  explicit Box(int64_t width) {
    auto n = ffi::make_object<BoxNode>();
    n->width = width;
    data_ = std::move(n);
  }
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Box, Thing, BoxNode);
};

// With a copy constructor deleted, a destructor, a constructor of two.
class LockObj : public ffi::Object {
 public:
  LockObj(int64_t a, int64_t b) : first(a), second(b) {}
  LockObj(const LockObj&) = delete;
  LockObj& operator=(const LockObj&) = delete;
  ~LockObj() { first = 0; }
  int64_t first;
  int64_t second;
  static void RegisterReflection() {
    refl::ObjectDef<LockObj>(refl::init(false)).def_ro("first", &LockObj::first, refl::default_value(int64_t(3))).def_ro("second", &LockObj::second);
  }
  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindUniqueInstance;
  TVM_FFI_DECLARE_OBJECT_INFO("toy.Lock", LockObj, ffi::Object);
};

class Lock : public ffi::ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Lock, ffi::ObjectRef, LockObj);
};

struct PairObj : public ffi::Object {
 public:
  int64_t a, b;
  PairObj() = default;
  template <typename T>
  explicit PairObj(T x) : a(x), b(x) {}
  static void RegisterReflection() {
    refl::ObjectDef<PairObj>()
        .def_ro("a", &PairObj::a)
        .def_ro("b", &PairObj::b)
        .def("swap", [](PairObj* self) -> void { std::swap(self->a, self->b); });
  }
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("toy.Pair",  // the key
                                    PairObj, ffi::Object);
};
struct Pair : public ffi::ObjectRef {
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Pair, ffi::ObjectRef, PairObj);
};

TVM_FFI_STATIC_INIT_BLOCK() {
  ThingNode::RegisterReflection();
  BoxNode::RegisterReflection();
  LockObj::RegisterReflection();
  PairObj::RegisterReflection();
}
}  // namespace toy
