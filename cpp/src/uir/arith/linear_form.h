/*!
 * \file linear_form.h
 * \brief Linear combinations of atoms, quotients and remainders, after the split and sum
 * expressions of TVM's `CanonicalSimplifier`.
 */
#ifndef UIR_ARITH_LINEAR_FORM_H_
#define UIR_ARITH_LINEAR_FORM_H_

#include <uir/ir/expr.h>

#include <cstdint>
#include <optional>
#include <utility>

#include "./short_vector.h"

namespace uir::arith {

namespace ffi = ::tvm::ffi;

/*!
 * \brief `scale * ((atom mod upper) div lower)`, where an `upper` of 0 means no remainder.
 *
 * `lower` is positive and divides `upper`.
 */
struct LinearTerm {
  ir::PrimExpr atom;
  int64_t lower = 1;
  int64_t upper = 0;
  int64_t scale = 1;
  /*! \brief How many operations the atom takes, if the atom was made for the sum. */
  int32_t atom_cost = 0;
  /*! \brief Whether quotients are rounded towards zero, not down. */
  bool is_trunc = false;
  /*! \brief Whether the atom is a product that is only known to fit as a part of the sum. */
  bool is_product = false;
  /*! \brief Whether the atom is a sum of terms that may have places of their own, as digits have.
   */
  bool has_places = false;

  bool IsPlain() const { return lower == 1 && upper == 0; }
  /*! \brief How many operations the term takes. */
  int64_t Cost() const {
    return atom_cost + (lower != 1) + (upper != 0) + (scale != 1 && scale != -1);
  }
};

/*! \brief Most sums have no more terms than take no allocation. */
using LinearTerms = ShortVector<LinearTerm, 3>;

/*! \brief A constant plus terms with distinct atoms, `upper` and `lower`. */
struct LinearForm {
  /*! \brief A longer sum becomes an atom, so that work on pairs of terms stays cheap. */
  static constexpr size_t kMostTerms = 16;

  LinearTerms terms;
  int64_t base = 0;
  /*! \brief How many operations the sum was read from. */
  int64_t num_read = 0;

  /*! \brief A term alone, once. */
  static LinearForm Of(LinearTerm term) {
    LinearForm form;
    term.scale = 1;
    form.terms.push_back(std::move(term));
    return form;
  }

  bool IsConstant() const { return terms.empty(); }
  /*! \brief How many operations the sum takes when it is written. */
  int64_t Cost() const;

  /*! \brief Add a term; false if a scale is out of range. */
  bool AddTerm(LinearTerm term);
  /*! \brief Add `factor * other`; false if a number is out of range. */
  bool AddScaled(const LinearForm& other, int64_t factor);
  /*! \brief Multiply with a number; false if a product is out of range. */
  bool Scale(int64_t factor);
  /*! \brief Put quotients and remainders of one atom together: `x // 4 * 4 + x % 4` is `x`. */
  void Join();
  /*! \brief The greatest common divisor of all scales; 0 if there is no term. */
  int64_t CommonScale() const;
};

/*! \brief Whether two terms are equal up to their scales. */
bool IsAlike(const LinearTerm& a, const LinearTerm& b);

/*! \brief Whether an expression is what `ToExpr` makes of a sum, as of most sums of plain terms. */
bool IsWritten(const LinearForm& form, const ir::PrimExpr& expr);

/*!
 * \brief Convert a sum to an expression, terms in order, with a positive one first.
 * \return None if a number in it does not fit the type.
 */
std::optional<ir::PrimExpr> ToExpr(const LinearForm& form, DLDataType dtype,
                                   const ffi::Optional<ir::Span>& span);

}  // namespace uir::arith

#endif  // UIR_ARITH_LINEAR_FORM_H_
