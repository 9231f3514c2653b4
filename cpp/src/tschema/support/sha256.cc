/*!
 * \file sha256.cc
 * \brief SHA-256, as specified in FIPS 180-4.
 *
 * Written by hand because tvm-ffi and the standard library have no digest that is the same in every
 * process, and a library of cryptography would be a dependency at run time for 92 lines.
 */
#include <tschema/sha256.h>

#include <array>
#include <cstdint>

namespace tschema {
namespace {

constexpr size_t kBlock = 64;
constexpr size_t kRounds = 64;
using HashState = std::array<uint32_t, 8>;

/*! \brief Fractional parts of the cube roots of the first 64 primes. */
constexpr std::array<uint32_t, kRounds> kConstants = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

/*! \brief Fractional parts of the square roots of the first 8 primes. */
constexpr HashState kStart = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                              0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

uint32_t Rotate(uint32_t word, int bits) { return (word >> bits) | (word << (32 - bits)); }

std::array<uint32_t, kRounds> Schedule(const char* block) {
  std::array<uint32_t, kRounds> words{};
  for (size_t at = 0; at < kBlock; ++at) {
    words[at / 4] = (words[at / 4] << 8) | static_cast<unsigned char>(block[at]);
  }
  for (size_t at = 16; at < kRounds; ++at) {
    uint32_t early = words[at - 15];
    uint32_t late = words[at - 2];
    words[at] = words[at - 16] + words[at - 7] +
                (Rotate(early, 7) ^ Rotate(early, 18) ^ (early >> 3)) +
                (Rotate(late, 17) ^ Rotate(late, 19) ^ (late >> 10));
  }
  return words;
}

void Absorb(const char* block, HashState* state) {
  std::array<uint32_t, kRounds> words = Schedule(block);
  auto [a, b, c, d, e, f, g, h] = *state;
  for (size_t round = 0; round < kRounds; ++round) {
    uint32_t one = h + (Rotate(e, 6) ^ Rotate(e, 11) ^ Rotate(e, 25)) + ((e & f) ^ (~e & g)) +
                   kConstants[round] + words[round];
    uint32_t two = (Rotate(a, 2) ^ Rotate(a, 13) ^ Rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = d + one;
    d = c;
    c = b;
    b = a;
    a = one + two;
  }
  HashState mixed = {a, b, c, d, e, f, g, h};
  for (size_t at = 0; at < mixed.size(); ++at) (*state)[at] += mixed[at];
}

/*! \brief A one bit, zeros, and the length in bits, up to a whole block. */
std::string Padded(std::string_view text) {
  std::string padded(text);
  padded.push_back('\x80');
  while (padded.size() % kBlock != kBlock - sizeof(uint64_t)) padded.push_back('\0');
  uint64_t bits = uint64_t{text.size()} * 8;
  for (int shift = 56; shift >= 0; shift -= 8) padded.push_back(static_cast<char>(bits >> shift));
  return padded;
}

}  // namespace

std::string Sha256(std::string_view text) {
  std::string padded = Padded(text);
  HashState state = kStart;
  for (size_t at = 0; at < padded.size(); at += kBlock) Absorb(padded.data() + at, &state);
  std::string digits;
  for (uint32_t word : state) {
    for (int shift = 28; shift >= 0; shift -= 4) digits += "0123456789abcdef"[(word >> shift) & 15];
  }
  return digits;
}

}  // namespace tschema
