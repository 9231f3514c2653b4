// Symbols and the operators of relay that they spell.
#include "./infix.h"

namespace uir::script {

namespace {

constexpr Infix kRelayInfixes[] = {
    {"+", "relay.add", 2, Precedence::kSum},
    {"-", "relay.subtract", 2, Precedence::kSum},
    {"*", "relay.multiply", 2, Precedence::kProduct},
    {"/", "relay.divide", 2, Precedence::kProduct},
    {"@", "relay.matmul", 2, Precedence::kProduct},
    {"==", "relay.equal", 2, Precedence::kCompare},
    {"!=", "relay.not_equal", 2, Precedence::kCompare},
    {"<", "relay.less", 2, Precedence::kCompare},
    {"<=", "relay.less_equal", 2, Precedence::kCompare},
    {">", "relay.greater", 2, Precedence::kCompare},
    {">=", "relay.greater_equal", 2, Precedence::kCompare},
    {"&", "relay.bitwise_and", 2, Precedence::kBitAnd},
    {"|", "relay.bitwise_or", 2, Precedence::kBitOr},
    {"^", "relay.bitwise_xor", 2, Precedence::kBitXor},
    {"<<", "relay.left_shift", 2, Precedence::kShift},
    {">>", "relay.right_shift", 2, Precedence::kShift},
    {"-", "relay.negative", 1, Precedence::kUnary},
    {"~", "relay.bitwise_not", 1, Precedence::kUnary},
};

}  // namespace

const Infix* FindInfix(std::string_view symbol, int num_operands) {
  for (const Infix& infix : kRelayInfixes) {
    if (infix.symbol == symbol && infix.num_operands == num_operands) return &infix;
  }
  return nullptr;
}

const Infix* FindInfixOf(std::string_view op) {
  for (const Infix& infix : kRelayInfixes) {
    if (infix.op == op) return &infix;
  }
  return nullptr;
}

}  // namespace uir::script
