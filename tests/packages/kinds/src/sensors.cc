#include <kinds/ir/sensors.h>
#include <tvm/ffi/cast.h>

#include <sstream>

namespace kinds::ir {

ffi::String describe_sensor(::vendor::Sensor sensor) {
  std::ostringstream text;
  text << sensor->name() << ' ' << sensor->count() << ' ' << int{sensor->small()} << ' '
       << sensor->big() << ' ' << sensor->limit().value() << ' ' << sensor->ratio() << ' '
       << sensor->gain() << ' ' << sensor->is_on() << ' ' << (sensor->mode() == Mode::kBusy) << ' '
       << sensor->label().has_value() << ' ' << int{sensor->dtype().lanes} << ' '
       << sensor->device().value().device_id << ' ' << sensor->tags()[1] << ' '
       << sensor->groups()["all"][1]->name << ' ' << sensor->expr().defined() << ' '
       << sensor->value().cast<double>() << ' ' << sensor->def();
  if (const auto* wide = sensor.as<::vendor::WideSensorNode>()) {
    text << " / " << wide->inner().value()->name();
  }
  return text.str();
}

int64_t read_small(::vendor::Sensor sensor) { return sensor->small(); }

int64_t read_missing(::vendor::WideSensor sensor) { return sensor->missing().value_or(0); }

}  // namespace kinds::ir
