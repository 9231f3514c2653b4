// Products of four bytes.
#include "./byte_products.h"

#include <tschema/structural_equal.h>
#include <tvm/ffi/cast.h>
#include <uir/arith/analyzer.h>
#include <uir/ir/dtype.h>
#include <uir/ir/op.h>
#include <uir/tir/arith.h>
#include <uir/tir/arith_op.h>
#include <uir/tir/bit_op.h>
#include <uir/tir/call.h>
#include <uir/tir/const_fold.h>
#include <uir/tir/dot.h>
#include <uir/tir/expr.h>
#include <uir/tir/op.h>
#include <uir/tir/operators.h>
#include <uir/transform/substitute.h>

#include <optional>
#include <utility>
#include <vector>

namespace uir::schedule::nest {

namespace {

/*! \brief The byte that an operand widens to int32; none if it is something else. */
std::optional<PrimExpr> ByteOf(const PrimExpr& operand) {
  const auto* cast = operand.as<tir::CastNode>();
  if (cast == nullptr || cast->dtype != ir::IntType(32)) return std::nullopt;
  const DLDataType from = cast->value->dtype;
  const bool is_byte = from == ir::IntType(8) || from == ir::UIntType(8);
  return is_byte ? std::optional(cast->value) : std::nullopt;
}

/*! \brief Four neighbours in memory as an int32; none if the term is not the last index. */
std::optional<PrimExpr> Neighbours(const PrimExpr& byte, const tir::Var& term,
                                   const PrimExpr& first) {
  const auto* load = byte.as<tir::BufferLoadNode>();
  if (load == nullptr || load->predicate.has_value() || load->indices.empty()) return std::nullopt;
  ffi::Array<PrimExpr> indices = load->indices;
  const auto last = static_cast<int64_t>(indices.size()) - 1;
  if (!indices[last].same_as(term)) return std::nullopt;
  for (int64_t i = 0; i < last; ++i) {
    if (VarsOf(indices[i]).count(term.get()) != 0) return std::nullopt;
  }
  const PrimExpr one = tir::make_const(1, first->dtype);
  indices.Set(last, tir::Ramp(first, one, static_cast<int32_t>(kBytes)));
  return tir::reinterpret(tir::BufferLoad(load->buffer, std::move(indices)), ir::IntType(32));
}

/*! \brief The load of an int32 of which an expression is a byte, and by how many bits that byte is
 * moved; null for another expression. */
struct ByteOfWord {
  const tir::BufferLoadNode* word = nullptr;
  PrimExpr bits{ffi::UnsafeInit{}};
};

ByteOfWord WordOf(const PrimExpr& byte) {
  static const ir::Op shift_right = ir::get_op("tir.shift_right");
  const auto* cast = byte.as<tir::CastNode>();
  const auto* shift = cast == nullptr ? nullptr : cast->value.as<tir::CallNode>();
  if (shift == nullptr || !shift->op.same_as(shift_right)) return {};
  const auto* load = shift->args[0].as<tir::BufferLoadNode>();
  if (load == nullptr || load->dtype != ir::IntType(32)) return {};
  return {load, shift->args[1]};
}

/*! \brief Reads words by the number of a group of terms. */
class WordsByGroup {
 public:
  WordsByGroup(const tir::Var& term, const PrimExpr& extent)
      : group_("group", term->dtype), byte_("byte", term->dtype) {
    const PrimExpr zero = tir::make_const(0, term->dtype);
    const PrimExpr size = tir::make_const(kBytes, term->dtype);
    analyzer_->Bind(group_, ir::Range(zero, tir::floordiv(extent, size)));
    analyzer_->Bind(byte_, ir::Range(zero, size));
    first_.Set(term, group_ * size);
    any_.Set(term, group_ * size + byte_);
    group_number_.Set(group_, term);
  }

  /*! \brief The word that has the byte of a term, in which the term counts groups; none if bytes of
   * a group are not the four bytes of a word. */
  std::optional<PrimExpr> Of(const PrimExpr& byte) const {
    const ByteOfWord found = WordOf(byte);
    if (found.word == nullptr) return std::nullopt;
    const PrimExpr bits = tir::cast(byte_ * 8, found.bits->dtype);
    if (!AreSame(transform::Substitute(found.bits, any_), bits)) return std::nullopt;
    ffi::Array<PrimExpr> indices;
    for (const PrimExpr& index : found.word->indices) {
      const PrimExpr first = analyzer_->Simplify(transform::Substitute(index, first_));
      if (!AreSame(transform::Substitute(index, any_), first)) return std::nullopt;
      indices.push_back(transform::Substitute(first, group_number_));
    }
    return tir::BufferLoad(found.word->buffer, std::move(indices));
  }

 private:
  bool AreSame(const PrimExpr& one, const PrimExpr& other) const {
    return tschema::StructuralEqual(analyzer_->Simplify(one), analyzer_->Simplify(other));
  }

  arith::Analyzer analyzer_;
  tir::Var group_;
  tir::Var byte_;
  transform::Substitution first_, any_, group_number_;
};

/*! \brief Four bytes, each of which is loaded, as an int32. */
PrimExpr Interleaved(const PrimExpr& byte, const tir::Var& term, const PrimExpr& first) {
  std::optional<PrimExpr> bits;
  for (int64_t i = 0; i < kBytes; ++i) {
    const PrimExpr one =
        transform::Substitute(byte, {{term, first + tir::make_const(i, first->dtype)}});
    const PrimExpr wide = tir::cast(tir::cast(one, ir::UIntType(8)), ir::IntType(32));
    const PrimExpr moved = tir::left_shift(wide, tir::make_const(8 * i, ir::IntType(32)));
    bits = bits ? tir::bitwise_or(*bits, moved) : moved;
  }
  return *bits;
}

Operand FourBytes(const Operand& operand, const PrimExpr& byte, const tir::Var& term,
                  const PrimExpr& extent) {
  const PrimExpr first = term * kBytes;
  std::optional<PrimExpr> value = Neighbours(byte, term, first);
  if (!value) value = WordsByGroup(term, extent).Of(byte);
  return {tir::Var(operand.var->name, ir::IntType(32)),
          value ? *value : Interleaved(byte, term, first)};
}

/*! \brief Whether operands are a uint8 and an int8, with so many terms that all lie in groups. */
bool AreBytes(const PrimExpr& left, const PrimExpr& right, const PrimExpr& extent) {
  const std::optional<PrimExpr> a = ByteOf(left), b = ByteOf(right);
  const std::optional<int64_t> terms = tir::IntConstOf(extent);
  return a && b && (*a)->dtype.code != (*b)->dtype.code && terms && *terms != 0 &&
         *terms % kBytes == 0;
}

}  // namespace

bool IsByteProduct(const Contraction& contraction) {
  const std::vector<tir::For>& sums = contraction.nest.reduction;
  return sums.size() == 1 && AreBytes(contraction.lhs, contraction.rhs, sums[0]->extent);
}

bool ReadsWords(const Contraction& contraction) {
  if (contraction.panel_width || !IsByteProduct(contraction)) return false;
  return WordOf(*ByteOf(contraction.rhs)).word != nullptr;
}

tir::DeclBuffer ReadWordsInLine(Contraction* contraction) {
  const auto [word, bits] = WordOf(*ByteOf(contraction->rhs));
  const arith::Analyzer analyzer;
  for (const auto* loops : {&contraction->nest.spatial, &contraction->nest.reduction}) {
    for (const tir::For& loop : *loops) {
      analyzer->Bind(loop->loop_var, ir::Range(loop->min, loop->extent));
    }
  }
  const tir::Buffer& words = word->buffer;
  PrimExpr place = word->indices[0], size = words->shape[0];
  for (int64_t i = 1; i < static_cast<int64_t>(words->shape.size()); ++i) {
    place = place * words->shape[i] + word->indices[i];
    size = size * words->shape[i];
  }
  const tir::Buffer line(words->data, words->dtype, {size}, {}, std::nullopt, words->name,
                         words->data_alignment);
  const PrimExpr load = tir::BufferLoad(line, {analyzer->Simplify(place)});
  const PrimExpr byte = tir::cast(tir::right_shift(load, bits), (*ByteOf(contraction->rhs))->dtype);
  contraction->rhs = tir::cast(byte, ir::IntType(32));
  return tir::DeclBuffer(line, {}, contraction->nest.store->span);
}

PrimExpr PackedByte(const tir::Buffer& packed, ffi::Array<PrimExpr> indices,
                    const tir::BufferLoadNode* load) {
  const auto place = static_cast<int64_t>(indices.size()) - 2;
  const PrimExpr term = indices[place];
  const PrimExpr size = tir::make_const(kBytes, term->dtype);
  indices.Set(place, tir::floordiv(term, size));
  const PrimExpr bits = tir::cast(tir::floormod(term, size) * 8, ir::IntType(32));
  const PrimExpr four = tir::BufferLoad(packed, std::move(indices), std::nullopt, load->span);
  return tir::cast(tir::right_shift(four, bits), load->dtype);
}

Nest ByteProducts(const Nest& nest, const tir::Var& term) {
  if (nest.operands.size() != 2) return nest;
  const PrimExpr extent = nest.AxisOf(term).extent;
  if (!AreBytes(nest.operands[0].value, nest.operands[1].value, extent)) return nest;
  const PrimExpr left = *ByteOf(nest.operands[0].value), right = *ByteOf(nest.operands[1].value);
  Nest made = nest;
  for (Axis& axis : made.axes) {
    if (axis.var.same_as(term))
      axis.extent = tir::make_const(*tir::IntConstOf(extent) / kBytes, term->dtype);
  }
  made.operands = {FourBytes(nest.operands[0], left, term, extent),
                   FourBytes(nest.operands[1], right, term, extent)};
  const bool is_left_unsigned = left->dtype.code == kDLUInt;
  const tir::Var &a = made.operands[is_left_unsigned ? 0 : 1].var,
                 &b = made.operands[is_left_unsigned ? 1 : 0].var;
  made.body = tir::dot4(tir::make_const(0, ir::IntType(32)), a, b);
  return made;
}

}  // namespace uir::schedule::nest
