// Nests of loops.
#include "./from_loops.h"

#include <uir/tir/arith.h>

#include <utility>

namespace uir::schedule::nest {

std::vector<Axis> AxesOf(const std::vector<tir::For>& loops, AxisKind kind) {
  std::vector<Axis> axes;
  for (const tir::For& loop : loops) axes.push_back({loop->loop_var, loop->extent, kind});
  return axes;
}

std::vector<tir::Var> VarsOfLoops(const std::vector<tir::For>& loops) {
  std::vector<tir::Var> vars;
  for (const tir::For& loop : loops) vars.push_back(loop->loop_var);
  return vars;
}

Nest NestOf(const Contraction& contraction, const std::vector<tir::For>& around) {
  std::vector<tir::For> elements = around;
  elements.insert(elements.end(), contraction.rows.begin(), contraction.rows.end());
  elements.push_back(contraction.column);
  std::vector<Axis> axes = AxesOf(elements, AxisKind::kData);
  for (Axis& term : AxesOf(contraction.nest.reduction, AxisKind::kSum)) {
    axes.push_back(std::move(term));
  }
  const Operand left = {tir::Var("left", contraction.lhs->dtype), contraction.lhs};
  const Operand right = {tir::Var("right", contraction.rhs->dtype), contraction.rhs,
                         contraction.panel_width};
  return {std::move(axes),
          contraction.nest.store,
          {left, right},
          tir::Mul(left.var, right.var),
          (*contraction.nest.init)->value,
          contraction.epilogue};
}

Nest NestOf(const std::vector<tir::For>& loops, const tir::BufferStore& store) {
  const Operand value = {tir::Var("value", store->value->dtype), store->value};
  return {AxesOf(loops, AxisKind::kData), store, {value}, value.var};
}

}  // namespace uir::schedule::nest
