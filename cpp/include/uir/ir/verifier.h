/*!
 * \file uir/ir/verifier.h
 * \brief Registration of the checks of a dialect with `uir::ir::verify`.
 *
 * `uir::ir` checks rules for all functions. A dialect adds a checker for its type of function,
 * which reports every violation:
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

/*! \brief Collects the violations in a module. */
class Verifier {
 public:
  /*! \brief Another location of a violation. */
  struct Place {
    const ffi::Object* node;
    std::string message;
  };

  explicit Verifier(IRModule module) : module_(std::move(module)) {}

  const IRModule& module() const { return module_; }

  /*!
   * \brief Report a problem.
   * \param node The function, or a node in it.
   * \param message The found and the expected state.
   * \param places Other locations of the violation, in the same function.
   */
  void Report(const ffi::Object* node, std::string message, std::vector<Place> places = {});

  /*!
   * \brief The first binding of each variable.
   *
   * Functions of several dialects share it, because a variable belongs to one function.
   */
  std::unordered_map<const ffi::Object*, const ffi::Object*>& bindings() { return bindings_; }

  /*! \brief Run all checks, and return the violations. */
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
  /*! \brief The function being checked; none for the module itself. */
  ffi::ObjectRef root_;
  std::vector<Problem> problems_;
  std::unordered_map<const ffi::Object*, const ffi::Object*> bindings_;
  std::unordered_map<std::string, GlobalVar> symbols_;
};

/*! \brief Reports the violations in a function. */
using FunctionChecker = void (*)(const BaseFunc& func, Verifier* verifier);

/*!
 * \brief Register the checker of a type of function, in a static initializer.
 * \param type_key The type key; subtypes are checked too.
 * \param checker Checks one function.
 * \param stage A checker runs only if those of earlier stages report nothing for the function.
 */
void AddFunctionChecker(const char* type_key, FunctionChecker checker, int stage = 0) noexcept;

}  // namespace uir::ir

#endif  // UIR_IR_VERIFIER_H_
