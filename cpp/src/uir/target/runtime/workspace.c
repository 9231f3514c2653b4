// Memory that functions need until they return.
//
// Compile it with -std=gnu11 -ffp-contract=off -fwrapv -fno-strict-aliasing.

#include "./entry.c"

//! helper allocate_workspace: allocate
// Large blocks are kept for later calls, because the first write to each page of new memory costs.
// Blocks in use and kept ones never take more than the most that was in use at a time.
enum { kBlockHead = 64, kLeastKept = 1 << 16 };

typedef struct Block {
  size_t size;
  bool is_counted;
  struct Block* next;
} Block;

// One for all objects that are linked into a library.
__attribute__((visibility("hidden"), weak)) struct {
  bool lock;
  size_t used;
  size_t most;
  size_t kept;
  Block* first;
} workspace;

// A thread that does not get the lock goes without kept blocks: its holder may be of the process
// that forked this one.
static bool lock_workspace(void) {
  for (int tries = 0; tries < 64; ++tries) {
    if (!__atomic_test_and_set(&workspace.lock, __ATOMIC_ACQUIRE)) return true;
  }
  return false;
}

static void unlock_workspace(void) { __atomic_clear(&workspace.lock, __ATOMIC_RELEASE); }

static Block* take_block(Block** place) {
  Block* block = *place;
  *place = block->next;
  workspace.kept -= block->size;
  return block;
}

// The smallest kept block of at least a size and a quarter more at most; NULL if there is none.
static Block* take_kept(size_t size) {
  Block** best = NULL;
  for (Block** place = &workspace.first; *place != NULL; place = &(*place)->next) {
    const size_t found = (*place)->size;
    if (found < size || found - size > size / 4) continue;
    if (best == NULL || found < (*best)->size) best = place;
  }
  return best == NULL ? NULL : take_block(best);
}

// Counts a block that begins to be used, without more memory than was used before.
static void count_used(size_t size) {
  const size_t used = __atomic_add_fetch(&workspace.used, size, __ATOMIC_RELAXED);
  if (used > workspace.most) workspace.most = used;
  while (workspace.first != NULL && used + workspace.kept > workspace.most) {
    free(take_block(&workspace.first));
  }
}

static void count_unused(size_t size) {
  __atomic_sub_fetch(&workspace.used, size, __ATOMIC_RELAXED);
}

// Memory for some elements, at a cache line; NULL and an error if there is none.
static void* allocate_workspace(int64_t count, size_t size) {
  const size_t bytes = count <= 0 ? 1 : (size_t)count * size;
  const bool is_counted = bytes >= kLeastKept && lock_workspace();
  Block* block = NULL;
  if (is_counted) {
    block = take_kept(bytes);
    count_used(block == NULL ? bytes : block->size);
    unlock_workspace();
  }
  if (block == NULL) {
    block = (Block*)allocate((int64_t)(kBlockHead + bytes), 1);
    if (block == NULL) {
      if (is_counted) count_unused(bytes);
      return NULL;
    }
    block->size = bytes;
    block->is_counted = is_counted;
  }
  return (char*)block + kBlockHead;
}

//! helper free_workspace: allocate_workspace
// Ends the use of memory that `allocate_workspace` returned.
static void free_workspace(void* memory) {
  Block* block = (Block*)((char*)memory - kBlockHead);
  if (block->is_counted) count_unused(block->size);
  if (block->is_counted && lock_workspace()) {
    workspace.kept += block->size;
    block->next = workspace.first;
    workspace.first = block;
    unlock_workspace();
  } else {
    free(block);
  }
}

// When the library is unloaded.
__attribute__((destructor)) static void free_kept_blocks(void) {
  if (!lock_workspace()) return;
  while (workspace.first != NULL) free(take_block(&workspace.first));
  unlock_workspace();
}
