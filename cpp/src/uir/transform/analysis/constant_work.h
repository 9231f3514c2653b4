/*!
 * \file constant_work.h
 * \brief The size of high-level values, and the work that an operator does for them.
 */
#ifndef UIR_TRANSFORM_ANALYSIS_CONSTANT_WORK_H_
#define UIR_TRANSFORM_ANALYSIS_CONSTANT_WORK_H_

#include <uir/ir/expr.h>
#include <uir/relay/expr.h>

#include <cstdint>
#include <optional>

namespace uir::transform {

/*! \brief The bytes of a value of constant shape; `nullopt` for a symbolic shape. */
std::optional<int64_t> BytesOf(const ir::Type& type);

/*!
 * \brief An estimate of the arithmetic operations that compute a value from its operands.
 *
 * A function such as `sin` counts as 16. Moved, filled and broadcast elements count as none.
 * \param value A value with a type; anything but a call of an operator takes none.
 */
double WorkOfValue(const ir::RelayExpr& value);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_ANALYSIS_CONSTANT_WORK_H_
