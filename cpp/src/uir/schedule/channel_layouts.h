/*!
 * \file channel_layouts.h
 * \brief The layouts of the tensors that a function allocates for those that it calls.
 */
#ifndef UIR_SCHEDULE_CHANNEL_LAYOUTS_H_
#define UIR_SCHEDULE_CHANNEL_LAYOUTS_H_

#include <uir/tir/expr.h>
#include <uir/tir/function.h>
#include <uir/tir/stmt.h>

#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "./blocked_callees.h"
#include "./layout_choice.h"

namespace uir::schedule {

/*! \brief A tensor that a function allocates for those that it calls. */
struct ChannelTensor {
  tir::Buffer buffer;
  /*! \brief The channels of a block; 0 for none. */
  int64_t block;
  /*! \brief The length of sums that is worth a copy, as in `LayoutChoice`. */
  int64_t copy_terms;
};

/*! \brief Tensors whose layouts depend on each other, and the calls that use them, both in order.
 *
 * Two tensors of one call are in the same chain, so the layouts of two chains are independent. */
struct TensorChain {
  std::vector<ChannelTensor*> tensors;
  std::vector<const tir::CallNode*> calls;
};

/*! \brief Chooses the layouts of the tensors of one function. */
class LayoutChooser {
 public:
  LayoutChooser(tir::PrimFunc func, BlockedCallees* callees);

  /*! \brief The chains of the function, in the order of their first calls. */
  std::vector<TensorChain> Chains();
  /*! \brief Choose the layouts of a chain, before `Run` and `Blocks`. */
  static void Choose(const TensorChain& chain, const LayoutChoice& choice);

  /*! \brief The function with its tensors in blocks, which calls functions made for these. */
  tir::PrimFunc Run();
  /*! \brief The blocks of the tensors of some chains, as `Run` lays them out. */
  BlockSizes Blocks(const std::vector<TensorChain>& chains);

 private:
  ffi::Array<tir::Stmt> Stmts() const;
  const tir::CallNode* CallOf(const tir::Stmt& stmt) const;
  void FindTensors();
  void FindCalls();
  void DropUsed(const ffi::ObjectRef& node);
  ChannelTensor* TensorOf(const ir::PrimExpr& arg);

  BlockSizes BlocksOf(const tir::CallNode* call);
  BlockedCallee* CalleeFor(const tir::CallNode* call) { return CalleeFor(call, BlocksOf(call)); }
  BlockedCallee* CalleeFor(const tir::CallNode* call, const BlockSizes& blocks);

  void Settle();
  bool DropImpossible();
  bool DropUseless();
  void KeepThoseOfConvolutions();

  tir::Stmt Rewritten();
  void RewriteCall(const tir::CallNode* call, const tir::Stmt& stmt, ffi::Array<tir::Stmt>* stmts);
  ir::PrimExpr WithoutBlocks(const ir::PrimExpr& arg, ffi::Array<tir::Stmt>* stmts);

  tir::PrimFunc func_;
  BlockedCallees* callees_;
  /*! \brief The tensors by the variables of their addresses. */
  std::unordered_map<const ffi::Object*, ChannelTensor> tensors_;
  std::vector<const tir::CallNode*> calls_;
  /*! \brief The variables that are bound to addresses of constants. */
  std::unordered_set<const ffi::Object*> constants_;
  std::unordered_map<const ChannelTensor*, tir::Buffer> copies_;
};

}  // namespace uir::schedule

#endif  // UIR_SCHEDULE_CHANNEL_LAYOUTS_H_
