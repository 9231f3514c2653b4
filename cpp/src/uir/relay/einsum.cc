// The type of an einsum, whose equation is a shape pattern.
#include <uir/ir/op.h>
#include <uir/ir/operator_table.h>
#include <uir/relay/einsum.h>

#include <string>
#include <vector>

#include "./einsum_equation.h"
#include "./shape_rule.h"

namespace uir::relay {

ir::Type InferEinsum(const CallNode* call, TypeContext* context) {
  const auto tensors = ffi::Any(call->args[0]).cast<Tuple>()->fields;
  const std::string text = AttrsOf<EinsumAttrsNode>(call)->equation;
  const EinsumEquation equation(text);
  if (equation.operands().size() != tensors.size()) {
    FailEquation(text, "there are " + std::to_string(tensors.size()) + " operands");
  }
  const ir::OperatorRow* row = ir::FindOperatorRow(ffi::Any(call->op).cast<ir::Op>());
  std::vector<ir::TensorType> types;
  TypedOperands operands;
  for (size_t i = 0; i < tensors.size(); ++i) {
    TypedOperand operand{&row->operands[0], nullptr, static_cast<int64_t>(i)};
    types.push_back(TensorTypeOf(tensors[operand.element], operand.Name().c_str()));
    operand.type = types.back().get();
    operands.push_back(operand);
  }
  const Relation relation(equation.RelationText(), "");
  const std::vector<Shape> shapes =
      relation.Infer(operands, RuleValues(relation.names().size()), context);
  return ir::TensorType(shapes[0], types[0]->dtype);
}

}  // namespace uir::relay
