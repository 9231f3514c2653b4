/*!
 * \file function_emitter.h
 * \brief The text of one function.
 *
 * In: a function on scalars and flat buffers. Out: lines of C. Its methods are spread over
 * `emit_<subject>.cc`.
 *
 * An expression becomes an expression of C, and lines before the statement that contains it: a
 * `Let` and the call of a function of the module are lines of their own. If an expression is only
 * evaluated under a condition, such lines are in the branch of an `if`.
 */
#ifndef UIR_TARGET_FUNCTION_EMITTER_H_
#define UIR_TARGET_FUNCTION_EMITTER_H_

#include <uir/tir/anticipated_exprs.h>
#include <uir/tir/arith.h>
#include <uir/tir/block.h>
#include <uir/tir/buffer.h>
#include <uir/tir/expr.h>
#include <uir/tir/logic.h>
#include <uir/tir/reduce.h>
#include <uir/tir/stmt.h>
#include <uir/tir/stmt_functor.h>

#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "./c_expr.h"
#include "./c_writer.h"
#include "./intrinsics.h"
#include "./names.h"
#include "./signature.h"

namespace uir::target {

class FunctionEmitter : public tir::StmtFunctor<void(const tir::Stmt&)>,
                        public tir::PrimExprFunctor<CExpr(const ir::PrimExpr&)> {
 public:
  FunctionEmitter(ModuleContext* context, const Signature* signature)
      : context_(context), signature_(signature), writer_(&lines_) {}

  /*! \brief Emit the function, and return its text. */
  std::string Run();

  /*! \brief Name a variable that has a value outside of the function. */
  void NameSize(const tir::VarNode* var, const std::string& name) { variables_[var] = name; }
  /*! \brief Emit an expression over such variables. */
  std::string EmitSize(const ir::PrimExpr& size) { return EmitExact(size).code; }
  /*! \brief The condition for a failure, and the returned expression, which sets the error. */
  struct Failure {
    std::string condition;
    std::string value;
  };
  /*! \brief Emit the negated condition of an assertion, and the call that raises its error. */
  Failure EmitAssertion(const tir::AssertStmtNode* op);

  void VisitStmt(const tir::Stmt& stmt) override;
  /*! \brief Emit an expression; a shared one is emitted once, a long one as a variable. */
  CExpr VisitPrimExpr(const ir::PrimExpr& expr) override;

 protected:
  void VisitDefault(const tir::StmtNode* op) override;
  void VisitBind(const tir::BindNode* op) override;
  void VisitAttrStmt(const tir::AttrStmtNode* op) override;
  void VisitAssertStmt(const tir::AssertStmtNode* op) override;
  void VisitBufferStore(const tir::BufferStoreNode* op) override;
  void VisitAllocBuffer(const tir::AllocBufferNode* op) override;
  void VisitDeclBuffer(const tir::DeclBufferNode* op) override;
  void VisitSeqStmt(const tir::SeqStmtNode* op) override;
  void VisitIfThenElse(const tir::IfThenElseNode* op) override;
  void VisitFor(const tir::ForNode* op) override;
  void VisitWhile(const tir::WhileNode* op) override;
  void VisitBreak(const tir::BreakNode* op) override;
  void VisitContinue(const tir::ContinueNode* op) override;
  void VisitEvaluate(const tir::EvaluateNode* op) override;
  void VisitBlock(const tir::BlockNode* op) override;
  void VisitBlockRealize(const tir::BlockRealizeNode* op) override;

  CExpr VisitDefault(const ir::PrimExprNode* op) override;
  CExpr VisitIntImm(const ir::IntImmNode* op) override;
  CExpr VisitFloatImm(const ir::FloatImmNode* op) override;
  CExpr VisitStringImm(const ir::StringImmNode* op) override;
  CExpr VisitVar(const tir::VarNode* op) override;
  CExpr VisitBufferLoad(const tir::BufferLoadNode* op) override;
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
  CExpr VisitRamp(const tir::RampNode* op) override;
  CExpr VisitBroadcast(const tir::BroadcastNode* op) override;
  CExpr VisitShuffle(const tir::ShuffleNode* op) override;
  CExpr ShuffleTwo(const tir::ShuffleNode* op);
  CExpr VisitCast(const tir::CastNode* op) override;
  CExpr VisitSelect(const tir::SelectNode* op) override;
  CExpr VisitLet(const tir::LetNode* op) override;
  CExpr VisitCall(const tir::CallNode* op) override;
  CExpr VisitEQ(const tir::EQNode* op) override { return Compare(op, "==", Binding::kEquality); }
  CExpr VisitNE(const tir::NENode* op) override { return Compare(op, "!=", Binding::kEquality); }
  CExpr VisitLT(const tir::LTNode* op) override { return Compare(op, "<", Binding::kRelation); }
  CExpr VisitLE(const tir::LENode* op) override { return Compare(op, "<=", Binding::kRelation); }
  CExpr VisitGT(const tir::GTNode* op) override { return Compare(op, ">", Binding::kRelation); }
  CExpr VisitGE(const tir::GENode* op) override { return Compare(op, ">=", Binding::kRelation); }
  CExpr VisitAnd(const tir::AndNode* op) override { return Logic(op, "&&", Binding::kAnd); }
  CExpr VisitOr(const tir::OrNode* op) override { return Logic(op, "||", Binding::kOr); }
  CExpr VisitNot(const tir::NotNode* op) override;

 private:
  /*! \brief An open block: the body of a function, a loop or a branch. */
  struct OpenBlock {
    bool is_loop;
    /*! \brief The buffers in memory that the block frees. */
    std::vector<std::string> allocated;
  };
  /*! \brief A pointer in C to the elements of buffers. */
  struct Pointer {
    std::string name;
    /*! \brief The type of the elements; `void` if it is not known. */
    DLDataType dtype;
  };
  /*! \brief An expression, and the lines that must run before it. */
  struct Guarded {
    CExpr expr;
    CWriter lines;
  };

  // Problems, and names (function_emitter.cc).
  void Report(const ffi::Object* node, std::string message);
  CExpr Refuse(const ffi::Object* node, std::string message);
  CExpr RefuseBFloat16(const ffi::Object* node);
  std::string TypeOf(const ffi::Object* node, DLDataType dtype);
  std::string EmitWork(const ir::PrimExpr& work);
  void EmitProfile();
  std::vector<std::string> BindParameters();
  std::string Declare(const tir::VarNode* var);
  void DeclareConst(const tir::VarNode* var, const CExpr& value);
  void BindPointer(const tir::BindNode* op, const CExpr& value);
  std::string DeclaredType(const ffi::Object* node, DLDataType dtype, int mask_bits);
  std::string ConstOf(const tir::VarNode* data) const;

  // Statements (emit_stmt.cc, emit_loop.cc, emit_memory.cc).
  void EmitBody(const tir::Stmt& body, bool is_loop);
  void EmitLoop(const tir::VarNode* var, const ir::PrimExpr& min, const ir::PrimExpr& extent,
                const ffi::Optional<ir::PrimExpr>& step, const tir::Stmt& body);
  void EmitFrees(bool only_loop);
  void EmitReturn(const std::string& value);
  void EmitFailure(const std::string& condition, const std::string& value);
  void LeaveIf(const std::string& condition, const std::string& value);

  // Expressions (emit_expr.cc, emit_arith.cc).
  CExpr Emit(const ir::PrimExpr& expr) { return VisitPrimExpr(expr); }
  CExpr EmitExact(const ir::PrimExpr& expr);
  CExpr Exact(CExpr expr, DLDataType dtype);
  std::vector<CExpr> EmitAll(const std::vector<ir::PrimExpr>& exprs);
  CExpr Share(const ir::PrimExpr& expr, CExpr text);
  void ForgetShared(size_t first);
  void CountPath(const ir::PrimExpr& expr);
  Guarded EmitGuarded(const ir::PrimExpr& expr, int depth);
  std::string Keep(const std::string& name, DLDataType dtype, const std::string& code);
  CExpr Infix(CExpr a, const char* symbol, const CExpr& b, Binding binding);
  CExpr Ring(const tir::BinaryOpNode* op, const char* symbol, Binding binding);
  CExpr DivideIntegers(const char* key, const tir::BinaryOpNode* op);
  CExpr Divide(const tir::BinaryOpNode* op, const char* symbol);
  std::vector<CExpr> EmitTyped(const ir::PrimExpr& a, const ir::PrimExpr& b);
  CExpr Compare(const tir::CmpOpNode* op, const char* symbol, Binding binding);
  CExpr Logic(const tir::LogicalOpNode* op, const char* symbol, Binding binding);
  CExpr Choose(const ir::PrimExpr& condition, const ir::PrimExpr& true_value,
               const ir::PrimExpr& false_value);
  CExpr Ternary(const CExpr& condition, const CExpr& then, const CExpr& other);
  CExpr CallHelper(const char* key, DLDataType dtype, const tir::BinaryOpNode* op);
  CExpr Extreme(const char* name, const tir::BinaryOpNode* op);
  CExpr HalfInfix(const CExpr& a, const char* symbol, const CExpr& b, Binding binding,
                  DLDataType dtype);
  bool IsNonNegative(const ir::PrimExpr& expr, int depth = 0) const;

  // Vectors (emit_vector.cc).
  CExpr MaskOf(CExpr mask, int bits, DLDataType dtype);
  void EqualizeMasks(std::vector<CExpr>* masks, DLDataType dtype);
  CExpr ConvertVector(const CExpr& value, DLDataType dtype);
  CExpr ConvertFloat(const CExpr& value, DLDataType dtype);
  CExpr CastBFloat16(const tir::CastNode* op);
  CExpr HalfVectors(const char* symbol, const std::vector<CExpr>& operands, DLDataType dtype,
                    Binding binding);
  CExpr CastVector(const tir::CastNode* op);
  CExpr SelectVector(const tir::SelectNode* op);
  CExpr LogicVector(const tir::LogicalOpNode* op, bool is_and);
  CExpr CompareVector(const tir::CmpOpNode* op, const char* symbol, Binding binding);
  CExpr CallLanewise(const std::string& name, const std::string& function,
                     const std::vector<CExpr>& args, DLDataType from, DLDataType to);
  CExpr CallTableVector(const tir::CallNode* op, const Intrinsic& intrinsic);
  CExpr CallMultiplyAdd(const std::vector<CExpr>& args, DLDataType dtype, DLDataType computed);
  CExpr PredicateVector(const tir::CallNode* op, std::string_view name);
  std::string LaneIndices(int lanes, int64_t stride, DLDataType dtype);

  // Vectors in memory (emit_vector_memory.cc).
  CExpr LoadVector(const tir::BufferLoadNode* op);
  void StoreVector(const tir::BufferStoreNode* op);
  std::string LanePointer(const tir::Buffer& buffer, const CExpr& first, const ffi::Object* node);
  CExpr VLoad(const tir::CallNode* op);
  CExpr WideIndex(const CExpr& index, DLDataType dtype);

  // Memory (emit_memory.cc).
  std::string PointerTo(const tir::Buffer& buffer, const ffi::Object* node);
  CExpr ElementOf(const tir::Buffer& buffer, const CExpr& index, const ffi::Object* node);
  bool IsFlat(const tir::Buffer& buffer, const ffi::Object* node);
  static bool AreRegisters(const tir::Buffer& buffer);
  void DeclareRegisters(const tir::AllocBufferNode* op, const std::string& name);
  void AllocateOnHeap(const tir::AllocBufferNode* op, const std::string& type);

  // Checks of indices (emit_bounds_checks.cc).
  std::string ShownPlace(const ffi::Optional<ir::Span>& access) const;
  std::optional<std::string> CheckedExtent(const tir::Buffer& buffer);
  void AddCheck(const std::string& call);
  CExpr CheckedIndex(const tir::Buffer& buffer, const ir::PrimExpr& first, CExpr text,
                     int64_t count, const ffi::Optional<ir::Span>& span);
  void CheckLanes(const tir::Buffer& buffer, DLDataType dtype, CExpr* index, CExpr* mask,
                  const ffi::Optional<ir::Span>& span);
  void CheckPlacement(const tir::Buffer& buffer);

  // Calls (emit_call.cc).
  void NoteEffect();
  CExpr Effect(const tir::CallNode* op, const std::string& code);
  std::string Argument(const ir::PrimExpr& arg, const CExpr& text, const std::string& type);
  CExpr CallFunction(const tir::CallNode* op, const ir::GlobalVarNode* callee);
  CExpr CallOther(const tir::CallNode* op, const ir::GlobalVarNode* callee);
  CExpr CallExtern(const tir::CallNode* op);
  CExpr CallNamed(const tir::CallNode* op, const std::string& name, size_t first_arg);
  CExpr CallInfix(const tir::CallNode* op, const char* symbol, Binding binding);
  CExpr CallMath(const std::string& function, DLDataType dtype, const std::vector<CExpr>& args);
  CExpr CallLibrary(const std::string& function, DLDataType dtype, const std::vector<CExpr>& args);
  std::string UseMath(const MathFunction& math, int lanes);
  std::string UseMathOutOfLine(const MathFunction& math, int lanes);
  CExpr CallMathFunction(const tir::CallNode* op, const MathFunction& math);
  CExpr CallTable(const tir::CallNode* op, const Intrinsic& intrinsic);
  CExpr CallIntrinsic(const tir::CallNode* op, std::string_view name);
  CExpr CallNumeric(const tir::CallNode* op, std::string_view name);

  // Loops on several threads (emit_parallel.cc).
  CExpr ParallelFor(const tir::CallNode* op);
  void EmitPart(const Signature& callee, const std::string& name);

  // Global functions (emit_packed.cc).
  std::string TensorNumbers(const std::string& name, const ir::PrimExpr& expr);
  std::string EmitTensor(const tir::CallNode* op);
  std::string EmitBoxed(const ir::PrimExpr& arg);
  CExpr Unboxed(const tir::CallNode* op, const std::string& shown, const std::string& answer);
  CExpr CallPacked(const tir::CallNode* op);

  // Objects (emit_object.cc).
  std::string ShownName() const;
  CExpr GetField(const tir::CallNode* op);
  CExpr ObjectField(const tir::CallNode* op);
  CExpr AsObject(const tir::CallNode* op);
  CExpr IsObject(const tir::CallNode* op);
  CExpr ArraySize(const tir::CallNode* op);
  CExpr ArrayItem(const tir::CallNode* op);

  // Intrinsics with methods of their own (emit_intrinsic.cc).
  DLDataType PointeeOf(const ir::PrimExpr& address) const;
  CExpr AccessPtr(const tir::CallNode* op);
  CExpr AddressOf(const tir::CallNode* op);
  CExpr UncheckedAddressOf(const tir::CallNode* op);
  CExpr AtomicAdd(const tir::CallNode* op);
  CExpr ConstantData(const tir::CallNode* op);
  CExpr BitwiseNot(const tir::CallNode* op);
  CExpr IfThenElse(const tir::CallNode* op);
  CExpr IsNull(const tir::CallNode* op);
  CExpr Likely(const tir::CallNode* op);
  CExpr MemoryBarrier(const tir::CallNode* op);
  CExpr Nonzero(const tir::CallNode* op);
  CExpr Nothing(const tir::CallNode* op);
  CExpr Power(const tir::CallNode* op);
  CExpr Prefetch(const tir::CallNode* op);
  CExpr Reinterpret(const tir::CallNode* op);
  CExpr Returned(const tir::CallNode* op);

  ModuleContext* context_;
  const Signature* signature_;
  CWriter lines_;
  /*! \brief The functions that the pool of threads calls, which precede this one. */
  CWriter parts_;
  /*! \brief The writer of lines: that of the function, or of a conditional expression. */
  CWriter* writer_;
  Names names_;
  std::vector<OpenBlock> blocks_;
  std::unordered_map<const tir::VarNode*, std::string> variables_;
  std::unordered_map<const tir::VarNode*, Pointer> pointers_;
  /*! \brief Pointers for buffers whose data type is not that of their data pointer. */
  std::unordered_map<const tir::BufferNode*, std::string> views_;
  /*! \brief The arrays of vectors of buffers in registers. */
  std::unordered_map<const tir::BufferNode*, std::string> registers_;
  /*! \brief The elements at which data pointers point into other buffers. */
  std::unordered_map<const tir::VarNode*, const tir::BufferLoadNode*> placements_;
  /*! \brief The bits of a lane of variables that hold masks. */
  std::unordered_map<const tir::VarNode*, int> masks_;
  /*! \brief Variables that are indices and not negative. */
  std::unordered_set<const tir::VarNode*> non_negative_;
  /*! \brief The variables of 32 bits that are declared with 64. */
  std::unordered_set<const tir::VarNode*> index_variables_;
  /*! \brief Whether calls of mathematics on vectors are not inlined. */
  bool calls_math_out_of_line_ = false;
  /*! \brief A call whose value is not used. */
  const tir::CallNode* discarded_ = nullptr;
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
  int64_t stack_bytes_ = 0;
  /*! \brief Whether the rest of the block is unreachable. */
  bool has_jumped_ = false;
};

}  // namespace uir::target

#endif  // UIR_TARGET_FUNCTION_EMITTER_H_
