// Arithmetic on scalars, against 128 bits or all values of 16. instances.h has it for each type.
#include "./checks.h"
#include "instances.h"

#define CHECK_DIVISION(T, S)                                              \
  static void check_division_##S(__int128 a, __int128 b) {                \
    const __int128 quotient = a / b, rest = a % b;                        \
    const bool is_between = rest != 0 && (rest < 0) != (b < 0);           \
    CHECK(truncdiv_##S((T)a, (T)b) == (T)quotient);                       \
    CHECK(truncmod_##S((T)a, (T)b) == (T)rest);                           \
    CHECK(floordiv_##S((T)a, (T)b) == (T)(quotient - is_between));        \
    CHECK(floormod_##S((T)a, (T)b) == (T)(is_between ? rest + b : rest)); \
  }
#define CHECK_LANES(T, S)                                             \
  static void check_lanes_##S(__int128 a, __int128 b) {               \
    check_division_##S(a, b);                                         \
    CHECK(truncdiv_lane_##S((T)a, (T)b) == truncdiv_##S((T)a, (T)b)); \
    CHECK(truncmod_lane_##S((T)a, (T)b) == truncmod_##S((T)a, (T)b)); \
    CHECK(floordiv_lane_##S((T)a, (T)b) == floordiv_##S((T)a, (T)b)); \
    CHECK(floormod_lane_##S((T)a, (T)b) == floormod_##S((T)a, (T)b)); \
  }

CHECK_DIVISION(int8_t, int8)
CHECK_LANES(int8_t, int8)
CHECK_DIVISION(int16_t, int16)
CHECK_LANES(int16_t, int16)
CHECK_DIVISION(int32_t, int32)
CHECK_LANES(int32_t, int32)
CHECK_DIVISION(int64_t, int64)

// Calls a check with the numbers next to the ends of a type, to 0 and to powers of two.
static void try_edges(void (*check)(__int128, __int128), int bits) {
  __int128 edges[400];
  int count = 0;
  for (int bit = 0; bit < bits; ++bit) {
    for (int step = -1; step <= 1; ++step) {
      const __int128 edge = ((__int128)1 << bit) + step, end = (__int128)1 << (bits - 1);
      if (edge < end) edges[count++] = edge;
      if (-edge >= -end) edges[count++] = -edge;
    }
  }
  for (int i = 0; i < count; ++i) {
    for (int j = 0; j < count; ++j) {
      if (edges[j] != 0) check(edges[i], edges[j]);
    }
  }
}

static void check_divisions(void) {
  for (int a = INT8_MIN; a <= INT8_MAX; ++a) {
    for (int b = INT8_MIN; b <= INT8_MAX; ++b) {
      if (b != 0) check_lanes_int8(a, b);
    }
  }
  try_edges(check_lanes_int16, 16);
  try_edges(check_lanes_int32, 32);
  try_edges(check_division_int64, 64);
  CHECK(floordiv_float32(-7, 2) == -4 && floormod_float32(-7, 2) == 1);
  CHECK(floordiv_float64(7, -2) == -4 && floormod_float64(7, -2) == -1);
}

static void check_integers(void) {
  CHECK(min_int8(-3, 2) == -3 && max_int8(-3, 2) == 2 && abs_int8(-128) == -128);
  uint32_t power = 1;
  for (int exponent = 0; exponent < 70; ++exponent, power *= 7) {
    CHECK((uint32_t)pow_int32(7, exponent) == power);
  }
  CHECK(pow_int32(-1, -3) == -1 && pow_int32(-1, -2) == 1 && pow_int32(1, -5) == 1);
  CHECK(pow_int32(2, -1) == 0 && pow_int32(0, -1) == 0 && pow_int8(2, 7) == -128);
  CHECK(popcount_int8(-1) == 8 && popcount_int64(-1) == 64 && popcount_int32(0) == 0);
  CHECK(clz_int8(1) == 7 && clz_int32(0) == 32 && clz_int64(-1) == 0);
}

static void check_conversions(void) {
  CHECK(to_int64(-2.9) == -2 && to_int64(0x1p63) == INT64_MIN && to_int64(0x1p64 + 4096) == 4096);
  CHECK(to_int64(-0x1p63 - 2048) == INT64_MAX - 2047 && to_int64(INFINITY) == 0 &&
        to_int64(NAN) == 0);
  CHECK(from_float_int8(300.7) == 44 && from_float_int32(-1e10) == -1410065408);
  for (uint32_t bits = 0; bits < 1 << 16; ++bits) {
    const float value = widen_bfloat16((uint16_t)bits);
    CHECK(value != value ? (narrow_bfloat16(value) & 0x7FFF) > 0x7F80
                         : narrow_bfloat16(value) == bits);
  }
  CHECK(narrow_bfloat16(1.00390625f) == 0x3F80 && narrow_bfloat16(1.01171875f) == 0x3F82);
  CHECK(narrow_bfloat16(3.4028235e38f) == 0x7F80);
  const float one = 1;
  CHECK(reinterpret_int32(&one) == 0x3F800000);
}

static void check_floats(void) {
  CHECK(likely(true) && !likely(false));
  CHECK(min_float32(NAN, 2) == 2 && max_float32(1, 2) == 2);
  CHECK(multiply_add_float32(2, 3, 4) == 10 && multiply_add_float64(2, 3, 4) == 10);
  CHECK(rsqrt_float32(4) == 0.5f && exp10_float64(2) == 100 && sigmoid_float32(0) == 0.5f);
}

int main(void) {
  check_divisions();
  check_integers();
  check_conversions();
  check_floats();
  puts("done");
}
