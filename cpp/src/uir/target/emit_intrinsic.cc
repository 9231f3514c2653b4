// Intrinsics that need more than a row of a table.
#include <uir/ir/dtype.h>
#include <uir/ir/op.h>
#include <uir/tir/const_fold.h>

#include <optional>
#include <utility>

#include "./c_types.h"
#include "./call_emitter.h"
#include "./constant_power.h"
#include "./memory_emitter.h"
#include "./scalar_emitter.h"
#include "./statement_emitter.h"
#include "./vector_emitter.h"

namespace uir::target {

DLDataType CallEmitter::PointeeOf(const ir::PrimExpr& address) const {
  if (const auto* var = address.as<tir::VarNode>()) {
    const auto found = state_.pointers.find(var);
    return found == state_.pointers.end() ? ir::kVoid : found->second.dtype;
  }
  const auto* call = address.as<tir::CallNode>();
  if (call == nullptr || call->args.empty()) return ir::kVoid;
  const auto* op = call->op.as<ir::OpNode>();
  if (op == nullptr) return ir::kVoid;
  const auto* load = call->args[0].as<tir::BufferLoadNode>();
  if (op->name == "tir.constant_data") {
    const std::optional<int64_t> index = tir::IntConstOf(call->args[0]);
    const auto size = static_cast<int64_t>(context_->constants().size());
    if (!index || *index < 0 || *index >= size) return ir::kVoid;
    return ir::ElementOf(context_->constants()[*index].dtype());
  }
  if (op->name == "tir.allocate_output") return ir::ElementOf(call->args[1]->dtype);
  if (op->name == "tir.address_of" && load != nullptr) return ir::ElementOf(load->buffer->dtype);
  return op->name == "tir.access_ptr" ? PointeeOf(call->args[0]) : ir::kVoid;
}

CExpr CallEmitter::ConstantData(const tir::CallNode* op) {
  const std::optional<int64_t> index = tir::IntConstOf(op->args[0]);
  const auto size = static_cast<int64_t>(context_->constants().size());
  if (!index || *index < 0 || *index >= size) {
    return Refuse(op, "the attribute `constants` of the module has " + std::to_string(size) +
                          " tensors; run `BindConstants` before");
  }
  context_->UseConstant(*index);
  return {ConstantName(*index)};
}

CExpr CallEmitter::Nothing(const tir::CallNode*) { return {"0"}; }

CExpr CallEmitter::IfThenElse(const tir::CallNode* op) {
  return scalars().Choose(op->args[0], op->args[1], op->args[2]);
}

CExpr CallEmitter::BitwiseNot(const tir::CallNode* op) {
  CExpr value = scalars().EmitExact(op->args[0]);
  const bool is_logic = ir::IsBool(op->dtype) && value.mask_bits == 0;
  value.code = (is_logic ? "!" : "~") + Operand(value, Binding::kUnary);
  value.binding = Binding::kUnary;
  // The complement of a promoted value has the bits of an `int`.
  value.is_wrapped = !IsPromoted(op->dtype) || op->dtype.code == kDLInt;
  return value;
}

CExpr CallEmitter::Likely(const tir::CallNode* op) {
  CExpr value = scalars().EmitExact(op->args[0]);
  if (value.mask_bits != 0) return value;
  value.code = context_->prelude()->Use("likely") + "(" + value.code + ")";
  value.binding = Binding::kPrimary;
  return value;
}

/*! \brief An integer, after lines that leave the function if it is 0 in any lane. */
CExpr CallEmitter::Nonzero(const tir::CallNode* op) {
  const auto* message = op->args[1].as<ir::StringImmNode>();
  if (message == nullptr) return Refuse(op, "the second argument must be a message");
  const CExpr value = scalars().EmitExact(op->args[0]);
  if (message->value.empty()) return value;
  TypeOf(op, op->dtype);
  const CExpr kept = {IsIdentifier(value.code) ? value.code
                                               : scalars().Keep("divisor", op->dtype, value.code)};
  const bool is_scalar = ir::IsScalar(op->dtype);
  const std::string condition =
      is_scalar ? kept.code + " == 0"
                : context_->prelude()->Use("has_zero", op->dtype) + "(" + kept.code + ")";
  const std::string raise = context_->prelude()->Use("raise_error");
  statements().LeaveIf(
      condition, raise + "(\"ValueError\", " + StringLiteral(std::string(message->value)) + ")");
  return kept;
}

CExpr CallEmitter::IsNull(const tir::CallNode* op) {
  return {Operand(scalars().Emit(op->args[0]), Binding::kShift) + " == NULL", Binding::kEquality};
}

CExpr CallEmitter::Returned(const tir::CallNode* op) {
  const CExpr value = scalars().Emit(op->args[0]);
  if (signature_->math != nullptr) {
    statements().EmitReturn(value.code);
    return {"0"};
  }
  writer_->Line("*result = " + value.code + ";");
  statements().EmitReturn("0");
  scalars().NoteEffect();
  return {"0"};
}

/*! \brief The address of an element, or of the end of a buffer, where indices are checked. */
CExpr CallEmitter::AddressOf(const tir::CallNode* op) {
  const auto* load = op->args[0].as<tir::BufferLoadNode>();
  if (load != nullptr && context_->checks_bounds() && memory().IsFlat(load->buffer, load)) {
    const ir::PrimExpr index = load->indices[0];
    memory().CheckedIndex(load->buffer, index, scalars().EmitExact(index), 0, op->span);
  }
  return UncheckedAddressOf(op);
}

CExpr CallEmitter::UncheckedAddressOf(const tir::CallNode* op) {
  const auto* load = op->args[0].as<tir::BufferLoadNode>();
  if (load == nullptr) return Refuse(op, "only the element of a buffer has an address");
  if (!memory().IsFlat(load->buffer, load)) return {"0"};
  const int lanes = ir::LanesOf(load->buffer->dtype);
  CExpr index = scalars().EmitExact(load->indices[0]);
  if (lanes > 1) index = scalars().Infix(index, "*", {std::to_string(lanes)}, Binding::kProduct);
  if (index.code == "0") return {memory().PointerTo(load->buffer, op)};
  CExpr address = {"&" + memory().ElementOf(load->buffer, index, op).code, Binding::kUnary};
  address.reads_memory = index.reads_memory;
  return address;
}

CExpr CallEmitter::AccessPtr(const tir::CallNode* op) {
  const CExpr data = scalars().Emit(op->args[0]);
  const CExpr offset = scalars().EmitExact(op->args[1]);
  if (offset.code == "0") return data;
  return {"&" + Operand(data, Binding::kPrimary) + "[" + offset.code + "]", Binding::kUnary};
}

CExpr CallEmitter::Power(const tir::CallNode* op) {
  const ffi::Optional<ir::PrimExpr> power = ConstantPower(op);
  return power.has_value() ? scalars().Emit(power.value()) : CallNumeric(op, "pow");
}

CExpr CallEmitter::Dot4(const tir::CallNode* op) {
  for (const ir::PrimExpr& arg : op->args) {
    const bool is_of_lanes = arg->dtype == op->dtype && op->args.size() == 3;
    if (is_of_lanes && ir::ElementOf(arg->dtype) == ir::IntType(32)) continue;
    return Refuse(op, "the three operands of `tir.dot4` must be of the same type of `int32`");
  }
  return CallNumeric(op, "dot4");
}

CExpr CallEmitter::Prefetch(const tir::CallNode* op) {
  // The operand need not be a valid address.
  const CExpr address = UncheckedAddressOf(op);
  writer_->Line("__builtin_prefetch(" + address.code + ");");
  return {"0"};
}

CExpr CallEmitter::MemoryBarrier(const tir::CallNode* op) {
  return Effect(op, "__atomic_thread_fence(__ATOMIC_SEQ_CST)");
}

CExpr CallEmitter::AtomicAdd(const tir::CallNode* op) {
  if (!ir::IsInteger(op->dtype)) {
    return Refuse(op, "C adds only integers atomically, got `" +
                          std::string(ffi::DLDataTypeToString(op->dtype)) + "`");
  }
  const std::vector<CExpr> args = scalars().EmitAll({op->args[0], op->args[1]});
  const auto* call = op->args[0].as<tir::CallNode>();
  const auto* element =
      call == nullptr || call->args.empty() ? nullptr : call->args[0].as<tir::BufferLoadNode>();
  if (element != nullptr && context_->checks_bounds()) {
    const ir::PrimExpr index = element->indices[0];
    memory().CheckedIndex(element->buffer, index, scalars().EmitExact(index), 1, op->span);
  }
  const std::string type = TypeOf(op, op->dtype) + "*";
  const std::string address = Argument(op->args[0], args[0], type);
  return Effect(op, "__atomic_fetch_add(" + address + ", " + args[1].code + ", __ATOMIC_SEQ_CST)");
}

CExpr CallEmitter::Reinterpret(const tir::CallNode* op) {
  const DLDataType from = op->args[0]->dtype;
  CExpr value = scalars().EmitExact(op->args[0]);
  const std::string type = TypeOf(op, op->dtype);
  if (from == op->dtype) return value;
  const bool is_vector = !ir::IsScalar(op->dtype) || !ir::IsScalar(from);
  const bool has_same_lanes = ir::LanesOf(from) == ir::LanesOf(op->dtype);
  const bool is_padded =
      !has_same_lanes && (PaddedLanes(ir::LanesOf(from)) != ir::LanesOf(from) ||
                          PaddedLanes(ir::LanesOf(op->dtype)) != ir::LanesOf(op->dtype));
  const bool has_lanes = value.mask_bits != 0 || ir::IsBool(op->dtype) || is_padded;
  if (is_vector && has_lanes) return Refuse(op, "C cannot reinterpret lanes that are padded");
  const bool is_plain = is_vector || (ir::IsInteger(from) && ir::IsInteger(op->dtype));
  if (ir::IsHandle(from) || ir::IsHandle(op->dtype)) {
    value = {Converted("uintptr_t", value), Binding::kUnary};
  }
  if (is_plain || ir::IsHandle(from) || ir::IsHandle(op->dtype)) {
    return {Converted(type, value), Binding::kUnary};
  }
  CExpr made = {context_->prelude()->Use("reinterpret", op->dtype) + "(&(" + TypeOf(op, from) +
                "){" + value.code + "})"};
  made.reads_memory = value.reads_memory;
  return made;
}

CExpr CallEmitter::VLoad(const tir::CallNode* op) { return vectors().VLoad(op); }

}  // namespace uir::target
