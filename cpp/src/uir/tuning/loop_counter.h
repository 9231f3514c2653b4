/*!
 * \file loop_counter.h
 * \brief Counts the work of scheduled loops by kind, without running them.
 */
#ifndef UIR_TUNING_LOOP_COUNTER_H_
#define UIR_TUNING_LOOP_COUNTER_H_

#include <tvm/ffi/container/map.h>
#include <tvm/ffi/string.h>
#include <uir/tir/function.h>
#include <uir/tir/stmt_functor.h>

#include <cstdint>
#include <unordered_set>

#include "./loop_values.h"
#include "./traffic.h"

namespace uir::tuning {

/*! \brief The number of runs of vector instructions and of others. */
struct ByShape {
  double vector = 0.0;
  double scalar = 0.0;
};

/*! \brief The work of a function. */
struct LoopCounts {
  ByShape operations;
  ByShape loads;
  ByShape stores;
  /*! \brief The steps of loops that are loops in C. */
  double steps = 0.0;
  /*! \brief The operations in incomplete steps of outer loops. */
  double incomplete = 0.0;
  /*! \brief The most bytes of local buffers at the same time, which are registers. */
  double register_bytes = 0.0;
  /*! \brief The bytes of other buffers that the function allocates. */
  double allocated_bytes = 0.0;
  /*! \brief The most steps of a parallel loop. */
  double parallel_steps = 0.0;
};

/*! \brief Counts the work of a function that recipes have scheduled. */
class LoopCounter : public tir::StmtVisitor {
 public:
  explicit LoopCounter(ffi::Map<ffi::String, int64_t> sizes) : values_(std::move(sizes)) {}

  const LoopCounts& counts() const { return counts_; }
  const LoopTree& tree() const { return root_; }

  void VisitPrimExpr(const ir::PrimExpr& expr) override;

 protected:
  using StmtVisitor::VisitDefault;

  void VisitFor(const tir::ForNode* op) override;
  void VisitIfThenElse(const tir::IfThenElseNode* op) override;
  void VisitBufferStore(const tir::BufferStoreNode* op) override;
  void VisitBufferLoad(const tir::BufferLoadNode* op) override;
  void VisitAllocBuffer(const tir::AllocBufferNode* op) override;
  void VisitBind(const tir::BindNode* op) override;
  void VisitBlock(const tir::BlockNode* op) override;

 private:
  /*! \brief Visit a statement as often as a part of the runs of the statement around it. */
  void VisitPart(const tir::Stmt& stmt, double part);
  double BytesOf(const tir::Buffer& buffer) const;
  std::vector<double> StridesOf(const tir::Buffer& buffer,
                                const ffi::Array<ir::PrimExpr>& indices) const;
  void Note(const tir::Buffer& buffer, const ffi::Array<ir::PrimExpr>& indices, DLDataType dtype,
            ByShape* counted);
  void Count(ByShape* counted, bool is_vector) const;

  LoopValues values_;
  LoopCounts counts_;
  LoopTree root_;
  LoopTree* loop_ = &root_;
  /*! \brief How often the statement at hand runs. */
  double runs_ = 1.0;
  /*! \brief The part of these runs that is in incomplete steps. */
  double incomplete_ = 0.0;
  double register_bytes_ = 0.0;
  bool is_in_vector_ = false;
  std::unordered_set<const ffi::Object*> seen_;
};

}  // namespace uir::tuning

#endif  // UIR_TUNING_LOOP_COUNTER_H_
