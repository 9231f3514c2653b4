#pragma once
#include <tvm/ffi/tvm_ffi.h>

#include <string>

#include <memory>
#include <vector>

namespace toy {
namespace cfg {
using namespace tvm::ffi;

class ImplObj;

/*!
 * \brief Options.
 */
class OptionsObj : public Object {
 public:
  /// Level of detail.
  int level = 1;
  double ratio{0.5};           // plain comment
  bool flag = false;           //!< Whether it is on.
  DLDevice device{kDLCPU, 0};
  Array<String> names;

  OptionsObj() = default;
  explicit OptionsObj(int level, double ratio = 0.5)
      : level(level), ratio(ratio) {}
  virtual ~OptionsObj() = default;
  virtual std::string Describe() const {
    std::string text = "class X {";
    return text + "}";
  }

  static constexpr bool _type_mutable = true;
  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindUnsupported;
  TVM_FFI_DECLARE_OBJECT_INFO("toy.cfg.Options", OptionsObj, Object);

 protected:
  std::vector<int> seen_;
};

class Options : public ObjectRef {
 public:
  Options() : ObjectRef(make_object<OptionsObj>()) {}
  explicit Options(ObjectPtr<OptionsObj> n) : ObjectRef(std::move(n)) {}
  OptionsObj* operator->() { return static_cast<OptionsObj*>(data_.get()); }
  const OptionsObj* operator->() const { return static_cast<const OptionsObj*>(data_.get()); }
  using ContainerType = OptionsObj;
  static constexpr bool _type_is_nullable = false;
};

class FastOptionsObj final : public OptionsObj {
 public:
  int64_t threads = 8;
  std::string Describe() const override { return "fast"; }
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("toy.cfg.FastOptions", FastOptionsObj, OptionsObj);
};

inline int Count() { return 3; }

TVM_FFI_STATIC_INIT_BLOCK() {
  namespace refl = reflection;
  refl::ObjectDef<OptionsObj>()
      .def(refl::init<int, double>())
      .def_rw("level", &OptionsObj::level, "Level of detail.", refl::default_value(1))
      .def_rw("ratio", &OptionsObj::ratio)
      .def_rw("flag", &OptionsObj::flag, refl::kw_only(true))
      .def_ro("names", &OptionsObj::names, refl::default_factory(Function::FromTyped([]() { return Array<String>(); })))
      .def("describe", [](const OptionsObj* self) { return String(self->Describe()); });
  refl::ObjectDef<FastOptionsObj>(refl::init(false)).def_rw("threads", &FastOptionsObj::threads);
  refl::TypeAttrDef<OptionsObj>().def("__ffi_repr__", [](ObjectRef, Function) { return String("options"); });
  refl::TypeAttrDef<OptionsObj>().attr("toy.cfg.rank", 3);
  refl::GlobalDef().def("toy.cfg.count", Count);
}

}  // namespace cfg
}  // namespace toy
