/*!
 * \file content_digest.h
 * \brief A digest of contents of any size, such as the weights of a network.
 */
#ifndef UIR_SRC_DRIVER_CONTENT_DIGEST_H_
#define UIR_SRC_DRIVER_CONTENT_DIGEST_H_

#include <filesystem>
#include <string>
#include <string_view>

namespace uir::driver {

/*!
 * \brief The MurmurHash3 of a content, in 32 hexadecimal digits.
 *
 * It is not cryptographic, and need not be: the cache belongs to one user.
 */
std::string ContentDigest(std::string_view content);

/*!
 * \brief The size in bytes and the digest of the content of a file, which is read part by part.
 * \throws std::filesystem::filesystem_error If it cannot be read.
 */
std::string FileSizeAndDigest(const std::filesystem::path& path);

}  // namespace uir::driver

#endif  // UIR_SRC_DRIVER_CONTENT_DIGEST_H_
