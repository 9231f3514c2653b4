// Checks of the settings of passes: levels, names and options.
#include <tvm/ffi/error.h>
#include <uir/transform/context.h>

#include "./options.h"
#include "./pass_names.h"

namespace uir::transform {

void PassInfoNode::PostInit() {
  if (name.empty()) TVM_FFI_THROW(ValueError) << "PassInfo: `name` must not be empty";
  if (opt_level < 0) {
    TVM_FFI_THROW(ValueError) << "PassInfo: `opt_level` of `" << name
                              << "` must be at least 0, got " << opt_level;
  }
  AddPassName(name);
}

void PassContextNode::PostInit() {
  if (opt_level < 0) {
    TVM_FFI_THROW(ValueError) << "PassContext: `opt_level` must be at least 0, got " << opt_level;
  }
  config = CheckedConfig(config);
}

}  // namespace uir::transform
