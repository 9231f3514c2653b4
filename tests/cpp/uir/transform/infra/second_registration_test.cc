// What is registered twice in static initializers, which cannot throw.
#include <gtest/gtest.h>
#include <tschema/registry.h>
#include <tvm/ffi/error.h>
#include <uir/transform/pass.h>
#include <uir/transform/pass_config.h>

#include <string>

namespace uir::transform {
namespace {

namespace ffi = ::tvm::ffi;

Pass MakeTwice() { return MakeSequential({}); }

std::string Recorded(const std::string& beginning) {
  for (const ffi::String& error : tschema::RegistrationErrors()) {
    if (std::string(error).rfind(beginning, 0) == 0) return error;
  }
  return "";
}

TEST(SecondRegistration, IsAnErrorThatNamesBothPlaces) {
  AddPassProvider({"twice.Pass", [] { return ffi::Function::FromTyped(MakeTwice); }, "a.cc", 1});
  EXPECT_NO_THROW(make_pass("twice.Pass", {}));
  AddPassProvider({"twice.Pass", [] { return ffi::Function::FromTyped(MakeTwice); }, "b.cc", 2});
  const std::string message =
      "pass `twice.Pass` is registered already, at a.cc:1; the second one is at b.cc:2";
  EXPECT_EQ(Recorded("pass `twice.Pass`"), message);
  try {
    make_pass("twice.Pass", {});
    FAIL() << "nothing was thrown";
  } catch (const ffi::Error& error) {
    EXPECT_EQ(error.message(), message);
  }
}

TEST(SecondRegistration, OfAnOptionIsOneToo) {
  AddOptionProvider({"twice.option", "int", "a.cc", 1});
  AddOptionProvider({"twice.option", "bool", "b.cc", 2});
  EXPECT_EQ(Recorded("option `twice.option`"),
            "option `twice.option` is registered already, at a.cc:1; the second one is at b.cc:2");
}

}  // namespace
}  // namespace uir::transform
