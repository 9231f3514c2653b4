/*!
 * \file blocked_callees.h
 * \brief The functions of a module that others call with tensors whose channels lie in blocks.
 */
#ifndef UIR_SCHEDULE_BLOCKED_CALLEES_H_
#define UIR_SCHEDULE_BLOCKED_CALLEES_H_

#include <uir/ir/module.h>
#include <uir/tir/stmt.h>

#include <map>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "../transform/rewrite/function_names.h"
#include "./channel_blocks.h"

namespace uir::schedule {

/*! \brief A function that is made for blocks. */
struct BlockedCallee {
  BlockedFunction made;
  ffi::String name;
  /*! \brief The variable of the function in the module, once a call uses it. */
  std::optional<ir::GlobalVar> var;
};

class BlockedCallees {
 public:
  explicit BlockedCallees(const ir::IRModule& module)
      : module_(module), names_(module->functions) {}

  /*! \brief Whether an operator is a private function of the module that may be made for blocks. */
  bool Has(const ffi::ObjectRef& op) const { return FuncOf(op) != nullptr; }
  /*! \brief The function for blocks of its parameters; null if it cannot be made for them, or no
   * parameter has blocks. */
  BlockedCallee* For(const ffi::ObjectRef& op, const BlockSizes& blocks);
  /*! \brief Whether a parameter of a function has the shape of a tensor, as far as extents are
   * known. */
  bool HasShapeOf(const ffi::ObjectRef& op, size_t param, const tir::Buffer& tensor) const;
  /*! \brief Whether a function may store to a parameter. */
  bool Stores(const ffi::ObjectRef& op, size_t param);

  /*! \brief The variable for a call of a function for blocks. */
  ir::GlobalVar Use(BlockedCallee* callee);
  /*! \brief A call that copies a tensor in blocks to one without. */
  tir::Stmt CopyFromBlocks(const tir::Buffer& from, const tir::Buffer& to);

  /*! \brief The module with changed functions and their callees, without functions that are no
   * longer called. */
  ir::IRModule Finish(const ffi::Map<ir::GlobalVar, ir::BaseFunc>& changed) const;

 private:
  const tir::PrimFuncNode* FuncOf(const ffi::ObjectRef& op) const;

  ir::IRModule module_;
  transform::FunctionNames names_;
  std::map<std::pair<const ffi::Object*, BlockSizes>, std::optional<BlockedCallee>> callees_;
  std::unordered_map<const ffi::Object*, std::unordered_set<const ffi::Object*>> stored_;
  /*! \brief The functions that copy, by the constant extents and the data type. */
  std::map<std::vector<int64_t>, ir::GlobalVar> copies_;
  ffi::Map<ir::GlobalVar, ir::BaseFunc> functions_;
};

}  // namespace uir::schedule

#endif  // UIR_SCHEDULE_BLOCKED_CALLEES_H_
