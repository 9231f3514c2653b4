// Operands, axes and dimensions of the hand-written rules of types.
#include "./shape_rule.h"

#include <uir/ir/script_text.h>

#include <algorithm>

namespace uir::relay {

ir::PrimExpr Dimension(const Extent& extent) {
  if (const auto number = extent.as<int64_t>()) return Dimension(*number);
  return extent.get<ir::PrimExpr>();
}

Shape ToShape(const ffi::Array<Extent>& extents) {
  Shape shape;
  for (const Extent& extent : extents) shape.push_back(Dimension(extent));
  return shape;
}

std::optional<int64_t> ConstantOf(const ir::PrimExpr& dimension) {
  const auto* constant = dimension.as<ir::IntImmNode>();
  return constant == nullptr ? std::nullopt : std::optional<int64_t>(constant->value);
}

size_t NormalizeAxis(int64_t axis, const Shape& shape, const char* attribute) {
  const auto rank = static_cast<int64_t>(shape.size());
  if (axis < -rank || axis >= rank) {
    TVM_FFI_THROW(ValueError) << "`" << attribute << "` must be from " << -rank << " to "
                              << rank - 1 << " for an operand of shape " << ToText(shape)
                              << ", got " << axis;
  }
  return static_cast<size_t>(axis < 0 ? axis + rank : axis);
}

std::vector<size_t> NormalizeAxes(const OptionalIntegers& axes, const Shape& shape,
                                  const char* attribute) {
  std::vector<size_t> result;
  if (!axes.has_value()) {
    for (size_t axis = 0; axis < shape.size(); ++axis) result.push_back(axis);
    return result;
  }
  for (const int64_t given : axes.value()) {
    const size_t axis = NormalizeAxis(given, shape, attribute);
    if (std::find(result.begin(), result.end(), axis) != result.end()) {
      TVM_FFI_THROW(ValueError) << "`" << attribute << "` names dimension " << axis << " twice";
    }
    result.push_back(axis);
  }
  return result;
}

void CheckLength(const char* attribute, size_t length, size_t expected) {
  if (length == expected) return;
  TVM_FFI_THROW(ValueError) << "`" << attribute << "` must have " << expected << " elements, got "
                            << length;
}

void CheckAtLeast(const char* attribute, const ffi::Array<int64_t>& elements, int64_t least) {
  for (const int64_t element : elements) {
    if (element >= least) continue;
    TVM_FFI_THROW(ValueError) << "the elements of `" << attribute << "` must be at least " << least
                              << ", got " << element;
  }
}

void CheckNotNegative(const char* attribute, const Shape& shape, TypeContext* context) {
  for (const ir::PrimExpr& dimension : shape) {
    // The shapes of parameters bind variables.
    if (context->IsVariable(dimension)) continue;
    if (context->RequireAtMost(Dimension(0), dimension)) continue;
    TVM_FFI_THROW(ValueError) << "the elements of `" << attribute << "` must be at least 0, got "
                              << ir::ScriptText(dimension);
  }
}

void CheckRank(const char* operand, const Shape& shape, size_t expected) {
  if (shape.size() == expected) return;
  TVM_FFI_THROW(TypeError) << "operand `" << operand << "` has rank " << shape.size()
                           << ", expected " << expected << " (its shape is " << ToText(shape)
                           << ")";
}

void CheckDimension(const char* operand, const Shape& shape, size_t axis,
                    const ir::PrimExpr& expected, TypeContext* context) {
  const ir::PrimExpr found = shape[static_cast<int64_t>(axis)];
  if (context->RequireEqual(expected, found)) return;
  TVM_FFI_THROW(TypeError) << "operand `" << operand << "`: dimension " << axis << " is "
                           << ir::ScriptText(found) << ", expected " << ir::ScriptText(expected)
                           << " (the shape of `" << operand << "` is " << ToText(shape) << ")";
}

void CheckBroadcast(const char* operand, const Shape& shape, const Shape& target,
                    TypeContext* context) {
  bool fits = shape.size() <= target.size();
  const size_t offset = fits ? target.size() - shape.size() : 0;
  for (size_t i = 0; fits && i < shape.size(); ++i) {
    const ir::PrimExpr dimension = shape[static_cast<int64_t>(i)];
    fits = ConstantOf(dimension) == 1 ||
           context->RequireEqual(target[static_cast<int64_t>(offset + i)], dimension);
  }
  if (!fits) FailBroadcast(operand, shape, target);
}

void FailBroadcast(const char* operand, const Shape& shape, const Shape& target) {
  TVM_FFI_THROW(TypeError) << "operand `" << operand << "` of shape " << ToText(shape)
                           << " does not broadcast to " << ToText(target);
  TVM_FFI_UNREACHABLE();
}

ir::PrimExpr DimensionMath::Add(const ir::PrimExpr& a, const ir::PrimExpr& b) const {
  return Compute(ir::ScalarOp::kAdd, a, b);
}

ir::PrimExpr DimensionMath::Sub(const ir::PrimExpr& a, const ir::PrimExpr& b) const {
  return Compute(ir::ScalarOp::kSub, a, b);
}

ir::PrimExpr DimensionMath::Mul(const ir::PrimExpr& a, const ir::PrimExpr& b) const {
  return Compute(ir::ScalarOp::kMul, a, b);
}

ir::PrimExpr DimensionMath::Min(const ir::PrimExpr& a, const ir::PrimExpr& b) const {
  return Compute(ir::ScalarOp::kMin, a, b);
}

ir::PrimExpr DimensionMath::Max(const ir::PrimExpr& a, const ir::PrimExpr& b) const {
  return Compute(ir::ScalarOp::kMax, a, b);
}

ir::PrimExpr DimensionMath::FloorDiv(const ir::PrimExpr& a, const ir::PrimExpr& b) const {
  return Compute(ir::ScalarOp::kFloorDiv, a, b);
}

ir::PrimExpr DimensionMath::CeilDiv(const ir::PrimExpr& a, const ir::PrimExpr& b) const {
  return Sub(Dimension(0), FloorDiv(Sub(Dimension(0), a), b));
}

ir::PrimExpr DimensionMath::Product(const Shape& shape) const {
  ir::PrimExpr product = Dimension(1);
  for (const ir::PrimExpr& dimension : shape) product = Mul(product, dimension);
  return product;
}

bool DimensionMath::IsEmptyOrHasElements(const ir::PrimExpr& count,
                                         const ir::PrimExpr& source) const {
  const ir::PrimExpr is_empty = context_->Compute(ir::ScalarOp::kLE, count, Dimension(0));
  const ir::PrimExpr has_some = context_->Compute(ir::ScalarOp::kLT, Dimension(0), source);
  return context_->Require(context_->Compute(ir::ScalarOp::kOr, is_empty, has_some));
}

ir::PrimExpr DimensionMath::Compute(ir::ScalarOp op, const ir::PrimExpr& a,
                                    const ir::PrimExpr& b) const {
  return AsDimension(relay::Compute(op, a, b, context_));
}

}  // namespace uir::relay
