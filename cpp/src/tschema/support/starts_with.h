/*!
 * \file starts_with.h
 * \brief Whether a text starts with another one.
 */
#ifndef TSCHEMA_SUPPORT_STARTS_WITH_H_
#define TSCHEMA_SUPPORT_STARTS_WITH_H_

#include <string_view>

namespace tschema {

inline bool StartsWith(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

}  // namespace tschema

#endif  // TSCHEMA_SUPPORT_STARTS_WITH_H_
