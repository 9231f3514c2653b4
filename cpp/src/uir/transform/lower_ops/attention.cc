// Lowering of attention: blocks of queries, whose scores stay in the cache.
//
// For each head and each block of queries, the scores, the weights and their products with the
// values are separate loop nests, which recipes schedule. No tensor of all scores is stored (Rabe
// and Staats, "Self-attention does not need O(n^2) memory", 2021, with whole rows of keys).
#include <tvm/ffi/cast.h>
#include <uir/ir/dtype.h>
#include <uir/relay/transformer.h>
#include <uir/tir/arith_op.h>
#include <uir/tir/logic_op.h>
#include <uir/tir/math.h>
#include <uir/tir/op.h>
#include <uir/tir/rounding.h>
#include <uir/tir/trigonometry.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "../../relay/shape_rule.h"
#include "./loops.h"

namespace uir::transform {

namespace {

/*! \brief The maximal number of queries in a block. */
constexpr int64_t kMaxRows = 128;
/*! \brief The minimal number of queries in a block; fewer leave registers of a product unused. */
constexpr int64_t kMinRows = 16;
/*! \brief The number of multiplications from which threads pay off. */
constexpr double kParallelWork = 1 << 20;

/*! \brief The number of queries in a block: a divisor of all queries, if one is large enough. */
int64_t RowsOfBlock(const PrimExpr& queries) {
  const std::optional<int64_t> known = ConstantIndex(queries);
  if (!known) return kMaxRows / 2;
  if (*known <= kMaxRows) return std::max<int64_t>(*known, 1);
  for (int64_t rows = kMaxRows; rows >= kMinRows; --rows) {
    if (*known % rows == 0) return rows;
  }
  return kMaxRows / 2;
}

/*! \brief Builds the loops of one call. */
class AttentionBuilder {
 public:
  AttentionBuilder(const OperatorCall& call, tir::Builder* builder, tir::Buffer output)
      : attrs_(relay::AttrsOf<relay::AttentionAttrsNode>(call.call)),
        call_(call),
        builder_(builder),
        output_(std::move(output)),
        wide_(WideType(call.operand(0).dtype())),
        rows_(RowsOfBlock(Dim(0, 2))) {
    for (size_t i = 0; i < call.operands.size(); ++i) {
      if (call.Has(i)) call.operand(i).StoreIfComputed();
    }
  }

  void Run() {
    const PrimExpr blocks = CeilDiv(Dim(0, 2), rows_);
    const Indices parts = {Dim(0, 0), Dim(0, 1), blocks};
    const auto kind = IsWorthThreads() ? tir::ForKind::kParallel : tir::ForKind::kSerial;
    const PrimExpr count =
        tir::mul(tir::mul(WideIndex(parts[0]), WideIndex(parts[1])), WideIndex(blocks));
    builder_->For(
        "part", count, [&](const tir::Var& part) { Part(SplitPlace(part, parts)); }, kind);
  }

 private:
  PrimExpr Dim(size_t operand, int64_t axis) const { return call_.operand(operand).shape()[axis]; }
  PrimExpr Number(double value) const { return tir::make_const(value, wide_); }

  bool IsWorthThreads() const {
    double work = 1;
    for (const PrimExpr& dim : {Dim(0, 0), Dim(0, 1), Dim(0, 2), Dim(0, 3), Dim(1, 2)}) {
      const std::optional<int64_t> known = ConstantIndex(dim);
      work *= known ? static_cast<double>(*known) : kParallelWork;
    }
    return work >= kParallelWork;
  }

  /*! \brief A buffer with a row for each query of the block. */
  tir::Buffer Rows(const std::string& name, const Indices& extents) {
    Indices shape = {IndexIn(rows_, ir::IntType(64))};
    for (const PrimExpr& extent : extents) shape.push_back(WideIndex(extent));
    const tir::Buffer buffer = tir::decl_buffer(shape, wide_, name);
    (*builder_)->Emit(tir::AllocBuffer(buffer));
    return buffer;
  }

  /*! \brief Loops over the queries of the block and over columns. */
  void Nest(const PrimExpr& columns,
            const std::function<void(const PrimExpr& row, const PrimExpr& column)>& body) {
    InLoops(builder_, {num_rows_, WideIndex(columns)},
            [&](const Indices& at) { body(at[0], at[1]); });
  }

  /*! \brief A reduction of each row, from an initial value. */
  void Reduce(const tir::Buffer& result, const PrimExpr& start, const PrimExpr& columns,
              const std::function<PrimExpr(const PrimExpr& sum, const Indices& at)>& next) {
    builder_->For("row", num_rows_, [&](const tir::Var& row) {
      (*builder_)->Store(result, {row}, start);
      builder_->For("column", WideIndex(columns), [&](const tir::Var& column) {
        (*builder_)->Store(result, {row}, next(tir::BufferLoad(result, {row}), {row, column}));
      });
    });
  }

  PrimExpr Operand(size_t operand, const Indices& at) const {
    return tir::cast(call_.operand(operand).At(at), wide_);
  }

  /*! \brief The attention of one block of queries of a head. */
  void Part(const Indices& part) {
    batch_ = part[0];
    head_ = part[1];
    kv_head_ = tir::floordiv(
        head_, Divisor(tir::floordiv(WideIndex(Dim(0, 1)), Divisor(WideIndex(Dim(1, 1))))));
    first_ = tir::mul(part[2], IndexIn(rows_, ir::IntType(64)));
    const PrimExpr rest = tir::sub(WideIndex(Dim(0, 2)), first_);
    const std::optional<int64_t> queries = ConstantIndex(Dim(0, 2));
    const PrimExpr rows = IndexIn(rows_, ir::IntType(64));
    num_rows_ = queries && *queries % rows_ == 0 ? rows : tir::min(rest, rows);
    const tir::Buffer weights = Weights(Scores());
    const tir::Buffer sums = Rows("sums", {Dim(2, 3)});
    StoreProduct(
        builder_, sums, {num_rows_, WideIndex(Dim(2, 3))}, WideIndex(Dim(1, 2)),
        [&](const PrimExpr& row, const PrimExpr& key) {
          return tir::BufferLoad(weights, {row, key});
        },
        [&](const PrimExpr& key, const PrimExpr& column) {
          return Operand(2, {batch_, kv_head_, key, column});
        });
    Nest(Dim(2, 3), [&](const PrimExpr& row, const PrimExpr& column) {
      const PrimExpr sum = tir::cast(tir::BufferLoad(sums, {row, column}), output_->dtype);
      (*builder_)->Store(output_, {batch_, head_, tir::add(first_, row), column}, sum);
    });
  }

  /*! \brief The scores of the keys: scaled, limited and masked. */
  tir::Buffer Scores() {
    const tir::Buffer products = Rows("products", {Dim(1, 2)});
    StoreProduct(
        builder_, products, {num_rows_, WideIndex(Dim(1, 2))}, WideIndex(Dim(0, 3)),
        [&](const PrimExpr& row, const PrimExpr& k) {
          return Operand(0, {batch_, head_, tir::add(first_, row), k});
        },
        [&](const PrimExpr& k, const PrimExpr& key) {
          return Operand(1, {batch_, kv_head_, key, k});
        });
    const tir::Buffer scores = Rows("scores", {Dim(1, 2)});
    Nest(Dim(1, 2), [&](const PrimExpr& row, const PrimExpr& key) {
      const PrimExpr product = tir::BufferLoad(products, {row, key});
      (*builder_)->Store(scores, {row, key}, Masked(Limited(Scaled(product)), row, key));
    });
    return scores;
  }

  PrimExpr Scaled(const PrimExpr& product) const {
    if (attrs_->scale.has_value()) return tir::mul(product, Number(attrs_->scale.value()));
    const std::optional<int64_t> size = ConstantIndex(Dim(0, 3));
    if (size) return tir::mul(product, Number(1 / std::sqrt(static_cast<double>(*size))));
    return tir::mul(product, tir::rsqrt(tir::cast(Dim(0, 3), wide_)));
  }

  PrimExpr Limited(const PrimExpr& score) const {
    if (attrs_->softcap <= 0) return score;
    const PrimExpr limit = Number(attrs_->softcap);
    return tir::mul(limit, tir::tanh(tir::div(score, limit)));
  }

  PrimExpr Masked(PrimExpr score, const PrimExpr& row, const PrimExpr& key) const {
    const PrimExpr never = Number(-std::numeric_limits<double>::infinity());
    const PrimExpr query = tir::add(first_, row);
    if (call_.Has(3)) {
      const Value& mask = call_.operand(3);
      const PrimExpr element = mask.At(BroadcastIndices({batch_, head_, query, key}, mask.shape()));
      score = ir::IsBool(mask.dtype()) ? tir::select(element, score, never)
                                       : tir::add(score, tir::cast(element, wide_));
    }
    return attrs_->causal ? tir::select(tir::less_equal(key, query), score, never) : score;
  }

  /*! \brief The softmax of scores; with `zero_unseen`, a query without keys has weights of 0. */
  tir::Buffer Weights(const tir::Buffer& scores) {
    const PrimExpr never = Number(-std::numeric_limits<double>::infinity());
    const bool may_see_none = attrs_->zero_unseen && (call_.Has(3) || attrs_->causal);
    const tir::Buffer greatest = Rows("greatest", {});
    Reduce(greatest, never, Dim(1, 2), [&](const PrimExpr& before, const Indices& at) {
      // NaN is the greatest, so that only a row of -inf has the greatest score -inf.
      return tir::select(tir::isnan(before), before, tir::max(before, tir::BufferLoad(scores, at)));
    });
    const tir::Buffer weights = Rows("weights", {Dim(1, 2)});
    Nest(Dim(1, 2), [&](const PrimExpr& row, const PrimExpr& key) {
      const PrimExpr shift = tir::BufferLoad(greatest, {row});
      const PrimExpr power = tir::exp(tir::sub(tir::BufferLoad(scores, {row, key}), shift));
      const PrimExpr none = tir::equal(shift, never);
      (*builder_)->Store(weights, {row, key},
                         may_see_none ? tir::select(none, Number(0), power) : power);
    });
    const tir::Buffer total = Rows("total", {});
    Reduce(total, Number(0), Dim(1, 2), [&](const PrimExpr& before, const Indices& at) {
      return tir::add(before, tir::BufferLoad(weights, at));
    });
    const tir::Buffer shares = Rows("shares", {Dim(1, 2)});
    Nest(Dim(1, 2), [&](const PrimExpr& row, const PrimExpr& key) {
      const PrimExpr sum = tir::BufferLoad(total, {row});
      const PrimExpr none = tir::equal(tir::BufferLoad(greatest, {row}), never);
      const PrimExpr divisor = may_see_none ? tir::select(none, Number(1), sum) : sum;
      (*builder_)->Store(shares, {row, key},
                         tir::div(tir::BufferLoad(weights, {row, key}), divisor));
    });
    return shares;
  }

  const relay::AttentionAttrsNode* attrs_;
  const OperatorCall& call_;
  tir::Builder* builder_;
  tir::Buffer output_;
  DLDataType wide_;
  int64_t rows_;
  /*! \brief The indices of the part that is being built. */
  PrimExpr batch_{ffi::UnsafeInit{}};
  PrimExpr head_{ffi::UnsafeInit{}};
  PrimExpr kv_head_{ffi::UnsafeInit{}};
  PrimExpr first_{ffi::UnsafeInit{}};
  PrimExpr num_rows_{ffi::UnsafeInit{}};
};

Values LowerAttention(const OperatorCall& call) {
  return StoreInLoops(call.Name(), call.results, [&](auto* builder, const auto& outputs) {
    AttentionBuilder(call, builder, outputs[0]).Run();
  });
}

UIR_TRANSFORM_REGISTER_LOWERING("relay.attention", LowerAttention);

}  // namespace

}  // namespace uir::transform
