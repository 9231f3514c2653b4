// The names of passes, to check those in contexts.
#include "./pass_names.h"

#include <tvm/ffi/error.h>
#include <uir/ir/near_names.h>
#include <uir/transform/registry.h>

#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace uir::transform {

namespace {

/*! \brief The names of the passes that this process made, registered or not. */
class MadeNames {
 public:
  void Add(const std::string& name) {
    const std::lock_guard<std::mutex> lock(mutex_);
    names_.insert(name);
  }
  std::set<std::string> All() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return names_;
  }

 private:
  mutable std::mutex mutex_;
  std::set<std::string> names_;
};

MadeNames& Made() {
  static auto* const made = new MadeNames();
  return *made;
}

void CheckNames(const ffi::Array<ffi::String>& names, const char* field,
                const std::set<std::string>& known) {
  for (const ffi::String& name : names) {
    if (known.count(name) != 0) continue;
    const std::vector<std::string> candidates(known.begin(), known.end());
    TVM_FFI_THROW(ValueError) << "PassContext: `" << field << "` names `" << name
                              << "`, but there is no such pass"
                              << ir::DidYouMean(std::string(name), candidates);
  }
}

}  // namespace

void AddPassName(const ffi::String& name) { Made().Add(name); }

void CheckPassNames(const PassContext& context) {
  if (context->required_pass.empty() && context->disabled_pass.empty()) return;
  std::set<std::string> known = Made().All();
  for (const ffi::String& name : list_pass_names()) known.insert(name);
  CheckNames(context->required_pass, "required_pass", known);
  CheckNames(context->disabled_pass, "disabled_pass", known);
}

}  // namespace uir::transform
