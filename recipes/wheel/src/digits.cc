// What the wheel has beside the compiled network: the class `digits.Guess`, and a function that
// calls the network and returns objects of it.
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/reflection/registry.h>

#include <algorithm>
#include <cstdint>

namespace ffi = tvm::ffi;

extern "C" int __tvm_ffi_predict(void* self, const TVMFFIAny* args, int32_t num_args,
                                 TVMFFIAny* result);

namespace digits {

/*! \brief A class and how probable it is. */
class GuessObj : public ffi::Object {
 public:
  int64_t digit;
  double probability;

  GuessObj(int64_t digit, double probability) : digit(digit), probability(probability) {}

  bool Certain(double limit) const { return probability >= limit; }

  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("digits.Guess", GuessObj, ffi::Object);
};

class Guess : public ffi::ObjectRef {
 public:
  Guess(int64_t digit, double probability)
      : ffi::ObjectRef(ffi::make_object<GuessObj>(digit, probability)) {}

  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Guess, ffi::ObjectRef, GuessObj);
};

/*! \brief The most probable class of each row of pixels. */
ffi::Array<Guess> Classify(const ffi::Tensor& pixels) {
  const ffi::Any result = ffi::Function::InvokeExternC(nullptr, __tvm_ffi_predict, pixels);
  const auto probabilities = result.cast<ffi::Tensor>();
  const int64_t classes = probabilities.size(1);
  const auto* row = static_cast<const float*>(probabilities.data_ptr());
  ffi::Array<Guess> guesses;
  for (int64_t i = 0; i < probabilities.size(0); ++i, row += classes) {
    const float* best = std::max_element(row, row + classes);
    guesses.push_back(Guess(best - row, *best));
  }
  return guesses;
}

TVM_FFI_STATIC_INIT_BLOCK() {
  namespace refl = tvm::ffi::reflection;
  refl::ObjectDef<GuessObj>()
      .def(refl::init<int64_t, double>())
      .def_ro("digit", &GuessObj::digit)
      .def_ro("probability", &GuessObj::probability)
      .def("certain", &GuessObj::Certain);
  refl::GlobalDef().def("digits.classify", Classify);
}

}  // namespace digits
