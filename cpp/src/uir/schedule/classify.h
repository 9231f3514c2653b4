/*!
 * \file classify.h
 * \brief The kinds of loop nests, as `ClassifyBlocks` notes them, and recipes for a kind.
 *
 * A recipe first makes a choice, which depends on the machine and the table, and then applies it,
 * which depends only on the choice. A trace records the choice (trace.h), so that `ReplaySchedule`
 * can apply it on another machine, or after the table changed.
 */
#ifndef UIR_SCHEDULE_CLASSIFY_H_
#define UIR_SCHEDULE_CLASSIFY_H_

#include <uir/schedule/passes.h>
#include <uir/tir/function.h>

#include <functional>
#include <optional>
#include <string>

#include "./decisions.h"
#include "./loop_nest.h"
#include "./parameters.h"

namespace uir::schedule {

/*! \brief The annotation of a nest's outermost loop. */
inline constexpr const char* kBlockKind = "block_kind";
/*! \brief The annotation of a nest that a user scheduled, which recipes leave as it is. */
inline constexpr const char* kByHand = "scheduled_by_hand";

/*! \brief The kind that a nest was noted to be. */
std::optional<BlockKind> NotedKind(const tir::For& outermost);

/*! \brief Whether a loop was noted not to be a nest, so that its body may contain nests. */
bool MayHaveNestsInside(const tir::For& loop);

/*! \brief The instruction set that a function is for: that of its attribute `isa`, or another. */
std::string InstructionSetOf(const tir::PrimFunc& func, const std::string& by_default);

/*! \brief A recipe for nests of a kind. */
struct Recipe {
  /*! \brief The name of the pass, which begins the lines of the trace. */
  const char* name;
  /*! \brief What to do with a nest, with all parameters; none if it stays. */
  std::function<std::optional<Choices>(const LoopNest&, BlockKind, const ParameterTable&)> choose;
  /*!
   * \brief The nest after these choices, which may come from a trace.
   *
   * None if they cannot be applied to the nest.
   */
  std::function<std::optional<tir::Stmt>(const LoopNest&, const Choices&)> apply;
  /*! \brief Whether it builds epilogues; others do not see nests that have one. */
  bool takes_epilogues = false;
};

/*!
 * \brief Schedule the noted nests of a function whose buffers do not overlap.
 * \param func The function; one whose buffers may overlap is returned unchanged.
 * \param recipe The recipe to apply.
 * \param isa The instruction set, unless the function's attribute `isa` overrides it.
 * \param tuned Rows of the user.
 * \throws ValueError if a trace is replayed that does not fit the function.
 */
tir::PrimFunc ScheduleNests(tir::PrimFunc func, const Recipe& recipe, const std::string& isa,
                            const TunedRows& tuned);

/*!
 * \brief Make a pass that schedules the nests of each function.
 * \param recipe The recipe to apply.
 * \param isa The instruction set of functions without the attribute `isa`.
 * \throws ValueError if there is no such instruction set.
 */
transform::Pass MakeRecipePass(Recipe recipe, const ffi::String& isa);

}  // namespace uir::schedule

#endif  // UIR_SCHEDULE_CLASSIFY_H_
