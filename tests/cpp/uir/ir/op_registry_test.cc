// Operators that C++ registers while a library loads.
#include <gtest/gtest.h>
#include <tvm/ffi/error.h>
#include <uir/ir/op_registry.h>

#include <string>

namespace uir::ir {

namespace {

UIR_IR_REGISTER_OP("cpp_tests.square")
    .Describe("Square of a number.")
    .Argument("x", "float32", "The number.")
    .Attr("TCost", int64_t{2})
    .Attr("TName", "sq");
constexpr int kLine = __LINE__ - 5;

TEST(OpRegistry, RegistersWhatWasGathered) {
  const Op op = get_op("cpp_tests.square");
  EXPECT_EQ(op->description, "Square of a number.");
  EXPECT_EQ(op->num_inputs, 1);
  EXPECT_EQ(op->arguments[0]->name, "x");
  EXPECT_EQ(op_attr(op, "TCost").cast<int64_t>(), 2);
  EXPECT_EQ(op_attrs(op).size(), 2U);
  EXPECT_EQ(op_attr_map("TCost").at(op).cast<int64_t>(), 2);
}

TEST(OpRegistry, ASecondOneNamesBothPlaces) {
  try {
    OpRegistration("cpp_tests.square", UIR_IR_PLACE).Describe("Another.").Register();
    FAIL() << "no error";
  } catch (const ffi::Error& error) {
    const std::string message = error.message();
    const std::string first = "op_registry_test.cc:" + std::to_string(kLine);
    const std::string second = "op_registry_test.cc:" + std::to_string(__LINE__ - 5);
    EXPECT_NE(message.find(first), std::string::npos) << message;
    EXPECT_NE(message.find(second), std::string::npos) << message;
  }
}

}  // namespace

}  // namespace uir::ir
