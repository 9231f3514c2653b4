/*!
 * \file options.h
 * \brief Which options contexts may have.
 */
#ifndef UIR_TRANSFORM_INFRA_OPTIONS_H_
#define UIR_TRANSFORM_INFRA_OPTIONS_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/string.h>

namespace uir::transform {

namespace ffi = ::tvm::ffi;

/*!
 * \brief Check the options of a context.
 * \return The options, each of its registered type; the same map where they are so already.
 * \throws ValueError if a name is not registered: with the names that are.
 * \throws TypeError if a value is of another type than its option.
 */
ffi::Map<ffi::String, ffi::Any> CheckedConfig(const ffi::Map<ffi::String, ffi::Any>& config);

/*!
 * \brief Turn a value into one of a named type.
 * \param type_name `bool`, `int`, `float`, `str`, or the type key of an object.
 * \return The value; None if it is of another type.
 */
ffi::Any ConvertOption(const ffi::Any& value, const ffi::String& type_name);

/*! \brief What a type is called that options can be of; None if there is no such type. */
bool IsOptionType(const ffi::String& type_name);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_INFRA_OPTIONS_H_
