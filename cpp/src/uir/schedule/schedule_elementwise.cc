// Elementwise nests: one loop where all buffers are alike, else few; vectors along the innermost.
#include <tschema/walk.h>
#include <uir/ir/dtype.h>
#include <uir/tir/op.h>

#include <algorithm>
#include <utility>

#include "./classify.h"
#include "./flat_nest.h"
#include "./linear_form.h"
#include "./list_recipe.h"
#include "./merged_loops.h"
#include "./nest/from_loops.h"
#include "./nest/lower.h"
#include "./nest/recipes.h"
#include "./padding.h"
#include "./work.h"

namespace uir::schedule {

namespace {

using ir::PrimExpr;

constexpr const char* kPadding = "padding";

/*! \brief The bits that a number is computed with; `float32` computes narrower ones. */
int ComputedBits(DLDataType dtype) {
  return ir::IsFloat(dtype) ? std::max<int>(dtype.bits, 32) : dtype.bits;
}

/*! \brief Whether a loop reads each second element, or elements in reverse order: lanes of
 * contiguous vectors. */
bool AreShuffled(const tir::BufferLoadNode* load, const tir::Var& var) {
  const ffi::Array<PrimExpr>& indices = load->indices;
  if (indices.empty() || load->dtype.bits < 32) return false;
  for (size_t i = 0; i + 1 < indices.size(); ++i) {
    if (VarsOf(indices[static_cast<int64_t>(i)]).count(var.get()) != 0) return false;
  }
  const std::optional<LinearForm> form = LinearIn(indices.back(), var);
  return form && (form->factor == 2 || form->factor == -1);
}

/*! \brief The bits of the widest number that a nest computes with, if all lie side by side. */
std::optional<int> WidestNeighbours(const LoopNest& nest, const tir::Var& loop_var) {
  const tir::VarNode* var = loop_var.get();
  if (!nest.store->indices.back().get() || nest.store->indices.back().get() != var) {
    return std::nullopt;
  }
  int bits = ComputedBits(nest.store->buffer->dtype);
  bool are_neighbours = true;
  tschema::Walk(nest.store->value, [&](const tir::BufferLoadNode* load) {
    const bool is_simple = ir::IsScalar(load->dtype) && !load->predicate.has_value();
    are_neighbours = are_neighbours && is_simple &&
                     (AreNeighbours(load->indices, var) || AreShuffled(load, loop_var));
    bits = std::max(bits, ComputedBits(load->dtype));
  });
  return are_neighbours ? std::optional<int>(bits) : std::nullopt;
}

tir::ForKind OutermostKind(const Choice& choice) {
  return choice["parallel"] != 0 ? tir::ForKind::kParallel : tir::ForKind::kSerial;
}

/*! \brief A nest as one loop, or with as few as its buffers permit: a channel has one summand. */
std::optional<FlatNest> FlatOf(const LoopNest& nest) {
  if (nest.spatial.size() < 2) return std::nullopt;
  if (std::optional<FlatNest> flat = Flatten(nest)) return flat;
  MergedNest merged = MergeLoops(nest);
  const size_t count = merged.nest.spatial.size();
  if (count == 0 || count == nest.spatial.size()) return std::nullopt;
  return FlatNest{std::move(merged.nest), std::move(merged.views)};
}

std::optional<Choices> ChooseElementwise(const LoopNest& nest, BlockKind kind,
                                         const ParameterTable& table) {
  if (kind != BlockKind::kElementwise) return std::nullopt;
  const std::optional<FlatNest> flat = FlatOf(nest);
  const LoopNest& loops = flat ? flat->nest : nest;
  const std::optional<int> bits = WidestNeighbours(loops, loops.spatial.back()->loop_var);
  const ParameterKey key = {"elementwise", nest.store->buffer->dtype, "any"};
  const bool is_large = WorkOf(nest) >= table.Get(key, "parallel_work");
  if (!bits) {
    if (!MatchPadding(nest)) return std::nullopt;
    const int lanes = table.Lanes(nest.store->buffer->dtype);
    return Choices{{kPadding, {{"lanes", lanes}, {"parallel", is_large}}}};
  }
  const int lanes = table.Lanes(ir::IntType(std::max(*bits, 8)));
  return Choices{{"vectors", {{"lanes", lanes}, {"flat", flat ? 1 : 0}, {"parallel", is_large}}}};
}

std::optional<tir::Stmt> ApplyPadding(const LoopNest& nest, const Choice& choice) {
  const std::optional<Padding> padding = MatchPadding(nest);
  if (!padding) return std::nullopt;
  return BuildPadding(nest, *padding, static_cast<int>(choice["lanes"]), OutermostKind(choice));
}

std::optional<tir::Stmt> ApplyElementwise(const LoopNest& nest, const Choices& choices) {
  if (choices.size() != 1) return std::nullopt;
  const Choice& choice = choices[0];
  if (choice.way == kPadding) return ApplyPadding(nest, choice);
  if (choice.way != "vectors") return std::nullopt;
  std::optional<FlatNest> flat;
  if (choice["flat"] != 0 && !(flat = FlatOf(nest))) return std::nullopt;
  const LoopNest& loops = flat ? flat->nest : nest;
  if (!WidestNeighbours(loops, loops.spatial.back()->loop_var)) return std::nullopt;
  const tir::Stmt made = nest::Lower(nest::ByVectors(nest::NestOf(loops.spatial, loops.store),
                                                     choice["lanes"], OutermostKind(choice)));
  if (!flat) return made;
  ffi::Array<tir::Stmt> parts(flat->views.begin(), flat->views.end());
  parts.push_back(made);
  return tir::flatten_seq(std::move(parts));
}

}  // namespace

std::optional<ListRecipe> ElementwiseList(const LoopNest& nest, const ParameterTable& table) {
  const auto choices = ChooseElementwise(nest, BlockKind::kElementwise, table);
  if (!choices || (*choices)[0].way == kPadding) return std::nullopt;
  const auto finish = [choice = (*choices)[0]](nest::Nest begun) {
    return nest::ByVectors(std::move(begun), choice["lanes"], OutermostKind(choice));
  };
  ListRecipe recipe = {nest::NestOf(nest.spatial, nest.store), finish};
  if (const std::optional<FlatNest> flat = FlatOf(nest)) {
    recipe.flat = nest::NestOf(flat->nest.spatial, flat->nest.store);
    recipe.views = flat->views;
  }
  return recipe;
}

transform::Pass ScheduleElementwise(ffi::String isa) {
  return MakeRecipePass({"ScheduleElementwise", ChooseElementwise, ApplyElementwise}, isa);
}

}  // namespace uir::schedule
