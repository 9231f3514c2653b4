// Arguments of entries: what they take, and what they say of others.
#include "uir/target/runtime/entry.c"

#include "./checks.h"

static void check_numbers(void) {
  const TVMFFIAny five = {.type_index = kInt, .v_int64 = 5};
  const TVMFFIAny yes = {.type_index = kBool, .v_int64 = 1};
  const TVMFFIAny half = {.type_index = kFloat, .v_float64 = 0.5};
  const TVMFFIAny none = {.type_index = kNone};
  int64_t integer = 0;
  double number = 0;
  bool truth = false;
  void* pointer = &integer;
  CHECK(take_int("f", "n", &five, 0, 5, &integer) == 0 && integer == 5);
  CHECK(take_int("f", "n", &yes, 0, 5, &integer) == 0 && integer == 1);
  CHECK_RAISES(take_int("f", "n", &five, 0, 4, &integer),
               "ValueError: f: `n` must be at least 0 and at most 4, got 5");
  CHECK_RAISES(take_int("f", "n", &half, 0, 4, &integer),
               "TypeError: f: `n` must be an integer, got a floating-point number");
  CHECK(take_float("f", "x", &half, &number) == 0 && number == 0.5);
  CHECK(take_float("f", "x", &five, &number) == 0 && number == 5);
  CHECK_RAISES(take_float("f", "x", &none, &number),
               "TypeError: f: `x` must be a number, got None");
  CHECK(take_bool("f", "b", &five, &truth) == 0 && truth);
  CHECK_RAISES(take_bool("f", "b", &half, &truth),
               "TypeError: f: `b` must be a boolean, got a floating-point number");
  CHECK(take_pointer("f", "p", &none, &pointer) == 0 && pointer == NULL);
  CHECK_RAISES(take_pointer("f", "p", &five, &pointer),
               "TypeError: f: `p` must be a pointer or None, got an integer");
  CHECK(check_num_args("f", 1, " (x)", 1) == 0);
  CHECK_RAISES(check_num_args("f", 1, " (x)", 2), "TypeError: f: expected 1 argument (x), got 2");
  CHECK(check_index("line 1", "A", 2, 2, 4) == 0);
  CHECK_RAISES(
      check_index("line 1", "A", 3, 2, 4),
      "IndexError: line 1: indices 3 to 4 of buffer `A` are out of bounds: the extent is 4");
  CHECK_RAISES(check_index("line 1", "A", -1, 1, 4),
               "IndexError: line 1: index -1 of buffer `A` is out of bounds: the extent is 4");
}

static void check_kinds(void) {
  static const struct {
    int32_t index;
    const char* kind;
  } kKinds[] = {{kText, "a string"},     {kShortString, "a string"},
                {kString, "a string"},   {kFunction, "a function"},
                {kModule, "a module"},   {kArray, "a list"},
                {kList, "a list"},       {kMap, "a dictionary"},
                {kDict, "a dictionary"}, {kDLTensor, "a tensor"},
                {kTensor, "a tensor"},   {kPointer, "a pointer"},
                {kBool, "a boolean"},    {kFirstRegistered, "an object of another type"}};
  for (size_t i = 0; i < sizeof(kKinds) / sizeof(kKinds[0]); ++i) {
    const TVMFFIAny any = {.type_index = kKinds[i].index};
    CHECK(strcmp(kind_of(&any), kKinds[i].kind) == 0);
  }
}

// A message is cut off at the size of its buffer.
static void check_long_message(void) {
  char name[600];
  memset(name, 'n', sizeof(name) - 1);
  name[sizeof(name) - 1] = 0;
  CHECK(fail("ValueError", "%s", name) == -1);
  CHECK(strlen(raised) == strlen("ValueError: ") + 511);
}

static void check_tensors(void) {
  const DLDataType float32 = {2, 32, 1}, boolean = {kDLBool, 8, 1};
  // The second half of the rows of a matrix of 2 by 6, transposed.
  float* elements = malloc(12 * sizeof(float));
  for (int i = 0; i < 12; ++i) elements[i] = (float)i;
  int64_t shape[] = {3, 2}, strides[] = {1, 6};
  struct {
    TVMFFIObject header;
    DLTensor tensor;
  } object = {{1, kTensor, 0, NULL},
              {elements, {kDLCPU, 0}, 2, float32, shape, strides, 3 * sizeof(float)}};
  TVMFFIAny any = {.type_index = kTensor, .v_ptr = &object};
  const DLTensor* tensor = NULL;
  CHECK(take_tensor("f", "A", &any, float32, 2, &tensor) == 0 && tensor == &object.tensor);
  any = (TVMFFIAny){.type_index = kDLTensor, .v_ptr = &object.tensor};
  CHECK(take_tensor("f", "A", &any, float32, 2, &tensor) == 0 && tensor == &object.tensor);
  CHECK_RAISES(take_tensor("f", "A", &any, float32, 1, &tensor),
               "ValueError: f: `A` must have 1 dimension, got 2");
  CHECK_RAISES(take_tensor("f", "A", &any, boolean, 2, &tensor),
               "TypeError: f: `A` must have data type bool, got float32");
  object.tensor.device.device_type = 2;
  CHECK_RAISES(take_tensor("f", "A", &any, float32, 2, &tensor),
               "ValueError: f: `A` must be on the CPU, got a device of type 2");
  object.tensor.device.device_type = kDLCPU;

  CHECK(check_extent("f", "A", tensor, 0, NULL, 3) == 0);
  CHECK_RAISES(check_extent("f", "A", tensor, 0, "n", 4),
               "ValueError: f: dimension 0 of `A` must be n = 4, got 3");
  CHECK(check_size("f", "A", tensor, 0, 3) == 0);
  CHECK_RAISES(check_size("f", "A", tensor, 0, 2),
               "ValueError: f: dimension 0 of `A` must be at most 2, got 3");
  CHECK(check_count("f", "A", 2, shape, 6) == 0);
  CHECK_RAISES(check_count("f", "A", 2, shape, 5),
               "ValueError: f: `A` must have at most 5 elements, which its indices can count");
  CHECK(check_stride("f", "A", tensor, 1, NULL, 6) == 0);
  CHECK_RAISES(check_stride("f", "A", tensor, 1, NULL, 1),
               "ValueError: f: stride 1 of `A` must be 1, got 6");
  CHECK_RAISES(check_compact("f", "A", tensor),
               "ValueError: f: `A` must be compact: stride 1 must be 1, got 6");

  void *data = NULL, *copy = NULL;
  CHECK(take_input("f", "A", tensor, 4, &data, &copy) == 0 && data == copy);
  static const float kCopied[] = {3, 9, 4, 10, 5, 11};
  CHECK(memcmp(copy, kCopied, sizeof(kCopied)) == 0);
  CHECK((uintptr_t)copy % 64 == 0);
  CHECK(take_data("f", "A", tensor, 4, &data) == 0 && data == elements + 3);
  object.tensor.data = NULL;
  CHECK_RAISES(take_data("f", "A", tensor, 4, &data), "ValueError: f: `A` has no data");
  shape[1] = 0;
  CHECK(take_data("f", "A", tensor, 4, &data) == 0);
  free_copy(&copy);
  free(elements);
}

static void check_sharing(void) {
  float elements[8] = {0};
  int64_t shape[] = {4};
  const DLTensor low = {elements, {kDLCPU, 0}, 1, {2, 32, 1}, shape, NULL, 0};
  const DLTensor high = {elements, {kDLCPU, 0}, 1, {2, 32, 1}, shape, NULL, 16};
  const DLTensor* tensors[] = {&low, &high, &low};
  const void* addresses[] = {elements, elements + 4, elements};
  const char* names[] = {"A", "B", "C"};
  const unsigned char first_written[] = {1, 0, 0}, second_written[] = {0, 1, 0};
  CHECK(check_all_apart("f", 2, names, tensors, addresses, first_written) == 0);
  CHECK(check_all_apart("f", 3, names, tensors, addresses, second_written) == 0);
  CHECK_RAISES(check_all_apart("f", 3, names, tensors, addresses, first_written),
               "ValueError: f: `A`, which is written, must not share memory with `C`");
}

static void check_memory(void) {
  void* memory = allocate(3, 8);
  CHECK(memory != NULL && (uintptr_t)memory % 64 == 0);
  memset(memory, 0, 64);
  free(memory);
  memory = allocate(0, 8);
  CHECK(memory != NULL);
  free(memory);
}

int main(void) {
  check_numbers();
  check_kinds();
  check_long_message();
  check_tensors();
  check_sharing();
  check_memory();
  puts("done");
}
