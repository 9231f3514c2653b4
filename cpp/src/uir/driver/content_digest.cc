/*!
 * \file content_digest.cc
 * \brief SHA-256 of what the rounds of XXH64 (Y. Collet, xxHash) leave of a long content.
 *
 * A round is a bijection of the state for each word, so that contents that differ in one word never
 * have the same digest.
 */
#include "./content_digest.h"

#include <tschema/sha256.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <system_error>
#include <vector>

namespace uir::driver {

namespace {

constexpr uint64_t kPrime1 = 0x9E3779B185EBCA87;
constexpr uint64_t kPrime2 = 0xC2B2AE3D27D4EB4F;
constexpr int kRotation = 31;

/*! \brief Four states, each of which takes every fourth word. */
using State = std::array<uint64_t, 4>;
constexpr size_t kDigestBlock = sizeof(State);

void Round(const State& words, State* state) {
  for (size_t i = 0; i < words.size(); ++i) {
    const uint64_t sum = (*state)[i] + words[i] * kPrime2;
    (*state)[i] = (sum << kRotation | sum >> (64 - kRotation)) * kPrime1;
  }
}

/*! \brief Digests a content that comes in parts. */
class Digester {
 public:
  /*! \brief Add a part; only the last one may end within a block. */
  void Add(std::string_view part) {
    size_ += part.size();
    for (; part.size() >= kDigestBlock; part.remove_prefix(kDigestBlock)) {
      State words;
      std::memcpy(words.data(), part.data(), kDigestBlock);
      Round(words, &state_);
    }
    rest_ = part;
  }

  uint64_t size() const { return size_; }

  std::string Digest() const {
    std::string left(reinterpret_cast<const char*>(state_.data()), kDigestBlock);
    left += rest_;
    return tschema::Sha256(left + ":" + std::to_string(size_));
  }

 private:
  State state_ = {kPrime1 + kPrime2, kPrime2, 0, uint64_t{0} - kPrime1};
  /*! \brief The begin of a block, at the end of the content. */
  std::string rest_;
  uint64_t size_ = 0;
};

/*! \brief The length in bytes of the parts of a file, which stay in the cache of a core. */
constexpr size_t kPart = size_t{1} << 18;
static_assert(kPart % kDigestBlock == 0);

}  // namespace

std::string ContentDigest(std::string_view content) {
  Digester digester;
  digester.Add(content);
  return digester.Digest();
}

std::string FileSizeAndDigest(const std::filesystem::path& path) {
  const uintmax_t size = std::filesystem::file_size(path);
  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  std::vector<char> part(kPart);
  Digester digester;
  while (stream) {
    stream.read(part.data(), static_cast<std::streamsize>(part.size()));
    digester.Add({part.data(), static_cast<size_t>(stream.gcount())});
  }
  if (digester.size() != size) {
    throw std::filesystem::filesystem_error("cannot read a file", path,
                                            std::error_code(errno, std::generic_category()));
  }
  return std::to_string(size) + " " + digester.Digest();
}

}  // namespace uir::driver
