/*!
 * \file canonical_form.h
 * \brief The canonical form of index expressions as linear combinations.
 */
#ifndef UIR_ARITH_CANONICAL_FORM_H_
#define UIR_ARITH_CANONICAL_FORM_H_

#include <uir/arith/integer_domain.h>
#include <uir/tir/prim_expr_functor.h>

#include <memory>
#include <optional>
#include <vector>

#include "./const_fold.h"
#include "./linear_form.h"
#include "./memo_table.h"

namespace uir::arith {

class Queries;
struct Product;

/*! \brief Reads scalar `int32` and `int64` expressions; anything but arithmetic is an atom. */
class CanonicalFormAnalyzer : public tir::PrimExprFunctor<LinearForm(const ir::PrimExpr&)> {
 public:
  explicit CanonicalFormAnalyzer(Queries* known) : known_(known) {}

  LinearForm VisitPrimExpr(const ir::PrimExpr& expr) override;
  LinearForm ValueOf(const ir::PrimExpr& expr);
  LinearForm ShortSumOf(const ir::PrimExpr& expr, bool* has_split);
  bool Shorten(LinearForm* form);
  bool SplitQuotients(const LinearForm& form, LinearForm* result);
  std::optional<LinearForm> Difference(const ir::PrimExpr& a, const ir::PrimExpr& b);
  bool IsExact(const ir::PrimExpr& expr);
  bool Fits(const LinearForm& form, DLDataType dtype, const std::vector<LinearForm>& known);
  void ClearMemo() { memo_.Clear(); }

  /*! \brief Bounds of a sum, as if the terms were independent. */
  Interval BoundOf(const LinearForm& form);
  Interval BoundOf(const LinearTerm& term);

 protected:
  LinearForm VisitDefault(const ir::PrimExprNode* op) override;
  LinearForm VisitIntImm(const ir::IntImmNode* op) override;
  LinearForm VisitBinaryOp(const tir::BinaryOpNode* op) override;
  LinearForm VisitCast(const tir::CastNode* op) override;

 private:
  LinearForm Atom(const ir::PrimExprNode* op);
  /*! \brief Expand products of sums if the form becomes shorter. */
  void Expand(LinearForm* form);
  /*!
   * \brief Join digits of one value that are split by divisors that are not constant:
   * `x // (n * m) * (n * m) + x % (n * m) // m * m + x % m` is `x`.
   */
  void JoinSymbolicDigits(LinearForm* form);
  /*! \brief The product of two sums, one of which must be a constant. */
  LinearForm ProductOf(const tir::BinaryOpNode* op);
  /*!
   * \brief Add a multiple of an expression to a sum, without a sum for each of its parts.
   * \param expr The expression.
   * \param factor The factor.
   * \param num_left How many more nodes may be visited.
   * \param[in,out] form The sum.
   * \return False if the expression has more nodes, or if a number overflows; `form` is then
   * unspecified.
   */
  bool AddMultiple(const ir::PrimExpr& expr, int64_t factor, int* num_left, LinearForm* form);
  bool AddMultipleOfRing(const tir::BinaryOpNode* op, Case kind, int64_t factor, int* num_left,
                         LinearForm* form);
  /*! \brief Whether a sum is one atom or truncating digits of one; marks the term as truncating. */
  bool IsTruncDigits(LinearForm& form);
  /*! \brief Whether a sum is one atom, or digits of one that floor division can split. */
  bool IsFloorDigits(const LinearForm& form);
  LinearForm Divide(const tir::BinaryOpNode* op, Case kind);
  /*! \brief A dividend, less some multiples of the divisor. */
  struct Rest {
    LinearForm form;
    int64_t divisor;
    /*! \brief Whether the quotient is wanted, not the remainder. */
    bool is_quotient;
    DLDataType dtype;
    const ir::PrimExpr& dividend;
    /*! \brief Whether the result is neither divided again nor joined with other digits. */
    bool is_last = false;
  };
  /*! \brief Treat a product as a value if it fits by itself; otherwise return false. */
  bool SettleProduct(Rest* rest);
  /*! \brief Add the quotient of the rest to the result, or its remainder, rounding down. */
  bool DivideRest(const Rest& whole, LinearForm* result);
  /*! \brief `DivideRest` after reducing the scales modulo the divisor, as of `y * 3 // 2`. */
  bool DivideReduced(const Rest& rest, LinearForm* result);
  /*! \brief `DivideRest` if all values of the rest have the same quotient. */
  bool DivideInOneMultiple(const Rest& rest, LinearForm* result);
  /*! \brief `DivideRest` by taking digits of an atom. */
  bool DivideDigits(const Rest& whole, LinearForm* result);
  /*! \brief Add a multiple of the quotient or the remainder of the rest, which becomes an atom. */
  bool AddDigits(const Rest& rest, int64_t scale, LinearForm* result);
  using Method = bool (CanonicalFormAnalyzer::*)(const LinearTerm&, LinearForm*);
  /*! \brief Add all terms by a method. */
  bool AddAll(Method add, const LinearForm& form, LinearForm* result);
  /*! \brief Add the digits of a sum as digits of its terms. */
  bool AddLowDigits(const LinearTerm& term, LinearForm* result);
  /*! \brief Add a multiple of a quotient by its divisor, as the dividend less the remainder. */
  bool AddAsRemainder(const LinearTerm& term, LinearForm* result);
  /*! \brief Add a multiple of a product in expanded form; false if that form is too long. */
  bool AddExpanded(const LinearTerm& term, LinearForm* result);
  /*! \brief Join the first two terms that are neighbouring digits; false if no two terms are. */
  bool JoinAnyPair(LinearForm* form);
  /*! \brief Join two terms if they are neighbouring digits. */
  bool JoinPair(const Product& high, const Product& low, Product* whole);
  /*! \brief The value that has a quotient and a remainder as neighbouring digits, or None. */
  std::optional<ir::PrimExpr> WholeOf(const ir::PrimExpr& high_dividend,
                                      const ir::PrimExpr& high_divisor,
                                      const ir::PrimExpr& low_dividend,
                                      const ir::PrimExpr& low_divisor);
  /*! \brief Add the quotient of the rest to the result, or its remainder, rounding towards zero. */
  bool DivideTowardsZero(Rest rest, LinearForm* result);
  /*! \brief Take multiples of the divisor out of the scales if the rest fits its type. */
  void ReduceRest(Rest* rest);
  /*!
   * \brief Take out the terms whose sum is below a common divisor of the others, as `j` in
   * `(i * 32 + j) // 64`.
   */
  bool TakeLowDigits(Rest* rest, LinearForm* low);
  /*! \brief Whether the rest fits the type of the dividend. */
  bool MayStandAlone(const Rest& rest);
  /*! \brief A term whose atom is the rest; None if the rest may not fit by itself. */
  std::optional<LinearTerm> AtomOf(const Rest& rest);

  Queries* known_;
  MemoTable<std::shared_ptr<const LinearForm>> memo_;
};

}  // namespace uir::arith

#endif  // UIR_ARITH_CANONICAL_FORM_H_
