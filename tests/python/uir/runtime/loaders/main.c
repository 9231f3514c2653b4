// Calls a library that uir exported by the ABI of C.
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>

typedef struct {
  int32_t type_index;
  uint32_t zero_padding;
  void* value;
} Any;

typedef struct {
  void* data;
  int32_t device_type, device_id, ndim;
  uint8_t code, bits;
  uint16_t lanes;
  int64_t* shape;
  int64_t* strides;
  uint64_t byte_offset;
} Tensor;

typedef struct {
  const char* data;
  size_t size;
} Text;

// What an error is to tvm-ffi: the head of an object, then its texts.
typedef struct {
  uint64_t references;
  int32_t type_index;
  uint32_t padding;
  void (*deleter)(void*, int);
  Text kind, message, backtrace;
} Error;

extern void TVMFFIErrorMoveFromRaised(void** error);
extern int TVMFFIObjectDecRef(void* object);

typedef int Function(void*, const Any*, int32_t, Any*);

// Print the error of a call, which must fail.
static int fail(Function* call, const Any* args, int32_t count) {
  Any result = {0};
  if (call(NULL, args, count, &result) != -1) return puts("no error"), 1;
  Error* error = NULL;
  TVMFFIErrorMoveFromRaised((void**)&error);
  printf("%.*s: %.*s\n", (int)error->kind.size, error->kind.data, (int)error->message.size,
         error->message.data);
  return TVMFFIObjectDecRef(error);
}

int main(int argc, char** argv) {
  void* library = dlopen(argv[1], RTLD_NOW);
  if (argc != 2 || library == NULL) return puts(dlerror()), 1;
  Function* call = dlsym(library, "__tvm_ffi_main_into");
  float values[] = {1, 2, 3, 4}, doubled[4] = {0};
  int64_t shape[] = {2, 2};
  Tensor x = {values, 1, 0, 2, 2, 32, 1, shape, NULL, 0};
  Tensor y = {doubled, 1, 0, 2, 2, 32, 1, shape, NULL, 0};
  const Any args[] = {{7, 0, &x}, {7, 0, &y}};
  Any result = {0};
  const int status = call(NULL, args, 2, &result);
  printf("%d %g %g %g %g\n", status, doubled[0], doubled[1], doubled[2], doubled[3]);
  Tensor wide = {values, 1, 0, 2, 2, 64, 1, shape, NULL, 0};
  Tensor null = {NULL, 1, 0, 2, 2, 32, 1, shape, NULL, 0};
  Tensor device = {values, 2, 0, 2, 2, 32, 1, shape, NULL, 0};
  Tensor flat = {values, 1, 0, 1, 2, 32, 1, shape, NULL, 0};
  int64_t other_shape[] = {1, 2}, backwards[] = {-2, 1};
  Tensor other = {doubled, 1, 0, 2, 2, 32, 1, other_shape, NULL, 0};
  Tensor strided = {doubled + 2, 1, 0, 2, 2, 32, 1, shape, backwards, 0};
  const Any wrong[][2] = {
      {{7, 0, &wide}, args[1]}, {{7, 0, &null}, args[1]},  {{7, 0, &device}, args[1]},
      {{7, 0, &flat}, args[1]}, {args[0], {7, 0, &other}}, {args[0], {7, 0, &strided}},
      {{7, 0, &x}, {7, 0, &x}}, {{1, 0, &x}, args[1]},     {args[0], {0, 0, NULL}},
  };
  int failed = fail(call, args, 0);
  for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); ++i) failed |= fail(call, wrong[i], 2);
  for (int i = 0; i < 4; ++i) failed |= doubled[i] != 2 * values[i];
  return status | failed;
}
