/*!
 * \file instantiator.h
 * \brief Copies of bindings with new variables, for other operands and other dimensions.
 */
#ifndef UIR_TRANSFORM_REWRITE_INSTANTIATOR_H_
#define UIR_TRANSFORM_REWRITE_INSTANTIATOR_H_

#include <tschema/map.h>
#include <uir/ir/tensor_type.h>
#include <uir/tir/var.h>
#include <uir/transform/binding_rewriter.h>

#include <unordered_map>
#include <utility>
#include <vector>

namespace uir::transform {

/*! \brief The dimensions that replace the variables of shapes. */
class Dimensions {
 public:
  /*! \brief Bind the variables that are dimensions of a type to the dimensions of another type. */
  void Bind(const ir::Type& expected, const ir::Type& found);
  /*! \brief Bind each variable that is a dimension of a type to a new one of the same name. */
  void BindNew(const ir::Type& type);
  /*! \brief Bind a variable to a new one of the same name. */
  void BindNew(const tir::VarNode* var);
  /*!
   * \brief Bind each dimension of a type with unbound variables, such as `n * 4`, to a new
   * variable, even if the unbound variables are bound later.
   *
   * Dimensions that are proved equal get the same variable.
   */
  void BindNewCompounds(const ir::Type& type);
  /*! \brief Whether a variable is from `BindNewCompounds`, and its dimensions are proved equal to a
   * value in other such variables. */
  bool MayDefine(const ir::PrimExpr& var, const ir::PrimExpr& value) const;
  /*! \brief Replace a variable of `BindNewCompounds` by a value. */
  void Define(const ir::PrimExpr& var, const ir::PrimExpr& value);
  bool empty() const { return values_.empty() && compounds_.empty(); }
  /*! \brief Whether a variable is bound. */
  bool Has(const ffi::Object* var) const { return values_.count(var) != 0; }

  /*! \brief A type, or attributes, with variables replaced by dimensions. */
  template <typename Ref>
  ffi::Optional<Ref> In(const ffi::Optional<Ref>& value) const {
    if (empty() || !value.has_value()) return value;
    const auto replace = [this](const ir::PrimExprNode* part) { return Replacement(part); };
    return tschema::Map(value.value(), replace);
  }

 private:
  ffi::Optional<ir::PrimExpr> Replacement(const ir::PrimExprNode* part) const;

  std::unordered_map<const ffi::Object*, ir::PrimExpr> values_;
  ffi::Optional<ir::PrimExpr> ValueOf(const ir::PrimExprNode* var) const;

  /*! \brief A dimension, also with its bound variables replaced, and its new variable or value. */
  struct Compound {
    ir::PrimExpr dimension;
    ir::PrimExpr replaced;
    ir::PrimExpr by;
  };
  const Compound* CompoundOf(const ir::PrimExpr& var) const;
  std::vector<Compound> compounds_;
};

/*!
 * \brief Copies bindings with new variables, whose types are inferred from the new operands.
 *
 * Call `Replace` for each free variable of the bindings.
 */
class Instantiator : public BindingRewriter {
 public:
  using BindingRewriter::emitted;
  using BindingRewriter::Replace;
  using BindingRewriter::UseOf;

  Dimensions& dimensions() { return dimensions_; }

  /*! \brief The body of a function, with arguments for its parameters. */
  relay::Block Body(const relay::Function& func, const ffi::Array<ir::RelayExpr>& args);
  void RewriteBinding(const relay::Binding& binding) override;

 protected:
  ir::RelayExpr VisitCall(const relay::CallNode* op) override;
  /*! \brief A new variable. */
  relay::Var ParamFor(const relay::Var& param, const ir::RelayExpr& initial) override;

 private:
  Dimensions dimensions_;
};

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_REWRITE_INSTANTIATOR_H_
