/*!
 * \file tschema/enum.h
 * \brief The members of declared enums.
 */
#ifndef TSCHEMA_ENUM_H_
#define TSCHEMA_ENUM_H_

#include <cstdint>

namespace tschema {

/*!
 * \brief Specialized for each declared enum, with `static constexpr bool Contains(int64_t)`.
 * \tparam Enum The enum class.
 */
template <typename Enum>
struct EnumTraits;

}  // namespace tschema

#endif  // TSCHEMA_ENUM_H_
