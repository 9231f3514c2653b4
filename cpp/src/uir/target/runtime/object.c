// Objects of tvm-ffi, the reflection of their types, and elements of arrays.
//
// Compile it with -std=gnu11 -ffp-contract=off -fwrapv -fno-strict-aliasing.

#include "./output.c"

//! helper find_type: tvm_ffi_calls fail
#include <string.h>

// What tvm-ffi knows of types.
typedef struct {
  TVMFFIByteArray name;
  TVMFFIByteArray doc;
  TVMFFIByteArray metadata;
  int64_t flags;
  int64_t size;
  int64_t alignment;
  int64_t offset;
  void* getter;
  void* setter;
  TVMFFIAny default_value;
  int32_t static_type_index;
} TVMFFIFieldInfo;

typedef struct TVMFFITypeInfo {
  int32_t type_index;
  int32_t type_depth;
  TVMFFIByteArray type_key;
  const struct TVMFFITypeInfo** type_ancestors;
  uint64_t type_key_hash;
  int32_t num_fields;
  int32_t num_methods;
  const TVMFFIFieldInfo* fields;
} TVMFFITypeInfo;

extern int TVMFFITypeKeyToIndex(const TVMFFIByteArray* type_key, int32_t* type_index);
extern const TVMFFITypeInfo* TVMFFIGetTypeInfo(int32_t type_index);

enum { kReference = -1 };

// A field as this text reads it; its kind is that of a number, or `kReference`.
typedef struct {
  const char* name;
  int64_t offset;
  int64_t size;
  int32_t kind;
} object_field;

// A type of objects, which has an index and a depth once it is found.
typedef struct {
  const char* key;
  const object_field* fields;
  int32_t num_fields;
  int32_t depth;
  int32_t index;
} object_type;

static const TVMFFIFieldInfo* find_field(const TVMFFITypeInfo* info, const char* name) {
  const size_t size = strlen(name);
  for (int32_t depth = info->type_depth; depth >= 0; --depth) {
    const TVMFFITypeInfo* owner = depth == info->type_depth ? info : info->type_ancestors[depth];
    for (int32_t i = 0; i < owner->num_fields; ++i) {
      const TVMFFIByteArray found = owner->fields[i].name;
      if (found.size == size && memcmp(found.data, name, size) == 0) return &owner->fields[i];
    }
  }
  return NULL;
}

// Finds a type, and checks that its fields lie where this text reads them.
static int32_t find_type(const char* function, object_type* type) {
  if (__atomic_load_n(&type->index, __ATOMIC_ACQUIRE) != 0) return 0;
  const TVMFFIByteArray key = {type->key, strlen(type->key)};
  int32_t index = 0;
  if (TVMFFITypeKeyToIndex(&key, &index) != 0) {
    return fail("TypeError", "%s: type `%s` is not registered; import the package that declares it",
                function, type->key);
  }
  const TVMFFITypeInfo* info = TVMFFIGetTypeInfo(index);
  for (int32_t i = 0; i < type->num_fields; ++i) {
    const object_field field = type->fields[i];
    const TVMFFIFieldInfo* found = find_field(info, field.name);
    const bool is_same =
        found != NULL && found->offset == field.offset && found->size == field.size &&
        (field.kind == kReference
             ? found->static_type_index >= kFirstObject || found->static_type_index < 0
             : found->static_type_index == field.kind);
    if (is_same) continue;
    return fail("TypeError",
                "%s: this library was compiled for another layout of `%s`: field `%s` of "
                "%d bytes at byte %d",
                function, type->key, field.name, (int)field.size, (int)field.offset);
  }
  type->depth = info->type_depth;
  __atomic_store_n(&type->index, index, __ATOMIC_RELEASE);
  return 0;
}

//! helper is_object: find_type
static bool is_subtype(int32_t index, const object_type* type) {
  const TVMFFITypeInfo* info = TVMFFIGetTypeInfo(index);
  return type->depth < info->type_depth &&
         info->type_ancestors[type->depth]->type_index == type->index;
}

static inline int32_t type_index_of(const void* object) {
  return ((const TVMFFIObject*)object)->type_index;
}

// Whether an object is of a type, or of a subtype.
static inline bool is_object(const void* object, const object_type* type) {
  return object != NULL && (__builtin_expect(type_index_of(object) == type->index, 1) ||
                            is_subtype(type_index_of(object), type));
}

//! helper check_object: is_object kind_of
static int32_t refuse_object(const char* function, const char* name, const object_type* type,
                             const TVMFFIAny* found) {
  const bool is_known = found->type_index < kFirstRegistered || found->v_ptr == NULL;
  return fail("TypeError", "%s: `%s` must be a `%s`, got %s%s%s", function, name, type->key,
              is_known ? "" : "a `",
              is_known ? kind_of(found) : TVMFFIGetTypeInfo(found->type_index)->type_key.data,
              is_known ? "" : "`");
}

static inline int32_t check_object(const char* function, const char* name, const void* object,
                                   const object_type* type) {
  if (__builtin_expect(is_object(object, type), 1)) return 0;
  const TVMFFIAny found = {
      object == NULL ? kNone : type_index_of(object), 0, {.v_ptr = (void*)object}};
  return refuse_object(function, name, type, &found);
}

//! helper take_object: check_object
static int32_t take_object(const char* function, const char* name, const TVMFFIAny* arg,
                           const object_type* type, bool is_nullable, void** object) {
  if (arg->type_index == kNone && is_nullable) return 0;
  *object = arg->type_index >= kFirstObject ? arg->v_ptr : NULL;
  return is_object(*object, type) ? 0 : refuse_object(function, name, type, arg);
}

//! helper return_object: is_object
extern int TVMFFIObjectIncRef(void* object);

// Returns an object, which the caller holds then, or None.
static int32_t return_object(void* object, TVMFFIAny* result) {
  if (object == NULL) return 0;
  result->type_index = type_index_of(object);
  result->v_ptr = object;
  return TVMFFIObjectIncRef(object);
}

//! helper array_size: tvm_ffi
// An array of tvm-ffi.
typedef struct {
  TVMFFIObject header;
  const TVMFFIAny* items;
  int64_t size;
} object_array;

static inline int64_t array_size(const void* array) { return ((const object_array*)array)->size; }

//! helper array_item: array_size fail kind_of
// An element of an array: an integer, a boolean, a number, or an object (`kPointer`) or None.
static inline int32_t array_item(const char* function, const void* array, int64_t index,
                                 int32_t kind, TVMFFIAny* item) {
  const int64_t size = array_size(array);
  if (index < 0 || index >= size) {
    return fail("IndexError", "%s: an array of %lld elements has none at %lld", function,
                (long long)size, (long long)index);
  }
  *item = ((const object_array*)array)->items[index];
  if (item->type_index == kind) return 0;
  if (kind == kPointer && item->type_index >= kFirstObject) return 0;
  if (kind == kPointer && item->type_index == kNone) {
    item->v_ptr = NULL;
    return 0;
  }
  if (kind == kInt && item->type_index == kBool) return 0;
  if (kind == kFloat && item->type_index == kInt) {
    item->v_float64 = (double)item->v_int64;
    return 0;
  }
  return fail("TypeError", "%s: element %lld of an array must be %s, got %s", function,
              (long long)index,
              kind == kPointer ? "an object"
              : kind == kInt   ? "an integer"
              : kind == kBool  ? "a boolean"
                               : "a number",
              kind_of(item));
}
