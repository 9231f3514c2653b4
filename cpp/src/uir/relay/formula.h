/*!
 * \file formula.h
 * \brief Formulas of dimensions, in the rules of operators; the caller gives names their values.
 */
#ifndef UIR_SRC_RELAY_FORMULA_H_
#define UIR_SRC_RELAY_FORMULA_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/container/array.h>
#include <uir/ir/expr.h>
#include <uir/relay/type_context.h>

#include <cstdint>
#include <memory_resource>
#include <optional>
#include <vector>

#include "../ir/formula.h"

namespace uir::relay {

/*! \brief A value of a formula: None, a number, a dimension, or an array of values. */
using RuleValue = ffi::Any;

/*! \brief The values of names, by slot; `nullopt` for a name without a value so far. */
using RuleValues = std::pmr::vector<std::optional<RuleValue>>;

/*! \brief The elements of an array; null for another value. */
const ffi::ArrayObj* ListOf(const RuleValue& value);

/*! \brief A constant dimension. */
ir::PrimExpr Dimension(int64_t value);

/*! \brief The value as a dimension. \pre It is an integer or an expression. */
ir::PrimExpr AsDimension(const RuleValue& value);

/*!
 * \brief The result of an operation; constants are computed at once.
 * \throws TypeError if an operand is not an integer or an expression.
 * \throws ValueError for a division by zero, and for a result outside the range of int64.
 */
RuleValue Compute(ir::ScalarOp op, const RuleValue& a, const RuleValue& b, TypeContext* context);

/*!
 * \brief The value of an expression.
 * \param formula The expression.
 * \param slots The values of the names.
 * \param context Computes operations on dimensions that are not constant.
 * \throws ValueError for a division by zero, an index out of range, or a name without a value.
 */
RuleValue Evaluate(const ir::Formula& formula, const RuleValues& slots, TypeContext* context);

}  // namespace uir::relay

#endif  // UIR_SRC_RELAY_FORMULA_H_
