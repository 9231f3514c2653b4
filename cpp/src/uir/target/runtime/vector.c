// Vectors, in memory and in arithmetic.
//
// A number of lanes is rounded up to a power of two. The added lanes repeat the last one, so that
// operations on them have no further effects, such as faults.
//
// Compile it with -std=gnu11 -ffp-contract=off -fwrapv -fno-strict-aliasing.

//! in each version

//! helper load
static inline $S load_$S(const $E* p) {
  $S value;
  __builtin_memcpy(&value, p, sizeof(value));
  return value;
}

//! helper keep
// Stays in a register: a compiler neither loads it again, nor keeps values loaded before.
static inline $S keep_$S($S value) {
#if defined(__AVX__) && $B * $P == 256
  __asm__ volatile("" : "+x"(value) : : "memory");
#endif
  return value;
}

//! helper load.padded
// gcc loads lanes one by one.
static inline $S load_$S(const $E* p) {
  $S value;
#if defined(__GNUC__) && !defined(__clang__) && defined(__AVX512BW__) && defined(__AVX512VL__) && \
    (($B == 32 && $P >= 8 && $P <= 16) || ($B == 8 && $P <= 64))
  const unsigned long long valid = (1ull << ($L - 1) << 1) - 1;
#if $B == 8
  typedef char lanes __attribute__((vector_size($P > 16 ? $P : 16)));
  const lanes last = (char)p[$L - 1] - (lanes){0};
#if $P == 64
  const lanes loaded = __builtin_ia32_loaddquqi512_mask((const char*)p, last, valid);
#elif $P == 32
  const lanes loaded = __builtin_ia32_loaddquqi256_mask((const char*)p, last, valid);
#else
  const lanes loaded = __builtin_ia32_loaddquqi128_mask((const char*)p, last, valid);
#endif
#else
  typedef int lanes __attribute__((vector_size($P * 4)));
  int element;
  __builtin_memcpy(&element, p + $L - 1, sizeof(element));
  const lanes last = element - (lanes){0};
#if $P == 8
  const lanes loaded = __builtin_ia32_loaddqusi256_mask((const int*)p, last, valid);
#else
  const lanes loaded = __builtin_ia32_loaddqusi512_mask((const int*)p, last, valid);
#endif
#endif
  __builtin_memcpy(&value, &loaded, sizeof(value));
#else
  for (int lane = 0; lane < $P; ++lane) value[lane] = p[lane < $L ? lane : $L - 1];
#endif
  return value;
}

//! helper load.bool
static inline $K load_$S(const bool* p) {
  $K mask;
  for (int lane = 0; lane < $P; ++lane) mask[lane] = -p[lane < $L ? lane : $L - 1];
  return mask;
}

//! helper store
static inline void store_$S($E* p, $S value) {
  // The lanes that pad a vector are not stored.
  __builtin_memcpy(p, &value, $L * sizeof(*p));
}

//! helper store.bool
static inline void store_$S(bool* p, $K mask) {
  for (int lane = 0; lane < $L; ++lane) p[lane] = mask[lane] != 0;
}

//! helper gather
static inline $S gather_$S(const $E* p, $I index) {
  $S value;
  // gcc keeps vectors in registers if it knows the number of each lane.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC unroll $P
#endif
  for (int lane = 0; lane < $P; ++lane) value[lane] = p[index[lane]];
  return value;
}

//! helper strided
static inline $S strided_$S(const $E* p, int64_t stride) {
  $S value;
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC unroll $P
#endif
  for (int lane = 0; lane < $P; ++lane) value[lane] = p[lane * stride];
  return value;
}

//! helper gather.bool
static inline $K gather_$S(const bool* p, $I index) {
  $K mask;
  for (int lane = 0; lane < $P; ++lane) mask[lane] = -p[index[lane]];
  return mask;
}

//! helper scatter
static inline void scatter_$S($E* p, $I index, $S value) {
  for (int lane = 0; lane < $L; ++lane) p[index[lane]] = value[lane];
}

//! helper scatter.bool
static inline void scatter_$S(bool* p, $I index, $K mask) {
  for (int lane = 0; lane < $L; ++lane) p[index[lane]] = mask[lane] != 0;
}

//! helper gather_masked
static inline $S gather_masked_$S(const $E* p, $I index, $K mask) {
  $S value;
  for (int lane = 0; lane < $P; ++lane) value[lane] = mask[lane] ? p[index[lane]] : 0;
  return value;
}

//! helper gather_masked.bool
static inline $K gather_masked_$S(const bool* p, $I index, $K mask) {
  for (int lane = 0; lane < $P; ++lane) mask[lane] = mask[lane] ? -p[index[lane]] : 0;
  return mask;
}

//! helper scatter_masked
static inline void scatter_masked_$S($E* p, $I index, $S value, $K mask) {
  for (int lane = 0; lane < $L; ++lane) {
    if (mask[lane]) p[index[lane]] = value[lane];
  }
}

//! helper scatter_masked.bool
static inline void scatter_masked_$S(bool* p, $I index, $K value, $K mask) {
  for (int lane = 0; lane < $L; ++lane) {
    if (mask[lane]) p[index[lane]] = value[lane] != 0;
  }
}

//! helper check_lanes: fail_index
static inline int32_t check_lanes_$S(const char* place, const char* name, $I index,
                                     int64_t extent) {
  for (int lane = 0; lane < $L; ++lane) {
    const int64_t at = index[lane];
    if (at < 0 || at >= extent) return fail_index(place, name, at, 1, extent);
  }
  return 0;
}

//! helper check_lanes_masked: fail_index
static inline int32_t check_lanes_masked_$S(const char* place, const char* name, $I index, $K mask,
                                            int64_t extent) {
  for (int lane = 0; lane < $L; ++lane) {
    const int64_t at = index[lane];
    if (mask[lane] && (at < 0 || at >= extent)) return fail_index(place, name, at, 1, extent);
  }
  return 0;
}

//! helper broadcast
static inline $S broadcast_$S($E x) { return x - ($S){0}; }

//! helper broadcast.half
static inline $S broadcast_$S($E x) {
  $S value;
  for (int lane = 0; lane < $P; ++lane) value[lane] = x;
  return value;
}

//! helper widen.vector
static inline $W widen_$S($S x) { return ($W)(__builtin_convertvector(x, $V) << 16); }

//! helper narrow.vector
static inline $S narrow_$S($W x) {
  const $V bits = ($V)x;
  const $V nan = ($V)(x != x);
  const $V rounded = bits + 0x7FFF + ((bits >> 16) & 1);
  return __builtin_convertvector(((rounded & ~nan) | ((bits | 0x400000) & nan)) >> 16, $S);
}

//! helper widen.half
// gcc converts halves one by one.
static inline $W widen_$S($S x) {
#if defined(__GNUC__) && !defined(__clang__) && defined(__AVX512F__) && $P == 16
  typedef short bits __attribute__((vector_size(32)));
  return __builtin_ia32_vcvtph2ps512_mask((bits)x, ($W){0}, -1, 4);
#elif defined(__GNUC__) && !defined(__clang__) && defined(__F16C__) && $P == 8
  typedef short bits __attribute__((vector_size(16)));
  return __builtin_ia32_vcvtph2ps256((bits)x);
#else
  return __builtin_convertvector(x, $W);
#endif
}

//! helper narrow.half
static inline $S narrow_$S($W x) {
#if defined(__GNUC__) && !defined(__clang__) && defined(__AVX512F__) && $P == 16
  typedef short bits __attribute__((vector_size(32)));
  return ($S)__builtin_ia32_vcvtps2ph512_mask(x, 0, (bits){0}, -1);
#elif defined(__GNUC__) && !defined(__clang__) && defined(__F16C__) && $P == 8
  return ($S)__builtin_ia32_vcvtps2ph256(x, 0);
#else
  return __builtin_convertvector(x, $S);
#endif
}

//! helper widen.uint8
// gcc converts bytes one by one.
static inline $Y widen_$S($S x) {
#if defined(__GNUC__) && !defined(__clang__) && defined(__AVX512F__) && $P == 16
  typedef char bytes __attribute__((vector_size(16)));
  return __builtin_ia32_pmovzxbd512_mask((bytes)x, ($Y){0}, -1);
#elif defined(__GNUC__) && !defined(__clang__) && defined(__AVX2__) && $P == 8
  char bytes __attribute__((vector_size(16))) = {0};
  __builtin_memcpy(&bytes, &x, sizeof(x));
  return __builtin_ia32_pmovzxbd256(bytes);
#else
  return __builtin_convertvector(x, $Y);
#endif
}

//! helper widen.int8
static inline $Y widen_$S($S x) {
#if defined(__GNUC__) && !defined(__clang__) && defined(__AVX512F__) && $P == 16
  typedef char bytes __attribute__((vector_size(16)));
  return __builtin_ia32_pmovsxbd512_mask((bytes)x, ($Y){0}, -1);
#elif defined(__GNUC__) && !defined(__clang__) && defined(__AVX2__) && $P == 8
  char bytes __attribute__((vector_size(16))) = {0};
  __builtin_memcpy(&bytes, &x, sizeof(x));
  return __builtin_ia32_pmovsxbd256(bytes);
#else
  return __builtin_convertvector(x, $Y);
#endif
}

//! helper narrow.byte
static inline $S narrow_$S($Y x) {
#if defined(__GNUC__) && !defined(__clang__) && defined(__AVX512F__) && $P == 16
  typedef char bytes __attribute__((vector_size(16)));
  return ($S)__builtin_ia32_pmovdb512_mask(x, (bytes){0}, -1);
#elif defined(__GNUC__) && !defined(__clang__) && defined(__AVX512VL__) && $P == 8
  typedef char bytes __attribute__((vector_size(16)));
  const bytes low = __builtin_ia32_pmovdb256_mask(x, (bytes){0}, -1);
  $S value;
  __builtin_memcpy(&value, &low, sizeof(value));
  return value;
#elif defined(__GNUC__) && !defined(__clang__) && defined(__AVX2__) && $P == 8
  // The low bytes of both halves, then together.
  typedef char bytes __attribute__((vector_size(32)));
  typedef int lanes __attribute__((vector_size(32)));
  const bytes order = {0, 4, 8, 12, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
                       0, 4, 8, 12, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1};
  const lanes parts = (lanes)__builtin_ia32_pshufb256((bytes)x, order);
  const lanes low = __builtin_ia32_permvarsi256(parts, (lanes){0, 4, 1, 1, 1, 1, 1, 1});
  $S value;
  __builtin_memcpy(&value, &low, sizeof(value));
  return value;
#else
  return __builtin_convertvector(x, $S);
#endif
}

//! helper select
static inline $S select_$S($M mask, $S a, $S b) { return ($S)((($M)a & mask) | (($M)b & ~mask)); }

//! helper shuffle
#if defined(__clang__) || __GNUC__ >= 12
#define shuffle_$S(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define shuffle_$S(a, b, ...) __builtin_shuffle(a, b, ($M){__VA_ARGS__})
#endif

//! helper multiply_add.vector
static inline $S multiply_add_$S($S a, $S b, $S c) {
#if defined(__clang__)
#pragma clang fp contract(on)
  return a * b + c;
#elif defined(__AVX512F__) && $P * $B == 512
  return __builtin_ia32_vfmaddp$D512_mask(a, b, c, -1, 4);
#elif defined(__FMA__) && $P * $B == 256
  return __builtin_ia32_vfmaddp$D256(a, b, c);
#elif defined(__FMA__) && $P * $B == 128
  return __builtin_ia32_vfmaddp$D(a, b, c);
#elif defined(__aarch64__) && $P * $B == 128
  return __builtin_aarch64_fmav$P$Df(a, b, c);
#elif defined(__AVX512F__) && $P * $B == 1024
  // gcc keeps halves of a union in registers, and those that it shuffles in memory.
  typedef $T half __attribute__((vector_size(64)));
  union {
    $S whole;
    half halves[2];
  } x = {a}, y = {b}, z = {c};
  for (int i = 0; i < 2; ++i) {
    z.halves[i] = __builtin_ia32_vfmaddp$D512_mask(x.halves[i], y.halves[i], z.halves[i], -1, 4);
  }
  return z.whole;
#elif defined(__FMA__) && $P * $B == 512
  typedef $T half __attribute__((vector_size(32)));
  union {
    $S whole;
    half halves[2];
  } x = {a}, y = {b}, z = {c};
  for (int i = 0; i < 2; ++i) {
    z.halves[i] = __builtin_ia32_vfmaddp$D256(x.halves[i], y.halves[i], z.halves[i]);
  }
  return z.whole;
#elif defined(__FMA__) || defined(__FP_FAST_FMA)
  $S value;
  for (int lane = 0; lane < $P; ++lane) {
    value[lane] = __builtin_fma$F(a[lane], b[lane], c[lane]);
  }
  return value;
#else
  return a * b + c;
#endif
}

//! helper dot4.vector
// Bytes of uint8 times bytes of int8. No instruction is used whose sums of two products saturate.
static inline $S dot4_$S($S sum, $S a, $S b) {
#if defined(__AVX512VNNI__) && $P == 16 && defined(__clang__)
  return __builtin_ia32_vpdpbusd512(sum, a, b);
#elif defined(__AVX512VNNI__) && $P == 16
  return __builtin_ia32_vpdpbusd_v16si(sum, a, b);
#elif (defined(__AVXVNNI__) || (defined(__AVX512VNNI__) && defined(__AVX512VL__))) && $P == 8
#if defined(__clang__)
  return __builtin_ia32_vpdpbusd256(sum, a, b);
#else
  return __builtin_ia32_vpdpbusd_v8si(sum, a, b);
#endif
#elif defined(__ARM_FEATURE_MATMUL_INT8) && $P == 4
  __asm__("usdot %0.4s, %1.16b, %2.16b" : "+w"(sum) : "w"(a), "w"(b));
  return sum;
#elif defined(__ARM_FEATURE_DOTPROD) && $P == 4
  // A uint8 is its low seven bits less the number that its high bit is in an int8.
  const $S low = a & 0x7F7F7F7F, high = a & ~0x7F7F7F7F;
  $S less = {0};
  __asm__("sdot %0.4s, %1.16b, %2.16b" : "+w"(sum) : "w"(low), "w"(b));
  __asm__("sdot %0.4s, %1.16b, %2.16b" : "+w"(less) : "w"(high), "w"(b));
  return sum - less;
#elif (defined(__AVX512BW__) && $P == 16) || (defined(__AVX2__) && $P == 8) || \
    (defined(__SSE2__) && $P == 4)
  // Even and odd bytes as words, of which an instruction adds two products as int32.
  typedef short words __attribute__((vector_size($P * 4)));
  const words even = (words)(a & 0x00FF00FF), odd = (words)(a >> 8 & 0x00FF00FF);
  const words left = (words)b << 8 >> 8, right = (words)b >> 8;
#if $P == 4
  return sum + __builtin_ia32_pmaddwd128(even, left) + __builtin_ia32_pmaddwd128(odd, right);
#elif $P == 8
  return sum + __builtin_ia32_pmaddwd256(even, left) + __builtin_ia32_pmaddwd256(odd, right);
#elif defined(__clang__)
  return sum + __builtin_ia32_pmaddwd512(even, left) + __builtin_ia32_pmaddwd512(odd, right);
#else
  sum += __builtin_ia32_pmaddwd512_mask(even, left, ($S){0}, -1);
  return sum + __builtin_ia32_pmaddwd512_mask(odd, right, ($S){0}, -1);
#endif
#else
  for (int bit = 0; bit < 32; bit += 8) sum += (a >> bit & 255) * (b << (24 - bit) >> 24);
  return sum;
#endif
}

//! helper has_zero
// Whether a lane is 0.
static inline bool has_zero_$S($S x) {
#if defined(__clang__) && __clang_major__ >= 15
  return __builtin_reduce_or(x == 0) != 0;
#elif defined(__AVX512BW__) && $P * $B == 512
  typedef $G lanes __attribute__((vector_size(64)));
  return __builtin_ia32_ptestnm$N512((lanes)x, (lanes)x, -1) != 0;
#elif defined(__AVX2__) && $P * $B == 256
  typedef char bytes __attribute__((vector_size(32)));
  return __builtin_ia32_pmovmskb256((bytes)(x == 0)) != 0;
#elif defined(__SSE2__) && $P * $B == 128
  typedef char bytes __attribute__((vector_size(16)));
  return __builtin_ia32_pmovmskb128((bytes)(x == 0)) != 0;
#else
  for (int lane = 0; lane < $P; ++lane) {
    if (x[lane] == 0) return true;
  }
  return false;
#endif
}

//! helper from_float.vector: to_int64
// Lanes that int32 holds are converted together.
static inline $S from_float_$S($W x) {
  if (!has_zero_$S((x >= -0x1p31f) & (x < 0x1p31f))) return __builtin_convertvector(x, $S);
  $S value;
  for (int lane = 0; lane < $P; ++lane) value[lane] = ($T)to_int64(x[lane]);
  return value;
}

//! helper from_double.vector: to_int64
static inline $S from_double_$S($X x) {
  const $I inside = (x >= -0x1p31) & (x < 0x1p31);
  if (!has_zero_$S(__builtin_convertvector(inside, $S))) return __builtin_convertvector(x, $S);
  $S value;
  for (int lane = 0; lane < $P; ++lane) value[lane] = ($T)to_int64(x[lane]);
  return value;
}

//! helper min.vector
static inline $S min_$S($S a, $S b) {
  const $M mask = a < b;
  return ($S)((($M)a & mask) | (($M)b & ~mask));
}

//! helper min.float
//! If neither operand is less, the instruction also gives the second one. GCC cannot know that.
static inline $S min_$S($S a, $S b) {
#if !defined(__clang__) && defined(__AVX512F__) && $P * $B == 512
  return __builtin_ia32_minp$D512_mask(a, b, a, -1, 4);
#elif !defined(__clang__) && defined(__AVX__) && $P * $B == 256
  return __builtin_ia32_minp$D256(a, b);
#elif !defined(__clang__) && defined(__SSE2__) && $P * $B == 128
  return __builtin_ia32_minp$D(a, b);
#else
  const $M mask = a < b;
  return ($S)((($M)a & mask) | (($M)b & ~mask));
#endif
}

//! helper max.vector
static inline $S max_$S($S a, $S b) {
  const $M mask = a > b;
  return ($S)((($M)a & mask) | (($M)b & ~mask));
}

//! helper max.float
//! If neither is greater, the instruction also gives the second one. GCC cannot know that.
static inline $S max_$S($S a, $S b) {
#if !defined(__clang__) && defined(__AVX512F__) && $P * $B == 512
  return __builtin_ia32_maxp$D512_mask(a, b, a, -1, 4);
#elif !defined(__clang__) && defined(__AVX__) && $P * $B == 256
  return __builtin_ia32_maxp$D256(a, b);
#elif !defined(__clang__) && defined(__SSE2__) && $P * $B == 128
  return __builtin_ia32_maxp$D(a, b);
#else
  const $M mask = a > b;
  return ($S)((($M)a & mask) | (($M)b & ~mask));
#endif
}
