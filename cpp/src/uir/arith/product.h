/*!
 * \file product.h
 * \brief Products of a number and other values, whose factors have no order.
 */
#ifndef UIR_ARITH_PRODUCT_H_
#define UIR_ARITH_PRODUCT_H_

#include <uir/ir/expr.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "./linear_form.h"

namespace uir::arith {

/*! \brief A product of a number and other values, in any order. */
struct Product {
  int64_t number = 1;
  std::vector<ir::PrimExpr> factors;
};

/*! \brief Multiply with the factors of an expression; false if there are too many. */
bool MultiplyWith(const ir::PrimExpr& expr, Product* product);

/*! \brief Take the factors of a divisor out of a product; false if it is not a multiple of it. */
bool TakeOut(const Product& divisor, Product* product);

/*! \brief The common factors of both products. */
Product CommonOf(const Product& a, Product b);

/*! \brief The terms of a sum as products; none if there are too many factors. */
std::optional<std::vector<Product>> ProductsOf(const LinearForm& form, DLDataType dtype);

}  // namespace uir::arith

#endif  // UIR_ARITH_PRODUCT_H_
