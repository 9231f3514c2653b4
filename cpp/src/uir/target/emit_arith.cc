// Arithmetic, with the values that docs/compiler/semantics.md defines.
#include <uir/ir/dtype.h>
#include <uir/tir/const_fold.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "./c_types.h"
#include "./call_emitter.h"
#include "./scalar_emitter.h"
#include "./vector_emitter.h"

namespace uir::target {

namespace {

/*! \brief An integer that all lanes have. */
std::optional<int64_t> LanesValueOf(const ir::PrimExpr& expr) { return tir::IntConstOf(expr); }

/*! \brief The operand of a vector operation; a scalar if all lanes are the same. */
ir::PrimExpr LaneOf(const ir::PrimExpr& expr) {
  const auto* broadcast = expr.as<tir::BroadcastNode>();
  if (broadcast == nullptr || broadcast->value->dtype.bits < 32) return expr;
  return broadcast->value;
}

bool IsPowerOfTwo(int64_t value) { return value > 0 && (value & (value - 1)) == 0; }

int LogOf(int64_t power) {
  int log = 0;
  while (power >> (log + 1) != 0) ++log;
  return log;
}

bool IsBitOrShift(Binding binding) {
  return Binding::kBitOr <= binding && binding <= Binding::kShift &&
         binding != Binding::kEquality && binding != Binding::kRelation;
}

/*! \brief The least binding of operands without parentheses, by well-known precedences. */
Binding LeastOf(Binding binding, Binding operand) {
  if (operand == binding && binding != Binding::kShift) return binding;
  if (IsBitOrShift(binding)) return Binding::kUnary;
  return binding == Binding::kOr ? Binding::kBitOr : binding;
}

/*! \brief Whether the operands may be grouped in any way. */
bool IsAssociative(Binding binding) {
  return binding == Binding::kAnd || binding == Binding::kOr || binding == Binding::kBitAnd ||
         binding == Binding::kBitOr || binding == Binding::kBitXor;
}

}  // namespace

CExpr ScalarEmitter::Infix(CExpr a, const char* symbol, const CExpr& b, Binding binding) {
  const Binding right = IsAssociative(binding)  ? LeastOf(binding, b.binding)
                        : IsBitOrShift(binding) ? Binding::kUnary
                                                : Tighter(binding);
  CExpr made;
  // Move the text, so that a long sum is built without copies.
  const bool is_plain = a.binding >= LeastOf(binding, a.binding);
  made.code = is_plain ? std::move(a.code) : "(" + a.code + ")";
  made.code += std::string(" ") + symbol + " " + Operand(b, right);
  made.binding = binding;
  made.is_typed = a.is_typed || b.is_typed;
  made.is_wrapped = a.is_wrapped && b.is_wrapped;
  made.reads_memory = a.reads_memory || b.reads_memory;
  return made;
}

/*! \brief The result of arithmetic on `float16`, which `float` computes and this rounds. */
CExpr ScalarEmitter::HalfInfix(const CExpr& a, const char* symbol, const CExpr& b, Binding binding,
                               DLDataType dtype) {
  if (!ir::IsScalar(dtype)) return vectors().HalfVectors(symbol, {a, b}, dtype, binding);
  CExpr made = Infix({Converted("float", a), Binding::kUnary}, symbol,
                     {Converted("float", b), Binding::kUnary}, binding);
  made.reads_memory = a.reads_memory || b.reads_memory;
  made.code = "(_Float16)(" + made.code + ")";
  made.binding = Binding::kUnary;
  return made;
}

std::vector<CExpr> ScalarEmitter::EmitTyped(const ir::PrimExpr& a, const ir::PrimExpr& b) {
  const ir::PrimExpr right = LaneOf(b);
  const bool is_lane = !right.same_as(b) && !IsHalf(b->dtype);
  std::vector<CExpr> texts = EmitAll({is_lane ? a : LaneOf(a), right});
  const bool is_vector = !ir::IsScalar(a->dtype);
  for (size_t i = 0; i < 2; ++i) {
    const bool is_needed = is_vector || (i == 0 && !texts[1].is_typed);
    const bool is_literal = is_vector && texts[i].binding >= Binding::kUnary;
    if (texts[i].is_typed || !is_needed || is_literal || IsPromoted(a->dtype)) continue;
    texts[i].code = Converted(TypeOf(a.get(), ir::ElementOf(a->dtype)), texts[i]);
    texts[i].binding = Binding::kUnary;
    texts[i].is_typed = true;
  }
  return texts;
}

CExpr ScalarEmitter::Ring(const tir::BinaryOpNode* op, const char* symbol, Binding binding) {
  std::vector<CExpr> texts = EmitTyped(op->a, op->b);
  CExpr& b = texts[1];
  const bool is_sum = binding == Binding::kSum;
  const ir::PrimExpr right = LaneOf(op->b);
  const bool is_number = right.as<ir::IntImmNode>() || right.as<ir::FloatImmNode>();
  if (is_sum && is_number && b.code[0] == '-') {
    // `a + -1` is written as `a - 1`.
    symbol = *symbol == '+' ? "-" : "+";
    b.code.erase(0, 1);
    b.binding = Binding::kPrimary;
  }
  if (IsHalf(op->dtype)) return HalfInfix(texts[0], symbol, b, binding, op->dtype);
  CExpr made = Infix(std::move(texts[0]), symbol, b, binding);
  if (IsPromoted(op->dtype)) made.is_wrapped = false;
  return made;
}

bool ScalarEmitter::IsNonNegative(const ir::PrimExpr& expr, int depth) const {
  constexpr int kDepth = 8;
  if (depth > kDepth || !ir::IsScalar(expr->dtype)) return false;
  const auto all = [&](const ir::PrimExpr& a, const ir::PrimExpr& b) {
    return IsNonNegative(a, depth + 1) && IsNonNegative(b, depth + 1);
  };
  if (const auto* constant = expr.as<ir::IntImmNode>()) return constant->value >= 0;
  if (const auto* var = expr.as<tir::VarNode>()) return state_.non_negative.count(var) != 0;
  const bool is_plain = expr.as<tir::AddNode>() || expr.as<tir::MulNode>() ||
                        expr.as<tir::MinNode>() || expr.as<tir::MaxNode>() ||
                        expr.as<tir::FloorDivNode>() || expr.as<tir::FloorModNode>();
  if (is_plain) {
    const auto* binary = expr.as<tir::BinaryOpNode>();
    return all(binary->a, binary->b);
  }
  if (tir::IsCheckedDivisor(expr)) {
    return IsNonNegative(expr.as<tir::CallNode>()->args[0], depth + 1);
  }
  const auto* cast = expr.as<tir::CastNode>();
  return cast != nullptr && cast->dtype.code == kDLInt && cast->value->dtype.code == kDLInt &&
         cast->dtype.bits >= cast->value->dtype.bits && IsNonNegative(cast->value, depth + 1);
}

CExpr ScalarEmitter::CallHelper(const char* key, DLDataType dtype, const tir::BinaryOpNode* op) {
  const std::vector<CExpr> texts = EmitAll({op->a, op->b});
  TypeOf(op, dtype);
  if (!ir::IsScalar(dtype)) {
    const std::string name = std::string(key).substr(0, std::string_view(key).find('.'));
    return vectors().CallLanewise(name, context_->prelude()->Use(key, ir::ElementOf(dtype)), texts,
                                  dtype, dtype);
  }
  CExpr made = {context_->prelude()->Use(key, dtype) + "(" + texts[0].code + ", " + texts[1].code +
                ")"};
  made.reads_memory = texts[0].reads_memory || texts[1].reads_memory;
  return made;
}

CExpr ScalarEmitter::Extreme(const char* name, const tir::BinaryOpNode* op) {
  if (ir::IsScalar(op->dtype)) return CallHelper(name, op->dtype, op);
  const std::vector<CExpr> texts = EmitAll({op->a, op->b});
  TypeOf(op, op->dtype);
  const bool is_float = op->dtype.code == kDLFloat && op->dtype.bits >= 32;
  const std::string key = std::string(name) + (is_float ? ".float" : ".vector");
  CExpr made = {context_->prelude()->Use(key.c_str(), op->dtype) + "(" + texts[0].code + ", " +
                texts[1].code + ")"};
  made.reads_memory = texts[0].reads_memory || texts[1].reads_memory;
  return made;
}

/*! \brief Whether a division of integers is one of floating-point numbers, which vectors have. */
bool IsDividedAsFloat(const tir::BinaryOpNode* op) {
  const bool fits = ir::IsInteger(op->dtype) && op->dtype.bits <= 32;
  // Compilers multiply instead of dividing by a number that they know.
  return fits && !ir::IsScalar(op->dtype) && !LanesValueOf(op->b).has_value();
}

CExpr ScalarEmitter::DivideIntegers(const char* key, const tir::BinaryOpNode* op) {
  if (!IsDividedAsFloat(op)) return CallHelper(key, op->dtype, op);
  const std::vector<CExpr> texts = EmitAll({op->a, op->b});
  TypeOf(op, op->dtype);
  const DLDataType lane = ir::ElementOf(op->dtype);
  context_->prelude()->Use("truncdiv_lane", lane);
  const std::string function = context_->prelude()->Use((std::string(key) + "_lane").c_str(), lane);
  return vectors().CallLanewise(key, function, texts, op->dtype, op->dtype);
}

CExpr ScalarEmitter::Divide(const tir::BinaryOpNode* op, const char* symbol) {
  if (IsDividedAsFloat(op)) {
    return DivideIntegers(symbol[0] == '/' ? "truncdiv" : "truncmod", op);
  }
  std::vector<CExpr> texts = EmitTyped(op->a, op->b);
  for (CExpr& text : texts) text = Exact(std::move(text), op->dtype);
  if (IsHalf(op->dtype)) return HalfInfix(texts[0], symbol, texts[1], Binding::kProduct, op->dtype);
  CExpr made = Infix(std::move(texts[0]), symbol, texts[1], Binding::kProduct);
  // The least number divided by -1 wraps around.
  made.is_wrapped = !IsPromoted(op->dtype) || op->dtype.code == kDLUInt;
  return made;
}

CExpr ScalarEmitter::VisitDiv(const tir::DivNode* op) {
  if (!ir::IsInteger(op->dtype) || op->dtype.code == kDLUInt || IsPromoted(op->dtype) ||
      LanesValueOf(op->b).value_or(0) > 0 || LanesValueOf(op->b).value_or(0) < -1) {
    return Divide(op, "/");
  }
  return DivideIntegers("truncdiv", op);
}

CExpr ScalarEmitter::VisitMod(const tir::ModNode* op) {
  if (!ir::IsInteger(op->dtype))
    return calls().CallLibrary("fmod", op->dtype, EmitAll({op->a, op->b}));
  if (op->dtype.code == kDLUInt || IsPromoted(op->dtype) || LanesValueOf(op->b).value_or(0) > 0 ||
      LanesValueOf(op->b).value_or(0) < -1) {
    return Divide(op, "%");
  }
  return DivideIntegers("truncmod", op);
}

CExpr ScalarEmitter::VisitFloorDiv(const tir::FloorDivNode* op) {
  if (!ir::IsInteger(op->dtype)) return CallHelper("floordiv.float", op->dtype, op);
  const bool is_trunc = IsNonNegative(op->a) && IsNonNegative(op->b);
  if (op->dtype.code == kDLUInt || is_trunc) return Divide(op, "/");
  const int64_t divisor = LanesValueOf(op->b).value_or(0);
  if (!IsPowerOfTwo(divisor)) return DivideIntegers("floordiv", op);
  return Infix(EmitExact(op->a), ">>", {std::to_string(LogOf(divisor))}, Binding::kShift);
}

CExpr ScalarEmitter::VisitFloorMod(const tir::FloorModNode* op) {
  if (!ir::IsInteger(op->dtype)) return CallHelper("floormod.float", op->dtype, op);
  const bool is_trunc = IsNonNegative(op->a) && IsNonNegative(op->b);
  if (op->dtype.code == kDLUInt || is_trunc) return Divide(op, "%");
  const int64_t divisor = LanesValueOf(op->b).value_or(0);
  if (!IsPowerOfTwo(divisor)) return DivideIntegers("floormod", op);
  return Infix(EmitExact(op->a), "&", {std::to_string(divisor - 1)}, Binding::kBitAnd);
}

CExpr ScalarEmitter::Compare(const tir::CmpOpNode* op, const char* symbol, Binding binding) {
  if (!ir::IsScalar(op->dtype)) return vectors().CompareVector(op, symbol, binding);
  std::vector<CExpr> texts = EmitAll({op->a, op->b});
  for (CExpr& text : texts) {
    text = Exact(std::move(text), op->a->dtype);
    // Chains of comparisons mislead readers.
    if (text.binding < Binding::kShift)
      text = {"(" + text.code + ")", Binding::kPrimary, true, true, text.reads_memory};
  }
  CExpr made = Infix(std::move(texts[0]), symbol, texts[1], binding);
  made.is_typed = true;
  return made;
}

}  // namespace uir::target
