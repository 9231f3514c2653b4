// The numbers of packed matrices: those of a word of 32 bits are masked where they lie.
#include "./packed_matrix.h"

#include <uir/ir/dtype.h>
#include <uir/relay/contraction.h>
#include <uir/tir/bit_op.h>
#include <uir/tir/op.h>

#include "../../relay/shape_rule.h"

namespace uir::transform {

namespace {

/*! \brief The bits of words whose numbers are masked where they lie. */
constexpr int kMaskedWordBits = 32;

/*! \brief A float of an integer that is below `2**31`: signed ones convert faster. */
PrimExpr FloatOf(const PrimExpr& bits, DLDataType dtype) {
  return tir::cast(tir::cast(bits, ir::IntType(32)), dtype);
}

}  // namespace

PackedMatrix::PackedMatrix(const OperatorCall& call)
    : words(call.operand(1)), scales(call.operand(2)) {
  const auto* attrs = relay::AttrsOf<relay::MatmulNBitsAttrsNode>(call.call);
  bits = attrs->bits;
  columns = attrs->columns;
  if (call.Has(3)) zeros = call.operand(3);
  for (const Value& value : {words, scales, zeros.value_or(scales)}) value.StoreIfComputed();
}

int64_t PackedMatrix::PowerOf(int64_t number) const {
  const bool is_last = number == numbers_of_word() - 1;
  return words.dtype().bits == kMaskedWordBits && !is_last ? number * bits : 0;
}

PrimExpr PackedMatrix::Number(const PrimExpr& word, int64_t number, DLDataType dtype) const {
  const DLDataType type = ir::UIntType(words.dtype().bits);
  const auto constant = [&](uint64_t value) { return tir::make_const(value, type); };
  const uint64_t mask = (uint64_t{1} << bits) - 1;
  const int64_t shift = number * bits;
  const PrimExpr unsigned_word = tir::cast(word, type);
  if (PowerOf(number) == shift) {
    return FloatOf(tir::bitwise_and(unsigned_word, constant(mask << shift)), dtype);
  }
  const PrimExpr moved = tir::right_shift(unsigned_word, constant(static_cast<uint64_t>(shift)));
  return FloatOf(tir::bitwise_and(moved, constant(mask)), dtype);
}

}  // namespace uir::transform
