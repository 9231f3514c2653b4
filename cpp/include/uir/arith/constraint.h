/*!
 * \file uir/arith/constraint.h
 * \brief Conditions that an analyzer assumes in a scope.
 */
#ifndef UIR_ARITH_CONSTRAINT_H_
#define UIR_ARITH_CONSTRAINT_H_

#include <uir/arith/analyzer.h>
#include <uir/ir/expr.h>

#include <cstdint>

namespace uir::arith {

/*! \brief Begin a scope, as `EnterConstraint` does, without a condition. */
void EnterScope(const Analyzer& analyzer);

/*! \brief The version of the present facts: it changes with them, and scopes restore it. */
int64_t FactsVersion(const Analyzer& analyzer);

/*!
 * \brief Assumes a condition during its lifetime; scopes end in reverse order.
 *
 * Bindings and assumptions made meanwhile end with it.
 */
class ConstraintScope {
 public:
  ConstraintScope(const Analyzer& analyzer, const ir::PrimExpr& condition) : analyzer_(analyzer) {
    analyzer->EnterConstraint(condition);
  }
  /*! \brief A scope without a condition. */
  explicit ConstraintScope(const Analyzer& analyzer) : analyzer_(analyzer) { EnterScope(analyzer); }
  ConstraintScope(const ConstraintScope&) = delete;
  ConstraintScope& operator=(const ConstraintScope&) = delete;
  ~ConstraintScope() { analyzer_->ExitConstraint(); }

 private:
  Analyzer analyzer_;
};

}  // namespace uir::arith

#endif  // UIR_ARITH_CONSTRAINT_H_
