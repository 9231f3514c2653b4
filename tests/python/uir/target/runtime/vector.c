// Vectors against loops over their lanes. instances.h has them for each type.
//
// All memory has the size of its elements, so that AddressSanitizer finds what is beyond.
#include "./checks.h"
#include "instances.h"

#define CHECK_MEMORY(T, S, L)                                                                 \
  static void check_memory_##S(void) {                                                        \
    T* from = malloc(L * sizeof(T));                                                          \
    T* to = malloc(L * sizeof(T));                                                            \
    int64x##L back;                                                                           \
    int8x##L mask;                                                                            \
    for (int i = 0; i < (int)(sizeof(mask)); ++i) {                                           \
      back[i] = i < L ? L - 1 - i : 0;                                                        \
      mask[i] = -(i % 2);                                                                     \
    }                                                                                         \
    for (int i = 0; i < L; ++i) from[i] = (T)(i + 1);                                         \
    store_##S(to, load_##S(from));                                                            \
    CHECK(memcmp(from, to, L * sizeof(T)) == 0);                                              \
    store_##S(to, gather_##S(from, back));                                                    \
    for (int i = 0; i < L; ++i) CHECK(to[i] == from[L - 1 - i]);                              \
    scatter_##S(to, back, load_##S(from));                                                    \
    for (int i = 0; i < L; ++i) CHECK(to[i] == from[L - 1 - i]);                              \
    memset(to, 0, L * sizeof(T));                                                             \
    back[0] = 1000; /* which the mask leaves out */                                           \
    scatter_masked_##S(to, back, load_##S(from), mask);                                       \
    for (int i = 0; i < L; ++i) CHECK(to[L - 1 - i] == (i % 2 != 0 ? from[i] : (T)0));        \
    store_##S(to, gather_masked_##S(from, back, mask));                                       \
    for (int i = 0; i < L; ++i) CHECK(to[i] == (i % 2 != 0 ? from[L - 1 - i] : (T)0));        \
    CHECK(check_lanes_masked_##S("line 1", "A", back, mask, L) == 0);                         \
    CHECK_RAISES(check_lanes_##S("line 1", "A", back, 7),                                     \
                 "IndexError: line 1: index 1000 of buffer `A` is out of bounds: the extent " \
                 "is 7");                                                                     \
    free(from);                                                                               \
    free(to);                                                                                 \
  }

#define CHECK_ARITHMETIC(T, S, L)                                                    \
  static void check_arithmetic_##S(void) {                                           \
    T low[L], high[L];                                                               \
    for (int i = 0; i < L; ++i) low[i] = (T)(i - 2), high[i] = (T)(2 * (L / 2 - i)); \
    const S a = load_##S(low), b = load_##S(high);                                   \
    const S least = min_##S(a, b), most = max_##S(a, b);                             \
    const S chosen = select_##S(a < b, broadcast_##S((T)7), b);                      \
    for (int i = 0; i < L; ++i) {                                                    \
      CHECK(least[i] == (low[i] < high[i] ? low[i] : high[i]));                      \
      CHECK(most[i] == (low[i] > high[i] ? low[i] : high[i]));                       \
      CHECK(chosen[i] == (low[i] < high[i] ? (T)7 : high[i]));                       \
    }                                                                                \
  }

#define CHECK_FLOATS(T, S, L)                                          \
  static void check_floats_##S(void) {                                 \
    S x = broadcast_##S(1);                                            \
    for (int i = 0; i < L; ++i) x[i] += (T)i;                          \
    const S sum = multiply_add_##S(x, x, broadcast_##S((T) - 0.5));    \
    for (int i = 0; i < L; ++i) CHECK(sum[i] == x[i] * x[i] - (T)0.5); \
    S nan = broadcast_##S((T)NAN);                                     \
    CHECK(min_##S(nan, x)[0] == 1 && max_##S(nan, x)[0] == 1);         \
  }

#define CHECK_ZERO(S, L)             \
  static void check_zero_##S(void) { \
    S x = broadcast_##S(3);          \
    CHECK(!has_zero_##S(x));         \
    for (int i = 0; i < L; ++i) {    \
      S one = x;                     \
      one[i] = 0;                    \
      CHECK(has_zero_##S(one));      \
    }                                \
  }

#define CHECK_CONVERSION(T, S, F, L, NAME)                                                  \
  static void check_##NAME##_##S(void) {                                                    \
    const T values[8] = {-7.9f, 2147483520.0f, 0.5f, -0x1p31f, 0x1p31f, NAN, 3e12f, 1e30f}; \
    for (int first = 0; first + 3 <= 8; ++first) {                                          \
      F x = {0};                                                                            \
      for (int i = 0; i < 3; ++i) x[i] = values[first + i];                                 \
      const S made = NAME##_##S(x);                                                         \
      for (int i = 0; i < L; ++i) CHECK(made[i] == from_float_int32((double)x[i]));         \
    }                                                                                       \
  }

#define EACH_FLOAT(DO)      \
  DO(float, float32x4, 4)   \
  DO(float, float32x8, 8)   \
  DO(float, float32x16, 16) \
  DO(float, float32x3, 3)   \
  DO(float, float32x32, 32) \
  DO(double, float64x2, 2)  \
  DO(double, float64x8, 8)
#define EACH_INTEGER(DO)    \
  DO(int8_t, int8x16, 16)   \
  DO(int8_t, int8x32, 32)   \
  DO(int16_t, int16x8, 8)   \
  DO(int32_t, int32x3, 3)   \
  DO(int32_t, int32x16, 16) \
  DO(int64_t, int64x4, 4)

EACH_FLOAT(CHECK_MEMORY)
EACH_INTEGER(CHECK_MEMORY)
CHECK_MEMORY(bool, boolx8, 8)
CHECK_MEMORY(bool, boolx3, 3)
EACH_FLOAT(CHECK_ARITHMETIC)
EACH_INTEGER(CHECK_ARITHMETIC)
EACH_FLOAT(CHECK_FLOATS)
CHECK_CONVERSION(float, int32x3, float32x3, 3, from_float)
CHECK_CONVERSION(float, int32x16, float32x16, 16, from_float)
CHECK_CONVERSION(double, int32x3, float64x3, 3, from_double)
CHECK_CONVERSION(double, int32x16, float64x16, 16, from_double)
CHECK_ZERO(int8x16, 16)
CHECK_ZERO(int8x32, 32)
CHECK_ZERO(int16x8, 8)
CHECK_ZERO(int32x16, 16)
CHECK_ZERO(int64x4, 4)

static void check_halves(void) {
  float values[8] = {1, -2.5f, 1.00390625f, 1.01171875f, 3.4028235e38f, 0, INFINITY, 1e-40f};
  const bfloat16x8 narrow = narrow_bfloat16x8(load_float32x8(values));
  const float32x8 wide = widen_bfloat16x8(narrow);
  for (int i = 0; i < 8; ++i) {
    CHECK(narrow[i] == narrow_bfloat16(values[i]) && wide[i] == widen_bfloat16(narrow[i]));
  }
  values[0] = NAN;
  CHECK((narrow_bfloat16x8(load_float32x8(values))[0] & 0x7FFF) > 0x7F80);
  CHECK(broadcast_bfloat16x8(0x3F80)[7] == 0x3F80);
}

// All halves, and the numbers between them, are converted as C converts one.
static void check_float16(void) {
  for (int first = 0; first < 1 << 16; first += 16) {
    float16x16 halves;
    float32x16 between;
    for (int lane = 0; lane < 16; ++lane) {
      const uint16_t bits = (uint16_t)(first + lane);
      memcpy((char*)&halves + 2 * lane, &bits, 2);
      between[lane] = (float)halves[lane] * 1.0003f;
    }
    const float32x16 wide = widen_float16x16(halves);
    const float16x16 narrow = narrow_float16x16(between);
    for (int lane = 0; lane < 16; ++lane) {
      const float one = (float)halves[lane];
      const _Float16 rounded = (_Float16)between[lane];
      CHECK(one != one ? wide[lane] != wide[lane] : wide[lane] == one);
      CHECK(rounded != rounded ? narrow[lane] != narrow[lane] : narrow[lane] == rounded);
    }
  }
}

// Bytes become integers of 32 bits, and the low bytes of integers bytes.
#define CHECK_BYTES(T, P)                               \
  static void check_bytes_##T##x##P(void) {             \
    for (int first = -600; first < 600; ++first) {      \
      int32x##P numbers;                                \
      T##x##P bytes;                                    \
      for (int lane = 0; lane < P; ++lane) {            \
        numbers[lane] = first * 8388593 + lane;         \
        bytes[lane] = (T##_t)(first + lane);            \
      }                                                 \
      const T##x##P narrow = narrow_##T##x##P(numbers); \
      const int32x##P wide = widen_##T##x##P(bytes);    \
      for (int lane = 0; lane < P; ++lane) {            \
        CHECK(narrow[lane] == (T##_t)numbers[lane]);    \
        CHECK(wide[lane] == (T##_t)(first + lane));     \
      }                                                 \
    }                                                   \
  }
CHECK_BYTES(uint8, 4)
CHECK_BYTES(uint8, 8)
CHECK_BYTES(uint8, 16)
CHECK_BYTES(int8, 4)
CHECK_BYTES(int8, 8)
CHECK_BYTES(int8, 16)

static void check_shuffle(void) {
  const float32x4 a = {0, 1, 2, 3}, b = {4, 5, 6, 7};
  const float32x4 mixed = shuffle_float32x4(a, b, 1, 4, 7, 2);
  CHECK(mixed[0] == 1 && mixed[1] == 4 && mixed[2] == 7 && mixed[3] == 2);
}

#define RUN_MEMORY(T, S, L) check_memory_##S();
#define RUN_ARITHMETIC(T, S, L) check_arithmetic_##S();
#define RUN_FLOATS(T, S, L) check_floats_##S();

int main(void) {
  EACH_FLOAT(RUN_MEMORY)
  EACH_INTEGER(RUN_MEMORY)
  check_memory_boolx8();
  check_memory_boolx3();
  EACH_FLOAT(RUN_ARITHMETIC)
  EACH_INTEGER(RUN_ARITHMETIC)
  EACH_FLOAT(RUN_FLOATS)
  check_from_float_int32x3();
  check_from_float_int32x16();
  check_from_double_int32x3();
  check_from_double_int32x16();
  check_zero_int8x16();
  check_zero_int8x32();
  check_zero_int16x8();
  check_zero_int32x16();
  check_zero_int64x4();
  check_halves();
  check_float16();
  check_bytes_uint8x4();
  check_bytes_uint8x8();
  check_bytes_uint8x16();
  check_bytes_int8x4();
  check_bytes_int8x8();
  check_bytes_int8x16();
  check_shuffle();
  puts("done");
}
