// Expressions: constants with the types of other operands, operators, reads of buffers.
#include <tschema/stack_guard.h>
#include <tschema/structural_equal.h>
#include <uir/ir/dtype.h>
#include <uir/ir/op.h>
#include <uir/ir/range.h>
#include <uir/tir/arith.h>
#include <uir/tir/arith_op.h>
#include <uir/tir/expr.h>
#include <uir/tir/logic.h>
#include <uir/tir/op.h>
#include <uir/tir/reduce.h>
#include <uir/tir/scalar_op.h>

#include <array>
#include <optional>
#include <string>
#include <utility>

#include "./builder_state.h"
#include "./fold.h"

namespace uir::script {

namespace {

using ir::PrimExpr;

bool IsPlain(const ffi::Any& value) {
  const int32_t index = value.type_index();
  return index == kTVMFFIInt || index == kTVMFFIFloat;
}

/*! \brief Make the node of an operation, or a call of its intrinsic. */
PrimExpr MakeBinary(ir::ScalarOp op, PrimExpr a, PrimExpr b) {
  if (op == ir::ScalarOp::kDiv && !ir::IsFloat(a->dtype)) {
    TVM_FFI_THROW(TypeError) << "`/` is for floating-point numbers, got `" << a->dtype
                             << "`: say `//`, which rounds down, or `tir.truncdiv`";
  }
  if (!ir::IsBitwise(op)) return tir::MakeNode(op, std::move(a), std::move(b));
  // Looked up once: operators are never taken back.
  static const auto* const ops = new std::array<ir::Op, 5>{
      ir::get_op("tir.bitwise_and"), ir::get_op("tir.bitwise_or"), ir::get_op("tir.bitwise_xor"),
      ir::get_op("tir.shift_left"), ir::get_op("tir.shift_right")};
  const DLDataType dtype = a->dtype;
  const auto place = static_cast<size_t>(op) - static_cast<size_t>(ir::ScalarOp::kBitAnd);
  return tir::Call(dtype, (*ops)[place], {std::move(a), std::move(b)});
}

ffi::Any ReadUnary(Builder* builder, const SyntaxNode* node, DLDataType like) {
  const SyntaxNode* operand = (*node)[0];
  if (node->text == "-" && (operand->kind == Syntax::kInt || operand->kind == Syntax::kFloat)) {
    return builder->ToExpr(builder->Value(node), node, like);
  }
  const ffi::Any known = builder->Operand(operand);
  if (IsFolded(known, operand)) {
    if (const std::optional<ffi::Any> folded = FoldUnary(node->text, known)) return *folded;
  }
  PrimExpr value = builder->ToExpr(known, operand, like);
  if ((node->text == "+" || node->text == "-") && value.as<ir::StringImmNode>() != nullptr) {
    builder->Fail(node, "`" + std::string(node->text) + "` takes a number, got a string");
  }
  const auto make = [&]() -> PrimExpr {
    if (node->text == "not") return tir::Not(value);
    if (node->text == "-") return tir::neg(value);
    if (node->text == "+") return value;
    static const auto* const op = new ir::Op(ir::get_op("tir.bitwise_not"));
    return tir::Call(value->dtype, *op, {value});
  };
  return builder->Spanned(builder->At(node, make), node);
}

/*! \brief Two operands as expressions of one data type. */
std::pair<PrimExpr, PrimExpr> Matched(Builder* builder, const ffi::Any& first,
                                      const SyntaxNode* a_node, const ffi::Any& second,
                                      const SyntaxNode* b_node) {
  const bool is_plain = IsPlain(first);
  const bool takes_other = is_plain && !IsPlain(second);
  const DLDataType like = takes_other ? builder->ToExpr(second, b_node)->dtype : kNoType;
  PrimExpr a = builder->ToExpr(first, a_node, like);
  PrimExpr b = builder->ToExpr(second, b_node, is_plain ? kNoType : a->dtype);
  if (a->dtype == b->dtype) return {std::move(a), std::move(b)};
  return builder->At(b_node, [&]() -> std::pair<PrimExpr, PrimExpr> {
    const ffi::Tuple<PrimExpr, PrimExpr> matched = tir::match_types(a, b);
    return {matched.get<0>(), matched.get<1>()};
  });
}

/*! \brief `2 ** 10` of two integers is a number; of expressions, a call of `tir.pow`. */
PrimExpr ReadPower(Builder* builder, const SyntaxNode* node, const ffi::Any& base,
                   const ffi::Any& exponent) {
  const bool is_number = base.type_index() == kTVMFFIInt && exponent.type_index() == kTVMFFIInt;
  if (!is_number) {
    const auto like = [&](const ffi::Any& other, const SyntaxNode* place) {
      return IsPlain(other) ? kNoType : builder->ToExpr(other, place)->dtype;
    };
    const PrimExpr a = builder->ToExpr(base, (*node)[0], like(exponent, (*node)[1]));
    const PrimExpr b = builder->ToExpr(exponent, (*node)[1], a->dtype);
    return builder->At(node, [&]() -> PrimExpr {
      const ffi::Tuple<PrimExpr, PrimExpr> matched = tir::match_types(a, b);
      return tir::call_intrin(matched.get<0>()->dtype, "tir.pow",
                              {matched.get<0>(), matched.get<1>()});
    });
  }
  const std::optional<int64_t> power =
      ir::Evaluate(ir::ScalarOp::kPower, base.cast<int64_t>(), exponent.cast<int64_t>());
  if (!power) builder->Fail(node, "the power is not an integer of 64 bits");
  return builder->ToExpr(*power, node);
}

ffi::Any ReadBinary(Builder* builder, const SyntaxNode* node) {
  const SyntaxNode* a_node = (*node)[0];
  const SyntaxNode* b_node = (*node)[1];
  const ffi::Any first = builder->Operand(a_node);
  const bool is_logic = node->text == "and" || node->text == "or";
  if (const std::optional<bool> truth = is_logic ? FoldedTruth(first, a_node) : std::nullopt) {
    return *truth == (node->text == "and") ? builder->Operand(b_node) : ffi::Any(*truth);
  }
  const ffi::Any second = builder->Operand(b_node);
  if (IsFolded(first, a_node) || IsFolded(second, b_node)) {
    if (const auto folded = FoldBinary(node->text, first, second)) return *folded;
  }
  const std::optional<ir::ScalarOp> op = ir::FindSymbol(node->text);
  if (op == ir::ScalarOp::kPower) {
    return builder->Spanned(ReadPower(builder, node, first, second), node);
  }
  if (!op) {
    builder->Fail(node, "`" + std::string(node->text) + "` is an operator of `relay` only");
  }
  auto [a, b] = Matched(builder, first, a_node, second, b_node);
  return builder->Spanned(
      builder->At(node,
                  [&, &a = a, &b = b] { return MakeBinary(*op, std::move(a), std::move(b)); }),
      node);
}

/*! \brief `a if condition else b`; a condition that Python knows chooses the value. */
ffi::Any ReadConditional(Builder* builder, const SyntaxNode* node, DLDataType like) {
  const ffi::Any known = builder->Operand((*node)[0]);
  if (const std::optional<bool> truth = FoldedTruth(known, (*node)[0])) {
    return builder->Operand((*node)[*truth ? 1 : 2]);
  }
  const PrimExpr condition = builder->ToExpr(known, (*node)[0]);
  const PrimExpr a = builder->Expr((*node)[1], like);
  const PrimExpr b = builder->Expr((*node)[2], a->dtype);
  const auto make = [&]() -> PrimExpr {
    return tir::call_intrin(a->dtype, "tir.if_then_else", {condition, a, b});
  };
  return builder->Spanned(builder->At(node, make), node);
}

/*! \brief The begin of a slice whose end is a constant after it, and its number of elements. */
std::optional<int64_t> ConstantExtent(const PrimExpr& extent) {
  if (const auto* number = extent.as<ir::IntImmNode>()) return number->value;
  // `(x + 8) - (x + 4)`; what differs by more than a constant is not a vector.
  const auto* difference = extent.as<tir::SubNode>();
  if (difference == nullptr) return std::nullopt;
  const auto split = [](const PrimExpr& expr) -> std::pair<PrimExpr, int64_t> {
    const auto* sum = expr.as<tir::AddNode>();
    const auto* offset = sum == nullptr ? nullptr : sum->b.as<ir::IntImmNode>();
    return offset == nullptr ? std::pair{expr, int64_t{0}} : std::pair{sum->a, offset->value};
  };
  const auto [last, last_offset] = split(difference->a);
  const auto [first, first_offset] = split(difference->b);
  if (!tschema::StructuralEqual(last, first)) return std::nullopt;
  return last_offset - first_offset;
}

/*! \brief `A[i:i + 4]` is `A[tir.Ramp(i, 1, 4)]`; a slice of one element is an index. */
PrimExpr ReadVectorIndex(Builder* builder, const tir::Buffer& buffer, size_t dimension,
                         const SyntaxNode* node) {
  const SliceParts slice = BuildSlice(builder, buffer, dimension, node);
  const int64_t step = slice.step == nullptr ? 1 : builder->Int(slice.step);
  const std::optional<int64_t> extent = ConstantExtent(slice.extent);
  if (!extent || *extent <= 0 || *extent > INT32_MAX || step <= 0) {
    builder->Fail(node, "a slice is a vector: its length and its step are positive constants");
  }
  const int64_t lanes = (*extent - 1) / step + 1;
  if (lanes == 1) return slice.begin;
  return builder->At(node, [&] {
    return tir::Ramp(slice.begin, MakeInt(step, slice.begin->dtype), static_cast<int32_t>(lanes));
  });
}

/*! \brief `A.shape[0]`, or an element of another list. */
ffi::Any ReadElement(Builder* builder, const SyntaxNode* node,
                     const ffi::Array<ffi::Any>& elements) {
  if (node->size != 2) builder->Fail(node, "expected the index of an element");
  const int64_t index = builder->Int((*node)[1]);
  const auto size = static_cast<int64_t>(elements.size());
  if (index < -size || index >= size) {
    builder->Fail(node, "there are " + std::to_string(size) + " elements");
  }
  return elements[index < 0 ? index + size : index];
}

/*! \brief `options["name"]`. */
ffi::Any ReadEntry(Builder* builder, const SyntaxNode* node,
                   const ffi::Map<ffi::Any, ffi::Any>& entries) {
  if (node->size != 2) builder->Fail(node, "expected the key of an entry");
  const auto found = entries.find(builder->Value((*node)[1]));
  if (found == entries.end()) builder->Fail((*node)[1], "there is no entry of this key");
  return (*found).second;
}

}  // namespace

ffi::Array<ir::PrimExpr> BuildIndices(Builder* builder, const tir::Buffer& buffer,
                                      const SyntaxNode* node) {
  ffi::Array<PrimExpr> indices;
  node = Spread(builder, node);
  for (uint32_t i = 1; i < node->size; ++i) {
    const SyntaxNode* index = (*node)[i];
    const bool is_list = index->kind == Syntax::kTuple || index->kind == Syntax::kName;
    if (is_list && node->size == 2) return builder->Exprs(index);
    if (index->kind == Syntax::kSlice) {
      indices.push_back(ReadVectorIndex(builder, buffer, i - 1, index));
      continue;
    }
    indices.push_back(builder->Expr(index));
  }
  return indices;
}

ffi::Any BuildSubscript(Builder* builder, const SyntaxNode* node) {
  const ffi::Any owner = builder->Value((*node)[0]);
  // The element has a span of its own.
  if (const auto list = owner.as<ffi::Array<ffi::Any>>()) return ReadElement(builder, node, *list);
  if (const auto map = owner.as<ffi::Map<ffi::Any, ffi::Any>>()) {
    return ReadEntry(builder, node, *map);
  }
  const auto found = BufferOf(builder->state(), owner);
  if (!found) {
    builder->Fail((*node)[0], "expected a buffer, found `" + owner.GetTypeKey() + "`");
  }
  const tir::Buffer& buffer = *found;
  const ffi::Array<PrimExpr> indices = BuildIndices(builder, buffer, node);
  return builder->Spanned(
      PrimExpr(builder->At(node, [&] { return tir::BufferLoad(buffer, indices); })), node);
}

ffi::Any BuildOperation(Builder* builder, const SyntaxNode* node, DLDataType like) {
  if (node->kind == Syntax::kBinary) return ReadBinary(builder, node);
  if (node->kind == Syntax::kUnary) return ReadUnary(builder, node, like);
  return ReadConditional(builder, node, like);
}

ir::PrimExpr MakeInt(int64_t value, DLDataType like) {
  if (like == kNoType || !(ir::IsNumber(like))) {
    const bool is_short = INT32_MIN <= value && value <= INT32_MAX;
    return ir::IntImm(ir::IntType(is_short ? 32 : 64), value);
  }
  if (ir::IsFloat(like)) return MakeFloat(static_cast<double>(value), like);
  PrimExpr constant = ir::IntImm(ir::ElementOf(like), value);
  if (ir::IsScalar(like)) return constant;
  return tir::Broadcast(constant, ir::LanesOf(like));
}

ir::PrimExpr MakeFloat(double value, DLDataType like) {
  if (like == kNoType || !ir::IsFloat(like)) return ir::FloatImm(ir::FloatType(32), value);
  PrimExpr constant = ir::FloatImm(ir::ElementOf(like), value);
  if (ir::IsScalar(like)) return constant;
  return tir::Broadcast(constant, ir::LanesOf(like));
}

ir::PrimExpr Builder::ToExpr(const ffi::Any& value, const SyntaxNode* node, DLDataType like) {
  switch (value.type_index()) {
    case kTVMFFIInt:
      return Spanned(At(node, [&] { return MakeInt(value.cast<int64_t>(), like); }), node);
    case kTVMFFIFloat:
      return Spanned(At(node, [&] { return MakeFloat(value.cast<double>(), like); }), node);
    case kTVMFFIBool:
      return Spanned(PrimExpr(ir::IntImm(ir::BoolType(), value.cast<bool>())), node);
    case kTVMFFISmallStr:
    case kTVMFFIStr:
      return Spanned(PrimExpr(ir::StringImm(value.cast<ffi::String>())), node);
    default:
      break;
  }
  if (std::optional<PrimExpr> expr = value.as<PrimExpr>()) return *std::move(expr);
  // A thread is used as its index.
  if (const std::optional<tir::IterVar> axis = value.as<tir::IterVar>()) return (*axis)->var;
  Fail(node, "expected an expression, found `" + value.GetTypeKey() + "`");
}

std::pair<ir::PrimExpr, ir::PrimExpr> Builder::Operands(const SyntaxNode* a_node,
                                                        const SyntaxNode* b_node) {
  const ffi::Any first = Operand(a_node);
  return Matched(this, first, a_node, Operand(b_node), b_node);
}

ffi::Any Builder::Operand(const SyntaxNode* node) {
  if (!tschema::EnoughStack()) {
    return tschema::RunOnNewStack([&] { return Operand(node); });
  }
  switch (node->kind) {
    case Syntax::kBinary:
    case Syntax::kConditional:
      return BuildOperation(this, node);
    case Syntax::kUnary:
      // The sign of a number belongs to it.
      return node->text == "-" ? Value(node) : BuildOperation(this, node);
    default:
      return Value(node);
  }
}

ir::PrimExpr Builder::Expr(const SyntaxNode* node, DLDataType like) {
  if (!tschema::EnoughStack()) {
    return tschema::RunOnNewStack([&] { return Expr(node, like); });
  }
  switch (node->kind) {
    case Syntax::kBinary:
    case Syntax::kUnary:
    case Syntax::kConditional:
      return ToExpr(BuildOperation(this, node, like), node, like);
    case Syntax::kSubscript:
      if (IsMetadata(node)) break;
      return ToExpr(BuildSubscript(this, node), node, like);
    case Syntax::kTrue:
    case Syntax::kFalse:
      return ToExpr(node->kind == Syntax::kTrue, node);
    case Syntax::kKeyword:
    case Syntax::kSlice:
      Fail(node, "expected an expression");
    case Syntax::kLambda:
      Fail(node, "`lambda` is not supported here", "only `tir.comm_reducer` takes one");
    default:
      break;
  }
  return ToExpr(Value(node), node, like);
}

ffi::Array<ir::PrimExpr> Builder::Exprs(const SyntaxNode* node) {
  ffi::Array<PrimExpr> exprs;
  if (node->kind == Syntax::kName || node->kind == Syntax::kAttribute) {
    const ffi::Any value = Value(node);
    const auto elements = value.as<ffi::Array<ffi::Any>>();
    if (!elements) return {ToExpr(value, node)};
    for (const ffi::Any& element : *elements) exprs.push_back(ToExpr(element, node));
    return exprs;
  }
  if (node->kind != Syntax::kTuple && node->kind != Syntax::kList) {
    exprs.push_back(Expr(node));
    return exprs;
  }
  node = Spread(this, node);
  for (uint32_t i = 0; i < node->size; ++i) exprs.push_back(Expr((*node)[i]));
  return exprs;
}

ir::PrimExpr Builder::Extent(const ir::PrimExpr& begin, const ir::PrimExpr& end) {
  const auto* first = begin.as<ir::IntImmNode>();
  if (first != nullptr && first->value == 0) return end;
  const auto* sum = end.as<tir::AddNode>();
  if (sum != nullptr && tschema::StructuralEqual(sum->a, begin)) return sum->b;
  const auto* last = end.as<ir::IntImmNode>();
  if (first != nullptr && last != nullptr && first->dtype == last->dtype) {
    return ir::IntImm(last->dtype, last->value - first->value);
  }
  return tir::sub(end, begin);
}

}  // namespace uir::script
