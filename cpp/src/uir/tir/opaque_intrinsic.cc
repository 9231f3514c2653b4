// Intrinsics of TVM's lowered programs, which uir does not lower: names, effects and meaning. The
// parser reads them, and passes respect their effects.
#include <uir/ir/op_registry.h>
#include <uir/tir/op.h>
#include <uir/tir/opaque_intrinsic.h>

#include <algorithm>
#include <iterator>
#include <string>

namespace uir::tir {

namespace {

struct OpaqueIntrinsic {
  /*! \brief Without the prefix `tir.`. */
  const char* name;
  CallEffectKind effect;
  const char* doc;
};

constexpr OpaqueIntrinsic kIntrinsics[] = {
    {"assume", CallEffectKind::kUpdateState, "A condition that holds here, which passes may use."},
    {"undef", CallEffectKind::kReadState, "An undefined value."},
    {"type_annotation", CallEffectKind::kPure, "A data type as an argument."},
    {"tvm_tuple", CallEffectKind::kUpdateState, "Several values as one argument."},
    {"tvm_thread_invariant", CallEffectKind::kPure, "A value that is the same in all threads."},
    {"tvm_thread_allreduce", CallEffectKind::kUpdateState, "Reduction over threads of a block."},
    {"tvm_struct_get", CallEffectKind::kReadState, "A field of a struct of the host interface."},
    {"tvm_struct_set", CallEffectKind::kUpdateState,
     "Store to a field of a struct of the host interface."},
    {"tvm_stack_alloca", CallEffectKind::kUpdateState, "Memory on the stack of the host."},
    {"tvm_stack_make_shape", CallEffectKind::kReadState, "A shape on the stack of the host."},
    {"tvm_stack_make_array", CallEffectKind::kReadState, "A tensor on the stack of the host."},
    {"tvm_call_packed", CallEffectKind::kUpdateState, "Call of a packed function."},
    {"tvm_call_packed_lowered", CallEffectKind::kUpdateState,
     "Call of a packed function with arguments on the stack."},
    {"tvm_call_cpacked", CallEffectKind::kUpdateState,
     "Call of a packed function in the same library."},
    {"tvm_call_cpacked_lowered", CallEffectKind::kUpdateState,
     "Call of a packed function in the same library with arguments on the stack."},
    {"tvm_call_trace_packed", CallEffectKind::kUpdateState,
     "Call of a packed function that is traced."},
    {"tvm_call_trace_packed_lowered", CallEffectKind::kUpdateState,
     "Call of a packed function that is traced, with arguments on the stack."},
    {"call_packed_lowered", CallEffectKind::kUpdateState,
     "Call of a packed function with arguments on the stack."},
    {"call_cpacked", CallEffectKind::kUpdateState,
     "Call of a packed function in the same library."},
    {"call_cpacked_lowered", CallEffectKind::kUpdateState,
     "Call of a packed function in the same library with arguments on the stack."},
    {"tvm_throw_last_error", CallEffectKind::kUpdateState,
     "Raise the last error of the host interface."},
    {"tvm_static_handle", CallEffectKind::kUpdateState,
     "A handle that lives as long as the library."},
    {"tvm_context_id", CallEffectKind::kReadState, "The context of the caller."},
    {"lookup_param", CallEffectKind::kPure, "A parameter of the module by its name."},
    {"anylist_getitem", CallEffectKind::kReadState, "An element of a list of values."},
    {"anylist_resetitem", CallEffectKind::kUpdateState, "Drop an element of a list of values."},
    {"anylist_setitem_call_packed", CallEffectKind::kUpdateState,
     "Store the result of a packed function in a list of values."},
    {"anylist_setitem_call_cpacked", CallEffectKind::kUpdateState,
     "Store the result of a packed function of the library in a list of values."},
    {"TVMBackendAllocWorkspace", CallEffectKind::kUpdateState, "Temporary memory of a device."},
    {"TVMBackendFreeWorkspace", CallEffectKind::kUpdateState, "Free temporary memory of a device."},
    {"nd_mem_alloc_with_scope", CallEffectKind::kUpdateState,
     "Memory of a device with a storage scope."},
    {"handle_add_byte_offset", CallEffectKind::kPure, "An address with an offset in bytes."},
    {"start_profile_intrinsic", CallEffectKind::kUpdateState,
     "Begin of a region that is profiled."},
    {"end_profile_intrinsic", CallEffectKind::kUpdateState, "End of a region that is profiled."},
    {"ignore_loop_partition", CallEffectKind::kPure, "A condition that does not partition loops."},
    {"tvm_warp_shuffle", CallEffectKind::kUpdateState, "Value of another lane of the warp."},
    {"tvm_warp_shuffle_up", CallEffectKind::kUpdateState, "Value of a lane below in the warp."},
    {"tvm_warp_shuffle_down", CallEffectKind::kUpdateState, "Value of a lane above in the warp."},
    {"tvm_warp_shuffle_xor", CallEffectKind::kUpdateState,
     "Value of the lane with other bits in the warp."},
    {"tvm_warp_activemask", CallEffectKind::kUpdateState, "The active lanes of the warp."},
    {"tvm_global_barrier_kinit", CallEffectKind::kUpdateState,
     "Prepare the barrier of all blocks."},
    {"tvm_kernel_replace_point", CallEffectKind::kUpdateState,
     "The place of the kernel in the code of the host."},
    {"thread_return", CallEffectKind::kUpdateState, "End of the thread."},
    {"tvm_load_matrix_sync", CallEffectKind::kUpdateState, "Load a fragment of a matrix."},
    {"tvm_store_matrix_sync", CallEffectKind::kUpdateState, "Store a fragment of a matrix."},
    {"tvm_fill_fragment", CallEffectKind::kUpdateState, "Fill a fragment of a matrix."},
    {"tvm_mma_sync", CallEffectKind::kUpdateState,
     "Multiply and accumulate fragments of matrices."},
    {"tvm_bmma_sync", CallEffectKind::kUpdateState,
     "Multiply and accumulate fragments of matrices of bits."},
    {"mma_store", CallEffectKind::kUpdateState,
     "Store the result of a multiplication of matrices."},
    {"mma_fill", CallEffectKind::kUpdateState, "Fill the result of a multiplication of matrices."},
    {"mma_store_legacy", CallEffectKind::kUpdateState,
     "Store the result of a multiplication of matrices."},
    {"mma_fill_legacy", CallEffectKind::kUpdateState,
     "Fill the result of a multiplication of matrices."},
    {"make_filled_simdgroup_matrix", CallEffectKind::kUpdateState,
     "Fill a matrix of a SIMD group."},
    {"simdgroup_load", CallEffectKind::kUpdateState, "Load a matrix of a SIMD group."},
    {"simdgroup_store", CallEffectKind::kUpdateState, "Store a matrix of a SIMD group."},
    {"simdgroup_multiply_accumulate", CallEffectKind::kUpdateState,
     "Multiply and accumulate matrices of a SIMD group."},
    {"ptx_mma", CallEffectKind::kUpdateState, "Multiply and accumulate matrices, in PTX."},
    {"ptx_mma_sp", CallEffectKind::kUpdateState,
     "Multiply and accumulate sparse matrices, in PTX."},
    {"ptx_ldmatrix", CallEffectKind::kUpdateState, "Load a matrix, in PTX."},
    {"ptx_cp_async", CallEffectKind::kUpdateState,
     "Copy to shared memory without waiting, in PTX."},
    {"ptx_cp_async_bulk", CallEffectKind::kUpdateState, "Copy a region without waiting, in PTX."},
    {"ptx_cp_async_barrier", CallEffectKind::kUpdateState,
     "Let copies arrive at a barrier, in PTX."},
    {"ptx_commit_group", CallEffectKind::kUpdateState, "Commit a group of copies, in PTX."},
    {"ptx_wait_group", CallEffectKind::kUpdateState, "Wait for groups of copies, in PTX."},
    {"ptx_init_barrier_thread_count", CallEffectKind::kUpdateState, "Prepare a barrier, in PTX."},
    {"ptx_arrive_barrier", CallEffectKind::kUpdateState, "Arrive at a barrier, in PTX."},
    {"ptx_arrive_barrier_expect_tx", CallEffectKind::kUpdateState,
     "Arrive at a barrier that expects bytes, in PTX."},
    {"ptx_wait_barrier", CallEffectKind::kUpdateState, "Wait at a barrier, in PTX."},
    {"create_barriers", CallEffectKind::kUpdateState, "Allocate barriers in shared memory."},
    {"dma_copy", CallEffectKind::kUpdateState, "Copy by direct memory access."},
    {"dma_wait", CallEffectKind::kUpdateState, "Wait for copies by direct memory access."},
    {"dma_start_group", CallEffectKind::kUpdateState,
     "Begin of a group of copies by direct memory access."},
    {"dma_end_group", CallEffectKind::kUpdateState,
     "End of a group of copies by direct memory access."},
    {"texture2d_load", CallEffectKind::kReadState, "Load from a texture."},
    {"texture2d_store", CallEffectKind::kUpdateState, "Store to a texture."},
    {"call_llvm_intrin", CallEffectKind::kUpdateState, "Call of an intrinsic of LLVM."},
    {"call_llvm_pure_intrin", CallEffectKind::kPure,
     "Call of an intrinsic of LLVM without effects."},
    {"llvm_lookup_intrinsic_id", CallEffectKind::kPure, "The number of an intrinsic of LLVM."},
    {"call_spirv_pure_glsl450", CallEffectKind::kPure, "Call of an instruction of GLSL in SPIR-V."},
    {"vectorlow", CallEffectKind::kPure, "The lower half of a vector."},
    {"vectorhigh", CallEffectKind::kPure, "The upper half of a vector."},
    {"vectorcombine", CallEffectKind::kPure, "The concatenation of two vectors."},
    {"dp4a", CallEffectKind::kPure, "Dot product of four bytes."},
    {"get_active_lane_mask", CallEffectKind::kPure, "The lanes of a vector below a limit."},
    {"masked_load", CallEffectKind::kReadState, "Load of the lanes of a mask."},
    {"masked_store", CallEffectKind::kUpdateState, "Store of the lanes of a mask."},
    {"q_multiply_shift", CallEffectKind::kPure, "Multiplication of fixed-point numbers."},
    {"q_multiply_shift_per_axis", CallEffectKind::kPure,
     "Multiplication of fixed-point numbers by numbers of an axis."},
    {"ldexp", CallEffectKind::kPure, "A number times a power of two."},
    {"vscale", CallEffectKind::kPure, "The length of vectors of the target in units."},
    {"ptx_legacy.mma", CallEffectKind::kUpdateState, "Multiply and accumulate matrices, in PTX."},
    {"ptx_legacy.mma_sp", CallEffectKind::kUpdateState,
     "Multiply and accumulate sparse matrices, in PTX."},
    {"ptx_legacy.ldmatrix", CallEffectKind::kUpdateState, "Load a matrix, in PTX."},
    {"ptx_legacy.cp_async", CallEffectKind::kUpdateState,
     "Copy to shared memory without waiting, in PTX."},
    {"ptx.mma", CallEffectKind::kUpdateState, "Multiply and accumulate matrices, in PTX."},
    {"ptx.ldmatrix", CallEffectKind::kUpdateState, "Load a matrix, in PTX."},
    {"ptx.cp_async", CallEffectKind::kUpdateState,
     "Copy to shared memory without waiting, in PTX."},
    {"cuda.mma_store_legacy", CallEffectKind::kUpdateState,
     "Store the result of a multiplication of matrices."},
    {"cuda.mma_fill_legacy", CallEffectKind::kUpdateState,
     "Fill the result of a multiplication of matrices."},
    {"cuda.mma_store", CallEffectKind::kUpdateState,
     "Store the result of a multiplication of matrices."},
    {"cuda.mma_fill", CallEffectKind::kUpdateState,
     "Fill the result of a multiplication of matrices."},
    {"metal.make_filled_simdgroup_matrix", CallEffectKind::kUpdateState,
     "Fill a matrix of a SIMD group."},
    {"metal.simdgroup_load", CallEffectKind::kUpdateState, "Load a matrix of a SIMD group."},
    {"metal.simdgroup_store", CallEffectKind::kUpdateState, "Store a matrix of a SIMD group."},
    {"metal.simdgroup_multiply_accumulate", CallEffectKind::kUpdateState,
     "Multiply and accumulate matrices of a SIMD group."},
};

constexpr std::string_view kPrefix = "tir.";

void RegisterIntrinsics() {
  for (const OpaqueIntrinsic& intrinsic : kIntrinsics) {
    const ffi::String name(std::string(kPrefix) + intrinsic.name);
    const ir::Op op(name, intrinsic.doc, {}, -1);
    ir::register_op(op, UIR_IR_PLACE);
    ir::set_op_attr(op, "TCallEffectKind", static_cast<int64_t>(intrinsic.effect), UIR_IR_PLACE);
  }
}

TVM_FFI_STATIC_INIT_BLOCK() { ir::AddOpProvider(&RegisterIntrinsics); }

}  // namespace

bool IsOpaqueIntrinsic(std::string_view name) {
  if (name.substr(0, kPrefix.size()) != kPrefix) return false;
  name.remove_prefix(kPrefix.size());
  return std::any_of(std::begin(kIntrinsics), std::end(kIntrinsics),
                     [&](const OpaqueIntrinsic& known) { return name == known.name; });
}

}  // namespace uir::tir
