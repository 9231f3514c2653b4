// Arithmetic on scalars that C has no operator for.
//
// Compile it with -std=gnu11 -ffp-contract=off -fwrapv -fno-strict-aliasing.

//! in each version

//! helper likely
static inline bool likely(bool condition) { return __builtin_expect(condition, 1); }

//! helper min
static inline $T min_$S($T a, $T b) { return a < b ? a : b; }

//! helper max
static inline $T max_$S($T a, $T b) { return a > b ? a : b; }

//! helper truncdiv
static inline $T truncdiv_$S($T a, $T b) { return b == -1 ? -a : a / b; }

//! helper truncmod
static inline $T truncmod_$S($T a, $T b) { return b == -1 ? 0 : a % b; }

//! helper floordiv
static inline $T floordiv_$S($T a, $T b) {
  if (b == -1) return -a;
  return a / b - (a % b != 0 && (a ^ b) < 0);
}

//! helper floormod
static inline $T floormod_$S($T a, $T b) {
  if (b == -1) return 0;
  const $T remainder = a % b;
  return remainder != 0 && (remainder ^ b) < 0 ? remainder + b : remainder;
}

//! helper truncdiv_lane
//! A quotient that is not whole differs from the next number by more than a float of twice the
//! bits is rounded by. Compilers divide floats by whole vectors, and integers one by one.
static inline $T truncdiv_lane_$S($T a, $T b) {
#if $B == 32
  const double quotient = (double)a / (double)b;
  const bool wraps = ($T)-1 < 0 && quotient == 0x1p31;
  return ($T)(wraps ? -quotient : quotient);
#else
  return ($T)(int32_t)((float)(int32_t)a / (float)(int32_t)b);
#endif
}

//! helper truncmod_lane
static inline $T truncmod_lane_$S($T a, $T b) { return a - truncdiv_lane_$S(a, b) * b; }

//! helper floordiv_lane
static inline $T floordiv_lane_$S($T a, $T b) {
  const $T quotient = truncdiv_lane_$S(a, b);
  const $T remainder = a - quotient * b;
  return quotient - ((remainder != 0) & ((remainder ^ b) < 0));
}

//! helper floormod_lane
static inline $T floormod_lane_$S($T a, $T b) {
  const $T remainder = a - truncdiv_lane_$S(a, b) * b;
  return remainder + (b & -((remainder != 0) & ((remainder ^ b) < 0)));
}

//! helper floordiv.float
#include <math.h>

static inline $T floordiv_$S($T a, $T b) { return floor((double)a / (double)b); }

//! helper floormod.float
#include <math.h>

static inline $T floormod_$S($T a, $T b) {
  return (double)a - (double)b * floor((double)a / (double)b);
}

//! helper abs
static inline $T abs_$S($T x) { return x < 0 ? -x : x; }

//! helper pow
// A negative power is 1 divided by the positive one, without a fraction; of 0 it is 0.
static inline $T pow_$S($T x, $T exponent) {
  if (exponent < 0) return x == 1 ? 1 : x == -1 ? (exponent & 1 ? -1 : 1) : 0;
  $T power = 1;
  for (; exponent > 0; exponent >>= 1) {
    if (exponent & 1) power *= x;
    x *= x;
  }
  return power;
}

//! helper popcount
static inline $T popcount_$S($T x) { return __builtin_popcountll(($U)x); }

//! helper clz
static inline $T clz_$S($T x) { return x == 0 ? $B : __builtin_clzll(($U)x) - (64 - $B); }

//! helper to_int64
#include <math.h>

// Rounds towards zero; what int64_t cannot hold wraps around, and 0 stands for NaN and infinities.
static inline int64_t to_int64(double x) {
  if (x >= -0x1p63 && x < 0x1p63) return (int64_t)x;
  if (!isfinite(x)) return 0;
  const double rest = fmod(x, 0x1p64);
  return (int64_t)(uint64_t)(rest < 0 ? rest + 0x1p64 : rest);
}

//! helper from_float: to_int64
static inline $T from_float_$S(double x) { return ($T)to_int64(x); }

//! helper multiply_add
static inline $T multiply_add_$S($T a, $T b, $T c) {
#if defined(__clang__)
#pragma clang fp contract(on)
  return a * b + c;
#elif defined(__FMA__) || defined(__FP_FAST_FMA)
  return __builtin_fma$F(a, b, c);
#else
  return a * b + c;
#endif
}

//! helper dot4
// Bytes of uint8 times bytes of int8.
static inline $T dot4_$S($T sum, $T a, $T b) {
  for (int bit = 0; bit < 32; bit += 8) sum += (uint8_t)(a >> bit) * (int8_t)(b >> bit);
  return sum;
}

//! helper rsqrt
#include <math.h>

static inline $T rsqrt_$S($T x) { return 1 / sqrt$F(x); }

//! helper exp10
#include <math.h>

static inline $T exp10_$S($T x) { return pow$F(10, x); }

//! helper sigmoid
#include <math.h>

static inline $T sigmoid_$S($T x) { return 1 / (1 + exp$F(-x)); }

//! helper widen
static inline float widen_$S($T x) {
  const uint32_t bits = (uint32_t)x << 16;
  float value;
  __builtin_memcpy(&value, &bits, sizeof(value));
  return value;
}

//! helper narrow
// Rounds to the nearest number, of two such to the even one; a NaN stays a NaN.
static inline $T narrow_$S(float x) {
  uint32_t bits;
  __builtin_memcpy(&bits, &x, sizeof(bits));
  if (x != x) return bits >> 16 | 0x40;
  return (bits + 0x7FFF + (bits >> 16 & 1)) >> 16;
}

//! helper reinterpret
static inline $T reinterpret_$S(const void* bits) {
  $T value;
  __builtin_memcpy(&value, bits, sizeof(value));
  return value;
}
