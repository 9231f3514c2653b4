// The registry of options.
#include <tvm/ffi/error.h>
#include <uir/transform/config.h>
#include <uir/transform/pass_config.h>

#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "./options.h"
#include "./registered.h"

namespace uir::transform {

namespace {

struct Option {
  ffi::String type_name;
  std::string place;
};

Registered<Option>& Options() {
  static auto* const options = new Registered<Option>("option");
  return *options;
}

ffi::Any Checked(const ffi::String& name, const ffi::Any& value) {
  const Option option = Options().Get(name, "PassContext: ");
  ffi::Any converted = ConvertOption(value, option.type_name);
  if (converted == nullptr && value != nullptr) {
    TVM_FFI_THROW(TypeError) << "PassContext: option `" << name << "` must be of type `"
                             << option.type_name << "`, got `" << value.GetTypeKey() << "`";
  }
  return converted;
}

}  // namespace

ffi::Map<ffi::String, ffi::Any> CheckedConfig(const ffi::Map<ffi::String, ffi::Any>& config) {
  ffi::Map<ffi::String, ffi::Any> checked;
  bool is_changed = false;
  for (const auto& [name, value] : config) {
    ffi::Any converted = Checked(name, value);
    is_changed |= converted.type_index() != value.type_index();
    checked.Set(name, std::move(converted));
  }
  return is_changed ? checked : config;
}

ffi::Any find_option(PassContext context, ffi::String name) {
  const auto found = context->config.find(name);
  return Checked(name, found == context->config.end() ? ffi::Any() : (*found).second);
}

void AddOptionProvider(const OptionProvider& provider) noexcept {
  Options().AddLate(provider.name, {provider.type_name, PlaceOf(provider.file, provider.line)});
}

void register_option(ffi::String name, ffi::String type_name, ffi::String place) {
  if (!IsOptionType(type_name)) {
    TVM_FFI_THROW(ValueError) << "option `" << name << "` must be of type `bool`, `int`, `float`, "
                              << "`str` or of an object type, got `" << type_name << "`";
  }
  Options().Add(name, {std::move(type_name), std::string(place)});
}

ffi::Map<ffi::String, ffi::String> list_options() {
  ffi::Map<ffi::String, ffi::String> listed;
  for (const auto& [name, option] : Options().All()) listed.Set(name, option.type_name);
  return listed;
}

}  // namespace uir::transform
