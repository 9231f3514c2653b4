/*!
 * \file uir/arith/constraint.h
 * \brief Conditions that an analyzer takes for true in a part of a program.
 */
#ifndef UIR_ARITH_CONSTRAINT_H_
#define UIR_ARITH_CONSTRAINT_H_

#include <uir/arith/analyzer.h>
#include <uir/ir/expr.h>

namespace uir::arith {

/*!
 * \brief Takes a condition for true as long as it lives; scopes end in reverse order.
 *
 * What is bound and assumed meanwhile is forgotten with it.
 */
class ConstraintScope {
 public:
  ConstraintScope(const Analyzer& analyzer, const ir::PrimExpr& condition) : analyzer_(analyzer) {
    analyzer->EnterConstraint(condition);
  }
  ConstraintScope(const ConstraintScope&) = delete;
  ConstraintScope& operator=(const ConstraintScope&) = delete;
  ~ConstraintScope() { analyzer_->ExitConstraint(); }

 private:
  Analyzer analyzer_;
};

}  // namespace uir::arith

#endif  // UIR_ARITH_CONSTRAINT_H_
