/*!
 * \file scalar_emitter.h
 * \brief Expressions of C: numbers, variables, arithmetic, conditions; other kinds go to their
 * emitters.
 */
#ifndef UIR_TARGET_SCALAR_EMITTER_H_
#define UIR_TARGET_SCALAR_EMITTER_H_

#include <uir/tir/anticipated_exprs.h>
#include <uir/tir/arith.h>
#include <uir/tir/buffer.h>
#include <uir/tir/expr.h>
#include <uir/tir/logic.h>
#include <uir/tir/prim_expr_functor.h>
#include <uir/tir/reduce.h>

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "./emitter_part.h"

namespace uir::target {

/*! \brief An expression, and the lines that must run before it. */
struct Guarded {
  CExpr expr;
  CWriter lines;
};

/*! \brief Emits expressions. */
class ScalarEmitter : public EmitterPart, public tir::PrimExprFunctor<CExpr(const ir::PrimExpr&)> {
 public:
  explicit ScalarEmitter(FunctionState* state) : EmitterPart(state) {}

  /*! \brief Forget the shared expressions of the previous statement. */
  void BeginStatement();
  /*! \brief Emit an expression; a shared one is emitted once, a long one as a variable. */
  CExpr VisitPrimExpr(const ir::PrimExpr& expr) override;
  /*! \brief Emit an expression, whose value may exceed the range of its data type. */
  CExpr Emit(const ir::PrimExpr& expr) { return VisitPrimExpr(expr); }
  /*! \brief Emit an expression whose value is in the range of its data type. */
  CExpr EmitExact(const ir::PrimExpr& expr);
  /*! \brief Convert the value of an expression to the range of a data type. */
  CExpr Exact(CExpr expr, DLDataType dtype);
  /*!
   * \brief Emit expressions that are evaluated in this order.
   *
   * The value of an expression that reads memory is kept in a variable if a later one has effects.
   */
  std::vector<CExpr> EmitAll(const std::vector<ir::PrimExpr>& exprs);
  /*! \brief Drop all shared expressions except for the first ones. */
  void ForgetShared(size_t first);
  /*! \brief Emit an expression that is evaluated only if a condition holds. */
  Guarded EmitGuarded(const ir::PrimExpr& expr, int depth);
  /*! \brief Add a line that keeps a value; returns the name. */
  std::string Keep(const std::string& name, DLDataType dtype, const std::string& code);
  /*! \brief Two values with a binary operator of C between them. */
  CExpr Infix(CExpr a, const char* symbol, const CExpr& b, Binding binding);
  /*! \brief Emit two operands, at least one of which has the width of their data type. */
  std::vector<CExpr> EmitTyped(const ir::PrimExpr& a, const ir::PrimExpr& b);
  /*! \brief Emit the choice of a value, of which only the chosen one is computed. */
  CExpr Choose(const ir::PrimExpr& condition, const ir::PrimExpr& true_value,
               const ir::PrimExpr& false_value);
  /*! \brief A choice between two values that are computed without lines of their own. */
  CExpr Ternary(const CExpr& condition, const CExpr& then, const CExpr& other);
  /*! \brief Whether an index is obviously not negative. */
  bool IsNonNegative(const ir::PrimExpr& expr, int depth = 0) const;
  /*! \brief Note that memory may have changed, so that earlier loads must not be reused. */
  void NoteEffect();

 protected:
  CExpr VisitDefault(const ir::PrimExprNode* op) override;
  CExpr VisitIntImm(const ir::IntImmNode* op) override;
  CExpr VisitFloatImm(const ir::FloatImmNode* op) override;
  CExpr VisitStringImm(const ir::StringImmNode* op) override;
  CExpr VisitVar(const tir::VarNode* op) override;
  CExpr VisitProducerLoad(const tir::ProducerLoadNode* op) override;
  CExpr VisitReduce(const tir::ReduceNode* op) override;
  CExpr VisitAdd(const tir::AddNode* op) override { return Ring(op, "+", Binding::kSum); }
  CExpr VisitSub(const tir::SubNode* op) override { return Ring(op, "-", Binding::kSum); }
  CExpr VisitMul(const tir::MulNode* op) override { return Ring(op, "*", Binding::kProduct); }
  CExpr VisitDiv(const tir::DivNode* op) override;
  CExpr VisitMod(const tir::ModNode* op) override;
  CExpr VisitFloorDiv(const tir::FloorDivNode* op) override;
  CExpr VisitFloorMod(const tir::FloorModNode* op) override;
  CExpr VisitMin(const tir::MinNode* op) override { return Extreme("min", op); }
  CExpr VisitMax(const tir::MaxNode* op) override { return Extreme("max", op); }
  CExpr VisitCast(const tir::CastNode* op) override;
  CExpr VisitSelect(const tir::SelectNode* op) override;
  CExpr VisitLet(const tir::LetNode* op) override;
  CExpr VisitEQ(const tir::EQNode* op) override { return Compare(op, "==", Binding::kEquality); }
  CExpr VisitNE(const tir::NENode* op) override { return Compare(op, "!=", Binding::kEquality); }
  CExpr VisitLT(const tir::LTNode* op) override { return Compare(op, "<", Binding::kRelation); }
  CExpr VisitLE(const tir::LENode* op) override { return Compare(op, "<=", Binding::kRelation); }
  CExpr VisitGT(const tir::GTNode* op) override { return Compare(op, ">", Binding::kRelation); }
  CExpr VisitGE(const tir::GENode* op) override { return Compare(op, ">=", Binding::kRelation); }
  CExpr VisitAnd(const tir::AndNode* op) override { return Logic(op, "&&", Binding::kAnd); }
  CExpr VisitOr(const tir::OrNode* op) override { return Logic(op, "||", Binding::kOr); }
  CExpr VisitNot(const tir::NotNode* op) override;
  CExpr VisitBufferLoad(const tir::BufferLoadNode* op) override;
  CExpr VisitRamp(const tir::RampNode* op) override;
  CExpr VisitBroadcast(const tir::BroadcastNode* op) override;
  CExpr VisitShuffle(const tir::ShuffleNode* op) override;
  CExpr VisitCall(const tir::CallNode* op) override;

 private:
  CExpr Share(const ir::PrimExpr& expr, CExpr text);
  void CountPath(const ir::PrimExpr& expr);
  CExpr Ring(const tir::BinaryOpNode* op, const char* symbol, Binding binding);
  CExpr DivideIntegers(const char* key, const tir::BinaryOpNode* op);
  CExpr Divide(const tir::BinaryOpNode* op, const char* symbol);
  CExpr Compare(const tir::CmpOpNode* op, const char* symbol, Binding binding);
  CExpr Logic(const tir::LogicalOpNode* op, const char* symbol, Binding binding);
  CExpr CallHelper(const char* key, DLDataType dtype, const tir::BinaryOpNode* op);
  CExpr Extreme(const char* name, const tir::BinaryOpNode* op);
  CExpr HalfInfix(const CExpr& a, const char* symbol, const CExpr& b, Binding binding,
                  DLDataType dtype);
  CExpr CastBFloat16(const tir::CastNode* op);

  /*! \brief The texts of shared expressions in the present statement, and their order. */
  std::unordered_map<const ffi::Object*, CExpr> shared_;
  std::vector<const ffi::Object*> shared_order_;
  /*! \brief The parts that all branches of choices compute. */
  tir::AnticipatedExprs anticipated_;
  /*! \brief The shared choices of the present statement, and the number of repeated emissions. */
  std::unordered_set<const ffi::Object*> emitted_;
  int64_t num_repeats_ = 0;
  /*! \brief The number of lines with effects so far. */
  int num_effects_ = 0;
};

}  // namespace uir::target

#endif  // UIR_TARGET_SCALAR_EMITTER_H_
