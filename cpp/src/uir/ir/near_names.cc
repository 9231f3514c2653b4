// Similar names.
#include <uir/ir/near_names.h>

#include <algorithm>
#include <cstddef>
#include <tuple>
#include <utility>

namespace uir::ir {

namespace {

constexpr size_t kMaxNames = 3;
/*! \brief Longer names get no suggestions, because the distance takes quadratic time. */
constexpr size_t kLongestName = 256;

/*! \brief The optimal string alignment distance (restricted Damerau-Levenshtein), capped at
 * `limit`. */
size_t Distance(std::string_view a, std::string_view b, size_t limit) {
  const size_t difference = a.size() > b.size() ? a.size() - b.size() : b.size() - a.size();
  if (difference > limit) return difference;
  std::vector<size_t> before(b.size() + 1), previous(b.size() + 1), current(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) current[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    std::swap(before, previous);
    std::swap(previous, current);
    current[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replaced = previous[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      current[j] = std::min({previous[j] + 1, current[j - 1] + 1, replaced});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) current[j] = std::min(current[j], before[j - 2] + 1);
    }
  }
  return current[b.size()];
}

std::string_view LastPart(std::string_view name) {
  const size_t dot = name.rfind('.');
  return dot == std::string_view::npos ? name : name.substr(dot + 1);
}

}  // namespace

std::vector<std::string> NearNames(std::string_view name, const std::vector<std::string>& known) {
  if (name.size() > kLongestName) return {};
  const std::string_view part = LastPart(name);
  const size_t limit = std::max<size_t>(1, part.size() / 3);
  // Among names with equally near last parts, the one in the nearest namespace comes first.
  std::vector<std::tuple<size_t, size_t, std::string_view>> near;
  for (const std::string& other : known) {
    const size_t distance =
        std::min(Distance(name, other, limit), Distance(part, LastPart(other), limit));
    if (distance <= limit) near.emplace_back(distance, Distance(name, other, kLongestName), other);
  }
  std::sort(near.begin(), near.end());
  if (near.size() > kMaxNames) near.resize(kMaxNames);
  std::vector<std::string> names;
  for (const auto& candidate : near) names.emplace_back(std::get<std::string_view>(candidate));
  return names;
}

std::string DidYouMean(std::string_view name, const std::vector<std::string>& known) {
  std::string text;
  for (const std::string& near : NearNames(name, known)) {
    text += (text.empty() ? "; did you mean `" : ", `") + near + "`";
  }
  return text.empty() ? text : text + "?";
}

}  // namespace uir::ir
