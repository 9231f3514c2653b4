// A module of nanobind with a class of its own, whose methods take and return generated classes.
#include <nanobind/nanobind.h>
#include <toy/color.h>

#include <cstdint>

#include "./object_caster.h"

namespace nb = nanobind;

namespace {

/*! \brief Makes colours brighter; a class of nanobind, not of tvm-ffi. */
class Brush {
 public:
  explicit Brush(int strength) : strength_(strength) {}

  toy::Color Brighten(const toy::Color& color) {
    ++uses_;
    const int red = color->red + strength_;
    return toy::Color(static_cast<uint8_t>(red > 255 ? 255 : red));
  }

  int uses() const { return uses_; }

 private:
  int strength_;
  int uses_ = 0;
};

}  // namespace

NB_MODULE(colors, module) {
  nb::module_::import_("toy_nodes.color");  // Its classes are those of what is returned.
  nb::class_<Brush>(module, "Brush")
      .def(nb::init<int>(), nb::arg("strength"))
      .def("brighten", &Brush::Brighten, nb::arg("color"))
      .def_prop_ro("uses", &Brush::uses);
}
