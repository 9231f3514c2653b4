// Loops by lists of primitives: those of recipes as text, and those of users in their place.
#include <tvm/ffi/error.h>
#include <uir/ir/near_names.h>
#include <uir/schedule/lists.h>
#include <uir/schedule/options.h>
#include <uir/tir/no_alias.h>
#include <uir/transform/pass.h>
#include <uir/transform/pass_config.h>

#include <string>
#include <utility>
#include <vector>

#include "./list_recipe.h"
#include "./nest/list_check.h"
#include "./nest/list_text.h"
#include "./nest/lower.h"
#include "./nest/recipes.h"

namespace uir::schedule {

namespace {

using Steps = ffi::Array<ffi::String>;
using Lists = ffi::Map<ffi::String, Steps>;

/*! \brief The attribute of a function with the lists of its nests. */
constexpr const char* kLists = "schedule_lists";
constexpr const char* kPassName = "ScheduleByLists";
/*! \brief The first primitive of a nest whose buffers have fewer dimensions. */
constexpr const char* kFlatten = "flatten()";

std::optional<ListRecipe> ListRecipeOf(const LoopNest& nest, BlockKind kind,
                                       const ParameterTable& table) {
  if (kind == BlockKind::kWindow) return WindowList(nest, table);
  if (kind == BlockKind::kContraction) return ContractionList(nest, table);
  if (kind == BlockKind::kElementwise) return ElementwiseList(nest, table);
  return std::nullopt;
}

/*! \brief A nest with loops, and whether its buffers have fewer dimensions. */
struct Listed {
  nest::Nest nest;
  bool is_flat = false;
};

std::vector<std::string> PrintListed(const Listed& listed) {
  std::vector<std::string> steps = nest::PrintList(listed.nest);
  if (listed.is_flat) steps.insert(steps.begin(), kFlatten);
  return steps;
}

/*! \brief The list of the recipe. */
Listed OwnList(const ListRecipe& recipe) {
  return {recipe.finish(recipe.flat.value_or(recipe.bare)), recipe.flat.has_value()};
}

/*! \brief Apply primitives, in their order.
 * \throws ValueError if one of them is refused; the message has its number. */
Listed WithSteps(const ListRecipe& recipe, const std::string& name,
                 const std::vector<std::string>& steps) {
  Listed listed = {recipe.bare};
  for (size_t i = 0; i < steps.size(); ++i) {
    try {
      const bool is_flatten = steps[i] == kFlatten;
      if (is_flatten && (i != 0 || !recipe.flat)) {
        TVM_FFI_THROW(ValueError) << "`flatten()` is the first step of a nest that has a form with "
                                     "fewer dimensions";
      }
      listed = is_flatten ? Listed{*recipe.flat, true}
                          : Listed{nest::ApplyStep(listed.nest, steps[i]), listed.is_flat};
    } catch (const ffi::Error& error) {
      TVM_FFI_THROW(ValueError) << "step " << i + 1 << " of the list of `" << name << "`, `"
                                << steps[i] << "`: " << error.message();
    }
  }
  return listed;
}

/*! \brief Add the loops that a list leaves to the recipe.
 * \throws ValueError if the recipe cannot add them. */
Listed Finished(const ListRecipe& recipe, const std::string& name, Listed listed) {
  std::optional<std::string> reason;
  try {
    if (!listed.nest.around_registers) listed.nest = recipe.finish(std::move(listed.nest));
    listed.nest = nest::WithNeededCopies(listed.nest);
    reason = nest::WhyWrong(listed.nest);
  } catch (const ffi::Error& error) {
    reason = error.message();
  }
  if (!reason) reason = nest::WhyIncomplete(listed.nest);
  if (reason) TVM_FFI_THROW(ValueError) << "the list of `" << name << "`: " << *reason;
  return listed;
}

Lists ListsOf(const tir::PrimFunc& func) {
  const auto lists = func->GetAttr(kLists).as<Lists>();
  return lists ? *lists : Lists();
}

/*! \brief Chooses the lists of a function for its nests. */
class ListChooser {
 public:
  explicit ListChooser(Lists lists) : lists_(std::move(lists)) {}

  std::optional<Choices> Choose(const LoopNest& nest, BlockKind kind, const ParameterTable& table) {
    const std::string name = names_.Of(NameOf(nest));
    const auto steps = lists_.Get(name);
    if (!steps) return std::nullopt;
    ++num_used_;
    const std::optional<ListRecipe> recipe = ListRecipeOf(nest, kind, table);
    if (!recipe) {
      TVM_FFI_THROW(ValueError) << "the recipe for the nest `" << name << "` is not a list";
    }
    const std::vector<std::string> lines(steps->begin(), steps->end());
    Choice choice = {kList, {}};
    choice.steps = PrintListed(Finished(*recipe, name, WithSteps(*recipe, name, lines)));
    return Choices{std::move(choice)};
  }

  /*! \throws ValueError if there is a list for a nest that the function does not have. */
  void CheckAllUsed() const {
    if (num_used_ == lists_.size()) return;
    const std::vector<std::string> known = names_.Known();
    for (const auto& [name, steps] : lists_) {
      const std::string base = std::string(name).substr(0, std::string(name).rfind('#'));
      if (names_.Has(name) || names_.Has(base)) continue;
      TVM_FFI_THROW(ValueError) << "there is a list for `" << name
                                << "`, but the function has no such nest"
                                << ir::DidYouMean(std::string(name), known);
    }
    TVM_FFI_THROW(ValueError) << "there are " << lists_.size() << " lists, but only " << num_used_
                              << " nests for them";
  }

 private:
  Lists lists_;
  UniqueNames names_;
  size_t num_used_ = 0;
};

std::optional<tir::Stmt> ApplyList(const LoopNest& nest, const Choices& choices) {
  if (choices.size() != 1 || choices[0].way != kList) return std::nullopt;
  // Only the table's choices depend on the machine, and a list has no more.
  const ParameterTable table("generic");
  const std::string name = NameOf(nest);
  const auto kinds = {BlockKind::kWindow, BlockKind::kContraction, BlockKind::kElementwise};
  std::optional<ListRecipe> recipe;
  for (const BlockKind kind : kinds) {
    if (!recipe) recipe = ListRecipeOf(nest, kind, table);
  }
  if (!recipe) return std::nullopt;
  const Listed listed = WithSteps(*recipe, name, choices[0].steps);
  if (const auto reason = nest::WhyIncomplete(listed.nest)) {
    TVM_FFI_THROW(ValueError) << "the list of `" << name << "`: " << *reason;
  }
  const tir::Stmt made = nest::Lower(listed.nest);
  if (recipe->flat && !listed.is_flat) return made;
  ffi::Array<tir::Stmt> parts(recipe->views.begin(), recipe->views.end());
  parts.push_back(made);
  return tir::flatten_seq(std::move(parts));
}

/*! \brief Schedule the nests of a function for which it has lists. */
tir::PrimFunc Scheduled(tir::PrimFunc func, const std::string& isa, const TunedRows& rows) {
  ListChooser chooser(ListsOf(func));
  const auto choose = [&](const LoopNest& nest, BlockKind kind, const ParameterTable& table) {
    return chooser.Choose(nest, kind, table);
  };
  const bool is_replay = LinesOf(func, kReplay).has_value();
  func = ScheduleNests(std::move(func), {kPassName, choose, ApplyList, true}, isa, rows);
  if (!is_replay) chooser.CheckAllUsed();
  return WithAttributes(std::move(func), {{kLists, nullptr}});
}

/*! \brief The function as `ScheduleByLists` finds it. */
tir::PrimFunc BeforeLists(const tir::PrimFunc& func) {
  if (!tir::HasNoAliases(func.get())) {
    TVM_FFI_THROW(ValueError) << "the function has no lists: its buffers may overlap, since it has "
                                 "no attribute `tir.noalias`";
  }
  const ir::GlobalVar main("main");
  ir::IRModule module({{main, func}});
  module = transform::run_pass(transform::Sequential({ClassifyBlocks(), FuseElementwise()}),
                               std::move(module));
  return module->functions.at(main).as<tir::PrimFunc>().value();
}

TunedRows RowsOfContext() {
  return transform::OptionsOf<ScheduleOptions>(transform::CurrentPassContext())->rows;
}

}  // namespace

Lists lists(tir::PrimFunc func, ffi::String isa) {
  Lists found;
  UniqueNames names;
  const auto collect = [&](const LoopNest& nest, BlockKind kind,
                           const ParameterTable& table) -> std::optional<Choices> {
    const std::string name = names.Of(NameOf(nest));
    const std::optional<ListRecipe> recipe = ListRecipeOf(nest, kind, table);
    if (!recipe) return std::nullopt;
    Steps steps;
    for (const std::string& step : PrintListed(OwnList(*recipe))) steps.push_back(step);
    found.Set(name, std::move(steps));
    return std::nullopt;
  };
  ScheduleNests(BeforeLists(func), {kPassName, collect, ApplyList, true},
                ResolveInstructionSet(isa), RowsOfContext());
  return found;
}

tir::PrimFunc with_lists(tir::PrimFunc func, Lists lists, ffi::String isa) {
  func = WithAttributes(std::move(func), {{kLists, lists}});
  Scheduled(BeforeLists(func), ResolveInstructionSet(isa), RowsOfContext());
  return func;
}

transform::Pass ScheduleByLists(ffi::String isa) {
  auto run = [isa = ResolveInstructionSet(isa)](tir::PrimFunc func, const ir::IRModule&,
                                                const transform::PassContext& context) {
    const bool has_lists = func->GetAttr(kLists) != nullptr || LinesOf(func, kReplay).has_value();
    if (!has_lists) return func;
    const auto options = transform::OptionsOf<ScheduleOptions>(context);
    return Scheduled(std::move(func), isa, options->rows);
  };
  return transform::MakePrimFuncPass(run, 0, kPassName);
}

}  // namespace uir::schedule
