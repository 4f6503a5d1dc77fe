#include "placement/binding_plan.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>

#include "core/parallel/parallel.hpp"

namespace breadth {

namespace {
/// Consecutive processors of a topology.
using Processors = std::span<const Processor>;

/// Splits processors where consecutive ones differ in a property.
template <class Property>
std::vector<Processors> groups_by(Property Processor::*property, Processors processors) {
  std::vector<Processors> groups;
  for (std::size_t begin = 0; begin < processors.size();) {
    std::size_t end = begin + 1;
    while (end < processors.size() && processors[end].*property == processors[begin].*property) ++end;
    groups.push_back(processors.subspan(begin, end - begin));
    begin = end;
  }
  return groups;
}

/// Part `part` of `parts` nearly equal parts, each of whole, consecutive groups.
Processors even_part(const std::vector<Processors>& groups, std::size_t part, std::size_t parts) {
  const IndexRange range = even_share(groups.size(), part, parts);
  if (range.size() == 0) return {};
  return {groups[range.begin].data(), groups[range.end - 1].data() + groups[range.end - 1].size()};
}

/// Gives each rank whole domains; if there are more ranks than domains, gives each domain to several ranks.
Processors part_by_domains(Processors processors, std::size_t part, std::size_t parts) {
  const std::vector<Processors> domains = groups_by(&Processor::numa_domain, processors);
  if (parts <= domains.size()) return even_part(domains, part, parts);
  for (std::size_t domain = 0; domain < domains.size(); ++domain) {
    const IndexRange here = even_share(parts, domain, domains.size());
    if (part >= here.end) continue;
    return even_part(groups_by(&Processor::core, domains[domain]), part - here.begin, here.size());
  }
  return {};
}

Processors part_by_cores(Processors processors, std::size_t part, std::size_t parts) {
  return even_part(groups_by(&Processor::core, processors), part, parts);
}

Processors part_by_processors(Processors processors, std::size_t part, std::size_t parts) {
  return even_part(groups_by(&Processor::number, processors), part, parts);
}

/// The part of ranks[self] by the first kind of cut that leaves every rank a processor for each of its threads.
std::optional<Processors> share_out(Processors processors, std::span<const RankOnMachine> ranks, std::size_t self) {
  for (const auto cut : {part_by_domains, part_by_cores, part_by_processors}) {
    bool suffices = true;
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
      const auto threads = static_cast<std::size_t>(ranks[rank].threads);
      suffices = suffices && cut(processors, rank, ranks.size()).size() >= threads;
    }
    if (suffices) return cut(processors, self, ranks.size());
  }
  return std::nullopt;
}

std::vector<int> numbers_of(Processors processors) {
  std::vector<int> numbers;
  for (const Processor& processor : processors) numbers.push_back(processor.number);
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

/// Spreads threads over the cores of a rank's part, so that no two share a core or a cache before they must.
std::vector<std::vector<int>> bind_in(Processors part, std::size_t threads, Binding binding) {
  std::vector<Processors> places = groups_by(&Processor::core, part);
  if (places.size() < threads) places = groups_by(&Processor::number, part);
  std::vector<std::vector<int>> bound;
  for (std::size_t thread = 0; thread < threads; ++thread) {
    Processors place = places[thread * places.size() / threads];
    if (binding == Binding::numa) {
      for (const Processors domain : groups_by(&Processor::numa_domain, part)) {
        if (domain.front().numa_domain == place.front().numa_domain) place = domain;
      }
    }
    bound.push_back(numbers_of(place));
  }
  return bound;
}

/// The processors of a topology that are in `usable`.
Topology restrict_to(const Topology& topology, const std::vector<int>& usable) {
  Topology restricted;
  std::copy_if(topology.begin(), topology.end(), std::back_inserter(restricted), [&](const Processor& processor) {
    return std::binary_search(usable.begin(), usable.end(), processor.number);
  });
  return restricted;
}

bool have_some_in_common(const std::vector<int>& one, const std::vector<int>& other) {
  std::vector<int> both;
  std::set_intersection(one.begin(), one.end(), other.begin(), other.end(), std::back_inserter(both));
  return !both.empty();
}

/// The binding for the threads of all ranks that share these processors; `none` with a reason if there is none.
BindingPlan choose_binding(Processors processors, std::size_t threads, BindingPolicy policy) {
  const std::size_t cores = groups_by(&Processor::core, processors).size();
  const std::size_t domains = groups_by(&Processor::numa_domain, processors).size();
  switch (policy) {
    case BindingPolicy::core: return {.binding = Binding::core};
    case BindingPolicy::numa: return {.binding = Binding::numa};
    case BindingPolicy::none: return {.reason = "not wanted"};
    case BindingPolicy::automatic: break;
  }
  if (domains < 2) return {.reason = "one NUMA domain"};
  if (threads < cores) return {.reason = "not all cores are used, and other processes may bind to the same ones"};
  return {.binding = Binding::numa};
}
}  // namespace

BindingPlan plan_binding(const Topology& topology, std::span<const RankOnMachine> ranks, std::size_t self,
                         BindingPolicy policy) {
  const std::vector<int>& usable = ranks[self].usable;
  std::vector<RankOnMachine> sharers;
  std::size_t place = 0;
  std::size_t threads = 0;
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    const bool same = ranks[rank].usable == usable;
    if (ranks[rank].narrowed || (!same && have_some_in_common(ranks[rank].usable, usable))) {
      return {.binding = Binding::launcher, .reason = "bound before it started"};
    }
    if (!same) continue;
    if (rank == self) place = sharers.size();
    sharers.push_back(ranks[rank]);
    threads += static_cast<std::size_t>(ranks[rank].threads);
  }
  const Topology processors = restrict_to(topology, usable);
  if (processors.empty() || processors.size() != usable.size())
    return {.reason = "the machine's processors are not known"};
  BindingPlan plan = choose_binding(processors, threads, policy);
  if (plan.binding == Binding::none) return plan;
  const std::optional<Processors> part = share_out(processors, sharers, place);
  if (!part) return {.reason = "more threads than processors"};
  plan.processors = bind_in(*part, static_cast<std::size_t>(ranks[self].threads), plan.binding);
  return plan;
}

int fair_threads(std::span<const RankOnMachine> ranks, std::size_t self) {
  std::map<int, int> users;
  for (const RankOnMachine& rank : ranks) {
    for (const int processor : rank.usable) ++users[processor];
  }
  double share = 0;
  for (const int processor : ranks[self].usable) share += 1.0 / users[processor];
  constexpr double rounding = 1e-6;  // thirds add up to a little less than a whole
  return std::max(1, static_cast<int>(share + rounding));
}

}  // namespace breadth
