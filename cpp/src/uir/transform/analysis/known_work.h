/*!
 * \file known_work.h
 * \brief Estimates of the work of a statement.
 */
#ifndef UIR_TRANSFORM_ANALYSIS_KNOWN_WORK_H_
#define UIR_TRANSFORM_ANALYSIS_KNOWN_WORK_H_

#include <tvm/ffi/optional.h>
#include <uir/tir/stmt.h>

#include <cstdint>

namespace uir::transform {

namespace ffi = ::tvm::ffi;

/*!
 * \brief An upper bound of the operators, loads, stores, calls and iterations of a statement.
 * \return INT64_MAX if an extent is not constant, or if the statement calls a function.
 */
int64_t KnownWork(const tir::Stmt& stmt);

/*!
 * \brief An estimate of the same number, as an expression of sizes from outside the statement.
 * \return None if it depends on values that the statement computes, or if that calls a function.
 */
ffi::Optional<ir::PrimExpr> SymbolicWork(const tir::Stmt& stmt);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_ANALYSIS_KNOWN_WORK_H_
