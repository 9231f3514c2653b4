/*!
 * \file data_finder.h
 * \brief Which integers are data, whose sums and products may wrap around.
 */
#ifndef UIR_ARITH_DATA_FINDER_H_
#define UIR_ARITH_DATA_FINDER_H_

#include <uir/tir/prim_expr_functor.h>

#include "./memo_table.h"

namespace uir::arith {

class Queries;

/*! \brief Checks whether a value depends on memory, on calls with effects, or on such variables. */
class DataFinder : public tir::PrimExprVisitor {
 public:
  explicit DataFinder(Queries* known) : known_(known) {}

  bool operator()(const ir::PrimExpr& expr);
  void ClearMemo() { memo_.Clear(); }

  void VisitPrimExpr(const ir::PrimExpr& expr) override;

 protected:
  void VisitVar(const tir::VarNode* op) override;
  void VisitBufferLoad(const tir::BufferLoadNode*) override { found_ = true; }
  void VisitProducerLoad(const tir::ProducerLoadNode*) override { found_ = true; }
  void VisitCall(const tir::CallNode* op) override;

 private:
  Queries* known_;
  bool found_ = false;
  MemoTable<bool> memo_;
};

}  // namespace uir::arith

#endif  // UIR_ARITH_DATA_FINDER_H_
