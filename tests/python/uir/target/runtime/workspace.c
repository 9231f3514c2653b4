// Memory of calls: kept blocks, their sizes, and that they never exceed what was in use.
#include "uir/target/runtime/workspace.c"

#include "./checks.h"

enum { kSize = 1 << 20 };

static void check_blocks_are_used_again(void) {
  char* first = allocate_workspace(kSize, 1);
  CHECK(first != NULL && (uintptr_t)first % 64 == 0);
  memset(first, 1, kSize);
  free_workspace(first);
  CHECK(workspace.used == 0 && workspace.kept == kSize);
  char* second = allocate_workspace(kSize / 4, 4);
  CHECK(second == first && workspace.kept == 0);
  char* third = allocate_workspace(kSize / 8, 4);
  CHECK(third != NULL && third != second && workspace.used == kSize + kSize / 2);
  memset(third, 2, kSize / 2);
  free_workspace(second);
  free_workspace(third);
  // The smallest one that is large enough, by a quarter at most.
  CHECK(allocate_workspace(kSize / 2 - 1, 1) == third);
  CHECK(allocate_workspace(kSize / 5 * 4 + 1, 1) == second);
  free_workspace(second);
  free_workspace(third);
  CHECK(workspace.used == 0 && workspace.kept == workspace.most);
}

static void check_kept_memory_is_bounded(void) {
  for (int64_t i = 1; i < 200; ++i) {
    char* memory = allocate_workspace(i * 7919 % 400 + 1, 4096);
    CHECK(memory != NULL);
    memory[0] = 1;
    CHECK(workspace.used + workspace.kept <= workspace.most);
    free_workspace(memory);
    CHECK(workspace.used == 0 && workspace.kept <= workspace.most);
  }
  CHECK(workspace.most <= 400 * 4096);
}

static void check_small_and_locked(void) {
  const size_t kept = workspace.kept;
  void* small = allocate_workspace(0, 8);
  CHECK(small != NULL && workspace.used == 0);
  free_workspace(small);
  CHECK(lock_workspace());
  void* memory = allocate_workspace(kSize, 1);
  CHECK(memory != NULL && workspace.used == 0 && workspace.kept == kept);
  free_workspace(memory);
  unlock_workspace();
  memory = allocate_workspace(kSize, 1);
  CHECK(lock_workspace());
  free_workspace(memory);
  CHECK(workspace.used == 0);
  unlock_workspace();
}

int main(void) {
  check_blocks_are_used_again();
  check_kept_memory_is_bounded();
  check_small_and_locked();
  puts("done");
}
