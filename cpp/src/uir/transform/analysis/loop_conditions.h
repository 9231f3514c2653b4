/*!
 * \file loop_conditions.h
 * \brief The iterations of a loop in which conditions of its body are constant.
 */
#ifndef UIR_TRANSFORM_ANALYSIS_LOOP_CONDITIONS_H_
#define UIR_TRANSFORM_ANALYSIS_LOOP_CONDITIONS_H_

#include <uir/arith/analyzer.h>
#include <uir/tir/expr.h>
#include <uir/tir/stmt.h>
#include <uir/tir/var.h>

#include <unordered_map>
#include <vector>

namespace uir::transform {

namespace ffi = ::tvm::ffi;

/*! \brief A half-open range of iterations; an absent end means no limit. */
struct Iterations {
  ffi::Optional<ir::PrimExpr> begin;
  ffi::Optional<ir::PrimExpr> end;
};

/*! \brief Iterations in which a condition has a constant value. */
struct KnownValue {
  bool value;
  Iterations iterations;
};

/*! \brief A comparison in the body of a loop. */
struct LoopCondition {
  ir::PrimExpr comparison;
  /*! \brief The iterations in which it holds, then those in which it does not. */
  std::vector<KnownValue> known;
};

/*! \brief The values of conditions, by address. */
using ConditionValues = std::unordered_map<const ir::PrimExprNode*, bool>;

/*! \brief The conditions to consider. */
enum class ConditionKind {
  /*! \brief Only conditions in `tir.likely`. */
  kLikely,
  kAll,
};

/*! \brief Whether a call is `tir.likely`. */
bool IsLikely(const tir::CallNode* call);

/*! \brief Whether a call is `tir.ignore_loop_partition`: no loop is split by its argument. */
bool IsIgnored(const tir::CallNode* call);

/*!
 * \brief Find the iterations of a loop in which comparisons are constant.
 *
 * Only comparisons are found that can be solved for the loop's variable, for all values of the
 * variables of inner loops, threads and axes. The limits do not depend on memory, and no sum in
 * them overflows.
 *
 * \param var The loop's variable.
 * \param body The loop's body.
 * \param analyzer The facts that hold at the loop.
 * \param kind The conditions to consider.
 */
std::vector<LoopCondition> FindLoopConditions(const tir::Var& var, const tir::Stmt& body,
                                              const arith::Analyzer& analyzer, ConditionKind kind);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_ANALYSIS_LOOP_CONDITIONS_H_
