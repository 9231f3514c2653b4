// Tensors of kernels, and the stages that store them.
#include "./value.h"

#include <tvm/ffi/cast.h>
#include <uir/ir/dtype.h>
#include <uir/tir/op.h>

#include <algorithm>
#include <utility>

namespace uir::transform {

Value::Value(te::Tensor tensor)
    : state_(std::make_shared<State>(
          State{tensor->name, tensor->shape, tensor->dtype, nullptr, tensor, true})) {}

Value::Value(std::string name, Indices shape, DLDataType dtype, ElementFunction element)
    : state_(std::make_shared<State>(
          State{std::move(name), std::move(shape), dtype, std::move(element), std::nullopt})) {}

Value Value::View(const Value& source, Indices shape, ElementFunction element) {
  Value view(source.name(), std::move(shape), source.dtype(), std::move(element));
  view.state_->is_cheap = source.state_->is_cheap;
  return view;
}

Value Value::Constant(Indices shape, const PrimExpr& element) {
  Value value("constant", std::move(shape), element->dtype,
              [element](const Indices&) { return element; });
  value.state_->is_cheap = true;
  return value;
}

PrimExpr Value::At(const Indices& indices) const {
  if (!state_->tensor.has_value()) return state_->element(indices);
  return tir::ProducerLoad(*state_->tensor, indices);
}

const te::Tensor& Value::Stored() const {
  if (!state_->tensor.has_value()) {
    state_->tensor = ComputeTensor(state_->name, state_->shape, state_->element);
    state_->element = nullptr;
    state_->is_cheap = true;
  }
  return *state_->tensor;
}

te::Tensor ComputeTensor(const std::string& name, const Indices& shape,
                         const ElementFunction& element) {
  const ffi::Array<tir::IterVar> axes =
      MakeAxes(shape, tir::IterVarType::kDataPar, "i", IndexType(shape));
  return te::Tensor(te::ComputeOp(name, axes, {element(VarsOf(axes))}), 0);
}

bool HasLargeProduct(const Indices& extents, const Indices& others) {
  // Indices in padding exceed the extents, so the limit leaves room for them.
  constexpr double kMost = 1 << 30;
  double product = 1;
  for (const Indices& some : {extents, others}) {
    for (const PrimExpr& extent : some) {
      product *= std::max(static_cast<double>(ConstantIndex(extent).value_or(1)), 1.0);
    }
  }
  return product > kMost;
}

DLDataType IndexType(const Indices& extents, const Indices& reduced) {
  if (HasLargeProduct(extents, reduced)) return ir::IntType(64);
  DLDataType widest = ir::IntType(32);
  for (const Indices& some : {extents, reduced}) {
    for (const PrimExpr& extent : some) {
      if (extent->dtype.bits > widest.bits) widest = extent->dtype;
    }
  }
  return widest;
}

ffi::Array<tir::IterVar> MakeAxes(const Indices& extents, tir::IterVarType type,
                                  const std::string& prefix, DLDataType dtype) {
  ffi::Array<tir::IterVar> axes;
  for (const PrimExpr& extent : extents) {
    const tir::Var var(prefix + std::to_string(axes.size()), dtype);
    const ir::Range range(ir::IntImm(dtype, 0), tir::cast(extent, dtype));
    axes.push_back(tir::IterVar(var, range, type));
  }
  return axes;
}

Indices VarsOf(const ffi::Array<tir::IterVar>& axes) {
  Indices vars;
  for (const tir::IterVar& axis : axes) vars.push_back(axis->var);
  return vars;
}

Indices BroadcastIndices(const Indices& indices, const Indices& operand_shape) {
  Indices result;
  const size_t skipped = indices.size() - operand_shape.size();
  for (size_t i = 0; i < operand_shape.size(); ++i) {
    const PrimExpr& dimension = operand_shape[static_cast<int64_t>(i)];
    const bool is_one = ConstantIndex(dimension) == 1;
    result.push_back(is_one ? PrimExpr(ir::IntImm(dimension->dtype, 0))
                            : indices[static_cast<int64_t>(i + skipped)]);
  }
  return result;
}

void StoreIfBroadcast(const Value& value, const Indices& shape) {
  bool broadcasts = value.rank() != shape.size();
  for (size_t i = 0; i < value.rank() && !broadcasts; ++i) {
    const auto at = static_cast<int64_t>(i);
    broadcasts = ConstantIndex(value.shape()[at]) == 1 && ConstantIndex(shape[at]) != 1;
  }
  if (broadcasts) value.StoreIfComputed();
}

DLDataType WideType(DLDataType dtype) {
  return ir::IsFloat(dtype) && dtype.bits < 32 ? ir::FloatType(32) : dtype;
}

PrimExpr WideElement(const Value& value, const Indices& indices) {
  return tir::cast(value.At(indices), WideType(value.dtype()));
}

Value Converted(const Value& value, DLDataType dtype) {
  if (value.dtype() == dtype) return value;
  const auto element = [value, dtype](const Indices& indices) {
    return tir::cast(value.At(indices), dtype);
  };
  return {value.name(), value.shape(), dtype, element};
}

std::optional<int64_t> ConstantIndex(const PrimExpr& expr) {
  const auto* constant = expr.as<ir::IntImmNode>();
  return constant == nullptr ? std::nullopt : std::optional<int64_t>(constant->value);
}

}  // namespace uir::transform
