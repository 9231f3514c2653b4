/*!
 * \file symbolic_interval.h
 * \brief Intervals between symbolic ends, and their arithmetic.
 *
 * In: intervals, and the facts of an analyzer about their ends. Out: intervals. Knows nothing of
 * the expressions that take the values.
 */
#ifndef UIR_ARITH_SYMBOLIC_INTERVAL_H_
#define UIR_ARITH_SYMBOLIC_INTERVAL_H_

#include <uir/arith/analyzer.h>
#include <uir/arith/int_set.h>
#include <uir/arith/integer_domain.h>

#include <optional>

#include "./const_fold.h"

namespace uir::arith {

/*! \brief An end of an interval; none if it is not bounded there. */
using End = ffi::Optional<ir::PrimExpr>;

/*! \brief An operation on two ends; none if one is none, or the number does not fit the type. */
End OnEnds(Case op, const End& a, const End& b);

/*! \brief The integers from `min` to `max`; their ends are scalars of one data type. */
struct SymbolicInterval {
  End min;
  End max;

  static SymbolicInterval Point(const ir::PrimExpr& value) { return {value, value}; }
  static SymbolicInterval Of(const IntSet& set) { return {set->min_value, set->max_value}; }
  /*! \brief The part of an interval of integers that a scalar type holds; an end of `int32` or
   * `int64` that is that of its type is none. */
  static SymbolicInterval Of(Interval interval, DLDataType dtype);

  /*! \brief Whether both ends are the same object. */
  bool IsPoint() const { return min.has_value() && min.same_as(max); }
  /*! \brief Whether its ends are constants, and the lower one is larger. */
  bool IsNothing() const;
  /*! \brief The interval of numbers; none if an end is not a constant. */
  std::optional<Interval> AsNumbers() const;
};

/*! \brief The set, with simplified ends; the empty set if it is proved to be empty. */
IntSet ToIntSet(const SymbolicInterval& interval, const Analyzer& analyzer);

/*! \brief The smallest interval that contains both. */
SymbolicInterval Union(const SymbolicInterval& a, const SymbolicInterval& b);
/*! \brief The intersection of both. */
SymbolicInterval Intersect(const SymbolicInterval& a, const SymbolicInterval& b);

/*! \brief Arithmetic on intervals, of one data type, whose results fit that type. */
class IntervalArithmetic {
 public:
  /*! \brief An analyzer that knows the signs of ends. */
  explicit IntervalArithmetic(const Analyzer& analyzer) : analyzer_(analyzer) {}

  /*! \brief The values of an operation on integers; all for one that is not known. */
  SymbolicInterval Apply(Case op, const SymbolicInterval& a, const SymbolicInterval& b,
                         DLDataType dtype);

 private:
  bool IsNonNegative(const End& end);
  bool IsPositive(const End& end);
  SymbolicInterval Multiply(const SymbolicInterval& a, const SymbolicInterval& b);
  SymbolicInterval Scale(const SymbolicInterval& a, const ir::PrimExpr& factor);
  /*! \brief Quotients by one divisor. */
  SymbolicInterval Divide(Case op, const SymbolicInterval& a, const ir::PrimExpr& divisor);
  /*! \brief Remainders by one divisor. */
  SymbolicInterval Remainder(Case op, const SymbolicInterval& a, const ir::PrimExpr& divisor);

  const Analyzer& analyzer_;
};

}  // namespace uir::arith

#endif  // UIR_ARITH_SYMBOLIC_INTERVAL_H_
