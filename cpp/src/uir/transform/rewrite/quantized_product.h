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
