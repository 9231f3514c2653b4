// Tensors that entries make and return.
//
// Compile it with -std=gnu11 -ffp-contract=off -fwrapv -fno-strict-aliasing.

#include "./entry.c"

//! helper release_outputs: tvm_ffi
extern int TVMFFIObjectDecRef(void* object);

// Gives tensors back, and returns -1.
static int32_t release_outputs(const TVMFFIAny* outputs, int32_t count) {
  for (int32_t i = 0; i < count; ++i) {
    if (outputs[i].type_index == kTensor) TVMFFIObjectDecRef(outputs[i].v_ptr);
  }
  return -1;
}

//! helper data_of: tvm_ffi
// The first element of a tensor that `new_tensor` made.
static void* data_of(const TVMFFIAny* tensor) {
  const DLTensor* view = (const DLTensor*)((const TVMFFIObject*)tensor->v_ptr + 1);
  return (char*)view->data + view->byte_offset;
}

//! helper check_output: fail
// Checks that a dimension of an output is one.
static int32_t check_output(const char* function, const char* name, int32_t axis, const char* text,
                            int64_t extent) {
  if (extent >= 0) return 0;
  return fail("ValueError", "%s: dimension %d of `%s`, %s, must not be negative, got %lld",
              function, axis, name, text, (long long)extent);
}

//! helper new_tensor: tvm_ffi allocate
typedef struct DLManagedTensor {
  DLTensor dl_tensor;
  void* manager_ctx;
  void (*deleter)(struct DLManagedTensor* self);
} DLManagedTensor;

extern void* TVMFFIEnvGetDLPackManagedTensorAllocator(void);
extern int TVMFFIEnvTensorAlloc(DLTensor* prototype, void** out);
extern int TVMFFITensorFromDLPack(DLManagedTensor* from, int32_t require_alignment,
                                  int32_t require_contiguous, void** out);

// Memory for a tensor: header, extents, strides and elements are one block. It is `free` of the C
// library that releases it, since the tensor may outlive this library.
static DLManagedTensor* allocate_managed(DLTensor prototype) {
  const size_t numbers = 2 * (size_t)prototype.ndim * sizeof(int64_t);
  const size_t head = (sizeof(DLManagedTensor) + numbers + 63) / 64 * 64;
  int64_t count = 1;
  for (int32_t i = 0; i < prototype.ndim; ++i) count *= prototype.shape[i];
  const int64_t bytes = count * ((prototype.dtype.bits + 7) / 8 * prototype.dtype.lanes);
  DLManagedTensor* managed = (DLManagedTensor*)allocate((int64_t)head + bytes, 1);
  if (managed == NULL) return NULL;
  int64_t* shape = (int64_t*)(managed + 1);
  int64_t* strides = shape + prototype.ndim;
  count = 1;
  for (int32_t i = prototype.ndim - 1; i >= 0; --i) {
    shape[i] = prototype.shape[i];
    strides[i] = count;
    count *= shape[i];
  }
  managed->dl_tensor = prototype;
  managed->dl_tensor.shape = shape;
  managed->dl_tensor.strides = strides;
  managed->dl_tensor.data = (char*)managed + head;
  managed->manager_ctx = NULL;
  managed->deleter = (void (*)(DLManagedTensor*))free;
  return managed;
}

// A tensor on the CPU, from the allocator of the caller's framework if there is one.
static int32_t new_tensor(DLDataType dtype, int32_t ndim, int64_t* shape, TVMFFIAny* tensor) {
  DLTensor prototype = {NULL, {kDLCPU, 0}, ndim, dtype, shape, NULL, 0};
  void* made = NULL;
  if (TVMFFIEnvGetDLPackManagedTensorAllocator() != NULL) {
    if (TVMFFIEnvTensorAlloc(&prototype, &made) != 0) return -1;
  } else {
    DLManagedTensor* managed = allocate_managed(prototype);
    if (managed == NULL) return -1;
    if (TVMFFITensorFromDLPack(managed, 0, 0, &made) != 0) {
      free(managed);
      return -1;
    }
  }
  tensor->type_index = kTensor;
  tensor->v_ptr = made;
  return 0;
}

//! helper tvm_ffi_calls: tvm_ffi
typedef struct {
  const char* data;
  size_t size;
} TVMFFIByteArray;

extern int TVMFFIFunctionGetGlobal(const TVMFFIByteArray* name, void** out);
extern int TVMFFIFunctionCall(void* function, TVMFFIAny* args, int32_t num_args, TVMFFIAny* result);

//! helper return_text: tvm_ffi_calls
extern int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out);

static int32_t return_text(const char* text, size_t size, TVMFFIAny* result) {
  const TVMFFIByteArray bytes = {text, size};
  return TVMFFIStringFromByteArray(&bytes, result);
}

//! helper return_array: tvm_ffi_calls release_outputs
// Returns tensors as an array, which holds them.
static int32_t return_array(TVMFFIAny* outputs, int32_t count, TVMFFIAny* result) {
  const TVMFFIByteArray name = {"ffi.Array", sizeof("ffi.Array") - 1};
  void* make = NULL;
  int32_t status = TVMFFIFunctionGetGlobal(&name, &make);
  if (status == 0) {
    status = TVMFFIFunctionCall(make, outputs, count, result);
    TVMFFIObjectDecRef(make);
  }
  release_outputs(outputs, count);
  return status;
}
