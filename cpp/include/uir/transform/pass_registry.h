/*!
 * \file uir/transform/pass_registry.h
 * \brief Registration of a library's passes, declared or not.
 *
 * The functions of `uir/transform/registry.h` are the registry itself.
 */
#ifndef UIR_TRANSFORM_PASS_REGISTRY_H_
#define UIR_TRANSFORM_PASS_REGISTRY_H_

#include <tschema/callable.h>
#include <tvm/ffi/function.h>
#include <uir/transform/registry.h>

namespace uir::transform {

/*! \brief A registration from a static initializer, which must not throw. */
struct PassProvider {
  const char* name;
  ffi::Function (*factory)();
  const char* file;
  int line;
};

/*!
 * \brief Register a pass before the next query of the registry.
 *
 * A second pass with the same name is an error that `tschema::CheckRegistration` and lookups of the
 * name raise.
 */
void AddPassProvider(const PassProvider& provider) noexcept;

/*! \brief A pass that a declared function makes. */
struct PassRow {
  /*! \brief The pass's name. */
  const char* name;
  /*! \brief The global name of the function. */
  const char* function;
};

/*!
 * \brief Register declared passes, from a static initializer.
 * \param passes Must live as long as the process.
 * \param place The schema file that declares them.
 */
void AddPasses(tschema::Rows<PassRow> passes, const char* place) noexcept;

}  // namespace uir::transform

#define UIR_TRANSFORM_CONCAT_(a, b) a##b
#define UIR_TRANSFORM_CONCAT(a, b) UIR_TRANSFORM_CONCAT_(a, b)

/*!
 * \brief Register a pass by a name, at namespace scope.
 *
 * \code
 *   UIR_TRANSFORM_REGISTER_PASS("toy.Simplify", MakeSimplify);
 * \endcode
 *
 * \param name The pass's name, a literal; one outside uir begins with its package's.
 * \param factory A function that makes the pass, of any arguments.
 */
#define UIR_TRANSFORM_REGISTER_PASS(name, factory)                                       \
  [[maybe_unused]] static const bool UIR_TRANSFORM_CONCAT(uir_pass_, __COUNTER__) = [] { \
    auto make = [] { return ::tvm::ffi::Function::FromTyped(factory, name); };           \
    ::uir::transform::AddPassProvider({name, make, __FILE__, __LINE__});                 \
    return true;                                                                         \
  }()

#endif  // UIR_TRANSFORM_PASS_REGISTRY_H_
