/*!
 * \file content_digest.cc
 * \brief MurmurHash3_x64_128 (A. Appleby, 2011) with seed 0.
 *
 * A digest of the weights of a network must not take longer than reading them: SHA-256 needs 10
 * times as long on processors without instructions for it.
 */
#include "./content_digest.h"

#include <cerrno>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <system_error>
#include <vector>

namespace uir::driver {

namespace {

constexpr uint64_t kFactor1 = 0x87C37B91114253D5;
constexpr uint64_t kFactor2 = 0x4CF5AD432745937F;
constexpr size_t kBlock = 16;

uint64_t RotateLeft(uint64_t word, int bits) { return word << bits | word >> (64 - bits); }

uint64_t Mix1(uint64_t word) { return RotateLeft(word * kFactor1, 31) * kFactor2; }

uint64_t Mix2(uint64_t word) { return RotateLeft(word * kFactor2, 33) * kFactor1; }

/*! \brief Let each bit of a word change each bit of the result. */
uint64_t Avalanche(uint64_t word) {
  word = (word ^ word >> 33) * 0xFF51AFD7ED558CCD;
  word = (word ^ word >> 33) * 0xC4CEB9FE1A85EC53;
  return word ^ word >> 33;
}

struct WordPair {
  uint64_t first = 0;
  uint64_t second = 0;
};

/*! \brief Read a block of bytes as two little-endian words. */
WordPair ReadWordPair(const char* block) {
  WordPair words;
  std::memcpy(&words.first, block, 8);
  std::memcpy(&words.second, block + 8, 8);
  return words;
}

/*! \brief Read less than a block as two little-endian words, with zeros after the bytes. */
WordPair ReadTail(std::string_view bytes) {
  char block[kBlock] = {};
  bytes.copy(block, kBlock);
  return ReadWordPair(block);
}

std::string Hexadecimal(const WordPair& words) {
  char digits[2 * kBlock + 1];
  std::snprintf(digits, sizeof(digits), "%016" PRIx64 "%016" PRIx64, words.first, words.second);
  return digits;
}

/*! \brief Digests a content that comes in parts. */
class Digester {
 public:
  /*! \brief Add a part; only the last one may end within a block. */
  void Add(std::string_view part) {
    size_ += part.size();
    for (; part.size() >= kBlock; part.remove_prefix(kBlock)) AddBlock(part.data());
    tail_ = part;
  }

  uint64_t size() const { return size_; }

  std::string Digest() const {
    const WordPair tail = ReadTail(tail_);
    WordPair hash = {state_.first ^ Mix1(tail.first) ^ size_,
                     state_.second ^ Mix2(tail.second) ^ size_};
    Join(&hash);
    hash = {Avalanche(hash.first), Avalanche(hash.second)};
    Join(&hash);
    return Hexadecimal(hash);
  }

 private:
  void AddBlock(const char* bytes) {
    const WordPair block = ReadWordPair(bytes);
    uint64_t& first = state_.first;
    uint64_t& second = state_.second;
    first = (RotateLeft(first ^ Mix1(block.first), 27) + second) * 5 + 0x52DCE729;
    second = (RotateLeft(second ^ Mix2(block.second), 31) + first) * 5 + 0x38495AB5;
  }

  static void Join(WordPair* words) {
    words->first += words->second;
    words->second += words->first;
  }

  WordPair state_;
  /*! \brief The start of a block, at the end of the content. */
  std::string tail_;
  uint64_t size_ = 0;
};

/*! \brief The length in bytes of the parts of a file, which stay in the cache of a core. */
constexpr size_t kPart = size_t{1} << 18;
static_assert(kPart % kBlock == 0);

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
