/*!
 * \file joined_operands.h
 * \brief Functions that copy their operands to contiguous parts of the result.
 *
 * Such a function is a concatenation along the first axis whose extent is not 1. The kernels that
 * compute the operands may write them there directly, so that nothing is copied.
 */
#ifndef UIR_TRANSFORM_ANALYSIS_JOINED_OPERANDS_H_
#define UIR_TRANSFORM_ANALYSIS_JOINED_OPERANDS_H_

#include <uir/relay/call.h>
#include <uir/tir/function.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace uir::transform {

namespace ffi = ::tvm::ffi;

/*! \brief The parameters of a function that joins its operands. */
struct JoinedOperands {
  /*! \brief The parameter that the function stores to. */
  size_t output = 0;
  /*! \brief All other parameters, each with its offset in the output, in bytes. */
  std::vector<std::pair<size_t, int64_t>> inputs;
};

/*! \brief The index of a buffer among the parameters of a function; None for another buffer. */
std::optional<size_t> ParamOf(const tir::PrimFunc& func, const tir::Buffer& buffer);

/*! \brief The operands that a function joins; None for other functions and for symbolic shapes. */
std::optional<JoinedOperands> FindJoinedOperands(const tir::PrimFunc& func);

/*!
 * \brief The operands of a call of `relay.concatenate`, if each is a contiguous, aligned range of
 * bytes of the result; else None, also for a call of another operator.
 */
std::optional<ffi::Array<ir::RelayExpr>> JoinedOperandsOf(const relay::CallNode* call);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_ANALYSIS_JOINED_OPERANDS_H_
