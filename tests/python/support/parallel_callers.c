// Three threads that call functions with parallel loops, for ThreadSanitizer. `kernels.c` is the
// program of parallel_program.py.
#include "kernels.c"

enum { kCount = 5000, kTurns = 300 };

typedef int32_t (*Entry)(void*, const TVMFFIAny*, int32_t, TVMFFIAny*);

static int32_t call(Entry entry, float* a, float* b, int num_args) {
  int64_t shape = kCount, stride = 1;
  DLTensor tensor = {.device = {1, 0}, .ndim = 1, .dtype = {2, 32, 1}};
  tensor.shape = &shape;
  tensor.strides = &stride;
  DLTensor from = tensor, to = tensor;
  from.data = a;
  to.data = b;
  TVMFFIAny args[3] = {{.type_index = kDLTensor, .v_ptr = &from},
                       {.type_index = kDLTensor, .v_ptr = &to},
                       {.type_index = kFloat, .v_float64 = 2}};
  TVMFFIAny result = {.type_index = kNone};
  return entry(NULL, args, num_args, &result);
}

static void check_that(bool condition) {
  if (!condition) abort();
}

static void* call_often(void* unused) {
  float* a = malloc(2 * kCount * sizeof(float));
  float* b = a + kCount;
  for (int i = 0; i < kCount; ++i) a[i] = i + 3;
  for (int turn = 0; turn < kTurns; ++turn) {
    check_that(call(__tvm_ffi_scale, a, b, 3) == 0);
    for (int i = 0; i < kCount; ++i) check_that(b[i] == 2 * a[i]);
    a[turn] = 2, a[kCount - 1] = 1;
    check_that(call(__tvm_ffi_check, a, b, 2) == -1);
    void* error = NULL;
    TVMFFIErrorMoveFromRaised(&error);
    TVMFFIObjectDecRef(error);
    a[turn] = turn + 3, a[kCount - 1] = kCount + 2;
    if (turn % 100 == 0) usleep(3000);  // the workers park
  }
  free(a);
  return unused;
}

int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], NULL, call_often, NULL);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
  puts("done");
}
