// Profiles as tables and as pictures.
#include <uir/runtime/profile.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

namespace uir::runtime {

namespace {

constexpr size_t kNumColumns = 9;

using Row = std::array<std::string, kNumColumns>;

std::string Format(const char* format, double value) {
  char text[64];
  std::snprintf(text, sizeof(text), format, value);
  return text;
}

/*! \brief Seconds with a suitable unit. */
std::string Time(double seconds) {
  if (seconds < 1e-3) return Format("%.2f us", seconds * 1e6);
  return seconds < 1 ? Format("%.2f ms", seconds * 1e3) : Format("%.2f s", seconds);
}

std::string Share(double part, double whole) {
  return Format("%.1f %%", whole > 0 ? part / whole * 100 : 0);
}

/*! \brief A rate, or a dash if it is unknown or 0. */
std::string RateText(double rate) { return rate > 0 ? Format("%.1f", rate) : "-"; }

double TimeOfKernels(const ProfileNode* profile) {
  double time = 0;
  for (const KernelProfile& kernel : profile->kernels) time += kernel->total;
  return time;
}

std::vector<Row> Rows(const ProfileNode* profile) {
  std::vector<Row> rows = {
      {"kernel", "calls", "total", "share", "min", "median", "GFLOP/s", "GB/s", "source"}};
  for (const KernelProfile& kernel : profile->kernels) {
    rows.push_back({kernel->name, std::to_string(kernel->calls), Time(kernel->total),
                    Share(kernel->total, profile->total), Time(kernel->min), Time(kernel->median),
                    RateText(kernel->GflopsPerSecond()), RateText(kernel->GbytesPerSecond()),
                    kernel->source});
  }
  const double outside = std::max(0., profile->total - TimeOfKernels(profile));
  rows.push_back(
      {"(outside kernels)", "", Time(outside), Share(outside, profile->total), "", "", "", "", ""});
  return rows;
}

/*! \brief A line; the first and the last column are left-aligned, the others right-aligned. */
std::string Line(const Row& row, const std::array<size_t, kNumColumns>& widths) {
  std::string line;
  for (size_t i = 0; i < kNumColumns; ++i) {
    const std::string padding(widths[i] - row[i].size(), ' ');
    const bool is_text = i == 0 || i + 1 == kNumColumns;
    line += (i == 0 ? "" : "  ") + (is_text ? row[i] + padding : padding + row[i]);
  }
  return line.substr(0, line.find_last_not_of(' ') + 1);
}

/*! \brief A text with the special characters of XML escaped. */
std::string Escaped(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    escaped += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
  }
  return escaped;
}

std::string Text(double x, double y, const std::string& text) {
  return "<text x=\"" + Format("%.0f", x) + "\" y=\"" + Format("%.0f", y) + "\">" + Escaped(text) +
         "</text>\n";
}

/*! \brief The dimensions of a picture, in pixels. */
constexpr double kWidth = 960;
constexpr double kLeft = 260;
constexpr double kBarWidth = 440;
constexpr double kRowHeight = 24;

std::string Bar(const KernelProfile& kernel, double y, double total) {
  const double share = total > 0 ? kernel->total / total : 0;
  const double width = std::max(1., share * kBarWidth);
  std::string label = Share(kernel->total, total) + ", " + Time(kernel->median);
  const double gflops = kernel->GflopsPerSecond();
  if (gflops > 0) label += ", " + RateText(gflops) + " GFLOP/s";
  return "<g><title>" + Escaped(std::string(kernel->source)) + "</title>\n" +
         Text(8, y + 16, std::string(kernel->name)) + "<rect x=\"" + Format("%.0f", kLeft) +
         "\" y=\"" + Format("%.0f", y + 3) + "\" width=\"" + Format("%.1f", width) +
         "\" height=\"18\"/>\n" + Text(kLeft + width + 6, y + 16, label) + "</g>\n";
}

}  // namespace

ffi::String ProfileNode::Text() const {
  const std::vector<Row> rows = Rows(this);
  std::array<size_t, kNumColumns> widths = {};
  for (const Row& row : rows) {
    for (size_t i = 0; i < kNumColumns; ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text = "`" + std::string(name) + "`: " + std::to_string(calls) + " calls, " +
                     Time(total / static_cast<double>(calls)) + " each";
  for (const Row& row : rows) text += "\n" + Line(row, widths);
  return text;
}

ffi::String ProfileNode::ToSvg() const {
  const double height = kRowHeight * static_cast<double>(kernels.size() + 1);
  std::string svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + Format("%.0f", kWidth) +
                    "\" height=\"" + Format("%.0f", height) +
                    "\" font-family=\"sans-serif\" font-size=\"13\">\n"
                    "<style>rect { fill: #4878a8 }</style>\n";
  svg += runtime::Text(8, 16,
                       std::string(name) + ": " + std::to_string(calls) + " calls, " +
                           Time(total / static_cast<double>(calls)) + " each");
  double y = kRowHeight;
  for (const KernelProfile& kernel : kernels) {
    svg += Bar(kernel, y, total);
    y += kRowHeight;
  }
  return svg + "</svg>\n";
}

}  // namespace uir::runtime
