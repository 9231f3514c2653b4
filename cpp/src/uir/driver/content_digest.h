/*!
 * \file content_digest.h
 * \brief A digest of contents of any size, such as the weights of a network.
 */
#ifndef UIR_SRC_DRIVER_CONTENT_DIGEST_H_
#define UIR_SRC_DRIVER_CONTENT_DIGEST_H_

#include <string>
#include <string_view>

namespace uir::driver {

/*!
 * \brief The digest of a content, in 64 hexadecimal digits.
 *
 * It tells contents apart that differ by chance, not those that are made to collide: the cache
 * belongs to one user.
 */
std::string ContentDigest(std::string_view content);

}  // namespace uir::driver

#endif  // UIR_SRC_DRIVER_CONTENT_DIGEST_H_
