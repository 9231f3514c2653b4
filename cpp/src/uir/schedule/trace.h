/*!
 * \file trace.h
 * \brief The lines of the attribute `schedule_trace`: what recipes chose for the nests of a
 * function, with all parameters, so that the same choices can be applied again.
 *
 *     ScheduleContraction: c: many_rows(rows=8, vectors=2, ...); few_rows(rows=3, ...)
 *
 * is the name of a recipe's pass, the name of a nest, and one choice or several, of which the
 * function takes one when it runs. A choice is a word of the recipe and numbers by name, or
 * `list(tile("i", 8), ...)`, primitives in the form of Python's calls. The name
 * of a nest is that of the buffer that it stores to; the second nest of this name that a recipe is
 * asked about is `c#2`.
 */
#ifndef UIR_SCHEDULE_TRACE_H_
#define UIR_SCHEDULE_TRACE_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace uir::schedule {

/*! \brief The attribute of a function that lists its lines. */
inline constexpr const char* kTrace = "schedule_trace";

/*! \brief The way of a nest whose loops a list of primitives gives. */
inline constexpr const char* kList = "list";

/*! \brief One way to run a nest. */
struct Choice {
  std::string way;
  std::vector<std::pair<std::string, int64_t>> parameters;
  /*! \brief The primitives of a list (nest/list_text.h). */
  std::vector<std::string> steps = {};

  /*!
   * \brief The value of a parameter.
   * \throws ValueError if there is none of this name, as in a trace that was edited.
   */
  int64_t operator[](const char* name) const;
};

using Choices = std::vector<Choice>;

struct TraceLine {
  /*! \brief The name of the recipe's pass. */
  std::string recipe;
  std::string nest;
  Choices choices;
};

/*! \brief The line as text, which `ParseTraceLine` reads. */
std::string PrintTraceLine(const TraceLine& line);

/*!
 * \brief Read a line.
 * \throws ValueError if the text is not a line, or a number is out of the range of its parameter.
 */
TraceLine ParseTraceLine(const std::string& text);

}  // namespace uir::schedule

#endif  // UIR_SCHEDULE_TRACE_H_
