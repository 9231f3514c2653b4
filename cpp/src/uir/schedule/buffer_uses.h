/*!
 * \file buffer_uses.h
 * \brief Which nests use the buffers of a function.
 */
#ifndef UIR_SCHEDULE_BUFFER_USES_H_
#define UIR_SCHEDULE_BUFFER_USES_H_

#include <unordered_map>
#include <vector>

#include "./loop_nest.h"

namespace uir::schedule {

/*! \brief Counts the accesses of the buffers of a function. */
class BufferUses {
 public:
  /*! \param body The body of the function. */
  explicit BufferUses(const tir::Stmt& body);

  /*! \brief Whether a buffer is allocated in the function, and only some nests use it. */
  bool AreAllIn(const std::vector<LoopNest>& nests, const tir::Buffer& buffer) const;

 private:
  /*! \brief The number of accesses, by data pointer; of views and addresses, more than any. */
  std::unordered_map<const ffi::Object*, int64_t> counts_;
  std::unordered_map<const ffi::Object*, const tir::BufferNode*> allocated_;
};

}  // namespace uir::schedule

#endif  // UIR_SCHEDULE_BUFFER_USES_H_
