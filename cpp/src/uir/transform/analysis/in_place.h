/*!
 * \file in_place.h
 * \brief Functions that may write their result over an operand.
 *
 * Such a function stores each element of a buffer once, and reads of the operand only the element
 * at the same place, before it stores there.
 */
#ifndef UIR_TRANSFORM_ANALYSIS_IN_PLACE_H_
#define UIR_TRANSFORM_ANALYSIS_IN_PLACE_H_

#include <uir/ir/module.h>
#include <uir/tir/function.h>

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "./arena_plan.h"

namespace uir::transform {

/*! \brief The parameters of a function that may be in the same memory, by their places. */
struct InPlace {
  /*! \brief The parameter that is stored to. */
  size_t output = 0;
  /*! \brief The parameters that it may be written over; none if the function is another one. */
  std::vector<size_t> inputs;
};

/*! \brief Find out what an elementwise function may write over. */
InPlace FindInPlace(const tir::PrimFunc& func);

/*! \brief A place within another buffer. */
struct PlaceWithin {
  const tir::BufferNode* owner;
  /*! \brief Where it begins there, in bytes. */
  int64_t offset;
};

/*! \brief Buffers in the places of others. */
struct SharedPlaces {
  /*! \brief The buffer in whose place another one is. */
  std::unordered_map<const tir::BufferNode*, PlaceWithin> owners;
  /*! \brief The calls that copy operands to the places where they are already. */
  std::unordered_set<const tir::CallNode*> joins;
  /*! \brief The calls that write over an argument: the places of the output and of the input. */
  std::unordered_map<const tir::CallNode*, std::pair<size_t, size_t>> calls;
};

/*!
 * \brief Give outputs the places of arguments of the same size that no later statement uses, and
 * operands that are joined places in what they are joined to.
 * \param module The functions that are called.
 * \param calls The calls of a host function.
 * \param items Its buffers, which lose those that take the places of others.
 */
SharedPlaces SharePlaces(const ir::IRModule& module, const NumberedCalls& calls,
                         std::vector<ArenaItem>* items);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_ANALYSIS_IN_PLACE_H_
