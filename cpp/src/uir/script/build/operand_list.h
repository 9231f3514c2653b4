/*!
 * \file operand_list.h
 * \brief Operands of a call, some of which are given by name.
 */
#ifndef UIR_SCRIPT_BUILD_OPERAND_LIST_H_
#define UIR_SCRIPT_BUILD_OPERAND_LIST_H_

#include <uir/ir/expr.h>
#include <uir/ir/op.h>

#include <optional>
#include <vector>

#include "./builder_state.h"

namespace uir::script {

/*! \brief The operands of a call, some of them by their names. */
class OperandList {
 public:
  OperandList(Builder* builder, const SyntaxNode* call, const ir::RelayExpr& callee)
      : builder_(builder), call_(call), op_(callee.as<ir::OpNode>()) {}

  void Add(const SyntaxNode* argument);
  void AddNamed(const SyntaxNode* argument);

  /*! \brief The operands in order; an error at the call if one is missing. */
  ffi::Array<ir::PrimExpr> Take() const;

 private:
  size_t PlaceOf(const SyntaxNode* argument) const;
  ir::PrimExpr Built(const SyntaxNode* value) const;
  void Put(size_t place, const SyntaxNode* argument, const SyntaxNode* value);

  Builder* builder_;
  const SyntaxNode* call_;
  const ir::OpNode* op_;
  std::vector<std::optional<ir::PrimExpr>> operands_;
};

}  // namespace uir::script

#endif  // UIR_SCRIPT_BUILD_OPERAND_LIST_H_
