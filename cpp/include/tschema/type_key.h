/*!
 * \file tschema/type_key.h
 * \brief Types by their keys.
 */
#ifndef TSCHEMA_TYPE_KEY_H_
#define TSCHEMA_TYPE_KEY_H_

#include <cstdint>
#include <optional>
#include <string_view>

namespace tschema {

/*! \brief Return the index of the type with a key; none, without a pending error, if it is unknown.
 */
std::optional<int32_t> FindTypeIndex(std::string_view key);

/*!
 * \brief Return the index of the type with a key.
 * \throws ValueError if no type has it.
 */
int32_t RequireTypeIndex(std::string_view key);

}  // namespace tschema

#endif  // TSCHEMA_TYPE_KEY_H_
