/*!
 * \file canonical_form.h
 * \brief The canonical form of index expressions as linear combinations.
 */
#ifndef UIR_ARITH_CANONICAL_FORM_H_
#define UIR_ARITH_CANONICAL_FORM_H_

#include <uir/arith/integer_domain.h>
#include <uir/tir/prim_expr_functor.h>

#include <optional>

#include "./linear_form.h"
#include "./memo_table.h"

namespace uir::arith {

class State;

/*! \brief Reads scalar `int32` and `int64` expressions; anything but arithmetic is an atom. */
class LinearFinder : public tir::PrimExprFunctor<LinearForm(const ir::PrimExpr&)> {
 public:
  explicit LinearFinder(State* state) : state_(state) {}

  LinearForm VisitPrimExpr(const ir::PrimExpr& expr) override;
  void ClearMemo() { memo_.Clear(); }

  /*! \brief `a - b`; None if it is too large. */
  std::optional<LinearForm> Difference(const ir::PrimExpr& a, const ir::PrimExpr& b);
  /*! \brief Bounds of a sum, as if the terms had nothing to do with each other. */
  Interval BoundOf(const LinearForm& form);
  Interval BoundOf(const LinearTerm& term);

 protected:
  LinearForm VisitDefault(const ir::PrimExprNode* op) override;
  LinearForm VisitIntImm(const ir::IntImmNode* op) override;
  LinearForm VisitAdd(const tir::AddNode* op) override;
  LinearForm VisitSub(const tir::SubNode* op) override;
  LinearForm VisitMul(const tir::MulNode* op) override;
  LinearForm VisitDiv(const tir::DivNode* op) override;
  LinearForm VisitMod(const tir::ModNode* op) override;
  LinearForm VisitFloorDiv(const tir::FloorDivNode* op) override;
  LinearForm VisitFloorMod(const tir::FloorModNode* op) override;

 private:
  LinearForm Atom(const ir::PrimExprNode* op);
  /*! \brief Whether it is digits of an atom that may be divided rounding towards zero. */
  bool IsTruncDigits(LinearForm& form);
  /*! \brief Whether it is digits of an atom that may be divided rounding down. */
  bool IsFloorDigits(const LinearForm& form);
  LinearForm Divide(const tir::BinaryOpNode* op, bool is_trunc);
  LinearForm Modulo(const tir::BinaryOpNode* op, bool is_trunc);
  bool DivideRest(LinearForm rest, int64_t divisor, DLDataType dtype, LinearForm* quotient);
  bool ModuloRest(LinearForm rest, int64_t divisor, DLDataType dtype, LinearForm* remainder);

  State* state_;
  Memo<LinearForm> memo_;
};

}  // namespace uir::arith

#endif  // UIR_ARITH_CANONICAL_FORM_H_
