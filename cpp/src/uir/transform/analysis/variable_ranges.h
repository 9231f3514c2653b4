/*!
 * \file variable_ranges.h
 * \brief The ranges of integer variables, from loops, threads, blocks and bindings.
 */
#ifndef UIR_TRANSFORM_ANALYSIS_VARIABLE_RANGES_H_
#define UIR_TRANSFORM_ANALYSIS_VARIABLE_RANGES_H_

#include <uir/arith/analyzer.h>
#include <uir/ir/dtype.h>
#include <uir/tir/stmt.h>

#include <unordered_map>

#include "../../arith/const_fold.h"

namespace uir::transform {

/*! \brief Whether a type is a signed integer type of more bits. */
inline bool IsWider(DLDataType dtype, int bits) {
  return dtype.code == kDLInt && dtype.bits > bits;
}

struct VariableRange {
  /*! \brief The values that the variable has. */
  arith::Interval values;
  /*! \brief The values and, for a loop's variable, the loop's end; its type must hold them all. */
  arith::Interval needed;
};

struct VariableRanges {
  /*! \brief Whether an integer other than a constant has more bits. */
  bool has_wide;
  std::unordered_map<const tir::VarNode*, VariableRange> ranges;
};

/*!
 * \brief Find the ranges of the variables that a statement binds.
 * \param stmt The statement.
 * \param analyzer Gets the ranges.
 * \param bits Search expressions only up to the first integer of more bits.
 */
VariableRanges FindVariableRanges(const tir::Stmt& stmt, arith::Analyzer analyzer, int bits);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_ANALYSIS_VARIABLE_RANGES_H_
