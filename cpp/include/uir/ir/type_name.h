/*!
 * \file uir/ir/type_name.h
 * \brief The types of values, as messages name them to users.
 */
#ifndef UIR_IR_TYPE_NAME_H_
#define UIR_IR_TYPE_NAME_H_

#include <tvm/ffi/any.h>

#include <string>

namespace uir::ir {

namespace ffi = ::tvm::ffi;

/*! \brief Return the type of a value: `str` and `bytes` for text and bytes, else the type key. */
std::string TypeNameOf(ffi::AnyView value);

}  // namespace uir::ir

#endif  // UIR_IR_TYPE_NAME_H_
