// The texts of rules, compiled: a small parser of Python's expressions.
#include <tvm/ffi/error.h>

#include <cctype>
#include <cstring>
#include <deque>
#include <string>

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

struct Operator {
  const char* text;
  Case op;
  int precedence;
};

// Longer texts first, where one begins with another.
constexpr Operator kOperators[] = {
    {"or", Case::kOr, 1}, {"and", Case::kAnd, 2}, {"==", Case::kEQ, 4}, {"!=", Case::kNE, 4},
    {"<=", Case::kLE, 4}, {">=", Case::kGE, 4},   {"<", Case::kLT, 4},  {">", Case::kGT, 4},
    {"+", Case::kAdd, 5}, {"-", Case::kSub, 5},   {"*", Case::kMul, 6},
};

constexpr int kNotPrecedence = 3;
constexpr int kNegPrecedence = 7;

/*! \brief Make a node that lives as long as the process, as rules do; the book of rules calls it.
 */
PatternNode* NewNode(const PatternNode& node) {
  static auto* const kept = new std::deque<PatternNode>();
  return &kept->emplace_back(node);
}

/*! \brief Reads one text. */
class Parser {
 public:
  explicit Parser(const char* text) : text_(text), here_(text) {}

  const PatternNode* ParseAll() {
    const PatternNode* node = Parse(0);
    if (*Here() != '\0') Fail();
    return node;
  }

 private:
  const char* Here() {
    while (*here_ == ' ') ++here_;
    return here_;
  }

  bool Accept(const char* token) {
    const size_t size = std::strlen(token);
    if (std::strncmp(Here(), token, size) != 0) return false;
    if (std::isalpha(token[0]) && std::isalnum(here_[size])) return false;
    here_ += size;
    return true;
  }

  void Expect(const char* token) {
    if (!Accept(token)) Fail();
  }

  [[noreturn]] void Fail() {
    TVM_FFI_THROW(InternalError) << "rule `" << text_ << "` is malformed at `" << here_ << "`";
    TVM_FFI_UNREACHABLE();
  }

  const PatternNode* Make(Case op, std::initializer_list<const PatternNode*> children) {
    PatternNode* node = NewNode({Kind::kOp});
    node->op = op;
    for (const PatternNode* child : children) node->children[node->num_children++] = child;
    return node;
  }

  const PatternNode* Literal(int64_t value) {
    PatternNode* node = NewNode({Kind::kLiteral});
    node->value = value;
    return node;
  }

  const PatternNode* Parse(int precedence) {
    const PatternNode* left = ParsePrefix();
    while (const Operator* op = AcceptOperator(precedence)) {
      left = Make(op->op, {left, Parse(op->precedence + 1)});
    }
    return left;
  }

  const Operator* AcceptOperator(int precedence) {
    for (const Operator& op : kOperators) {
      if (op.precedence >= precedence && Accept(op.text)) return &op;
    }
    return nullptr;
  }

  const PatternNode* ParsePrefix() {
    if (Accept("not")) return Make(Case::kNot, {Parse(kNotPrecedence)});
    if (Accept("-")) return Make(Case::kSub, {Literal(0), Parse(kNegPrecedence)});
    if (Accept("(")) {
      const PatternNode* node = Parse(0);
      Expect(")");
      return node;
    }
    return std::isdigit(*Here()) ? ParseNumber() : ParseName();
  }

  const PatternNode* ParseNumber() {
    int64_t value = 0;
    while (std::isdigit(*here_)) value = value * 10 + (*here_++ - '0');
    return Literal(value);
  }

  const PatternNode* ParseName() {
    for (const Function& function : kFunctions) {
      if (Accept(function.name)) return ParseCall(function.op);
    }
    for (const bool truth : {true, false}) {
      if (!Accept(truth ? "True" : "False")) continue;
      PatternNode* node = NewNode({Kind::kTruth});
      node->value = truth;
      return node;
    }
    return ParseVariable();
  }

  const PatternNode* ParseVariable() {
    constexpr char kExprs[] = "xyzw";
    const char letter = *here_++;
    const char* place = std::strchr(kExprs, letter);
    if (letter != '\0' && place != nullptr) {
      return Variable(Kind::kExpr, static_cast<int>(place - kExprs));
    }
    if (letter == 'n') return Variable(Kind::kLanes, 0);
    if ((letter != 'b' && letter != 'c') || !std::isdigit(*here_)) Fail();
    const int number = *here_++ - '1';
    return Variable(letter == 'b' ? Kind::kBool : Kind::kConst, number);
  }

  const PatternNode* Variable(Kind kind, int number) {
    PatternNode* node = NewNode({kind});
    // Booleans come after the four expressions in a match.
    node->slot = static_cast<uint8_t>(kind == Kind::kBool ? number + 4 : number);
    return node;
  }

  const PatternNode* ParseCall(Case op) {
    PatternNode* node = NewNode({Kind::kOp});
    node->op = op;
    Expect("(");
    do {
      if (node->num_children == 3) Fail();
      node->children[node->num_children++] = Parse(0);
    } while (Accept(","));
    Expect(")");
    return node;
  }

  const char* text_;
  const char* here_;
};

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

const PatternNode* CompilePattern(const char* text) { return Parser(text).ParseAll(); }

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
