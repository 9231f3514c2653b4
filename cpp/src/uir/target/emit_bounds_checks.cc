// Checks of the indices of buffers before accesses: `Target.checks`.
//
// An access that a condition guards has its check in the same branch. A check that fails leaves
// the function with an IndexError, as an assertion does.
#include <tschema/walk.h>
#include <uir/ir/dtype.h>
#include <uir/tir/const_fold.h>
#include <uir/tir/op.h>

#include <algorithm>
#include <optional>

#include "./c_types.h"
#include "./memory_emitter.h"
#include "./scalar_emitter.h"
#include "./statement_emitter.h"

namespace uir::target {

namespace {

/*! \brief Whether a text is a name or a number, which costs nothing to repeat. */
bool IsPlain(const std::string& text) {
  return std::all_of(text.begin(), text.end(),
                     [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

/*! \brief Whether constant indices are in a buffer, so that no check is needed. */
bool IsKnownInside(const ir::PrimExpr& index, int64_t count, const ir::PrimExpr& extent) {
  const std::optional<int64_t> first = tir::IntConstOf(index), end = tir::IntConstOf(extent);
  return first && end && *first >= 0 && *first + count <= *end;
}

}  // namespace

/*! \brief The function and the line that an error names. */
std::string MemoryEmitter::ShownPlace(const ffi::Optional<ir::Span>& access) const {
  const ffi::Optional<ir::Span>& span = access.has_value() ? access : signature_->func->span;
  std::string place = signature_->name.substr(0, signature_->name.size() - 1);
  if (!span.has_value() || span.value()->line == 0) return place;
  return place + " (" + std::string(span.value()->source_name->name) + ":" +
         std::to_string(span.value()->line) + ")";
}

/*! \brief The number of elements of a buffer; none, with a report, if a size has no value. */
std::optional<std::string> MemoryEmitter::CheckedExtent(const tir::Buffer& buffer) {
  const ir::PrimExpr extent = buffer->shape[0];
  const tir::VarNode* unknown = nullptr;
  tschema::Walk(extent, [&](const tir::VarNode* var) {
    if (state_.variables.count(var) == 0) unknown = var;
  });
  if (unknown == nullptr) return scalars().EmitExact(extent).code;
  Report(buffer.get(), "indices of buffer `" + std::string(buffer->name) +
                           "` cannot be checked: its size `" + std::string(unknown->name) +
                           "` has no value here");
  return std::nullopt;
}

/*! \brief Leave the function unless a call of a check returns 0. */
void MemoryEmitter::AddCheck(const std::string& call) {
  statements().LeaveIf(call + " != 0", "-1");
}

CExpr MemoryEmitter::CheckedIndex(const tir::Buffer& buffer, const ir::PrimExpr& first, CExpr text,
                                  int64_t count, const ffi::Optional<ir::Span>& span) {
  if (!context_->checks_bounds()) return text;
  if (IsKnownInside(first, count, buffer->shape[0])) return text;
  const std::optional<std::string> extent = CheckedExtent(buffer);
  if (!extent) return text;
  if (!IsPlain(text.code)) text = {scalars().Keep("at", ir::IntType(64), text.code)};
  AddCheck(context_->prelude()->Use("check_index") + "(" + StringLiteral(ShownPlace(span)) + ", " +
           NameLiteral(std::string(buffer->name)) + ", " + text.code + ", " +
           std::to_string(count) + ", " + *extent + ")");
  return text;
}

void MemoryEmitter::CheckLanes(const tir::Buffer& buffer, DLDataType dtype, CExpr* index,
                               CExpr* mask, const ffi::Optional<ir::Span>& span) {
  if (!context_->checks_bounds()) return;
  const std::optional<std::string> extent = CheckedExtent(buffer);
  if (!extent) return;
  const int lanes = ir::LanesOf(dtype);
  *index = {scalars().Keep("at", ir::IntType(64, lanes), index->code)};
  std::string arguments = StringLiteral(ShownPlace(span)) + ", " +
                          NameLiteral(std::string(buffer->name)) + ", " + index->code;
  if (mask != nullptr) {
    *mask = {scalars().Keep("mask", ir::IntType(8, lanes), mask->code)};
    mask->mask_bits = 8;
    arguments += ", " + mask->code;
  }
  const char* helper = mask == nullptr ? "check_lanes" : "check_lanes_masked";
  AddCheck(context_->prelude()->Use(helper, dtype) + "(" + arguments + ", " + *extent + ")");
}

/*! \brief Check that a buffer lies in the bytes of another one, if indices are checked. */
void MemoryEmitter::CheckPlacement(const tir::Buffer& buffer) {
  const auto found = state_.placements.find(buffer->data.get());
  if (!context_->checks_bounds() || found == state_.placements.end()) return;
  const tir::BufferLoadNode* begin = found->second;
  if (BytesOf(begin->buffer->dtype) != 1 || !IsFlat(buffer, buffer.get())) return;
  const std::optional<std::string> whole = CheckedExtent(begin->buffer);
  const std::optional<std::string> count = CheckedExtent(buffer);
  if (!whole || !count) return;
  const int bytes = BytesOf(buffer->dtype) * ir::LanesOf(buffer->dtype);
  AddCheck(context_->prelude()->Use("check_index") + "(" + StringLiteral(ShownPlace(buffer->span)) +
           ", " + NameLiteral(std::string(begin->buffer->name)) + ", " +
           scalars().EmitExact(begin->indices[0]).code + ", (int64_t)(" + *count + ") * " +
           std::to_string(bytes) + ", " + *whole + ")");
}

}  // namespace uir::target
