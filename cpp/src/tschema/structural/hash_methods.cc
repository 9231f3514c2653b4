/*!
 * \file hash_methods.cc
 * \brief The engine of structural hash: methods that people wrote, and foreign code.
 */
#include <tschema/stack_guard.h>
#include <tschema/structural.h>

#include <utility>

#include "./hash_engine.h"

namespace tschema {

/*! \brief Takes down the parts that a method hands over, to be hashed after it. */
class HashEngine::PartRecorder final : public detail::HashSink {
 public:
  PartRecorder(HashEngine* engine, const HashFrame& frame) : engine_(engine), frame_(frame) {}

  void Combine(const TVMFFIAny& value, Region region, const void* where) final {
    if (!IsOwnField(where)) engine_->Retain(ffi::AnyView::CopyFromTVMFFIAny(value));
    engine_->parts_.Push({value, region, true, 0});
  }

  void MarkFreeVar(const ffi::Object*) final { CheckIsVar(*frame_.program->info); }

 private:
  /*! \brief Whether the object itself keeps the part alive. */
  bool IsOwnField(const void* where) const {
    auto offset = static_cast<const char*>(where) - reinterpret_cast<const char*>(frame_.object);
    return offset >= 0 && offset < frame_.program->info->size;
  }

  HashEngine* engine_;
  const HashFrame& frame_;
};

void HashEngine::CallMethod(HashFrame* frame) {
  PartRecorder recorder(this, *frame);
  frame->first_part = frame->cursor = parts_.size();
  frame->program->info->hooks.hash(frame->object, SHashReducer(&recorder));
  frame->end = parts_.size();
}

uint64_t HashEngine::CallForeign(const HashFrame& frame, int depth) {
  // Foreign code recurses through its callback.
  if (!EnoughStack()) return RunOnNewStack([&] { return CallForeign(frame, depth); });
  if (foreign_callback_ == nullptr) {
    // Hashes cross as int64_t, in whose range half of them are negative.
    auto combine = [this](const ffi::Any& value, int64_t hash, int region) {
      HashContext context{InnerRegion(foreign_region_, static_cast<uint8_t>(region)), true};
      uint64_t part = HashAny(Retain(value), context, foreign_depth_);
      return static_cast<int64_t>(CombineHash(static_cast<uint64_t>(hash), part));
    };
    foreign_callback_ = ffi::Function::FromTyped(combine);
  }
  Region outer_region = std::exchange(foreign_region_, frame.inner.region);
  int outer_depth = std::exchange(foreign_depth_, depth);
  ffi::Any hash = frame.program->foreign_hash(frame.object, static_cast<int64_t>(frame.hash),
                                              foreign_callback_);
  foreign_region_ = outer_region;
  foreign_depth_ = outer_depth;
  return static_cast<uint64_t>(hash.cast<int64_t>());
}

}  // namespace tschema
