// Shape patterns: dimensions bind on first sight, packs broadcast, results are computed.
#include "./relation.h"

#include <tvm/ffi/error.h>

#include <set>
#include <sstream>
#include <utility>

#include "./script_text.h"

namespace uir::relay {

namespace {

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
    pattern.dimensions.push_back({ParseFormula(part, names), is_pack});
  }
  while (pattern.pack < pattern.dimensions.size() && !pattern.dimensions[pattern.pack].is_pack) {
    ++pattern.pack;
  }
  return pattern;
}

[[noreturn]] void FailBroadcast(const Shape& a, const Shape& b, const std::string& operand) {
  TVM_FFI_THROW(TypeError) << "operand `" << operand << "` of shape " << ToText(b)
                           << " does not broadcast to " << ToText(a);
  TVM_FFI_UNREACHABLE();
}

bool IsOne(const ir::PrimExpr& dimension) {
  const auto* constant = dimension.as<ir::IntImmNode>();
  return constant != nullptr && constant->value == 1;
}

/*! \brief The shape that two shapes broadcast to. */
Shape BroadcastPair(const Shape& a, const Shape& b, const std::string& operand,
                    TypeContext* context) {
  if (a.same_as(b)) return a;
  const Shape& longer = a.size() >= b.size() ? a : b;
  const Shape& shorter = a.size() >= b.size() ? b : a;
  const size_t offset = longer.size() - shorter.size();
  Shape result = longer;
  for (size_t i = 0; i < shorter.size(); ++i) {
    const ir::PrimExpr left = longer[offset + i];
    const ir::PrimExpr right = shorter[i];
    if (left.same_as(right) || IsOne(right)) continue;
    if (IsOne(left)) {
      result.Set(static_cast<int64_t>(offset + i), right);
      continue;
    }
    if (!context->RequireEqual(left, right)) FailBroadcast(a, b, operand);
    // Of equal dimensions, a constant says more.
    if (right.as<ir::IntImmNode>() != nullptr) {
      result.Set(static_cast<int64_t>(offset + i), right);
    }
  }
  return result;
}

/*! \brief A value of a rule, for messages. */
std::string TextOf(const RuleValue& value) {
  if (value.kind == RuleValue::Kind::kInteger || value.kind == RuleValue::Kind::kExpr) {
    return ScriptText(value.AsDimension());
  }
  if (value.kind == RuleValue::Kind::kFloat) {
    std::ostringstream text;
    text << value.real;
    return text.str();
  }
  if (value.kind != RuleValue::Kind::kList) return "None";
  std::string text;
  for (const RuleValue& part : value.list) text += (text.empty() ? "" : ", ") + TextOf(part);
  return "(" + text + (value.list.size() == 1 ? ",)" : ")");
}

/*! \brief Matches the shapes of one call. */
class Matcher {
 public:
  Matcher(const std::vector<std::string>& names, std::vector<RuleValue> slots, TypeContext* context)
      : names_(names), slots_(std::move(slots)), owners_(names.size()), context_(context) {}

  void Match(const ShapePattern& pattern, const Shape& shape, const std::string& operand) {
    const size_t count = pattern.dimensions.size();
    const bool has_pack = pattern.pack < count;
    const size_t fixed = count - (has_pack ? 1 : 0);
    if (has_pack ? shape.size() < fixed : shape.size() != fixed) {
      TVM_FFI_THROW(TypeError) << "operand `" << operand << "` has rank " << shape.size()
                               << ", expected " << (has_pack ? "at least " : "") << fixed
                               << " for `" << pattern.text << "` (its shape is " << ToText(shape)
                               << ")";
    }
    const size_t packed = shape.size() - fixed;
    size_t at = 0;
    for (const DimensionPattern& dimension : pattern.dimensions) {
      if (dimension.is_pack) {
        MatchPack(dimension.formula, {shape.begin() + at, shape.begin() + at + packed}, operand);
        at += packed;
      } else {
        MatchDimension(dimension.formula, shape, at++, operand);
      }
    }
  }

  Shape Result(const ShapePattern& pattern) {
    Shape shape;
    for (const DimensionPattern& dimension : pattern.dimensions) {
      const RuleValue value = Evaluate(dimension.formula, slots_, context_);
      if (value.kind == RuleValue::Kind::kList) {
        for (const RuleValue& part : value.list) shape.push_back(Checked(part, dimension.formula));
      } else {
        shape.push_back(Checked(value, dimension.formula));
      }
    }
    return shape;
  }

  void Require(const Formula& formula, const std::string& text) {
    const RuleValue value = Evaluate(formula, slots_, context_);
    const bool holds = value.kind == RuleValue::Kind::kExpr ? context_->Require(value.expr.value())
                                                            : value.integer != 0;
    if (holds) return;
    TVM_FFI_THROW(ValueError) << "`" << text << "` must hold" << ValuesOf(formula);
  }

 private:
  static ir::PrimExpr Checked(const RuleValue& value, const Formula& formula) {
    if (value.kind == RuleValue::Kind::kInteger && value.integer < 0) {
      TVM_FFI_THROW(ValueError) << "the dimension `" << ToText(formula)
                                << "` of the result is negative: " << value.integer;
    }
    if (value.kind != RuleValue::Kind::kInteger && value.kind != RuleValue::Kind::kExpr) {
      TVM_FFI_THROW(TypeError) << "`" << ToText(formula) << "` is not a dimension";
    }
    return value.AsDimension();
  }

  void MatchPack(const Formula& name, Shape dimensions, const std::string& operand) {
    const auto slot = static_cast<size_t>(name.slot);
    RuleValue& known = slots_[slot];
    if (known.is_set()) {
      Shape so_far;
      for (const RuleValue& value : known.list) so_far.push_back(value.AsDimension());
      dimensions = BroadcastPair(so_far, dimensions, operand, context_);
    }
    std::vector<RuleValue> values;
    for (const ir::PrimExpr& dimension : dimensions) {
      values.push_back(RuleValue::Dimension(dimension));
    }
    known = RuleValue::List(std::move(values));
  }

  void MatchDimension(const Formula& formula, const Shape& shape, size_t at,
                      const std::string& operand) {
    const ir::PrimExpr dimension = shape[static_cast<int64_t>(at)];
    const auto slot = static_cast<size_t>(formula.slot);
    if (formula.kind == FormulaKind::kName && !slots_[slot].is_set()) {
      slots_[slot] = RuleValue::Dimension(dimension);
      owners_[slot] = operand;
      return;
    }
    const RuleValue expected = Evaluate(formula, slots_, context_);
    if (context_->RequireEqual(expected.AsDimension(), dimension)) return;
    TVM_FFI_THROW(TypeError) << "operand `" << operand << "`: dimension " << at << ", `"
                             << ToText(formula) << "`, is " << ScriptText(dimension)
                             << ", expected " << ScriptText(expected.AsDimension())
                             << ValuesOf(formula) << " (the shape of `" << operand << "` is "
                             << ToText(shape) << ")";
  }

  /*! \brief `, where k is 4 in operand a`, for the names of a formula: dimensions come first. */
  std::string ValuesOf(const Formula& formula) const {
    std::set<size_t> slots;
    AddSlots(formula, &slots);
    std::string text;
    for (const size_t slot : slots) {
      if (!slots_[slot].is_set()) continue;
      text += text.empty() ? ", where " : " and ";
      text += "`" + names_[slot] + "` is " + TextOf(slots_[slot]);
      if (!owners_[slot].empty()) text += " in operand `" + owners_[slot] + "`";
    }
    return text;
  }

  static void AddSlots(const Formula& formula, std::set<size_t>* slots) {
    if (formula.kind == FormulaKind::kName) slots->insert(static_cast<size_t>(formula.slot));
    for (const Formula& part : formula.parts) AddSlots(part, slots);
  }

  const std::vector<std::string>& names_;
  std::vector<RuleValue> slots_;
  /*! \brief The operand that bound a name. */
  std::vector<std::string> owners_;
  TypeContext* context_;
};

}  // namespace

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
  require_ = ParseFormula(require, &names_);
  require_text_ = require;
}

std::vector<Shape> Relation::Infer(const OperandShapes& operands, std::vector<RuleValue> slots,
                                   TypeContext* context) const {
  Matcher matcher(names_, std::move(slots), context);
  for (size_t i = 0, at = 0; i < operands.shapes.size() && at < operands_.size(); ++i) {
    const ShapePattern& pattern = operands_[at];
    if (!pattern.is_variadic) ++at;
    if (operands.shapes[i].has_value()) {
      matcher.Match(pattern, *operands.shapes[i], operands.names[i]);
    } else if (!pattern.is_optional) {
      TVM_FFI_THROW(TypeError) << "operand `" << operands.names[i] << "` is missing";
    }
  }
  if (require_.has_value()) matcher.Require(*require_, require_text_);
  std::vector<Shape> shapes;
  for (const ShapePattern& pattern : results_) shapes.push_back(matcher.Result(pattern));
  return shapes;
}

std::string ToText(const Shape& shape) {
  std::string text;
  for (const ir::PrimExpr& dimension : shape) {
    text += (text.empty() ? "" : ", ") + ScriptText(dimension);
  }
  return "(" + text + (shape.size() == 1 ? ",)" : ")");
}

Shape Broadcast(const OperandShapes& operands, TypeContext* context) {
  Shape result;
  for (size_t i = 0; i < operands.shapes.size(); ++i) {
    if (!operands.shapes[i].has_value()) continue;
    const Shape& shape = *operands.shapes[i];
    result = i == 0 ? shape : BroadcastPair(result, shape, operands.names[i], context);
  }
  return result;
}

Shape SameShape(const OperandShapes& operands, TypeContext* context) {
  const Shape first = operands.shapes.at(0).value();
  for (size_t i = 1; i < operands.shapes.size(); ++i) {
    if (!operands.shapes[i].has_value()) continue;
    const Shape& shape = *operands.shapes[i];
    bool is_same = shape.size() == first.size();
    for (size_t at = 0; is_same && at < shape.size(); ++at) {
      const auto index = static_cast<int64_t>(at);
      is_same = context->RequireEqual(first[index], shape[index]);
    }
    if (is_same) continue;
    TVM_FFI_THROW(TypeError) << "operand `" << operands.names[i] << "` has shape " << ToText(shape)
                             << ", expected " << ToText(first) << ", the shape of `"
                             << operands.names[0] << "`";
  }
  return first;
}

Shape Reduce(const OperandShapes& operands, const std::optional<std::vector<int64_t>>& axes,
             bool keepdims) {
  const Shape shape = operands.shapes.at(0).value();
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
      result.push_back(RuleValue::Integer(1).AsDimension());
    }
  }
  return result;
}

}  // namespace uir::relay
