// Targets: which kinds and instruction sets there are.
#include <tvm/ffi/error.h>
#include <uir/ir/check_choice.h>
#include <uir/target/target.h>

#include <string_view>

namespace uir::target {

namespace {

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
  ir::CheckChoice("kind", kind, {"c"}, "Target");
  ir::CheckChoice("isa", isa, {"generic", "native", "x86-64", "x86-64-v3", "x86-64-v4", "aarch64"},
                  "Target");
  ir::CheckChoice("checks", checks, {"", "bounds"}, "Target");
  ir::CheckChoice("division", division, {"checked", "numpy"}, "Target");
  if (!glibc.empty() && !IsVersion({glibc.data(), glibc.size()})) {
    TVM_FFI_THROW(ValueError) << "Target: `glibc` must be a version such as `2.17`, got `" << glibc
                              << "`";
  }
}

}  // namespace uir::target
