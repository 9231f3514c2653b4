/*!
 * \file classify.h
 * \brief The kinds of loop nests, as `ClassifyBlocks` notes them.
 */
#ifndef UIR_SCHEDULE_CLASSIFY_H_
#define UIR_SCHEDULE_CLASSIFY_H_

#include <uir/schedule/passes.h>
#include <uir/tir/function.h>

#include <functional>

#include "./loop_nest.h"

namespace uir::schedule {

/*! \brief The annotation of a nest's outermost loop. */
inline constexpr const char* kBlockKind = "block_kind";

/*! \brief The kind that a nest was noted to be. */
std::optional<BlockKind> NotedKind(const tir::For& outermost);

/*! \brief A scheduled nest, and the line of the trace that says how. */
struct Scheduled {
  tir::Stmt stmt;
  std::string trace;
};

/*! \brief What a nest of a kind becomes; none if it stays. */
using Recipe = std::function<std::optional<Scheduled>(const LoopNest&, BlockKind)>;

/*!
 * \brief Schedule the noted nests of a function whose buffers do not overlap.
 * \param func The function; another one stays as it is.
 * \param recipe What the nests become.
 * \param name The name of the pass, which begins the lines of the trace.
 */
tir::PrimFunc ScheduleNests(tir::PrimFunc func, const Recipe& recipe, const char* name);

/*! \brief What a nest of a kind becomes on processors with an instruction set. */
using IsaRecipe =
    std::function<std::optional<Scheduled>(const LoopNest&, BlockKind, const std::string& isa)>;

/*!
 * \brief Make a pass that schedules the nests of each function.
 * \param recipe What the nests become.
 * \param isa The instruction set of functions without the attribute `isa`.
 * \param name The name of the pass.
 * \throws ValueError if there is no such instruction set.
 */
transform::Pass MakeRecipePass(IsaRecipe recipe, const ffi::String& isa, const char* name);

}  // namespace uir::schedule

#endif  // UIR_SCHEDULE_CLASSIFY_H_
