/*!
 * \file tschema/sha256.h
 * \brief The digest of layouts, the same as the generator's, and of other contents.
 */
#ifndef TSCHEMA_SHA256_H_
#define TSCHEMA_SHA256_H_

#include <string>
#include <string_view>

namespace tschema {

/*! \brief SHA-256 of a text (FIPS 180-4), in 64 hexadecimal digits. */
std::string Sha256(std::string_view text);

}  // namespace tschema

#endif  // TSCHEMA_SHA256_H_
