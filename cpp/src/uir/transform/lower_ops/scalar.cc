// Lowering by the text `scalar` of a declaration, which computes an element of the result.
#include <tvm/ffi/cast.h>
#include <uir/ir/op.h>

#include <string>
#include <vector>

#include "../../relay/operator_rule.h"
#include "../rewrite/checked_divisor.h"
#include "./element_formula.h"
#include "./operator_call.h"

namespace uir::transform {

namespace {

/*! \brief Computes with elements of operands, by their names. */
class ScalarFormula : public ElementFormula {
 public:
  ScalarFormula(const OperatorCall& call, const std::vector<ffi::Any>& elements)
      : call_(call), elements_(elements) {}

 protected:
  ffi::Any RunName(const ir::Formula& name) override {
    const int32_t place = ir::FindOperand(*call_.row, name.name);
    if (place < 0) return relay::AttributeOf(call_.call, name.name);
    return elements_[static_cast<size_t>(place)];
  }

  PrimExpr CheckDivisor(const ir::Formula& formula, PrimExpr divisor) override {
    return CheckedDivisor(divisor,
                          ZeroDivisionText(call_.Name(), call_.call->span, ir::ToText(formula)));
  }

 private:
  const OperatorCall& call_;
  const std::vector<ffi::Any>& elements_;
};

/*! \brief The element of a result at some indices. */
class ScalarElement {
 public:
  ScalarElement(const OperatorCall& call, const ir::Formula& formula, const Indices& indices)
      : call_(call), formula_(formula), indices_(indices) {}

  /*! \brief Read the operands from index `next` on, which may broadcast; compute the element. */
  PrimExpr Run(size_t next = 0) {
    if (next == call_.operands.size()) {
      return ScalarFormula(call_, elements_).Element(formula_, call_.results[0]->dtype);
    }
    elements_.resize(next + 1);
    if (!call_.Has(next)) return Run(next + 1);
    const Value& operand = call_.operand(next);
    const PrimExpr element = WideElement(operand, BroadcastIndices(indices_, operand.shape()));
    const auto run = [this, next](const PrimExpr& value) {
      elements_[next] = value;
      return Run(next + 1);
    };
    const char* name = call_.row->operands[static_cast<int32_t>(next)].name;
    return CountOfName(formula_, name) > 1 ? WithVariable(element, run) : run(element);
  }

 private:
  const OperatorCall& call_;
  const ir::Formula& formula_;
  const Indices& indices_;
  std::vector<ffi::Any> elements_;
};

}  // namespace

Values LowerScalar(const OperatorCall& call) {
  const ir::Op op = call.call->op.as<ir::Op>().value();
  std::vector<std::string> names;
  const ir::Formula formula =
      ir::ParseFormula(std::string(ir::op_attr(op, "scalar").cast<ffi::String>()), &names);
  for (const Values& operand : call.operands) {
    for (const Value& value : operand) StoreIfBroadcast(value, call.results[0]->shape);
  }
  return {call.Result([call, formula](const Indices& indices) {
    return ScalarElement(call, formula, indices).Run();
  })};
}

}  // namespace uir::transform
