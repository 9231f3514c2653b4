// Lowering of products of integer matrices, whose elements are widened where they are read.
#include <uir/ir/dtype.h>
#include <uir/tir/op.h>

#include <string>

#include "./assignment.h"

namespace uir::transform {

namespace {

Value ElementsInInt32(const Value& operand) {
  operand.StoreIfComputed();
  const auto element = [operand](const Indices& indices) {
    return tir::cast(operand.At(indices), ir::IntType(32));
  };
  return {operand.name(), operand.shape(), ir::IntType(32), element};
}

Values LowerIntegerMatmul(const OperatorCall& call) {
  const Values operands = {ElementsInInt32(call.operand(0)), ElementsInInt32(call.operand(1))};
  TensorNames names;
  names.tensor = [operands](const std::string& name) -> const Value* {
    return name == "x" ? &operands[0] : name == "w" ? &operands[1] : nullptr;
  };
  const std::string text = "y[*b, m, n] += x[*b, m, k] * w[*b, k, n]";
  return {LowerAssignment(text, names, call.Name(), call.results[0])};
}

UIR_TRANSFORM_REGISTER_LOWERING("relay.integer_matmul", LowerIntegerMatmul);

}  // namespace

}  // namespace uir::transform
