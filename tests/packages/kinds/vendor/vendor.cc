#include "vendor.h"

#include <tvm/ffi/reflection/registry.h>

TVM_FFI_STATIC_INIT_BLOCK() {
  ::tvm::ffi::reflection::ObjectDef<vendor::ExprNode>().def_ro("name", &vendor::ExprNode::name);
}
