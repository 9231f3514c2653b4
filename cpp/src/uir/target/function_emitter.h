/*!
 * \file function_emitter.h
 * \brief The text of one function.
 *
 * In: a function on scalars and flat buffers. Out: lines of C, from emitters of statements,
 * scalars, vectors, memory and calls.
 *
 * An expression becomes an expression of C, and lines before the statement that contains it: a
 * `Let` and the call of a function of the module are lines of their own. If an expression is only
 * evaluated under a condition, such lines are in the branch of an `if`.
 */
#ifndef UIR_TARGET_FUNCTION_EMITTER_H_
#define UIR_TARGET_FUNCTION_EMITTER_H_

#include <string>
#include <vector>

#include "./call_emitter.h"
#include "./memory_emitter.h"
#include "./scalar_emitter.h"
#include "./statement_emitter.h"
#include "./vector_emitter.h"

namespace uir::target {

/*! \brief Emits a function: its head, its body, and the functions for its parallel loops. */
class FunctionEmitter {
 public:
  FunctionEmitter(ModuleContext* context, const Signature* signature);

  /*! \brief Emit the function, and return its text. */
  std::string Run();

  /*! \brief Name a variable that has a value outside of the function. */
  void NameSize(const tir::VarNode* var, const std::string& name) { state_.variables[var] = name; }
  /*! \brief Emit an expression over such variables. */
  std::string EmitSize(const ir::PrimExpr& size) { return scalars_.EmitExact(size).code; }
  /*! \brief Emit the negated condition of an assertion, and the call that raises its error. */
  Failure EmitAssertion(const tir::AssertStmtNode* op) { return statements_.EmitAssertion(op); }

 private:
  std::string EmitWork(const ir::PrimExpr& work);
  void EmitProfile();
  std::vector<std::string> BindParameters();

  FunctionState state_;
  StatementEmitter statements_;
  ScalarEmitter scalars_;
  VectorEmitter vectors_;
  MemoryEmitter memory_;
  CallEmitter calls_;
};

}  // namespace uir::target

#endif  // UIR_TARGET_FUNCTION_EMITTER_H_
