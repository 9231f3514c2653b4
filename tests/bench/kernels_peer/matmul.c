// A product of two 512 x 512 matrices, written by hand: 8 x 32 sums in registers with AVX-512, 6 x
// 16 with AVX2, the right operand packed into panels, blocks of 192 rows.
#define N 512L
#define BLOCK 192L
#ifdef __AVX512F__
#define LANES 16
#define ROWS(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7)
#define NUM_ROWS 8
#else
#define LANES 8
#define ROWS(X) X(0) X(1) X(2) X(3) X(4) X(5)
#define NUM_ROWS 6
#endif
#define REST(X) X(0) X(1)
#define WIDTH (2 * LANES)

typedef float vector __attribute__((vector_size(4 * LANES), aligned(4), may_alias));

#define DECLARE(r) vector s##r##0 = {0}, s##r##1 = {0};
#define ADD(r)                    \
  {                               \
    const float x = a[k + r * N]; \
    s##r##0 += x * b0;            \
    s##r##1 += x * b1;            \
  }
#define STORE(r)                   \
  *(vector*)(c + r * N) = s##r##0; \
  *(vector*)(c + r * N + LANES) = s##r##1;
#define KERNEL(name, EACH)                                                                \
  static void name(const float* restrict a, const float* restrict b, float* restrict c) { \
    EACH(DECLARE)                                                                         \
    for (long k = 0; k < N; ++k) {                                                        \
      const vector b0 = *(const vector*)(b + k * WIDTH);                                  \
      const vector b1 = *(const vector*)(b + k * WIDTH + LANES);                          \
      EACH(ADD)                                                                           \
    }                                                                                     \
    EACH(STORE)                                                                           \
  }

KERNEL(rows, ROWS)
KERNEL(rest, REST)

static float packed[N * N] __attribute__((aligned(64)));

void matmul(const float* restrict a, const float* restrict b, float* restrict c) {
  float* p = packed;
  for (long j = 0; j < N; j += WIDTH) {
    for (long k = 0; k < N; ++k, p += WIDTH) {
      *(vector*)p = *(const vector*)(b + k * N + j);
      *(vector*)(p + LANES) = *(const vector*)(b + k * N + j + LANES);
    }
  }
  for (long first = 0; first < N; first += BLOCK) {
    const long end = first + BLOCK < N ? first + BLOCK : N;
    for (long j = 0; j < N; j += WIDTH) {
      long i = first;
      for (; i + NUM_ROWS <= end; i += NUM_ROWS) rows(a + i * N, packed + j * N, c + i * N + j);
      if (i < end) rest(a + i * N, packed + j * N, c + i * N + j);
    }
  }
}
