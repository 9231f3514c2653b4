// Loops.
#include <uir/ir/dtype.h>

#include <optional>
#include <utility>

#include "./c_types.h"
#include "./scalar_emitter.h"
#include "./statement_emitter.h"

namespace uir::target {

namespace {

std::optional<int64_t> ScalarValueOf(const ir::PrimExpr& expr) {
  const auto* constant = expr.as<ir::IntImmNode>();
  return constant == nullptr ? std::nullopt : std::optional<int64_t>(constant->value);
}

/*! \brief The type of a counter in C: a narrow one could not hold the end. */
DLDataType CounterType(DLDataType dtype) { return IsPromoted(dtype) ? ir::IntType(32) : dtype; }

}  // namespace

void StatementEmitter::VisitFor(const tir::ForNode* op) {
  if (op->kind == tir::ForKind::kVectorized) {
    Report(op, "loop `" + std::string(op->loop_var->name) +
                   "` is vectorized; run `VectorizeLoop` before");
  }
  if (EmitCopy(op)) return;
  EmitLoop(op->loop_var.get(), op->min, op->extent, op->step, op->body);
}

void StatementEmitter::EmitLoop(const tir::VarNode* var, const ir::PrimExpr& min,
                                const ir::PrimExpr& extent, const ffi::Optional<ir::PrimExpr>& step,
                                const tir::Stmt& body) {
  const bool is_index = state_.index_variables.count(var) != 0;
  const DLDataType counter = is_index ? ir::IntType(64) : CounterType(var->dtype);
  std::vector<ir::PrimExpr> parts = {min, extent};
  if (step.has_value()) parts.push_back(step.value());
  std::vector<CExpr> texts = scalars().EmitAll(parts);
  const std::string type = TypeOf(var, counter);
  for (size_t i = 0; i < texts.size(); ++i) {
    // The body may change the contents of memory.
    texts[i] = scalars().Exact(std::move(texts[i]), var->dtype);
    if (texts[i].reads_memory)
      texts[i] = {scalars().Keep(i == 1 ? "extent" : "start", counter, texts[i].code)};
  }
  CExpr end = texts[1];
  if (ScalarValueOf(min) && ScalarValueOf(extent)) {
    end = {IntLiteral(*ScalarValueOf(min) + *ScalarValueOf(extent), counter)};
  } else if (ScalarValueOf(min) != 0) {
    end = scalars().Infix(texts[0], "+", texts[1], Binding::kSum);
  }
  names_.Open();
  const std::string name = Declare(var);
  if (scalars().IsNonNegative(min)) state_.non_negative.insert(var);
  const std::string next = !step.has_value() || ScalarValueOf(step.value()) == 1
                               ? "++" + name
                               : name + " += " + texts[2].code;
  writer_->Open("for (" + type + " " + name + " = " + texts[0].code + "; " + name + " < " +
                Operand(end, Binding::kSum) + "; " + next + ") {");
  EmitBody(body, true);
  writer_->Close();
  names_.Close();
}

void StatementEmitter::VisitWhile(const tir::WhileNode* op) {
  names_.Open();
  const Guarded condition = scalars().EmitGuarded(op->condition, writer_->depth() + 1);
  if (condition.lines.empty()) {
    writer_->Open("while (" + condition.expr.code + ") {");
  } else {
    writer_->Open("while (true) {");
    writer_->Append(condition.lines);
    writer_->Line("if (!" + Operand(condition.expr, Binding::kUnary) + ") break;");
  }
  EmitBody(op->body, true);
  writer_->Close();
  names_.Close();
}

}  // namespace uir::target
