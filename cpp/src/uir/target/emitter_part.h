/*!
 * \file emitter_part.h
 * \brief The base of the emitters of one function: its state, its names, and reports of problems.
 */
#ifndef UIR_TARGET_EMITTER_PART_H_
#define UIR_TARGET_EMITTER_PART_H_

#include <string>

#include "./c_expr.h"
#include "./function_state.h"

namespace uir::target {

/*! \brief One emitter of several; it refers to the others by `scalars()`, `memory()` and so on. */
class EmitterPart {
 public:
  explicit EmitterPart(FunctionState* state)
      : state_(*state),
        context_(state->context),
        signature_(state->signature),
        names_(state->names),
        writer_(state->writer) {}
  EmitterPart(const EmitterPart&) = delete;
  EmitterPart& operator=(const EmitterPart&) = delete;

  /*! \brief Report that C cannot express a node. */
  void Report(const ffi::Object* node, std::string message);
  /*! \brief Report that C cannot express a node; return a placeholder. */
  CExpr Refuse(const ffi::Object* node, std::string message);
  /*! \brief Report arithmetic on `bfloat16`. */
  CExpr RefuseBFloat16(const ffi::Object* node);
  /*! \brief The type of a data type in C; reports a data type without one. */
  std::string TypeOf(const ffi::Object* node, DLDataType dtype);
  /*! \brief Take a name for a variable. */
  std::string Declare(const tir::VarNode* var);
  /*! \brief Add a line that gives a variable of the function its value. */
  void DeclareConst(const tir::VarNode* var, const CExpr& value);
  /*! \brief The type of a variable that holds a value; masks are vectors of integers. */
  std::string DeclaredType(const ffi::Object* node, DLDataType dtype, int mask_bits);
  /*! \brief `const ` for a pointer to elements that the function does not write. */
  std::string ConstOf(const tir::VarNode* data) const;

 protected:
  StatementEmitter& statements() { return *state_.statements; }
  ScalarEmitter& scalars() { return *state_.scalars; }
  VectorEmitter& vectors() { return *state_.vectors; }
  MemoryEmitter& memory() { return *state_.memory; }
  CallEmitter& calls() { return *state_.calls; }

  FunctionState& state_;
  ModuleContext* const context_;
  const Signature* const signature_;
  Names& names_;
  CWriter*& writer_;
};

}  // namespace uir::target

#endif  // UIR_TARGET_EMITTER_PART_H_
