/*! \brief A class of a library that does not use tschema. */
#ifndef VENDOR_VENDOR_H_
#define VENDOR_VENDOR_H_

#include <tvm/ffi/object.h>
#include <tvm/ffi/string.h>

#include <cstdint>
#include <vector>

namespace vendor {

class ExprNode : public ::tvm::ffi::Object {
 public:
  ::tvm::ffi::String name;

  static constexpr uint32_t _type_child_slots = 2;
  TVM_FFI_DECLARE_OBJECT_INFO("vendor.Expr", ExprNode, ::tvm::ffi::Object);

 private:
  std::vector<int64_t> seen_ = {1, 2, 3};
  bool is_marked_ = true;
};

class Expr : public ::tvm::ffi::ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Expr, ::tvm::ffi::ObjectRef, ExprNode);
};

}  // namespace vendor

#endif  // VENDOR_VENDOR_H_
