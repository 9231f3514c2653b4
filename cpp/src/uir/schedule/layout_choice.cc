// The choice of a layout for the tensors of a chain: printing and parsing.
#include "./layout_choice.h"

#include <tvm/ffi/error.h>

#include <string>

#include "./trace.h"

namespace uir::schedule {

namespace {

constexpr const char* kRecipe = "AlterLayout";
constexpr const char* kNest = "channels";
constexpr const char* kBlocks = "blocks";
constexpr const char* kPlain = "plain";
constexpr int64_t kMostVectors = 2;

/*! \brief The choice of a line, which may say more. */
LayoutChoice ParsedChoice(const TraceLine& line) {
  const Choice& choice = line.choices[0];
  return choice.way == kBlocks ? LayoutChoice{choice["vectors"], choice["copy_terms"]}
                               : LayoutChoice{0, 0};
}

}  // namespace

ffi::Array<ffi::String> PrintLayout(const LayoutChoice& choice) {
  Choice made{kPlain, {}};
  if (choice.vectors != 0) {
    made = {kBlocks, {{"vectors", choice.vectors}, {"copy_terms", choice.copy_terms}}};
  }
  return {PrintTraceLine({kRecipe, kNest, {made}})};
}

LayoutChoice ParseLayout(const ffi::Array<ffi::String>& lines) {
  if (lines.size() != 1) {
    TVM_FFI_THROW(ValueError) << "the layout of a chain is one line, got " << lines.size();
  }
  const LayoutChoice choice = ParsedChoice(ParseTraceLine(lines[0]));
  if (choice.vectors > kMostVectors || PrintLayout(choice)[0] != lines[0]) {
    TVM_FFI_THROW(ValueError) << "`" << lines[0] << "` is not the layout of a chain: expected `"
                              << PrintLayout({0, 0})[0] << "` or `" << PrintLayout({})[0]
                              << "`, with 1 or 2 vectors";
  }
  return choice;
}

}  // namespace uir::schedule
