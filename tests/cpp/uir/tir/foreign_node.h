/*!
 * \file foreign_node.h
 * \brief An expression of another package, which uir's functors do not know.
 */
#ifndef UIR_TESTS_TIR_FOREIGN_NODE_H_
#define UIR_TESTS_TIR_FOREIGN_NODE_H_

#include <tvm/ffi/container/array.h>
#include <tvm/ffi/memory.h>
#include <tvm/ffi/optional.h>
#include <uir/ir/expr.h>
#include <uir/tir/var.h>

#include <optional>
#include <utility>

namespace foreign {

namespace ffi = ::tvm::ffi;

/*! \brief `(a * b) + c`, all at once; registered without tschema. */
class FusedNode : public uir::ir::PrimExprNode {
 public:
  ffi::Array<uir::ir::PrimExpr> factors;
  ffi::Optional<uir::ir::PrimExpr> addend;

  FusedNode(ffi::Array<uir::ir::PrimExpr> factors, ffi::Optional<uir::ir::PrimExpr> addend)
      : PrimExprNode(factors[0]->dtype, std::nullopt),
        factors(std::move(factors)),
        addend(std::move(addend)) {}

  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("foreign.Fused", FusedNode, uir::ir::PrimExprNode);
};

class Fused : public uir::ir::PrimExpr {
 public:
  Fused(ffi::Array<uir::ir::PrimExpr> factors, ffi::Optional<uir::ir::PrimExpr> addend)
      : PrimExpr(ffi::UnsafeInit{}) {
    data_ = ffi::make_object<FusedNode>(std::move(factors), std::move(addend));
  }
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Fused, uir::ir::PrimExpr, FusedNode);
};

/*! \brief A variable with something more, below a type that uir's functors know. */
class TracedVarNode : public uir::tir::VarNode {
 public:
  explicit TracedVarNode(ffi::String name)
      : VarNode(std::move(name), DLDataType{kDLInt, 32, 1}, std::nullopt, std::nullopt) {}

  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("foreign.TracedVar", TracedVarNode, uir::tir::VarNode);
};

class TracedVar : public uir::tir::Var {
 public:
  explicit TracedVar(ffi::String name) : Var(ffi::UnsafeInit{}) {
    data_ = ffi::make_object<TracedVarNode>(std::move(name));
  }
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(TracedVar, uir::tir::Var, TracedVarNode);
};

}  // namespace foreign

#endif  // UIR_TESTS_TIR_FOREIGN_NODE_H_
