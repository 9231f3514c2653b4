/*!
 * \file call_emitter.h
 * \brief Calls: of functions of the module and of other libraries, and of intrinsics.
 */
#ifndef UIR_TARGET_CALL_EMITTER_H_
#define UIR_TARGET_CALL_EMITTER_H_

#include <uir/tir/call.h>

#include <string>
#include <string_view>
#include <vector>

#include "./emitter_part.h"
#include "./intrinsics.h"
#include "./math_function.h"

namespace uir::target {

/*! \brief Emits calls. */
class CallEmitter : public EmitterPart {
 public:
  using EmitterPart::EmitterPart;

  /*! \brief Emit a call of a function or an intrinsic. */
  CExpr EmitCall(const tir::CallNode* op);
  /*! \brief An argument of a function whose parameter has a type in C. */
  std::string Argument(const ir::PrimExpr& arg, const CExpr& text, const std::string& type);
  /*! \brief Call a function of `<math.h>` that rounds to the type of its arguments. */
  CExpr CallLibrary(const std::string& function, DLDataType dtype, const std::vector<CExpr>& args);
  /*! \brief The data type that an address points to; `void` if it is not known. */
  DLDataType PointeeOf(const ir::PrimExpr& address) const;

 private:
  CExpr Effect(const tir::CallNode* op, const std::string& code);
  CExpr CallFunction(const tir::CallNode* op, const ir::GlobalVarNode* callee);
  CExpr CallOther(const tir::CallNode* op, const ir::GlobalVarNode* callee);
  CExpr CallExtern(const tir::CallNode* op);
  CExpr CallNamed(const tir::CallNode* op, const std::string& name, size_t first_arg);
  CExpr CallInfix(const tir::CallNode* op, const char* symbol, Binding binding);
  CExpr CallMath(const std::string& function, DLDataType dtype, const std::vector<CExpr>& args);
  std::string UseMath(const MathFunction& math, int lanes);
  std::string UseMathOutOfLine(const MathFunction& math, int lanes);
  CExpr CallMathFunction(const tir::CallNode* op, const MathFunction& math);
  CExpr CallTable(const tir::CallNode* op, const Intrinsic& intrinsic);
  CExpr CallIntrinsic(const tir::CallNode* op, std::string_view name);
  CExpr CallNumeric(const tir::CallNode* op, std::string_view name);
  CExpr ParallelFor(const tir::CallNode* op);
  void EmitPart(const Signature& callee, const std::string& name);
  std::string TensorNumbers(const std::string& name, const ir::PrimExpr& expr);
  std::string EmitTensor(const tir::CallNode* op);
  CExpr AllocateOutput(const tir::CallNode* op);
  std::string EmitBoxed(const ir::PrimExpr& arg);
  CExpr Unboxed(const tir::CallNode* op, const std::string& shown, const std::string& answer);
  CExpr CallPacked(const tir::CallNode* op);
  std::string ShownName() const;
  CExpr GetField(const tir::CallNode* op);
  CExpr ObjectField(const tir::CallNode* op);
  CExpr AsObject(const tir::CallNode* op);
  CExpr IsObject(const tir::CallNode* op);
  CExpr ArraySize(const tir::CallNode* op);
  CExpr ArrayItem(const tir::CallNode* op);
  CExpr AccessPtr(const tir::CallNode* op);
  CExpr AddressOf(const tir::CallNode* op);
  CExpr UncheckedAddressOf(const tir::CallNode* op);
  CExpr AtomicAdd(const tir::CallNode* op);
  CExpr ConstantData(const tir::CallNode* op);
  CExpr BitwiseNot(const tir::CallNode* op);
  CExpr Dot4(const tir::CallNode* op);
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
  CExpr VLoad(const tir::CallNode* op);
};

}  // namespace uir::target

#endif  // UIR_TARGET_CALL_EMITTER_H_
