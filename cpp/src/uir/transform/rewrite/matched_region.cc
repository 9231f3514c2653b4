// The regions that a block's buffers match, and the checks that both agree.
#include "./matched_region.h"

#include <uir/arith/analyzer.h>
#include <uir/ir/dtype.h>
#include <uir/ir/node_error.h>
#include <uir/tir/arith_op.h>
#include <uir/tir/expr.h>
#include <uir/tir/logic_op.h>
#include <uir/tir/op.h>

#include <algorithm>
#include <string>

namespace uir::transform {

namespace {

using ir::PrimExpr;

bool IsZero(const PrimExpr& expr) {
  const auto* constant = expr.as<ir::IntImmNode>();
  return constant != nullptr && constant->value == 0;
}

/*! \brief The sum of a scalar and an index; a ramp stays a ramp. */
PrimExpr Shifted(const PrimExpr& start, const PrimExpr& index) {
  if (IsZero(start)) return index;
  if (const auto* ramp = index.as<tir::RampNode>()) {
    const auto operands = tir::match_types(tir::add(start, ramp->base), ramp->stride);
    return tir::Ramp(operands.get<0>(), operands.get<1>(), ramp->lanes, ramp->span);
  }
  return IsZero(index) ? start : tir::add(start, index);
}

[[noreturn]] void Refuse(const tir::MatchBufferRegionNode* match, const std::string& message) {
  ir::ThrowAt(match, "ValueError",
              "buffer `" + std::string(match->buffer->name) + "` matches a region of `" +
                  std::string(match->source->buffer->name) + "`, and " + message);
}

}  // namespace

ffi::Array<PrimExpr> MatchedRegion::IndicesOf(const ffi::Array<PrimExpr>& indices) const {
  ffi::Array<PrimExpr> result = starts;
  const size_t fixed = starts.size() - indices.size();
  for (size_t i = 0; i < indices.size(); ++i) {
    result.Set(static_cast<int64_t>(fixed + i), Shifted(starts[fixed + i], indices[i]));
  }
  return result;
}

PrimExpr MatchedRegion::StrideOf(size_t axis, size_t rank) const {
  axis += source->shape.size() - rank;
  if (!source->strides.empty()) return source->strides[axis];
  size_t end = source->shape.size();
  for (const int64_t separator : source->axis_separators) {
    if (separator > static_cast<int64_t>(axis)) end = std::min<size_t>(end, separator);
  }
  PrimExpr stride = tir::make_const(1, source->shape[axis]->dtype);
  for (size_t inner = axis + 1; inner < end; ++inner) {
    stride = tir::mul(stride, source->shape[inner]);
  }
  return stride;
}

bool MatchedRegion::HasOffset() const {
  if (source->axis_separators.empty()) return true;
  const auto last = starts.begin() + source->axis_separators.back();
  return std::all_of(starts.begin(), last, IsZero);
}

void RefuseOffset(const tir::MatchBufferRegionNode* match) {
  Refuse(match,
         "its region starts inside a separated dimension, where one `elem_offset` does not "
         "tell the place");
}

void CheckMatched(const tir::MatchBufferRegionNode* match, const char* property,
                  const PrimExpr& found, const PrimExpr& expected) {
  if (arith::Analyzer()->CanProve(tir::equal(found, expected))) return;
  Refuse(match, std::string("its ") + property + " is not proved to be that of the region");
}

void CheckMatch(const tir::MatchBufferRegionNode* match, const ffi::Array<PrimExpr>& extents,
                const ffi::Array<PrimExpr>& shape) {
  const tir::Buffer& source = match->source->buffer;
  const size_t fixed = extents.size() - shape.size();
  for (size_t axis = 0; axis < extents.size(); ++axis) {
    const PrimExpr& extent = extents[axis];
    if (axis >= fixed) {
      CheckMatched(match, "shape", shape[axis - fixed], extent);
    } else if (!arith::Analyzer()->CanProve(tir::equal(extent, 1))) {
      Refuse(match, "dimension " + std::to_string(axis) +
                        " of the region, which it does not have, is not proved to have extent 1");
    }
  }
  if (match->buffer->Scope() != source->Scope()) {
    Refuse(match, "its scope is `" + std::string(match->buffer->Scope()) + "`, expected `" +
                      std::string(source->Scope()) + "`");
  }
  if (source->data_alignment % match->buffer->data_alignment != 0) {
    Refuse(match, "its `data_alignment` is " + std::to_string(match->buffer->data_alignment) +
                      ", expected a divisor of " + std::to_string(source->data_alignment));
  }
}

}  // namespace uir::transform
