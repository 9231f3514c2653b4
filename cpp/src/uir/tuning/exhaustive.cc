// A strategy that proposes all candidates.
#include <uir/tuning/strategies.h>

#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>

#include "./callback.h"

namespace uir::tuning {

namespace {

/*! \brief The candidates of a space that are left. */
class Candidates {
 public:
  explicit Candidates(SpaceFunctions space) : space_(std::move(space)) {
    seen_.insert(TextOf(space_->own_trace));
  }

  ffi::Array<Trace> Propose(int64_t count) {
    ffi::Array<Trace> made;
    while (static_cast<int64_t>(made.size()) < count) {
      const ffi::Optional<Trace> trace = Next();
      if (!trace.has_value()) break;
      if (seen_.insert(TextOf(trace.value())).second) made.push_back(trace.value());
    }
    return made;
  }

  void Tell(const Trace& trace, const ffi::Optional<double>&) { seen_.insert(TextOf(trace)); }

 private:
  ffi::Optional<Trace> Next() {
    if (is_at_end_) return std::nullopt;
    if (!next_) next_ = space_->Traces();
    return Part{"space", space_->name}.Run([this] {
      auto trace = Returned<ffi::Optional<Trace>>((*next_)(), "traces", "a trace or None");
      is_at_end_ = !trace.has_value();
      return trace;
    });
  }

  SpaceFunctions space_;
  std::optional<ffi::Function> next_;
  bool is_at_end_ = false;
  std::unordered_set<std::string> seen_;
};

}  // namespace

SearchStrategyFunctions exhaustive(SpaceFunctions space) {
  return MakeSearchStrategy("exhaustive", std::make_shared<Candidates>(std::move(space)));
}

}  // namespace uir::tuning
