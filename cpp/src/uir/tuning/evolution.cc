// A strategy that changes the best candidates, and chooses by a model of their times.
#include <tvm/ffi/error.h>
#include <uir/tuning/strategies.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "./callback.h"
#include "./random.h"

namespace uir::tuning {

namespace {

using Numbers = ffi::Array<double>;

/*! \brief A candidate that fits the kernel. */
struct Candidate {
  Trace trace;
  std::string text;
  Numbers features;
};

/*! \brief A candidate and its time relative to the recipes' choice. */
struct Timed {
  Candidate candidate;
  double time;
};

class Evolution {
 public:
  Evolution(SpaceFunctions space, CostModelFunctions model, int64_t seed, size_t parents,
            size_t pool)
      : space_(std::move(space)),
        model_(std::move(model)),
        random_(seed),
        parents_(parents),
        pool_(pool) {
    Tell(space_->own_trace, 1.0);
  }

  ffi::Array<Trace> Propose(int64_t count) {
    Learn();
    std::vector<Candidate> pool = Ranked(Fitting(Drawn()));
    const auto total = std::min(static_cast<size_t>(count), pool.size());
    const size_t chosen = std::min(static_cast<size_t>(count - count / 4), total);
    ffi::Array<Trace> made;
    for (size_t at = 0; at < total; ++at) {
      // The model chooses the first ones; the others are drawn from those that are left.
      if (at >= chosen) std::swap(pool[at], pool[at + random_.Below(pool.size() - at)]);
      made.push_back(pool[at].trace);
      seen_.insert(pool[at].text);
    }
    return made;
  }

  void Tell(const Trace& trace, const ffi::Optional<double>& time) {
    std::string text = TextOf(trace);
    seen_.insert(text);
    if (time.has_value()) told_[std::move(text)] = {trace, time.value()};
  }

 private:
  /*! \brief Add the times that were told since the last call, and update the model with all. */
  void Learn() {
    if (told_.empty()) return;
    std::vector<std::pair<std::string, std::pair<Trace, double>>> told(told_.begin(), told_.end());
    std::sort(told.begin(), told.end(),
              [](const auto& one, const auto& other) { return one.first < other.first; });
    ffi::Array<Trace> traces;
    for (const auto& [text, one] : told) traces.push_back(one.first);
    const ffi::Array<Numbers> features = space_->FeaturesOf(traces);
    for (size_t at = 0; at < told.size(); ++at) {
      const auto& [text, one] = told[at];
      Note({{one.first, text, features[static_cast<int64_t>(at)]}, one.second});
    }
    told_.clear();
    Update();
  }

  void Note(Timed timed) {
    const auto [found, is_new] = place_of_.try_emplace(timed.candidate.text, timed_.size());
    if (is_new) {
      timed_.push_back(std::move(timed));
    } else {
      timed_[found->second] = std::move(timed);
    }
  }

  void Update() {
    ffi::Array<Numbers> features;
    Numbers times;
    for (const Timed& one : timed_) {
      if (one.candidate.features.empty()) continue;
      features.push_back(one.candidate.features);
      times.push_back(one.time);
    }
    if (!times.empty()) model_->Update(std::move(features), std::move(times));
  }

  /*! \brief New candidates: half of them changes of the best, half drawn. */
  std::vector<Candidate> Drawn() {
    const std::vector<Trace> best = Best();
    std::vector<Candidate> made;
    std::unordered_set<std::string> texts;
    for (size_t at = 0; at < pool_; ++at) {
      const Trace trace = at % 2 == 0
                              ? space_->Change(best[random_.Below(best.size())], random_.Seed())
                              : space_->Draw(random_.Seed());
      std::string text = TextOf(trace);
      if (seen_.count(text) != 0 || !texts.insert(text).second) continue;
      made.push_back({trace, std::move(text), {}});
    }
    return made;
  }

  std::vector<Trace> Best() const {
    std::vector<const Timed*> ranked;
    for (const Timed& one : timed_) ranked.push_back(&one);
    std::stable_sort(ranked.begin(), ranked.end(),
                     [](const Timed* one, const Timed* other) { return one->time < other->time; });
    std::vector<Trace> best;
    for (size_t at = 0; at < std::min(parents_, ranked.size()); ++at) {
      best.push_back(ranked[at]->candidate.trace);
    }
    return best;
  }

  /*! \brief The candidates that fit the kernel, with their features. */
  std::vector<Candidate> Fitting(std::vector<Candidate> pool) const {
    if (pool.empty()) return pool;
    ffi::Array<Trace> traces;
    for (const Candidate& one : pool) traces.push_back(one.trace);
    const ffi::Array<Numbers> features = space_->FeaturesOf(std::move(traces));
    std::vector<Candidate> fitting;
    for (size_t at = 0; at < pool.size(); ++at) {
      pool[at].features = features[static_cast<int64_t>(at)];
      if (!pool[at].features.empty()) fitting.push_back(std::move(pool[at]));
    }
    return fitting;
  }

  /*! \brief Candidates by increasing predicted time; equal ones in the order of their draws. */
  std::vector<Candidate> Ranked(std::vector<Candidate> pool) const {
    if (pool.empty()) return pool;
    ffi::Array<Numbers> features;
    for (const Candidate& one : pool) features.push_back(one.features);
    const Numbers scores = model_->Predict(std::move(features));
    std::vector<std::pair<double, size_t>> order;
    for (size_t at = 0; at < pool.size(); ++at) {
      order.emplace_back(scores[static_cast<int64_t>(at)], at);
    }
    std::sort(order.begin(), order.end());
    std::vector<Candidate> ranked;
    for (const auto& [score, at] : order) ranked.push_back(std::move(pool[at]));
    return ranked;
  }

  SpaceFunctions space_;
  CostModelFunctions model_;
  Random random_;
  size_t parents_;
  size_t pool_;
  std::unordered_set<std::string> seen_;
  /*! \brief The times that the model does not know yet, by the text of the trace. */
  std::unordered_map<std::string, std::pair<Trace, double>> told_;
  std::vector<Timed> timed_;
  std::unordered_map<std::string, size_t> place_of_;
};

}  // namespace

SearchStrategyFunctions evolution(SpaceFunctions space, CostModelFunctions model, int64_t seed,
                                  int64_t parents, int64_t pool) {
  if (parents < 1 || pool < 1) {
    TVM_FFI_THROW(ValueError) << "`parents` and `pool` must be positive, got " << parents << " and "
                              << pool;
  }
  return MakeSearchStrategy(
      "evolution",
      std::make_shared<Evolution>(std::move(space), std::move(model), seed,
                                  static_cast<size_t>(parents), static_cast<size_t>(pool)));
}

}  // namespace uir::tuning
