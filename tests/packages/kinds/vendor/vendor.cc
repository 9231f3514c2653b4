#include "vendor.h"

#include <tvm/ffi/reflection/registry.h>

#include <cstdlib>

TVM_FFI_STATIC_INIT_BLOCK() {
  // Stands for a library whose registration has not run.
  if (std::getenv("VENDOR_IS_SILENT") != nullptr) return;
  ::tvm::ffi::reflection::ObjectDef<vendor::ExprNode>().def_ro("name", &vendor::ExprNode::name);
}
