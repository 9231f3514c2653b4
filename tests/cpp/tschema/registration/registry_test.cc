// Registration: what is refused, how it says so, and that the process lives on.
#include <gtest/gtest.h>
#include <tschema/registry.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>

#include <string>

namespace tschema {
namespace {

class PointNode : public ffi::Object {
 public:
  int64_t x;

  explicit PointNode(ffi::UnsafeInit) {}
  explicit PointNode(int64_t x) : x(x) {}

  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindTreeNode;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("registry_test.Point", PointNode, ffi::Object);
};

constexpr Field kPointFields[] = {
    {"x", offsetof(PointNode, x), &kAccess<int64_t>, 0, "int64", "The coordinate."},
};
constexpr Parameter kPointArguments[] = {{"x", "int64"}};
constexpr Callable kPointConstructor = {"registry_test.Point", &New<PointNode, int64_t>,
                                        kPointArguments, "registry_test.Point"};

std::string LastError() {
  ffi::Array<ffi::String> errors = RegistrationErrors();
  return errors.empty() ? "" : std::string(errors.back());
}

constexpr Type kTypes[] = {
    Concrete<PointNode>("digest-1", "A point.", kPointFields, kPointConstructor)};
constexpr Unit kUnit = {kTypes, {}};
constexpr const Unit* kUnits[] = {&kUnit};
constexpr Package kPackage = {"registry_test", "all-1", kFFIVersion, kUnits};

TEST(Registry, RegistersATypeWithItsConstructor) {
  Register(kPackage);
  EXPECT_EQ(LastError(), "");
  ffi::Any point = ffi::Function::GetGlobalRequired("registry_test.Point")(7);
  EXPECT_EQ(point.as<PointNode>()->x, 7);
}

TEST(Registry, DoesNothingForTheSamePackageAgain) {
  Register(kPackage);
  Register(kPackage);
  EXPECT_EQ(LastError(), "");
}

TEST(Registry, RefusesTheSameKeyWithAnotherLayoutAndNamesBoth) {
  static constexpr Type kOtherTypes[] = {
      Concrete<PointNode>("digest-2", "A point.", kPointFields, kPointConstructor)};
  static constexpr Unit kOtherUnit = {kOtherTypes, {}};
  static constexpr const Unit* kOtherUnits[] = {&kOtherUnit};
  static constexpr Package kOther = {"other_package", "all-2", kFFIVersion, kOtherUnits};
  Register(kPackage);
  Register(kOther);
  EXPECT_NE(LastError().find("type `registry_test.Point` is registered by "), std::string::npos);
  EXPECT_NE(LastError().find("with another layout"), std::string::npos);
  EXPECT_NE(LastError().find("(package `other_package`) is refused"), std::string::npos);
  EXPECT_THROW(CheckRegistration(), ffi::Error);
  ffi::Any point = ffi::Function::GetGlobalRequired("registry_test.Point")(7);
  EXPECT_EQ(point.as<PointNode>()->x, 7);
}

TEST(Registry, RefusesAFunctionThatAnotherLibraryRegistered) {
  static constexpr Callable kFunctions[] = {
      {"registry_test.Point", &New<PointNode, int64_t>, kPointArguments, "registry_test.Point"}};
  static constexpr Unit kOtherUnit = {{}, kFunctions};
  static constexpr const Unit* kOtherUnits[] = {&kOtherUnit};
  static constexpr Package kOther = {"third_package", "all-3", kFFIVersion, kOtherUnits};
  Register(kPackage);
  Register(kOther);
  EXPECT_NE(LastError().find("global function `registry_test.Point` is registered by "),
            std::string::npos);
  EXPECT_NE(LastError().find("(package `third_package`) is refused"), std::string::npos);
}

TEST(Registry, RefusesAnotherReleaseOfTvmFfi) {
  static constexpr Package kOld = {"old_package", "all-4", {0, 1, 99}, {}};
  Register(kOld);
  EXPECT_NE(LastError().find("(package `old_package`) was built for tvm-ffi 0.1.99"),
            std::string::npos);
}

}  // namespace
}  // namespace tschema
