// The rules of `SimplifyExpr`; tests build the pattern of each rule and compare values.
#include "./relay_rules.h"

namespace uir::transform {

namespace {

// Real numbers keep their bits, also NaN and -0.0: `x + 0.0` is not `x`.
const std::vector<RelayRuleText>* MakeRules() {
  return new std::vector<RelayRuleText>{
      // Sums and products.
      {"int", "x + 0", "x", ""},
      {"int", "0 + x", "x", ""},
      {"float", "x + -0.0", "x", ""},
      {"float", "-0.0 + x", "x", ""},
      {"number", "x - 0", "x", ""},
      {"int", "0 - x", "-x", ""},
      {"number", "x * 1", "x", ""},
      {"number", "1 * x", "x", ""},
      {"number", "x / 1", "x", ""},
      {"int", "x * c", "broadcast_to(c, shape=shape(y))", "is_all(c, 0)"},
      {"int", "c * x", "broadcast_to(c, shape=shape(y))", "is_all(c, 0)"},
      {"number", "power(x, 1)", "x", ""},
      {"number", "-(-x)", "x", ""},
      {"number", "x + -z", "x - z", ""},
      {"number", "x - -z", "x + z", ""},
      {"int", "-(x - z)", "z - x", ""},
      {"number", "-x * -z", "x * z", ""},
      {"signed", "abs(-x)", "abs(x)", ""},
      {"number", "abs(abs(x))", "abs(x)", ""},
      {"unsigned", "abs(x)", "x", ""},
      // Bounds and rounding.
      {"number", "maximum(x, x)", "x", ""},
      {"number", "minimum(x, x)", "x", ""},
      {"number", "maximum(maximum(x, z), z)", "maximum(x, z)", ""},
      {"number", "minimum(minimum(x, z), z)", "minimum(x, z)", ""},
      {"number", "maximum(x, maximum(x, z))", "maximum(x, z)", ""},
      {"number", "minimum(x, minimum(x, z))", "minimum(x, z)", ""},
      {"number", "clip(clip(x, z, w), z, w)", "clip(x, z, w)", ""},
      {"number", "relu(relu(x))", "relu(x)", ""},
      {"unsigned", "relu(x)", "x", ""},
      {"number", "sign(sign(x))", "sign(x)", ""},
      {"float", "floor(floor(x))", "floor(x)", ""},
      {"float", "floor(ceil(x))", "ceil(x)", ""},
      {"float", "floor(round(x))", "round(x)", ""},
      {"float", "ceil(ceil(x))", "ceil(x)", ""},
      {"float", "ceil(floor(x))", "floor(x)", ""},
      {"float", "ceil(round(x))", "round(x)", ""},
      {"float", "round(round(x))", "round(x)", ""},
      {"float", "round(floor(x))", "floor(x)", ""},
      {"float", "round(ceil(x))", "ceil(x)", ""},
      // Truth values and bits.
      {"bool", "not (not x)", "x", ""},
      {"bool", "x and True", "x", ""},
      {"bool", "True and x", "x", ""},
      {"bool", "x or False", "x", ""},
      {"bool", "False or x", "x", ""},
      {"bool", "x and c", "broadcast_to(c, shape=shape(y))", "is_all(c, False)"},
      {"bool", "c and x", "broadcast_to(c, shape=shape(y))", "is_all(c, False)"},
      {"bool", "x or c", "broadcast_to(c, shape=shape(y))", "is_all(c, True)"},
      {"bool", "c or x", "broadcast_to(c, shape=shape(y))", "is_all(c, True)"},
      {"bool", "x and x", "x", ""},
      {"bool", "x or x", "x", ""},
      {"bool", "logical_xor(x, False)", "x", ""},
      {"bool", "logical_xor(False, x)", "x", ""},
      {"bool", "logical_xor(x, True)", "not x", ""},
      {"any", "not (x == z)", "x != z", ""},
      {"any", "not (x != z)", "x == z", ""},
      {"int", "not (x < z)", "z <= x", ""},
      {"int", "not (x <= z)", "z < x", ""},
      {"int", "not greater(x, z)", "x <= z", ""},
      {"int", "not greater_equal(x, z)", "x < z", ""},
      {"int", "bitwise_not(bitwise_not(x))", "x", ""},
      {"int", "bitwise_and(x, x)", "x", ""},
      {"int", "bitwise_or(x, x)", "x", ""},
      {"int", "bitwise_or(x, 0)", "x", ""},
      {"int", "bitwise_or(0, x)", "x", ""},
      {"int", "bitwise_xor(x, 0)", "x", ""},
      {"int", "bitwise_xor(0, x)", "x", ""},
      {"int", "bitwise_and(x, c)", "broadcast_to(c, shape=shape(y))", "is_all(c, 0)"},
      {"int", "bitwise_and(c, x)", "broadcast_to(c, shape=shape(y))", "is_all(c, 0)"},
      {"int", "left_shift(x, 0)", "x", ""},
      {"int", "right_shift(x, 0)", "x", ""},
      // Choices.
      {"any", "where(True, x, z)", "x", ""},
      {"any", "where(False, z, x)", "x", ""},
      {"any", "where(b, x, x)", "x", ""},
      {"any", "where(not b, x, z)", "where(b, z, x)", ""},
      // Data types.
      {"any", "cast(x, dtype=d)", "x", ""},
      {"any", "cast(cast(x, dtype=d), dtype=e)", "cast(x, dtype=e)", "is_lossless(x, d, e)"},
      // Layouts.
      {"any", "transpose(x, axes=a)", "x", "is_identity(x, a)"},
      {"any", "transpose(transpose(x, axes=a), axes=b)", "transpose(x, axes=compose(x, a, b))", ""},
      {"any", "reshape(x)", "x", ""},
      {"any", "squeeze(x)", "x", ""},
      {"any", "expand_dims(x)", "x", ""},
      {"any", "reshape(reshape(x))", "reshape(x, shape=shape(y), allowzero=True)", ""},
      {"any", "reshape(squeeze(x))", "reshape(x, shape=shape(y), allowzero=True)", ""},
      {"any", "reshape(expand_dims(x))", "reshape(x, shape=shape(y), allowzero=True)", ""},
      {"any", "squeeze(reshape(x))", "reshape(x, shape=shape(y), allowzero=True)", ""},
      {"any", "squeeze(squeeze(x))", "reshape(x, shape=shape(y), allowzero=True)", ""},
      {"any", "squeeze(expand_dims(x))", "reshape(x, shape=shape(y), allowzero=True)", ""},
      {"any", "expand_dims(reshape(x))", "reshape(x, shape=shape(y), allowzero=True)", ""},
      {"any", "expand_dims(squeeze(x))", "reshape(x, shape=shape(y), allowzero=True)", ""},
      {"any", "expand_dims(expand_dims(x))", "reshape(x, shape=shape(y), allowzero=True)", ""},
      {"any", "broadcast_to(x)", "x", ""},
      {"any", "broadcast_to(broadcast_to(x))", "broadcast_to(x, shape=shape(y))", ""},
      {"any", "tile(x)", "x", ""},
      // Parts.
      {"any", "concatenate((x,))", "x", ""},
      {"any", "strided_slice(x, strides=s)", "x", "are_positive(s)"},
      {"any", "split(x)[0]", "x", ""},
      {"any", "pad(x, before=a, after=b, value=z)", "x", "are_zero(a) and are_zero(b)"},
  };
}

}  // namespace

const std::vector<RelayRuleText>& RelayRules() {
  static const std::vector<RelayRuleText>* const rules = MakeRules();
  return *rules;
}

}  // namespace uir::transform
