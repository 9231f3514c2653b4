// Elements of calls of operators that need no compiled code, by loops over strided operands.
#include "./exact_elements.h"

#include <tvm/ffi/cast.h>
#include <uir/ir/dtype.h>
#include <uir/ir/host_memory.h>
#include <uir/ir/op.h>
#include <uir/ir/operator_table.h>
#include <uir/ir/scalar_op.h>
#include <uir/ir/tensor_type.h>
#include <uir/relay/shape.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../../ir/formula.h"
#include "../../relay/shape_rule.h"
#include "../analysis/views.h"

namespace uir::transform {

namespace {

using Extents = std::vector<int64_t>;

Extents ExtentsOf(const ir::TensorTypeNode* type) {
  Extents extents;
  for (const ir::PrimExpr& extent : type->shape) {
    extents.push_back(extent.as<ir::IntImmNode>()->value);
  }
  return extents;
}

/*! \brief The strides of a compact tensor. */
Extents StridesOf(const ffi::Tensor& tensor) {
  Extents strides(static_cast<size_t>(tensor.ndim()), 1);
  for (size_t i = strides.size(); i-- > 1;) {
    strides[i - 1] = strides[i] * tensor.size(static_cast<int64_t>(i));
  }
  return strides;
}

/*! \brief The strides of an operand along the axes of the result to which it broadcasts. */
Extents BroadcastStrides(const ffi::Tensor& operand, size_t num_axes) {
  Extents strides = StridesOf(operand);
  for (size_t i = 0; i < strides.size(); ++i) {
    if (operand.size(static_cast<int64_t>(i)) == 1) strides[i] = 0;
  }
  strides.insert(strides.begin(), num_axes - strides.size(), 0);
  return strides;
}

/*! \brief Loops over a compact result and two operands, outermost first. */
struct ElementLoops {
  Extents extents;
  Extents x_strides;
  Extents y_strides;

  /*! \brief Drop loops of one iteration, and fuse adjacent loops with contiguous strides. */
  void Merge() {
    size_t count = 0;
    for (size_t i = 0; i < extents.size(); ++i) {
      if (extents[i] == 1) continue;
      const auto goes_on = [&](const Extents& strides) {
        return strides[count - 1] == strides[i] * extents[i];
      };
      if (count > 0 && goes_on(x_strides) && goes_on(y_strides)) {
        extents[count - 1] *= extents[i];
      } else {
        extents[count++] = extents[i];
      }
      x_strides[count - 1] = x_strides[i];
      y_strides[count - 1] = y_strides[i];
    }
    extents.resize(count);
    if (count == 0) {
      extents = {1};
      x_strides = y_strides = {0};
    }
  }
};

/*! \brief Computes elements of a result by a function of two elements. */
template <typename Element, typename Function>
class Computation {
 public:
  Computation(const ElementLoops& loops, const Function& function)
      : loops_(loops), function_(function) {}

  /*! \brief Run a loop and those inside it; return the end of the result. */
  Element* Run(size_t loop, const Element* x, const Element* y, Element* to) const {
    const int64_t extent = loops_.extents[loop];
    const int64_t x_stride = loops_.x_strides[loop];
    const int64_t y_stride = loops_.y_strides[loop];
    if (loop + 1 == loops_.extents.size()) return RunLast(extent, x, x_stride, y, y_stride, to);
    for (int64_t i = 0; i < extent; ++i) to = Run(loop + 1, x + i * x_stride, y + i * y_stride, to);
    return to;
  }

 private:
  /*! \brief The innermost loop, written so that contiguous and repeated elements vectorize. */
  Element* RunLast(int64_t extent, const Element* x, int64_t x_stride, const Element* y,
                   int64_t y_stride, Element* __restrict to) const {
    if (x_stride == 1 && y_stride == 1) {
      for (int64_t i = 0; i < extent; ++i) to[i] = function_(x[i], y[i]);
    } else if (x_stride == 1 && y_stride == 0) {
      for (int64_t i = 0; i < extent; ++i) to[i] = function_(x[i], *y);
    } else if (x_stride == 0 && y_stride == 1) {
      for (int64_t i = 0; i < extent; ++i) to[i] = function_(*x, y[i]);
    } else {
      for (int64_t i = 0; i < extent; ++i) to[i] = function_(x[i * x_stride], y[i * y_stride]);
    }
    return to + extent;
  }

  const ElementLoops& loops_;
  Function function_;
};

template <typename Element>
const Element* DataOf(const ffi::Tensor& tensor) {
  const DLTensor& raw = *tensor.GetDLTensorPtr();
  return reinterpret_cast<const Element*>(static_cast<const char*>(raw.data) + raw.byte_offset);
}

/*! \brief The result of a function of elements of the first and the last operand. */
template <typename Element, typename Function>
ffi::Tensor ComputeExactly(const ir::TensorTypeNode* type, const std::vector<ffi::Tensor>& operands,
                           ElementLoops loops, const Function& function) {
  ffi::Tensor result = ffi::Tensor::FromNDAlloc(
      ir::HostMemory(), ffi::ShapeView(loops.extents.data(), loops.extents.size()), type->dtype,
      DLDevice{kDLCPU, 0});
  if (result.numel() == 0) return result;
  loops.Merge();
  Computation<Element, Function>(loops, function)
      .Run(0, DataOf<Element>(operands.front()), DataOf<Element>(operands.back()),
           static_cast<Element*>(result.data_ptr()));
  return result;
}

/*! \brief Whether a formula is a call or an operation on the operands, in their order. */
bool TakesOperands(const ir::Formula& scalar, size_t num_operands) {
  const bool is_operation = scalar.kind == ir::FormulaKind::kCall ||
                            scalar.kind == ir::FormulaKind::kUnary ||
                            scalar.kind == ir::FormulaKind::kBinary;
  if (!is_operation || scalar.parts.size() != num_operands) return false;
  for (size_t i = 0; i < num_operands; ++i) {
    const ir::Formula& part = scalar.parts[i];
    if (part.kind != ir::FormulaKind::kName || part.slot != static_cast<int>(i)) return false;
  }
  return true;
}

/*! \brief The result of an operator whose `scalar` is an exactly rounded function of `float32`. */
std::optional<ffi::Tensor> ComputeScalar(const ir::Formula& scalar, const ir::TensorTypeNode* type,
                                         const std::vector<ffi::Tensor>& operands) {
  const auto is_float = [](const ffi::Tensor& tensor) {
    return tensor.dtype() == ir::FloatType(32);
  };
  if (!std::all_of(operands.begin(), operands.end(), is_float)) return std::nullopt;
  const auto compute = [&](const auto& function) {
    const Extents extents = ExtentsOf(type);
    return ComputeExactly<float>(type, operands,
                                 {extents, BroadcastStrides(operands.front(), extents.size()),
                                  BroadcastStrides(operands.back(), extents.size())},
                                 function);
  };
  if (!TakesOperands(scalar, operands.size())) return std::nullopt;
  const bool is_call = scalar.kind == ir::FormulaKind::kCall;
  if (is_call && scalar.name == "sqrt") return compute([](float x, float) { return std::sqrt(x); });
  const std::optional<ir::ScalarOp> op = is_call ? ir::FindTensorOp(scalar.name) : scalar.op;
  if (!op) return std::nullopt;
  switch (*op) {
    case ir::ScalarOp::kAdd:
      return compute([](float x, float y) { return x + y; });
    case ir::ScalarOp::kSub:
      return compute([](float x, float y) { return x - y; });
    case ir::ScalarOp::kMul:
      return compute([](float x, float y) { return x * y; });
    case ir::ScalarOp::kDiv:
      return compute([](float x, float y) { return x / y; });
    case ir::ScalarOp::kNegate:
      return compute([](float x, float) { return -x; });
    default:
      return std::nullopt;
  }
}

/*! \brief A tensor with the axes permuted by a call of `transpose`. */
template <typename Element>
ffi::Tensor Transpose(const relay::CallNode* call, const ir::TensorTypeNode* type,
                      const std::vector<ffi::Tensor>& operands) {
  const auto* attrs = relay::AttrsOf<relay::TransposeAttrsNode>(call);
  std::vector<size_t> axes = relay::NormalizeAxes(attrs->axes, type->shape);
  if (!attrs->axes.has_value()) std::reverse(axes.begin(), axes.end());
  const Extents from = StridesOf(operands.front());
  Extents strides;
  for (const size_t axis : axes) strides.push_back(from[axis]);
  return ComputeExactly<Element>(type, operands, {ExtentsOf(type), strides, strides},
                                 [](Element x, Element) { return x; });
}

std::optional<ffi::Tensor> ComputeTranspose(const relay::CallNode* call,
                                            const ir::TensorTypeNode* type,
                                            const std::vector<ffi::Tensor>& operands) {
  switch (type->dtype.bits * type->dtype.lanes) {
    case 8:
      return Transpose<uint8_t>(call, type, operands);
    case 16:
      return Transpose<uint16_t>(call, type, operands);
    case 32:
      return Transpose<uint32_t>(call, type, operands);
    case 64:
      return Transpose<uint64_t>(call, type, operands);
    default:
      return std::nullopt;
  }
}

bool IsReadable(const ffi::Tensor& tensor) {
  return tensor.device().device_type == kDLCPU && tensor.IsContiguous();
}

}  // namespace

std::optional<ffi::Tensor> ExactElements(const relay::CallNode* call,
                                         const std::vector<ffi::Tensor>& operands) {
  const auto op = call->op.as<ir::Op>();
  const auto* type = call->checked_type.value().as<ir::TensorTypeNode>();
  const bool is_readable = std::all_of(operands.begin(), operands.end(), IsReadable);
  if (!op || type == nullptr || operands.empty() || !is_readable) return std::nullopt;
  const auto expr = ffi::GetRef<ir::RelayExpr>(call);
  if (ViewCallOf(expr) != nullptr) return ViewOf(operands.front(), type);
  if ((*op)->name == "relay.transpose") return ComputeTranspose(call, type, operands);
  const auto scalar = ir::op_attr(*op, "scalar").as<ffi::String>();
  const ir::OperatorRow* row = ir::FindOperatorRow(*op);
  if (!scalar || row == nullptr) return std::nullopt;
  // Operands come first, so that a slot is the place of an operand.
  std::vector<std::string> names;
  for (const ir::OperandRow& operand : row->operands) names.emplace_back(operand.name);
  return ComputeScalar(ir::ParseFormula({scalar->data(), scalar->size()}, &names), type, operands);
}

}  // namespace uir::transform
