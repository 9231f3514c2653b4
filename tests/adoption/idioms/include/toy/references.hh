#pragma once
#include <tvm/ffi/tvm_ffi.h>
namespace toy {
namespace more {
namespace tf = tvm::ffi;
enum class Kind : int { kOne = 0, kTwo = 1 };
struct RowNode : public tf::Object {
 public:
  int64_t x;
  int64_t y;  ///< The ordinate.
  Kind kind = Kind::kOne;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("toy.more.Row",  // its key
                                    RowNode /* itself */, tf::Object);
};
struct Row : public tf::ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Row, tf::ObjectRef, RowNode);
};
struct OneNode : tf::Object { int64_t v; TVM_FFI_DECLARE_OBJECT_INFO_FINAL("toy.more.One", OneNode, tf::Object); };
// Two reference classes of one data class, and fields of either.
class BaseNode : public tf::Object {
 public:
  tf::String name;
  static constexpr const uint32_t _type_child_slots = 8;
  TVM_FFI_DECLARE_OBJECT_INFO("toy.more.Base", BaseNode, tf::Object);
};
class Base : public tf::ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Base, tf::ObjectRef, BaseNode);
};
class Prim : public Base {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Prim, Base, BaseNode);
};
class HolderNode : public BaseNode {
 public:
  Prim prim;
  Base base;
  tf::Array<Prim> prims;
  tf::Map<tf::String, Prim> named;
  static void RegisterReflection() {
    namespace refl = tf::reflection;
    refl::ObjectDef<HolderNode>()
        .def_ro("prim", &HolderNode::prim, refl::AttachFieldFlag::SEqHashIgnore())
        .def_ro("base", &HolderNode::base)
        .def_ro("prims", &HolderNode::prims)
        .def_ro("named", &HolderNode::named);
  }
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("toy.more.Holder", HolderNode, BaseNode);
};
class Holder : public Base {
 public:
  explicit Holder(Prim prim) {
    auto node = tf::make_object<HolderNode>();
    node->prim = std::move(prim);
    data_ = std::move(node);
  }
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Holder, Base, HolderNode);
};
class NoCopyObj : public tf::Object {
 public:
  NoCopyObj() = default;
  NoCopyObj(const NoCopyObj&) = delete;
  template <typename T, typename = std::enable_if_t<std::is_integral_v<T>>>
  explicit NoCopyObj(T value) : value_(value) {}
  int64_t Get() const { return value_; }
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("toy.more.NoCopy", NoCopyObj, tf::Object);

 private:
  int64_t value_ = 0;
  friend class Holder;
};  // class NoCopyObj
class NoCopy : public tf::ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(NoCopy, tf::ObjectRef, NoCopyObj);
};
#if defined(TOY_WIDE)
class WidthObj : public tf::Object {
 public:
  int64_t bits;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("toy.more.Width", WidthObj, tf::Object);
};
#else
class WidthObj : public tf::Object {
 public:
  int32_t bits;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("toy.more.Width", WidthObj, tf::Object);
};
#endif
TVM_FFI_STATIC_INIT_BLOCK() {
  namespace refl = tf::reflection;
  refl::ObjectDef<RowNode>().def_ro("x", &RowNode::x).def_ro("y", &RowNode::y, refl::repr(false)).def_ro("kind", &RowNode::kind);
  refl::ObjectDef<OneNode>().def_ro("v", &OneNode::v);
  refl::ObjectDef<BaseNode>().def_ro("name", &BaseNode::name);
  HolderNode::RegisterReflection();
  refl::ObjectDef<NoCopyObj>(refl::init(false)).def("get", &NoCopyObj::Get);
  refl::ObjectDef<WidthObj>().def_ro("bits", &WidthObj::bits);
}
}  // namespace more
}  // namespace toy
