// Helper functions of emitted code: vectors, in memory and in arithmetic.
//
// A number of lanes is rounded up to a power of two. The added lanes repeat the last one, so that
// operations on them have no further effects, such as faults.
#include <iterator>

#include "./prelude.h"

namespace uir::target {

namespace {

constexpr Helper kVectorHelpers[] = {
    {"load", "", R"(static inline $S load_$S(const $E* p) {
  $S value;
  __builtin_memcpy(&value, p, sizeof(value));
  return value;
}
)"},
    {"load.padded", "", R"(static inline $S load_$S(const $E* p) {
  $S value;
  for (int lane = 0; lane < $P; ++lane) value[lane] = p[lane < $L ? lane : $L - 1];
  return value;
}
)"},
    {"load.bool", "", R"(static inline $K load_$S(const bool* p) {
  $K mask;
  for (int lane = 0; lane < $P; ++lane) mask[lane] = -p[lane < $L ? lane : $L - 1];
  return mask;
}
)"},
    {"store", "", R"(static inline void store_$S($E* p, $S value) {
  __builtin_memcpy(p, &value, $L * sizeof(*p));
}
)"},
    {"store.bool", "", R"(static inline void store_$S(bool* p, $K mask) {
  for (int lane = 0; lane < $L; ++lane) p[lane] = mask[lane] != 0;
}
)"},
    {"gather", "", R"(static inline $S gather_$S(const $E* p, $I index) {
  $S value;
  for (int lane = 0; lane < $P; ++lane) value[lane] = p[index[lane]];
  return value;
}
)"},
    {"gather.bool", "", R"(static inline $K gather_$S(const bool* p, $I index) {
  $K mask;
  for (int lane = 0; lane < $P; ++lane) mask[lane] = -p[index[lane]];
  return mask;
}
)"},
    {"scatter", "", R"(static inline void scatter_$S($E* p, $I index, $S value) {
  for (int lane = 0; lane < $L; ++lane) p[index[lane]] = value[lane];
}
)"},
    {"scatter.bool", "", R"(static inline void scatter_$S(bool* p, $I index, $K mask) {
  for (int lane = 0; lane < $L; ++lane) p[index[lane]] = mask[lane] != 0;
}
)"},
    {"gather_masked", "", R"(static inline $S gather_masked_$S(const $E* p, $I index, $K mask) {
  $S value;
  for (int lane = 0; lane < $P; ++lane) value[lane] = mask[lane] ? p[index[lane]] : 0;
  return value;
}
)"},
    {"gather_masked.bool", "",
     R"(static inline $K gather_masked_$S(const bool* p, $I index, $K mask) {
  for (int lane = 0; lane < $P; ++lane) mask[lane] = mask[lane] ? -p[index[lane]] : 0;
  return mask;
}
)"},
    {"scatter_masked", "",
     R"(static inline void scatter_masked_$S($E* p, $I index, $S value, $K mask) {
  for (int lane = 0; lane < $L; ++lane) {
    if (mask[lane]) p[index[lane]] = value[lane];
  }
}
)"},
    {"scatter_masked.bool", "",
     R"(static inline void scatter_masked_$S(bool* p, $I index, $K value, $K mask) {
  for (int lane = 0; lane < $L; ++lane) {
    if (mask[lane]) p[index[lane]] = value[lane] != 0;
  }
}
)"},
    {"check_lanes", "fail_index",
     R"(static inline int32_t check_lanes_$S(const char* place, const char* name, $I index,
                                      int64_t extent) {
  for (int lane = 0; lane < $L; ++lane) {
    const int64_t at = index[lane];
    if (at < 0 || at >= extent) return fail_index(place, name, at, 1, extent);
  }
  return 0;
}
)"},
    {"check_lanes_masked", "fail_index",
     R"(static inline int32_t check_lanes_masked_$S(const char* place, const char* name, $I index, $K mask,
                                             int64_t extent) {
  for (int lane = 0; lane < $L; ++lane) {
    const int64_t at = index[lane];
    if (mask[lane] && (at < 0 || at >= extent)) return fail_index(place, name, at, 1, extent);
  }
  return 0;
}
)"},
    {"broadcast", "", R"(static inline $S broadcast_$S($E x) { return x - ($S){0}; }
)"},
    {"broadcast.half", "", R"(static inline $S broadcast_$S($E x) {
  $S value;
  for (int lane = 0; lane < $P; ++lane) value[lane] = x;
  return value;
}
)"},
    {"widen.vector", "", R"(static inline $W widen_$S($S x) {
  return ($W)(__builtin_convertvector(x, $V) << 16);
}
)"},
    {"narrow.vector", "", R"(static inline $S narrow_$S($W x) {
  const $V bits = ($V)x;
  const $V nan = ($V)(x != x);
  const $V rounded = bits + 0x7FFF + ((bits >> 16) & 1);
  return __builtin_convertvector(((rounded & ~nan) | ((bits | 0x400000) & nan)) >> 16, $S);
}
)"},
    {"select", "", R"(static inline $S select_$S($M mask, $S a, $S b) {
  return ($S)((($M)a & mask) | (($M)b & ~mask));
}
)"},
    {"shuffle", "", R"(#if defined(__clang__) || __GNUC__ >= 12
#define shuffle_$S(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define shuffle_$S(a, b, ...) __builtin_shuffle(a, b, ($M){__VA_ARGS__})
#endif
)"},
    {"multiply_add.vector", "", R"(static inline $S multiply_add_$S($S a, $S b, $S c) {
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
    z.halves[i] =
        __builtin_ia32_vfmaddp$D512_mask(x.halves[i], y.halves[i], z.halves[i], -1, 4);
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
)"},
    {"has_zero", "", R"(// Whether a lane is 0.
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
)"},
    {"min.vector", "", R"(static inline $S min_$S($S a, $S b) {
  const $M mask = a < b;
  return ($S)((($M)a & mask) | (($M)b & ~mask));
}
)"},
    // If neither operand is less, the instruction also gives the second one. GCC cannot know that.
    {"min.float", "", R"(static inline $S min_$S($S a, $S b) {
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
)"},
    {"max.vector", "", R"(static inline $S max_$S($S a, $S b) {
  const $M mask = a > b;
  return ($S)((($M)a & mask) | (($M)b & ~mask));
}
)"},
    // If neither is greater, the instruction also gives the second one. GCC cannot know that.
    {"max.float", "", R"(static inline $S max_$S($S a, $S b) {
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
)"},
};

}  // namespace

HelperTable VectorHelpers() { return {kVectorHelpers, std::size(kVectorHelpers)}; }

}  // namespace uir::target
