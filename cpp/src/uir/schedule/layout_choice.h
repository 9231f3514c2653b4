/*!
 * \file layout_choice.h
 * \brief The choice of a layout for the tensors of a chain, as a line of a trace.
 *
 *     AlterLayout: channels: blocks(vectors=2, copy_terms=256)
 *     AlterLayout: channels: plain()
 */
#ifndef UIR_SCHEDULE_LAYOUT_CHOICE_H_
#define UIR_SCHEDULE_LAYOUT_CHOICE_H_

#include <tvm/ffi/container/array.h>
#include <tvm/ffi/string.h>

#include <cstdint>

namespace uir::schedule {

namespace ffi = ::tvm::ffi;

/*! \brief How the channels of the tensors of a chain lie; by default as without a search. */
struct LayoutChoice {
  /*! \brief The most vectors of a block, 1 or 2; 0 for no blocks. */
  int64_t vectors = 2;
  /*! \brief The length of sums for which a convolution stores blocks though all readers need a
   * copy: for which blocks save about as much time as a copy takes. */
  int64_t copy_terms = 256;
};

/*! \brief The trace of a choice. */
ffi::Array<ffi::String> PrintLayout(const LayoutChoice& choice);

/*!
 * \brief Read the trace of a choice.
 * \throws ValueError if the lines are not such a trace.
 */
LayoutChoice ParseLayout(const ffi::Array<ffi::String>& lines);

}  // namespace uir::schedule

#endif  // UIR_SCHEDULE_LAYOUT_CHOICE_H_
