/*!
 * \file uir/ir/verifier.h
 * \brief How a dialect has its functions checked by `uir::ir::verify`.
 *
 * `uir::ir` checks what all functions have in common.  A dialect adds a checker for its type of
 * function, which reports everything that is wrong and goes on:
 *
 * \code
 *   void CheckFunction(const ir::BaseFunc& func, ir::Verifier* verifier) {
 *     if (...) verifier->Report(node, "`x` must be ..., got ...");
 *   }
 *   TVM_FFI_STATIC_INIT_BLOCK() { ir::AddFunctionChecker("toy.Function", &CheckFunction); }
 * \endcode
 */
#ifndef UIR_IR_VERIFIER_H_
#define UIR_IR_VERIFIER_H_

#include <tvm/ffi/container/array.h>
#include <tvm/ffi/object.h>
#include <uir/ir/diagnostics.h>
#include <uir/ir/function.h>
#include <uir/ir/module.h>

#include <string>
#include <unordered_map>
#include <vector>

namespace uir::ir {

/*! \brief Gathers what is wrong with a module. */
class Verifier {
 public:
  /*! \brief Another place that a problem has to do with. */
  struct Place {
    const ffi::Object* node;
    std::string message;
  };

  explicit Verifier(IRModule module) : module_(std::move(module)) {}

  const IRModule& module() const { return module_; }

  /*!
   * \brief Report a problem.
   * \param node What it is about: the function that is checked, or something below it.
   * \param message What was found and what was expected.
   * \param places Other places that it has to do with, below the same function.
   */
  void Report(const ffi::Object* node, std::string message, std::vector<Place> places = {});

  /*!
   * \brief Where each variable of any function was bound first, by the variable.
   *
   * Functions of several dialects share it, as a variable belongs to one function.
   */
  std::unordered_map<const ffi::Object*, const ffi::Object*>& bindings() { return bindings_; }

  /*! \brief Check everything, and return what was reported. */
  ffi::Array<Diagnostic> Run();

 private:
  struct Problem {
    ffi::ObjectRef root;
    const ffi::Object* node;
    std::string message;
    std::vector<Place> places;
  };

  void CheckName(const GlobalVar& var, const BaseFunc& func);
  ffi::Array<Diagnostic> Diagnostics() const;

  IRModule module_;
  /*! \brief The function that is checked at present; none for the module itself. */
  ffi::ObjectRef root_;
  std::vector<Problem> problems_;
  std::unordered_map<const ffi::Object*, const ffi::Object*> bindings_;
  std::unordered_map<std::string, GlobalVar> symbols_;
};

/*! \brief Reports what is wrong with a function. */
using FunctionChecker = void (*)(const BaseFunc& func, Verifier* verifier);

/*!
 * \brief Have the functions of a type checked; what a library does in a static initializer.
 * \param type_key Key of the type; functions of types below it are checked too.
 * \param checker What checks one of them.
 */
void AddFunctionChecker(const char* type_key, FunctionChecker checker) noexcept;

}  // namespace uir::ir

#endif  // UIR_IR_VERIFIER_H_
