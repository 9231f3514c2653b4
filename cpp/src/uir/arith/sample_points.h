/*!
 * \file sample_points.h
 * \brief Counterexamples: values of the variables for which all facts hold.
 */
#ifndef UIR_ARITH_SAMPLE_POINTS_H_
#define UIR_ARITH_SAMPLE_POINTS_H_

#include <uir/ir/expr.h>
#include <uir/tir/var.h>

#include <array>
#include <cstdint>
#include <optional>

#include "./constraint_set.h"

namespace uir::arith {

class Queries;

/*!
 * \brief Refutes inequalities by counterexamples, at a fraction of the cost of a proof that fails.
 *
 * A point assigns each variable a value: the first point the lower end of its range, the second one
 * the upper end.  A point is ignored if a stated fact is false there or cannot be evaluated.
 */
class SamplePoints {
 public:
  explicit SamplePoints(Queries* known) : known_(known) {}

  /*! \brief Whether `a + distance <= b` is false at a point where all facts hold. */
  bool IsRefuted(const ir::PrimExpr& a, const ir::PrimExpr& b, int64_t distance);

  /*! \brief Move a variable's values into its range: to the end that each point takes. */
  static void MoveIntoRange(VarFacts* facts);
  /*! \brief Give a variable the ends of a range at each point, where these can be evaluated. */
  void MoveToEnds(VarFacts* facts, const ir::PrimExpr& min, const ir::PrimExpr& end);

 private:
  bool FactsHoldAt(size_t point);

  Queries* known_;
  /*! \brief The facts that the points were last checked against. */
  int64_t version_ = -1;
  std::array<bool, VarFacts::kNumPoints> holds_ = {};
};

}  // namespace uir::arith

#endif  // UIR_ARITH_SAMPLE_POINTS_H_
