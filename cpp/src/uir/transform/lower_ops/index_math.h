/*!
 * \file index_math.h
 * \brief Arithmetic on indices and dimensions of kernels.
 */
#ifndef UIR_TRANSFORM_LOWER_OPS_INDEX_MATH_H_
#define UIR_TRANSFORM_LOWER_OPS_INDEX_MATH_H_

#include <cstddef>
#include <vector>

#include "./value.h"

namespace uir::transform {

/*! \brief An `int64` index. */
PrimExpr WideIndex(const PrimExpr& index);

/*! \brief An integer as an index of a data type. */
PrimExpr IndexIn(int64_t value, DLDataType dtype);

/*! \brief Replace the index of an axis. */
Indices WithIndex(Indices indices, size_t axis, const PrimExpr& index);

/*! \brief Remove the index of an axis. */
Indices WithoutIndex(const Indices& indices, size_t axis);

/*! \brief The places that elements along an axis have in another tensor, by a table. */
struct AxisPlaces {
  size_t axis;
  /*! \brief A place for each index of the axis. */
  Value places;
};

/*! \brief A tensor of a shape with the elements of another one, at the places that tables say. */
Value Gathered(const Value& x, const Indices& shape, std::vector<AxisPlaces> tables);

/*! \brief The part of a list between two positions. */
Indices Between(const Indices& all, size_t begin, size_t end);

/*! \brief Whether two dimensions are the same expression, or equal constants. */
bool IsSameDimension(const PrimExpr& a, const PrimExpr& b);

/*! \brief A dimension as a divisor; if it is 0, no element is computed. */
PrimExpr Divisor(const PrimExpr& dimension);

/*! \brief The row-major position of an element. */
PrimExpr RowMajor(const Indices& indices, const Indices& dimensions);

/*! \brief The indices of a row-major position. */
Indices SplitPlace(PrimExpr place, const Indices& dimensions);

/*! \brief The element of a list at a symbolic index. \pre The list has elements. */
PrimExpr Chosen(const Indices& list, const PrimExpr& index);

/*! \brief `low <= index < high`. */
PrimExpr IsWithin(const PrimExpr& index, const PrimExpr& low, const PrimExpr& high);

/*! \brief `a / b` rounded up, for a positive `b`. */
PrimExpr CeilDiv(const PrimExpr& a, int64_t b);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_LOWER_OPS_INDEX_MATH_H_
