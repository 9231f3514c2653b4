/*!
 * \file index_checks.h
 * \brief Assertions that the indices of accesses are in bounds.
 */
#ifndef UIR_TRANSFORM_REWRITE_INDEX_CHECKS_H_
#define UIR_TRANSFORM_REWRITE_INDEX_CHECKS_H_

#include <uir/arith/analyzer.h>
#include <uir/tir/buffer.h>
#include <uir/tir/stmt.h>

#include <string>
#include <unordered_map>

namespace uir::transform {

/*! \brief The buffer that a data pointer belongs to. */
using BufferOfData = std::unordered_map<const tvm::ffi::Object*, tir::Buffer>;

/*!
 * \brief Check the accesses in the expressions of a statement, but not in its inner statements.
 *
 * Buffers of one compact dimension are checked only if the access is through their pointer; the
 * code generator checks their other accesses.
 * \param stmt The statement.
 * \param function The name of the function, for messages.
 * \param buffers The buffers of the data pointers.
 * \param analyzer Proves accesses valid, which then need no check.
 * \return Statements to run before, each an assertion or a conditional around one.
 */
tvm::ffi::Array<tir::Stmt> IndexChecksOf(const tir::Stmt& stmt, const std::string& function,
                                         const BufferOfData& buffers,
                                         const arith::Analyzer& analyzer);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_REWRITE_INDEX_CHECKS_H_
