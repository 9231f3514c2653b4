/*!
 * \file definitions.h
 * \brief Replaces variables by the values that they are bound to.
 */
#ifndef UIR_TRANSFORM_REWRITE_DEFINITIONS_H_
#define UIR_TRANSFORM_REWRITE_DEFINITIONS_H_

#include <uir/arith/analyzer.h>
#include <uir/ir/expr.h>
#include <uir/tir/var.h>

#include <optional>
#include <unordered_map>
#include <utility>

namespace uir::transform {

/*!
 * \brief The values of integer and boolean bindings in scope that do not depend on memory.
 *
 * Only small values are stored, with stored values substituted for variables. Each binding and each
 * expression therefore costs a bounded number of steps per node.
 */
class Definitions {
 public:
  explicit Definitions(arith::Analyzer analyzer) : analyzer_(std::move(analyzer)) {}

  /*! \brief Store the simplified value of a variable, or remove an earlier one if it is large. */
  void Define(const tir::Var& var, const ir::PrimExpr& value);
  /*! \brief Leave the scope of a variable. */
  void Forget(const tir::Var& var) { values_.erase(var.get()); }
  bool IsDefined(const tir::Var& var) const { return values_.count(var.get()) != 0; }

  /*!
   * \brief Replace variables by their values wherever a part of a simplified expression becomes
   * shorter by that, as `v - x * 4` does if `v` is `x * 4`; remove each `Let` that is not used
   * then.
   */
  ir::PrimExpr Shorten(const ir::PrimExpr& expr);

 private:
  class Expander;
  class Shortener;

  /*! \brief The simplified expression with values for its variables, if that is shorter. */
  std::optional<ir::PrimExpr> ShorterOf(const ir::PrimExpr& expr);
  /*! \brief The simplified expression with values for its variables. */
  ir::PrimExpr Expand(const ir::PrimExpr& expr);

  arith::Analyzer analyzer_;
  std::unordered_map<const tir::VarNode*, ir::PrimExpr> values_;
};

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_REWRITE_DEFINITIONS_H_
