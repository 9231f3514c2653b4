// The divisions of a size whose divisor may be 0.
#include <tschema/walk.h>
#include <uir/ir/dtype.h>
#include <uir/tir/const_fold.h>
#include <uir/tir/expr.h>
#include <uir/tir/fallible_divisions.h>
#include <uir/tir/logic.h>

#include <algorithm>

namespace uir::tir {

namespace {

bool IsIntegerDivision(const ir::PrimExprNode* expr) {
  const bool divides = expr->IsInstance<FloorDivNode>() || expr->IsInstance<FloorModNode>() ||
                       expr->IsInstance<DivNode>() || expr->IsInstance<ModNode>();
  return divides && ir::IsInteger(expr->dtype);
}

/*! \brief Whether an expression may compute only some of its operands. */
bool ComputesSome(const ir::PrimExprNode* expr) {
  return expr->IsInstance<SelectNode>() || expr->IsInstance<CallNode>() ||
         expr->IsInstance<LogicalOpNode>();
}

}  // namespace

std::vector<const BinaryOpNode*> FallibleDivisions(const ir::PrimExpr& expr) {
  std::vector<const BinaryOpNode*> divisions;
  tschema::Walk(expr, [&](const ir::PrimExprNode* part) {
    if (ComputesSome(part)) return tschema::kSkip;
    if (!IsIntegerDivision(part)) return tschema::kAdvance;
    const auto* division = static_cast<const BinaryOpNode*>(part);
    if (IntConstOf(division->b).value_or(0) == 0) divisions.push_back(division);
    return tschema::kAdvance;
  });
  // The walk visits a division before its operands.
  std::reverse(divisions.begin(), divisions.end());
  return divisions;
}

}  // namespace uir::tir
