// Targets: which kinds and instruction sets there are.
#include <tvm/ffi/error.h>
#include <uir/target/target.h>

#include <algorithm>
#include <array>
#include <string>

namespace uir::target {

namespace {

constexpr std::array<const char*, 1> kKinds = {"c"};
constexpr std::array<const char*, 2> kChecks = {"", "bounds"};
constexpr std::array<const char*, 6> kInstructionSets = {"generic",   "native",    "x86-64",
                                                         "x86-64-v3", "x86-64-v4", "aarch64"};
constexpr std::array<const char*, 2> kDivisions = {"checked", "numpy"};

template <size_t kSize>
void CheckOneOf(const char* field, const ffi::String& value,
                const std::array<const char*, kSize>& allowed) {
  const auto is_value = [&](const char* name) { return value == name; };
  if (std::any_of(allowed.begin(), allowed.end(), is_value)) return;
  std::string names;
  for (const char* name : allowed) names += std::string(names.empty() ? "`" : ", `") + name + "`";
  TVM_FFI_THROW(ValueError) << "Target: `" << field << "` must be " << (kSize == 1 ? "" : "one of ")
                            << names << ", got `" << value << "`";
}

}  // namespace

void TargetNode::PostInit() {
  CheckOneOf("kind", kind, kKinds);
  CheckOneOf("isa", isa, kInstructionSets);
  CheckOneOf("checks", checks, kChecks);
  CheckOneOf("division", division, kDivisions);
}

}  // namespace uir::target
