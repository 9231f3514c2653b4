// Checks that a text is one of some choices.
#include <tvm/ffi/error.h>
#include <uir/ir/check_choice.h>

#include <algorithm>

namespace uir::ir {

void CheckChoice(const char* name, const tvm::ffi::String& value,
                 const std::vector<std::string>& choices, const std::string& owner) {
  if (std::find(choices.begin(), choices.end(), std::string(value)) != choices.end()) return;
  std::string names;
  for (const std::string& choice : choices) names += (names.empty() ? "`" : ", `") + choice + "`";
  TVM_FFI_THROW(ValueError) << owner << (owner.empty() ? "`" : ": `") << name << "` must be "
                            << (choices.size() == 1 ? "" : "one of ") << names << ", got `" << value
                            << "`";
}

}  // namespace uir::ir
