// Digests of memory: equal bytes have equal ones, and other bytes others, with random keys.
//
// The words of a row are multiplied by keys and summed. The sums are multiplied by odd numbers of
// a generator (Steele et al., Fast splittable pseudorandom number generators, 2014) and summed.
#include <stdint.h>
#include <string.h>

// The program is compiled for old processors too; wide vectors take half of the time.
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__)
#if __GNUC__ >= 12
#define UIR_WIDE __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#endif
#endif
#ifndef UIR_WIDE
#define UIR_WIDE
#endif

enum { kRow = 256 };

typedef uint32_t Word __attribute__((may_alias));

static uint64_t Mixed(uint64_t x) {
  x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
  return x ^ (x >> 31);
}

static inline __attribute__((always_inline)) uint64_t SumOf(const Word* words, const uint32_t* keys,
                                                            int64_t count) {
  uint64_t sum = 0;
  for (int64_t i = 0; i < count; ++i) sum += (uint64_t)words[i] * keys[i];
  return sum;
}

UIR_WIDE static uint64_t DigestOf(const char* memory, int64_t bytes, const uint32_t* keys) {
  const Word* words = (const Word*)memory;
  const int64_t count = bytes / 4;
  uint64_t digest = 0;
  for (int64_t row = 0; row * kRow < count; ++row) {
    const int64_t first = row * kRow;
    const int64_t end = count - first;
    const uint64_t sum =
        end < kRow ? SumOf(words + first, keys, end) : SumOf(words + first, keys, kRow);
    digest += sum * (Mixed(((uint64_t)keys[kRow] << 32) + (uint64_t)row) | 1);
  }
  Word last = 0;
  memcpy(&last, memory + count * 4, bytes % 4);
  return digest + (uint64_t)last * (Mixed(keys[kRow + 1]) | 1);
}

void uir_digests(const int64_t* addresses, const int64_t* bytes, int64_t count,
                 const uint32_t* keys, int64_t* digests) {
  for (int64_t i = 0; i < count; ++i) {
    digests[i] = (int64_t)DigestOf((const char*)addresses[i], bytes[i], keys);
  }
}
