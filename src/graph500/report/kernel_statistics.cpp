#include "graph500/report/kernel_statistics.hpp"

#include <algorithm>
#include <functional>

#include "graph500/report/statistics.hpp"

namespace breadth {

namespace {
std::vector<double> collect(const KernelReport& kernel, const std::function<double(const SearchRecord&)>& value) {
  std::vector<double> values(kernel.searches.size());
  std::transform(kernel.searches.begin(), kernel.searches.end(), values.begin(), value);
  return values;
}

double seconds_of(const SearchRecord& search) { return search.seconds; }
double edges_of(const SearchRecord& search) { return static_cast<double>(search.verification.edges); }
double validation_seconds_of(const SearchRecord& search) { return search.verification.seconds; }

NamedValues name_values(const Summary& summary, const std::string& quantity) {
  return {{"min_" + quantity, summary.minimum},
          {"firstquartile_" + quantity, summary.first_quartile},
          {"median_" + quantity, summary.median},
          {"thirdquartile_" + quantity, summary.third_quartile},
          {"max_" + quantity, summary.maximum},
          {"mean_" + quantity, summary.mean},
          {"stddev_" + quantity, summary.standard_deviation}};
}
}  // namespace

NamedValues time_statistics(const KernelReport& kernel) {
  return name_values(summarize(collect(kernel, seconds_of)), "time");
}

NamedValues edge_statistics(const KernelReport& kernel) {
  return name_values(summarize(collect(kernel, edges_of)), "nedge");
}

NamedValues teps_statistics(const KernelReport& kernel) {
  const TepsSummary teps = summarize_teps(collect(kernel, seconds_of), collect(kernel, edges_of));
  return {{"min_TEPS", teps.minimum},
          {"firstquartile_TEPS", teps.first_quartile},
          {"median_TEPS", teps.median},
          {"thirdquartile_TEPS", teps.third_quartile},
          {"max_TEPS", teps.maximum},
          {"harmonic_mean_TEPS", teps.harmonic_mean},
          {"harmonic_stddev_TEPS", teps.harmonic_standard_deviation}};
}

NamedValues validation_statistics(const KernelReport& kernel) {
  const bool all_validated =
      std::none_of(kernel.searches.begin(), kernel.searches.end(),
                   [](const SearchRecord& search) { return search.verification.verdict == Verdict::unchecked; });
  constexpr double skipped = -1;
  if (!all_validated) {
    return name_values({skipped, skipped, skipped, skipped, skipped, skipped, skipped}, "validate");
  }
  return name_values(summarize(collect(kernel, validation_seconds_of)), "validate");
}

}  // namespace breadth
