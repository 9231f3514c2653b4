/*!
 * \file options.h
 * \brief Checks and conversions of the options of contexts.
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
 * \return The options, converted to their registered types; the same map if all have them already.
 * \throws ValueError if a name is not registered; the message lists the registered names.
 * \throws TypeError if a value cannot be converted to the type of its option.
 */
ffi::Map<ffi::String, ffi::Any> CheckedConfig(const ffi::Map<ffi::String, ffi::Any>& config);

/*!
 * \brief Convert a value to a named type.
 * \param type_name `bool`, `int`, `float`, `str`, or the type key of an object.
 * \return The converted value; None if the value is of another type.
 */
ffi::Any ConvertOption(const ffi::Any& value, const ffi::String& type_name);

/*! \brief Whether a name is the name of a type that options can have. */
bool IsOptionType(const ffi::String& type_name);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_INFRA_OPTIONS_H_
