// Chooses how windows are computed.
#include <uir/tir/arith_op.h>
#include <uir/tir/const_fold.h>
#include <uir/tir/operators.h>

#include <algorithm>
#include <utility>

#include "./classify.h"
#include "./parameters.h"
#include "./window.h"
#include "./window_builder.h"
#include "./work.h"

namespace uir::schedule {

namespace {

constexpr const char* kPackedPixels = "packed_pixels";

/*! \brief A number of parts as equal as possible, none of which is larger than `most`. */
int64_t EvenPart(int64_t extent, int64_t most) {
  if (extent <= 0) return most;
  const int64_t parts = (extent + most - 1) / most;
  return (extent + parts - 1) / parts;
}

std::optional<int64_t> KnownProduct(const std::vector<tir::For>& loops) {
  int64_t product = 1;
  for (const tir::For& loop : loops) {
    const std::optional<int64_t> extent = tir::IntConstOf(loop->extent);
    if (!extent || __builtin_mul_overflow(product, *extent, &product)) return std::nullopt;
  }
  return product;
}

std::optional<Choices> Choose(const LoopNest& nest, BlockKind kind, const ParameterTable& table) {
  if (kind != BlockKind::kWindow) return std::nullopt;
  const std::optional<Window> window = MatchWindow(nest);
  if (!window || window->contraction.rows.empty()) return std::nullopt;
  const DLDataType dtype = nest.store->buffer->dtype;
  const ParameterKey key = {"window", dtype, kPackedPixels};
  int64_t rows = table.Get(key, "rows"), sum_block = table.Get(key, "sum_block");
  if (const auto known = KnownProduct(window->contraction.rows)) rows = EvenPart(*known, rows);
  if (const auto known = KnownProduct(nest.reduction)) sum_block = EvenPart(*known, sum_block);
  return Choices{{kPackedPixels,
                  {{"rows", rows},
                   {"vectors", table.Get(key, "vectors")},
                   {"lanes", table.Lanes(dtype)},
                   {"sum_block", sum_block},
                   {"column_block", table.Get(key, "column_block")},
                   {"parallel", WorkOf(nest) >= table.Get(key, "parallel_work")}}}};
}

std::optional<tir::Stmt> Apply(const LoopNest& nest, const Choices& choices) {
  if (choices.size() != 1) return std::nullopt;
  const Choice& choice = choices[0];
  const std::optional<Window> window = MatchWindow(nest);
  if (!window || choice.way != kPackedPixels) return std::nullopt;
  return BuildWindow(*window,
                     {choice["rows"], choice["vectors"], static_cast<int>(choice["lanes"]),
                      choice["sum_block"], 0, choice["column_block"], choice["parallel"] != 0});
}

}  // namespace

transform::Pass ScheduleWindow(ffi::String isa) {
  return MakeRecipePass({"ScheduleWindow", Choose, Apply, true}, isa);
}

}  // namespace uir::schedule
