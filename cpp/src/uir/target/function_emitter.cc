// The text of one function: its head, its names, and reports of problems.
#include "./function_emitter.h"

#include <tvm/ffi/cast.h>
#include <uir/ir/dtype.h>
#include <uir/ir/symbol.h>
#include <uir/tir/fallible_divisions.h>
#include <uir/tir/logic_op.h>
#include <uir/tir/op.h>

#include <cstdio>
#include <utility>

#include "./c_types.h"
#include "./index_variables.h"
#include "./math_calls.h"

namespace uir::target {

namespace {

/*! \brief The place that a function comes from: `model.py:12`, or a name where lines are unknown.
 */
std::string SourceOf(const Signature& signature) {
  const ffi::Optional<ir::Span>& span = signature.func->span;
  if (!span.has_value()) return "";
  const std::string name = span.value()->source_name->name;
  return span.value()->line == 0 ? name : name + ":" + std::to_string(span.value()->line);
}

/*! \brief A comment on a function, with the line of the source that it comes from. */
std::string CommentOn(const Signature& signature) {
  if (signature.math != nullptr) {
    char ulp[16];
    std::snprintf(ulp, sizeof(ulp), "%g", signature.math->max_ulp);
    return std::string("// An error of at most ") + ulp + " ulp.";
  }
  const std::string name = signature.name.substr(0, signature.name.size() - 1);
  const ffi::Optional<ir::Span>& span = signature.func->span;
  if (!span.has_value()) return "// " + name;
  std::string source;
  for (const char c : std::string(span.value()->source_name->name)) {
    source += c == '\n' || c == '\\' ? ' ' : c;
  }
  if (span.value()->line == 0) return "// " + name + ", of " + source;
  return "// " + name + ", line " + std::to_string(span.value()->line) + " of " + source;
}

}  // namespace

FunctionEmitter::FunctionEmitter(ModuleContext* context, const Signature* signature)
    : state_(context, signature),
      statements_(&state_),
      scalars_(&state_),
      vectors_(&state_),
      memory_(&state_),
      calls_(&state_) {
  state_.statements = &statements_;
  state_.scalars = &scalars_;
  state_.vectors = &vectors_;
  state_.memory = &memory_;
  state_.calls = &calls_;
}

/*! \brief Emit an amount of work, which is 0 where a size divides by 0. */
std::string FunctionEmitter::EmitWork(const ir::PrimExpr& work) {
  std::string is_zero;
  for (const tir::BinaryOpNode* division : tir::FallibleDivisions(work)) {
    const ir::PrimExpr zero = tir::make_const(0, division->b->dtype);
    is_zero += (is_zero.empty() ? "" : " || ") + EmitSize(tir::equal(division->b, zero));
  }
  return is_zero.empty() ? EmitSize(work) : "((" + is_zero + ") ? 0 : " + EmitSize(work) + ")";
}

/*! \brief Report the time, the operations and the bytes of the function to profilers. */
void FunctionEmitter::EmitProfile() {
  const auto flops = state_.signature->func->GetAttr("flops").as<ir::PrimExpr>();
  const auto bytes = state_.signature->func->GetAttr("bytes").as<ir::PrimExpr>();
  if (!flops || !bytes) return;
  const std::string profile = state_.context->prelude()->Use("profile_kernel");
  const std::string name = state_.signature->name.substr(0, state_.signature->name.size() - 1);
  state_.lines.Line(profile + "(" + StringLiteral(name) + ", " +
                    NameLiteral(SourceOf(*state_.signature)) + ", " + EmitWork(*flops) + ", " +
                    EmitWork(*bytes) + ");");
}

std::string FunctionEmitter::Run() {
  state_.index_variables = FindIndexVariables(state_.signature->func);
  state_.calls_math_out_of_line =
      state_.signature->math == nullptr && CallsMathOutOfLine(state_.signature->func);
  state_.names.Open();
  const std::vector<std::string> names = BindParameters();
  state_.lines.Line(CommentOn(*state_.signature));
  state_.lines.Open(HeadOf(*state_.signature, state_.context->prelude(), names) + " {");
  state_.blocks.push_back({false, {}});
  EmitProfile();
  statements_.VisitStmt(ffi::GetRef<tir::PrimFunc>(state_.signature->func)->body);
  if (!statements_.has_jumped()) statements_.EmitReturn("0");
  state_.lines.Close();
  return state_.parts.Text() + state_.lines.Text();
}

std::vector<std::string> FunctionEmitter::BindParameters() {
  std::vector<std::string> names;
  for (const Parameter& param : state_.signature->params) {
    if (param.buffer == nullptr) {
      statements_.TypeOf(param.var, param.var->dtype);
      names.push_back(statements_.Declare(param.var));
      if (ir::IsHandle(param.var->dtype)) state_.pointers[param.var] = {names.back(), ir::kVoid};
      if (param.var->IsInstance<tir::SizeVarNode>()) state_.non_negative.insert(param.var);
      continue;
    }
    statements_.TypeOf(param.buffer, param.buffer->dtype);
    names.push_back(state_.names.Take(std::string(param.buffer->name)));
    for (const tir::VarNode* var : {param.var, param.buffer->data.get()}) {
      state_.variables[var] = names.back();
      state_.pointers[var] = {names.back(), ir::ElementOf(param.buffer->dtype)};
    }
    const auto* offset = param.buffer->elem_offset.value().as<tir::VarNode>();
    // Entries pass the address of the first element.
    if (offset != nullptr && ir::IsEntered(state_.signature->func)) state_.variables[offset] = "0";
  }
  const size_t num_given = state_.signature->params.size() - state_.signature->num_sizes;
  for (size_t i = num_given; i < state_.signature->params.size(); ++i) {
    state_.non_negative.insert(state_.signature->params[i].var);
  }
  return names;
}

}  // namespace uir::target
