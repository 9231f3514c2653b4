/*!
 * \file inequality_prover.h
 * \brief Proofs of inequalities between integers.
 */
#ifndef UIR_ARITH_INEQUALITY_PROVER_H_
#define UIR_ARITH_INEQUALITY_PROVER_H_

#include <uir/arith/integer_domain.h>
#include <uir/ir/expr.h>

#include "./const_fold.h"
#include "./linear_form.h"

namespace uir::arith {

class Queries;

/*! \brief Proves inequalities from bounds and from non-negative terms. */
class InequalityProver {
 public:
  explicit InequalityProver(Queries* known) : known_(known) {}

  bool IsBelow(const ir::PrimExpr& a, const ir::PrimExpr& b, int64_t distance);
  bool IsEqual(const ir::PrimExpr& a, const ir::PrimExpr& b);
  bool IsNotEqual(const ir::PrimExpr& a, const ir::PrimExpr& b);
  Interval BoundOf(const ir::PrimExpr& expr);

 private:
  bool IsDistanceAtLeast(const ir::PrimExpr& a, const ir::PrimExpr& b, int64_t distance);
  bool AtLeastBeforeCast(const ir::PrimExpr& a, const ir::PrimExpr& b, int64_t distance);
  bool IsQuotientBelow(const ir::PrimExpr& a, const ir::PrimExpr& b, int64_t distance);
  bool IsAtLeast(const LinearForm& form, int64_t least);
  bool IsAtLeast(const LinearForm& form, int64_t least, int num_facts);
  /*!
   * \brief Whether a form is at least `least` because a multiple of it is: `c * (x // c)` is
   * `x - x % c`, which the facts about `x` bound.
   */
  bool IsMultipleAtLeast(const LinearForm& form, int64_t least, int num_facts);
  /*!
   * \brief Whether a form with products is at least `least`: `n * m - i * m` is `(n - i) * m`,
   * which is at least `m` if `i < n` and `m` is not negative.
   */
  bool IsProductAtLeast(const LinearForm& form, int64_t least, int num_facts);
  bool IsMultipleOfFactorAtLeast(const LinearForm& form, const ir::PrimExpr& factor, int64_t least,
                                 int num_facts);
  /*! \brief Whether a form is at least `least` because `n * m` in it is at least `x * y`. */
  bool IsProductPairAtLeast(const LinearForm& form, int64_t least, int num_facts);
  /*!
   * \brief Whether `form + scale * (n * m - x * y)` is at least `least`, by
   * `n * m - x * y == (n - x) * m + x * (m - y)`.
   */
  bool IsPairAtLeast(const LinearForm& form, int64_t scale, const Operands& larger,
                     const Operands& smaller, int64_t least, int num_facts);
  /*! \brief Whether a form is at least `least` by `x - (n - 1) <= x // n * n <= x` for a positive
   * `n`. */
  bool IsRoundedAtLeast(const LinearForm& form, int64_t least, int num_facts);
  /*! \brief The largest lower bound of a form that the facts leave. */
  int64_t LeastOf(const LinearForm& form, int num_facts);
  template <typename Visit>
  bool VisitRests(const LinearForm& form, const Visit& visit);
  /*! \brief Whether a form is at least `least` for the operands of a minimum or maximum in it. */
  bool IsChoiceAtLeast(const LinearForm& form, int64_t least, int num_facts);
  /*! \brief Whether a form is known not to be `value`. */
  bool IsNot(const LinearForm& form, int64_t value);
  bool IsNotForHighDigits(const LinearForm& form);
  bool IsZero(const LinearForm& form);
  /*! \brief Whether there are stated facts with which to compare a difference. */
  bool HasFacts() const;
  /*! \brief Whether the bounds of two values already give the bounds of their difference. */
  static bool HasExactBounds(const ir::PrimExpr& a, const ir::PrimExpr& b);

  static constexpr int kMostSteps = 48;
  static constexpr int kFewSteps = 8;

  Queries* known_;
  /*! \brief How many more facts the present proof may use. */
  int num_steps_left_ = 0;
};

}  // namespace uir::arith

#endif  // UIR_ARITH_INEQUALITY_PROVER_H_
