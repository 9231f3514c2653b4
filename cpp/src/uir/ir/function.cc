// Functions: their attributes.
#include <tvm/ffi/error.h>
#include <uir/ir/function.h>

namespace uir::ir {

void BaseFuncNode::PostInit() {
  if (!attrs.has_value()) attrs = DictAttrs(ffi::Map<ffi::String, ffi::Any>());
}

ffi::Any BaseFuncNode::GetAttr(ffi::String key) const {
  const ffi::Map<ffi::String, ffi::Any>& dict = attrs.value()->dict;
  const auto found = dict.find(key);
  return found == dict.end() ? ffi::Any() : (*found).second;
}

void ExternFuncNode::PostInit() {
  BaseFuncNode::PostInit();
  if (global_symbol.empty()) {
    TVM_FFI_THROW(ValueError) << "ExternFunc: `global_symbol` must not be empty";
  }
}

}  // namespace uir::ir
