// Prints how many cores the control groups below a folder, UIR_SYSTEM_ROOT, grant, and then how
// many the process may use; "all" where nothing limits them.
#include "uir/target/runtime/cores.c"

static void print(int32_t cores) {
  if (cores == INT32_MAX) {
    puts("all");
  } else {
    printf("%d\n", cores);
  }
}

int main(void) {
  print(granted_num_cores());
  print(num_cores(0));
}
