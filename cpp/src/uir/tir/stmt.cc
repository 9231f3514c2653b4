// Checks of the operands of statements.
#include <tvm/ffi/error.h>
#include <uir/ir/diagnostics.h>
#include <uir/ir/dtype.h>
#include <uir/ir/operand.h>
#include <uir/tir/access.h>
#include <uir/tir/const_fold.h>
#include <uir/tir/stmt.h>

#include <optional>
#include <string>
#include <utility>

namespace uir::tir {

namespace {

void CheckStep(const ForNode* loop) {
  if (!loop->step.has_value()) return;
  const ir::PrimExpr step = loop->step.value();
  ir::CheckSameType(loop, {"loop_var", loop->loop_var}, {"step", step});
  if (IntConstOf(step).value_or(1) > 0) return;
  TVM_FFI_THROW(ValueError) << "For: `step` must be positive, got " << *IntConstOf(step);
}

void AppendFlat(const ffi::Array<Stmt>& stmts, ffi::Array<Stmt>* flat) {
  for (const Stmt& stmt : stmts) {
    if (const auto* nested = stmt.as<SeqStmtNode>()) {
      AppendFlat(nested->seq, flat);
    } else {
      flat->push_back(stmt);
    }
  }
}

}  // namespace

void BindNode::PostInit() { ir::CheckSameType(this, {"var", var}, {"value", value}); }

void AttrStmtNode::PostInit() {
  if (attr_key.empty()) TVM_FFI_THROW(ValueError) << "AttrStmt: `attr_key` must not be empty";
}

void AssertStmtNode::PostInit() {
  ir::CheckScalarBool(this, {"condition", condition});
  if (kind->value.empty()) TVM_FFI_THROW(ValueError) << "AssertStmt: `kind` must not be empty";
  for (size_t i = 0; i < message_parts.size(); ++i) {
    const ir::PrimExpr part = message_parts[static_cast<int64_t>(i)];
    if (part.as<ir::StringImmNode>() != nullptr) continue;
    if (ir::IsInteger(part->dtype) && ir::IsScalar(part->dtype)) continue;
    const std::string name = "message_parts[" + std::to_string(i) + "]";
    ir::ThrowOperand(this, "a string or a scalar integer", {name.c_str(), part});
  }
}

void BufferStoreNode::PostInit() {
  const DLDataType expected = AccessType(this, buffer, indices, predicate);
  if (value->dtype == expected) return;
  TVM_FFI_THROW(TypeError) << "BufferStore: operand `value` must be `" << expected << "` to go to `"
                           << buffer->name << "`, got `" << value->dtype
                           << "` (value = " << ir::describe(value) << ")";
}

void SeqStmtNode::PostInit() {
  for (const Stmt& stmt : seq) {
    if (stmt.as<SeqStmtNode>() == nullptr) continue;
    TVM_FFI_THROW(ValueError) << "SeqStmt: `seq` must not hold another `SeqStmt`; `flatten_seq` "
                              << "takes such a list";
  }
}

void IfThenElseNode::PostInit() { ir::CheckScalarBool(this, {"condition", condition}); }

void ForNode::PostInit() {
  ir::CheckScalarInteger(this, {"loop_var", loop_var});
  ir::CheckSameType(this, {"loop_var", loop_var}, {"min", min});
  ir::CheckSameType(this, {"loop_var", loop_var}, {"extent", extent});
  CheckStep(this);
  if ((kind == ForKind::kThreadBinding) != thread_binding.has_value()) {
    TVM_FFI_THROW(ValueError) << "For: `thread_binding` must be given with "
                              << "`ForKind.THREAD_BINDING`, and only then (loop_var = "
                              << loop_var->name << ")";
  }
}

ffi::Optional<int64_t> ForNode::TripCount() const {
  const std::optional<int64_t> count = IntConstOf(extent);
  const std::optional<int64_t> by = step.has_value() ? IntConstOf(step.value()) : 1;
  if (!count || !by) return std::nullopt;
  return *count <= 0 ? 0 : (*count - 1) / *by + 1;
}

void WhileNode::PostInit() { ir::CheckScalarBool(this, {"condition", condition}); }

Stmt flatten_seq(ffi::Array<Stmt> stmts) {
  ffi::Array<Stmt> flat;
  AppendFlat(stmts, &flat);
  return flat.size() == 1 ? flat[0] : SeqStmt(std::move(flat));
}

}  // namespace uir::tir
