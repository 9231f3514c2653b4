// Buffers with one dimension for each group of dimensions, and offsets into them.
#include <tvm/ffi/cast.h>
#include <uir/ir/dtype.h>
#include <uir/ir/operand.h>
#include <uir/tir/arith_op.h>
#include <uir/tir/buffer.h>
#include <uir/tir/const_fold.h>
#include <uir/tir/expr.h>
#include <uir/tir/op.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "./buffer_extent.h"

namespace uir::tir {

namespace {

using ir::PrimExpr;

bool IsConst(const PrimExpr& expr, int64_t value) {
  const auto* constant = expr.as<ir::IntImmNode>();
  return constant != nullptr && constant->value == value;
}

/*! \brief Add and multiply, without neutral operands. */
PrimExpr Plus(PrimExpr a, PrimExpr b) {
  if (IsConst(b, 0)) return a;
  return IsConst(a, 0) ? b : add(std::move(a), std::move(b));
}

PrimExpr Times(PrimExpr a, PrimExpr b) {
  if (IsConst(b, 1)) return a;
  if (IsConst(a, 1)) return b;
  if (IsConst(a, 0)) return a;
  return IsConst(b, 0) ? b : mul(std::move(a), std::move(b));
}

std::vector<AxisGroup> GroupsOf(const BufferNode* buffer) {
  std::vector<AxisGroup> groups;
  size_t begin = 0;
  for (const int64_t separator : buffer->axis_separators) {
    groups.push_back({begin, static_cast<size_t>(separator)});
    begin = static_cast<size_t>(separator);
  }
  groups.push_back({begin, buffer->shape.size()});
  return groups;
}

/*! \brief The constant stride of a dimension; 1 for a buffer without strides. */
std::optional<int64_t> KnownStride(const BufferNode* buffer, size_t axis) {
  return buffer->strides.empty() ? std::optional<int64_t>(1) : IntConstOf(buffer->strides[axis]);
}

/*! \brief Whether the constant dimensions of a buffer need offsets of more than 32 bits. */
bool IsLarge(const BufferNode* buffer) {
  constexpr double kMost = std::numeric_limits<int32_t>::max();
  double count = 1;
  double last = 0;
  for (size_t axis = 0; axis < buffer->shape.size(); ++axis) {
    const auto extent = static_cast<double>(IntConstOf(buffer->shape[axis]).value_or(1));
    const auto stride = static_cast<double>(KnownStride(buffer, axis).value_or(1));
    count *= std::max(extent, 1.0);
    last += std::max(extent - 1, 0.0) * stride;
  }
  return count > kMost || last >= kMost;
}

/*! \brief The data type of offsets into a buffer. */
DLDataType IndexType(const BufferNode* buffer) {
  if (buffer->shape.empty()) return ir::IntType(32);
  const DLDataType dtype = buffer->shape[0]->dtype;
  return dtype.bits < 64 && IsLarge(buffer) ? ir::IntType(64) : dtype;
}

PrimExpr Constant(const BufferNode* buffer, int64_t value) {
  return make_const(value, IndexType(buffer));
}

/*! \brief A dimension or stride, cast to the data type of offsets if that is wider. */
PrimExpr InOffset(const BufferNode* buffer, const PrimExpr& number) {
  const DLDataType dtype = IndexType(buffer);
  return dtype.bits > number->dtype.bits ? cast(number, dtype) : number;
}

/*! \brief The stride of a dimension, in elements of its group. */
PrimExpr StrideOf(const BufferNode* buffer, AxisGroup group, size_t axis) {
  if (!buffer->strides.empty()) return InOffset(buffer, buffer->strides[axis]);
  if (axis + 1 == group.end) return Constant(buffer, 1);
  PrimExpr stride = InOffset(buffer, buffer->shape[axis + 1]);
  for (size_t inner = axis + 2; inner < group.end; ++inner) {
    stride = Times(stride, buffer->shape[inner]);
  }
  return stride;
}

/*! \brief `index * stride + offset`; a ramp stays a ramp, and a broadcast a broadcast. */
PrimExpr Vectorized(const PrimExpr& index, const PrimExpr& stride, PrimExpr offset) {
  if (const auto* ramp = index.as<RampNode>()) {
    // Offsets may have a wider type than the lanes.
    const auto operands = match_types(Plus(std::move(offset), Times(ramp->base, stride)),
                                      Times(ramp->stride, stride));
    return Ramp(operands.get<0>(), operands.get<1>(), ramp->lanes, ramp->span);
  }
  if (const auto* broadcast = index.as<BroadcastNode>()) {
    return Broadcast(Plus(std::move(offset), Times(broadcast->value, stride)), broadcast->lanes,
                     broadcast->span);
  }
  const PrimExpr product = IsConst(stride, 1) ? index : mul(index, stride);
  return IsConst(offset, 0) ? product : add(product, std::move(offset));
}

PrimExpr IndexOf(const BufferNode* buffer, AxisGroup group, const ffi::Array<PrimExpr>& indices) {
  const auto zero = [&] { return Constant(buffer, 0); };
  // None means 0, which most groups with an axis never need.
  ffi::Optional<PrimExpr> sum;
  for (size_t axis = group.begin; axis < group.end; ++axis) {
    const PrimExpr& index = indices[axis];
    const bool is_whole = axis + 1 == group.end && buffer->strides.empty();
    if (!ir::IsScalar(index->dtype)) {
      const PrimExpr stride = StrideOf(buffer, group, axis);
      sum = Vectorized(index, stride, sum.has_value() ? *std::move(sum) : zero());
      continue;
    }
    PrimExpr term = is_whole ? index : Times(index, StrideOf(buffer, group, axis));
    if (IsConst(term, 0)) continue;
    sum = sum.has_value() ? Plus(*std::move(sum), std::move(term)) : std::move(term);
  }
  return sum.has_value() ? *std::move(sum) : zero();
}

}  // namespace

PrimExpr ExtentOf(const BufferNode* buffer, AxisGroup group) {
  PrimExpr extent = Constant(buffer, 1);
  if (buffer->strides.empty()) {
    for (size_t axis = group.begin; axis < group.end; ++axis) {
      extent = Times(extent, InOffset(buffer, buffer->shape[axis]));
    }
    return extent;
  }
  const auto is_const = [](const PrimExpr& expr) { return expr.as<ir::IntImmNode>() != nullptr; };
  const bool is_known = std::all_of(buffer->strides.begin(), buffer->strides.end(), is_const) &&
                        std::all_of(buffer->shape.begin(), buffer->shape.end(), is_const);
  if (!is_known) {
    // Assume contiguous rows.
    return group.begin == group.end
               ? extent
               : Times(buffer->shape[group.begin], buffer->strides[group.begin]);
  }
  int64_t rows = 1;
  int64_t last = 0;
  for (size_t axis = group.begin; axis < group.end; ++axis) {
    const int64_t length = buffer->shape[axis].as<ir::IntImmNode>()->value;
    const int64_t stride = buffer->strides[axis].as<ir::IntImmNode>()->value;
    rows = std::max(rows, length * stride);
    last += (length - 1) * stride;
  }
  return Constant(buffer, std::max(rows, last + 1));
}

Buffer BufferNode::Flattened() const {
  const std::vector<AxisGroup> groups = GroupsOf(this);
  const PrimExpr offset = elem_offset.value();
  const bool is_flat = strides.empty() && IsConst(offset, 0) && groups.size() == shape.size() &&
                       std::all_of(groups.begin(), groups.end(), [](const AxisGroup& group) {
                         return group.end == group.begin + 1;
                       });
  if (is_flat) return ffi::GetRef<Buffer>(this);
  ffi::Array<PrimExpr> extents;
  for (const AxisGroup& group : groups) extents.push_back(ExtentOf(this, group));
  extents.Set(static_cast<int64_t>(groups.size()) - 1, Plus(extents.back(), offset));
  ffi::Array<int64_t> separators;
  for (size_t i = 1; i < groups.size(); ++i) separators.push_back(static_cast<int64_t>(i));
  return Buffer(data, dtype, std::move(extents), {}, std::nullopt, name, data_alignment,
                offset_factor, buffer_type, std::move(separators), span);
}

ffi::Array<PrimExpr> BufferNode::Offsets(ffi::Array<PrimExpr> indices) const {
  ir::CheckSameSize(this, "shape", shape.size(), "indices", indices.size());
  ffi::Array<PrimExpr> offsets;
  for (const AxisGroup& group : GroupsOf(this)) offsets.push_back(IndexOf(this, group, indices));
  const PrimExpr offset = elem_offset.value();
  if (IsConst(offset, 0)) return offsets;
  const PrimExpr last = offsets.back();
  const bool is_scalar = ir::IsScalar(last->dtype);
  offsets.Set(static_cast<int64_t>(offsets.size()) - 1,
              is_scalar ? Plus(last, offset) : Vectorized(last, Constant(this, 1), offset));
  return offsets;
}

}  // namespace uir::tir
