/*!
 * \file structural_attrs.h
 * \brief Registers hand-written structural methods with tvm-ffi's own engines.
 */
#ifndef TSCHEMA_SRC_STRUCTURAL_STRUCTURAL_ATTRS_H_
#define TSCHEMA_SRC_STRUCTURAL_STRUCTURAL_ATTRS_H_

#include <tschema/type_info.h>

#include <cstdint>

namespace tschema {

/*!
 * \brief Register `__s_equal__` and `__s_hash__` of a type that turns the default methods off.
 *
 * A class that has turned a default method off without a replacement gets an attribute that raises
 * the TypeError of our engines.
 *
 * \param hooks Must live as long as the process.
 */
void RegisterStructuralAttrs(int32_t type_index, const TypeHooks& hooks);

}  // namespace tschema

#endif  // TSCHEMA_SRC_STRUCTURAL_STRUCTURAL_ATTRS_H_
