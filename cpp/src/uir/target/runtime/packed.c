// Calls of global functions of tvm-ffi.
//
// Compile it with -std=gnu11 -ffp-contract=off -fwrapv -fno-strict-aliasing.

#include "./output.c"

//! helper call_packed: tvm_ffi_calls new_tensor release_outputs fail
#include <string.h>

// A global function, which is looked up at its first call.
typedef struct {
  const char* name;
  void* function;
} packed_function;

// Finds a function, which is held as long as the library is loaded.
static int32_t find_function(packed_function* global, void** found) {
  void* function = __atomic_load_n(&global->function, __ATOMIC_ACQUIRE);
  if (function == NULL) {
    const TVMFFIByteArray name = {global->name, strlen(global->name)};
    if (TVMFFIFunctionGetGlobal(&name, &function) != 0) return -1;
    if (function == NULL) {
      return fail("ValueError", "global function `%s` is not registered", global->name);
    }
    // Another thread may have found it.
    void* known = NULL;
    if (!__atomic_compare_exchange_n(&global->function, &known, function, false, __ATOMIC_ACQ_REL,
                                     __ATOMIC_ACQUIRE)) {
      TVMFFIObjectDecRef(function);
      function = known;
    }
  }
  *found = function;
  return 0;
}

// A tensor of elements that lie elsewhere: what refers to it may outlive them, but must
// not use them.
static int32_t new_view(const DLTensor* tensor, void** view) {
  const size_t ndim = (size_t)tensor->ndim;
  DLManagedTensor* managed = malloc(sizeof(DLManagedTensor) + 2 * ndim * sizeof(int64_t));
  if (managed == NULL) return raise_error("MemoryError", "out of memory");
  int64_t* shape = (int64_t*)(managed + 1);
  int64_t stride = 1;
  for (size_t i = ndim; i-- > 0; stride *= shape[i]) {
    shape[i] = tensor->shape[i];
    shape[ndim + i] = tensor->strides == NULL ? stride : tensor->strides[i];
  }
  managed->dl_tensor = *tensor;
  managed->dl_tensor.shape = shape;
  managed->dl_tensor.strides = shape + ndim;
  managed->manager_ctx = NULL;
  managed->deleter = (void (*)(DLManagedTensor*))free;
  if (TVMFFITensorFromDLPack(managed, 0, 0, view) == 0) return 0;
  free(managed);
  return -1;
}

// Calls a global function and passes on its errors.
static int32_t call_packed(packed_function* global, TVMFFIAny* args, int32_t num_args,
                           TVMFFIAny* answer) {
  void* function = NULL;
  if (find_function(global, &function) != 0) return -1;
  void* views[num_args + 1];
  int32_t num_views = 0, status = 0;
  for (int32_t i = 0; i < num_args && status == 0; ++i) {
    if (args[i].type_index != kDLTensor) continue;
    status = new_view(args[i].v_ptr, &views[num_views]);
    if (status != 0) break;
    args[i] = (TVMFFIAny){kTensor, 0, {.v_ptr = views[num_views++]}};
  }
  if (status == 0) status = TVMFFIFunctionCall(function, args, num_args, answer);
  for (int32_t i = 0; i < num_views; ++i) TVMFFIObjectDecRef(views[i]);
  return status;
}

//! helper drop_result: tvm_ffi release_outputs
static void drop_result(const TVMFFIAny* answer) {
  if (answer->type_index >= kFirstObject) TVMFFIObjectDecRef(answer->v_ptr);
}

//! helper check_result: drop_result fail kind_of
static int32_t check_result(const char* function, int32_t kind, TVMFFIAny* answer) {
  if (answer->type_index == kind) return 0;
  if (kind == kFloat && (answer->type_index == kInt || answer->type_index == kBool)) {
    answer->v_float64 = (double)answer->v_int64;
    return 0;
  }
  if ((kind == kInt && answer->type_index == kBool) ||
      (kind == kBool && answer->type_index == kInt)) {
    if (kind == kBool) answer->v_int64 = answer->v_int64 != 0;
    return 0;
  }
  if (kind == kPointer && answer->type_index == kNone) {
    answer->v_ptr = NULL;
    return 0;
  }
  drop_result(answer);
  return fail("TypeError", "global function `%s` must return %s, got %s", function,
              kind == kPointer ? "a pointer or None"
              : kind == kFloat ? "a number"
              : kind == kBool  ? "a boolean"
                               : "an integer",
              kind_of(answer));
}

//! helper box_pointer: tvm_ffi
static inline TVMFFIAny box_pointer(const void* pointer) {
  return (TVMFFIAny){pointer == NULL ? kNone : kPointer, 0, {.v_ptr = (void*)pointer}};
}

//! helper box_object: tvm_ffi
// An object or None.
static inline TVMFFIAny box_object(const void* object) {
  const int32_t index = object == NULL ? kNone : ((const TVMFFIObject*)object)->type_index;
  return (TVMFFIAny){index, 0, {.v_ptr = (void*)object}};
}
