// The instruction set of the processor, and its registers in calls.
//
// Compile it with -std=gnu11 -ffp-contract=off -fwrapv -fno-strict-aliasing.

#include "./entry.c"

//! helper OUT_OF_LINE
// A function that is not inlined, and from whose registers a caller keeps away.
#if defined(__clang__)
#define OUT_OF_LINE __attribute__((noinline))
#else
#define OUT_OF_LINE __attribute__((noipa))
#endif

//! helper has_feature
//! in the first unit
#if defined(__x86_64__)
#include <cpuid.h>

enum { kEax, kEbx, kEcx, kEdx };

// A bit of what `cpuid` tells. What compilers have for this knows few features in some of them.
static bool has_feature(unsigned leaf, unsigned subleaf, int place, int bit) {
  unsigned values[4] = {0};
  __get_cpuid_count(leaf, subleaf, &values[0], &values[1], &values[2], &values[3]);
  return (values[place] >> bit & 1) != 0;
}

// Whether the system keeps registers for each thread: vectors of 32 bytes (0x6), of 64 (0xe6).
static bool keeps_registers(unsigned wanted) {
  unsigned low = 0, high = 0;
  if (!has_feature(1, 0, kEcx, 27)) return false;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return (low & wanted) == wanted;
}
#endif

//! helper check_isa: has_feature fail
//! in the first unit
#include <stdlib.h>
#include <string.h>

// Instruction sets of processors, of which each has all of those before it.
enum { kWrongIsa = -1, kGeneric, kX86_64_v3, kX86_64_v4 };

static const char* const isa_names[] = {"generic", "x86-64-v3", "x86-64-v4"};

// That of the processor, found when the library is loaded, or an older one that `UIR_ISA` names.
static int isa;
static char wrong_isa[40];

static int isa_of_processor(void) {
#if defined(__x86_64__)
  // AVX2, BMI1, BMI2 and FMA; the other ones of this set came before.
  const bool has_v3 = has_feature(7, 0, kEbx, 5) && has_feature(7, 0, kEbx, 3) &&
                      has_feature(7, 0, kEbx, 8) && has_feature(1, 0, kEcx, 12);
  if (!has_v3 || !keeps_registers(0x6)) return kGeneric;
  // AVX512F, BW, CD, DQ and VL.
  const bool has_v4 = has_feature(7, 0, kEbx, 16) && has_feature(7, 0, kEbx, 30) &&
                      has_feature(7, 0, kEbx, 28) && has_feature(7, 0, kEbx, 17) &&
                      has_feature(7, 0, kEbx, 31);
  return has_v4 && keeps_registers(0xe6) ? kX86_64_v4 : kX86_64_v3;
#else
  return kGeneric;
#endif
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

//! helper check_instructions: has_feature fail
//! in the first unit
// The first instruction set of the code that this processor lacks; NULL if it has all.
static const char* missing_instructions;

__attribute__((constructor)) static void find_missing_instructions(void) {
#if defined(__x86_64__)
#if defined(__SSE4_2__)
  if (!has_feature(1, 0, kEcx, 20)) missing_instructions = "SSE4.2";
#endif
#if defined(__AVX__)
  if (!has_feature(1, 0, kEcx, 28) || !keeps_registers(0x6)) missing_instructions = "AVX";
#endif
#if defined(__AVX2__)
  if (!has_feature(7, 0, kEbx, 5)) missing_instructions = "AVX2";
#endif
#if defined(__BMI2__)
  if (!has_feature(7, 0, kEbx, 8)) missing_instructions = "BMI2";
#endif
#if defined(__FMA__)
  if (!has_feature(1, 0, kEcx, 12)) missing_instructions = "FMA";
#endif
#if defined(__FMA4__)
  if (!has_feature(0x80000001, 0, kEcx, 16)) missing_instructions = "FMA4";
#endif
#if defined(__AVX512F__)
  if (!has_feature(7, 0, kEbx, 16) || !keeps_registers(0xe6)) missing_instructions = "AVX512F";
#endif
#if defined(__AVX512BW__)
  if (!has_feature(7, 0, kEbx, 30)) missing_instructions = "AVX512BW";
#endif
#if defined(__AVX512CD__)
  if (!has_feature(7, 0, kEbx, 28)) missing_instructions = "AVX512CD";
#endif
#if defined(__AVX512DQ__)
  if (!has_feature(7, 0, kEbx, 17)) missing_instructions = "AVX512DQ";
#endif
#if defined(__AVX512VL__)
  if (!has_feature(7, 0, kEbx, 31)) missing_instructions = "AVX512VL";
#endif
#if defined(__AVX512VBMI__)
  if (!has_feature(7, 0, kEcx, 1)) missing_instructions = "AVX512VBMI";
#endif
#if defined(__AVX512VNNI__)
  if (!has_feature(7, 0, kEcx, 11)) missing_instructions = "AVX512VNNI";
#endif
#if defined(__AVX512BF16__)
  if (!has_feature(7, 1, kEax, 5)) missing_instructions = "AVX512BF16";
#endif
#if defined(__AVX512FP16__)
  if (!has_feature(7, 0, kEdx, 23)) missing_instructions = "AVX512FP16";
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
