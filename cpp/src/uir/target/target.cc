// Targets: which kinds and instruction sets there are.
#include <tvm/ffi/error.h>
#include <uir/target/target.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

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

/*! \brief Whether a text is numbers with points between them, of which each fits into an `int`. */
bool IsVersion(std::string_view text) {
  size_t points = 0;
  size_t digits = 0;
  for (const char c : text) {
    if (c == '.' && digits > 0) {
      ++points;
      digits = 0;
    } else if (c < '0' || c > '9' || ++digits > 6) {
      return false;
    }
  }
  return points > 0 && digits > 0;
}

}  // namespace

void TargetNode::PostInit() {
  CheckOneOf("kind", kind, kKinds);
  CheckOneOf("isa", isa, kInstructionSets);
  CheckOneOf("checks", checks, kChecks);
  CheckOneOf("division", division, kDivisions);
  if (!glibc.empty() && !IsVersion({glibc.data(), glibc.size()})) {
    TVM_FFI_THROW(ValueError) << "Target: `glibc` must be a version such as `2.17`, got `" << glibc
                              << "`";
  }
}

}  // namespace uir::target
