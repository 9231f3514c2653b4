// Products of four bytes in all forms of one machine, against a sum of products.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "instances.h"

static int32_t expected(int32_t sum, const uint8_t* a, const int8_t* b) {
  int64_t total = sum;
  for (int i = 0; i < 4; ++i) total += a[i] * b[i];
  return (int32_t)(uint32_t)total;
}

static int failures;

static void check(int32_t got, int32_t sum, const uint8_t* a, const int8_t* b) {
  failures += got != expected(sum, a, b);
}

#define CHECK_LANES(S, L)                                                         \
  static void check_##S(const int32_t* sums, const uint8_t* a, const int8_t* b) { \
    S x = {0}, y = {0}, z = {0};                                                  \
    for (int i = 0; i < L; ++i) {                                                 \
      __builtin_memcpy((char*)&x + 4 * i, a + 4 * i, 4);                          \
      __builtin_memcpy((char*)&y + 4 * i, b + 4 * i, 4);                          \
      z[i] = sums[i];                                                             \
    }                                                                             \
    const S got = dot4_##S(z, x, y);                                              \
    for (int i = 0; i < L; ++i) check(got[i], sums[i], a + 4 * i, b + 4 * i);     \
  }

CHECK_LANES(int32x3, 3)
CHECK_LANES(int32x4, 4)
CHECK_LANES(int32x8, 8)
CHECK_LANES(int32x16, 16)
CHECK_LANES(int32x32, 32)

int main(void) {
  // All pairs of the extremes, also where two products saturate 16 bits and where sums wrap around.
  static const uint32_t extremes[] = {0, 1, 127, 128, 254, 255};
  static const int32_t sums[] = {0, -1, INT32_MAX, INT32_MIN};
  uint8_t a[128];
  int8_t b[128];
  int32_t c[32];
  uint32_t random = 1;
  for (int round = 0; round < 4096; ++round) {
    for (int i = 0; i < 128; ++i) {
      random = random * 1664525 + 1013904223;
      a[i] = (uint8_t)(round % 2 != 0 ? random >> 24 : extremes[(random >> 16) % 6]);
      random = random * 1664525 + 1013904223;
      b[i] = (int8_t)(round % 2 != 0 ? random >> 24 : extremes[(random >> 16) % 6]);
    }
    for (int i = 0; i < 32; ++i) c[i] = sums[(round + i) % 4];
    check_int32x3(c, a, b);
    check_int32x4(c, a, b);
    check_int32x8(c, a, b);
    check_int32x16(c, a, b);
    check_int32x32(c, a, b);
    int32_t x, y;
    __builtin_memcpy(&x, a, 4);
    __builtin_memcpy(&y, b, 4);
    check(dot4_int32(c[0], x, y), c[0], a, b);
  }
  if (failures != 0) printf("%d wrong sums\n", failures);
  puts("done");
  return failures != 0;
}
