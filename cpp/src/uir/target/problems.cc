// The problems that prevent the emission of a module.
#include "./problems.h"

#include <tvm/ffi/cast.h>
#include <tvm/ffi/error.h>

namespace uir::target {

void Problems::Report(const ffi::Object* root, const ffi::Object* node, std::string message) {
  if (!known_.emplace(node, message).second) return;
  found_.push_back(ir::Diagnostic(std::move(message), ir::Severity::kError, std::nullopt,
                                  ffi::GetRef<ffi::ObjectRef>(node),
                                  ffi::GetRef<ffi::ObjectRef>(root)));
}

void Problems::Raise() const {
  if (found_.empty()) return;
  const std::string count =
      found_.size() == 1 ? "1 problem" : std::to_string(found_.size()) + " problems";
  TVM_FFI_THROW(ValueError) << "the module cannot be emitted as C, it has " << count << ":\n"
                            << ir::render_diagnostics(found_, std::nullopt);
}

}  // namespace uir::target
