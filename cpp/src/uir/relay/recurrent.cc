// Types of recurrent layers.
#include <uir/relay/recurrent.h>

#include "./recurrent_activation.h"
#include "./shape_rule.h"

namespace uir::relay {

namespace {

/*! \brief Checks the operands of a recurrent layer against the shape `(t, n, gates, h)`. */
class RecurrentRule {
 public:
  RecurrentRule(const CallNode* call, int64_t num_gates, TypeContext* context)
      : call_(call), context_(context), gates_(TensorTypeOf(call->args[0], "gates")) {
    CheckRank("gates", gates_->shape, 4);
    CheckDimension("gates", gates_->shape, 2, Dimension(num_gates), context);
    const DimensionMath math(context);
    columns_ = math.Mul(Dimension(num_gates), features());
  }

  ir::PrimExpr rows() const { return gates_->shape[1]; }
  ir::PrimExpr features() const { return gates_->shape[3]; }
  /*! \brief The columns of the weights: those of all gates. */
  ir::PrimExpr columns() const { return columns_; }

  /*! \brief Check the shape of an operand, unless it is absent. */
  void Check(int64_t index, const char* name, const Shape& expected) const {
    if (IsAbsent(call_->args[index])) return;
    const Shape shape = TensorTypeOf(call_->args[index], name)->shape;
    CheckRank(name, shape, expected.size());
    for (size_t axis = 0; axis < expected.size(); ++axis) {
      CheckDimension(name, shape, axis, expected[static_cast<int64_t>(axis)], context_);
    }
  }

  /*! \brief The states of all times, then `count` times the last one. */
  ir::Type Results(size_t count) const {
    ffi::Array<ir::Type> fields = {
        ir::TensorType({gates_->shape[0], rows(), features()}, gates_->dtype)};
    for (size_t i = 0; i < count; ++i) {
      fields.push_back(ir::TensorType({rows(), features()}, gates_->dtype));
    }
    return ir::TupleType(fields);
  }

 private:
  const CallNode* call_;
  TypeContext* context_;
  ir::TensorType gates_;
  ir::PrimExpr columns_{ffi::UnsafeInit{}};
};

}  // namespace

ir::Type InferRnn(const CallNode* call, TypeContext* context) {
  const RecurrentRule rule(call, 1, context);
  rule.Check(1, "hidden", {rule.rows(), rule.features()});
  rule.Check(2, "weight", {rule.features(), rule.columns()});
  rule.Check(3, "lengths", {rule.rows()});
  ActivationsOf(AttrsOf<RnnAttrsNode>(call));
  return rule.Results(1);
}

ir::Type InferGru(const CallNode* call, TypeContext* context) {
  const RecurrentRule rule(call, 3, context);
  rule.Check(1, "hidden", {rule.rows(), rule.features()});
  rule.Check(2, "weight", {rule.features(), rule.columns()});
  rule.Check(3, "bias", {rule.features()});
  rule.Check(4, "lengths", {rule.rows()});
  const auto* attrs = AttrsOf<GruAttrsNode>(call);
  ActivationsOf(attrs);
  if (!attrs->reset_after && !IsAbsent(call->args[3])) {
    TVM_FFI_THROW(ValueError) << "operand `bias` needs `reset_after=True`; add it to `gates`";
  }
  return rule.Results(1);
}

ir::Type InferLstm(const CallNode* call, TypeContext* context) {
  const RecurrentRule rule(call, 4, context);
  rule.Check(1, "hidden", {rule.rows(), rule.features()});
  rule.Check(2, "cell", {rule.rows(), rule.features()});
  rule.Check(3, "weight", {rule.features(), rule.columns()});
  rule.Check(4, "peephole", {Dimension(3), rule.features()});
  rule.Check(5, "lengths", {rule.rows()});
  ActivationsOf(AttrsOf<LstmAttrsNode>(call));
  return rule.Results(2);
}

}  // namespace uir::relay
