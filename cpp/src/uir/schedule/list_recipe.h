/*!
 * \file list_recipe.h
 * \brief Recipes that are lists of primitives, which users may change.
 */
#ifndef UIR_SCHEDULE_LIST_RECIPE_H_
#define UIR_SCHEDULE_LIST_RECIPE_H_

#include <functional>
#include <optional>
#include <vector>

#include "./classify.h"
#include "./nest/nest.h"

namespace uir::schedule {

/*! \brief A nest without loops, and the recipe for it. */
struct ListRecipe {
  nest::Nest bare;
  /*! \brief Adds the loops of the recipe inside of those of a user. */
  std::function<nest::Nest(nest::Nest)> finish;
  /*! \brief The nest that `flatten()` makes. */
  std::optional<nest::Nest> flat = std::nullopt;
  /*! \brief The views of buffers that it uses, or the bare nest if there is no flat one. */
  std::vector<tir::DeclBuffer> views = {};
};

/*! \brief The list for a contraction; of a symbolic number of rows, that for many rows. */
std::optional<ListRecipe> ContractionList(const LoopNest& nest, const ParameterTable& table);

/*! \brief The list for a window; none if its recipe is not a list. */
std::optional<ListRecipe> WindowList(const LoopNest& nest, const ParameterTable& table);

/*! \brief The list for an elementwise nest that runs by vectors. */
std::optional<ListRecipe> ElementwiseList(const LoopNest& nest, const ParameterTable& table);

}  // namespace uir::schedule

#endif  // UIR_SCHEDULE_LIST_RECIPE_H_
