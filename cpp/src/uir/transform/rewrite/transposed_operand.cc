// Transposes the integers of constant operands: products find dequantized values alone.
#include "./transposed_operand.h"

#include <uir/ir/dtype.h>
#include <uir/ir/op.h>
#include <uir/relay/arithmetic.h>
#include <uir/relay/call.h>
#include <uir/relay/rounding.h>
#include <uir/relay/shape.h>

#include <cstdint>

#include "../../relay/shape_rule.h"
#include "../analysis/tensor_type_of.h"

namespace uir::transform {

namespace {

using ir::RelayExpr;

/*! \brief Transposes the parts of one operand. */
class OperandTranspose {
 public:
  OperandTranspose(const relay::CallNode* call, const RewriteUse& use, const EmitValue& emit)
      : axes_(relay::AttrsOf<relay::TransposeAttrsNode>(call)->axes), use_(use), emit_(emit) {}

  RelayExpr Of(const QuantizedOperand& operand, const QuantizedOperands& operands) const {
    const size_t rank = TensorTypeOf(operand.values)->shape.size();
    RelayExpr result = relay::cast(Moved(operand.values, rank), ir::IntType(32));
    if (operand.zero.has_value()) {
      const RelayExpr zero =
          emit_(relay::cast(Moved(operands.ZeroOfValues(operand), rank), ir::IntType(32)), "zero");
      result = relay::subtract(emit_(result, "integers"), zero);
    }
    if (!operand.scale.has_value()) return result;
    const RelayExpr numbers =
        emit_(relay::cast(emit_(result, "integers"), ir::FloatType(32)), "numbers");
    return relay::multiply(numbers, Moved(operand.scale.value(), rank));
  }

 private:
  /*! \brief Values, or factors that broadcast to them, as the transposed values need them. */
  RelayExpr Moved(const RelayExpr& part, size_t rank) const {
    RelayExpr moved = use_(part);
    if (IsSingle(part)) return moved;
    ffi::Array<int64_t> added;
    for (size_t i = TensorTypeOf(part)->shape.size(); i < rank; ++i) {
      added.push_back(static_cast<int64_t>(added.size()));
    }
    if (!added.empty()) moved = emit_(relay::expand_dims(moved, added), "factors");
    return emit_(relay::transpose(moved, axes_), "transposed");
  }

  ffi::Optional<ffi::Array<int64_t>> axes_;
  const RewriteUse& use_;
  const EmitValue& emit_;
};

}  // namespace

std::optional<RelayExpr> TransposeIntegers(const RelayExpr& value,
                                           const QuantizedOperands& operands, const RewriteUse& use,
                                           const EmitValue& emit) {
  const auto* call = value.as<relay::CallNode>();
  const auto* op = call == nullptr ? nullptr : call->op.as<ir::OpNode>();
  if (op == nullptr || op->name != "relay.transpose" || !operands.IsConstant(call->args[0])) {
    return std::nullopt;
  }
  // Factors may differ along any axis but that of the terms, which is one of the last two.
  auto found = operands.Find(call->args[0], 1);
  if (!found) found = operands.Find(call->args[0], 2);
  if (!found || !operands.HasZeroOfValues(*found)) return std::nullopt;
  return OperandTranspose(call, use, emit).Of(*found, operands);
}

}  // namespace uir::transform
