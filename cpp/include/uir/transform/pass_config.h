/*!
 * \file uir/transform/pass_config.h
 * \brief Options of passes: declared as fields, or registered by name; set in a `PassContext`.
 *
 * \code
 *   const auto options = OptionsOf<UnrollLoopOptions>(context);
 *   if (count <= options->auto_max_extent) ...
 * \endcode
 *
 * A pass without a declaration registers its options one by one:
 *
 * \code
 *   UIR_TRANSFORM_REGISTER_OPTION("toy.Unroll.max_step", int64_t);
 *   int64_t max_step = GetOption<int64_t>(context, "toy.Unroll.max_step", 16);
 * \endcode
 */
#ifndef UIR_TRANSFORM_PASS_CONFIG_H_
#define UIR_TRANSFORM_PASS_CONFIG_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/object.h>
#include <tvm/ffi/string.h>
#include <uir/transform/config.h>
#include <uir/transform/context.h>

#include <cstdint>
#include <type_traits>
#include <utility>

namespace uir::transform {

/*! \brief A registration from a static initializer, which must not throw. */
struct OptionProvider {
  const char* name;
  /*! \brief `bool`, `int`, `float`, `str`, or the type key of an object. */
  const char* type_name;
  const char* file;
  int line;
};

/*!
 * \brief Register an option of contexts.
 *
 * A second option with the same name is an error that `tschema::CheckRegistration` raises.
 */
void AddOptionProvider(const OptionProvider& provider) noexcept;

/*! \brief The type name of options of type `T`. */
template <typename T>
constexpr const char* OptionTypeName() {
  if constexpr (std::is_same_v<T, bool>) return "bool";
  if constexpr (std::is_same_v<T, int64_t>) return "int";
  if constexpr (std::is_same_v<T, double>) return "float";
  if constexpr (std::is_same_v<T, ffi::String>) return "str";
  if constexpr (std::is_base_of_v<ffi::ObjectRef, T>) return T::ContainerType::_type_key;
}

/*!
 * \brief Return the options of a pass; those that the context does not set have their defaults.
 * \tparam Options A declared subclass of `PassOptions`.
 * \param context The context.
 * \throws TypeError, ValueError if a value that was set after construction is invalid.
 */
template <typename Options>
Options OptionsOf(const PassContext& context) {
  return ffi::Any(options_of(context, Options::ContainerType::_type_key)).cast<Options>();
}

/*!
 * \brief Return an option.
 * \tparam T The registered type of the option.
 * \param context The context.
 * \param name The option's name.
 * \param fallback The result if the context does not set the option.
 * \return The option's value.
 * \throws ValueError if the option is not registered.
 * \throws TypeError if the option is of another type.
 */
template <typename T>
T GetOption(const PassContext& context, const char* name, T fallback) {
  ffi::Any value = find_option(context, name);
  return value == nullptr ? std::move(fallback) : std::move(value).cast<T>();
}

}  // namespace uir::transform

#define UIR_TRANSFORM_OPTION_CONCAT_(a, b) a##b
#define UIR_TRANSFORM_OPTION_CONCAT(a, b) UIR_TRANSFORM_OPTION_CONCAT_(a, b)

/*!
 * \brief Register an option of a pass, at namespace scope.
 * \param name The option's name, a literal: that of the pass, a dot, its own.
 * \param type `bool`, `int64_t`, `double`, `ffi::String` or an object reference.
 */
#define UIR_TRANSFORM_REGISTER_OPTION(name, type)                                                 \
  [[maybe_unused]] static const bool UIR_TRANSFORM_OPTION_CONCAT(uir_option_, __COUNTER__) = [] { \
    ::uir::transform::AddOptionProvider(                                                          \
        {name, ::uir::transform::OptionTypeName<type>(), __FILE__, __LINE__});                    \
    return true;                                                                                  \
  }()

#endif  // UIR_TRANSFORM_PASS_CONFIG_H_
