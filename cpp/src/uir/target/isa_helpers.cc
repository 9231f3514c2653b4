// Helper functions of emitted code: which instructions the processor has.
#include <iterator>

#include "./prelude.h"

namespace uir::target {

namespace {

constexpr Helper kHelpers[] = {
    {"check_isa", "<stdlib.h> <string.h> fail",
     R"(// Instruction sets of processors, of which each has all of those before it.
enum { kWrongIsa = -1, kGeneric, kX86_64_v3, kX86_64_v4 };

static const char* const isa_names[] = {"generic", "x86-64-v3", "x86-64-v4"};

// That of the processor, found when the library is loaded, or an older one that `UIR_ISA` names.
static int isa;
static char wrong_isa[40];

static int isa_of_processor(void) {
  int found = kGeneric;
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
      __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma")) {
    found = kX86_64_v3;
  }
  if (found == kX86_64_v3 && __builtin_cpu_supports("avx512f") &&
      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")) {
    found = kX86_64_v4;
  }
#endif
  return found;
}

static int find_isa(void) {
  const int found = isa_of_processor();
  const char* newest = getenv("UIR_ISA");
  if (newest == NULL || *newest == 0) return found;
  for (int i = kGeneric; i <= kX86_64_v4; ++i) {
    if (strcmp(newest, isa_names[i]) == 0) return i < found ? i : found;
  }
  strncpy(wrong_isa, newest, sizeof(wrong_isa) - 1);
  return kWrongIsa;
}

static int32_t check_isa(const char* function) {
  if (isa != kWrongIsa) return 0;
  return fail("ValueError",
              "%s: the environment variable `UIR_ISA` must be `generic`, `x86-64-v3` or "
              "`x86-64-v4`, got `%s`",
              function, wrong_isa);
}
)"},
    {"check_instructions", "fail",
     R"(// What the compiler took the processor to have and this one lacks; NULL if it has all.
static const char* missing_instructions;

__attribute__((constructor)) static void find_missing_instructions(void) {
#if defined(__x86_64__)
  __builtin_cpu_init();
#if defined(__SSE4_2__)
  if (!__builtin_cpu_supports("sse4.2")) missing_instructions = "SSE4.2";
#endif
#if defined(__AVX__)
  if (!__builtin_cpu_supports("avx")) missing_instructions = "AVX";
#endif
#if defined(__AVX2__)
  if (!__builtin_cpu_supports("avx2")) missing_instructions = "AVX2";
#endif
#if defined(__BMI2__)
  if (!__builtin_cpu_supports("bmi2")) missing_instructions = "BMI2";
#endif
#if defined(__FMA__)
  if (!__builtin_cpu_supports("fma")) missing_instructions = "FMA";
#endif
#if defined(__FMA4__)
  if (!__builtin_cpu_supports("fma4")) missing_instructions = "FMA4";
#endif
#if defined(__AVX512F__)
  if (!__builtin_cpu_supports("avx512f")) missing_instructions = "AVX512F";
#endif
#if defined(__AVX512BW__)
  if (!__builtin_cpu_supports("avx512bw")) missing_instructions = "AVX512BW";
#endif
#if defined(__AVX512DQ__)
  if (!__builtin_cpu_supports("avx512dq")) missing_instructions = "AVX512DQ";
#endif
#if defined(__AVX512VL__)
  if (!__builtin_cpu_supports("avx512vl")) missing_instructions = "AVX512VL";
#endif
#if defined(__AVX512VBMI__)
  if (!__builtin_cpu_supports("avx512vbmi")) missing_instructions = "AVX512VBMI";
#endif
#if defined(__AVX512VNNI__)
  if (!__builtin_cpu_supports("avx512vnni")) missing_instructions = "AVX512VNNI";
#endif
#if defined(__AVX512BF16__)
  if (!__builtin_cpu_supports("avx512bf16")) missing_instructions = "AVX512BF16";
#endif
#if defined(__AVX512FP16__)
  if (!__builtin_cpu_supports("avx512fp16")) missing_instructions = "AVX512FP16";
#endif
#endif
}

static int32_t check_instructions(const char* function) {
  if (missing_instructions == NULL) return 0;
  return fail("RuntimeError",
              "%s: the library was compiled for processors with %s, which this one lacks; one that "
              "is built with `Target(\"c\", \"x86-64\")` runs on all",
              function, missing_instructions);
}
)"},
};

}  // namespace

HelperTable IsaHelpers() { return {kHelpers, std::size(kHelpers)}; }

}  // namespace uir::target
