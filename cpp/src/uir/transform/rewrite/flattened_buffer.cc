// Flat buffers, and the indices into them.
#include <uir/ir/dtype.h>
#include <uir/tir/arith_op.h>
#include <uir/tir/expr.h>
#include <uir/tir/op.h>
#include <uir/transform/flattened_buffer.h>
#include <uir/transform/node_copy.h>

#include <algorithm>
#include <utility>

namespace uir::transform {

namespace {

using ir::PrimExpr;

bool IsConst(const PrimExpr& expr, int64_t value) {
  const auto* constant = expr.as<ir::IntImmNode>();
  return constant != nullptr && constant->value == value;
}

/*! \brief Add and multiply, leaving out what changes nothing. */
PrimExpr Plus(PrimExpr a, PrimExpr b) {
  if (IsConst(b, 0)) return a;
  return IsConst(a, 0) ? b : tir::add(std::move(a), std::move(b));
}

PrimExpr Times(PrimExpr a, PrimExpr b) {
  if (IsConst(b, 1)) return a;
  if (IsConst(a, 1)) return b;
  if (IsConst(a, 0)) return a;
  return IsConst(b, 0) ? b : tir::mul(std::move(a), std::move(b));
}

/*! \brief Dimensions that become one. */
struct Group {
  size_t begin;
  size_t end;
};

std::vector<Group> GroupsOf(const tir::Buffer& buffer) {
  std::vector<Group> groups;
  size_t begin = 0;
  for (const int64_t separator : buffer->axis_separators) {
    groups.push_back({begin, static_cast<size_t>(separator)});
    begin = static_cast<size_t>(separator);
  }
  groups.push_back({begin, buffer->shape.size()});
  return groups;
}

/*! \brief The type in which offsets of a buffer are computed. */
DLDataType IndexType(const tir::Buffer& buffer) {
  return buffer->shape.empty() ? ir::IntType(32) : buffer->shape[0]->dtype;
}

PrimExpr Constant(const tir::Buffer& buffer, int64_t value) {
  return tir::make_const(value, IndexType(buffer));
}

/*! \brief How many elements lie between the first and the last one of a group, the last included.
 */
PrimExpr ExtentOf(const tir::Buffer& buffer, Group group) {
  PrimExpr extent = Constant(buffer, 1);
  if (buffer->strides.empty()) {
    for (size_t axis = group.begin; axis < group.end; ++axis) {
      extent = Times(extent, buffer->shape[axis]);
    }
    return extent;
  }
  const auto is_const = [](const PrimExpr& expr) { return expr.as<ir::IntImmNode>() != nullptr; };
  const bool is_known = std::all_of(buffer->strides.begin(), buffer->strides.end(), is_const) &&
                        std::all_of(buffer->shape.begin(), buffer->shape.end(), is_const);
  if (!is_known) {
    // Rows that follow each other, as far as can be told.
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

/*! \brief The distance of neighbours in a dimension, in elements of its group. */
PrimExpr StrideOf(const tir::Buffer& buffer, Group group, size_t axis) {
  if (!buffer->strides.empty()) return buffer->strides[axis];
  PrimExpr stride = Constant(buffer, 1);
  for (size_t inner = axis + 1; inner < group.end; ++inner) {
    stride = Times(stride, buffer->shape[inner]);
  }
  return stride;
}

/*! \brief `index * stride + offset`, where the index may be a vector and then keeps its form. */
PrimExpr Vectorized(const PrimExpr& index, const PrimExpr& stride, PrimExpr offset) {
  if (const auto* ramp = index.as<tir::RampNode>()) {
    // Offsets may be of a wider type than the lanes.
    const auto operands = tir::match_types(Plus(std::move(offset), Times(ramp->base, stride)),
                                           Times(ramp->stride, stride));
    return tir::Ramp(operands.get<0>(), operands.get<1>(), ramp->lanes, ramp->span);
  }
  if (const auto* broadcast = index.as<tir::BroadcastNode>()) {
    return tir::Broadcast(Plus(std::move(offset), Times(broadcast->value, stride)),
                          broadcast->lanes, broadcast->span);
  }
  const PrimExpr product = IsConst(stride, 1) ? index : tir::mul(index, stride);
  return IsConst(offset, 0) ? product : tir::add(product, std::move(offset));
}

PrimExpr IndexOf(const tir::Buffer& buffer, Group group, const ffi::Array<PrimExpr>& indices) {
  PrimExpr result = Constant(buffer, 0);
  for (size_t axis = group.begin; axis < group.end; ++axis) {
    const PrimExpr& index = indices[axis];
    const PrimExpr stride = StrideOf(buffer, group, axis);
    result = ir::IsScalar(index->dtype) ? Plus(std::move(result), Times(index, stride))
                                        : Vectorized(index, stride, std::move(result));
  }
  return result;
}

}  // namespace

tir::Buffer FlattenedBuffer(const tir::Buffer& buffer) {
  const std::vector<Group> groups = GroupsOf(buffer);
  const PrimExpr offset = buffer->elem_offset.value();
  const bool is_flat = buffer->strides.empty() && IsConst(offset, 0) &&
                       groups.size() == buffer->shape.size() &&
                       std::all_of(groups.begin(), groups.end(),
                                   [](const Group& group) { return group.end == group.begin + 1; });
  if (is_flat) return buffer;
  ffi::Array<PrimExpr> shape;
  for (const Group& group : groups) shape.push_back(ExtentOf(buffer, group));
  shape.Set(static_cast<int64_t>(groups.size()) - 1, Plus(shape.back(), offset));
  ffi::Array<int64_t> separators;
  for (size_t i = 1; i < groups.size(); ++i) separators.push_back(static_cast<int64_t>(i));
  return tir::Buffer(buffer->data, buffer->dtype, std::move(shape), {}, std::nullopt, buffer->name,
                     buffer->data_alignment, buffer->offset_factor, buffer->buffer_type,
                     std::move(separators), buffer->span);
}

ffi::Array<PrimExpr> FlattenedIndices(const tir::Buffer& buffer,
                                      const ffi::Array<PrimExpr>& indices) {
  ffi::Array<PrimExpr> flat;
  for (const Group& group : GroupsOf(buffer)) flat.push_back(IndexOf(buffer, group, indices));
  const PrimExpr offset = buffer->elem_offset.value();
  if (IsConst(offset, 0)) return flat;
  const PrimExpr last = flat.back();
  const bool is_scalar = ir::IsScalar(last->dtype);
  flat.Set(static_cast<int64_t>(flat.size()) - 1,
           is_scalar ? Plus(last, offset) : Vectorized(last, Constant(buffer, 1), offset));
  return flat;
}

}  // namespace uir::transform
