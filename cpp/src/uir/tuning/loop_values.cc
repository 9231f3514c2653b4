// The values of integer expressions in loops.
#include "./loop_values.h"

#include <tschema/walk.h>
#include <uir/tir/expr.h>
#include <uir/tir/logic.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "../arith/const_fold.h"

namespace uir::tuning {

using ir::PrimExpr;

template <typename StepOf>
std::optional<int64_t> LoopValues::Evaluate(const PrimExpr& expr, const StepOf& step_of) const {
  const arith::Case op = arith::CaseOf(expr);
  if (op == arith::Case::kIntImm) return expr.as<ir::IntImmNode>()->value;
  if (const auto* var = expr.as<tir::VarNode>()) {
    for (size_t place = 0; place < loops_.size(); ++place) {
      if (loops_[place].var == var) return loops_[place].first + step_of(place);
    }
    return sizes_.Get(var->name).value_or(kSymbolicSize);
  }
  if (const auto* cast = expr.as<tir::CastNode>()) return Evaluate(cast->value, step_of);
  if (const auto* ramp = expr.as<tir::RampNode>()) return Evaluate(ramp->base, step_of);
  if (const auto* broadcast = expr.as<tir::BroadcastNode>()) {
    return Evaluate(broadcast->value, step_of);
  }
  if (op == arith::Case::kNot) {
    const std::optional<int64_t> value = Evaluate(expr.as<tir::NotNode>()->a, step_of);
    return value ? std::optional<int64_t>(*value == 0) : std::nullopt;
  }
  if (!arith::IsBinary(op)) return std::nullopt;
  const arith::Operands operands = arith::OperandsOf(expr.get(), op);
  const std::optional<int64_t> a = Evaluate(*operands.a, step_of);
  const std::optional<int64_t> b = a ? Evaluate(*operands.b, step_of) : std::nullopt;
  return b ? arith::Evaluate(op, *a, *b) : std::nullopt;
}

std::optional<int64_t> LoopValues::At(const PrimExpr& expr, std::optional<size_t> moved,
                                      int64_t steps) const {
  return Evaluate(expr, [&](size_t place) { return moved == place ? steps : 0; });
}

std::optional<LoopValues::Mean> LoopValues::MeanOf(const PrimExpr& expr) const {
  double count = 1.0;
  tschema::Walk(expr, [&](const tir::VarNode* var) {
    for (const OuterLoop& loop : loops_) count *= loop.var == var ? std::max(loop.trips, 1.0) : 1.0;
  });
  const auto last_step = [&](size_t place) {
    return std::max<int64_t>(std::llround(loops_[place].trips) - 1, 0);
  };
  const std::optional<int64_t> first = At(expr);
  const std::optional<int64_t> last = Evaluate(expr, last_step);
  const std::optional<int64_t> second =
      Evaluate(expr, [&](size_t place) { return std::min<int64_t>(1, last_step(place)); });
  if (!first || !second || !last) return std::nullopt;
  if (count < 2.0) return Mean{static_cast<double>(*first), 0.0};
  const double sum = static_cast<double>(*first) + static_cast<double>(*last) +
                     static_cast<double>(*second) * (count - 2.0);
  return Mean{sum / count, *last < *first ? 1.0 / count : 0.0};
}

}  // namespace uir::tuning
