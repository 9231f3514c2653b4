// Loops of convolutions whose channels lie in blocks.
#include "./blocked_window.h"

#include <tvm/ffi/cast.h>
#include <uir/tir/arith_op.h>
#include <uir/tir/const_fold.h>
#include <uir/tir/expr.h>
#include <uir/tir/op.h>
#include <uir/tir/operators.h>

#include <algorithm>
#include <utility>

#include "./nest/from_loops.h"
#include "./work.h"

namespace uir::schedule {

using ir::PrimExpr;

namespace {

/*! \brief Whether the only neighbours in the right operand are neighbouring columns. */
bool ReadsNeighbouringPixels(const Contraction& contraction) {
  const auto* load = contraction.rhs.as<tir::BufferLoadNode>();
  if (load == nullptr || load->predicate.has_value() || load->indices.empty()) return false;
  return load->indices.back().same_as(contraction.column->loop_var) &&
         AreNeighbours(load->indices, contraction.column->loop_var.get());
}

/*! \brief Whether the sum has terms, of a known number. */
bool HasKnownTerms(const Contraction& contraction) {
  const std::vector<tir::For>& loops = contraction.nest.reduction;
  return std::all_of(loops.begin(), loops.end(), [](const tir::For& loop) {
    return tir::IntConstOf(loop->extent).value_or(0) > 0;
  });
}

/*!
 * \brief The number of iterations of loops, at most as many as keep threads busy.
 * \param loops The loops.
 * \param symbolic Assumed for an extent that is not known: a batch often has one image, and an
 * image many lines.
 */
int64_t BusyPartsOf(const std::vector<tir::For>& loops, int64_t symbolic) {
  int64_t parts = 1;
  for (const tir::For& loop : loops) {
    const int64_t extent = tir::IntConstOf(loop->extent).value_or(symbolic);
    parts = std::min(parts * std::max<int64_t>(extent, 1), kBusyParts);
  }
  return parts;
}

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
  const auto pixel = std::find_if(found->rows.begin(), found->rows.end(), [&](const auto& loop) {
    return nest.store->indices[rank - 2].same_as(loop->loop_var);
  });
  if (!HasKnownTerms(*found) || pixel == found->rows.end()) return std::nullopt;
  const std::optional<int64_t> pixels = tir::IntConstOf((*pixel)->extent);
  const std::optional<int64_t> channels = tir::IntConstOf(found->column->extent);
  if ((pixels && *pixels <= 0) || !channels || *channels <= 0) return std::nullopt;
  BlockedWindow window{*found, found->outer, {}};
  std::copy_if(found->rows.begin(), found->rows.end(), std::back_inserter(window.lines),
               [&](const tir::For& loop) { return !loop.same_as(*pixel); });
  window.contraction.rows = {*pixel};
  window.contraction.outer.clear();
  return window;
}

nest::Nest BareNest(const BlockedWindow& window) {
  std::vector<tir::For> around = window.blocks;
  around.insert(around.end(), window.lines.begin(), window.lines.end());
  return nest::NestOf(window.contraction, around);
}

nest::ChannelBlocks ChannelBlocksOf(const BlockedWindow& window, bool is_parallel) {
  using Threads = nest::ChannelBlocks::Threads;
  const bool are_blocks_many =
      BusyPartsOf(window.blocks, 1) >= BusyPartsOf(window.lines, kBusyParts);
  const Threads shared = are_blocks_many ? Threads::kBlocks : Threads::kLines;
  return {nest::VarsOfLoops(window.blocks), nest::VarsOfLoops(window.lines),
          window.contraction.rows[0]->loop_var, window.contraction.column->loop_var,
          is_parallel ? shared : Threads::kNone};
}

}  // namespace uir::schedule
