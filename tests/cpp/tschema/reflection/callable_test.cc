// Calls of table rows: conversion, ranges, defaults, named arguments, and their errors.
#include <gtest/gtest.h>
#include <tschema/callable.h>
#include <tschema/defaults.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/string.h>

#include <limits>
#include <string>

namespace {

enum class Shade : int32_t { kLight = 0, kDark = 5 };

}  // namespace

template <>
struct tschema::EnumTraits<Shade> {
  static constexpr bool Contains(int64_t value) { return value == 0 || value == 5; }
};

namespace tschema {
namespace {

int64_t Combine(uint8_t small, Shade shade, ffi::Optional<int16_t> extra) {
  return small + 1000 * static_cast<int64_t>(shade) + 1000000 * extra.value_or(0);
}
constexpr Parameter kCombineParameters[] = {
    {"small", "uint8"},
    {"shade", "enum test.Shade", []() -> ffi::Any { return int64_t{5}; }},
    {"extra", "Optional[int16]", &None},
};
constexpr Callable kCombine = {"test.combine", &Invoke<&Combine>, kCombineParameters, "int64"};

uint64_t Echo(uint64_t value) { return value; }
constexpr Parameter kEchoParameters[] = {{"value", "uint64"}};
constexpr Callable kEcho = {"test.echo", &Invoke<&Echo>, kEchoParameters, "uint64"};

template <typename Call>
std::string ErrorOf(Call call) {
  try {
    call();
  } catch (const ffi::Error& error) {
    return error.kind() + ": " + std::string(error.message());
  }
  return "no error";
}

TEST(Callable, FillsInDefaults) {
  ffi::Function combine = MakeFunction(kCombine);
  EXPECT_EQ(combine(200).cast<int64_t>(), 5200);
  EXPECT_EQ(combine(200, 0).cast<int64_t>(), 200);
  EXPECT_EQ(combine(1, 0, -3).cast<int64_t>(), 1 - 3000000);
  EXPECT_EQ(combine(1, 0, nullptr).cast<int64_t>(), 1);
}

TEST(Callable, LeavesOutWhatTheMarkerStandsFor) {
  ffi::Function combine = MakeFunction(kCombine);
  ffi::Any missing = ffi::Function::GetGlobalRequired("ffi.GetInvalidObject")();
  EXPECT_EQ(combine(200, missing, missing).cast<int64_t>(), 5200);
  EXPECT_EQ(combine(1, missing, -3).cast<int64_t>(), 5001 - 3000000);
  EXPECT_EQ(ErrorOf([&] { combine(missing, 0, 1); }),
            "TypeError: test.combine: argument `small` is missing");
}

int64_t Overloaded(int64_t value) { return value + 1; }
int64_t Overloaded(const ffi::String& text) { return static_cast<int64_t>(text.size()); }
constexpr Parameter kValueParameters[] = {{"value", "int64"}};
constexpr Callable kOverload = {"test.overload",
                                [](const Arguments& arguments) {
                                  return Call(static_cast<int64_t (*)(int64_t)>(&Overloaded),
                                              arguments);
                                },
                                kValueParameters, "int64"};
constexpr Callable kLambda = {"test.lambda",
                              [](const Arguments& arguments) {
                                return Call([](int64_t value) { return 2 * value; }, arguments);
                              },
                              kValueParameters, "int64"};

TEST(Callable, CallsOverloadsAndLambdas) {
  EXPECT_EQ(MakeFunction(kOverload)(4).cast<int64_t>(), 5);
  EXPECT_EQ(Overloaded(ffi::String("abc")), 3);
  EXPECT_EQ(MakeFunction(kLambda)(4).cast<int64_t>(), 8);
  EXPECT_EQ(ErrorOf([] { MakeFunction(kLambda)("x"); }).substr(0, 35),
            "TypeError: test.lambda: argument `v");
}

TEST(Callable, TakesNamedArguments) {
  ffi::Function combine = MakeFunction(kCombine);
  ffi::Any marker = ffi::Function::GetGlobalRequired("ffi.GetKwargsObject")();
  EXPECT_EQ(combine(7, marker, "extra", 2).cast<int64_t>(), 2005007);
  EXPECT_EQ(ErrorOf([&] { combine(7, marker, "small", 2); }),
            "TypeError: test.combine: argument `small` is given twice");
  EXPECT_EQ(ErrorOf([&] { combine(7, marker, "tiny", 2); }),
            "TypeError: test.combine: there is no argument `tiny`");
  EXPECT_EQ(ErrorOf([&] { combine(7, marker, "extra"); }),
            "TypeError: test.combine: argument `extra` is named, but has no value");
}

TEST(Callable, TellsANumberFromTheMarkOfNamedArguments) {
  ffi::Function combine = MakeFunction(kCombine);
  ffi::Any marker = ffi::Function::GetGlobalRequired("ffi.GetKwargsObject")();
  auto address = reinterpret_cast<int64_t>(marker.cast<ffi::ObjectRef>().get());
  EXPECT_EQ(ErrorOf([&] { combine(1, address); }),
            "ValueError: test.combine: argument `shade` must be a member of `enum test.Shade`, "
            "not " +
                std::to_string(address));
}

TEST(Callable, RefusesWhatDoesNotFit) {
  ffi::Function combine = MakeFunction(kCombine);
  EXPECT_EQ(ErrorOf([&] { combine(256); }),
            "ValueError: test.combine: argument `small` must be between 0 and 255, not 256");
  EXPECT_EQ(ErrorOf([&] { combine(-1); }),
            "ValueError: test.combine: argument `small` must be between 0 and 255, not -1");
  EXPECT_EQ(ErrorOf([&] { combine("1"); }),
            "TypeError: test.combine: argument `small` must be `uint8`, not `String`");
  EXPECT_EQ(ErrorOf([&] { combine(1, 4); }),
            "ValueError: test.combine: argument `shade` must be a member of `enum test.Shade`, "
            "not 4");
  EXPECT_EQ(ErrorOf([&] { combine(1, 0, 40000); }),
            "ValueError: test.combine: argument `extra` must be between -32768 and 32767, "
            "not 40000");
  EXPECT_EQ(ErrorOf([&] { combine(); }), "TypeError: test.combine: argument `small` is missing");
  EXPECT_EQ(ErrorOf([&] { combine(1, 0, 0, 0); }),
            "TypeError: test.combine: takes at most 3 arguments, not 4");
}

TEST(Callable, CarriesUnsignedIntegersUpToTheAbisLimit) {
  ffi::Function echo = MakeFunction(kEcho);
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(echo(kMax).cast<int64_t>(), kMax);
  EXPECT_EQ(ErrorOf([&] { echo(-1); }),
            "ValueError: test.echo: argument `value` must be between 0 and 9223372036854775807, "
            "not -1");
}

int64_t Sum(ffi::Array<uint8_t> values, ffi::Map<ffi::String, Shade> shades, ffi::ObjectRef any) {
  int64_t sum = any.defined() ? 0 : -1;
  for (uint8_t value : values) sum += value;
  for (const auto& [name, shade] : shades) sum += static_cast<int64_t>(shade);
  return sum;
}
constexpr Parameter kSumParameters[] = {
    {"values", "Array[uint8]"}, {"shades", "Map[String, enum test.Shade]"}, {"any", "Object"}};
constexpr Callable kSum = {"test.sum", &Invoke<&Sum>, kSumParameters, "int64"};

TEST(Callable, LooksIntoContainers) {
  ffi::Function sum = MakeFunction(kSum);
  ffi::Array<ffi::Any> some;
  ffi::Map<ffi::String, ffi::Any> shades{{"a", 5}};
  EXPECT_EQ(sum(ffi::Array<int64_t>{1, 255}, shades, some).cast<int64_t>(), 261);
  EXPECT_EQ(ErrorOf([&] { sum(ffi::Array<int64_t>{1, 300}, shades, some); }),
            "ValueError: test.sum: argument `values` must be between 0 and 255, not 300");
  EXPECT_EQ(ErrorOf([&] { sum(ffi::Array<ffi::Any>{1, "x"}, shades, some); }),
            "TypeError: test.sum: argument `values` must be `Array[uint8]`, but element 1 is "
            "`String`");
  EXPECT_EQ(ErrorOf([&] { sum(7, shades, some); }),
            "TypeError: test.sum: argument `values` must be `Array[uint8]`, not `int`");
  ffi::Map<ffi::String, ffi::Any> wrong{{"a", "x"}};
  EXPECT_EQ(ErrorOf([&] { sum(ffi::Array<int64_t>{}, wrong, some); }),
            "TypeError: test.sum: argument `shades` must be `Map[String, enum test.Shade]`, but a "
            "value is `String`");
  shades.Set("b", 4);
  EXPECT_EQ(ErrorOf([&] { sum(ffi::Array<int64_t>{}, shades, some); }),
            "ValueError: test.sum: argument `shades` must be a member of "
            "`Map[String, enum test.Shade]`, not 4");
}

TEST(Callable, TakesNoneOnlyWhereItIsDeclared) {
  ffi::Function sum = MakeFunction(kSum);
  EXPECT_EQ(
      ErrorOf([&] { sum(ffi::Array<int64_t>{}, ffi::Map<ffi::String, ffi::Any>{}, nullptr); }),
      "TypeError: test.sum: argument `any` must be `Object`, not `None`");
}

}  // namespace
}  // namespace tschema
