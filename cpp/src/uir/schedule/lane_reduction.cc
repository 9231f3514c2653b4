// Reductions by vectors.
#include "./lane_reduction.h"

#include <tschema/walk.h>
#include <uir/ir/dtype.h>
#include <uir/tir/arith_op.h>
#include <uir/tir/builder.h>
#include <uir/tir/call.h>
#include <uir/tir/const_fold.h>
#include <uir/tir/expr.h>
#include <uir/tir/op.h>
#include <uir/tir/operators.h>
#include <uir/transform/convert_ssa.h>
#include <uir/transform/expr_lanes.h>

#include <algorithm>
#include <functional>
#include <string>
#include <utility>

#include "./loop_writer.h"

namespace uir::schedule {

using ir::PrimExpr;

namespace {

class LaneReducer {
 public:
  LaneReducer(const LoopNest& nest, const RowReduction& reduction, int lanes, int64_t vectors)
      : nest_(nest),
        reduction_(reduction),
        along_(nest.reduction.back()),
        lanes_(lanes),
        vectors_(vectors),
        known_(tir::IntConstOf(along_->extent)) {
    while (known_ && lanes_ > std::max<int64_t>(*known_, 1)) lanes_ /= 2;
    if (known_) vectors_ = std::clamp<int64_t>(*known_ / lanes_, 1, vectors_);
  }

  std::optional<tir::Stmt> Run() {
    if (!ToLanes(reduction_.term, Const(0), lanes_)) return std::nullopt;
    const bool is_line = nest_.reduction.size() == 1;
    partial_ = Local("lanes", lanes_, vectors_);
    ForEach("vector", Const(vectors_), tir::ForKind::kUnrolled,
            [&](const PrimExpr& vector) { Store(partial_, vector, Broadcast(lanes_)); });
    if (!is_line) {
      rest_ = Local("rest", 1, 1);
      Store(rest_, Const(0), reduction_.identity);
    }
    InOuterLoops(0, [&] {
      WholeVectors();
      if (!is_line) RestOneByOne();
    });
    CombineVectors();
    PrimExpr total = CombineHalves(is_line);
    if (!is_line) {
      total = Bound("total", reduction_.Combine(total, tir::BufferLoad(rest_, {Const(0)})));
    }
    Finish(total);
    return builder_->Body();
  }

 private:
  PrimExpr Const(int64_t value) const { return tir::make_const(value, along_->loop_var->dtype); }
  const PrimExpr& Extent() const { return along_->extent; }
  DLDataType dtype() const { return reduction_.term->dtype; }

  PrimExpr Broadcast(int lanes) const { return AllLanes(reduction_.identity, lanes); }

  /*! \brief A vector of neighbouring terms, if they have a form as one. */
  std::optional<PrimExpr> ToLanes(const PrimExpr& term, const PrimExpr& first, int lanes) const {
    const PrimExpr places = LanesFrom(first, lanes);
    auto made = transform::ExprLanes(term, {{along_->loop_var, places}}, lanes);
    if (!made || !ir::IsScalar((*made)->dtype)) return made;
    return AllLanes(*made, lanes);
  }

  PrimExpr TermsFrom(const PrimExpr& first, int lanes) const {
    const PrimExpr term = transform::RenewBindings(reduction_.term);
    return ToLanes(term, first, lanes).value();
  }

  tir::Buffer Local(const std::string& name, int lanes, int64_t count) {
    tir::Buffer buffer = tir::decl_buffer({Const(count)}, ir::WithLanes(dtype(), lanes),
                                          std::string(nest_.store->buffer->name) + "_" + name,
                                          std::nullopt, std::nullopt, std::nullopt, "local");
    builder_->Emit(tir::AllocBuffer(buffer));
    return buffer;
  }

  void Store(const tir::Buffer& buffer, const PrimExpr& index, PrimExpr value) {
    builder_->Emit(
        tir::BufferStore(buffer, std::move(value), {index}, std::nullopt, nest_.store->span));
  }

  /*! \brief Combine an element of a local buffer with another part. */
  void Add(const tir::Buffer& buffer, const PrimExpr& index, const PrimExpr& part) {
    Store(buffer, index, reduction_.Combine(tir::BufferLoad(buffer, {index}), part));
  }

  void ForEach(const char* name, const PrimExpr& extent, tir::ForKind kind,
               const std::function<void(const PrimExpr&)>& body) {
    const std::optional<int64_t> count = tir::IntConstOf(extent);
    if (count && *count <= 0) return;
    if (count == 1) return body(Const(0));
    builder_.For(name, extent, body, kind);
  }

  /*! \brief The loops of the reduction from `next` on, except for the last one. */
  void InOuterLoops(size_t next, const std::function<void()>& body) {
    if (next + 1 == nest_.reduction.size()) return body();
    const tir::ForNode* loop = nest_.reduction[next].get();
    builder_.Within(builder_->EnterFor(loop->loop_var, loop->min, loop->extent, loop->kind,
                                       std::nullopt, std::nullopt, std::nullopt, loop->span),
                    [&] { InOuterLoops(next + 1, body); });
  }

  void WholeVectors() {
    const PrimExpr width = Const(lanes_ * vectors_);
    const PrimExpr blocks = tir::floordiv(Extent(), width);
    ForEach("block", blocks, tir::ForKind::kSerial, [&](const PrimExpr& block) {
      ForEach("vector", Const(vectors_), tir::ForKind::kUnrolled, [&](const PrimExpr& vector) {
        const PrimExpr first = block * width + vector * lanes_;
        Add(partial_, vector, TermsFrom(first, lanes_));
      });
    });
    const PrimExpr others = tir::floordiv(tir::floormod(Extent(), width), Const(lanes_));
    ForEach("vector", others, tir::ForKind::kSerial, [&](const PrimExpr& vector) {
      Add(partial_, Const(0), TermsFrom(blocks * width + vector * lanes_, lanes_));
    });
  }

  /*! \brief The terms that do not fill a vector, of each iteration of the outer loops. */
  void RestOneByOne() {
    const PrimExpr rest = tir::floormod(Extent(), Const(lanes_));
    ForEach("lane", rest, tir::ForKind::kSerial, [&](const PrimExpr& lane) {
      Add(rest_, Const(0), TermsFrom(Extent() - rest + lane, 1));
    });
  }

  void CombineVectors() {
    for (int64_t apart = 1; apart < vectors_; apart *= 2) {
      for (int64_t vector = 0; vector + apart < vectors_; vector += 2 * apart) {
        Add(partial_, Const(vector), tir::BufferLoad(partial_, {Const(vector + apart)}));
      }
    }
  }

  /*! \brief A variable with a value. */
  PrimExpr Bound(const std::string& name, const PrimExpr& value) {
    const tir::Var var(nest_.store->buffer->name + "_" + name, value->dtype);
    builder_->Emit(tir::Bind(var, value, nest_.store->span));
    return var;
  }

  PrimExpr Half(const char* name, const PrimExpr& vector, int first, int lanes) {
    ffi::Array<PrimExpr> indices;
    for (int lane = 0; lane < lanes; ++lane) {
      indices.push_back(tir::make_const(first + lane, ir::IntType(32)));
    }
    return Bound(name, tir::Shuffle({vector}, indices));
  }

  /*! \brief Combine the halves of a vector, and of that, until there is one lane. */
  PrimExpr CombineHalves(bool has_rest) {
    PrimExpr whole = tir::BufferLoad(partial_, {Const(0)});
    for (int lanes = lanes_ / 2; lanes > 0; lanes /= 2) {
      const PrimExpr low = Half("low", whole, 0, lanes);
      const PrimExpr high = Half("high", whole, lanes, lanes);
      const std::string name = lanes == 1 ? "all" : "by_" + std::to_string(lanes);
      whole = Bound(name, reduction_.Combine(low, high));
      if (has_rest) whole = WithRest(whole, lanes, name);
    }
    return whole;
  }

  /*! \brief A part combined with `lanes` further terms, if the number of terms has this power of
   * two. */
  PrimExpr WithRest(const PrimExpr& part, int lanes, const std::string& name) {
    const PrimExpr rest = tir::floormod(Extent(), Const(lanes_));
    const PrimExpr first = Extent() - rest + tir::floordiv(rest, Const(2 * lanes)) * (2 * lanes);
    const PrimExpr is_there = tir::floormod(tir::floordiv(rest, Const(lanes)), Const(2)) > 0;
    const std::optional<int64_t> is_known = tir::IntConstOf(is_there);
    if (is_known == 0) return part;
    const PrimExpr both = reduction_.Combine(part, TermsFrom(first, lanes));
    return Bound(name, is_known ? both : tir::if_then_else(is_there, both, part));
  }

  void Finish(const PrimExpr& total) {
    const DLDataType result = nest_.store->buffer->dtype;
    PrimExpr value = total;
    if (reduction_.start) {
      value = reduction_.Combine(Bound("start", tir::cast(*reduction_.start, dtype())), value);
    }
    builder_->Emit(tir::BufferStore(nest_.store->buffer, tir::cast(value, result),
                                    nest_.store->indices, std::nullopt, nest_.store->span));
  }

  tir::Builder builder_;
  const LoopNest& nest_;
  const RowReduction& reduction_;
  tir::For along_;
  int lanes_;
  int64_t vectors_;
  std::optional<int64_t> known_;
  tir::Buffer partial_{ffi::UnsafeInit{}};
  tir::Buffer rest_{ffi::UnsafeInit{}};
};

/*! \brief The bits that a number is computed with; `float32` computes narrower ones. */
int ReducedBits(DLDataType dtype) {
  return ir::IsFloat(dtype) ? std::max<int>(dtype.bits, 32) : std::max<int>(dtype.bits, 8);
}

}  // namespace

bool RunsAlong(const PrimExpr& term, const tir::For& loop) {
  bool runs = true;
  tschema::Walk(term, [&](const tir::BufferLoadNode* load) {
    const bool is_simple = ir::IsScalar(load->dtype) && !load->predicate.has_value();
    runs = runs && is_simple && AreNeighbours(load->indices, loop->loop_var.get());
  });
  return runs;
}

int WidestBits(const PrimExpr& value, DLDataType dtype) {
  int bits = ReducedBits(dtype);
  tschema::Walk(value, [&](const tir::BufferLoadNode* load) {
    bits = std::max(bits, ReducedBits(load->dtype));
  });
  return bits;
}

std::optional<tir::Stmt> ReduceByVectors(const LoopNest& nest, const RowReduction& reduction,
                                         int lanes, int64_t vectors) {
  return LaneReducer(nest, reduction, lanes, vectors).Run();
}

}  // namespace uir::schedule
