// Rules of operators, parsed from the texts of the table on first use.
#include "./operator_rule.h"

#include <tvm/ffi/dtype.h>
#include <tvm/ffi/error.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <mutex>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace uir::relay {

namespace {

/*! \brief The hand-written rules, by name; never destroyed, because operators outlive it. */
class InferTable {
 public:
  static InferTable& Global() {
    static InferTable* const table = new InferTable();
    return *table;
  }

  void Add(std::string_view name, InferFunction function) {
    const std::lock_guard<std::mutex> lock(mutex_);
    functions_.emplace(name, function);
  }

  InferFunction Find(std::string_view name) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = functions_.find(name);
    return found == functions_.end() ? nullptr : found->second;
  }

 private:
  std::mutex mutex_;
  std::unordered_map<std::string_view, InferFunction> functions_;
};

std::string_view TraitOf(const ir::OperatorRow& row, std::string_view name) {
  for (const ir::TraitRow& trait : row.traits) {
    if (trait.name == name) return trait.text;
  }
  return {};
}

std::string_view WithoutIndent(std::string_view text) {
  const size_t begin = text.find_first_not_of(' ');
  return begin == text.npos ? std::string_view() : text.substr(begin);
}

DataTypeRule AcceptedDataType(std::string variable, std::string_view text) {
  constexpr std::string_view kClasses[] = {"any", "float", "int", "number", "bool"};
  const auto* known = std::find(std::begin(kClasses), std::end(kClasses), text);
  DataTypeRule rule{std::move(variable), std::string(text)};
  rule.accepted = static_cast<DataTypeClass>(known - std::begin(kClasses));
  if (rule.accepted == DataTypeClass::kExactly) rule.dtype = ffi::StringToDLDataType(rule.text);
  return rule;
}

DataTypeRule ParseDataType(std::string_view text) {
  const size_t colon = text.find(':');
  if (colon != text.npos) {
    return AcceptedDataType(std::string(text.substr(0, colon)),
                            WithoutIndent(text.substr(colon + 1)));
  }
  const bool is_variable = !text.empty() && text[0] >= 'A' && text[0] <= 'Z';
  if (is_variable) return AcceptedDataType(std::string(text), "any");
  return AcceptedDataType("", text.empty() ? "any" : text);
}

std::vector<std::string> SplitResults(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const size_t comma = text.find(',');
    parts.emplace_back(WithoutIndent(text.substr(0, comma)));
    text = comma == text.npos ? std::string_view() : text.substr(comma + 1);
  }
  return parts;
}

RelationKind KindOf(std::string_view relation) {
  if (relation == "same") return RelationKind::kSame;
  if (relation == "broadcast") return RelationKind::kBroadcast;
  if (relation == "reduce") return RelationKind::kReduce;
  return relation == "custom" ? RelationKind::kCustom : RelationKind::kPattern;
}

/*! \brief The attribute with a name, or null. */
const ir::AttributeRow* FindAttribute(const ir::OperatorRow& row, const std::string& name) {
  for (const ir::AttributeRow& attribute : row.attributes) {
    if (attribute.name == name) return &attribute;
  }
  return nullptr;
}

std::unique_ptr<OperatorRule> MakeRule(const ir::Op& op) {
  const ir::OperatorRow* row = ir::FindOperatorRow(op);
  if (row == nullptr) return nullptr;
  const std::string_view relation = TraitOf(*row, "relation");
  if (relation.empty()) return nullptr;
  auto rule = std::make_unique<OperatorRule>();
  rule->row = row;
  rule->kind = KindOf(relation);
  if (rule->kind == RelationKind::kPattern) {
    rule->relation.emplace(relation, TraitOf(*row, "require"));
    for (const std::string& name : rule->relation->names()) {
      rule->slots.push_back(FindAttribute(*row, name));
    }
  }
  for (const ir::OperandRow& operand : row->operands) {
    rule->operands.push_back(ParseDataType(operand.dtype));
  }
  rule->results = SplitResults(TraitOf(*row, "result"));
  return rule;
}

}  // namespace

void RegisterInfer(const char* op_name, InferFunction function) noexcept {
  InferTable::Global().Add(op_name, function);
}

const OperatorRule* FindOperatorRule(const ir::Op& op) {
  // Operators are never destroyed, so their addresses identify them.
  thread_local std::unordered_map<const ir::OpNode*, std::unique_ptr<OperatorRule>> rules;
  auto found = rules.find(op.get());
  if (found == rules.end()) {
    std::unique_ptr<OperatorRule> rule = MakeRule(op);
    if (rule == nullptr) return nullptr;
    found = rules.emplace(op.get(), std::move(rule)).first;
  }
  OperatorRule* const rule = found->second.get();
  // A library that is loaded later may register the function.
  const bool is_missing = rule->kind == RelationKind::kCustom && rule->infer == nullptr;
  if (is_missing) rule->infer = InferTable::Global().Find(rule->row->name);
  return rule;
}

}  // namespace uir::relay
