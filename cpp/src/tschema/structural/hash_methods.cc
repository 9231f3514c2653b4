/*!
 * \file hash_methods.cc
 * \brief The engine of structural hash: hand-written methods, and foreign code.
 */
#include <tschema/stack_guard.h>
#include <tschema/structural.h>

#include <utility>

#include "./hash_engine.h"
#include "./mismatch.h"

namespace tschema {

/*! \brief Hashes the parts that a method hands over. */
class HashEngine::PartSink final : public detail::HashSink {
 public:
  PartSink(HashEngine* engine, Frame* frame, int depth)
      : engine_(engine), frame_(frame), depth_(depth) {}

  void Combine(const TVMFFIAny& value, Region region, const void* where) final {
    if (!IsWithin(frame_->object, where)) engine_->Retain(ffi::AnyView::CopyFromTVMFFIAny(value));
    Context context = frame_->inner;
    context.region = InnerRegion(context.region, static_cast<uint8_t>(region));
    engine_->Combine(value, context, depth_, frame_);
  }

  void MarkFreeVar(const ffi::Object*) final { CheckIsVar(*frame_->descriptor->info); }

 private:
  HashEngine* engine_;
  Frame* frame_;
  int depth_;
};

void HashEngine::CallMethod(Frame* frame, int depth) {
  if (!EnoughStack()) return RunOnNewStack([&] { CallMethod(frame, depth); });
  PartSink sink(this, frame, depth);
  frame->descriptor->info->hooks.hash(frame->object, SHashReducer(&sink));
}

void HashEngine::CallForeign(Frame* frame, int depth) {
  // Foreign code recurses through its callback.
  if (!EnoughStack()) return RunOnNewStack([&] { CallForeign(frame, depth); });
  if (foreign_callback_ == nullptr) {
    // Hashes cross as int64_t, in whose range half of them are negative.
    auto combine = [this](const ffi::Any& value, int64_t hash, int region) {
      Context context{InnerRegion(foreign_region_, static_cast<uint8_t>(region)), true};
      uint64_t part = HashAny(Retain(value), context, foreign_depth_);
      return static_cast<int64_t>(CombineHash(static_cast<uint64_t>(hash), part));
    };
    foreign_callback_ = ffi::Function::FromTyped(combine);
  }
  Region outer_region = std::exchange(foreign_region_, frame->inner.region);
  int outer_depth = std::exchange(foreign_depth_, depth);
  ffi::Any hash = frame->descriptor->foreign_hash(frame->object, static_cast<int64_t>(frame->hash),
                                                  foreign_callback_);
  foreign_region_ = outer_region;
  foreign_depth_ = outer_depth;
  frame->hash = static_cast<uint64_t>(hash.cast<int64_t>());
}

}  // namespace tschema
