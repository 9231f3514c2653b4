// The registry of options.
#include <tvm/ffi/error.h>
#include <uir/ir/type_name.h>
#include <uir/transform/config.h>
#include <uir/transform/pass_config.h>

#include <optional>
#include <set>
#include <string>
#include <utility>

#include "./declared_options.h"
#include "./options.h"
#include "./registered.h"

namespace uir::transform {

namespace {

struct Option {
  ffi::String type_name;
  std::string place;
  std::optional<DeclaredOption> declared;
};

Registered<Option>& Options() {
  static auto* const options = new Registered<Option>("option");
  return *options;
}

void AddDeclaredOptions() {
  ForNewOptions([](const DeclaredOption& option) {
    std::string place = "`" + std::string(option.type->key) + "`";
    Options().AddLate(option.Name(), {option.TypeName(), std::move(place), option});
  });
}

Option OptionOf(const ffi::String& name) {
  if (!Options().Has(name)) AddDeclaredOptions();
  return Options().Get(name, "PassContext: ");
}

ffi::Any ConvertedValue(const ffi::Any& value, const Option& option) {
  ffi::Any converted = ConvertOption(value, option.type_name);
  if (converted != nullptr || !option.declared) return converted;
  return option.declared->field->type->Accepts(value) ? value : converted;
}

ffi::Any Checked(const ffi::String& name, const ffi::Any& value) {
  const Option option = OptionOf(name);
  ffi::Any converted = ConvertedValue(value, option);
  if (converted == nullptr && value != nullptr) {
    TVM_FFI_THROW(TypeError) << "PassContext: option `" << name << "` must be of type `"
                             << option.type_name << "`, got `" << ir::TypeNameOf(value) << "`";
  }
  return converted;
}

PassOptions OptionsIn(const ffi::Map<ffi::String, ffi::Any>& config,
                      const tschema::TypeInfo& type) {
  return MakeOptions(type, [&](const DeclaredOption& option) {
    const std::string name = option.Name();
    const auto found = config.find(name);
    return found == config.end() ? option.Default() : Checked(name, (*found).second);
  });
}

}  // namespace

ffi::Map<ffi::String, ffi::Any> CheckedConfig(const ffi::Map<ffi::String, ffi::Any>& config) {
  ffi::Map<ffi::String, ffi::Any> checked;
  std::set<const tschema::TypeInfo*> types;
  bool is_changed = false;
  for (const auto& [name, value] : config) {
    ffi::Any converted = Checked(name, value);
    is_changed |= converted.type_index() != value.type_index();
    checked.Set(name, std::move(converted));
    const Option option = OptionOf(name);
    if (option.declared) types.insert(option.declared->type);
  }
  // The constructors of options check ranges, and run `PostInit`.
  for (const tschema::TypeInfo* type : types) OptionsIn(checked, *type);
  return is_changed ? checked : config;
}

ffi::Any find_option(PassContext context, ffi::String name) {
  const auto found = context->config.find(name);
  if (found != context->config.end()) return Checked(name, (*found).second);
  const Option option = OptionOf(name);
  return option.declared ? option.declared->Default() : ffi::Any();
}

PassOptions options_of(PassContext context, ffi::String type_key) {
  return OptionsIn(context->config, OptionsTypeOf(type_key));
}

void AddOptionProvider(const OptionProvider& provider) noexcept {
  Options().AddLate(provider.name, {provider.type_name, PlaceOf(provider.file, provider.line), {}});
}

void register_option(ffi::String name, ffi::String type_name, ffi::String place) {
  if (!IsOptionType(type_name)) {
    TVM_FFI_THROW(ValueError) << "option `" << name << "` must be of type `bool`, `int`, `float`, "
                              << "`str` or of an object type, got `" << type_name << "`";
  }
  AddDeclaredOptions();
  Options().Add(name, {std::move(type_name), std::string(place), {}});
}

ffi::Map<ffi::String, ffi::String> list_options() {
  AddDeclaredOptions();
  ffi::Map<ffi::String, ffi::String> listed;
  for (const auto& [name, option] : Options().All()) listed.Set(name, option.type_name);
  return listed;
}

}  // namespace uir::transform
