/*!
 * \file uir/script/stream.h
 * \brief Output of nodes to streams, as script.
 *
 * Modules and functions declare their free variables first; expressions, statements and types are
 * written without declarations, as `str(node)` of Python does. Each operator throws `ValueError` if
 * the node contains itself.
 */
#ifndef UIR_SCRIPT_STREAM_H_
#define UIR_SCRIPT_STREAM_H_

#include <uir/ir/expr.h>
#include <uir/ir/function.h>
#include <uir/ir/module.h>
#include <uir/ir/range.h>
#include <uir/ir/types.h>
#include <uir/tir/buffer.h>
#include <uir/tir/stmt.h>

#include <ostream>

namespace uir::ir {

std::ostream& operator<<(std::ostream& out, const IRModule& module);
std::ostream& operator<<(std::ostream& out, const BaseExpr& expr);
std::ostream& operator<<(std::ostream& out, const Range& range);
std::ostream& operator<<(std::ostream& out, const Type& type);

}  // namespace uir::ir

namespace uir::tir {

std::ostream& operator<<(std::ostream& out, const Stmt& stmt);
std::ostream& operator<<(std::ostream& out, const BufferRegion& region);

}  // namespace uir::tir

#endif  // UIR_SCRIPT_STREAM_H_
