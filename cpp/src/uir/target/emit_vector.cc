// Vectors: GNU C computes with them lane by lane, and has masks of 0 and -1 for booleans.
#include <uir/ir/dtype.h>
#include <uir/tir/const_fold.h>

#include <algorithm>
#include <utility>

#include "./c_types.h"
#include "./scalar_emitter.h"
#include "./vector_emitter.h"

namespace uir::target {

namespace {

bool ReadsMemory(const std::vector<CExpr>& operands) {
  return std::any_of(operands.begin(), operands.end(),
                     [](const CExpr& operand) { return operand.reads_memory; });
}

std::string Joined(const std::vector<CExpr>& operands) {
  std::string text;
  for (const CExpr& operand : operands) text += (text.empty() ? "" : ", ") + operand.code;
  return text;
}

/*! \brief Whether a shuffle chooses lanes of two vectors that have the type of its result. */
bool AreTwoAlike(const tir::ShuffleNode* op) {
  const int lanes = ir::LanesOf(op->dtype);
  const auto is_alike = [&](const ir::PrimExpr& vector) { return vector->dtype == op->dtype; };
  const auto is_inside = [&](const ir::PrimExpr& index) {
    const std::optional<int64_t> known = tir::IntConstOf(index);
    return known && 0 <= *known && *known < 2 * lanes;
  };
  return op->vectors.size() == 2 && lanes > 1 && PaddedLanes(lanes) == lanes &&
         !ir::IsBool(op->dtype) && !IsHalf(op->dtype) &&
         std::all_of(op->vectors.begin(), op->vectors.end(), is_alike) &&
         std::all_of(op->indices.begin(), op->indices.end(), is_inside);
}

}  // namespace

CExpr VectorEmitter::ConvertVector(const CExpr& value, DLDataType dtype) {
  CExpr made = {"__builtin_convertvector(" + value.code + ", " +
                context_->prelude()->TypeOf(dtype) + ")"};
  made.reads_memory = value.reads_memory;
  return made;
}

CExpr VectorEmitter::ConvertBy(const char* key, DLDataType dtype, const CExpr& value) {
  CExpr made = {context_->prelude()->Use(key, dtype) + "(" + value.code + ")"};
  made.reads_memory = value.reads_memory;
  return made;
}

CExpr VectorEmitter::ConvertNumbers(const CExpr& value, DLDataType from, DLDataType to) {
  const DLDataType whole = ir::IntType(32, ir::LanesOf(to));
  if (IsByte(to) && from == whole) return ConvertBy("narrow.byte", to, value);
  if (!IsByte(from) || to.bits != 32) return ConvertFloats(value, from, to);
  const char* key = from.code == kDLUInt ? "widen.uint8" : "widen.int8";
  const CExpr made = ConvertBy(key, from, value);
  return to == whole ? made : ConvertVector(made, to);
}

CExpr VectorEmitter::ConvertFloats(const CExpr& value, DLDataType from, DLDataType to) {
  const DLDataType single = ir::FloatType(32, ir::LanesOf(to));
  const bool is_wider = IsHalf(from) && to == single;
  if (!is_wider && !(IsHalf(to) && from == single)) return ConvertVector(value, to);
  return ConvertBy(is_wider ? "widen.half" : "narrow.half", is_wider ? from : to, value);
}

CExpr VectorEmitter::ConvertFloat(const CExpr& value, DLDataType from, DLDataType to) {
  if (!ir::IsScalar(to)) return ConvertFloats(value, from, to);
  CExpr made = {Converted(context_->prelude()->TypeOf(to), value), Binding::kUnary};
  made.reads_memory = value.reads_memory;
  return made;
}

CExpr VectorEmitter::MaskOf(CExpr mask, int bits, DLDataType dtype) {
  if (mask.mask_bits == 0 || mask.mask_bits == bits) return mask;
  CExpr made = ConvertVector(mask, ir::IntType(bits, ir::LanesOf(dtype)));
  made.mask_bits = bits;
  return made;
}

void VectorEmitter::EqualizeMasks(std::vector<CExpr>* masks, DLDataType dtype) {
  int bits = 0;
  for (const CExpr& mask : *masks) bits = std::max(bits, mask.mask_bits);
  for (CExpr& mask : *masks) mask = MaskOf(std::move(mask), bits, dtype);
}

CExpr VectorEmitter::HalfVectors(const char* symbol, const std::vector<CExpr>& operands,
                                 DLDataType dtype, Binding binding) {
  const DLDataType wide = ir::FloatType(32, ir::LanesOf(dtype));
  const CExpr made = scalars().Infix(ConvertFloats(operands[0], dtype, wide), symbol,
                                     ConvertFloats(operands[1], dtype, wide), binding);
  return ConvertFloats(made, wide, dtype);
}

/*! \brief The numbers of the lanes, times a stride. */
std::string VectorEmitter::LaneIndices(int lanes, int64_t stride, DLDataType dtype) {
  std::string numbers;
  for (int lane = 0; lane < PaddedLanes(lanes); ++lane) {
    const int64_t number = std::min(lane, lanes - 1) * stride;
    numbers += (lane == 0 ? "" : ", ") + std::to_string(number);
  }
  return "(" + context_->prelude()->TypeOf(dtype) + "){" + numbers + "}";
}

CExpr VectorEmitter::EmitRamp(const tir::RampNode* op) {
  TypeOf(op, op->dtype);
  std::vector<CExpr> texts = scalars().EmitAll({op->base, op->stride});
  for (CExpr& text : texts) {
    text = scalars().Exact(std::move(text), op->base->dtype);
    // C would compute with `int` and not convert the sum to narrower lanes.
    const std::string type = TypeOf(op, op->base->dtype);
    const bool is_narrow = op->dtype.bits < 32 || !text.is_typed;
    if (is_narrow && text.binding < Binding::kUnary) {
      text = {Converted(type, text), Binding::kUnary, true, true, text.reads_memory};
    }
  }
  const std::optional<int64_t> stride = tir::IntConstOf(op->stride);
  CExpr lanes = {LaneIndices(op->lanes, stride.value_or(1), op->dtype), Binding::kUnary};
  if (!stride) lanes = scalars().Infix(texts[1], "*", lanes, Binding::kProduct);
  return texts[0].code == "0" ? lanes : scalars().Infix(texts[0], "+", lanes, Binding::kSum);
}

CExpr VectorEmitter::EmitBroadcast(const tir::BroadcastNode* op) {
  CExpr value = scalars().Emit(op->value);
  DLDataType dtype = op->dtype;
  const bool is_mask = ir::IsBool(dtype);
  if (is_mask) {
    dtype = ir::IntType(8, op->lanes);
    value = {"-" + Operand(value, Binding::kUnary), Binding::kUnary, true, true,
             value.reads_memory};
  }
  TypeOf(op, dtype);
  const char* key = IsHalf(dtype) ? "broadcast.half" : "broadcast";
  CExpr made = {context_->prelude()->Use(key, dtype) + "(" + value.code + ")"};
  made.reads_memory = value.reads_memory;
  made.mask_bits = is_mask ? 8 : 0;
  return made;
}

/*! \brief Lanes of two vectors of the result's type, by one shuffle. */
CExpr VectorEmitter::ShuffleTwo(const tir::ShuffleNode* op) {
  std::string code = context_->prelude()->Use("shuffle", op->dtype) + "(";
  for (const CExpr& vector : scalars().EmitAll({op->vectors.begin(), op->vectors.end()})) {
    code += scalars().Keep("lanes", op->dtype, vector.code) + ", ";
  }
  for (size_t i = 0; i < op->indices.size(); ++i) {
    const ir::PrimExpr& index = op->indices[static_cast<int64_t>(i)];
    code += (i == 0 ? "" : ", ") + std::to_string(*tir::IntConstOf(index));
  }
  return {code + ")"};
}

CExpr VectorEmitter::EmitShuffle(const tir::ShuffleNode* op) {
  if (AreTwoAlike(op)) return ShuffleTwo(op);
  std::vector<std::string> lanes;
  std::vector<CExpr> texts = scalars().EmitAll({op->vectors.begin(), op->vectors.end()});
  for (size_t i = 0; i < texts.size(); ++i) {
    const ir::PrimExpr vector = op->vectors[static_cast<int64_t>(i)];
    if (ir::IsScalar(vector->dtype)) {
      const bool is_bool = ir::IsBool(vector->dtype);
      lanes.push_back((is_bool ? "-" : "") +
                      Operand(texts[i], is_bool ? Binding::kUnary : Binding::kTernary));
      continue;
    }
    texts[i] = MaskOf(texts[i], 8, vector->dtype);
    const DLDataType kept =
        texts[i].mask_bits == 0 ? vector->dtype : ir::IntType(8, ir::LanesOf(vector->dtype));
    const bool is_name = Identifier(texts[i].code) == texts[i].code;
    const std::string name = is_name ? texts[i].code : scalars().Keep("lanes", kept, texts[i].code);
    for (int lane = 0; lane < ir::LanesOf(vector->dtype); ++lane) {
      lanes.push_back(name + "[" + std::to_string(lane) + "]");
    }
  }
  const int num_lanes = ir::LanesOf(op->dtype);
  std::string chosen;
  for (int lane = 0; lane < PaddedLanes(num_lanes); ++lane) {
    const std::optional<int64_t> index =
        tir::IntConstOf(op->indices[std::min(lane, num_lanes - 1)]);
    const bool is_inside = index && 0 <= *index && *index < static_cast<int64_t>(lanes.size());
    if (!is_inside) return Refuse(op, "the indices of a shuffle must be constants in its range");
    chosen += (lane == 0 ? "" : ", ") + lanes[static_cast<size_t>(*index)];
  }
  const bool is_mask = ir::IsBool(op->dtype);
  if (num_lanes == 1) {
    return is_mask ? CExpr{chosen + " != 0", Binding::kEquality} : CExpr{chosen, Binding::kUnary};
  }
  const DLDataType dtype = is_mask ? ir::IntType(8, num_lanes) : op->dtype;
  CExpr made = {"(" + TypeOf(op, dtype) + "){" + chosen + "}", Binding::kUnary};
  made.mask_bits = is_mask ? 8 : 0;
  return made;
}

CExpr VectorEmitter::FloatsToIntegers(CExpr value, DLDataType from, DLDataType to) {
  Prelude* prelude = context_->prelude();
  if (to.bits > 32) {
    const std::string function = prelude->Use("from_float", ir::ElementOf(to));
    return CallLanewise(function, function, {value}, from, to);
  }
  if (IsHalf(from)) {
    const DLDataType wide = ir::FloatType(32, ir::LanesOf(from));
    value = ConvertFloats(value, std::exchange(from, wide), wide);
  }
  // Narrower integers are the low bits.
  const DLDataType made_type = ir::IntType(32, ir::LanesOf(to));
  prelude->Use("has_zero", made_type);
  const char* key = from.bits == 64 ? "from_double.vector" : "from_float.vector";
  const CExpr made = ConvertBy(key, made_type, value);
  return to == made_type ? made : ConvertNumbers(made, made_type, to);
}

CExpr VectorEmitter::CastVector(const tir::CastNode* op) {
  const DLDataType from = op->value->dtype;
  CExpr value = scalars().Emit(op->value);
  if (ir::IsBool(op->dtype)) {
    CExpr mask = scalars().Infix(value, "!=", {"0"}, Binding::kEquality);
    mask.mask_bits = from.bits;
    return value.mask_bits != 0 ? value : mask;
  }
  TypeOf(op, op->dtype);
  if (value.mask_bits != 0) {
    value = {"-" + Operand(value, Binding::kUnary), Binding::kUnary, true, true,
             value.reads_memory};
  } else if (ir::IsFloat(from) && ir::IsInteger(op->dtype)) {
    return FloatsToIntegers(std::move(value), from, op->dtype);
  }
  return ConvertNumbers(value, from, op->dtype);
}

CExpr VectorEmitter::SelectVector(const tir::SelectNode* op) {
  std::vector<CExpr> texts = scalars().EmitAll({op->condition, op->true_value, op->false_value});
  const bool is_mask = ir::IsBool(op->dtype);
  if (ir::IsScalar(op->condition->dtype)) {
    for (CExpr& text : texts) text = MaskOf(std::move(text), 8, op->dtype);
    return scalars().Ternary(texts[0], texts[1], texts[2]);
  }
  DLDataType dtype = op->dtype;
  if (is_mask) {
    EqualizeMasks(&texts, op->dtype);
    dtype = ir::IntType(texts[0].mask_bits, ir::LanesOf(dtype));
  }
  texts[0] = MaskOf(std::move(texts[0]), dtype.bits, op->dtype);
  TypeOf(op, dtype);
  CExpr made = {context_->prelude()->Use("select", dtype) + "(" + Joined(texts) + ")"};
  made.reads_memory = ReadsMemory(texts);
  made.mask_bits = is_mask ? dtype.bits : 0;
  return made;
}

CExpr VectorEmitter::LogicVector(const tir::LogicalOpNode* op, bool is_and) {
  std::vector<CExpr> texts = scalars().EmitAll({op->a, op->b});
  EqualizeMasks(&texts, op->dtype);
  CExpr made = scalars().Infix(texts[0], is_and ? "&" : "|", texts[1],
                               is_and ? Binding::kBitAnd : Binding::kBitOr);
  made.mask_bits = texts[0].mask_bits;
  return made;
}

CExpr VectorEmitter::CompareVector(const tir::CmpOpNode* op, const char* symbol, Binding binding) {
  const DLDataType dtype = op->a->dtype;
  std::vector<CExpr> texts = scalars().EmitTyped(op->a, op->b);
  EqualizeMasks(&texts, dtype);
  int bits = texts[0].mask_bits == 0 ? dtype.bits : texts[0].mask_bits;
  if (IsHalf(dtype)) {
    bits = 32;
    for (CExpr& text : texts) {
      text = ConvertFloats(text, dtype, ir::FloatType(bits, ir::LanesOf(dtype)));
    }
  }
  for (CExpr& text : texts) {
    if (text.binding < Binding::kShift) text.code = "(" + text.code + ")";
    if (text.binding < Binding::kShift) text.binding = Binding::kPrimary;
  }
  CExpr made = scalars().Infix(texts[0], symbol, texts[1], binding);
  made.mask_bits = bits;
  made.is_typed = true;
  return made;
}

CExpr VectorEmitter::CallLanewise(const std::string& name, const std::string& function,
                                  const std::vector<CExpr>& args, DLDataType from, DLDataType to) {
  const int num_args = static_cast<int>(args.size());
  CExpr made = {context_->prelude()->UseLanewise(name, function, num_args, from, to) + "(" +
                Joined(args) + ")"};
  made.reads_memory = ReadsMemory(args);
  return made;
}

CExpr VectorEmitter::CallTableVector(const tir::CallNode* op, const Intrinsic& intrinsic) {
  if (intrinsic.kind == IntrinsicKind::kPredicate) return PredicateVector(op, intrinsic.name);
  const DLDataType dtype = op->args[0]->dtype;
  TypeOf(op, dtype);
  std::vector<CExpr> args = scalars().EmitAll({op->args.begin(), op->args.end()});
  const std::string_view name = intrinsic.name;
  if (intrinsic.kind == IntrinsicKind::kIntHelper) {
    if (dtype.code == kDLUInt && name == "abs") return args[0];
    if (name == "dot4") return CallInstruction("dot4.vector", args, dtype);
    const std::string function = context_->prelude()->Use(intrinsic.in_c, ir::ElementOf(dtype));
    return CallLanewise(intrinsic.in_c, function, args, dtype, dtype);
  }
  const DLDataType computed = IsHalf(dtype) ? ir::FloatType(32, ir::LanesOf(dtype)) : dtype;
  if (IsHalf(dtype)) {
    for (CExpr& arg : args) arg = ConvertFloats(arg, dtype, computed);
  }
  if (name == "multiply_add") {
    const CExpr made = CallInstruction("multiply_add.vector", args, computed);
    return IsHalf(dtype) ? ConvertFloats(made, computed, dtype) : made;
  }
  std::string function = intrinsic.in_c;
  if (intrinsic.kind == IntrinsicKind::kFloatHelper) {
    function = context_->prelude()->Use(intrinsic.in_c, ir::ElementOf(computed));
  } else {
    context_->prelude()->Include("<math.h>");
    function += computed.bits == 64 ? "" : "f";
  }
  const CExpr made = CallLanewise(intrinsic.in_c, function, args, computed, computed);
  return IsHalf(dtype) ? ConvertFloats(made, computed, dtype) : made;
}

/*! \brief A helper that is one instruction where the machine has one. */
CExpr VectorEmitter::CallInstruction(const char* key, const std::vector<CExpr>& args,
                                     DLDataType dtype) {
  CExpr made = {context_->prelude()->Use(key, dtype) + "(" + Joined(args) + ")"};
  made.reads_memory = ReadsMemory(args);
  return made;
}

/*! \brief The lanes that are NaN, infinite or finite. */
CExpr VectorEmitter::PredicateVector(const tir::CallNode* op, std::string_view name) {
  DLDataType dtype = op->args[0]->dtype;
  CExpr value = scalars().Emit(op->args[0]);
  if (IsHalf(dtype)) {
    const DLDataType half = dtype;
    dtype = ir::FloatType(32, ir::LanesOf(half));
    value = ConvertFloats(value, half, dtype);
  }
  const std::string x =
      Identifier(value.code) == value.code ? value.code : scalars().Keep("x", dtype, value.code);
  // The difference of an infinite number and itself is NaN.
  CExpr mask = {x + " != " + x, Binding::kEquality};
  if (name == "isfinite") mask = {x + " - " + x + " == 0", Binding::kEquality};
  if (name == "isinf") {
    mask = {"(" + x + " - " + x + " != 0) & (" + x + " == " + x + ")", Binding::kBitAnd};
  }
  mask.mask_bits = dtype.bits;
  return mask;
}

}  // namespace uir::target
