/*!
 * \file sharing.h
 * \brief Limits the length of a text by the number of its objects.
 *
 * A node with several users prints at each of them, because passes share index expressions freely.
 * The text of a graph can be exponential in its nodes (`x = x + x` sixty times).  Printing stops
 * when the text gets too long; a measuring round then prints each node once to find the shared
 * ones, and the next round declares these first: `shared = ir.shared(...)`.
 */
#ifndef UIR_SCRIPT_PRINT_SHARING_H_
#define UIR_SCRIPT_PRINT_SHARING_H_

#include <uir/script/printer.h>

#include "./printer_state.h"

namespace uir::script {

/*! \brief Shorter texts never declare shared nodes, in bytes. */
inline constexpr size_t kShortText = size_t{1} << 16;

/*! \brief Add the shared nodes that a measuring round found to the plan, if that shortens the text.
 */
void ShareParts(const Measure& measure, size_t length, Plan* plan);

/*! \brief Whether an object is declared before the text and printed by its name. */
inline bool IsNamed(const PrinterState& state, const ffi::Object* object) {
  const Plan& plan = *state.plan;
  return !plan.declared.empty() && plan.declared.count(object) != 0;
}

/*! \brief Whether this is a measuring round, whose text is discarded. */
inline bool IsMeasuring(const PrinterState& state) { return state.measure != nullptr; }

template <typename WriteBody>
void Printer::WritePart(const ffi::Object* object, size_t begin, WriteBody write) {
  if (__builtin_expect(out_.size() >= state_->limit, 0) && !EnterPart(object)) return;
  write();
  if (__builtin_expect(state_->measure != nullptr, 0)) return LeaveMeasured(object, begin);
  NoteExtent(object, begin, out_.size());
}

}  // namespace uir::script

#endif  // UIR_SCRIPT_PRINT_SHARING_H_
