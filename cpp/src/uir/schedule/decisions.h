/*!
 * \file decisions.h
 * \brief The choices of a recipe for the nests of one function: its own, or those of a trace.
 *
 * Every recipe makes its choices by this class, which records them in the attribute
 * `schedule_trace`, so that `ReplaySchedule` can repeat them. A recipe for one nest at a time is a
 * `Recipe` (classify.h), which uses this class; a pass over several nests at once writes
 *
 *     Decisions decisions("ScheduleRow", func);
 *     ... for each nest, in order:
 *       const auto choices = decisions.For(name, [&] { return ... });
 *       if (choices) ... apply only these choices ...
 *     return decisions.Finish(std::move(func), std::move(body));
 *
 * The result depends only on the nest and the choices, not on the machine or the table.
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

/*! \brief The attribute with the lines of a trace by which a function's nests are scheduled. */
inline constexpr const char* kReplay = "schedule_replay";

/*! \brief Tells nests of one name apart: the second `c` is `c#2`. */
class UniqueNames {
 public:
  std::string Of(const std::string& name);
  bool Has(const std::string& name) const { return counts_.count(name) != 0; }
  /*! \brief The names without their numbers. */
  std::vector<std::string> Known() const;

 private:
  std::map<std::string, int> counts_;
};

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
   * \param choose Makes the choices if there is no trace to replay.
   */
  std::optional<Choices> For(const std::string& nest,
                             const std::function<std::optional<Choices>()>& choose);

  /*!
   * \brief The function with another body, and with the choices in its trace.
   * \throws ValueError if a line of the trace to replay names a nest that does not exist.
   */
  tir::PrimFunc Finish(tir::PrimFunc func, tir::Stmt body);

 private:
  std::optional<Choices> Replayed(const std::string& nest) const;

  std::string recipe_;
  bool is_replay_ = false;
  UniqueNames names_;
  /*! \brief The lines to replay, of this recipe and of others. */
  std::vector<TraceLine> mine_;
  ffi::Array<ffi::String> others_;
  ffi::Array<ffi::String> trace_;
};

/*! \brief The lines of an attribute of a function; none if it has no such attribute. */
std::optional<ffi::Array<ffi::String>> LinesOf(const tir::PrimFunc& func, const char* attribute);

/*! \brief A function with other values of some attributes; a null value removes the attribute. */
tir::PrimFunc WithAttributes(tir::PrimFunc func, ffi::Map<ffi::String, ffi::Any> attributes);

}  // namespace uir::schedule

#endif  // UIR_SCHEDULE_DECISIONS_H_
