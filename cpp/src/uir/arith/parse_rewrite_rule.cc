// The formulas of rules, compiled to patterns.
#include <tvm/ffi/error.h>

#include <algorithm>
#include <cctype>
#include <deque>
#include <iterator>
#include <string>
#include <string_view>

#include "../ir/formula.h"
#include "./const_fold.h"
#include "./rewrite_rule.h"

namespace uir::arith {

namespace {

using Kind = PatternNode::Kind;

struct Function {
  const char* name;
  Case op;
};

constexpr Function kFunctions[] = {
    {"fdiv", Case::kFloorDiv}, {"fmod", Case::kFloorMod}, {"tdiv", Case::kDiv},
    {"tmod", Case::kMod},      {"min", Case::kMin},       {"max", Case::kMax},
    {"select", Case::kSelect}, {"ramp", Case::kRamp},     {"bcast", Case::kBroadcast},
};

/*! \brief Make a node that lives as long as the process, as rules do; the book of rules calls it.
 */
PatternNode* NewNode(const PatternNode& node) {
  static auto* const kept = new std::deque<PatternNode>();
  return &kept->emplace_back(node);
}

Case CaseOfOp(ir::ScalarOp op) {
  switch (op) {
#define UIR_ARITH_CASE(Name, ...) \
  case ir::ScalarOp::k##Name:     \
    return Case::k##Name;
    UIR_SCALAR_NODES(UIR_ARITH_CASE)
#undef UIR_ARITH_CASE
    default:
      return op == ir::ScalarOp::kNot ? Case::kNot : Case::kNone;
  }
}

[[noreturn]] void FailPattern(const ir::Formula& formula) {
  TVM_FFI_THROW(InternalError) << "a rule has `" << ir::ToText(formula)
                               << "`, which a pattern cannot have";
  TVM_FFI_UNREACHABLE();
}

const PatternNode* PatternLeaf(Kind kind, int64_t value, uint8_t slot = 0) {
  PatternNode* node = NewNode({kind, slot});
  node->is_number = kind == Kind::kConst || kind == Kind::kLiteral;
  node->value = value;
  return node;
}

/*! \brief A variable of a pattern: its letter, and the number after it. */
const PatternNode* PatternVariable(const ir::Formula& name) {
  constexpr std::string_view kExprs = "xyzw";
  const char letter = name.name[0];
  if (name.name == "n") return PatternLeaf(Kind::kLanes, 0);
  if (name.name.size() == 1 && kExprs.find(letter) != kExprs.npos) {
    return PatternLeaf(Kind::kExpr, 0, static_cast<uint8_t>(kExprs.find(letter)));
  }
  const bool is_numbered = name.name.size() == 2 && std::isdigit(name.name[1]) != 0;
  if (!is_numbered || (letter != 'b' && letter != 'c')) FailPattern(name);
  const auto number = static_cast<uint8_t>(name.name[1] - '1');
  // Booleans come after the four expressions in a match.
  return letter == 'b' ? PatternLeaf(Kind::kBool, 0, number + 4)
                       : PatternLeaf(Kind::kConst, 0, number);
}

Case CaseOfCall(const ir::Formula& call) {
  for (const Function& function : kFunctions) {
    if (call.name == function.name) return function.op;
  }
  FailPattern(call);
}

const PatternNode* CompileFormula(const ir::Formula& formula);

const PatternNode* PatternOperation(Case op, const ir::Formula& formula) {
  PatternNode* node = NewNode({Kind::kOp});
  node->op = op;
  // `-x` is `0 - x`.
  if (op == Case::kSub && formula.parts.size() == 1) {
    node->children[node->num_children++] = PatternLeaf(Kind::kLiteral, 0);
  }
  if (op == Case::kNone || formula.parts.size() > std::size(node->children)) FailPattern(formula);
  for (const ir::Formula& part : formula.parts) {
    node->children[node->num_children++] = CompileFormula(part);
  }
  const auto is_number = [](const PatternNode* child) { return child->is_number; };
  node->is_number = IsArithmetic(op) &&
                    std::all_of(node->children, node->children + node->num_children, is_number);
  return node;
}

const PatternNode* CompileFormula(const ir::Formula& formula) {
  switch (formula.kind) {
    case ir::FormulaKind::kInteger:
      return PatternLeaf(Kind::kLiteral, formula.integer);
    case ir::FormulaKind::kBoolean:
      return PatternLeaf(Kind::kTruth, formula.integer);
    case ir::FormulaKind::kName:
      return PatternVariable(formula);
    case ir::FormulaKind::kUnary:
    case ir::FormulaKind::kBinary: {
      const bool is_negation = formula.op == ir::ScalarOp::kNegate;
      return PatternOperation(is_negation ? Case::kSub : CaseOfOp(formula.op), formula);
    }
    case ir::FormulaKind::kCall:
      return PatternOperation(CaseOfCall(formula), formula);
    default:
      FailPattern(formula);
  }
}

bool IsConstantLeaf(const PatternNode* node) {
  return node->kind == Kind::kConst || node->kind == Kind::kLiteral || node->kind == Kind::kTruth;
}

bool IsSamePattern(const PatternNode* a, const PatternNode* b) {
  if (a->kind != b->kind || a->op != b->op || a->slot != b->slot || a->value != b->value) {
    return false;
  }
  for (int i = 0; i < a->num_children; ++i) {
    if (!IsSamePattern(a->children[i], b->children[i])) return false;
  }
  return true;
}

const PatternNode* WithChild(const PatternNode* node, int place, const PatternNode* child) {
  PatternNode* copy = NewNode(*node);
  copy->children[place] = child;
  return copy;
}

}  // namespace

const PatternNode* CompilePattern(const char* text) {
  std::vector<std::string> names;
  return CompileFormula(ir::ParseFormula(text, &names));
}

std::vector<const PatternNode*> Exchanged(const PatternNode* pattern) {
  std::vector<const PatternNode*> found = {pattern};
  for (int place = 0; place < pattern->num_children; ++place) {
    const std::vector<const PatternNode*> children = Exchanged(pattern->children[place]);
    const size_t num_found = found.size();
    for (size_t i = 0; i < num_found; ++i) {
      for (size_t k = 1; k < children.size(); ++k) {
        found.push_back(WithChild(found[i], place, children[k]));
      }
    }
  }
  // Constants are on the right already.
  if (!IsCommutative(pattern->op) || IsConstantLeaf(pattern->children[1])) return found;
  if (IsSamePattern(pattern->children[0], pattern->children[1])) return found;
  const size_t num_found = found.size();
  for (size_t i = 0; i < num_found; ++i) {
    const PatternNode* node = found[i];
    found.push_back(WithChild(WithChild(node, 0, node->children[1]), 1, node->children[0]));
  }
  return found;
}

}  // namespace uir::arith
