/*!
 * \file equal_methods.cc
 * \brief The engine of structural equality: methods that people wrote, and foreign code.
 */
#include <tschema/stack_guard.h>
#include <tschema/structural.h>
#include <tvm/ffi/error.h>

#include "./equal_engine.h"

namespace tschema {

/*! \brief Takes down the parts that a method names, to be compared after it. */
class EqualEngine::PartRecorder final : public detail::EqualSink {
 public:
  PartRecorder(EqualEngine* engine, const EqualFrame& frame) : engine_(engine), frame_(frame) {}

  bool Compare(const TVMFFIAny& lhs, const TVMFFIAny& rhs, Region region, const void* where) final {
    Verdict verdict = CompareValues(lhs, rhs);
    if (verdict == Verdict::kEqual) return true;
    // In declared order a difference waits for the parts before it.
    if (verdict == Verdict::kDifferent && engine_->order_ == Order::kFast) return false;
    if (!IsOwnField(where)) {
      engine_->Retain(ffi::AnyView::CopyFromTVMFFIAny(lhs));
      engine_->Retain(ffi::AnyView::CopyFromTVMFFIAny(rhs));
    }
    engine_->parts_.Push({lhs, rhs, region, where});
    return true;
  }

  bool MarkFreeVar(const ffi::Object*, const ffi::Object*) final {
    CheckIsVar(*frame_.program->info);
    return true;
  }

 private:
  /*! \brief Whether the object itself keeps the part alive. */
  bool IsOwnField(const void* where) const {
    auto offset = static_cast<const char*>(where) - reinterpret_cast<const char*>(frame_.lhs);
    return offset >= 0 && offset < frame_.program->info->size;
  }

  EqualEngine* engine_;
  const EqualFrame& frame_;
};

/*! \brief Answers false to one part that would be deferred, to see what a method makes of that. */
class EqualEngine::PartReplay final : public detail::EqualSink {
 public:
  explicit PartReplay(int num_before) : num_before_(num_before) {}

  bool has_answered_false() const { return num_before_ < 0; }

  bool Compare(const TVMFFIAny& lhs, const TVMFFIAny& rhs, Region, const void*) final {
    Verdict verdict = CompareValues(lhs, rhs);
    if (verdict != Verdict::kObjects) return verdict == Verdict::kEqual;
    return num_before_-- != 0;
  }

  bool MarkFreeVar(const ffi::Object*, const ffi::Object*) final { return true; }

 private:
  int num_before_;
};

bool EqualEngine::CallMethod(EqualFrame* frame) {
  PartRecorder recorder(this, *frame);
  frame->first_part = frame->cursor = parts_.size();
  frame->answer =
      frame->program->info->hooks.equal(frame->lhs, frame->rhs, SEqualReducer(&recorder));
  frame->end = parts_.size();
  if (methods_ == Methods::kChecked) CheckMethod(*frame);
  return frame->answer || order_ == Order::kDeclared;
}

void EqualEngine::CheckMethod(const EqualFrame& frame) const {
  constexpr int kMaxReplays = 8;
  const TypeInfo& info = *frame.program->info;
  for (int num_before = 0; num_before < kMaxReplays; ++num_before) {
    PartReplay replay(num_before);
    bool answer = info.hooks.equal(frame.lhs, frame.rhs, SEqualReducer(&replay));
    if (!replay.has_answered_false()) return;
    if (answer) {
      TVM_FFI_THROW(TypeError) << "`SEqualReduce` of type `" << info.key << "` returns true though "
                               << "a part of it differs: parts are compared after the method, so "
                               << "they can be combined with `&&` only";
    }
  }
}

bool EqualEngine::CallForeign(const Pair& pair, const StructuralProgram& program, int depth) {
  // Foreign code recurses through its callback.
  if (!EnoughStack()) return RunOnNewStack([&] { return CallForeign(pair, program, depth); });
  if (foreign_callback_ == nullptr) {
    foreign_callback_ =
        ffi::Function::FromTyped([this](ffi::Any lhs, ffi::Any rhs, int region, ffi::AnyView name) {
          return CompareForForeign(lhs, rhs, static_cast<uint8_t>(region), name);
        });
  }
  Region outer_region = std::exchange(foreign_region_, pair.region);
  int outer_depth = std::exchange(foreign_depth_, depth);
  size_t outer_step = std::exchange(foreign_first_step_, foreign_steps_.size());
  bool answer = program.foreign_equal(pair.lhs, pair.rhs, foreign_callback_).cast<bool>();
  foreign_region_ = outer_region;
  foreign_depth_ = outer_depth;
  if (answer)
    foreign_steps_.erase(foreign_steps_.begin() + foreign_first_step_, foreign_steps_.end());
  foreign_first_step_ = outer_step;
  return answer;
}

bool EqualEngine::CompareForForeign(const ffi::Any& lhs, const ffi::Any& rhs, uint8_t region,
                                    ffi::AnyView name) {
  Retain(lhs);
  Retain(rhs);
  size_t num_frames = frames_.size();
  size_t num_parts = parts_.size();
  size_t num_steps = foreign_steps_.size();
  Pair pair;
  Verdict verdict = Judge(RawOf(lhs), RawOf(rhs), &pair);
  if (verdict == Verdict::kEqual) return true;
  if (verdict == Verdict::kObjects) {
    Region inner_region = InnerRegion(foreign_region_, region);
    if (Descend(pair.lhs, pair.rhs, inner_region, foreign_depth_)) return true;
  }
  // The other code may go on after a difference; what was taken for equal on the way may not be.
  equal_pairs_.Clear();
  if (order_ == Order::kDeclared) {
    auto begin = foreign_steps_.begin();
    foreign_steps_.erase(begin + foreign_first_step_, begin + num_steps);
    AppendFrames(num_frames, &foreign_steps_);
    auto attr = ffi::reflection::AccessStep::Attr(name.cast<ffi::String>());
    foreign_steps_.push_back({attr, attr});
  }
  frames_.Truncate(num_frames);
  parts_.Truncate(num_parts);
  return false;
}

}  // namespace tschema
