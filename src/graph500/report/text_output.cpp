#include "graph500/report/output.hpp"

#include <fmt/format.h>

#include <functional>
#include <vector>

#include "core/text.hpp"
#include "graph500/report/statistics.hpp"

namespace breadth {

namespace {
void write_remarks(std::string& text, const BenchmarkReport& report) {
  if (report.options.profile) append(text, "# profile: {}\n", describe(*report.options.profile));
  if (report.options.link_hubs) append(text, "# hubs: {}\n", describe(*report.options.link_hubs));
  if (report.calibration) append(text, "# calibrated: {}\n", describe(*report.calibration));
  for (const KernelReport& kernel : report.kernels) {
    if (!kernel.complete()) {
      append(text, "# incomplete: {} of {} {} searches\n", kernel.searches.size(), kernel.keys, kernel.name);
    }
  }
  for (const std::string& note : report.rules_notes) append(text, "# note: {}\n", note);
  for (const std::string& rule : report.rules_broken) append(text, "# not conforming: {}\n", rule);
}

bool write_invalid(std::string& text, const BenchmarkReport& report) {
  for (const KernelReport& kernel : report.kernels) {
    const std::size_t invalid = kernel.count(Verdict::invalid);
    if (invalid > 0) {
      append(text, "# invalid: {} of {} {} searches failed validation, so there are no statistics\n", invalid,
             kernel.searches.size(), kernel.name);
    }
  }
  return !report.valid();
}

std::uint64_t search_count(const BenchmarkReport& report) {
  return report.kernels.empty() ? 0 : report.kernels.front().searches.size();
}

/// A line in the reference's layout: values start in column 33.
template <class... Arguments>
void write_column(std::string& text, std::string_view label, fmt::format_string<Arguments...> format,
                  Arguments&&... arguments) {
  append(text, "{:<31} ", label);  // a longer label moves its value
  append(text, format, std::forward<Arguments>(arguments)...);
  append(text, "\n");
}

/// Writes the statistics of one kernel after another, as the reference does, with kernel names padded to four
/// characters.
void write_reference_block(std::string& text, const BenchmarkReport& report,
                           const std::function<NamedValues(const KernelReport&)>& values) {
  for (const KernelReport& kernel : report.kernels) {
    if (kernel.searches.empty()) continue;
    for (const auto& [name, value] : values(kernel)) {
      std::string label = fmt::format("{:<4} {}:", kernel.name, name);
      // Scripts search for this mark to find the result that is ranked.
      if (name == "harmonic_mean_TEPS") label = fmt::format("{:<29}!", label);
      write_column(text, label, "{:g}", value);
    }
  }
}
}  // namespace

std::string specification_text(const BenchmarkReport& report) {
  std::string text;
  write_remarks(text, report);
  const bool invalid = write_invalid(text, report);
  append(text, "SCALE: {}\n", report.options.scale);
  append(text, "edgefactor: {}\n", report.edgefactor);
  append(text, "NBFS: {}\n", search_count(report));
  append(text, "construction_time: {:.17e}\n", report.construction.seconds);
  for (const KernelReport& kernel : report.kernels) {
    if (!kernel.preparation_seconds) continue;
    append(text, "{}_preparation_time: {:.17e}\n", kernel.name, *kernel.preparation_seconds);
  }
  if (invalid) return text;
  for (const KernelReport& kernel : report.kernels) {
    if (kernel.searches.empty()) continue;
    for (const NamedValues& values : {time_statistics(kernel), edge_statistics(kernel), teps_statistics(kernel)}) {
      for (const auto& [name, value] : values) append(text, "{}_{}: {:.17e}\n", kernel.name, name, value);
    }
  }
  return text;
}

namespace {
/// A number with three significant digits; whole if it is at least 1000.
std::string short_number(double value) {
  return value < 1000 ? fmt::format("{:.3g}", value) : fmt::format("{:.0f}", value);
}

/// "64 searches, all valid".
std::string searches_text(const KernelReport& kernel) {
  const std::size_t searches = kernel.searches.size();
  std::string text = kernel.complete() ? fmt::format("{} {}", searches, searches == 1 ? "search" : "searches")
                                       : fmt::format("{} of {} searches", searches, kernel.keys);
  if (searches == 0) return text;
  const std::size_t unchecked = kernel.count(Verdict::unchecked);
  if (const std::size_t invalid = kernel.count(Verdict::invalid); invalid > 0) {
    text += fmt::format(", {} failed validation", invalid);
  } else if (unchecked < searches) {
    text += unchecked == 0 ? ", all valid" : fmt::format(", {} valid", searches - unchecked);
  }
  if (unchecked > 0) text += unchecked == searches ? ", not validated" : fmt::format(", {} not validated", unchecked);
  return text;
}

std::string rate_text(const KernelReport& kernel) {
  if (kernel.searches.empty() || !kernel.valid()) return "no TEPS";
  for (const auto& [name, value] : teps_statistics(kernel)) {
    if (name == "harmonic_mean_TEPS") return short_number(value / 1e9) + " GTEPS (harmonic mean)";
  }
  return "";
}
}  // namespace

std::string closing_line(const BenchmarkReport& report) {
  const std::string conforming = report.rules_broken.empty()
                                     ? std::string("conforming")
                                     : fmt::format("not conforming ({})", joined(report.rules_broken, "; "));
  const double seconds = report.construction.seconds;
  const std::string kernel1 =
      fmt::format("kernel 1 {} s", seconds < 100 ? fmt::format("{:.2g}", seconds) : fmt::format("{:.0f}", seconds));
  if (report.kernels.size() == 1) {
    const KernelReport& kernel = report.kernels.front();
    return fmt::format("{}, {}: {}, {}\n", searches_text(kernel), conforming, rate_text(kernel), kernel1);
  }
  const std::vector<std::string> kernels = texts_of(report.kernels, [](const KernelReport& kernel) {
    return fmt::format("{}: {}, {}", kernel.name, searches_text(kernel), rate_text(kernel));
  });
  return fmt::format("{}; {}; {}\n", joined(kernels, "; "), conforming, kernel1);
}

std::string reference_text(const BenchmarkReport& report) {
  std::string text;
  write_remarks(text, report);
  if (write_invalid(text, report)) return text;
  write_column(text, "SCALE:", "{}", report.options.scale);
  write_column(text, "edgefactor:", "{}", report.edgefactor);
  write_column(text, "NBFS:", "{}", search_count(report));
  write_column(text, "graph_generation:", "{:g}", report.generation_seconds);
  write_column(text, "num_mpi_processes:", "{}", report.ranks);
  write_column(text, "construction_time:", "{:g}", report.construction.seconds);
  if (search_count(report) == 0) return text;
  write_reference_block(text, report, time_statistics);
  for (const auto& [name, value] : edge_statistics(report.kernels.front())) {
    write_column(text, name + ":", "{:.11g}", value);
  }
  write_reference_block(text, report, teps_statistics);
  write_reference_block(text, report, validation_statistics);
  return text;
}

}  // namespace breadth
