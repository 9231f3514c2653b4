/*!
 * \file storage_plan.h
 * \brief Assignment of memory to the allocations of a function.
 */
#ifndef UIR_TRANSFORM_ANALYSIS_STORAGE_PLAN_H_
#define UIR_TRANSFORM_ANALYSIS_STORAGE_PLAN_H_

#include <uir/tir/stmt.h>

#include <cstdint>
#include <string>
#include <vector>

namespace uir::transform {

namespace ffi = ::tvm::ffi;

/*! \brief An allocation with its live range. */
struct Allocation {
  tir::Buffer buffer;
  /*! \brief The body that it may move to the beginning of; within it is one thread. */
  const tir::StmtNode* arena;
  /*! \brief Whether it stands in the outermost sequence of that body. */
  bool is_outermost;
  /*! \brief How many bytes it takes, those of an element if `elements` is not constant; 0 if it
   * must stay where it is. */
  int64_t bytes;
  /*! \brief The memory that it lies in. */
  std::string scope;
  /*! \brief The number of elements unless it is constant, known where the body begins. */
  ffi::Optional<ir::PrimExpr> elements;
  /*! \brief Whether a block allocates it, whose body is the one that it may move to. */
  bool is_of_block = false;
  /*! \brief When it is used first and last, counted in statements. */
  int64_t begin = INT64_MAX;
  int64_t end = -1;
  /*! \brief When the statement of its sequence began that uses it last. */
  int64_t last_begin = -1;
  /*! \brief The statements of its sequence that use it first and last. */
  const tir::StmtNode* first = nullptr;
  const tir::StmtNode* last = nullptr;
};

/*! \brief Allocations with disjoint live ranges that share memory. */
struct Storage {
  std::vector<Allocation> members;
  int64_t bytes;
  /*! \brief The number of elements unless it is constant, which are all of one size. */
  ffi::Optional<ir::PrimExpr> elements;
  int64_t end;
};

/*! \brief The bytes of an element of a buffer. */
int64_t ElementBytes(const tir::Buffer& buffer);

/*! \brief Find the allocations in a function's body, in the order of their first uses. */
std::vector<Allocation> FindAllocations(const tir::Stmt& body);

/*!
 * \brief Whether a statement computes each element of one buffer from the same element of another
 * one, so that both may share memory.
 */
bool IsElementwise(const tir::StmtNode* stmt, const tir::Buffer& target, const tir::Buffer& source);

/*! \brief Assign memory to all allocations, by best fit in the order of their live ranges. */
std::vector<Storage> PlanStorage(std::vector<Allocation> allocations);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_ANALYSIS_STORAGE_PLAN_H_
