// Passes written in C++: how they are made, registered and run.
#include <gtest/gtest.h>
#include <tschema/structural_equal.h>
#include <tvm/ffi/error.h>
#include <uir/ir/node_error.h>
#include <uir/tir/stmt.h>
#include <uir/transform/loop_passes.h>
#include <uir/transform/pass.h>
#include <uir/transform/pass_config.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace uir::transform {
namespace {

namespace ffi = ::tvm::ffi;

UIR_TRANSFORM_REGISTER_OPTION("test.steps", int64_t);
UIR_TRANSFORM_REGISTER_OPTION("test.eager", bool);
UIR_TRANSFORM_REGISTER_OPTION("test.scale", double);
UIR_TRANSFORM_REGISTER_OPTION("test.label", ffi::String);
UIR_TRANSFORM_REGISTER_OPTION("test.info", PassInfo);

tir::PrimFunc FunctionOf(int64_t value) {
  return tir::PrimFunc({}, tir::Evaluate(ir::IntImm(DLDataType{kDLInt, 32, 1}, value)));
}

ir::IRModule ModuleOf(int64_t value) {
  return ir::IRModule({{ir::GlobalVar("main"), FunctionOf(value)}});
}

/*! \brief The message of what a function throws; empty if it throws nothing. */
template <typename Callable>
std::string MessageOf(const Callable& callable) {
  try {
    callable();
  } catch (const ffi::Error& error) {
    return error.kind() + ": " + error.message();
  }
  return "";
}

Pass Throwing(std::function<void()> throws) {
  auto run = [throws](tir::PrimFunc func, ir::IRModule, PassContext) {
    throws();
    return func;
  };
  return MakePrimFuncPass(run, 0, "Throwing");
}

Pass MakeReplace(int64_t value) {
  auto run = [value](tir::PrimFunc, ir::IRModule, PassContext) { return FunctionOf(value); };
  return MakePrimFuncPass(run, 0, "test.Replace");
}
UIR_TRANSFORM_REGISTER_PASS("test.Replace", MakeReplace);

TEST(Pass, IsMadeByTheNameItIsRegisteredBy) {
  const Pass replace = make_pass("test.Replace", {7});
  const ir::IRModule module = RunPass(replace, ModuleOf(1), CurrentPassContext());
  EXPECT_TRUE(tschema::StructuralEqual(module, ModuleOf(7)));
  const std::string message = MessageOf([] { make_pass("test.Replace", {}); });
  EXPECT_NE(message.find("test.Replace"), std::string::npos);
}

TEST(Pass, ReturnsTheModuleItWasGivenWhereNothingChanges) {
  const Pass keep = Throwing([] {});
  const ir::IRModule module = ModuleOf(1);
  EXPECT_TRUE(RunPass(keep, module, CurrentPassContext()).same_as(module));
}

TEST(Pass, LeavesTheModuleBeforeAsItIs) {
  const ir::IRModule module = ModuleOf(1);
  RunPass(MakeReplace(2), module, CurrentPassContext());
  EXPECT_TRUE(tschema::StructuralEqual(module, ModuleOf(1)));
}

TEST(Pass, NamesItselfInWhateverItThrows) {
  auto message = [](std::function<void()> throws) {
    return MessageOf([&] { RunPass(Throwing(throws), ModuleOf(1), CurrentPassContext()); });
  };
  const std::string where = "in pass `Throwing`, function `main`: ";
  EXPECT_EQ(message([] { TVM_FFI_THROW(ValueError) << "no"; }), "ValueError: " + where + "no");
  EXPECT_EQ(message([] { throw std::out_of_range("far"); }), "RuntimeError: " + where + "far");
  EXPECT_EQ(message([] { throw 3; }),
            "RuntimeError: " + where + "a C++ object that is not a std::exception");
  EXPECT_EQ(message([] { throw std::bad_alloc(); }).rfind("MemoryError: " + where, 0), 0);
}

TEST(Pass, KeepsTheNodeOfAnError) {
  const tir::PrimFunc func = FunctionOf(1);
  const Pass pass = Throwing([&] { ir::ThrowAt(func->body.get(), "ValueError", "odd"); });
  try {
    RunPass(pass, ModuleOf(1), CurrentPassContext());
    FAIL() << "nothing was thrown";
  } catch (const ffi::Error& error) {
    const ir::ErrorContext context = ir::ContextOf(error).value();
    EXPECT_TRUE(context->node.value().same_as(func->body));
    EXPECT_EQ(context->pass_name, "Throwing");
  }
}

TEST(Pass, RunsBelowManySequences) {
  Pass pass = MakeReplace(3);
  for (int depth = 0; depth < 100000; ++depth) pass = MakeSequential({pass});
  const ir::IRModule module = RunPass(pass, ModuleOf(1), CurrentPassContext());
  EXPECT_TRUE(tschema::StructuralEqual(module, ModuleOf(3)));
}

TEST(PassOptions, AreOfTheirTypes) {
  const PassInfo info(0, "info");
  const PassContext context(2, {}, {}, {},
                            {{"test.steps", 3},
                             {"test.eager", 1},
                             {"test.scale", 2},
                             {"test.label", ffi::String("a")},
                             {"test.info", info}});
  EXPECT_EQ(GetOption<int64_t>(context, "test.steps", 0), 3);
  EXPECT_EQ(context->config["test.eager"].type_index(), ffi::TypeIndex::kTVMFFIBool);
  EXPECT_TRUE(GetOption<bool>(context, "test.eager", false));
  EXPECT_EQ(GetOption<double>(context, "test.scale", 0), 2.0);
  EXPECT_EQ(GetOption<ffi::String>(context, "test.label", ""), "a");
  EXPECT_TRUE(GetOption<PassInfo>(context, "test.info", PassInfo(1, "other")).same_as(info));
  EXPECT_EQ(GetOption<int64_t>(PassContext(), "test.steps", 5), 5);
}

TEST(PassOptions, ThatAreDeclaredAreReadAsTheirType) {
  const PassContext context(2, {}, {}, {}, {{"UnrollLoop.auto_max_extent", 4}});
  const auto options = OptionsOf<UnrollLoopOptions>(context);
  EXPECT_EQ(options->auto_max_extent, 4);
  EXPECT_EQ(options->auto_max_depth, 8);
  EXPECT_EQ(GetOption<int64_t>(PassContext(), "UnrollLoop.auto_max_depth", 0), 8);
  EXPECT_EQ(UnrollLoop()->pass_info->name, make_pass("UnrollLoop", {})->pass_info->name);
  const std::string message =
      MessageOf([] { options_of(PassContext(), "uir.transform.PassInfo"); });
  EXPECT_EQ(message,
            "TypeError: `uir.transform.PassInfo` is not a type of options, a subclass of "
            "`PassOptions`");
}

TEST(PassOptions, ThatAreNotRegisteredAreRefusedWhereTheyAreRead) {
  const std::string message = MessageOf([] { GetOption<int64_t>(PassContext(), "test.step", 5); });
  EXPECT_EQ(message.rfind("ValueError: PassContext: there is no option `test.step`", 0), 0);
  EXPECT_NE(message.find("`test.steps`"), std::string::npos);
}

TEST(PassContextScope, IsCurrentWhileItLives) {
  const PassContext outer(3);
  {
    const PassContextScope scope(outer);
    EXPECT_TRUE(CurrentPassContext().same_as(outer));
    const PassContext inner;
    const PassContextScope inner_scope(inner);
    EXPECT_TRUE(CurrentPassContext().same_as(inner));
    EXPECT_NE(MessageOf([&] { exit_pass_context(outer); }), "");
  }
  EXPECT_EQ(CurrentPassContext()->opt_level, 2);
}

TEST(PassContextScope, IsLeftWhenAnErrorIsOnItsWay) {
  auto fail = ffi::Function::FromTyped([] { TVM_FFI_THROW(ValueError) << "exit"; });
  const PassContext context(2, {}, {}, {PassInstrument("bad", std::nullopt, fail)});
  EXPECT_EQ(MessageOf([&] { const PassContextScope scope(context); }),
            "ValueError: in instrument `bad`: exit");
  const std::string message = MessageOf([&] {
    const PassContextScope scope(context);
    TVM_FFI_THROW(TypeError) << "first";
  });
  EXPECT_EQ(message, "TypeError: first");
  EXPECT_FALSE(CurrentPassContext().same_as(context));
}

}  // namespace
}  // namespace uir::transform
