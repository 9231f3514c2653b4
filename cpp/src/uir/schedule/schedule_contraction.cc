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
#include "./list_recipe.h"
#include "./nest/byte_products.h"
#include "./nest/from_loops.h"
#include "./nest/lower.h"
#include "./nest/recipes.h"
#include "./work.h"

namespace uir::schedule {

namespace {

using ir::PrimExpr;
using nest::ContractionParameters;

constexpr const char* kManyRows = "many_rows";
constexpr const char* kFewRowsParameter = "few_rows";
constexpr const char* kFewRowsApart = "few_rows_apart";
/*! \brief The same of right operands that lie in panels. */
constexpr const char* kManyRowsInPanels = "many_rows_in_panels";
constexpr const char* kFewRowsInPanels = "few_rows_in_panels";

/*! \brief The length of blocks of sums by which no sum is split. */
constexpr int64_t kWholeSum = int64_t{1} << 20;

/*! \brief The number of rows, of all loops over them. */
PrimExpr RowExtentOf(const Contraction& contraction) {
  PrimExpr rows = tir::make_const(1, contraction.column->extent->dtype);
  for (const tir::For& loop : contraction.rows) rows = rows * loop->extent;
  return rows;
}

/*! \brief Choose blocks of which threads share several each, of columns or of rows. */
void ShareBlocks(const Contraction& contraction, int64_t groups, ContractionParameters* by) {
  const auto per_block = [](int64_t count) { return (count + kBusyParts - 1) / kBusyParts; };
  const int64_t width = by->vectors * by->lanes;
  const int64_t panels = tir::IntConstOf(contraction.column->extent).value_or(0) / width;
  // Twice as many rows as a block has are one block rather than a block and a short rest.
  const int64_t rows = groups * by->rows;
  const bool is_one_block = rows <= std::max(2 * by->row_block, by->rows);
  if (contraction.panel_width && is_one_block && panels >= kBusyParts) {
    // All rows read a panel while it is in the cache.
    by->row_block = rows;
    by->column_block = per_block(panels) * width;
  } else {
    by->row_block = std::min(by->row_block, per_block(groups) * by->rows);
  }
}

ContractionParameters ParametersOf(const Contraction& contraction, const ParameterTable& table,
                                   const char* shape) {
  const DLDataType dtype = contraction.nest.store->buffer->dtype;
  const ParameterKey key = {"contraction", dtype, shape};
  // Columns that do not lie side by side are scalars, of which several are added up at once.
  const int lanes = shape == kFewRowsApart ? 1 : table.Lanes(dtype);
  const bool is_parallel = WorkOf(contraction.nest) >= table.Get(key, "parallel_work");
  ContractionParameters made{table.Get(key, "rows"),
                             table.Get(key, "vectors"),
                             lanes,
                             table.Get(key, "sum_block"),
                             table.Get(key, "row_block"),
                             table.Get(key, "column_block"),
                             is_parallel};
  const auto columns = tir::IntConstOf(contraction.column->extent);
  const auto rows = tir::IntConstOf(RowExtentOf(contraction));
  if (columns) {
    // Narrow results need no more vectors than hold a row.
    const int64_t needed = std::max<int64_t>((*columns + lanes - 1) / lanes, 1);
    made.vectors = EvenVectors(needed, made.vectors);
    // Registers that hold the whole result need no parts of the sum.
    if (shape == kFewRowsParameter && rows && *rows * needed <= table.Get(key, "whole_vectors")) {
      made.vectors = needed;
      made.sum_block = kWholeSum;
    }
  }
  // Equal groups of rows are faster than whole ones and a small rest.
  if (rows && *rows > 0) {
    const int64_t groups = (*rows + made.rows - 1) / made.rows;
    made.rows = (*rows + groups - 1) / groups;
    if (is_parallel) ShareBlocks(contraction, groups, &made);
  }
  return made;
}

Choice ChoiceOf(const char* way, const ContractionParameters& by) {
  return {way,
          {{"rows", by.rows},
           {"vectors", by.vectors},
           {"lanes", by.lanes},
           {"sum_block", by.sum_block},
           {"row_block", by.row_block},
           {"column_block", by.column_block},
           {"parallel", by.is_parallel}}};
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

Choice ManyRows(const Contraction& contraction, const ParameterTable& table) {
  const char* way = contraction.panel_width ? kManyRowsInPanels : kManyRows;
  return ChoiceOf(way, ParametersOf(contraction, table, kManyRows));
}

Choice FewRows(const Contraction& contraction, const ParameterTable& table) {
  if (contraction.panel_width) {
    ContractionParameters by = ParametersOf(contraction, table, kFewRowsParameter);
    by.sum_block = kWholeSum;
    return ChoiceOf(kFewRowsInPanels, by);
  }
  const char* way = IsSideBySide(contraction) ? kFewRowsParameter : kFewRowsApart;
  return ChoiceOf(way, ParametersOf(contraction, table, way));
}

/*! \brief A contraction, and the views through which it reads words. */
struct Viewed {
  Contraction contraction;
  std::vector<tir::DeclBuffer> views = {};
};

std::optional<Viewed> MatchViewed(const LoopNest& nest) {
  std::optional<Contraction> found = MatchContraction(nest);
  if (!found) return std::nullopt;
  Viewed viewed{*std::move(found)};
  if (!nest::ReadsWords(viewed.contraction)) return viewed;
  viewed.views.push_back(nest::ReadWordsInLine(&viewed.contraction));
  return viewed;
}

std::optional<Choices> ChooseContraction(const LoopNest& nest, BlockKind kind,
                                         const ParameterTable& table) {
  if (kind != BlockKind::kContraction && kind != BlockKind::kWindow) return std::nullopt;
  const std::optional<Viewed> viewed = MatchViewed(nest);
  if (!viewed) return std::nullopt;
  const Contraction* contraction = &viewed->contraction;
  const Choice many = ManyRows(*contraction, table), few = FewRows(*contraction, table);
  const std::optional<int64_t> known = tir::IntConstOf(RowExtentOf(*contraction));
  // Both ways, one of which is taken when the number of rows is known.
  if (!known) return Choices{many, few};
  const ParameterKey key = {"contraction", nest.store->buffer->dtype, kFewRowsParameter};
  return Choices{*known <= table.Get(key, "rows") ? few : many};
}

bool IsInPanels(const Choice& choice) {
  return choice.way == kManyRowsInPanels || choice.way == kFewRowsInPanels;
}

nest::Nest BareContraction(const Contraction& contraction) {
  return nest::NestOf(contraction, contraction.outer);
}

/*! \brief A nest with the loops of a choice, inside of those that it has. */
nest::Nest WithContractionLoops(nest::Nest nest, const nest::Roles& roles, const Choice& choice) {
  const ContractionParameters by = {
      choice["rows"],         choice["vectors"],   static_cast<int>(choice["lanes"]),
      choice["sum_block"],    choice["row_block"], choice["column_block"],
      choice["parallel"] != 0};
  const bool is_packed = choice.way == kManyRows || IsInPanels(choice);
  return is_packed ? nest::Packed(std::move(nest), roles, by)
                   : nest::InPlace(std::move(nest), roles, by);
}

tir::Stmt Build(const Contraction& contraction, const Choice& choice) {
  return nest::Lower(
      WithContractionLoops(BareContraction(contraction), nest::RolesOf(contraction), choice));
}

bool FitsContraction(const Choice& choice, const Contraction& contraction) {
  if (contraction.panel_width) {
    return IsInPanels(choice) && *contraction.panel_width % choice["lanes"] == 0;
  }
  return choice.way == kManyRows || choice.way == kFewRowsParameter || choice.way == kFewRowsApart;
}

std::optional<tir::Stmt> ApplyContraction(const LoopNest& nest, const Choices& choices) {
  const std::optional<Viewed> viewed = MatchViewed(nest);
  if (!viewed) return std::nullopt;
  const Contraction& contraction = viewed->contraction;
  const auto fits = [&](const Choice& choice) { return FitsContraction(choice, contraction); };
  if (!std::all_of(choices.begin(), choices.end(), fits)) return std::nullopt;
  if (choices.size() == 1) {
    ffi::Array<tir::Stmt> parts(viewed->views.begin(), viewed->views.end());
    parts.push_back(Build(contraction, choices[0]));
    return tir::flatten_seq(std::move(parts));
  }
  if (choices.size() != 2 || (choices[0].way != kManyRows && choices[0].way != kManyRowsInPanels)) {
    return std::nullopt;
  }

  const PrimExpr is_many = RowExtentOf(contraction) > choices[1]["rows"];
  const tir::Stmt many = Build(contraction, choices[0]);
  return tir::IfThenElse(is_many, many, transform::RenewBindings(Build(contraction, choices[1])),
                         nest.store->span);
}

}  // namespace

std::optional<ListRecipe> ContractionList(const LoopNest& nest, const ParameterTable& table) {
  const auto choices = ChooseContraction(nest, BlockKind::kContraction, table);
  if (!choices) return std::nullopt;
  const Viewed viewed = *MatchViewed(nest);
  const auto finish = [roles = nest::RolesOf(viewed.contraction),
                       choice = (*choices)[0]](nest::Nest begun) {
    return WithContractionLoops(std::move(begun), roles, choice);
  };
  return ListRecipe{BareContraction(viewed.contraction), finish, std::nullopt, viewed.views};
}

transform::Pass ScheduleContraction(ffi::String isa) {
  return MakeRecipePass({"ScheduleContraction", ChooseContraction, ApplyContraction, true}, isa);
}

}  // namespace uir::schedule
