// Loops of convolutions whose channels lie in blocks.
#include "./blocked_window.h"

#include <tvm/ffi/cast.h>
#include <uir/tir/arith_op.h>
#include <uir/tir/const_fold.h>
#include <uir/tir/expr.h>
#include <uir/tir/op.h>
#include <uir/tir/operators.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "./contraction_kernel.h"

namespace uir::schedule {

using ir::PrimExpr;

namespace {

/*! \brief As many parts keep threads busy. */
constexpr int64_t kBusyParts = 8;

/*! \brief Whether the only neighbours in the right operand are neighbouring columns. */
bool ReadsNeighbouringPixels(const Contraction& contraction) {
  const auto* load = contraction.rhs.as<tir::BufferLoadNode>();
  if (load == nullptr || load->predicate.has_value() || load->indices.empty()) return false;
  return load->indices.back().same_as(contraction.column->loop_var) &&
         AreNeighbours(load->indices, contraction.column->loop_var.get());
}

/*! \brief The extents of the loops of a sum. */
std::optional<std::vector<int64_t>> SumOf(const Contraction& contraction) {
  std::vector<int64_t> sum;
  for (const tir::For& loop : contraction.nest.reduction) {
    const std::optional<int64_t> extent = tir::IntConstOf(loop->extent);
    if (!extent || *extent <= 0) return std::nullopt;
    sum.push_back(*extent);
  }
  return sum;
}

std::vector<tir::For> InParallel(std::vector<tir::For> loops) {
  for (tir::For& loop : loops) {
    if (tir::IntConstOf(loop->extent) == 1) continue;
    loop = tir::For(loop->loop_var, loop->min, loop->extent, tir::ForKind::kParallel, loop->body,
                    std::nullopt, {}, std::nullopt, loop->span);
    break;
  }
  return loops;
}

class BlockedWindowBuilder {
 public:
  BlockedWindowBuilder(const BlockedWindow& window, const ContractionParameters& parameters)
      : window_(window), by_(parameters), kernel_(window.contraction, parameters, &builder_) {}

  tir::Stmt Run() {
    if (!by_.is_parallel || PartsOf(window_.blocks, 1) >= PartsOf(window_.lines, kBusyParts)) {
      kernel_.InLoops(by_.is_parallel ? InParallel(window_.blocks) : window_.blocks, [&] {
        InSumBlocks(
            [&](const SumRange& range) { kernel_.InLoops(window_.lines, [&] { Line(range); }); });
      });
    } else {
      kernel_.InLoops(InParallel(window_.lines), [&] {
        kernel_.InLoops(window_.blocks,
                        [&] { InSumBlocks([&](const SumRange& range) { Line(range); }); });
      });
    }
    return builder_->Body();
  }

 private:
  PrimExpr Const(int64_t value) const { return kernel_.Const(value); }

  /*!
   * \brief The number of iterations of loops, at most as many as keep threads busy.
   * \param symbolic Assumed for an extent that is not known: a batch often has one image, and an
   * image many lines.
   */
  static int64_t PartsOf(const std::vector<tir::For>& loops, int64_t symbolic) {
    int64_t parts = 1;
    for (const tir::For& loop : loops) {
      const int64_t extent = tir::IntConstOf(loop->extent).value_or(symbolic);
      parts = std::min(parts * std::max<int64_t>(extent, 1), kBusyParts);
    }
    return parts;
  }

  void InSumBlocks(const std::function<void(const SumRange&)>& body) {
    const std::vector<int64_t> run(window_.sum.begin() + 1, window_.sum.end());
    int64_t terms = 1;
    for (const int64_t extent : run) terms *= extent;
    const int64_t runs = window_.sum[0];
    const int64_t most = std::max<int64_t>(by_.sum_block / terms, 1);
    const int64_t blocks = (runs + most - 1) / most;
    const int64_t block = (runs + blocks - 1) / blocks;
    kernel_.ForEach("sum_block", Const(blocks), [&](const PrimExpr& at) {
      const PrimExpr first = at * block;
      const PrimExpr extent =
          runs % block == 0 ? Const(block) : tir::min(runs - first, Const(block));
      body({first, extent, at + 1 >= blocks, run});
    });
  }

  void Line(const SumRange& range) {
    const int64_t width = by_.vectors * by_.lanes;
    kernel_.InGroups(Const(0), std::nullopt, [&](const PrimExpr& row, int64_t rows) {
      kernel_.ForEach("panel", Const(window_.channels() / width), [&](const PrimExpr& at) {
        const Panel panel = {Const(0), at * width, by_.vectors, std::nullopt};
        const auto load = [&](const PrimExpr& k, const tir::Buffer& vectors) {
          kernel_.LoadNeighbours(panel, range.FirstTerm() + k, vectors);
        };
        kernel_.Sums(panel, range, row, rows, load);
      });
    });
  }

  tir::Builder builder_;
  const BlockedWindow& window_;
  ContractionParameters by_;
  ContractionKernel kernel_;
};

}  // namespace

std::optional<int64_t> BlockedWindow::pixels() const {
  return tir::IntConstOf(contraction.rows[0]->extent);
}

int64_t BlockedWindow::channels() const { return *tir::IntConstOf(contraction.column->extent); }

std::optional<BlockedWindow> MatchBlockedWindow(const LoopNest& nest) {
  std::optional<Contraction> found = MatchContraction(nest);
  const auto rank = static_cast<int64_t>(nest.store->indices.size());
  if (!found || rank < 2 || nest.reduction.empty() || !ReadsNeighbouringPixels(*found)) {
    return std::nullopt;
  }
  std::optional<std::vector<int64_t>> sum = SumOf(*found);
  const auto pixel = std::find_if(found->rows.begin(), found->rows.end(), [&](const auto& loop) {
    return nest.store->indices[rank - 2].same_as(loop->loop_var);
  });
  if (!sum || pixel == found->rows.end()) return std::nullopt;
  const std::optional<int64_t> pixels = tir::IntConstOf((*pixel)->extent);
  const std::optional<int64_t> channels = tir::IntConstOf(found->column->extent);
  if ((pixels && *pixels <= 0) || !channels || *channels <= 0) return std::nullopt;
  BlockedWindow window{*found, found->outer, {}, *std::move(sum)};
  std::copy_if(found->rows.begin(), found->rows.end(), std::back_inserter(window.lines),
               [&](const tir::For& loop) { return !loop.same_as(*pixel); });
  window.contraction.rows = {*pixel};
  window.contraction.outer.clear();
  return window;
}

tir::Stmt BuildBlockedWindow(const BlockedWindow& window, const ContractionParameters& parameters) {
  return BlockedWindowBuilder(window, parameters).Run();
}

}  // namespace uir::schedule
