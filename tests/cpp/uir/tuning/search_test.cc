// From C++: models and strategies drive searches with recorded durations, and broken ones are
// named.
#include <gtest/gtest.h>
#include <uir/script/script.h>
#include <uir/tuning/adapters.h>
#include <uir/tuning/features.h>
#include <uir/tuning/strategies.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "error_of.h"

namespace {

namespace ffi = ::tvm::ffi;
using namespace uir;
using tuning::Features;
using tuning::Trace;

/*! \brief Candidates with their times, as `tests/tuning/recorded.txt` has them. */
struct Recorded {
  ffi::Array<Trace> traces;
  Features features;
  ffi::Array<double> times;
  int64_t winner = 0;
  std::vector<int64_t> proposals;

  int64_t PlaceOf(const Trace& trace) const {
    for (size_t place = 0; place < traces.size(); ++place) {
      if (traces[static_cast<int64_t>(place)][0] == trace[0]) return static_cast<int64_t>(place);
    }
    throw std::out_of_range("no such candidate");
  }

  /*! \brief The space, whose draws and changes are those of the other languages. */
  tuning::SpaceFunctions Space() const {
    const auto count = static_cast<int64_t>(traces.size());
    const Recorded& self = *this;
    const auto draw = [self, count](int64_t seed) { return self.traces[seed % count]; };
    const auto change = [self, count](const Trace& trace, int64_t seed) {
      return self.traces[(self.PlaceOf(trace) + 1 + seed % 9) % count];
    };
    const auto features = [self](const ffi::Array<Trace>& candidates) {
      Features made;
      for (const Trace& one : candidates) made.push_back(self.features[self.PlaceOf(one)]);
      return made;
    };
    const auto iterate = [self, count] {
      const auto place = std::make_shared<int64_t>(0);
      return ffi::Function::FromTyped([self, count, place]() -> ffi::Optional<Trace> {
        if (*place == count) return std::nullopt;
        return self.traces[(*place)++];
      });
    };
    return tuning::SpaceFunctions("recorded", traces[0], count, ffi::Function::FromTyped(iterate),
                                  ffi::Function::FromTyped(draw), ffi::Function::FromTyped(change),
                                  ffi::Function::FromTyped(features));
  }

  ffi::Function Measure(std::vector<int64_t>* proposals) const {
    const Recorded& self = *this;
    return ffi::Function::FromTyped([self, proposals](const Trace& trace) {
      const int64_t place = self.PlaceOf(trace);
      proposals->push_back(place);
      return self.times[place];
    });
  }
};

std::vector<int64_t> PlacesIn(const std::string& line) {
  std::istringstream words(line.substr(line.find(' ')));
  return {std::istream_iterator<int64_t>(words), {}};
}

Recorded Read() {
  std::ifstream file(RECORDED_SEARCH);
  std::string line;
  Recorded made;
  std::getline(file, line);
  made.winner = PlacesIn(line).front();
  std::getline(file, line);
  made.proposals = PlacesIn(line);
  std::getline(file, line);
  while (std::getline(file, line)) {
    const size_t first = line.find('\t');
    const size_t second = line.find('\t', first + 1);
    std::istringstream numbers(line.substr(first + 1, second - first - 1));
    made.times.push_back(std::stod(line));
    const std::vector<double> features{std::istream_iterator<double>(numbers), {}};
    made.features.push_back(ffi::Array<double>(features.begin(), features.end()));
    made.traces.push_back({ffi::String(line.substr(second + 1))});
  }
  return made;
}

/*! \brief Predicts the time of the nearest measured candidate. */
struct Nearest {
  Features known;
  ffi::Array<double> times;

  ffi::Array<double> Predict(const Features& features) const {
    ffi::Array<double> scores;
    for (const ffi::Array<double>& row : features) {
      double least = std::numeric_limits<double>::infinity();
      double score = 0.0;
      for (size_t place = 0; place < known.size(); ++place) {
        const ffi::Array<double>& other = known[static_cast<int64_t>(place)];
        double distance = 0.0;
        for (size_t at = 0; at < row.size(); ++at) {
          distance += std::abs(row[static_cast<int64_t>(at)] - other[static_cast<int64_t>(at)]);
        }
        if (distance >= least) continue;
        least = distance;
        score = times[static_cast<int64_t>(place)];
      }
      scores.push_back(score);
    }
    return scores;
  }

  void Update(const Features& features, const ffi::Array<double>& measured) {
    known = features;
    times = measured;
  }
};

/*! \brief A model with mistakes. */
struct Broken {
  std::string mistake;

  ffi::Array<double> Predict(const Features& features) const {
    if (mistake == "throws") throw std::runtime_error("no memory left for trees");
    ffi::Array<double> scores(features.size() - (mistake == "count" ? 1 : 0), 1.0);
    if (mistake == "nan") scores.Set(0, std::nan(""));
    return scores;
  }
  void Update(const Features&, const ffi::Array<double>&) {}
};

/*! \brief Proposes one candidate forever. */
struct Forever {
  Trace trace;
  ffi::Array<Trace> Propose(int64_t) const { return {trace}; }
  void Tell(const Trace&, const ffi::Optional<double>&) {}
};

std::string SearchError(const tuning::SpaceFunctions& space,
                        const tuning::SearchStrategyFunctions& strategy) {
  const auto measure = ffi::Function::FromTyped([](const Trace&) { return 1.0; });
  return ErrorOf([&] { tuning::search(space, strategy, measure, 16); });
}

TEST(Search, AModelOfCppFindsTheRecordedWinner) {
  const Recorded recorded = Read();
  for (int run = 0; run < 2; ++run) {
    const auto model = tuning::MakeCostModel("nearest", std::make_shared<Nearest>());
    std::vector<int64_t> proposals;
    const Trace best = tuning::search(
        recorded.Space(), tuning::evolution(recorded.Space(), model, 7),
        recorded.Measure(&proposals), static_cast<int64_t>(recorded.proposals.size()));
    EXPECT_EQ(recorded.PlaceOf(best), recorded.winner);
    EXPECT_EQ(proposals, recorded.proposals);
  }
}

TEST(Search, ExhaustiveProposesAllOthersInOrder) {
  const Recorded recorded = Read();
  const tuning::SearchStrategyFunctions strategy = tuning::exhaustive(recorded.Space());
  strategy->Tell(recorded.traces[2], std::nullopt);
  const ffi::Array<Trace> first = strategy->Propose(2);
  EXPECT_EQ(recorded.PlaceOf(first[0]), 1);
  EXPECT_EQ(recorded.PlaceOf(first[1]), 3);
  EXPECT_EQ(strategy->Propose(1000).size(), recorded.traces.size() - 4);
  EXPECT_TRUE(strategy->Propose(1).empty());
}

TEST(Search, BrokenModelsAreNamed) {
  const Recorded recorded = Read();
  const auto error_of = [&](const std::string& mistake) {
    auto broken = std::make_shared<Broken>();
    broken->mistake = mistake;
    const auto model = tuning::MakeCostModel("toy.broken", broken);
    return SearchError(recorded.Space(), tuning::evolution(recorded.Space(), model));
  };
  const std::string place = "in strategy `evolution`: in cost model `toy.broken`: ";
  EXPECT_EQ(error_of("throws"), "RuntimeError: " + place + "no memory left for trees");
  const std::string counts = error_of("count");
  EXPECT_EQ(counts.find("ValueError: " + place + "`predict` returned "), 0U) << counts;
  EXPECT_EQ(error_of("nan"), "ValueError: " + place + "score 0 is nan, which is not finite");
  EXPECT_EQ(error_of(""), "");
}

TEST(Search, AStrategyThatWouldNeverEndIsNamed) {
  const Recorded recorded = Read();
  const auto strategy = tuning::MakeSearchStrategy(
      "toy.forever", std::make_shared<Forever>(Forever{recorded.traces[1]}));
  EXPECT_EQ(SearchError(recorded.Space(), strategy),
            "ValueError: in strategy `toy.forever`: `propose` returned a candidate again:\n" +
                std::string(recorded.traces[1][0]) + "\n");
}

TEST(Search, ModelsAndStrategiesHaveNames) {
  const Recorded recorded = Read();
  const auto factory = ffi::Function::FromTyped(
      [](int64_t) { return tuning::MakeCostModel("nearest", std::make_shared<Nearest>()); });
  tuning::register_cost_model("test.nearest", factory, "search_test.cc:1");
  const tuning::CostModelFunctions model = tuning::make_cost_model("test.nearest", 0);
  EXPECT_EQ(tuning::make_strategy("evolution", recorded.Space(), model, 7)->Propose(1).size(), 1U);
  EXPECT_EQ(ErrorOf([] {
              tuning::make_cost_model("test.farthest", 0);
            }).find("ValueError: there is no cost model `test.farthest`; there are `"),
            0U);
  EXPECT_NE(ErrorOf([&] {
              tuning::register_cost_model("test.nearest", factory, "b.cc:2");
            }).find("at search_test.cc:1; the second one is at b.cc:2"),
            std::string::npos);
}

TEST(Features, DescribeTheLoopsOfATrace) {
  const auto func = script::parse(R"(
@tir.prim_func
def main(a: tir.Buffer((64,), "float32"), b: tir.Buffer((64,), "float32")):
    tir.func_attr({"tir.noalias": True})
    for i in range(64):
        b[i] = a[i] + 1.0
)")
                        .cast<tir::PrimFunc>();
  const auto made =
      tuning::features(func,
                       {{"ScheduleElementwise: b: vectors(lanes=8, flat=0, parallel=0)"},
                        {"ScheduleElementwise: c: vectors(lanes=8, flat=0, parallel=0)"}},
                       std::nullopt);
  ASSERT_EQ(made[0].size(), tuning::feature_names().size());
  // 8 vector additions, loads and stores, no others, and 512 bytes from beyond the first level.
  const std::vector<double> wanted = {8, 0, 8, 0, 8, 0, 512};
  for (size_t at = 0; at < wanted.size(); ++at) {
    EXPECT_DOUBLE_EQ(made[0][static_cast<int64_t>(at)], std::log2(1 + wanted[at])) << at;
  }
  EXPECT_TRUE(made[1].empty());
}

}  // namespace
