// Errors, memory, and what entries do with their arguments.
//
// The files of this folder are the beginning of emitted texts, which have the helpers that they
// use. scripts/embed_runtime.py describes the lines that begin with `//!`. The flags matter:
// integers wrap around, vectors and scalars read the same memory, and only `multiply_add` rounds
// once: docs/compiler/semantics.md.
//
// Compile it with -std=gnu11 -ffp-contract=off -fwrapv -fno-strict-aliasing.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

//! helper tvm_ffi
// What tvm-ffi passes to functions, and tensors as DLPack has them.
typedef struct {
  int32_t type_index;
  uint32_t zero_padding;
  union {
    int64_t v_int64;
    double v_float64;
    void* v_ptr;
  };
} TVMFFIAny;

// Indices of types: values, and objects.
enum { kNone = 0, kInt = 1, kBool = 2, kFloat = 3, kPointer = 4, kDLTensor = 7, kText = 8 };
enum { kFirstObject = 64, kTensor = 70, kFirstRegistered = 128 };

// Objects begin with it.
typedef struct {
  uint64_t references;
  int32_t type_index;
  uint32_t padding;
  void (*deleter)(void* self, int flags);
} TVMFFIObject;

enum { kDLCPU = 1, kDLBool = 6 };

typedef struct {
  uint8_t code;
  uint8_t bits;
  uint16_t lanes;
} DLDataType;

typedef struct {
  void* data;
  struct {
    int32_t device_type;
    int32_t device_id;
  } device;
  int32_t ndim;
  DLDataType dtype;
  int64_t* shape;
  int64_t* strides;
  uint64_t byte_offset;
} DLTensor;

#define ENTRY __attribute__((visibility("default"))) int32_t

//! helper raise_error
extern void TVMFFIErrorSetRaisedFromCStr(const char* kind, const char* message);

// Sets the error of tvm-ffi, and returns -1.
static int32_t raise_error(const char* kind, const char* message) {
  TVMFFIErrorSetRaisedFromCStr(kind, message);
  return -1;
}

//! helper fail: raise_error
#include <stdarg.h>
#include <stdio.h>

// The same with a message in parts.
static int32_t fail(const char* kind, const char* format, ...) {
  char message[512];
  va_list parts;
  va_start(parts, format);
  vsnprintf(message, sizeof(message), format, parts);
  va_end(parts);
  return raise_error(kind, message);
}

//! helper fail_index: fail
// Raises an IndexError for an access out of bounds; the text names the range of several neighbors.
static __attribute__((cold, noinline)) int32_t fail_index(const char* place, const char* name,
                                                          int64_t first, int64_t count,
                                                          int64_t extent) {
  if (count <= 1) {
    return fail("IndexError", "%s: index %lld of buffer `%s` is out of bounds: the extent is %lld",
                place, (long long)first, name, (long long)extent);
  }
  return fail("IndexError",
              "%s: indices %lld to %lld of buffer `%s` are out of bounds: the extent is %lld",
              place, (long long)first, (long long)(first + count - 1), name, (long long)extent);
}

//! helper check_index: fail_index
// Checks that so many elements, from one on, are in a buffer.
static inline int32_t check_index(const char* place, const char* name, int64_t first, int64_t count,
                                  int64_t extent) {
  if (first >= 0 && first <= extent - count) return 0;
  return fail_index(place, name, first, count, extent);
}

//! helper allocate: raise_error
#include <stdlib.h>

#ifdef __linux__
#include <sys/mman.h>

// Asks for large pages where memory is large, as NumPy does: the first write to each page costs.
static void prefer_large_pages(void* memory, size_t size) {
  const uintptr_t most_of_page = (1 << 16) - 1;
  const uintptr_t first = ((uintptr_t)memory + most_of_page) & ~most_of_page;
  if (size >= 1 << 22) madvise((void*)first, (uintptr_t)memory + size - first, MADV_HUGEPAGE);
}
#else
static void prefer_large_pages(void* memory, size_t size) { (void)memory, (void)size; }
#endif

// Memory for some elements, at a cache line; NULL and an error if there is none.
static void* allocate(int64_t count, size_t size) {
  const size_t lines = count <= 0 ? 1 : ((size_t)count * size + 63) / 64;
  void* memory = aligned_alloc(64, lines * 64);
  if (memory == NULL) {
    raise_error("MemoryError", "out of memory");
  } else {
    prefer_large_pages(memory, lines * 64);
  }
  return memory;
}

//! helper kind_of: tvm_ffi
enum { kShortString = 11, kString = 65, kFunction = 68, kModule = 73 };
enum { kArray = 71, kMap = 72, kList = 75, kDict = 76 };

static const char* kind_of(const TVMFFIAny* arg) {
  switch (arg->type_index) {
    case kNone:
      return "None";
    case kInt:
      return "an integer";
    case kBool:
      return "a boolean";
    case kFloat:
      return "a floating-point number";
    case kPointer:
      return "a pointer";
    case kDLTensor:
    case kTensor:
      return "a tensor";
    case kText:
    case kShortString:
    case kString:
      return "a string";
    case kFunction:
      return "a function";
    case kArray:
    case kList:
      return "a list";
    case kMap:
    case kDict:
      return "a dictionary";
    case kModule:
      return "a module";
    default:
      return "an object of another type";
  }
}

//! helper check_num_args: tvm_ffi fail
static int32_t check_num_args(const char* function, int32_t expected, const char* parameters,
                              int32_t found) {
  if (found == expected) return 0;
  return fail("TypeError", "%s: expected %d argument%s%s, got %d", function, expected,
              expected == 1 ? "" : "s", parameters, found);
}

//! helper take_int: tvm_ffi fail kind_of
static int32_t take_int(const char* function, const char* name, const TVMFFIAny* arg, int64_t min,
                        int64_t max, int64_t* value) {
  if (arg->type_index != kInt && arg->type_index != kBool) {
    return fail("TypeError", "%s: `%s` must be an integer, got %s", function, name, kind_of(arg));
  }
  *value = arg->v_int64;
  if (min <= *value && *value <= max) return 0;
  return fail("ValueError", "%s: `%s` must be at least %lld and at most %lld, got %lld", function,
              name, (long long)min, (long long)max, (long long)*value);
}

//! helper take_bool: tvm_ffi fail kind_of
static int32_t take_bool(const char* function, const char* name, const TVMFFIAny* arg,
                         bool* value) {
  if (arg->type_index != kBool && arg->type_index != kInt) {
    return fail("TypeError", "%s: `%s` must be a boolean, got %s", function, name, kind_of(arg));
  }
  *value = arg->v_int64 != 0;
  return 0;
}

//! helper take_float: tvm_ffi fail kind_of
static int32_t take_float(const char* function, const char* name, const TVMFFIAny* arg,
                          double* value) {
  if (arg->type_index == kFloat) {
    *value = arg->v_float64;
  } else if (arg->type_index == kInt || arg->type_index == kBool) {
    *value = (double)arg->v_int64;
  } else {
    return fail("TypeError", "%s: `%s` must be a number, got %s", function, name, kind_of(arg));
  }
  return 0;
}

//! helper take_pointer: tvm_ffi fail kind_of
static int32_t take_pointer(const char* function, const char* name, const TVMFFIAny* arg,
                            void** value) {
  if (arg->type_index != kPointer && arg->type_index != kNone) {
    return fail("TypeError", "%s: `%s` must be a pointer or None, got %s", function, name,
                kind_of(arg));
  }
  *value = arg->type_index == kNone ? NULL : arg->v_ptr;
  return 0;
}

//! helper show_type: tvm_ffi
#include <stdio.h>

static void show_type(DLDataType dtype, char text[32]) {
  static const char* const kNames[] = {"int",    "uint",    "float", "handle",
                                       "bfloat", "complex", "bool"};
  const char* name = dtype.code < 7 ? kNames[dtype.code] : "type";
  int length = snprintf(text, 32, "%s", name);
  if (dtype.code != kDLBool) length += snprintf(text + length, 32 - length, "%d", dtype.bits);
  if (dtype.lanes != 1) snprintf(text + length, 32 - length, "x%d", dtype.lanes);
}

//! helper take_tensor: tvm_ffi fail kind_of show_type
// A tensor on the CPU with elements of a type and a number of dimensions.
static int32_t take_tensor(const char* function, const char* name, const TVMFFIAny* arg,
                           DLDataType dtype, int32_t ndim, const DLTensor** tensor) {
  if (arg->type_index == kDLTensor) {
    *tensor = (const DLTensor*)arg->v_ptr;
  } else if (arg->type_index == kTensor) {
    *tensor = (const DLTensor*)((const TVMFFIObject*)arg->v_ptr + 1);
  } else {
    return fail("TypeError", "%s: `%s` must be a tensor, got %s", function, name, kind_of(arg));
  }
  const DLDataType found = (*tensor)->dtype;
  if (found.code != dtype.code || found.bits != dtype.bits || found.lanes != dtype.lanes) {
    char wanted_text[32], found_text[32];
    show_type(dtype, wanted_text);
    show_type(found, found_text);
    return fail("TypeError", "%s: `%s` must have data type %s, got %s", function, name, wanted_text,
                found_text);
  }
  if ((*tensor)->device.device_type != kDLCPU) {
    return fail("ValueError", "%s: `%s` must be on the CPU, got a device of type %d", function,
                name, (*tensor)->device.device_type);
  }
  if ((*tensor)->ndim == ndim) return 0;
  return fail("ValueError", "%s: `%s` must have %d dimension%s, got %d", function, name, ndim,
              ndim == 1 ? "" : "s", (*tensor)->ndim);
}

//! helper check_extent: tvm_ffi fail
// Compares a dimension with a number, which is the value of an expression unless that is NULL.
static int32_t check_extent(const char* function, const char* name, const DLTensor* tensor,
                            int32_t axis, const char* text, int64_t expected) {
  const long long found = tensor->shape[axis];
  if (found == expected) return 0;
  return fail("ValueError", "%s: dimension %d of `%s` must be %s%s%lld, got %lld", function, axis,
              name, text == NULL ? "" : text, text == NULL ? "" : " = ", (long long)expected,
              found);
}

//! helper check_size: tvm_ffi fail
// Checks that a dimension is a value of the variable that it gives one.
static int32_t check_size(const char* function, const char* name, const DLTensor* tensor,
                          int32_t axis, int64_t max) {
  const long long found = tensor->shape[axis];
  if (0 <= found && found <= max) return 0;
  if (found < 0) {
    return fail("ValueError", "%s: dimension %d of `%s` must not be negative, got %lld", function,
                axis, name, found);
  }
  return fail("ValueError", "%s: dimension %d of `%s` must be at most %lld, got %lld", function,
              axis, name, (long long)max, found);
}

//! helper check_count: tvm_ffi fail
// Checks that indices up to `max` reach all elements of a tensor.
static int32_t check_count(const char* function, const char* name, int32_t ndim,
                           const int64_t* shape, int64_t max) {
  for (int32_t i = 0; i < ndim; ++i) {
    if (shape[i] == 0) return 0;
  }
  int64_t count = 1;
  for (int32_t i = 0; i < ndim; ++i) {
    if (shape[i] > max / count) {
      return fail("ValueError",
                  "%s: `%s` must have at most %lld elements, which its indices can count", function,
                  name, (long long)max);
    }
    count *= shape[i];
  }
  return 0;
}

//! helper compact_stride: tvm_ffi
static int64_t compact_stride(const DLTensor* tensor, int32_t axis) {
  int64_t stride = 1;
  for (int32_t i = axis + 1; i < tensor->ndim; ++i) stride *= tensor->shape[i];
  return stride;
}

//! helper stride_of: compact_stride
static int64_t stride_of(const DLTensor* tensor, int32_t axis) {
  return tensor->strides != NULL ? tensor->strides[axis] : compact_stride(tensor, axis);
}

//! helper check_stride: fail stride_of
static int32_t check_stride(const char* function, const char* name, const DLTensor* tensor,
                            int32_t axis, const char* text, int64_t expected) {
  const long long found = stride_of(tensor, axis);
  if (found == expected || tensor->shape[axis] <= 1) return 0;
  return fail("ValueError", "%s: stride %d of `%s` must be %s%s%lld, got %lld", function, axis,
              name, text == NULL ? "" : text, text == NULL ? "" : " = ", (long long)expected,
              found);
}

//! helper gap_of: stride_of
// The last dimension with another stride than in a compact tensor; -1 if there is none.
static int32_t gap_of(const DLTensor* tensor) {
  int32_t gap = -1;
  for (int32_t i = 0; i < tensor->ndim; ++i) {
    if (tensor->shape[i] == 0) return -1;
    if (tensor->shape[i] != 1 && stride_of(tensor, i) != compact_stride(tensor, i)) gap = i;
  }
  return gap;
}

//! helper check_compact: fail gap_of
static int32_t check_compact(const char* function, const char* name, const DLTensor* tensor) {
  const int32_t axis = gap_of(tensor);
  if (axis < 0) return 0;
  return fail("ValueError", "%s: `%s` must be compact: stride %d must be %lld, got %lld", function,
              name, axis, (long long)compact_stride(tensor, axis),
              (long long)stride_of(tensor, axis));
}

//! helper check_apart: fail stride_of
// The bytes of a tensor, or of its compact copy, behind its first element.
static int64_t span_of(const DLTensor* tensor, const void* data) {
  const bool is_copy = (const char*)tensor->data + tensor->byte_offset != (const char*)data;
  int64_t last = 0;
  for (int32_t i = 0; i < tensor->ndim; ++i) {
    if (tensor->shape[i] == 0) return 0;
    last += (tensor->shape[i] - 1) * (is_copy ? compact_stride(tensor, i) : stride_of(tensor, i));
  }
  return (last + 1) * ((tensor->dtype.bits + 7) / 8 * tensor->dtype.lanes);
}

// Checks that a tensor that the function writes shares no memory with another one.
static int32_t check_apart(const char* function, const char* name, const DLTensor* tensor,
                           const void* data, const char* other_name, const DLTensor* other,
                           const void* other_data) {
  const uintptr_t begin = (uintptr_t)data, other_begin = (uintptr_t)other_data;
  const int64_t span = span_of(tensor, data), other_span = span_of(other, other_data);
  if (span <= 0 || other_span <= 0 || begin + span <= other_begin ||
      other_begin + other_span <= begin) {
    return 0;
  }
  return fail("ValueError", "%s: `%s`, which is written, must not share memory with `%s`", function,
              name, other_name);
}

//! helper check_all_apart: check_apart
// Checks that no tensor that the function writes shares memory with one before it, or is
// shared by one.
static int32_t check_all_apart(const char* function, int32_t count, const char* const* names,
                               const DLTensor* const* tensors, const void* const* addresses,
                               const unsigned char* are_written) {
  for (int32_t i = 0; i < count; ++i) {
    for (int32_t j = 0; j < i; ++j) {
      if (!are_written[i] && !are_written[j]) continue;
      const int32_t written = are_written[i] ? i : j;
      const int32_t other = are_written[i] ? j : i;
      if (check_apart(function, names[written], tensors[written], addresses[written], names[other],
                      tensors[other], addresses[other])) {
        return -1;
      }
    }
  }
  return 0;
}

//! helper take_data: tvm_ffi fail
// The address of the first element, which an empty tensor may lack.
static int32_t take_data(const char* function, const char* name, const DLTensor* tensor,
                         uint64_t alignment, void** data) {
  *data = (char*)tensor->data + tensor->byte_offset;
  bool is_empty = false;
  for (int32_t i = 0; i < tensor->ndim; ++i) is_empty |= tensor->shape[i] == 0;
  if (is_empty) return 0;
  if (tensor->data == NULL) return fail("ValueError", "%s: `%s` has no data", function, name);
  const uint64_t rest = (uintptr_t)*data % alignment;
  if (rest == 0) return 0;
  return fail("ValueError",
              "%s: `%s` must be aligned to %d bytes, got an address with remainder %d", function,
              name, (int)alignment, (int)rest);
}

//! helper take_input: allocate gap_of take_data
#include <string.h>

static void free_copy(void** copy) { free(*copy); }

// A pointer to memory that is freed where the pointer ends.
#define OWNED __attribute__((cleanup(free_copy)))

// The elements of a compact tensor that is only read, or of a compact copy of another one.
static int32_t take_input(const char* function, const char* name, const DLTensor* tensor,
                          uint64_t alignment, void** data, void** copy) {
  if (take_data(function, name, tensor, alignment, data) != 0) return -1;
  if (gap_of(tensor) < 0) return 0;
  const int64_t size = (tensor->dtype.bits + 7) / 8 * tensor->dtype.lanes;
  const int64_t count = tensor->shape[0] * compact_stride(tensor, 0);
  *copy = allocate(count, (size_t)size);
  if (*copy == NULL) return -1;
  for (int64_t i = 0; i < count; ++i) {
    int64_t rest = i, offset = 0;
    for (int32_t axis = tensor->ndim - 1; axis >= 0; --axis) {
      offset += rest % tensor->shape[axis] * stride_of(tensor, axis);
      rest /= tensor->shape[axis];
    }
    memcpy((char*)*copy + i * size, (const char*)*data + offset * size, (size_t)size);
  }
  *data = *copy;
  return 0;
}
