// The number of threads of parallel loops, which the pool of the process keeps.
#include <tvm/ffi/function.h>
#include <uir/runtime/threads.h>

namespace uir::runtime {

namespace {

/*! \brief A function of the pool that libuir or a compiled library has registered. */
ffi::Function PoolNumThreads() { return ffi::Function::GetGlobalRequired("uir.pool.num_threads"); }

}  // namespace

int64_t num_threads() { return PoolNumThreads()().cast<int64_t>(); }

void set_num_threads(int64_t count) { PoolNumThreads()(count); }

}  // namespace uir::runtime
