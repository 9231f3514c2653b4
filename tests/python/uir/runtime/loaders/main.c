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

int main(int argc, char** argv) {
  void* library = dlopen(argv[1], RTLD_NOW);
  if (argc != 2 || library == NULL) return puts(dlerror()), 1;
  int (*call)(void*, const Any*, int32_t, Any*) = dlsym(library, "__tvm_ffi_main_into");
  float values[] = {1, 2, 3, 4}, doubled[4] = {0};
  int64_t shape[] = {2, 2};
  Tensor x = {values, 1, 0, 2, 2, 32, 1, shape, NULL, 0};
  Tensor y = {doubled, 1, 0, 2, 2, 32, 1, shape, NULL, 0};
  const Any args[] = {{7, 0, &x}, {7, 0, &y}};
  Any result = {0};
  const int status = call(NULL, args, 2, &result);
  printf("%d %g %g %g %g\n", status, doubled[0], doubled[1], doubled[2], doubled[3]);
  return status;
}
