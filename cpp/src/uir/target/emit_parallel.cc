// Loops on several threads: their captures, and the function that runs a part of a loop.
#include <tvm/ffi/cast.h>
#include <uir/ir/dtype.h>
#include <uir/ir/expr.h>

#include <string>
#include <vector>

#include "./c_types.h"
#include "./call_emitter.h"
#include "./scalar_emitter.h"
#include "./statement_emitter.h"

namespace uir::target {

namespace {

/*! \brief The number of arguments before the captures: the first iteration and their number. */
constexpr size_t kNumRange = 2;

/*! \brief Names for the members of a structure, those of the parameters. */
std::vector<std::string> CaptureNames(const Signature& callee) {
  Names names;
  std::vector<std::string> made;
  for (size_t i = kNumRange; i < callee.params.size(); ++i) {
    const Parameter& param = callee.params[i];
    const ffi::String& name = param.buffer == nullptr ? param.var->name : param.buffer->name;
    made.push_back(names.Take(std::string(name)));
  }
  return made;
}

}  // namespace

/*! \brief Emit the structure of captures, and the function that the pool calls with it. */
void CallEmitter::EmitPart(const Signature& callee, const std::string& name) {
  const std::vector<std::string> captures = CaptureNames(callee);
  if (!captures.empty()) {
    state_.parts.Open("struct " + name + " {");
    for (size_t i = 0; i < captures.size(); ++i) {
      state_.parts.Line(callee.params[kNumRange + i].type + " " + captures[i] + ";");
    }
    state_.parts.Close("};");
    state_.parts.Line("");
  }
  state_.parts.Open("static int32_t " + name + "(void* data, int64_t begin, int64_t extent) {");
  if (!captures.empty()) state_.parts.Line("const struct " + name + "* captures = data;");
  std::string args = "begin, extent";
  for (const std::string& capture : captures) args += ", captures->" + capture;
  state_.parts.Line("return " + callee.name + "(" + args + ");");
  state_.parts.Close();
  state_.parts.Line("");
}

CExpr CallEmitter::ParallelFor(const tir::CallNode* op) {
  const auto* call = op->args[0].as<tir::CallNode>();
  const auto* var = call == nullptr ? nullptr : call->op.as<ir::GlobalVarNode>();
  const Signature* callee = var == nullptr ? nullptr : context_->CalleeOf(var);
  if (callee == nullptr || callee->result || callee->num_sizes != 0 ||
      callee->params.size() != call->args.size()) {
    return Refuse(op,
                  "only a private function without a result runs in parts, and with as many "
                  "arguments as it has parameters");
  }
  const std::string name = callee->name + "part";
  if (context_->IsFirstInParts(callee)) EmitPart(*callee, name);
  const std::vector<ir::PrimExpr> args(call->args.begin(), call->args.end());
  const std::vector<CExpr> texts = scalars().EmitAll(args);
  std::string captures;
  for (size_t i = kNumRange; i < args.size(); ++i) {
    captures += captures.empty() ? "" : ", ";
    captures += Argument(args[i], texts[i], callee->params[i].type);
  }
  std::string address = "NULL";
  if (!captures.empty()) {
    const std::string data = names_.Take("captures");
    writer_->Line("struct " + name + " " + data + " = {" + captures + "};");
    address = "&" + data;
  }
  statements().EmitFailure(context_->prelude()->Use("parallel_for") + "(" + name + ", " + address +
                               ", " + texts[0].code + ", " + texts[1].code + ") != 0",
                           "-1");
  return {"0"};
}

}  // namespace uir::target
