/*!
 * \file lane_maker.h
 * \brief Vectorizes the body of a loop: each iteration becomes a lane.
 */
#ifndef UIR_TRANSFORM_REWRITE_LANE_MAKER_H_
#define UIR_TRANSFORM_REWRITE_LANE_MAKER_H_

#include <uir/arith/analyzer.h>
#include <uir/transform/linear_mutator.h>

#include <unordered_map>
#include <unordered_set>

namespace uir::transform {

namespace ffi = ::tvm::ffi;

/*! \brief Thrown for a statement or expression that cannot be vectorized. */
struct NoLanes {};

/*!
 * \brief Turns the expressions that depend on the variable of a loop into vectors.
 *
 * A condition that differs between lanes becomes a mask for the loads and stores of its branches.
 * All other computations of the branches run in all lanes, where they must have a value.
 *
 * A statement that cannot be vectorized becomes a serial loop, unless it uses a vector variable.
 */
class LaneMaker : public LinearMutator {
 public:
  /*!
   * \param loop The loop, with a constant number of iterations.
   * \param lanes That number, at least 2.
   * \param facts Knows the ranges of the loop and of those around it, and which variables
   *     hold data; may be null.
   */
  LaneMaker(const tir::ForNode* loop, int lanes, const arith::Analyzer* facts = nullptr);

  /*! \brief The statement for all lanes, or loops over them. */
  tir::Stmt MakeLanes(const tir::Stmt& stmt);

 protected:
  int64_t StmtContext() const override { return num_bound_; }
  ir::PrimExpr VisitVar(const tir::VarNode* op) override;
  ir::PrimExpr VisitBinaryOp(const tir::BinaryOpNode* op) override;
  ir::PrimExpr VisitCmpOp(const tir::CmpOpNode* op) override;
  ir::PrimExpr VisitLogicalOp(const tir::LogicalOpNode* op) override;
  ir::PrimExpr VisitNot(const tir::NotNode* op) override;
  ir::PrimExpr VisitCast(const tir::CastNode* op) override;
  ir::PrimExpr VisitSelect(const tir::SelectNode* op) override;
  ir::PrimExpr VisitLet(const tir::LetNode* op) override;
  ir::PrimExpr VisitRamp(const tir::RampNode* op) override;
  ir::PrimExpr VisitBroadcast(const tir::BroadcastNode* op) override;
  ir::PrimExpr VisitShuffle(const tir::ShuffleNode* op) override;
  ir::PrimExpr VisitReduce(const tir::ReduceNode* op) override;
  ir::PrimExpr VisitCall(const tir::CallNode* op) override;
  ir::PrimExpr VisitBufferLoad(const tir::BufferLoadNode* op) override;
  ir::PrimExpr VisitProducerLoad(const tir::ProducerLoadNode* op) override;

  tir::Stmt VisitBind(const tir::BindNode* op) override;
  tir::Stmt VisitAttrStmt(const tir::AttrStmtNode* op) override;
  tir::Stmt VisitAssertStmt(const tir::AssertStmtNode* op) override;
  tir::Stmt VisitBufferStore(const tir::BufferStoreNode* op) override;
  tir::Stmt VisitAllocBuffer(const tir::AllocBufferNode* op) override;
  tir::Stmt VisitDeclBuffer(const tir::DeclBufferNode* op) override;
  tir::Stmt VisitSeqStmt(const tir::SeqStmtNode* op) override;
  tir::Stmt VisitIfThenElse(const tir::IfThenElseNode* op) override;
  tir::Stmt VisitFor(const tir::ForNode* op) override;
  tir::Stmt VisitWhile(const tir::WhileNode* op) override;
  tir::Stmt VisitEvaluate(const tir::EvaluateNode* op) override;
  tir::Stmt VisitBlock(const tir::BlockNode* op) override;
  tir::Stmt VisitBlockRealize(const tir::BlockRealizeNode* op) override;

 private:
  class MaskScope;

  ir::PrimExpr ToLanes(ir::PrimExpr expr) const;
  template <typename Ref>
  ir::PrimExpr VisitOperands(const typename Ref::ContainerType* op);
  ir::PrimExpr Uniform(const ir::PrimExpr& expr);
  ffi::Array<ir::PrimExpr> VisitIndices(const ffi::Array<ir::PrimExpr>& indices);
  ir::PrimExpr MaskOf(const ir::PrimExpr& condition);
  ir::PrimExpr UnderMask(ir::PrimExpr condition) const;
  ir::PrimExpr VisitUnder(const ir::PrimExpr& condition, const ir::PrimExpr& expr);
  tir::Stmt VisitUnder(const ir::PrimExpr& condition, const tir::Stmt& stmt);
  ir::PrimExpr MakeMaskedLoad(const tir::BufferLoadNode* op);
  ir::PrimExpr MakeSelect(const tir::CallNode* choice, ir::PrimExpr condition);
  tir::Stmt MakeMasked(const tir::IfThenElseNode* op, ir::PrimExpr condition);
  tir::Stmt SerialLoop(const tir::Stmt& stmt) const;
  tir::Var VectorOf(const tir::Var& var, DLDataType dtype);

  bool IsInBounds(const tir::BufferLoadNode* load) const;
  bool IsHarmless(const ir::PrimExpr& expr) const;
  bool AreIndices(const tir::RampNode* ramp, DLDataType dtype) const;

  const tir::ForNode* loop_;
  int lanes_;
  const arith::Analyzer* facts_;
  ir::PrimExpr all_values_;
  /*! \brief The lanes that run the present statement; none for all. */
  ffi::Optional<ir::PrimExpr> mask_;
  /*! \brief The number of variables in scope that became vectors. */
  int num_bound_ = 0;
  /*! \brief The vectors that variables became. */
  std::unordered_map<const tir::VarNode*, tir::Var> vectors_;
  /*! \brief The expressions visited under a mask, and the number of repeated visits. */
  std::unordered_set<const ffi::Object*> masked_;
  int num_repeats_ = 0;
};

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_REWRITE_LANE_MAKER_H_
