// What the programs of this folder share: a check that ends the program, and the error of tvm-ffi.
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                            \
  do {                                                              \
    if (condition) break;                                           \
    fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
    exit(1);                                                        \
  } while (false)

static char raised[1024];

// Stands in for the function of tvm-ffi.
void TVMFFIErrorSetRaisedFromCStr(const char* kind, const char* message) {
  snprintf(raised, sizeof(raised), "%s: %s", kind, message);
}

// Checks the error of a call that failed.
#define CHECK_RAISES(call, text)                                \
  do {                                                          \
    raised[0] = 0;                                              \
    CHECK((call) != 0);                                         \
    if (strcmp(raised, text) == 0) break;                       \
    fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, raised); \
    exit(1);                                                    \
  } while (false)
