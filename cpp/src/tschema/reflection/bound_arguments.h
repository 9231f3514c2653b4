/*!
 * \file bound_arguments.h
 * \brief Arguments of a call that are fewer than the parameters, or named.
 */
#ifndef TSCHEMA_SRC_REFLECTION_BOUND_ARGUMENTS_H_
#define TSCHEMA_SRC_REFLECTION_BOUND_ARGUMENTS_H_

#include <tvm/ffi/any.h>

#include <cstdint>
#include <string>
#include <vector>

namespace tschema {

namespace ffi = ::tvm::ffi;

/*! \brief The parameters to which a call binds its arguments. */
class Signature {
 public:
  virtual ~Signature() = default;

  virtual const char* name() const = 0;
  virtual int32_t size() const = 0;
  virtual const char* ParameterName(int32_t index) const = 0;
  virtual bool HasDefault(int32_t index) const = 0;
  virtual ffi::Any MakeDefault(int32_t index) const = 0;
};

/*! \brief Whether the arguments are one for each parameter, in order. */
bool ArePositional(int32_t num_parameters, const TVMFFIAny* args, int32_t num_args);

/*! \brief Binds arguments, which may be named in tvm-ffi's keyword protocol, and adds defaults. */
class BoundArguments {
 public:
  /*!
   * \throws TypeError if an argument is missing, given twice, unknown, or too many.
   */
  BoundArguments(const Signature& signature, const TVMFFIAny* args, int32_t num_args);

  /*! \brief One for each parameter; they live as long as the call's own and this object. */
  const TVMFFIAny* values() const { return values_.data(); }

 private:
  void Give(int32_t index, const TVMFFIAny& value);
  void GiveNamed(const TVMFFIAny& key, const TVMFFIAny& value);
  void FillIn(int32_t index);
  [[noreturn]] void ThrowNoValue(const TVMFFIAny& key) const;
  [[noreturn]] void ThrowTooMany(int32_t num_args) const;

  const Signature& signature_;
  std::vector<TVMFFIAny> values_;
  std::vector<bool> given_;
  std::vector<ffi::Any> defaults_;
};

}  // namespace tschema

#endif  // TSCHEMA_SRC_REFLECTION_BOUND_ARGUMENTS_H_
