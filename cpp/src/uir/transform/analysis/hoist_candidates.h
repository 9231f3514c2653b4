/*!
 * \file hoist_candidates.h
 * \brief The bindings and conditions of a loop's body that do not depend on the loop.
 */
#ifndef UIR_TRANSFORM_ANALYSIS_HOIST_CANDIDATES_H_
#define UIR_TRANSFORM_ANALYSIS_HOIST_CANDIDATES_H_

#include <uir/arith/analyzer.h>
#include <uir/tir/expr.h>
#include <uir/tir/stmt.h>
#include <uir/transform/loop_passes.h>

#include <cstdint>
#include <unordered_set>
#include <vector>

namespace uir::transform {

/*! \brief Which bindings and conditions to hoist, and out of which loops. */
struct HoistRules {
  /*! \brief Bits of `HoistedConditionals`. */
  int64_t conditionals;
  /*! \brief Bits of `HoistedLetBindings`. */
  int64_t let_bindings;
  /*! \brief Whether conditions leave loops that are bound to threads. */
  bool crosses_thread_loops;
  /*! \brief The variables of launches of threads. */
  std::unordered_set<const tir::VarNode*> threads;

  bool Has(HoistedConditionals flag) const {
    return (conditionals & static_cast<int64_t>(flag)) != 0;
  }
  bool Has(HoistedLetBindings flag) const {
    return (let_bindings & static_cast<int64_t>(flag)) != 0;
  }
  /*! \brief Whether anything may leave a loop, or a launch of threads. */
  bool Crosses(const tir::Stmt& scope) const;
};

/*! \brief The parts of a loop's body that do not depend on the loop. */
struct HoistCandidates {
  /*! \brief The hoisted bindings, in order. */
  std::vector<tir::Stmt> bindings;
  /*! \brief The bindings of the body that are hoisted. */
  std::unordered_set<const ffi::Object*> hoisted;
  /*! \brief The `Let`s whose variables are hoisted. */
  std::unordered_set<const tir::LetNode*> lets;
  /*! \brief The conditions, outermost first. */
  std::vector<ir::PrimExpr> conditions;
};

/*!
 * \brief Find the bindings and conditions that can leave a loop.
 *
 * A binding must be at the top of the body. A condition must control all of the body: no other
 * statement with an effect is beside it, and no inner loop around it. Neither may read memory. A
 * value that some iterations do not compute must be known not to trap or overflow (`IsComputable`).
 *
 * \param var The loop's variable.
 * \param body The loop's body.
 * \param runs Whether the body is known to run.
 * \param analyzer The facts that hold at the loop.
 * \param rules Which bindings and conditions to hoist.
 */
HoistCandidates FindHoistCandidates(const tir::Var& var, const tir::Stmt& body, bool runs,
                                    const arith::Analyzer& analyzer, const HoistRules& rules);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_ANALYSIS_HOIST_CANDIDATES_H_
