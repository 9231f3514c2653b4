/*!
 * \file type_lookup.h
 * \brief Lookup of types by key, and of subtypes.
 */
#ifndef UIR_TRANSFORM_INFRA_TYPE_LOOKUP_H_
#define UIR_TRANSFORM_INFRA_TYPE_LOOKUP_H_

#include <tvm/ffi/string.h>

#include <cstdint>

namespace uir::transform {

/*! \brief The index of an object type; -1 for an unknown key. */
int32_t TypeIndexOf(const ::tvm::ffi::String& type_key);

/*! \brief Whether a type is `ancestor_index` or a subtype of it. */
bool IsBelow(int32_t type_index, int32_t ancestor_index);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_INFRA_TYPE_LOOKUP_H_
