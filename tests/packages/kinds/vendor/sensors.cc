/*! \brief Classes in a source, which no header has. */
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/dtype.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/optional.h>
#include <tvm/ffi/reflection/registry.h>

#include <string>
#include <vector>

#include "vendor.h"

namespace vendor {
namespace {

namespace ffi = ::tvm::ffi;

class SensorNode : public ffi::Object {
 public:
  SensorNode() = default;
  virtual ~SensorNode() = default;

  std::vector<double> readings = {0.5};
  ffi::String name = "probe";
  int64_t count = int64_t{1} << 40;
  int32_t small = 7;
  std::string note = "a note of some length";
  int64_t big = int64_t{1} << 62;
  ffi::Optional<int64_t> limit = 12;
  double ratio = 0.1;
  double gain = 0.25;
  bool is_on = true;
  int32_t mode = 3;
  ffi::Optional<ffi::String> label;
  DLDataType dtype = {kDLFloat, 16, 4};
  ffi::Optional<DLDevice> device = DLDevice{kDLCUDA, 2};
  ffi::Array<ffi::String> tags = {"a", "b"};
  ffi::Map<ffi::String, ffi::Array<Expr>> groups;
  Expr expr;
  ffi::Any value = 2.5;
  ffi::String def = "def";

  static constexpr uint32_t _type_child_slots = 0;
  TVM_FFI_DECLARE_OBJECT_INFO("vendor.Sensor", SensorNode, ffi::Object);
};

class WideSensorNode : public SensorNode {
 public:
  std::vector<int> widths;
  ffi::Optional<ffi::ObjectRef> inner;
  TVM_FFI_DECLARE_OBJECT_INFO("vendor.WideSensor", WideSensorNode, SensorNode);
};

class SecretSensorNode : public WideSensorNode {
 public:
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("vendor.SecretSensor", SecretSensorNode, WideSensorNode);
};

ffi::ObjectRef MakeSensor(const ffi::String& kind, int64_t small) {
  ffi::ObjectPtr<SensorNode> made = ffi::make_object<SensorNode>();
  if (kind == "wide" || kind == "secret") {
    ffi::ObjectPtr<WideSensorNode> wide = ffi::make_object<WideSensorNode>();
    if (kind == "secret") wide = ffi::make_object<SecretSensorNode>();
    wide->inner = ffi::ObjectRef(made);
    made = wide;
  }
  ffi::ObjectPtr<ExprNode> expr = ffi::make_object<ExprNode>();
  expr->name = "x";
  made->groups.Set("all", {Expr(expr), Expr(expr)});
  made->small = static_cast<int32_t>(small);
  return ffi::ObjectRef(made);
}

}  // namespace
}  // namespace vendor

TVM_FFI_STATIC_INIT_BLOCK() {
  namespace refl = ::tvm::ffi::reflection;
  using vendor::SensorNode;
  refl::ObjectDef<SensorNode>()
      .def_ro("name", &SensorNode::name)
      .def_ro("count", &SensorNode::count)
      .def_ro("small", &SensorNode::small)
      .def_ro("big", &SensorNode::big)
      .def_ro("limit", &SensorNode::limit)
      .def_ro("ratio", &SensorNode::ratio)
      .def_ro("gain", &SensorNode::gain)
      .def_ro("is_on", &SensorNode::is_on)
      .def_ro("mode", &SensorNode::mode)
      .def_ro("label", &SensorNode::label)
      .def_ro("dtype", &SensorNode::dtype)
      .def_ro("device", &SensorNode::device)
      .def_ro("tags", &SensorNode::tags)
      .def_ro("groups", &SensorNode::groups)
      .def_ro("expr", &SensorNode::expr)
      .def_ro("value", &SensorNode::value)
      .def_ro("def", &SensorNode::def);
  refl::ObjectDef<vendor::WideSensorNode>().def_ro("inner", &vendor::WideSensorNode::inner);
  refl::ObjectDef<vendor::SecretSensorNode>();
  refl::GlobalDef().def("vendor.MakeSensor", vendor::MakeSensor);
}
