#pragma once
#include <tvm/ffi/tvm_ffi.h>
namespace toy::hpp {
namespace ffi = ::tvm::ffi;
/*! \brief In a .hpp file. */
class ItemObj : public ffi::Object {
 public:
  /*! \brief Nested. */
  class InnerObj : public ffi::Object {
   public:
    int64_t x;
    TVM_FFI_DECLARE_OBJECT_INFO_FINAL("toy.hpp.Inner", InnerObj, ffi::Object);
  };
  int64_t x;
  int64_t y{0};
  TVM_FFI_DECLARE_OBJECT_INFO("toy.hpp.Item", ItemObj, ffi::Object);
 protected:
  ItemObj() = default;
 private:
  int secret_ = 0;
};
class Item : public ffi::ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Item, ffi::ObjectRef, ItemObj);
};
// a second reference class over the same data class
class SubItem : public Item {
 public:
  explicit SubItem(int64_t x);
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(SubItem, Item, ItemObj);
};
class UserObj : public ffi::Object {
 public:
  UserObj(ffi::UnsafeInit) {}
  UserObj() {}
  SubItem item;
  ffi::Array<SubItem> items;
  TVM_FFI_DECLARE_OBJECT_INFO("toy.hpp.User", UserObj, ffi::Object);
};
class User : public ffi::ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(User, ffi::ObjectRef, UserObj);
};
TVM_FFI_STATIC_INIT_BLOCK() {
  namespace refl = ffi::reflection;
  refl::ObjectDef<ItemObj>().def_ro("x", &ItemObj::x).def_ro("y", &ItemObj::y, refl::default_value(int64_t(7)));
  refl::ObjectDef<ItemObj::InnerObj>().def_ro("x", &ItemObj::InnerObj::x);
  refl::ObjectDef<UserObj>().def_ro("item", &UserObj::item).def_ro("items", &UserObj::items);
}
}  // namespace toy::hpp
