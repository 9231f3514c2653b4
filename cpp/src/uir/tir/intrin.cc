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
    {"tir.abs", 1, kPure, "Absolute value."},
    {"tir.access_ptr", 4, kPure,
     "Address of elements: data, offset, extent, 1 to read and 2 to write."},
    {"tir.acos", 1, kPure, "Angle in radians whose cosine is the number."},
    {"tir.acosh", 1, kPure, "Inverse hyperbolic cosine."},
    {"tir.address_of", 1, kPure, "Address of the element that a BufferLoad reads."},
    {"tir.asin", 1, kPure, "Angle in radians whose sine is the number."},
    {"tir.asinh", 1, kPure, "Inverse hyperbolic sine."},
    {"tir.atan", 1, kPure, "Angle in radians whose tangent is the number."},
    {"tir.atan2", 2, kPure, "Angle in radians of the point (second, first)."},
    {"tir.atanh", 1, kPure, "Inverse hyperbolic tangent."},
    {"tir.atomic_add", 2, kUpdates,
     "Adds the second to what lies at the address; the value before."},
    {"tir.bitwise_and", 2, kPure, "Bits that both integers have."},
    {"tir.bitwise_not", 1, kPure, "Bits that an integer has not."},
    {"tir.bitwise_or", 2, kPure, "Bits that one of two integers has."},
    {"tir.bitwise_xor", 2, kPure, "Bits that one of two integers has and the other has not."},
    {"tir.call_extern", -1, kUpdates, "Call of a C function: its symbol, then the arguments."},
    {"tir.call_packed", -1, kUpdates, "Call of an FFI function: its name, then the arguments."},
    {"tir.call_pure_extern", -1, kPure,
     "Call of a C function that only computes: its symbol, then the arguments."},
    {"tir.ceil", 1, kPure, "Least integer that is not below the number."},
    {"tir.clz", 1, kPure, "Bits that are zero above the highest that is set."},
    {"tir.copysign", 2, kPure, "Magnitude of the first with the sign of the second."},
    {"tir.cos", 1, kPure, "Cosine of an angle in radians."},
    {"tir.cosh", 1, kPure, "Hyperbolic cosine."},
    {"tir.erf", 1, kPure, "Error function."},
    {"tir.exp", 1, kPure, "Power of e."},
    {"tir.exp10", 1, kPure, "Power of 10."},
    {"tir.exp2", 1, kPure, "Power of 2."},
    {"tir.floor", 1, kPure, "Greatest integer that is not above the number."},
    {"tir.fma", 3, kPure, "First times second plus third, rounded once."},
    {"tir.fmod", 2, kPure, "Remainder of the quotient rounded towards zero."},
    {"tir.hypot", 2, kPure, "Distance of a point from the origin."},
    {"tir.if_then_else", 3, kPure, "Second or third, only that one computed, as the first says."},
    {"tir.isfinite", 1, kPure, "Whether the value is finite."},
    {"tir.isinf", 1, kPure, "Whether the value is infinite."},
    {"tir.isnan", 1, kPure, "Whether the value is NaN."},
    {"tir.isnullptr", 1, kPure, "Whether an address is null."},
    {"tir.likely", 1, kNote, "The boolean, with the note that it mostly holds."},
    {"tir.log", 1, kPure, "Natural logarithm."},
    {"tir.log10", 1, kPure, "Logarithm to the base 10."},
    {"tir.log1p", 1, kPure, "Natural logarithm of one more."},
    {"tir.log2", 1, kPure, "Logarithm to the base 2."},
    {"tir.memory_barrier", 0, kUpdates,
     "Orders the reads and writes before it before those after it."},
    {"tir.nearbyint", 1, kPure, "Nearest integer, as the rounding mode says."},
    {"tir.nextafter", 2, kPure, "Number next to the first on the way to the second."},
    {"tir.popcount", 1, kPure, "Number of bits that are set."},
    {"tir.pow", 2, kPure, "First to the power of the second."},
    {"tir.prefetch", 1, kUpdates, "Loads what a BufferLoad reads into the cache."},
    {"tir.reinterpret", 1, kPure, "The bits of a value, taken for another data type."},
    {"tir.ret", 1, kUpdates, "Leaves the function with a value."},
    {"tir.round", 1, kPure, "Nearest integer, an even one if two are as near."},
    {"tir.rsqrt", 1, kPure, "One over the square root."},
    {"tir.shift_left", 2, kPure, "Bits of the first moved up by the second."},
    {"tir.shift_right", 2, kPure, "Bits of the first moved down by the second."},
    {"tir.sigmoid", 1, kPure, "Logistic function."},
    {"tir.sin", 1, kPure, "Sine of an angle in radians."},
    {"tir.sinh", 1, kPure, "Hyperbolic sine."},
    {"tir.sqrt", 1, kPure, "Square root."},
    {"tir.storage_sync", 1, kUpdates, "Waits until the threads have written the scope it names."},
    {"tir.tan", 1, kPure, "Tangent of an angle in radians."},
    {"tir.tanh", 1, kPure, "Hyperbolic tangent."},
    {"tir.trunc", 1, kPure, "Integer part."},
    {"tir.vload", 2, kReads, "Vector of consecutive elements at an address: address, offset."},
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
