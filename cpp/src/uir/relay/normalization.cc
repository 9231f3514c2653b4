// Types of normalizations over the last axes.
#include <uir/relay/normalization.h>

#include "./shape_rule.h"

namespace uir::relay {

namespace {

/*! \brief Check a factor or a summand, which broadcasts to the axes from `axis` on. */
void CheckAffine(const CallNode* call, int64_t index, const char* name, const Shape& shape,
                 size_t axis, TypeContext* context) {
  if (IsAbsent(call->args[index])) return;
  const Shape tail(shape.begin() + static_cast<std::ptrdiff_t>(axis), shape.end());
  CheckBroadcast(name, TensorTypeOf(call->args[index], name)->shape, tail, context);
}

/*! \brief The first of the normalized axes; the operands are checked. */
template <typename AttrsNode>
size_t CheckLayerNorm(const CallNode* call, const ir::TensorType& x, TypeContext* context) {
  const size_t axis = NormalizeAxis(AttrsOf<AttrsNode>(call)->axis, x->shape);
  CheckAffine(call, 1, "scale", x->shape, axis, context);
  CheckAffine(call, 2, "bias", x->shape, axis, context);
  return axis;
}

}  // namespace

ir::Type InferLayerNorm(const CallNode* call, TypeContext* context) {
  const ir::TensorType x = TensorTypeOf(call->args[0], "x");
  CheckLayerNorm<LayerNormAttrsNode>(call, x, context);
  return x;
}

ir::Type InferLayerNormWithStatistics(const CallNode* call, TypeContext* context) {
  const ir::TensorType x = TensorTypeOf(call->args[0], "x");
  const size_t axis = CheckLayerNorm<LayerNormWithStatisticsAttrsNode>(call, x, context);
  Shape kept(x->shape.begin(), x->shape.begin() + static_cast<std::ptrdiff_t>(axis));
  while (kept.size() < x->shape.size()) kept.push_back(Dimension(1));
  const ir::TensorType statistic(kept, x->dtype);
  return ir::TupleType({x, statistic, statistic});
}

ir::Type InferRmsNorm(const CallNode* call, TypeContext* context) {
  const ir::TensorType x = TensorTypeOf(call->args[0], "x");
  const size_t axis = NormalizeAxis(AttrsOf<RmsNormAttrsNode>(call)->axis, x->shape);
  CheckAffine(call, 1, "scale", x->shape, axis, context);
  return x;
}

}  // namespace uir::relay
