// Chooses how contractions are blocked.
#include <tschema/walk.h>
#include <uir/tir/arith_op.h>
#include <uir/tir/const_fold.h>
#include <uir/tir/op.h>
#include <uir/tir/operators.h>
#include <uir/transform/convert_ssa.h>

#include <algorithm>
#include <utility>

#include "./classify.h"
#include "./contraction.h"
#include "./contraction_builder.h"
#include "./parameters.h"
#include "./work.h"

namespace uir::schedule {

namespace {

using ir::PrimExpr;

constexpr const char* kManyRows = "many_rows";
constexpr const char* kFewRows = "few_rows";
constexpr const char* kFewRowsApart = "few_rows_apart";
/*! \brief The blocks of rows of a parallel contraction, if it has so many rows. */
constexpr int64_t kParallelBlocks = 8;

/*! \brief The number of rows, of all loops over them. */
PrimExpr RowsOf(const Contraction& contraction) {
  PrimExpr rows = tir::make_const(1, contraction.column->extent->dtype);
  for (const tir::For& loop : contraction.rows) rows = rows * loop->extent;
  return rows;
}

ContractionParameters ParametersOf(const Contraction& contraction, const std::string& isa,
                                   const char* shape) {
  const DLDataType dtype = contraction.nest.store->buffer->dtype;
  const ParameterKey key = {"contraction", isa, dtype, shape};
  // Columns that do not lie side by side are scalars, of which several are added up at once.
  const int lanes = shape == kFewRowsApart ? 1 : VectorLanes(isa, dtype);
  const bool is_parallel = WorkOf(contraction.nest) >= Parameter(key, "parallel_work");
  ContractionParameters made{Parameter(key, "rows"),
                             Parameter(key, "vectors"),
                             lanes,
                             Parameter(key, "sum_block"),
                             Parameter(key, "row_block"),
                             Parameter(key, "column_block"),
                             is_parallel};
  // Narrow results need no more vectors than hold a row.
  if (const auto columns = tir::IntConstOf(contraction.column->extent)) {
    const int64_t needed = (*columns + lanes - 1) / lanes;
    made.vectors = std::max<int64_t>(std::min(made.vectors, needed), 1);
  }
  // Equal groups of rows are faster than whole ones and a small rest.
  if (const auto rows = tir::IntConstOf(RowsOf(contraction)); rows && *rows > 0) {
    const int64_t groups = (*rows + made.rows - 1) / made.rows;
    made.rows = (*rows + groups - 1) / groups;
    // Threads share blocks of rows evenly only if there are several for each.
    const int64_t per_block =
        std::max<int64_t>((groups + kParallelBlocks - 1) / kParallelBlocks, 1);
    if (is_parallel) made.row_block = std::min(made.row_block, per_block * made.rows);
  }
  return made;
}

std::string TraceOf(const ContractionParameters& by, const char* shape) {
  std::string trace = std::string(shape) + ", " + std::to_string(by.rows) + " rows x " +
                      std::to_string(by.vectors) + " vectors of " + std::to_string(by.lanes);
  trace += ", blocks of " + std::to_string(by.sum_block) + " products";
  if (by.row_block != 0) trace += ", " + std::to_string(by.row_block) + " rows";
  if (by.column_block != 0) trace += ", " + std::to_string(by.column_block) + " columns";
  return by.is_parallel ? trace + ", parallel" : trace;
}

Scheduled Packed(const Contraction& contraction, const std::string& isa) {
  const ContractionParameters by = ParametersOf(contraction, isa, kManyRows);
  return {BuildPacked(contraction, by), TraceOf(by, kManyRows)};
}

/*! \brief Whether the right operand's elements of neighbouring columns are neighbours. */
bool IsSideBySide(const Contraction& contraction) {
  bool is_side_by_side = true;
  tschema::Walk(contraction.rhs, [&](const tir::BufferLoadNode* load) {
    const tir::VarNode* column = contraction.column->loop_var.get();
    is_side_by_side = is_side_by_side && AreNeighbours(load->indices, column);
  });
  return is_side_by_side;
}

Scheduled InPlace(const Contraction& contraction, const std::string& isa) {
  const char* shape = IsSideBySide(contraction) ? kFewRows : kFewRowsApart;
  const ContractionParameters by = ParametersOf(contraction, isa, shape);
  return {BuildInPlace(contraction, by), TraceOf(by, shape)};
}

/*! \brief Both ways, one of which is taken when the number of rows is known. */
Scheduled Either(const Contraction& contraction, const PrimExpr& rows, int64_t few,
                 const std::string& isa) {
  const Scheduled many = Packed(contraction, isa);
  Scheduled in_place = InPlace(contraction, isa);
  const PrimExpr is_many = rows > few;
  return {tir::IfThenElse(is_many, many.stmt, transform::RenewBindings(in_place.stmt),
                          contraction.nest.store->span),
          many.trace + "; or " + in_place.trace};
}

std::optional<Scheduled> Schedule(const LoopNest& nest, BlockKind kind, const std::string& isa) {
  if (kind != BlockKind::kContraction && kind != BlockKind::kWindow) return std::nullopt;
  const std::optional<Contraction> contraction = MatchContraction(nest);
  if (!contraction) return std::nullopt;
  const PrimExpr rows = RowsOf(*contraction);
  const int64_t few = Parameter({"contraction", isa, nest.store->buffer->dtype, kFewRows}, "rows");
  const std::optional<int64_t> known = tir::IntConstOf(rows);
  if (!known) return Either(*contraction, rows, few, isa);
  return *known <= few ? InPlace(*contraction, isa) : Packed(*contraction, isa);
}

}  // namespace

transform::Pass ScheduleContraction(ffi::String isa) {
  return MakeRecipePass(Schedule, isa, "ScheduleContraction");
}

}  // namespace uir::schedule
