// Names, types and reports of problems, which all emitters of a function use.
#include "./emitter_part.h"

#include <uir/ir/dtype.h>

#include <utility>

#include "./c_types.h"

namespace uir::target {

void EmitterPart::Report(const ffi::Object* node, std::string message) {
  context_->problems()->Report(signature_->func, node, std::move(message));
}

CExpr EmitterPart::Refuse(const ffi::Object* node, std::string message) {
  Report(node, std::move(message));
  return {"0"};
}

std::string EmitterPart::TypeOf(const ffi::Object* node, DLDataType dtype) {
  if (!ScalarTypeOf(ir::ElementOf(dtype))) {
    Report(node, "C has no type for `" + std::string(ffi::DLDataTypeToString(dtype)) + "`");
  }
  return context_->prelude()->TypeOf(dtype);
}

std::string EmitterPart::Declare(const tir::VarNode* var) {
  return state_.variables[var] = names_.Take(std::string(var->name));
}

std::string EmitterPart::DeclaredType(const ffi::Object* node, DLDataType dtype, int mask_bits) {
  return TypeOf(node, mask_bits == 0 ? dtype : ir::IntType(mask_bits, ir::LanesOf(dtype)));
}

void EmitterPart::DeclareConst(const tir::VarNode* var, const CExpr& value) {
  const DLDataType dtype = state_.index_variables.count(var) != 0 ? ir::IntType(64) : var->dtype;
  const std::string type = DeclaredType(var, dtype, value.mask_bits);
  state_.masks[var] = value.mask_bits;
  writer_->Line("const " + type + " " + Declare(var) + " = " + value.code + ";");
}

std::string EmitterPart::ConstOf(const tir::VarNode* data) const {
  return signature_->written.count(data) == 0 ? "const " : "";
}

CExpr EmitterPart::RefuseBFloat16(const ffi::Object* node) {
  return Refuse(node, "C has no arithmetic for `bfloat16`; run `WidenBFloat16` before");
}

}  // namespace uir::target
