// The operators that tensor-level functions may call, and what calls of them may do.
#include <tvm/ffi/base_detail.h>
#include <uir/ir/op.h>
#include <uir/ir/op_registry.h>
#include <uir/tir/op.h>

#include <cstdint>

namespace uir::tir {

namespace {

struct Intrinsic {
  const char* name;
  /*! \brief The number of arguments of a call; -1 for any number. */
  int32_t num_inputs;
  CallEffectKind effect;
  const char* description;
};

constexpr CallEffectKind kNote = CallEffectKind::kExprAnnotation;
constexpr CallEffectKind kPure = CallEffectKind::kPure;
constexpr CallEffectKind kReads = CallEffectKind::kReadState;
constexpr CallEffectKind kUpdates = CallEffectKind::kUpdateState;

constexpr Intrinsic kIntrinsics[] = {
    {"tir.call_extern", -1, kUpdates, "Call of a C function: its symbol, then the arguments."},
    {"tir.call_packed", -1, kUpdates, "Call of an FFI function: its name, then the arguments."},
    {"tir.call_pure_extern", -1, kPure,
     "Call of a C function that only computes: its symbol, then the arguments."},
    {"tir.reinterpret", 1, kPure, "The bits of a value, taken for another data type."},
};

void AddIntrinsics() {
  for (const Intrinsic& intrinsic : kIntrinsics) {
    const ir::Op op(intrinsic.name, intrinsic.description, {}, intrinsic.num_inputs);
    ir::register_op(op, UIR_IR_PLACE);
    ir::set_op_attr(op, "TCallEffectKind", static_cast<int64_t>(intrinsic.effect), UIR_IR_PLACE);
  }
}

TVM_FFI_STATIC_INIT_BLOCK() { ir::AddOpProvider(&AddIntrinsics); }

}  // namespace

}  // namespace uir::tir
