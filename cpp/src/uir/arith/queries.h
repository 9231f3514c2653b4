/*!
 * \file queries.h
 * \brief The questions that the parts of an analyzer answer, and ask each other.
 */
#ifndef UIR_ARITH_QUERIES_H_
#define UIR_ARITH_QUERIES_H_

#include <uir/arith/integer_domain.h>
#include <uir/ir/expr.h>
#include <uir/tir/var.h>

#include <optional>
#include <vector>

#include "./constraint_set.h"
#include "./linear_form.h"

namespace uir::arith {

/*!
 * \brief Answers about expressions where some facts hold.
 *
 * The contract of all answers, after the `QueryEngine` of XLS:
 * - An answer is true for all values of the variables for which the facts hold. If the facts
 *   contradict each other, any answer is.
 * - An answer may be weaker than the truth: false does not mean proved false, an interval without
 *   ends says nothing, nor does a congruence modulo 1. The answers here are the weakest, so that a
 *   class overrides the questions that it can answer.
 * - A question changes no fact, except that the variable of a `Let` in it gets its value.
 *
 * A part of an analyzer answers one kind of question. It asks others through this interface, and
 * knows no other part.
 */
class Queries {
 public:
  virtual ~Queries() = default;

  /*! \brief The facts that the answers hold for. */
  ConstraintSet constraints;

  /*! \brief Whether a value may depend on memory, so that sums and products of it may wrap around.
   */
  virtual bool IsData(const ir::PrimExpr&) { return true; }

  /*! \brief Bounds of an integer. */
  virtual Interval BoundOf(const ir::PrimExpr&) { return {}; }
  /*! \brief Bounds of sums and products before they are brought into their type. */
  virtual Interval ExactBoundOf(const ir::PrimExpr&) { return {}; }
  /*! \brief Bounds of an index by the stated inequalities: `x + y + 3` is at most 12 where `x + y <
   * 10`. */
  virtual Interval BoundByFactsOf(const ir::PrimExpr&) { return {}; }
  /*! \brief Bounds of a sum. */
  virtual Interval BoundOf(const LinearForm&) { return {}; }
  /*! \brief The remainders that an integer may leave. */
  virtual Congruence CongruenceOf(const ir::PrimExpr&) { return {}; }

  /*! \brief A sum with the value of an index modulo the range of its type. */
  virtual LinearForm SumOf(const ir::PrimExpr& expr) { return LinearForm::Of({expr}); }
  /*! \brief A sum with exactly the value of an index: a sum of data that may wrap is an atom. */
  virtual LinearForm ValueOf(const ir::PrimExpr& expr) { return LinearForm::Of({expr}); }
  /*! \brief `a - b` of the values of two indices; none if it is too large. */
  virtual std::optional<LinearForm> Difference(const ir::PrimExpr&, const ir::PrimExpr&) {
    return std::nullopt;
  }
  /*! \brief Whether the sums and products of a value cannot wrap around in its type. */
  virtual bool IsExact(const ir::PrimExpr&) { return false; }
  /*! \brief Whether a sum is proved to fit a type; the last argument are sums that fit, between
   * which it may lie. */
  virtual bool Fits(const LinearForm&, DLDataType, const std::vector<LinearForm>&) { return false; }
  /*! \brief A sum like `SumOf`, in its shortest form; whether digits of sums became digits of their
   * terms is written to the last argument. */
  virtual LinearForm ShortSumOf(const ir::PrimExpr& expr, bool*) { return SumOf(expr); }
  /*!
   * \brief Replace digits of sums by digits of their terms if the form does not become longer.
   * \return Whether the form changed: `(i * 32 + j) % 64` becomes `i % 2 * 32 + j`.
   */
  virtual bool Shorten(LinearForm*) { return false; }
  /*!
   * \brief Write quotients in a sum as digits of one value: `x - x // 2` as `x // 2 + x % 2`, and
   * `x // m * m` as `x - x % m`.
   * \return Whether the sum has such quotients; otherwise the result stays empty.
   */
  virtual bool SplitQuotients(const LinearForm&, LinearForm*) { return false; }

  /*! \brief Whether `a + distance <= b` is proved, of integers of one type. */
  virtual bool IsBelow(const ir::PrimExpr&, const ir::PrimExpr&, int64_t) { return false; }
  bool IsLess(const ir::PrimExpr& a, const ir::PrimExpr& b) { return IsBelow(a, b, 1); }
  bool IsLessEqual(const ir::PrimExpr& a, const ir::PrimExpr& b) { return IsBelow(a, b, 0); }
  /*! \brief Whether a counterexample shows that `a + distance <= b` does not always hold. */
  virtual bool IsRefuted(const ir::PrimExpr&, const ir::PrimExpr&, int64_t) { return false; }
  /*! \brief Whether `a == b` is proved, of integers of one type. */
  virtual bool IsEqual(const ir::PrimExpr&, const ir::PrimExpr&) { return false; }
  /*! \brief Whether `a != b` is proved, of integers of one type. */
  virtual bool IsNotEqual(const ir::PrimExpr&, const ir::PrimExpr&) { return false; }

  /*! \brief State that a binding gives a variable a value; it stays in the program. */
  virtual void BindDefinition(const tir::Var&, const ir::PrimExpr&) {}
  /*! \brief State the value that replaces a variable. */
  virtual void BindValue(const tir::Var&, const ir::PrimExpr&) {}
  /*! \brief Begin a scope in which a simplified condition is true, or false. */
  virtual void EnterCase(const ir::PrimExpr&, bool) { constraints.Enter(); }
  virtual void LeaveCase() { constraints.Leave(); }
};

}  // namespace uir::arith

#endif  // UIR_ARITH_QUERIES_H_
