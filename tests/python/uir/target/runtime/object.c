// Objects: their types, their layouts, and elements of arrays, with types that this program has.
#include "uir/target/runtime/object.c"

#include "./checks.h"

enum { kShape = 200, kSquare = 201 };

#define NAMED(text) {text, sizeof(text) - 1}

static const TVMFFIFieldInfo kShapeFields[] = {
    {.name = NAMED("area"), .size = 8, .offset = 24, .static_type_index = kFloat},
    {.name = NAMED("owner"), .size = 8, .offset = 32, .static_type_index = kReference}};
static const TVMFFITypeInfo kRoot = {.type_index = kFirstObject, .type_key = NAMED("ffi.Object")};
static const TVMFFITypeInfo* kAncestors[] = {&kRoot, NULL};
static TVMFFITypeInfo shape_info = {.type_index = kShape,
                                    .type_depth = 1,
                                    .type_key = NAMED("toy.Shape"),
                                    .type_ancestors = kAncestors,
                                    .num_fields = 2,
                                    .fields = kShapeFields};
static TVMFFITypeInfo square_info = {.type_index = kSquare,
                                     .type_depth = 2,
                                     .type_key = NAMED("toy.Square"),
                                     .type_ancestors = kAncestors};

const TVMFFITypeInfo* TVMFFIGetTypeInfo(int32_t index) {
  return index == kShape ? &shape_info : index == kSquare ? &square_info : &kRoot;
}

int TVMFFITypeKeyToIndex(const TVMFFIByteArray* key, int32_t* index) {
  const bool is_known = strcmp(key->data, "toy.Shape") == 0;
  if (is_known) *index = kShape;
  return is_known ? 0 : -1;
}

static int num_references;

int TVMFFIObjectIncRef(void* object) {
  (void)object;
  ++num_references;
  return 0;
}

int TVMFFIObjectDecRef(void* object) {
  (void)object;
  --num_references;
  return 0;
}

static void check_types(void) {
  static const object_field kFields[] = {{"area", 24, 8, kFloat}, {"owner", 32, 8, kReference}};
  static const object_field kOthers[] = {{"area", 32, 8, kFloat}};
  object_type shape = {"toy.Shape", kFields, 2, 0, 0};
  object_type other_layout = {"toy.Shape", kOthers, 1, 0, 0};
  object_type unknown = {"toy.Circle", NULL, 0, 0, 0};
  kAncestors[1] = &shape_info;
  CHECK(find_type("f", &shape) == 0 && shape.index == kShape && shape.depth == 1);
  CHECK_RAISES(find_type("f", &other_layout),
               "TypeError: f: this library was compiled for another layout of `toy.Shape`: field "
               "`area` of 8 bytes at byte 32");
  CHECK_RAISES(find_type("f", &unknown),
               "TypeError: f: type `toy.Circle` is not registered; import the package that "
               "declares it");

  TVMFFIObject square = {1, kSquare, 0, NULL}, root = {1, kFirstObject, 0, NULL};
  CHECK(is_object(&square, &shape) && !is_object(&root, &shape) && !is_object(NULL, &shape));
  CHECK_RAISES(check_object("f", "x", NULL, &shape),
               "TypeError: f: `x` must be a `toy.Shape`, got None");
  const object_type of_squares = {"toy.Square", NULL, 0, 2, kSquare};
  TVMFFIObject a_shape = {1, kShape, 0, NULL};
  CHECK_RAISES(check_object("f", "x", &a_shape, &of_squares),
               "TypeError: f: `x` must be a `toy.Square`, got a `toy.Shape`");

  TVMFFIAny any = {.type_index = kSquare, .v_ptr = &square};
  void* taken = NULL;
  CHECK(take_object("f", "x", &any, &shape, false, &taken) == 0 && taken == &square);
  any = (TVMFFIAny){.type_index = kNone};
  taken = NULL;
  CHECK(take_object("f", "x", &any, &shape, true, &taken) == 0 && taken == NULL);
  CHECK(take_object("f", "x", &any, &shape, false, &taken) != 0);
  CHECK(return_object(&square, &any) == 0 && any.type_index == kSquare && num_references == 1);
}

static void check_arrays(void) {
  TVMFFIObject object = {1, kShape, 0, NULL};
  const TVMFFIAny items[] = {{.type_index = kInt, .v_int64 = 3},
                             {.type_index = kNone},
                             {.type_index = kShape, .v_ptr = &object}};
  const object_array array = {{1, kArray, 0, NULL}, items, 3};
  TVMFFIAny item;
  CHECK(array_size(&array) == 3);
  CHECK(array_item("f", &array, 0, kInt, &item) == 0 && item.v_int64 == 3);
  CHECK(array_item("f", &array, 0, kFloat, &item) == 0 && item.v_float64 == 3);
  CHECK(array_item("f", &array, 1, kPointer, &item) == 0 && item.v_ptr == NULL);
  CHECK(array_item("f", &array, 2, kPointer, &item) == 0 && item.v_ptr == &object);
  CHECK_RAISES(array_item("f", &array, 3, kInt, &item),
               "IndexError: f: an array of 3 elements has none at 3");
  CHECK_RAISES(array_item("f", &array, 1, kInt, &item),
               "TypeError: f: element 1 of an array must be an integer, got None");
}

int main(void) {
  check_types();
  check_arrays();
  puts("done");
}
