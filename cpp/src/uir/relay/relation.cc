// Shape patterns: the first occurrence binds a dimension, packs broadcast, results are computed.
#include "./relation.h"

#include <tvm/ffi/cast.h>
#include <tvm/ffi/error.h>
#include <uir/ir/script_text.h>

#include <set>
#include <sstream>
#include <utility>

namespace uir::relay {

namespace {

using ir::Formula;
using ir::FormulaKind;

std::string_view Trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \n\t";
  const size_t begin = text.find_first_not_of(kSpace);
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

/*! \brief The parts between commas outside of parentheses; a comma may end the text. */
std::vector<std::string_view> Split(std::string_view text) {
  std::vector<std::string_view> parts;
  int depth = 0;
  size_t begin = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '(' || text[at] == '[') ++depth;
    if (text[at] == ')' || text[at] == ']') --depth;
    if (text[at] != ',' || depth != 0) continue;
    parts.push_back(Trimmed(text.substr(begin, at - begin)));
    begin = at + 1;
  }
  const std::string_view last = Trimmed(text.substr(begin));
  if (!last.empty()) parts.push_back(last);
  return parts;
}

ShapePattern ParseShape(std::string_view text, std::vector<std::string>* names) {
  ShapePattern pattern;
  pattern.text = text;
  if (text.size() > 3 && text.substr(text.size() - 3) == "...") {
    pattern.is_variadic = true;
    text.remove_suffix(3);
  } else if (!text.empty() && text.back() == '?') {
    pattern.is_optional = true;
    text.remove_suffix(1);
  }
  text = Trimmed(text);
  if (text.size() < 2 || text.front() != '(' || text.back() != ')') {
    TVM_FFI_THROW(ValueError) << "`" << pattern.text << "` is not a shape pattern";
  }
  for (std::string_view part : Split(text.substr(1, text.size() - 2))) {
    const bool is_pack = part.front() == '*';
    if (is_pack) part.remove_prefix(1);
    pattern.dimensions.push_back({ir::ParseFormula(part, names), is_pack});
  }
  while (pattern.pack < pattern.dimensions.size() && !pattern.dimensions[pattern.pack].is_pack) {
    ++pattern.pack;
  }
  return pattern;
}

[[noreturn]] void FailOperandBroadcast(const Shape& a, const Shape& b,
                                       const TypedOperand& operand) {
  TVM_FFI_THROW(TypeError) << "operand `" << operand.Name() << "` of shape " << ToText(b)
                           << " does not broadcast to " << ToText(a);
  TVM_FFI_UNREACHABLE();
}

/*! \brief A dimension, without a new reference to it. */
const ir::PrimExprNode* DimensionAt(const Shape& shape, size_t index) {
  const auto* dimensions = static_cast<const ffi::ArrayObj*>(shape.get());
  return dimensions->begin()[index].as<ir::PrimExprNode>();
}

bool IsConstant(const ir::PrimExprNode* dimension) {
  return dimension->IsInstance<ir::IntImmNode>();
}

bool IsOne(const ir::PrimExprNode* dimension) {
  return IsConstant(dimension) && static_cast<const ir::IntImmNode*>(dimension)->value == 1;
}

/*! \brief The shape that two shapes broadcast to. */
Shape BroadcastPair(const Shape& a, const Shape& b, const TypedOperand& operand,
                    TypeContext* context) {
  if (a.same_as(b)) return a;
  const Shape& longer = a.size() >= b.size() ? a : b;
  const Shape& shorter = a.size() >= b.size() ? b : a;
  const size_t offset = longer.size() - shorter.size();
  Shape result = longer;
  for (size_t i = 0; i < shorter.size(); ++i) {
    const ir::PrimExprNode* left = DimensionAt(longer, offset + i);
    const ir::PrimExprNode* right = DimensionAt(shorter, i);
    if (left == right || IsOne(right)) continue;
    if (!IsOne(left)) {
      if (!context->RequireEqual(left, right)) FailOperandBroadcast(a, b, operand);
      // For equal dimensions, prefer a constant.
      if (IsConstant(left) || !IsConstant(right)) continue;
    }
    result.Set(static_cast<int64_t>(offset + i), ffi::GetRef<ir::PrimExpr>(right));
  }
  return result;
}

/*! \brief A value of a rule, for messages. */
std::string TextOf(const RuleValue& value) {
  if (const ffi::ArrayObj* list = ListOf(value)) {
    std::string text;
    for (const ffi::Any& part : *list) text += (text.empty() ? "" : ", ") + TextOf(part);
    return "(" + text + (list->size() == 1 ? ",)" : ")");
  }
  if (value.type_index() == ffi::TypeIndex::kTVMFFIFloat) {
    std::ostringstream text;
    text << value.cast<double>();
    return text.str();
  }
  return value == nullptr ? "None" : ir::ScriptText(AsDimension(value));
}

/*! \brief The dimensions from one index up to another; the shape itself if these are all. */
Shape Slice(const Shape& shape, size_t begin, size_t end) {
  if (begin == 0 && end == shape.size()) return shape;
  return {shape.begin() + static_cast<std::ptrdiff_t>(begin),
          shape.begin() + static_cast<std::ptrdiff_t>(end)};
}

/*! \brief The shape of the first operand. \pre It is present. */
const Shape& ShapeOfFirst(const TypedOperands& operands) {
  TVM_FFI_ICHECK(!operands.empty() && operands[0].type != nullptr);
  return operands[0].type->shape;
}

/*! \brief A list of dimensions as a shape. */
Shape ShapeOfList(const RuleValue& list) {
  if (auto shape = list.as<Shape>()) return *std::move(shape);
  Shape shape;
  for (const ffi::Any& dimension : *ListOf(list)) shape.push_back(AsDimension(dimension));
  return shape;
}

/*! \brief Matches the shapes of one call. */
class Matcher {
 public:
  Matcher(const std::vector<std::string>& names, RuleValues slots, TypeContext* context)
      : names_(names),
        slots_(std::move(slots)),
        owners_(names.size(), slots_.get_allocator()),
        is_attribute_(names.size(), slots_.get_allocator()),
        context_(context) {
    for (size_t i = 0; i < slots_.size(); ++i) is_attribute_[i] = slots_[i].has_value();
  }

  void Match(const ShapePattern& pattern, const TypedOperand& operand) {
    const Shape& shape = operand.type->shape;
    const size_t count = pattern.dimensions.size();
    const bool has_pack = pattern.pack < count;
    const size_t fixed = count - (has_pack ? 1 : 0);
    if (has_pack ? shape.size() < fixed : shape.size() != fixed) {
      TVM_FFI_THROW(TypeError) << "operand `" << operand.Name() << "` has rank " << shape.size()
                               << ", expected " << (has_pack ? "at least " : "") << fixed
                               << " for `" << pattern.text << "` (its shape is " << ToText(shape)
                               << ")";
    }
    const size_t packed = shape.size() - fixed;
    size_t at = 0;
    for (const DimensionPattern& dimension : pattern.dimensions) {
      if (dimension.is_pack) {
        MatchPack(dimension.formula, Slice(shape, at, at + packed), operand);
        at += packed;
      } else {
        MatchDimension(dimension.formula, at++, operand);
      }
    }
  }

  Shape Result(const ShapePattern& pattern) {
    Shape shape;
    shape.reserve(static_cast<int64_t>(pattern.dimensions.size()));
    for (const DimensionPattern& dimension : pattern.dimensions) {
      const RuleValue value = Evaluate(dimension.formula, slots_, context_);
      const ffi::ArrayObj* list = ListOf(value);
      if (list == nullptr) {
        CheckResult(value, dimension.formula);
        shape.push_back(AsDimension(value));
        continue;
      }
      for (const ffi::Any& part : *list) CheckResult(part, dimension.formula);
      if (pattern.dimensions.size() == 1) return ShapeOfList(value);
      for (const ffi::Any& part : *list) shape.push_back(AsDimension(part));
    }
    return shape;
  }

  void Require(const Formula& formula, const std::string& text) {
    const RuleValue value = Evaluate(formula, slots_, context_);
    const std::optional<int64_t> known = ir::IntegerOf(value);
    const bool holds =
        known.has_value() ? *known != 0 : context_->Require(value.cast<ir::PrimExpr>());
    if (holds) return;
    TVM_FFI_THROW(ValueError) << "`" << text << "` must hold" << ValuesOf(formula);
  }

 private:
  /*! \brief Check that a computed dimension is not negative, or assume it for a symbolic one. */
  void CheckResult(const RuleValue& value, const Formula& formula) {
    const std::optional<int64_t> known = ir::IntegerOf(value);
    if (!known.has_value() && value.as<ir::PrimExprNode>() == nullptr) {
      TVM_FFI_THROW(TypeError) << "`" << ToText(formula) << "` is not a dimension";
    }
    if (!known.has_value() && IsOperandDimension(formula)) return;
    if (context_->RequireAtMost(Dimension(0), AsDimension(value))) return;
    TVM_FFI_THROW(ValueError) << "the dimension `" << ToText(formula)
                              << "` of the result is negative: " << TextOf(value);
  }

  /*! \brief Whether a formula is the name of an operand's dimension or pack. */
  bool IsOperandDimension(const Formula& formula) const {
    return formula.kind == FormulaKind::kName && !is_attribute_[static_cast<size_t>(formula.slot)];
  }

  void MatchPack(const Formula& name, Shape dimensions, const TypedOperand& operand) {
    std::optional<RuleValue>& known = slots_[static_cast<size_t>(name.slot)];
    if (known.has_value()) {
      dimensions = BroadcastPair(ShapeOfList(*known), dimensions, operand, context_);
    }
    known = std::move(dimensions);
  }

  void MatchDimension(const Formula& formula, size_t at, const TypedOperand& operand) {
    const Shape& shape = operand.type->shape;
    const ir::PrimExprNode* dimension = DimensionAt(shape, at);
    const auto slot = static_cast<size_t>(formula.slot);
    if (formula.kind == FormulaKind::kName && !slots_[slot].has_value()) {
      slots_[slot] = ffi::GetRef<ir::PrimExpr>(dimension);
      owners_[slot] = &operand;
      return;
    }
    const ir::PrimExpr expected = AsDimension(Evaluate(formula, slots_, context_));
    if (context_->RequireEqual(expected.get(), dimension)) return;
    const std::string name = operand.Name();
    TVM_FFI_THROW(TypeError) << "operand `" << name << "`: dimension " << at << ", `"
                             << ToText(formula) << "`, is " << ir::ScriptText(shape[at])
                             << ", expected " << ir::ScriptText(expected) << ValuesOf(formula)
                             << " (the shape of `" << name << "` is " << ToText(shape) << ")";
  }

  /*! \brief `, where k is 4 in operand a`, for the names of a formula: dimensions come first. */
  std::string ValuesOf(const Formula& formula) const {
    std::set<size_t> slots;
    AddSlots(formula, &slots);
    std::string text;
    for (const size_t slot : slots) {
      if (!slots_[slot].has_value()) continue;
      text += text.empty() ? ", where " : " and ";
      text += "`" + names_[slot] + "` is " + TextOf(*slots_[slot]);
      if (owners_[slot] != nullptr) text += " in operand `" + owners_[slot]->Name() + "`";
    }
    return text;
  }

  static void AddSlots(const Formula& formula, std::set<size_t>* slots) {
    if (formula.kind == FormulaKind::kName) slots->insert(static_cast<size_t>(formula.slot));
    for (const Formula& part : formula.parts) AddSlots(part, slots);
  }

  const std::vector<std::string>& names_;
  RuleValues slots_;
  /*! \brief The operand that bound a name, or null. */
  std::pmr::vector<const TypedOperand*> owners_;
  std::pmr::vector<bool> is_attribute_;
  TypeContext* context_;
};

}  // namespace

std::string TypedOperand::Name() const {
  const std::string name = row->name;
  return element < 0 ? name : name + "[" + std::to_string(element) + "]";
}

Relation::Relation(std::string_view text, std::string_view require) {
  const size_t arrow = text.find("->");
  if (arrow == text.npos) {
    TVM_FFI_THROW(ValueError) << "`" << text << "` is not a relation: expected `->`";
  }
  for (std::string_view part : Split(text.substr(0, arrow))) {
    operands_.push_back(ParseShape(part, &names_));
  }
  for (std::string_view part : Split(text.substr(arrow + 2))) {
    results_.push_back(ParseShape(part, &names_));
  }
  if (require.empty()) return;
  require_ = ir::ParseFormula(require, &names_);
  require_text_ = require;
}

std::vector<Shape> Relation::Infer(const TypedOperands& operands, RuleValues slots,
                                   TypeContext* context) const {
  Matcher matcher(names_, std::move(slots), context);
  for (size_t i = 0, at = 0; i < operands.size() && at < operands_.size(); ++i) {
    const ShapePattern& pattern = operands_[at];
    if (!pattern.is_variadic) ++at;
    if (operands[i].type != nullptr) {
      matcher.Match(pattern, operands[i]);
    } else if (!pattern.is_optional) {
      TVM_FFI_THROW(TypeError) << "operand `" << operands[i].Name() << "` is missing";
    }
  }
  if (require_.has_value()) matcher.Require(*require_, require_text_);
  std::vector<Shape> shapes;
  shapes.reserve(results_.size());
  for (const ShapePattern& pattern : results_) shapes.push_back(matcher.Result(pattern));
  return shapes;
}

std::string ToText(const Shape& shape) {
  std::string text;
  for (const ir::PrimExpr& dimension : shape) {
    text += (text.empty() ? "" : ", ") + ir::ScriptText(dimension);
  }
  return "(" + text + (shape.size() == 1 ? ",)" : ")");
}

Shape Broadcast(const TypedOperands& operands, TypeContext* context) {
  const Shape* first = nullptr;
  Shape result(ffi::UnsafeInit{});
  for (const TypedOperand& operand : operands) {
    if (operand.type == nullptr) continue;
    const Shape& shape = operand.type->shape;
    result = first == nullptr ? shape : BroadcastPair(result, shape, operand, context);
    first = &shape;
  }
  return first == nullptr ? Shape() : result;
}

Shape SameShape(const TypedOperands& operands, TypeContext* context) {
  const Shape& first = ShapeOfFirst(operands);
  for (const TypedOperand& operand : operands) {
    if (operand.type == nullptr || operand.type->shape.same_as(first)) continue;
    const Shape& shape = operand.type->shape;
    bool is_same = shape.size() == first.size();
    for (size_t at = 0; is_same && at < shape.size(); ++at) {
      is_same = context->RequireEqual(DimensionAt(first, at), DimensionAt(shape, at));
    }
    if (is_same) continue;
    TVM_FFI_THROW(TypeError) << "operand `" << operand.Name() << "` has shape " << ToText(shape)
                             << ", expected " << ToText(first) << ", the shape of `"
                             << operands[0].Name() << "`";
  }
  return first;
}

Shape Reduce(const TypedOperands& operands, const std::optional<std::vector<int64_t>>& axes,
             bool keepdims) {
  const Shape& shape = ShapeOfFirst(operands);
  const auto rank = static_cast<int64_t>(shape.size());
  std::vector<bool> is_reduced(shape.size(), !axes.has_value());
  for (int64_t axis : axes.value_or(std::vector<int64_t>())) {
    const int64_t at = axis < 0 ? axis + rank : axis;
    if (at < 0 || at >= rank) {
      TVM_FFI_THROW(ValueError) << "`axis` must be from " << -rank << " to " << rank - 1
                                << " for an operand of shape " << ToText(shape) << ", got " << axis;
    }
    if (is_reduced[static_cast<size_t>(at)]) {
      TVM_FFI_THROW(ValueError) << "`axis` names dimension " << at << " twice";
    }
    is_reduced[static_cast<size_t>(at)] = true;
  }
  Shape result;
  for (int64_t i = 0; i < rank; ++i) {
    if (!is_reduced[static_cast<size_t>(i)]) {
      result.push_back(shape[i]);
    } else if (keepdims) {
      result.push_back(Dimension(1));
    }
  }
  return result;
}

}  // namespace uir::relay
