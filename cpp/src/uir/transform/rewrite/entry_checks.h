/*!
 * \file entry_checks.h
 * \brief Assertions for the assumptions of a high-level function on its arguments' dimensions.
 */
#ifndef UIR_TRANSFORM_REWRITE_ENTRY_CHECKS_H_
#define UIR_TRANSFORM_REWRITE_ENTRY_CHECKS_H_

#include <uir/relay/function.h>
#include <uir/tir/stmt.h>

#include <vector>

namespace uir::transform {

namespace ffi = ::tvm::ffi;

/*!
 * \brief The assertions that the assumptions of a function hold.
 * \param func The function.
 * \param inputs The buffers of its arguments; messages use their names.
 */
std::vector<tir::Stmt> EntryChecks(const relay::Function& func,
                                   const std::vector<tir::Buffer>& inputs);

/*! \brief The assertions that conditions on the dimensions of a function's arguments hold. */
std::vector<tir::Stmt> ChecksOf(const ffi::Array<ir::PrimExpr>& conditions,
                                const relay::Function& func,
                                const std::vector<tir::Buffer>& inputs);

/*! \brief An assertion that a number of rows is from 0 to that of a buffer. */
tir::Stmt CheckOfSize(const ir::PrimExpr& count, const tir::Buffer& rows,
                      const relay::Function& func);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_REWRITE_ENTRY_CHECKS_H_
