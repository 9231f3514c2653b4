// Calls each function of `cases.h` with the two matrices of the file `inputs`, and writes the
// results to the file `outputs`. The functions of tvm-ffi that compiled code may call are here too,
// so that the program runs where there is no tvm-ffi.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { kFloat = 2, kTensor = 7, kRows = 7, kColumns = 25, kMost = 4096 };

typedef struct {
  void* data;
  struct {
    int32_t type, id;
  } device;
  int32_t ndim;
  struct {
    uint8_t code, bits;
    uint16_t lanes;
  } dtype;
  int64_t* shape;
  int64_t* strides;
  uint64_t byte_offset;
} DLTensor;

typedef struct {
  int32_t type_index;
  uint32_t zero_padding;
  void* value;
} TVMFFIAny;

void TVMFFIErrorSetRaisedFromCStr(const char* kind, const char* message) {
  fprintf(stderr, "%s: %s\n", kind, message);
}

int TVMFFIFunctionGetGlobal(const void* name, void** out) {
  *out = NULL;
  return 0;
}

int TVMFFIFunctionSetGlobal(const void* name, void* function, int override) { return 0; }

int TVMFFIFunctionCreate(void* self, void* call, void* deleter, void** out) {
  *out = self;
  return 0;
}

// What returns tensors is not called.
#define UNUSED(name) \
  int name(void) { abort(); }
UNUSED(TVMFFIEnvGetDLPackManagedTensorAllocator)
UNUSED(TVMFFIEnvTensorAlloc)
UNUSED(TVMFFIErrorMoveFromRaised)
UNUSED(TVMFFIErrorSetRaised)
UNUSED(TVMFFIFunctionCall)
UNUSED(TVMFFIObjectDecRef)
UNUSED(TVMFFITensorFromDLPack)

#define CASE(name, ndim, size, ...) \
  int32_t __tvm_ffi_##name##_into(void*, const TVMFFIAny*, int32_t, TVMFFIAny*);
#include "cases.h"
#undef CASE

static float inputs[2][kRows * kColumns];
static float output[kMost];

static int run(int32_t (*function)(void*, const TVMFFIAny*, int32_t, TVMFFIAny*), int ndim,
               size_t size, int64_t* shape, FILE* file) {
  int64_t input_shape[] = {kRows, kColumns};
  DLTensor tensors[] = {
      {inputs[0], {1, 0}, 2, {kFloat, 32, 1}, input_shape, NULL, 0},
      {inputs[1], {1, 0}, 2, {kFloat, 32, 1}, input_shape, NULL, 0},
      {output, {1, 0}, ndim, {kFloat, 32, 1}, shape, NULL, 0},
  };
  TVMFFIAny args[3] = {
      {kTensor, 0, &tensors[0]}, {kTensor, 0, &tensors[1]}, {kTensor, 0, &tensors[2]}};
  TVMFFIAny result = {0};
  if (size > kMost || function(NULL, args, 3, &result) != 0) return 1;
  return fwrite(output, sizeof(float), size, file) != size;
}

int main(void) {
  FILE* file = fopen("inputs", "rb");
  if (file == NULL || fread(inputs, sizeof(inputs), 1, file) != 1) return 1;
  file = fopen("outputs", "wb");
#define CASE(name, ndim, size, ...)                                           \
  {                                                                           \
    int64_t shape[] = {__VA_ARGS__};                                          \
    if (run(__tvm_ffi_##name##_into, ndim, size, shape, file) != 0) return 1; \
  }
#include "cases.h"
  return fclose(file);
}
