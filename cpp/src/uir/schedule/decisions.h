/*!
 * \file decisions.h
 * \brief What a recipe decides for the nests of one function: by itself, or as a trace says.
 *
 * Every recipe decides by this class, so that what it chose stands in the attribute
 * `schedule_trace`, and `ReplaySchedule` can make it choose the same again. A recipe for one nest
 * at a time is a `Recipe` (classify.h), which does so; a pass over several nests at once does
 *
 *     Decisions decisions("ScheduleRow", func);
 *     ... for each nest, in order:
 *       const auto choices = decisions.For(name, [&] { return ... });
 *       if (choices) ... build what they say, and nothing else ...
 *     return decisions.Finish(std::move(func), std::move(body));
 *
 * What it builds depends on the nest and the choices only, not on the machine or the table.
 */
#ifndef UIR_SCHEDULE_DECISIONS_H_
#define UIR_SCHEDULE_DECISIONS_H_

#include <tvm/ffi/container/array.h>
#include <uir/tir/function.h>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "./trace.h"

namespace uir::schedule {

namespace ffi = ::tvm::ffi;

/*! \brief The attribute of a function whose nests are scheduled as lines of a trace say. */
inline constexpr const char* kReplay = "schedule_replay";

class Decisions {
 public:
  /*!
   * \param recipe The name of the pass, which begins the lines of the trace.
   * \param func The function.
   */
  Decisions(std::string recipe, const tir::PrimFunc& func);

  /*!
   * \brief The choices for the next nest; none if it stays.
   * \param nest The name of the nest.
   * \param choose Chooses, where there is no trace to replay.
   */
  std::optional<Choices> For(const std::string& nest,
                             const std::function<std::optional<Choices>()>& choose);

  /*!
   * \brief The function with another body, and with the choices in its trace.
   * \throws ValueError if a line of the trace to replay is about a nest that there is not.
   */
  tir::PrimFunc Finish(tir::PrimFunc func, tir::Stmt body);

 private:
  /*! \brief The name of the next nest, which no other nest of the function has. */
  std::string UniqueName(const std::string& nest);
  std::optional<Choices> Replayed(const std::string& nest) const;

  std::string recipe_;
  bool is_replay_ = false;
  std::map<std::string, int> counts_;
  /*! \brief The lines to replay, of this recipe and of others. */
  std::vector<TraceLine> mine_;
  ffi::Array<ffi::String> others_;
  ffi::Array<ffi::String> trace_;
};

/*! \brief The lines of an attribute of a function; none if it has no such attribute. */
std::optional<ffi::Array<ffi::String>> LinesOf(const tir::PrimFunc& func, const char* attribute);

/*! \brief A function with other values of some attributes; of null, without them. */
tir::PrimFunc WithAttributes(tir::PrimFunc func, ffi::Map<ffi::String, ffi::Any> attributes);

}  // namespace uir::schedule

#endif  // UIR_SCHEDULE_DECISIONS_H_
