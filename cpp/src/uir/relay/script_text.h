/*!
 * \file script_text.h
 * \brief Dimensions and types as users write them, for messages.
 */
#ifndef UIR_SRC_RELAY_SCRIPT_TEXT_H_
#define UIR_SRC_RELAY_SCRIPT_TEXT_H_

#include <tvm/ffi/any.h>

#include <string>

namespace uir::relay {

namespace ffi = ::tvm::ffi;

/*! \brief The script of a value, on one line and without declarations. */
std::string ScriptText(const ffi::Any& value);

}  // namespace uir::relay

#endif  // UIR_SRC_RELAY_SCRIPT_TEXT_H_
