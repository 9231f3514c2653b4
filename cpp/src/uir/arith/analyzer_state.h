/*!
 * \file analyzer_state.h
 * \brief The parts of an analyzer as one, and what enters its facts.
 */
#ifndef UIR_ARITH_ANALYZER_STATE_H_
#define UIR_ARITH_ANALYZER_STATE_H_

#include <uir/arith/analyzer.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "./canonical_form.h"
#include "./const_int_bound.h"
#include "./data_finder.h"
#include "./inequality_prover.h"
#include "./modular_set.h"
#include "./queries.h"
#include "./rewrite_simplify.h"
#include "./sample_points.h"

namespace uir::arith {

/*! \brief The state of an `Analyzer`: passes each question to the part that answers it. */
class State final : public Queries {
 public:
  bool IsData(const ir::PrimExpr& expr) override { return is_data_(expr); }
  Interval BoundOf(const ir::PrimExpr& expr) override { return bounds_(expr); }
  Interval BoundOf(const LinearForm& form) override { return sums_.BoundOf(form); }
  Interval ExactBoundOf(const ir::PrimExpr& expr) override { return bounds_.Exact(expr); }
  Interval BoundByFactsOf(const ir::PrimExpr& expr) override { return prover_.BoundOf(expr); }
  Congruence CongruenceOf(const ir::PrimExpr& expr) override { return congruences_(expr); }
  LinearForm SumOf(const ir::PrimExpr& expr) override { return sums_(expr); }
  LinearForm ValueOf(const ir::PrimExpr& expr) override { return sums_.ValueOf(expr); }
  LinearForm ShortSumOf(const ir::PrimExpr& expr, bool* has_split) override {
    return sums_.ShortSumOf(expr, has_split);
  }
  bool Shorten(LinearForm* form) override { return sums_.Shorten(form); }
  bool SplitQuotients(const LinearForm& form, LinearForm* result) override {
    return sums_.SplitQuotients(form, result);
  }
  std::optional<LinearForm> Difference(const ir::PrimExpr& a, const ir::PrimExpr& b) override {
    return sums_.Difference(a, b);
  }
  bool IsExact(const ir::PrimExpr& expr) override { return sums_.IsExact(expr); }
  bool Fits(const LinearForm& form, DLDataType dtype,
            const std::vector<LinearForm>& known) override {
    return sums_.Fits(form, dtype, known);
  }
  bool IsBelow(const ir::PrimExpr& a, const ir::PrimExpr& b, int64_t distance) override {
    return prover_.IsBelow(a, b, distance);
  }
  bool IsRefuted(const ir::PrimExpr& a, const ir::PrimExpr& b, int64_t distance) override {
    return samples_.IsRefuted(a, b, distance);
  }
  bool IsEqual(const ir::PrimExpr& a, const ir::PrimExpr& b) override {
    return prover_.IsEqual(a, b);
  }
  bool IsNotEqual(const ir::PrimExpr& a, const ir::PrimExpr& b) override {
    return prover_.IsNotEqual(a, b);
  }
  void BindDefinition(const tir::Var& var, const ir::PrimExpr& value) override;
  void BindValue(const tir::Var& var, const ir::PrimExpr& value) override;
  void EnterCase(const ir::PrimExpr& condition, bool holds) override;
  void LeaveCase() override;

  /*! \brief Drop the results that were computed from earlier constraints. */
  void ClearMemos();
  /*! \brief Whether a simplified condition is proved in each case of the latest disjunction that
   * is stated. */
  bool ProveByCases(const ir::PrimExpr& condition);
  /*! \brief Assume that a simplified condition is true, or false, in all its parts. */
  void Assume(const ir::PrimExpr& condition, bool holds);
  void BindRange(const tir::Var& var, const ir::PrimExpr& min, const ir::PrimExpr& extent);
  void Restrict(const tir::Var& var, Interval bound, Congruence congruence);

  RewriteSimplifier rewriter{this};

 private:
  void AssumeComparison(Case op, const ir::PrimExpr& a, const ir::PrimExpr& b);
  void AssumeConstBound(Case op, const ir::PrimExpr& a, const ir::PrimExpr& b);
  void AssumeNonZero(LinearForm form);
  void AssumeNonNegative(LinearForm form);
  void RestrictDividend(const LinearTerm& term, Interval quotient);
  void AssumeRemainder(const LinearForm& form);

  DataFinder is_data_{this};
  ConstIntBoundAnalyzer bounds_{this};
  ModularSetAnalyzer congruences_{this};
  CanonicalFormAnalyzer sums_{this};
  SamplePoints samples_{this};
  InequalityProver prover_{this};
};

/*! \brief The analyzer's state, made when it is first asked for. */
State& StateOf(const AnalyzerNode* analyzer);

}  // namespace uir::arith

#endif  // UIR_ARITH_ANALYZER_STATE_H_
