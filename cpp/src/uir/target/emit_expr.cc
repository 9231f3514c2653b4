// Expressions other than arithmetic: constants, variables, conversions, conditions, bindings.
#include <tvm/ffi/cast.h>
#include <uir/ir/dtype.h>
#include <uir/ir/op.h>
#include <uir/ir/type_name.h>

#include <algorithm>
#include <utility>

#include "./c_types.h"
#include "./call_emitter.h"
#include "./memory_emitter.h"
#include "./scalar_emitter.h"
#include "./vector_emitter.h"

namespace uir::target {

namespace {

/*!
 * \brief How often shared choices and effects may be emitted again in one statement.
 *
 * They are emitted in each branch and after each effect, whose number is exponential in the depth.
 */
constexpr int64_t kMostRepeats = 5000;

/*! \brief Whether a part of an expression is evaluated only under a condition. */
bool IsChoice(const ir::PrimExpr& expr) {
  if (expr.as<tir::LogicalOpNode>() || expr.as<tir::SelectNode>()) return true;
  const auto* call = expr.as<tir::CallNode>();
  const auto* op = call == nullptr ? nullptr : call->op.as<ir::OpNode>();
  return op != nullptr && op->name == "tir.if_then_else";
}

}  // namespace

CExpr ScalarEmitter::VisitDefault(const ir::PrimExprNode* op) {
  return Refuse(op, "C has nothing for an expression of type `" +
                        ir::TypeNameOf(ffi::GetRef<ffi::ObjectRef>(op)) + "`");
}

void ScalarEmitter::BeginStatement() {
  ForgetShared(0);
  emitted_.clear();
  num_repeats_ = 0;
}

CExpr ScalarEmitter::VisitPrimExpr(const ir::PrimExpr& expr) {
  const auto* binary = expr.as<tir::BinaryOpNode>();
  const auto* compare = expr.as<tir::CmpOpNode>();
  if ((binary != nullptr && IsBFloat16(binary->a->dtype)) ||
      (compare != nullptr && IsBFloat16(compare->a->dtype))) {
    return RefuseBFloat16(expr.get());
  }
  if (signature_->shared.count(expr.get()) == 0) return PrimExprFunctor::VisitPrimExpr(expr);
  const auto found = shared_.find(expr.get());
  if (found != shared_.end()) return found->second;
  if (num_repeats_ > kMostRepeats) return {"0"};
  const int num_effects = num_effects_;
  CExpr text = PrimExprFunctor::VisitPrimExpr(expr);
  const bool has_effect = num_effects != num_effects_;
  if (has_effect || IsChoice(expr)) CountPath(expr);
  // An effect happens each time.
  return has_effect ? text : Share(expr, std::move(text));
}

/*! \brief Keep the text of a shared expression for later uses, a long one as a variable. */
CExpr ScalarEmitter::Share(const ir::PrimExpr& expr, CExpr text) {
  constexpr size_t kLong = 120;
  if (text.code.size() > kLong && !ir::IsHandle(expr->dtype)) {
    const std::string type = DeclaredType(expr.get(), expr->dtype, text.mask_bits);
    CExpr kept = {names_.Take("shared")};
    kept.mask_bits = text.mask_bits;
    writer_->Line("const " + type + " " + kept.code + " = " + text.code + ";");
    text = std::move(kept);
  }
  shared_order_.push_back(expr.get());
  return shared_[expr.get()] = std::move(text);
}

void ScalarEmitter::ForgetShared(size_t first) {
  for (size_t i = first; i < shared_order_.size(); ++i) shared_.erase(shared_order_[i]);
  shared_order_.resize(std::min(first, shared_order_.size()));
}

/*! \brief Count the emission of a shared expression; report too many repetitions. */
void ScalarEmitter::CountPath(const ir::PrimExpr& expr) {
  if (emitted_.insert(expr.get()).second || ++num_repeats_ != kMostRepeats + 1) return;
  Report(expr.get(),
         "conditions and effects lead to the shared parts of an expression on more than " +
             std::to_string(kMostRepeats) + " paths; bind parts to variables");
}

void ScalarEmitter::NoteEffect() {
  ++num_effects_;
  ForgetShared(0);
}

CExpr ScalarEmitter::VisitProducerLoad(const tir::ProducerLoadNode* op) {
  return Refuse(op, "tensors have no memory yet; make the function by `te.create_prim_func`");
}

CExpr ScalarEmitter::VisitReduce(const tir::ReduceNode* op) {
  return Refuse(op, "a reduction is left; make the function by `te.create_prim_func`");
}

CExpr ScalarEmitter::EmitExact(const ir::PrimExpr& expr) { return Exact(Emit(expr), expr->dtype); }

CExpr ScalarEmitter::Exact(CExpr expr, DLDataType dtype) {
  if (expr.is_wrapped) return expr;
  expr.code = Converted(context_->prelude()->TypeOf(dtype), expr);
  expr.binding = Binding::kUnary;
  expr.is_wrapped = true;
  return expr;
}

std::vector<CExpr> ScalarEmitter::EmitAll(const std::vector<ir::PrimExpr>& exprs) {
  std::vector<CExpr> texts;
  for (const ir::PrimExpr& expr : exprs) {
    size_t place = writer_->num_lines();
    const int num_effects = num_effects_;
    CExpr text = Emit(expr);
    for (size_t i = 0; i < texts.size() && num_effects_ != num_effects; ++i) {
      if (!texts[i].reads_memory) continue;
      const std::string name = names_.Take("value");
      const int mask_bits = texts[i].mask_bits;
      const std::string type = DeclaredType(exprs[i].get(), exprs[i]->dtype, mask_bits);
      writer_->Insert(place++, "const " + type + " " + name + " = " + texts[i].code + ";");
      texts[i] = {name};
      texts[i].mask_bits = mask_bits;
    }
    texts.push_back(std::move(text));
  }
  return texts;
}

Guarded ScalarEmitter::EmitGuarded(const ir::PrimExpr& expr, int depth) {
  CWriter lines(depth);
  CWriter* const outer = std::exchange(writer_, &lines);
  const size_t num_shared = shared_order_.size();
  const int num_effects = num_effects_;
  CExpr text = EmitExact(expr);
  // Variables that are declared in the branch end with it.
  ForgetShared(num_effects == num_effects_ ? num_shared : 0);
  writer_ = outer;
  return {std::move(text), std::move(lines)};
}

std::string ScalarEmitter::Keep(const std::string& name, DLDataType dtype,
                                const std::string& code) {
  const std::string taken = names_.Take(name);
  writer_->Line("const " + context_->prelude()->TypeOf(dtype) + " " + taken + " = " + code + ";");
  return taken;
}

CExpr ScalarEmitter::VisitIntImm(const ir::IntImmNode* op) {
  CExpr literal = {IntLiteral(op->value, op->dtype)};
  if (literal.code[0] == '-') literal.binding = Binding::kUnary;
  // A literal without a suffix is an `int`.
  const bool is_plain =
      !literal.code.empty() && '0' <= literal.code.back() && literal.code.back() <= '9';
  literal.is_typed = !is_plain || (op->dtype.code == kDLInt && op->dtype.bits <= 32);
  return literal;
}

CExpr ScalarEmitter::VisitFloatImm(const ir::FloatImmNode* op) {
  TypeOf(op, op->dtype);
  CExpr literal = {FloatLiteral(op->value, op->dtype)};
  if (literal.code[0] == '-' || literal.code[0] == '(') literal.binding = Binding::kUnary;
  const bool is_macro = literal.code.find('N') != std::string::npos;
  if (is_macro) context_->prelude()->Include("<math.h>");
  return literal;
}

CExpr ScalarEmitter::VisitStringImm(const ir::StringImmNode* op) {
  return {StringLiteral(std::string(op->value))};
}

CExpr ScalarEmitter::VisitVar(const tir::VarNode* op) {
  const auto found = state_.variables.find(op);
  if (found != state_.variables.end()) {
    CExpr variable = {found->second};
    const auto mask = state_.masks.find(op);
    if (mask != state_.masks.end()) variable.mask_bits = mask->second;
    return variable;
  }
  return Refuse(op, "variable `" + std::string(op->name) +
                        "` has no value here; only the entries of public functions find sizes");
}

CExpr ScalarEmitter::VisitLet(const tir::LetNode* op) {
  const CExpr value = Emit(op->value);
  if (IsNonNegative(op->value)) state_.non_negative.insert(op->var.get());
  DeclareConst(op->var.get(), value);
  return Emit(op->body);
}

CExpr ScalarEmitter::VisitSelect(const tir::SelectNode* op) {
  if (!ir::IsScalar(op->dtype)) return vectors().SelectVector(op);
  const std::vector<CExpr> texts = EmitAll({op->condition, op->true_value, op->false_value});
  return Ternary(texts[0], Exact(texts[1], op->dtype), Exact(texts[2], op->dtype));
}

CExpr ScalarEmitter::Ternary(const CExpr& condition, const CExpr& then, const CExpr& other) {
  CExpr chosen = {Operand(condition, Binding::kOr) + " ? " + Operand(then, Binding::kOr) + " : " +
                      Operand(other, Binding::kTernary),
                  Binding::kTernary};
  chosen.is_typed = then.is_typed || other.is_typed;
  chosen.mask_bits = then.mask_bits;
  chosen.reads_memory = condition.reads_memory || then.reads_memory || other.reads_memory;
  return chosen;
}

CExpr ScalarEmitter::Choose(const ir::PrimExpr& condition, const ir::PrimExpr& true_value,
                            const ir::PrimExpr& false_value) {
  const CExpr chooses = EmitExact(condition);
  // Nested branches that share parts have many paths.
  for (const ir::PrimExpr& part : anticipated_.CommonOf(true_value, false_value)) {
    if (signature_->shared.count(part.get()) != 0) Emit(part);
  }
  Guarded then = EmitGuarded(true_value, writer_->depth() + 1);
  Guarded other = EmitGuarded(false_value, writer_->depth() + 1);
  for (CExpr* arm : {&then.expr, &other.expr}) *arm = vectors().MaskOf(*arm, 8, true_value->dtype);
  if (then.lines.empty() && other.lines.empty()) return Ternary(chooses, then.expr, other.expr);
  const std::string name = names_.Take("chosen");
  const int mask_bits = then.expr.mask_bits;
  writer_->Line(DeclaredType(true_value.get(), true_value->dtype, mask_bits) + " " + name + ";");
  writer_->Open("if (" + chooses.code + ") {");
  writer_->Append(then.lines);
  writer_->Line(name + " = " + then.expr.code + ";");
  writer_->Reopen("} else {");
  writer_->Append(other.lines);
  writer_->Line(name + " = " + other.expr.code + ";");
  writer_->Close();
  CExpr chosen = {name};
  chosen.mask_bits = mask_bits;
  return chosen;
}

CExpr ScalarEmitter::Logic(const tir::LogicalOpNode* op, const char* symbol, Binding binding) {
  if (!ir::IsScalar(op->dtype)) return vectors().LogicVector(op, binding == Binding::kAnd);
  const CExpr a = EmitExact(op->a);
  const Guarded b = EmitGuarded(op->b, writer_->depth() + 1);
  if (b.lines.empty()) return Infix(a, symbol, b.expr, binding);
  const std::string name = names_.Take("condition");
  writer_->Line("bool " + name + " = " + a.code + ";");
  const bool is_and = binding == Binding::kAnd;
  writer_->Open("if (" + (is_and ? name : "!" + name) + ") {");
  writer_->Append(b.lines);
  writer_->Line(name + " = " + b.expr.code + ";");
  writer_->Close();
  return {name};
}

CExpr ScalarEmitter::VisitNot(const tir::NotNode* op) {
  CExpr value = EmitExact(op->a);
  value.code = (value.mask_bits == 0 ? "!" : "~") + Operand(value, Binding::kUnary);
  value.binding = Binding::kUnary;
  return value;
}

/*! \brief A conversion between `bfloat16`, whose values are bits in C, and `float32`. */
CExpr ScalarEmitter::CastBFloat16(const tir::CastNode* op) {
  const bool is_wider = IsBFloat16(op->value->dtype);
  const DLDataType narrow = is_wider ? op->value->dtype : op->dtype;
  const DLDataType other = is_wider ? op->dtype : op->value->dtype;
  if (other != ir::FloatType(32, ir::LanesOf(narrow))) return RefuseBFloat16(op);
  const CExpr value = Emit(op->value);
  TypeOf(op, op->dtype);
  const std::string key =
      std::string(is_wider ? "widen" : "narrow") + (ir::IsScalar(narrow) ? "" : ".vector");
  CExpr made = {context_->prelude()->Use(key.c_str(), narrow) + "(" + value.code + ")"};
  made.reads_memory = value.reads_memory;
  return made;
}

CExpr ScalarEmitter::VisitCast(const tir::CastNode* op) {
  if (IsBFloat16(op->dtype) || IsBFloat16(op->value->dtype)) return CastBFloat16(op);
  if (!ir::IsScalar(op->dtype)) return vectors().CastVector(op);
  const DLDataType from = op->value->dtype;
  const std::string type = TypeOf(op, op->dtype);
  if (ir::IsHandle(from) || ir::IsHandle(op->dtype)) {
    return Refuse(op, "C does not convert addresses to numbers here; use `tir.reinterpret`");
  }
  const bool drops_bits =
      ir::IsInteger(from) && ir::IsInteger(op->dtype) && op->dtype.bits <= from.bits;
  CExpr value = drops_bits ? Emit(op->value) : EmitExact(op->value);
  if (ir::IsBool(op->dtype)) {
    value.code = Operand(value, Binding::kShift) + " != 0";
    value.binding = Binding::kEquality;
    return value;
  }
  if (ir::IsFloat(from) && ir::IsInteger(op->dtype)) {
    const bool is_int64 = op->dtype == ir::IntType(64);
    value.code = context_->prelude()->Use("to_int64") + "(" + value.code + ")";
    value.binding = Binding::kPrimary;
    if (is_int64) return value;
  }
  // An integer with more digits than `float` has is infinite as a half in any case.
  if (IsHalf(op->dtype) && ir::IsInteger(from))
    value = {Converted("float", value), Binding::kUnary};
  value.code = Converted(type, value);
  value.binding = Binding::kUnary;
  value.is_typed = value.is_wrapped = true;
  return value;
}

CExpr ScalarEmitter::VisitBufferLoad(const tir::BufferLoadNode* op) {
  return memory().EmitLoad(op);
}

CExpr ScalarEmitter::VisitRamp(const tir::RampNode* op) { return vectors().EmitRamp(op); }

CExpr ScalarEmitter::VisitBroadcast(const tir::BroadcastNode* op) {
  return vectors().EmitBroadcast(op);
}

CExpr ScalarEmitter::VisitShuffle(const tir::ShuffleNode* op) { return vectors().EmitShuffle(op); }

CExpr ScalarEmitter::VisitCall(const tir::CallNode* op) { return calls().EmitCall(op); }

}  // namespace uir::target
