/*!
 * \file transposed_operand.h
 * \brief Constant operands that are dequantized, then transposed.
 */
#ifndef UIR_TRANSFORM_REWRITE_TRANSPOSED_OPERAND_H_
#define UIR_TRANSFORM_REWRITE_TRANSPOSED_OPERAND_H_

#include <uir/relay/expr.h>

#include <functional>
#include <optional>

#include "../analysis/quantized_operands.h"
#include "./quantized_product.h"

namespace uir::transform {

/*! \brief Returns the rewritten form of an expression of the original function. */
using RewriteUse = std::function<ir::RelayExpr(const ir::RelayExpr& expr)>;

/*!
 * \brief The same value with its integers transposed before they are dequantized.
 * \param value The value of a binding.
 * \param operands The bindings in scope.
 * \param use Rewrites the operands of the value.
 * \param emit Takes the steps.
 * \return The last step; none unless the value is a transposed constant of 8 bits.
 */
std::optional<ir::RelayExpr> TransposeIntegers(const ir::RelayExpr& value,
                                               const QuantizedOperands& operands,
                                               const RewriteUse& use, const EmitValue& emit);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_REWRITE_TRANSPOSED_OPERAND_H_
