// Statements other than loops and memory: sequences, branches, bindings, assertions, jumps.
#include <tvm/ffi/cast.h>
#include <uir/ir/dtype.h>
#include <uir/ir/type_name.h>
#include <uir/ir/types.h>
#include <uir/tir/launch.h>

#include <utility>

#include "./c_types.h"
#include "./call_emitter.h"
#include "./memory_emitter.h"
#include "./scalar_emitter.h"
#include "./statement_emitter.h"

namespace uir::target {

void StatementEmitter::VisitStmt(const tir::Stmt& stmt) {
  scalars().BeginStatement();
  StmtFunctor::VisitStmt(stmt);
}

void StatementEmitter::VisitBufferStore(const tir::BufferStoreNode* op) { memory().EmitStore(op); }

void StatementEmitter::VisitAllocBuffer(const tir::AllocBufferNode* op) {
  memory().AllocateBuffer(op);
}

void StatementEmitter::VisitDeclBuffer(const tir::DeclBufferNode* op) {
  memory().DeclareBuffer(op);
}

void StatementEmitter::VisitDefault(const tir::StmtNode* op) {
  Report(op, "C has nothing for a statement of type `" +
                 ir::TypeNameOf(ffi::GetRef<ffi::ObjectRef>(op)) + "`");
}

void StatementEmitter::VisitBlock(const tir::BlockNode* op) {
  Report(op, "block `" + std::string(op->name_hint) + "` is left; run `LowerBlocks` before");
}

void StatementEmitter::VisitBlockRealize(const tir::BlockRealizeNode* op) {
  VisitBlock(op->block.get());
}

/*! \brief Emit the inside of a block, with its own scope of names, and free its allocations. */
void StatementEmitter::EmitBody(const tir::Stmt& body, bool is_loop) {
  names_.Open();
  state_.blocks.push_back({is_loop, {}});
  VisitStmt(body);
  if (!has_jumped_) EmitFrees(state_.blocks.back());
  has_jumped_ = false;
  scalars().ForgetShared(0);
  state_.blocks.pop_back();
  names_.Close();
}

void StatementEmitter::VisitSeqStmt(const tir::SeqStmtNode* op) {
  for (const tir::Stmt& stmt : op->seq) {
    if (has_jumped_) return;
    VisitStmt(stmt);
  }
}

void StatementEmitter::VisitBind(const tir::BindNode* op) {
  const CExpr value = scalars().Emit(op->value);
  if (ir::IsHandle(op->var->dtype)) return BindPointer(op, value);
  if (scalars().IsNonNegative(op->value)) state_.non_negative.insert(op->var.get());
  DeclareConst(op->var.get(), value);
}

/*! \brief Bind an address; the annotation of its variable has the type of the elements. */
void StatementEmitter::BindPointer(const tir::BindNode* op, const CExpr& value) {
  const tir::VarNode* var = op->var.get();
  const DLDataType found = calls().PointeeOf(op->value);
  DLDataType pointee = found;
  if (const auto annotated = var->type_annotation.as<ir::PointerType>()) {
    const auto* element = (*annotated)->element_type.as<ir::PrimTypeNode>();
    const bool is_known = element != nullptr && element->dtype != ir::kVoid;
    if (is_known) pointee = ir::ElementOf(element->dtype);
  }
  const bool is_void = pointee == ir::kVoid;
  const std::string type = ConstOf(var) + (is_void ? "void" : TypeOf(op, pointee)) + "*";
  const bool is_same = pointee == found || found == ir::kVoid || is_void;
  const std::string address = is_same ? value.code : Converted(type, value);
  const std::string name = Declare(var);
  state_.pointers[var] = {name, pointee};
  const auto* call = op->value.as<tir::CallNode>();
  const auto* place =
      call == nullptr || call->args.empty() ? nullptr : call->args[0].as<tir::BufferLoadNode>();
  if (place != nullptr) state_.placements[var] = place;
  writer_->Line(type + " " + name + " = " + address + ";");
}

void StatementEmitter::VisitAttrStmt(const tir::AttrStmtNode* op) {
  const std::optional<tir::IterVar> axis = tir::LaunchedAxis(op);
  if (!axis) return VisitStmt(op->body);
  const tir::VarNode* var = (*axis)->var.get();
  EmitLoop(var, ir::IntImm(var->dtype, 0), op->value, std::nullopt, op->body);
}

Failure StatementEmitter::EmitAssertion(const tir::AssertStmtNode* op) {
  const CExpr condition = scalars().EmitExact(op->condition);
  std::string message;
  std::string format;
  std::string values;
  for (const ir::PrimExpr& part : op->message_parts) {
    if (const auto* text = part.as<ir::StringImmNode>()) {
      message += std::string(text->value);
      for (const char c : std::string(text->value)) format += c == '%' ? "%%" : std::string(1, c);
      continue;
    }
    format += "%lld";
    values += ", (long long)" + Operand(scalars().EmitExact(part), Binding::kUnary);
  }
  const bool is_text = values.empty();
  const std::string raise = context_->prelude()->Use(is_text ? "raise_error" : "fail");
  return {"!" + Operand(condition, Binding::kUnary),
          raise + "(" + StringLiteral(std::string(op->kind->value)) + ", " +
              StringLiteral(is_text ? message : format) + values + ")"};
}

void StatementEmitter::VisitAssertStmt(const tir::AssertStmtNode* op) {
  const Failure failure = EmitAssertion(op);
  EmitFailure(failure.condition, failure.value);
}

void StatementEmitter::VisitIfThenElse(const tir::IfThenElseNode* op) {
  const CExpr condition = scalars().EmitExact(op->condition);
  writer_->Open("if (" + condition.code + ") {");
  EmitBody(op->then_case, false);
  int num_open = 1;
  for (ffi::Optional<tir::Stmt> rest = op->else_case; rest.has_value();) {
    const tir::Stmt other = rest.value();
    const auto* next = other.as<tir::IfThenElseNode>();
    if (next == nullptr) {
      writer_->Reopen("} else {");
      EmitBody(other, false);
      break;
    }
    const Guarded guarded = scalars().EmitGuarded(next->condition, writer_->depth());
    if (guarded.lines.empty()) {
      writer_->Reopen("} else if (" + guarded.expr.code + ") {");
    } else {
      writer_->Reopen("} else {");
      writer_->Append(guarded.lines);
      writer_->Open("if (" + guarded.expr.code + ") {");
      ++num_open;
    }
    EmitBody(next->then_case, false);
    rest = next->else_case;
  }
  for (; num_open > 0; --num_open) writer_->Close();
}

void StatementEmitter::VisitEvaluate(const tir::EvaluateNode* op) {
  // A call with an effect becomes a line of its own.
  state_.discarded = op->value.as<tir::CallNode>();
  scalars().Emit(op->value);
}

void StatementEmitter::VisitBreak(const tir::BreakNode*) {
  EmitFrees(true);
  writer_->Line("break;");
  has_jumped_ = true;
}

void StatementEmitter::VisitContinue(const tir::ContinueNode*) {
  EmitFrees(true);
  writer_->Line("continue;");
  has_jumped_ = true;
}

void StatementEmitter::EmitFrees(const OpenBlock& block) {
  for (auto name = block.allocated.rbegin(); name != block.allocated.rend(); ++name) {
    writer_->Line(context_->prelude()->Use("free_workspace") + "(" + *name + ");");
  }
}

/*! \brief Free the allocations of the innermost loop, or of the whole function. */
void StatementEmitter::EmitFrees(bool only_loop) {
  for (auto block = state_.blocks.rbegin(); block != state_.blocks.rend(); ++block) {
    EmitFrees(*block);
    if (only_loop && block->is_loop) return;
  }
}

void StatementEmitter::EmitReturn(const std::string& value) {
  EmitFrees(false);
  writer_->Line("return " + value + ";");
  has_jumped_ = true;
}

void StatementEmitter::EmitFailure(const std::string& condition, const std::string& value) {
  scalars().NoteEffect();
  LeaveIf(condition, value);
}

void StatementEmitter::LeaveIf(const std::string& condition, const std::string& value) {
  for (const OpenBlock& block : state_.blocks) {
    if (block.allocated.empty()) continue;
    writer_->Open("if (" + condition + ") {");
    EmitFrees(false);
    writer_->Line("return " + value + ";");
    return writer_->Close();
  }
  writer_->Leave(condition, value);
}

}  // namespace uir::target
