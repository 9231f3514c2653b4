/*!
 * \file uir/ir/node_error.h
 * \brief Errors with the node at fault, which callers show in the enclosing program.
 */
#ifndef UIR_IR_NODE_ERROR_H_
#define UIR_IR_NODE_ERROR_H_

#include <tvm/ffi/error.h>
#include <tvm/ffi/object.h>
#include <uir/ir/error_context.h>

#include <optional>
#include <string>

namespace uir::ir {

/*!
 * \brief Throw an error about a node.
 *
 * Passes add their name and the script of the function with the node underlined.
 *
 * \param node The node at fault, which an object reference must own; may be null.
 * \param kind The error's kind: `"ValueError"`.
 * \param message The error's message: lower case, names in backquotes, no full stop.
 * \throws tvm::ffi::Error always.
 */
[[noreturn]] void ThrowAt(const ffi::Object* node, const char* kind, std::string message);

/*! \brief Throw an error about a node that a reference holds. */
[[noreturn]] void ThrowAt(const ffi::ObjectRef& node, const char* kind, std::string message);

/*! \brief The context of an error, if it has one. */
std::optional<ErrorContext> ContextOf(const ffi::Error& error);

}  // namespace uir::ir

#endif  // UIR_IR_NODE_ERROR_H_
