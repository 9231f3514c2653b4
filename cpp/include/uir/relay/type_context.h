/*!
 * \file uir/relay/type_context.h
 * \brief The queries of relay's type inference about dimensions.
 *
 * The rules know dimensions only as expressions. The implementation, in `uir::transform`, computes
 * and compares them with the constructors of tir and the analyzer of arith.
 */
#ifndef UIR_RELAY_TYPE_CONTEXT_H_
#define UIR_RELAY_TYPE_CONTEXT_H_

#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/optional.h>
#include <uir/ir/expr.h>
#include <uir/ir/scalar_op.h>

#include <cstdint>
#include <memory>

namespace uir::relay {

namespace ffi = ::tvm::ffi;

/*! \brief Whether a condition is proved, refuted, or neither. */
enum class Truth : uint8_t { kYes, kNo, kUnknown };

/*! \brief The types of the calls that one run of inference has seen. */
class TypeMemo;

/*! \brief Computes and compares dimensions that are not constant. */
class TypeContext {
 public:
  TypeContext();
  TypeContext(const TypeContext&) = delete;
  TypeContext& operator=(const TypeContext&) = delete;
  virtual ~TypeContext();

  /*! \brief The simplified result of an operation; `kNot` ignores the second operand. */
  virtual ir::PrimExpr Compute(ir::ScalarOp op, const ir::PrimExpr& a, const ir::PrimExpr& b) = 0;
  /*! \brief Whether a dimension is a variable, which a call of a function binds. */
  virtual bool IsVariable(const ir::PrimExpr& dimension) = 0;
  /*! \brief Replace variables of a dimension by values, and simplify it. */
  virtual ir::PrimExpr Substitute(const ir::PrimExpr& dimension,
                                  const ffi::Map<ir::PrimExpr, ir::PrimExpr>& values) = 0;
  /*! \brief Whether a boolean expression holds for all values of its variables. */
  virtual Truth Prove(const ir::PrimExpr& condition) = 0;

  /*!
   * \brief Whether a condition holds; one that is neither proved nor refuted is assumed.
   * \return False if it is refuted.
   */
  bool Require(const ir::PrimExpr& condition);
  /*! \brief Whether two dimensions are equal, or assumed to be. */
  bool RequireEqual(const ir::PrimExprNode* a, const ir::PrimExprNode* b);
  bool RequireEqual(const ir::PrimExpr& a, const ir::PrimExpr& b) {
    return RequireEqual(a.get(), b.get());
  }
  /*! \brief Whether a dimension is at most another one, or assumed to be. */
  bool RequireAtMost(const ir::PrimExpr& a, const ir::PrimExpr& b);
  /*! \brief Whether two dimensions are known to be equal. */
  bool AreEqual(const ir::PrimExpr& a, const ir::PrimExpr& b);

  /*! \brief The conditions assumed so far, which calls of the function must check. */
  const ffi::Array<ir::PrimExpr>& assumptions() const { return assumptions_; }
  /*! \brief The assumptions from a position on; None if empty. */
  ffi::Optional<ffi::Array<ir::PrimExpr>> AssumedSince(size_t begin) const;
  /*! \brief Assume conditions that an earlier inference could not decide either. */
  void Assume(const ffi::Array<ir::PrimExpr>& conditions);
  /*! \brief Forget the assumptions from a position on. */
  void ForgetSince(size_t begin);
  /*! \brief Forget the assumptions, for the next function. */
  void ClearAssumptions() {
    if (!assumptions_.empty()) assumptions_ = {};
  }

  /*!
   * \brief Run each rule once for each question from now on: calls of one operator on operands of
   * the same types, with equal attributes, share the object of their type.
   *
   * The stored types live as long as the context.
   */
  void RememberTypes();
  /*! \brief The stored types; null without a call of `RememberTypes`. */
  TypeMemo* memo() const { return memo_.get(); }

 private:
  ffi::Array<ir::PrimExpr> assumptions_;
  std::unique_ptr<TypeMemo> memo_;
};

/*! \brief Make a context; `uir::transform` implements it. */
std::unique_ptr<TypeContext> MakeTypeContext();

/*! \brief The context of the innermost scope of this thread, or the default one of the thread. */
TypeContext* CurrentTypeContext();

/*! \brief Makes a context current during its lifetime. */
class TypeContextScope {
 public:
  explicit TypeContextScope(TypeContext* context);
  ~TypeContextScope();
  TypeContextScope(const TypeContextScope&) = delete;
  TypeContextScope& operator=(const TypeContextScope&) = delete;

 private:
  TypeContext* outer_;
};

}  // namespace uir::relay

#endif  // UIR_RELAY_TYPE_CONTEXT_H_
