#include "io/names/vertex_names.hpp"

#include <algorithm>
#include <numeric>

#include "comm/agreement.hpp"
#include "core/data/bitmap.hpp"
#include "core/errors.hpp"
#include "core/parallel/parallel.hpp"
#include "core/text.hpp"
#include "io/files/line_parser.hpp"
#include "io/names/name_list.hpp"

namespace breadth {

// Conversion between names and labels.

namespace {
/// The first index in [first, last) of an ascending list whose name is not less than `name`.
std::size_t lower_bound(const NameList& names, std::string_view name, std::size_t first, std::size_t last) {
  while (first < last) {
    const std::size_t middle = first + (last - first) / 2;
    if (names[middle] < name) {
      first = middle + 1;
    } else {
      last = middle;
    }
  }
  return first;
}

/// Returns up to `count` evenly spaced names.
NameList sample(const NameList& names, std::size_t count) {
  NameList samples;
  count = std::min(count, names.size());
  for (std::size_t i = 0; i < count; ++i) samples.append(names[names.size() * i / count]);
  return samples;
}

/// The number of this rank's names that go to each rank, so that each rank gets a nearly equal share of all names.
std::vector<std::size_t> counts_of_shares(const NameList& mine, const Context& context) {
  const Communicator& ranks = context.ranks;
  constexpr std::size_t samples_per_rank = 64;
  const auto parts = static_cast<std::size_t>(ranks.size());
  const NameList gathered = gather_names(sample(mine, samples_per_rank), ranks);
  const NameList samples = sort_names(std::span(&gathered, 1), context.threads).distinct;
  std::vector<std::size_t> counts(parts, 0);
  std::size_t first = 0;
  for (std::size_t r = 0; r + 1 < parts && !samples.empty(); ++r) {
    const std::size_t last = lower_bound(mine, samples[samples.size() * (r + 1) / parts], first, mine.size());
    counts[r] = last - first;
    first = last;
  }
  counts.back() = mine.size() - first;
  return counts;
}

/// The number of labels of [first, last) in each rank's block.
std::vector<std::size_t> counts_by_block(const BlockDistribution& distribution, std::uint64_t first,
                                         std::uint64_t last) {
  std::vector<std::size_t> counts(static_cast<std::size_t>(distribution.ranks()));
  for (std::size_t r = 0; r < counts.size(); ++r) {
    const auto begin = static_cast<std::uint64_t>(distribution.first(static_cast<int>(r)).value);
    const auto end = static_cast<std::uint64_t>(distribution.first(static_cast<int>(r) + 1).value);
    const std::uint64_t from = std::max(first, begin);
    const std::uint64_t to = std::min(last, end);
    counts[r] = from < to ? static_cast<std::size_t>(to - from) : 0;
  }
  return counts;
}
/// Numbers the names of a single rank, which are already in order.
NumberedNames number_own_names(NameKind kind, NameList names) {
  std::vector<Label> labels;
  labels.reserve(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) labels.push_back(Label{static_cast<std::int64_t>(i)});
  const BlockDistribution distribution(names.size(), 1);
  return {VertexNames::dictionary(kind, distribution, std::move(names)), std::move(labels)};
}
}  // namespace

VertexNames VertexNames::range(std::int64_t first, std::uint64_t count) {
  VertexNames names;
  names.first_ = first;
  names.distribution_ = BlockDistribution(count, 1);
  return names;
}

VertexNames VertexNames::dictionary(NameKind kind, BlockDistribution distribution, NameList own) {
  VertexNames names;
  names.kind_ = kind;
  names.distribution_ = distribution;
  names.own_ = std::move(own);
  return names;
}

std::optional<Label> VertexNames::find(std::string_view text, const Communicator& ranks) const {
  const std::optional<std::int64_t> integer = parse_integer(text);
  if (kind_ != NameKind::strings && !integer) return std::nullopt;
  if (kind_ == NameKind::range) {
    const std::uint64_t distance = static_cast<std::uint64_t>(*integer) - static_cast<std::uint64_t>(first_);
    if (*integer < first_ || distance >= count()) return std::nullopt;
    return Label{static_cast<std::int64_t>(distance)};
  }
  const std::array<char, 8> encoded = encode_integer(integer.value_or(0));
  const std::string_view stored = kind_ == NameKind::integers ? as_name(encoded) : text;
  const std::size_t place = lower_bound(own_, stored, 0, own_.size());
  const bool here = place < own_.size() && own_[place] == stored;
  const std::int64_t mine = here ? distribution_.label(ranks.rank(), place).value : no_label.value;
  const std::int64_t found = ranks.all_reduce(mine, Reduction::maximum);
  return found == no_label.value ? std::nullopt : std::optional(Label{found});
}

NameList VertexNames::names_of(std::span<const Label> labels, const Communicator& ranks) const {
  // Each distinct label is queried once, in ascending order and therefore rank by rank.
  std::vector<Label> wanted(labels.begin(), labels.end());
  std::ranges::sort(wanted);
  wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
  if (!wanted.empty() && wanted.front() == no_label) wanted.erase(wanted.begin());
  if (!wanted.empty() && wanted.back().index() >= count()) {
    fail("vertex {} has no name; there are {} names", wanted.back().value, count());
  }
  std::vector<std::size_t> ask_counts(static_cast<std::size_t>(ranks.size()), 0);
  for (const Label label : wanted) ++ask_counts[static_cast<std::size_t>(distribution_.owner(label))];

  const auto [asked, asked_counts] = ranks.all_to_all(std::span<const Label>(wanted), ask_counts);
  NameList answers;
  for (const Label label : asked) answers.append(own_[distribution_.offset(label, ranks.rank())]);
  const NameList known = exchange_names(answers, asked_counts, ranks).names;

  NameList result;
  for (const Label label : labels) {
    const auto place = std::ranges::lower_bound(wanted, label);
    result.append(label == no_label ? std::string_view() : known[static_cast<std::size_t>(place - wanted.begin())]);
  }
  return result;
}

std::vector<std::string> VertexNames::displayed_names(std::span<const Label> labels, const Communicator& ranks) const {
  const NamesOfLabels names(*this, labels, ranks);
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < labels.size(); ++i) texts.push_back(names.text(i));
  return texts;
}

std::string displayed(NameKind kind, std::string_view stored) {
  return kind == NameKind::strings ? std::string(stored) : std::to_string(decode_integer(stored));
}

NumberedNames number_names(NameKind kind, NameList mine, const Context& context) {
  const Communicator& ranks = context.ranks;
  if (ranks.size() == 1) return number_own_names(kind, std::move(mine));
  const std::vector<std::size_t> counts = counts_of_shares(mine, context);
  const ReceivedNames received = exchange_names(mine, counts, ranks);
  const SortedNames sorted =
      run_together(ranks, [&] { return sort_names(std::span(&received.names, 1), context.threads); });
  const NameList& share = sorted.distinct;
  const std::vector<std::uint64_t> sizes = ranks.all_gather(std::uint64_t{share.size()});
  const auto own = sizes.begin() + ranks.rank();
  const std::uint64_t first = std::accumulate(sizes.begin(), own, std::uint64_t{0});
  const std::uint64_t count = std::accumulate(own, sizes.end(), first);
  if (count > static_cast<std::uint64_t>(label_bound)) {
    fail<AgreedError>("{} vertices are more than Breadth can number", count);
  }

  std::vector<Label> answers;
  answers.reserve(received.names.size());
  for (const std::uint64_t place : sorted.places.front()) {
    answers.push_back(Label{static_cast<std::int64_t>(first + place)});
  }
  NumberedNames numbered;
  numbered.labels = ranks.all_to_all(std::span<const Label>(answers), received.counts).values;

  const BlockDistribution distribution(count, ranks.size());
  ReceivedNames block = exchange_names(share, counts_by_block(distribution, first, first + share.size()), ranks);
  numbered.names = VertexNames::dictionary(kind, distribution, std::move(block.names));
  return numbered;
}

// Suggestions for a name that is not in the dictionary.

namespace {
constexpr std::uint64_t too_far = ~std::uint64_t{0};
constexpr std::size_t max_letters = 2;

/// The edit distance; too_far beyond max_letters, and for short words, which would all be near each other.
std::uint64_t letters_apart(std::string_view a, std::string_view b) {
  const auto [shorter, longer] = std::minmax({a.size(), b.size()});
  if (longer - shorter > max_letters || longer <= max_letters) return too_far;
  const std::size_t letters = edit_distance(a, b, max_letters);
  return letters <= max_letters ? letters : too_far;
}

std::uint64_t distance_between(NameKind kind, std::string_view stored, std::string_view text, std::int64_t integer) {
  if (kind == NameKind::strings) return letters_apart(stored, text);
  const std::int64_t value = decode_integer(stored);
  const auto high = static_cast<std::uint64_t>(std::max(value, integer));
  return high - static_cast<std::uint64_t>(std::min(value, integer));
}
}  // namespace

NearNames find_near_names(const VertexNames& names, std::string_view text, const Communicator& ranks) {
  const NameList& own = names.own();
  const std::int64_t integer = parse_integer(text).value_or(0);
  std::uint64_t least = too_far;
  std::string nearest;
  for (std::size_t i = 0; i < own.size(); ++i) {
    const std::uint64_t distance = distance_between(names.kind(), own[i], text, integer);
    if (distance >= least) continue;
    least = distance;
    nearest = displayed(names.kind(), own[i]);
  }
  const std::uint64_t best = ranks.all_reduce(least, Reduction::minimum);
  const int finder = ranks.first_with(least == best);
  // Blocks are in ascending order, and only trailing blocks are empty.
  const int last_rank = names.distribution().owner(Label{static_cast<std::int64_t>(names.count()) - 1});
  const std::string first = own.empty() ? "" : displayed(names.kind(), own[0]);
  const std::string last = own.empty() ? "" : displayed(names.kind(), own[own.size() - 1]);
  return {.first = ranks.broadcast(first, 0),
          .last = ranks.broadcast(last, last_rank),
          .nearest = ranks.broadcast(nearest, finder)};
}

// Labels of an edge list.

namespace {
constexpr Label none_above{INT64_MAX};
constexpr Occurrence none_seen{.smallest = none_above, .above = none_above};

/// The result of looking up `label` in a list of one label.
Occurrence occurrence_in(Label listed, Label label) {
  return {.found = listed == label,
          .smallest = listed,
          .largest = listed,
          .below = listed < label ? listed : no_label,
          .above = listed > label ? listed : none_above};
}

/// The result of looking up a label in two lists together.
Occurrence both(const Occurrence& one, const Occurrence& other) {
  return {.found = one.found || other.found,
          .smallest = std::min(one.smallest, other.smallest),
          .largest = std::max(one.largest, other.largest),
          .below = std::max(one.below, other.below),
          .above = std::min(one.above, other.above)};
}

/// Marks the labels of one round that occur, on the ranks that hold them. Collective.
void mark(std::vector<Label>& labels, const BlockDistribution& distribution, const Communicator& ranks,
          Bitmap& occurring) {
  const auto vertices = static_cast<std::int64_t>(distribution.vertex_count());
  std::ranges::sort(labels);
  labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
  labels.erase(std::ranges::lower_bound(labels, Label{vertices}), labels.end());
  std::vector<std::size_t> counts(static_cast<std::size_t>(ranks.size()), 0);
  for (const Label label : labels) ++counts[static_cast<std::size_t>(distribution.owner(label))];
  const Received<Label> received = ranks.all_to_all(std::span<const Label>(labels), counts);
  for (const Label label : received.values) occurring.insert(distribution.offset(label, ranks.rank()));
}
}  // namespace

Occurrence find_occurrence(const EdgeList& edges, Label label, const Context& context) {
  const Communicator& ranks = context.ranks;
  const Occurrence here = run_together(ranks, [&] {
    std::vector<Occurrence> of_thread(static_cast<std::size_t>(context.threads.size()), none_seen);
    parallel_edge_blocks(context.threads, edges, 0, edges.size(), false, [&](auto block, auto, int thread) {
      Occurrence seen = of_thread[static_cast<std::size_t>(thread)];
      for (const Edge& edge : block) {
        seen = both(seen, both(occurrence_in(edge.source, label), occurrence_in(edge.target, label)));
      }
      of_thread[static_cast<std::size_t>(thread)] = seen;
    });
    return std::accumulate(of_thread.begin(), of_thread.end(), none_seen, both);
  });
  const auto over_ranks = [&ranks](Label one, Reduction reduction) {
    const Label all{ranks.all_reduce(one.value, reduction)};
    return all == none_above ? no_label : all;
  };
  return {.found = ranks.any(here.found),
          .smallest = over_ranks(here.smallest, Reduction::minimum),
          .largest = over_ranks(here.largest, Reduction::maximum),
          .below = over_ranks(here.below, Reduction::maximum),
          .above = over_ranks(here.above, Reduction::minimum)};
}

Bitmap occurring_labels(const EdgeList& edges, const BlockDistribution& distribution, const Context& context) {
  constexpr std::uint64_t round_edges = std::uint64_t{1} << 20;
  const Communicator& ranks = context.ranks;
  Bitmap occurring = run_together(ranks, [&] { return Bitmap(distribution.count(ranks.rank())); });
  for_each_round(edges.size(), round_edges, ranks, [&](std::uint64_t first, std::uint64_t last) {
    std::vector<Label> labels = run_together(ranks, [&] {
      std::vector<Label> ends(2 * (last - first), no_label);
      parallel_blocks(context.threads, last - first, edge_block_size, [&](IndexRange range, int) {
        const std::vector<Edge> block = EdgeBlock(edges, first + range.begin, range.size(), false).edges;
        for (std::size_t i = 0; i < block.size(); ++i) {
          ends[2 * (range.begin + i)] = block[i].source;
          ends[2 * (range.begin + i) + 1] = block[i].target;
        }
      });
      edges.check_unchanged();
      return ends;
    });
    if (ranks.size() > 1) {
      mark(labels, distribution, ranks, occurring);
    } else {
      for (const Label label : labels) {
        if (label.index() < occurring.size()) occurring.insert(label.index());
      }
    }
  });
  return occurring;
}

}  // namespace breadth
