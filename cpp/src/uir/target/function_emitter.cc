// The text of one function: its head, its names, and reports of problems.
#include "./function_emitter.h"

#include <tvm/ffi/cast.h>
#include <uir/ir/dtype.h>
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
  const auto flops = signature_->func->GetAttr("flops").as<ir::PrimExpr>();
  const auto bytes = signature_->func->GetAttr("bytes").as<ir::PrimExpr>();
  if (!flops || !bytes) return;
  const std::string profile = context_->prelude()->Use("profile_kernel");
  const std::string name = signature_->name.substr(0, signature_->name.size() - 1);
  lines_.Line(profile + "(" + StringLiteral(name) + ", " + NameLiteral(SourceOf(*signature_)) +
              ", " + EmitWork(*flops) + ", " + EmitWork(*bytes) + ");");
}

std::string FunctionEmitter::Run() {
  index_variables_ = FindIndexVariables(signature_->func);
  calls_math_out_of_line_ = signature_->math == nullptr && CallsMathOutOfLine(signature_->func);
  names_.Open();
  const std::vector<std::string> names = BindParameters();
  lines_.Line(CommentOn(*signature_));
  lines_.Open(HeadOf(*signature_, context_->prelude(), names) + " {");
  blocks_.push_back({false, {}});
  EmitProfile();
  VisitStmt(ffi::GetRef<tir::PrimFunc>(signature_->func)->body);
  if (!has_jumped_) EmitReturn("0");
  lines_.Close();
  return parts_.Text() + lines_.Text();
}

void FunctionEmitter::Report(const ffi::Object* node, std::string message) {
  context_->problems()->Report(signature_->func, node, std::move(message));
}

CExpr FunctionEmitter::Refuse(const ffi::Object* node, std::string message) {
  Report(node, std::move(message));
  return {"0"};
}

std::string FunctionEmitter::TypeOf(const ffi::Object* node, DLDataType dtype) {
  if (!ScalarTypeOf(ir::ElementOf(dtype))) {
    Report(node, "C has no type for `" + std::string(ffi::DLDataTypeToString(dtype)) + "`");
  }
  return context_->prelude()->TypeOf(dtype);
}

std::string FunctionEmitter::Declare(const tir::VarNode* var) {
  return variables_[var] = names_.Take(std::string(var->name));
}

/*! \brief The type of a variable that holds a value; masks are vectors of integers. */
std::string FunctionEmitter::DeclaredType(const ffi::Object* node, DLDataType dtype,
                                          int mask_bits) {
  return TypeOf(node, mask_bits == 0 ? dtype : ir::IntType(mask_bits, ir::LanesOf(dtype)));
}

/*! \brief Add a line that gives a variable of the function its value. */
void FunctionEmitter::DeclareConst(const tir::VarNode* var, const CExpr& value) {
  const DLDataType dtype = index_variables_.count(var) != 0 ? ir::IntType(64) : var->dtype;
  const std::string type = DeclaredType(var, dtype, value.mask_bits);
  masks_[var] = value.mask_bits;
  writer_->Line("const " + type + " " + Declare(var) + " = " + value.code + ";");
}

std::vector<std::string> FunctionEmitter::BindParameters() {
  std::vector<std::string> names;
  for (const Parameter& param : signature_->params) {
    if (param.buffer == nullptr) {
      TypeOf(param.var, param.var->dtype);
      names.push_back(Declare(param.var));
      if (ir::IsHandle(param.var->dtype)) pointers_[param.var] = {names.back(), ir::kVoid};
      if (param.var->IsInstance<tir::SizeVarNode>()) non_negative_.insert(param.var);
      continue;
    }
    TypeOf(param.buffer, param.buffer->dtype);
    names.push_back(names_.Take(std::string(param.buffer->name)));
    for (const tir::VarNode* var : {param.var, param.buffer->data.get()}) {
      variables_[var] = names.back();
      pointers_[var] = {names.back(), ir::ElementOf(param.buffer->dtype)};
    }
    const auto* offset = param.buffer->elem_offset.value().as<tir::VarNode>();
    // Entries pass the address of the first element.
    if (offset != nullptr && IsEntered(signature_->func)) variables_[offset] = "0";
  }
  const size_t num_given = signature_->params.size() - signature_->num_sizes;
  for (size_t i = num_given; i < signature_->params.size(); ++i) {
    non_negative_.insert(signature_->params[i].var);
  }
  return names;
}

std::string FunctionEmitter::ConstOf(const tir::VarNode* data) const {
  return signature_->written.count(data) == 0 ? "const " : "";
}

}  // namespace uir::target
