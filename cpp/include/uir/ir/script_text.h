/*!
 * \file uir/ir/script_text.h
 * \brief Types and expressions as users write them, for messages.
 */
#ifndef UIR_IR_SCRIPT_TEXT_H_
#define UIR_IR_SCRIPT_TEXT_H_

#include <tvm/ffi/any.h>
#include <uir/ir/expr.h>

#include <string>

namespace uir::ir {

namespace ffi = ::tvm::ffi;

/*! \brief The script of a value, on one line and without declarations. */
std::string ScriptText(const ffi::Any& value);

/*! \brief The script of an extent; the data type of a constant is left out. */
std::string ExtentText(const PrimExpr& extent);

}  // namespace uir::ir

#endif  // UIR_IR_SCRIPT_TEXT_H_
