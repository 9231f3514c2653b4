/*!
 * \file storage_plan.h
 * \brief Which allocations of a function may lie in the same memory.
 */
#ifndef UIR_TRANSFORM_ANALYSIS_STORAGE_PLAN_H_
#define UIR_TRANSFORM_ANALYSIS_STORAGE_PLAN_H_

#include <uir/tir/stmt.h>

#include <cstdint>
#include <string>
#include <vector>

namespace uir::transform {

namespace ffi = ::tvm::ffi;

/*! \brief An allocation, and from when to when it is used. */
struct Allocation {
  tir::Buffer buffer;
  /*! \brief The body that it may move to the beginning of; within it is one thread. */
  const tir::StmtNode* arena;
  /*! \brief Whether it stands in the outermost sequence of that body. */
  bool is_outermost;
  /*! \brief How many bytes it takes, as far as it is known; 0 if it must stay where it is. */
  int64_t bytes;
  /*! \brief The memory that it lies in. */
  std::string scope;
  /*! \brief When it is used first and last, counted in statements. */
  int64_t begin = INT64_MAX;
  int64_t end = -1;
  /*! \brief The statements of its sequence that use it first and last. */
  const tir::StmtNode* first = nullptr;
  const tir::StmtNode* last = nullptr;
};

/*! \brief Allocations that take the same memory, one after the other. */
struct Storage {
  std::vector<Allocation> members;
  int64_t bytes;
  int64_t end;
};

/*! \brief The bytes of an element of a buffer. */
int64_t ElementBytes(const tir::Buffer& buffer);

/*! \brief Find the allocations of a function's body, in the order of their first uses. */
std::vector<Allocation> FindAllocations(const tir::Stmt& body);

/*!
 * \brief Whether a statement makes each element of one buffer of the same element of another one,
 * so that both may be the same memory.
 */
bool IsElementwise(const tir::StmtNode* stmt, const tir::Buffer& target, const tir::Buffer& source);

/*! \brief Give all allocations their memory. */
std::vector<Storage> PlanStorage(std::vector<Allocation> allocations);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_ANALYSIS_STORAGE_PLAN_H_
