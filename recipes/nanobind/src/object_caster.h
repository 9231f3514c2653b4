// Lets functions of nanobind take and return the references of tvm-ffi: `toy::Color`.
#ifndef OBJECT_CASTER_H_
#define OBJECT_CASTER_H_

#include <nanobind/nanobind.h>
#include <tvm/ffi/any.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/object.h>

#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

namespace object_caster {

// What Python takes next: nanobind knows no way to make an object of tvm-ffi, a function of tvm-ffi
// does.
inline thread_local tvm::ffi::Any returned;

inline nanobind::object ToPython(tvm::ffi::Any value) {
  constexpr const char* kName = "object_caster.take";
  static const bool registered = [] {
    tvm::ffi::Function::SetGlobal(kName, tvm::ffi::Function::FromTyped([] {
                                    return std::exchange(returned, tvm::ffi::Any());
                                  }),
                                  /*override=*/true);
    return true;
  }();
  (void)registered;
  returned = std::move(value);
  return nanobind::module_::import_("tvm_ffi").attr("get_global_func")(kName)();
}

// The object, or nothing if it is none of tvm-ffi's or of another class.
template <typename Ref>
std::optional<Ref> FromPython(nanobind::handle source) {
  if (!nanobind::hasattr(source, "__chandle__")) return std::nullopt;
  const auto address = nanobind::cast<std::uintptr_t>(source.attr("__chandle__")());
  if (address == 0) return std::nullopt;
  TVMFFIAny raw = {};
  raw.v_obj = reinterpret_cast<TVMFFIObject*>(address);
  raw.type_index = raw.v_obj->type_index;
  return tvm::ffi::AnyView::CopyFromTVMFFIAny(raw).try_cast<Ref>();
}

}  // namespace object_caster

namespace nanobind::detail {

template <typename Ref>
struct type_caster<Ref, enable_if_t<std::is_base_of_v<tvm::ffi::ObjectRef, Ref>>> {
  static constexpr auto Name = const_name("tvm_ffi.Object");
  template <typename T>
  using Cast = Ref;
  template <typename T>
  static constexpr bool can_cast() {
    return true;
  }

  std::optional<Ref> value;

  bool from_python(handle source, uint8_t, cleanup_list*) noexcept {
    try {
      value = object_caster::FromPython<Ref>(source);
    } catch (...) {
      PyErr_Clear();
      value.reset();
    }
    return value.has_value();
  }

  static handle from_cpp(const Ref& ref, rv_policy, cleanup_list*) noexcept {
    try {
      return object_caster::ToPython(ref).release();
    } catch (python_error& error) {
      error.restore();
      return {};
    }
  }

  operator Ref() { return *value; }
};

}  // namespace nanobind::detail

#endif  // OBJECT_CASTER_H_
