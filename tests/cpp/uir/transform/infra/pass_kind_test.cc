// Passes of a class that another library declares.
#include <gtest/gtest.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/memory.h>
#include <uir/transform/pass.h>
#include <uir/transform/pass_kind.h>

#include <string>
#include <utility>

namespace uir::transform {
namespace {

namespace ffi = ::tvm::ffi;

/*! \brief Runs a pass several times. */
class RepeatNode : public PassNode {
 public:
  Pass repeated;
  int times;

  RepeatNode(PassInfo info, Pass repeated, int times)
      : PassNode(std::move(info)), repeated(std::move(repeated)), times(times) {}
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("pass_kind_test.Repeat", RepeatNode, PassNode);
};

/*! \brief A pass of a kind without a runner. */
class UnknownNode : public PassNode {
 public:
  explicit UnknownNode(PassInfo info) : PassNode(std::move(info)) {}
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("pass_kind_test.Unknown", UnknownNode, PassNode);
};

ir::IRModule RunRepeat(const Pass& pass, ir::IRModule module, const PassContext& context) {
  const auto* repeat = pass.as<RepeatNode>();
  for (int count = 0; count < repeat->times; ++count) {
    module = RunPass(repeat->repeated, std::move(module), context);
  }
  return module;
}

UIR_TRANSFORM_REGISTER_PASS_KIND(RepeatNode, RunRepeat);

TEST(PassKind, IsRunByWhatItsLibraryRegisters) {
  int count = 0;
  auto run = [&count](ir::IRModule module, PassContext) {
    ++count;
    return module;
  };
  const PassInfo info(0, "repeat");
  const ffi::ObjectPtr<RepeatNode> node =
      ffi::make_object<RepeatNode>(info, MakeModulePass(run, 0, "count"), 3);
  const Pass repeat = ffi::AnyView(node.get()).cast<Pass>();
  RunPass(MakeSequential({repeat, repeat}), ir::IRModule(), PassContext());
  EXPECT_EQ(count, 6);
}

TEST(PassKind, ThatNobodyRunsIsNamed) {
  const auto node = ffi::make_object<UnknownNode>(PassInfo(0, "unknown"));
  try {
    RunPass(ffi::AnyView(node.get()).cast<Pass>(), ir::IRModule(), PassContext());
    FAIL() << "nothing was thrown";
  } catch (const ffi::Error& error) {
    EXPECT_EQ(error.message(),
              "pass `unknown` is a `pass_kind_test.Unknown`, a class without a registered runner");
  }
}

}  // namespace
}  // namespace uir::transform
