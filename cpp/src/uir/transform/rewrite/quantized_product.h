/*!
 * \file quantized_product.h
 * \brief Products of quantized matrices as products of bytes.
 */
#ifndef UIR_TRANSFORM_REWRITE_QUANTIZED_PRODUCT_H_
#define UIR_TRANSFORM_REWRITE_QUANTIZED_PRODUCT_H_

#include <uir/relay/expr.h>

#include <cstdint>
#include <functional>

namespace uir::transform {

namespace ffi = ::tvm::ffi;

/*! \brief Binds a value to a variable of a name, and returns the variable. */
using EmitValue = std::function<ir::RelayExpr(const ir::RelayExpr& value, const char* name)>;

/*! \brief Instructions add up so many terms. */
constexpr int64_t kGroup = 4;

/*! \brief `values - zero`: integers of 8 bits, and int32, or none for 0. */
struct Difference {
  ir::RelayExpr values;
  ffi::Optional<ir::RelayExpr> zero;
  /*! \brief Whether the values are known when the module is compiled. */
  bool is_constant = false;
};

/*!
 * \brief Make one of two factors one of uint8 and the other one of int8.
 *
 * Values and zero points of a factor are moved by 128, which multiplies sums of the other factor.
 * These are known if that is constant.
 */
void MakeSignsDiffer(Difference* left, Difference* right, const EmitValue& emit);

/*! \brief Makes the sums of a factor's values over the terms of products. */
using MakeTotals = std::function<ir::RelayExpr()>;

/*! \brief The sums of values of shape `(rows, terms)`, as a column. */
ir::RelayExpr TotalsOfRows(const Difference& rows, int64_t terms, const EmitValue& emit);

/*!
 * \brief The sums of products of differences, from those of values.
 * \param sums The sums of products of values.
 * \param left The left factor; zero points of both broadcast to the sums.
 * \param right The right factor.
 * \param terms The number of terms of a sum.
 * \param of_left Makes the totals of the left factor, if they are needed.
 * \param of_right Makes those of the right one.
 * \param emit Takes the steps.
 */
ir::RelayExpr SumsOfDifferences(ir::RelayExpr sums, const Difference& left, const Difference& right,
                                int64_t terms, const MakeTotals& of_left,
                                const MakeTotals& of_right, const EmitValue& emit);

/*!
 * \brief The product of matrices of differences, with sums of int32.
 * \param left The rows, of which zero points are the same for all terms.
 * \param right The columns, of which zero points are the same for all terms.
 * \param terms The number of terms of a sum.
 * \param emit Takes the steps.
 */
ir::RelayExpr ProductOf(const Difference& left, const Difference& right, int64_t terms,
                        const EmitValue& emit);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_REWRITE_QUANTIZED_PRODUCT_H_
