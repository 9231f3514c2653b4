/*!
 * \file analyzer_state.h
 * \brief The parts of an analyzer, which ask each other.
 */
#ifndef UIR_ARITH_ANALYZER_STATE_H_
#define UIR_ARITH_ANALYZER_STATE_H_

#include <tvm/ffi/object.h>
#include <uir/arith/analyzer.h>

#include <cstdint>

#include "./canonical_form.h"
#include "./const_int_bound.h"
#include "./constraint_set.h"
#include "./data_finder.h"
#include "./inequality_prover.h"
#include "./modular_set.h"
#include "./rewrite_simplify.h"
#include "./sample_points.h"

namespace uir::arith {

/*! \brief The state of an `Analyzer`. */
class State : public ffi::Object {
 public:
  ConstraintSet constraints;
  DataFinder is_data{this};
  ConstIntBoundAnalyzer bounds{this};
  ModularSetAnalyzer congruences{this};
  CanonicalFormAnalyzer linear{this};
  SamplePoints samples{this};
  InequalityProver prover{this};
  RewriteSimplifier rewriter{this};

  /*! \brief Drop the results that were computed from earlier constraints. */
  void ClearMemos() {
    is_data.ClearMemo();
    bounds.ClearMemo();
    congruences.ClearMemo();
    linear.ClearMemo();
    prover.ClearMemo();
    rewriter.ClearMemo();
  }

  /*! \brief Whether a simplified condition is proved in each case of the latest disjunction that
   * is stated. */
  bool ProveByCases(const ir::PrimExpr& condition);
  /*! \brief Assume that a simplified condition is true, or false, in all its parts. */
  void Assume(const ir::PrimExpr& condition, bool holds);
  void BindRange(const tir::Var& var, const ir::PrimExpr& min, const ir::PrimExpr& extent);
  void BindValue(const tir::Var& var, const ir::PrimExpr& value);
  /*! \brief State that a binding gives a variable a value; it stays in the program. */
  void BindDefinition(const tir::Var& var, const ir::PrimExpr& value);
  void Restrict(const tir::Var& var, Interval bound, Congruence congruence);

  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("uir.arith.State", State, ffi::Object);

 private:
  void AssumeComparison(Case op, const ir::PrimExpr& a, const ir::PrimExpr& b);
  void AssumeConstBound(Case op, const ir::PrimExpr& a, const ir::PrimExpr& b);
  void AssumeNonZero(LinearForm form);
  void AssumeNonNegative(LinearForm form);
  void RestrictDividend(const LinearTerm& term, Interval quotient);
  void AssumeRemainder(const LinearForm& form);
};

/*! \brief The analyzer's state, made when it is first asked for. */
State& StateOf(const AnalyzerNode* analyzer);

}  // namespace uir::arith

#endif  // UIR_ARITH_ANALYZER_STATE_H_
