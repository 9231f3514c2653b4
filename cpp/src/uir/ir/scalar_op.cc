// The table of operations on scalars, and their values.
#include <tvm/ffi/error.h>
#include <uir/ir/scalar_op.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace uir::ir {

namespace {

constexpr ScalarOpRow kRows[] = {
#define UIR_SCALAR_ROW(Name, symbol, tensor_op, precedence, function) \
  {ScalarOp::k##Name, symbol, tensor_op, Precedence::precedence},
    UIR_SCALAR_OPS(UIR_SCALAR_ROW)
#undef UIR_SCALAR_ROW
};

constexpr size_t kNumBinary = static_cast<size_t>(ScalarOp::kNot);

template <typename Matches>
const ScalarOpRow* FindRow(const Matches& matches) {
  const auto* row = std::find_if(kRows, kRows + kNumBinary, matches);
  return row == kRows + kNumBinary ? nullptr : row;
}

std::optional<ScalarOp> OpOf(const ScalarOpRow* row) {
  return row == nullptr ? std::nullopt : std::optional(row->op);
}

/*! \brief Wide enough for the result of any operation on two integers of 64 bits. */
using Wide = __int128;

template <typename Number>
bool Compare(ScalarOp op, Number a, Number b) {
  switch (op) {
    case ScalarOp::kEQ:
      return a == b;
    case ScalarOp::kNE:
      return a != b;
    case ScalarOp::kLT:
      return a < b;
    case ScalarOp::kLE:
      return a <= b;
    case ScalarOp::kGT:
      return a > b;
    case ScalarOp::kGE:
      return a >= b;
    case ScalarOp::kAnd:
      return a != 0 && b != 0;
    case ScalarOp::kOr:
      return a != 0 || b != 0;
    default:
      TVM_FFI_ICHECK(op == ScalarOp::kNot) << "no operation on numbers";
      return a == 0;
  }
}

/*! \brief The remainder with the sign of `b`, as in Python. */
double FloorModOf(double a, double b) {
  const double remainder = std::fmod(a, b);
  if (remainder == 0) return std::copysign(0.0, b);
  return (remainder < 0) != (b < 0) ? remainder + b : remainder;
}

/*! \brief The quotient rounded down, as in Python: `1.0 // 0.1` is 9, not the floor of 10. */
double FloorDivOf(double a, double b) {
  if (b == 0) return a / b;
  const double remainder = std::fmod(a, b);
  const bool is_above = remainder != 0 && (remainder < 0) != (b < 0);
  const double quotient = (a - remainder) / b - (is_above ? 1 : 0);
  // The remainder is exact: only rounding keeps the quotient from an integer.
  const double floored = std::floor(quotient);
  return quotient - floored > 0.5 ? floored + 1 : floored;
}

std::optional<Wide> Power(int64_t base, int64_t exponent) {
  if (exponent < 0) return std::nullopt;
  // Above 64 only the powers of 0, 1 and -1 fit, and only the parity of the exponent counts.
  int64_t power = 1;
  for (int64_t i = exponent > 64 ? 64 + exponent % 2 : exponent; i > 0; --i) {
    if (__builtin_mul_overflow(power, base, &power)) return std::nullopt;
  }
  return power;
}

std::optional<Wide> Divide(ScalarOp op, int64_t a, int64_t b) {
  if (b == 0) return std::nullopt;
  switch (op) {
    case ScalarOp::kDiv:
      return b == -1 ? -Wide{a} : Wide{a / b};
    case ScalarOp::kMod:
      return b == -1 ? 0 : a % b;
    case ScalarOp::kFloorDiv:
      return b == -1 ? -Wide{a} : Wide{FloorDiv(a, b)};
    default:
      return FloorMod(a, b);
  }
}

std::optional<Wide> EvaluateWide(ScalarOp op, int64_t a, int64_t b) {
  switch (op) {
    case ScalarOp::kAdd:
      return Wide{a} + b;
    case ScalarOp::kSub:
      return Wide{a} - b;
    case ScalarOp::kMul:
      return Wide{a} * b;
    case ScalarOp::kDiv:
    case ScalarOp::kMod:
    case ScalarOp::kFloorDiv:
    case ScalarOp::kFloorMod:
      return Divide(op, a, b);
    case ScalarOp::kMin:
      return std::min(a, b);
    case ScalarOp::kMax:
      return std::max(a, b);
    case ScalarOp::kBitAnd:
      return a & b;
    case ScalarOp::kBitOr:
      return a | b;
    case ScalarOp::kBitXor:
      return a ^ b;
    case ScalarOp::kShiftLeft:
      return b < 0 || b >= 64 ? std::nullopt : std::optional(a * (Wide{1} << b));
    case ScalarOp::kShiftRight:
      return b < 0 || b >= 64 ? std::nullopt : std::optional(Wide{a >> b});
    case ScalarOp::kPower:
      return Power(a, b);
    case ScalarOp::kNegate:
      return -Wide{a};
    default:
      return Compare(op, a, b);
  }
}

}  // namespace

const ScalarOpRow& RowOf(ScalarOp op) { return kRows[static_cast<size_t>(op)]; }

const ScalarOpRow* FindPrefix(std::string_view text) {
  const ScalarOpRow* longest = nullptr;
  size_t most = 0;
  for (const ScalarOpRow* row = kRows; row != kRows + kNumBinary; ++row) {
    const size_t size = row->symbol.size();
    if (size <= most || text.substr(0, size) != row->symbol) continue;
    longest = row;
    most = size;
  }
  return longest;
}

std::optional<ScalarOp> FindSymbol(std::string_view symbol) {
  return OpOf(FindRow([&](const ScalarOpRow& row) { return row.symbol == symbol; }));
}

std::optional<ScalarOp> FindTensorOp(std::string_view name) {
  return OpOf(FindRow([&](const ScalarOpRow& row) { return row.tensor_op == name; }));
}

std::optional<int64_t> Evaluate(ScalarOp op, int64_t a, int64_t b) {
  const std::optional<Wide> value = EvaluateWide(op, a, b);
  if (!value || *value < INT64_MIN || *value > INT64_MAX) return std::nullopt;
  return static_cast<int64_t>(*value);
}

std::optional<int64_t> EvaluateWrapped(ScalarOp op, int64_t a, int64_t b) {
  const std::optional<Wide> value = EvaluateWide(op, a, b);
  return value ? std::optional(static_cast<int64_t>(*value)) : std::nullopt;
}

double Evaluate(ScalarOp op, double a, double b) {
  switch (op) {
    case ScalarOp::kAdd:
      return a + b;
    case ScalarOp::kSub:
      return a - b;
    case ScalarOp::kMul:
      return a * b;
    case ScalarOp::kDiv:
      return a / b;
    case ScalarOp::kMod:
      return std::fmod(a, b);
    case ScalarOp::kFloorDiv:
      return FloorDivOf(a, b);
    case ScalarOp::kFloorMod:
      return FloorModOf(a, b);
    case ScalarOp::kMin:
      return a < b ? a : b;
    case ScalarOp::kMax:
      return a > b ? a : b;
    case ScalarOp::kPower:
      return std::pow(a, b);
    case ScalarOp::kNegate:
      return -a;
    default:
      return Compare(op, a, b) ? 1 : 0;
  }
}

}  // namespace uir::ir
