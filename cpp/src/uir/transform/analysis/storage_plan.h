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
  /*! \brief The body to whose beginning it may move; one thread runs that body. */
  const tir::StmtNode* arena;
  /*! \brief Whether it is in the outermost sequence of that body. */
  bool is_outermost;
  /*! \brief Its size in bytes, or the size of an element if `elements` is set; 0 if it must not
   * move. */
  int64_t bytes;
  /*! \brief Its storage scope. */
  std::string scope;
  /*! \brief The number of elements if it is not constant, computable where the body begins. */
  ffi::Optional<ir::PrimExpr> elements;
  /*! \brief Whether a block allocates it; `arena` is then the block's body. */
  bool is_of_block = false;
  /*! \brief The numbers of the statements that use it first and last. */
  int64_t begin = INT64_MAX;
  int64_t end = -1;
  /*! \brief The number at which the last statement in its sequence that uses it begins. */
  int64_t last_begin = -1;
  /*! \brief The statements of its sequence that use it first and last. */
  const tir::StmtNode* first = nullptr;
  const tir::StmtNode* last = nullptr;
};

/*! \brief Allocations with disjoint live ranges that share memory. */
struct Storage {
  std::vector<Allocation> members;
  int64_t bytes;
  /*! \brief The number of elements if it is not constant; all members then have equal elements. */
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
