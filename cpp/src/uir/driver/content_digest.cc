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
#include <cstdint>
#include <cstring>

namespace uir::driver {

namespace {

constexpr uint64_t kPrime1 = 0x9E3779B185EBCA87;
constexpr uint64_t kPrime2 = 0xC2B2AE3D27D4EB4F;
constexpr int kRotation = 31;

/*! \brief Four states, each of which takes every fourth word. */
using State = std::array<uint64_t, 4>;
constexpr size_t kBlock = sizeof(State);

void Round(const State& words, State* state) {
  for (size_t i = 0; i < words.size(); ++i) {
    const uint64_t sum = (*state)[i] + words[i] * kPrime2;
    (*state)[i] = (sum << kRotation | sum >> (64 - kRotation)) * kPrime1;
  }
}

}  // namespace

std::string ContentDigest(std::string_view content) {
  const size_t size = content.size();
  State state = {kPrime1 + kPrime2, kPrime2, 0, uint64_t{0} - kPrime1};
  for (; content.size() >= kBlock; content.remove_prefix(kBlock)) {
    State words;
    std::memcpy(words.data(), content.data(), kBlock);
    Round(words, &state);
  }
  std::string rest(reinterpret_cast<const char*>(state.data()), kBlock);
  rest += content;
  return tschema::Sha256(rest + ":" + std::to_string(size));
}

}  // namespace uir::driver
