// Registration: what is refused, how it says so, and that the process lives on.
#include <gtest/gtest.h>
#include <tschema/registry.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>
#include <uir/ir/span.h>

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

TEST(Registry, RegistersATypeWithItsConstructor) {
  static constexpr Type kTypes[] = {
      Concrete<PointNode>("digest-1", "A point.", kPointFields, kPointConstructor)};
  static constexpr Unit kUnit = {kTypes, {}};
  static constexpr const Unit* kUnits[] = {&kUnit};
  static constexpr Package kPackage = {"registry_test", "all-1", kFFIVersion, kUnits};
  int64_t errors = RegistrationErrors().size();
  Register(kPackage);
  EXPECT_EQ(RegistrationErrors().size(), errors) << LastError();
  ffi::Any point = ffi::Function::GetGlobalRequired("registry_test.Point")(7);
  EXPECT_EQ(point.as<PointNode>()->x, 7);

  Register(kPackage);  // The same again does nothing.
  EXPECT_EQ(RegistrationErrors().size(), errors) << LastError();
}

TEST(Registry, RefusesTheSameKeyWithAnotherLayoutAndNamesBoth) {
  static constexpr Type kTypes[] = {
      Concrete<PointNode>("digest-2", "A point.", kPointFields, kPointConstructor)};
  static constexpr Unit kUnit = {kTypes, {}};
  static constexpr const Unit* kUnits[] = {&kUnit};
  static constexpr Package kPackage = {"other_package", "all-2", kFFIVersion, kUnits};
  Register(kPackage);
  EXPECT_NE(LastError().find("type `registry_test.Point` is registered by "), std::string::npos);
  EXPECT_NE(LastError().find("with another layout"), std::string::npos);
  EXPECT_NE(LastError().find("(package `other_package`) is refused"), std::string::npos);
  EXPECT_THROW(CheckRegistration(), ffi::Error);
}

TEST(Registry, RefusesAFunctionThatAnotherLibraryRegistered) {
  static constexpr Callable kFunctions[] = {
      {"uir.ir.Span", &New<PointNode, int64_t>, kPointArguments, "registry_test.Point"}};
  static constexpr Unit kUnit = {{}, kFunctions};
  static constexpr const Unit* kUnits[] = {&kUnit};
  static constexpr Package kPackage = {"third_package", "all-3", kFFIVersion, kUnits};
  Register(kPackage);
  EXPECT_NE(LastError().find("global function `uir.ir.Span` is registered by "), std::string::npos);
  EXPECT_NE(LastError().find("libuir.so"), std::string::npos);
}

TEST(Registry, RefusesAnotherReleaseOfTvmFfi) {
  static constexpr Package kPackage = {"old_package", "all-4", {0, 1, 99}, {}};
  Register(kPackage);
  EXPECT_NE(LastError().find("(package `old_package`) was built for tvm-ffi 0.1.99"),
            std::string::npos);
}

}  // namespace
}  // namespace tschema
