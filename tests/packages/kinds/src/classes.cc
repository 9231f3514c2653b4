#include <kinds/classes.h>
#include <kinds/functors.h>
#include <tvm/ffi/error.h>

#include <string>

namespace kinds::ir {

Pair PairNode::Twice(int64_t value) { return Pair(value, value); }

Holder make_holder(int64_t value) {
  Config config;
  return Holder(Hidden(value), config);
}

ffi::String check_config(Config config) {
  std::string text = std::string(config->name) + " " + std::to_string(config->limit) + " " +
                     std::to_string(static_cast<int>(config->level)) + " " +
                     std::to_string(config->tags.size());
  text += config->span.defined() ? " span" : "";
  text += config->pair.defined() ? " pair" : "";
  text += config->expr.defined() ? " expr" : "";
  return text;
}

void CheckedNode::PostInit() {
  if (width < 0) TVM_FFI_THROW(ValueError) << "the width is negative";
  area = width * width;
}

namespace {

void CheckCopyOnWrite() {
  Pair pair(1, 2);
  Pair other = pair;
  other.CopyOnWrite()->left = 3;
  TVM_FFI_ICHECK_EQ(pair->left.cast<int64_t>(), 1);
  TVM_FFI_ICHECK_EQ(other->left.cast<int64_t>(), 3);
  const PairNode* before = other.get();
  other.CopyOnWrite()->right = 4;
  TVM_FFI_ICHECK(other.get() == before);
}

void CheckReferences() {
  Span null;
  TVM_FFI_ICHECK(!null.defined());
  TVM_FFI_ICHECK_EQ(Span(7)->line, 7);
  TVM_FFI_ICHECK(!Note().defined() && !Note(Span())->span.defined());
  TVM_FFI_ICHECK_EQ(Hand(4).Doubled(), 8);
  TVM_FFI_ICHECK_EQ(ffi::make_object<BareNode>(5)->value, 5);
  TVM_FFI_ICHECK_EQ(ffi::make_object<LonelyNode>(6, Hand(1))->hand->value, 1);
}

void CheckDefaults() {
  ffi::ObjectPtr<ConfigNode> node = ffi::make_object<ConfigNode>();
  TVM_FFI_ICHECK_EQ(node->limit, kDefaultLimit);
  TVM_FFI_ICHECK(node->level == Level::kQuiet && !node->span.defined() && !node->pair.defined());
  TVM_FFI_ICHECK_EQ(ffi::make_object<TunedConfigNode>()->ratio, 0.75);
  TVM_FFI_ICHECK_EQ(Config(Level::kLoud, "x")->ratio, 0.5);
  TVM_FFI_ICHECK_EQ(Checked("e", 3)->area, 9);
  TVM_FFI_ICHECK_EQ(Checked()->name.size(), 0u);
}

class Doubled : public StepMutator {
 protected:
  Step VisitAddStep(const AddStepNode* op) override {
    return AddStep(op->is_fast, op->is_exact, 2 * op->amount, op->span);
  }
};

/*! \brief The table pointer precedes what a handle points to. */
void CheckTablePointer() {
  AddStep step(true, true, 3, Span());
  const ffi::Object* object = step.get();
  auto* whole = reinterpret_cast<const char*>(step.get());
  TVM_FFI_ICHECK_EQ(reinterpret_cast<const char*>(object) - whole, 8);
  Step base = BothSteps(false, step, AddStep(false, false, 4, Span(1)));
  TVM_FFI_ICHECK_EQ(base->Run(10), 17);
  TVM_FFI_ICHECK_EQ(Doubled()(base)->Run(10), 24);
}

}  // namespace

void check_in_cpp() {
  CheckCopyOnWrite();
  CheckReferences();
  CheckDefaults();
  CheckTablePointer();
}

}  // namespace kinds::ir
