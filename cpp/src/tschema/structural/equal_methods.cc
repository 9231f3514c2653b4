/*!
 * \file equal_methods.cc
 * \brief The engine of structural equality: hand-written methods, and foreign code.
 */
#include <tschema/stack_guard.h>
#include <tschema/structural.h>

#include <utility>

#include "./equal_engine.h"

namespace tschema {

/*! \brief Compares the parts that a method names. */
class EqualEngine::PartSink final : public detail::EqualSink {
 public:
  PartSink(EqualEngine* engine, const Pair& pair) : engine_(engine), pair_(pair) {}

  bool Compare(const TVMFFIAny& lhs, const TVMFFIAny& rhs, Region region, const void* where) final {
    if (CompareValues(lhs, rhs) == Verdict::kEqual) return true;
    if (!IsWithin(pair_.lhs, where)) {
      engine_->Retain(ffi::AnyView::CopyFromTVMFFIAny(lhs));
      engine_->Retain(ffi::AnyView::CopyFromTVMFFIAny(rhs));
    }
    return engine_->ComparePart(lhs, rhs, static_cast<uint8_t>(region), [&] {
      AppendPartSteps(pair_.lhs, pair_.rhs, lhs, rhs, where, &engine_->steps_);
    });
  }

  bool MarkFreeVar(const ffi::Object*, const ffi::Object*) final {
    CheckIsVar(TypeInfoOf(pair_.lhs));
    return true;
  }

 private:
  EqualEngine* engine_;
  const Pair& pair_;
};

bool EqualEngine::CallMethod(const Pair& pair, const StructuralDescriptor& descriptor, int depth) {
  return CallOutside(pair, depth, [&] {
    PartSink sink(this, pair);
    return descriptor.info->hooks.equal(pair.lhs, pair.rhs, SEqualReducer(&sink));
  });
}

bool EqualEngine::CallForeign(const Pair& pair, const StructuralDescriptor& descriptor, int depth) {
  if (foreign_callback_ == nullptr) {
    auto compare = [this](ffi::Any lhs, ffi::Any rhs, int region, ffi::AnyView name) {
      Retain(lhs);
      Retain(rhs);
      return ComparePart(RawOf(lhs), RawOf(rhs), static_cast<uint8_t>(region), [&] {
        auto attr = ffi::reflection::AccessStep::Attr(name.cast<ffi::String>());
        steps_.push_back({attr, attr});
      });
    };
    foreign_callback_ = ffi::Function::FromTyped(compare);
  }
  return CallOutside(pair, depth, [&] {
    return descriptor.foreign_equal(pair.lhs, pair.rhs, foreign_callback_).cast<bool>();
  });
}

/*! \brief Call code that calls back for the parts of two objects. */
template <typename Call>
bool EqualEngine::CallOutside(const Pair& pair, int depth, Call call) {
  if (!EnoughStack()) return RunOnNewStack([&] { return CallOutside(pair, depth, call); });
  Region outer_region = std::exchange(part_region_, pair.region);
  int outer_depth = std::exchange(part_depth_, depth);
  size_t outer_step = std::exchange(first_part_step_, steps_.size());
  different_lhs_ = ValueOf(pair.lhs);
  different_rhs_ = ValueOf(pair.rhs);
  bool is_equal = call();
  if (is_equal) steps_.erase(steps_.begin() + first_part_step_, steps_.end());
  part_region_ = outer_region;
  part_depth_ = outer_depth;
  first_part_step_ = outer_step;
  return is_equal;
}

template <typename AppendSteps>
bool EqualEngine::ComparePart(const TVMFFIAny& lhs, const TVMFFIAny& rhs, uint8_t region,
                              AppendSteps append) {
  size_t num_steps = steps_.size();
  if (CompareValue(lhs, rhs, InnerRegion(part_region_, region), part_depth_)) return true;
  // The method may continue after a difference, and pairs that were assumed equal may differ.
  equal_pairs_.Clear();
  if (order_ == Order::kFast) return false;
  auto begin = steps_.begin();
  steps_.erase(begin + first_part_step_, begin + num_steps);
  append();
  return false;
}

}  // namespace tschema
