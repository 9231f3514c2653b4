/*!
 * \file in_place.h
 * \brief Functions that may write their result over an operand.
 *
 * Such a function stores each element of a buffer once, and before that reads only the operand's
 * element at the same index; or all that it does with the operand is to copy it to the result.
 */
#ifndef UIR_TRANSFORM_ANALYSIS_IN_PLACE_H_
#define UIR_TRANSFORM_ANALYSIS_IN_PLACE_H_

#include <uir/ir/module.h>
#include <uir/tir/function.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "./arena_plan.h"

namespace uir::transform {

/*! \brief The indices of a function's parameters that may share memory. */
struct InPlace {
  /*! \brief The parameter that the function stores to. */
  size_t output = 0;
  /*! \brief The parameters that the output may overwrite; empty for any other function. */
  std::vector<size_t> inputs;
  /*! \brief The place of the statement that copies the only input to the output, which is left out
   * if both are the same memory. */
  std::optional<size_t> copy;
};

/*! \brief Find the parameters that a function may overwrite with its output. */
InPlace FindInPlace(const tir::PrimFunc& func);

/*! \brief A range of bytes of another buffer. */
struct PlaceWithin {
  const tir::BufferNode* owner;
  /*! \brief The first byte. */
  int64_t offset;
};

/*! \brief Buffers in the memory of others. */
struct SharedPlaces {
  /*! \brief For each buffer without memory of its own, the buffer that holds it. */
  std::unordered_map<const tir::BufferNode*, PlaceWithin> owners;
  /*! \brief The calls that would copy each operand onto itself. */
  std::unordered_set<const tir::CallNode*> joins;
  /*! \brief The calls that overwrite an argument: the indices of the output and of the input. */
  std::unordered_map<const tir::CallNode*, std::pair<size_t, size_t>> calls;
};

/*!
 * \brief Place outputs over arguments of the same size without later uses, and the operands of a
 * concatenation in its result.
 * \param module The module with the called functions.
 * \param calls The calls of a host function.
 * \param items Its buffers; those placed in others are removed.
 */
SharedPlaces SharePlaces(const ir::IRModule& module, const NumberedCalls& calls,
                         std::vector<ArenaItem>* items);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_ANALYSIS_IN_PLACE_H_
