// The threads of parallel loops in a process that has libuir: the same code as in emitted texts.
#include "../target/runtime/pool.c"
