// What the trees of several ranks are connected with.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "comm/agreement.hpp"
#include "comm/context.hpp"
#include "core/data/bitmap.hpp"
#include "core/memory/buffer.hpp"
#include "core/parallel/parallel.hpp"
#include "graph/graph.hpp"
#include "traverse/components/linked_trees.hpp"

namespace breadth {

/// The components of several ranks: the trees of each rank, and what their smallest labels come to be. At first a
/// vertex tells its label to its first neighbours alone, which brings all of a large component together or most of it.
/// What most ranks' largest trees are then in is told to nobody: vertices outside tell all their neighbours, and hear
/// from those inside.
template <class Adjacencies>
class RankComponents {
 public:
  RankComponents(const Graph& graph, const Adjacencies& adjacencies, Trees& trees, const Context& context)
      : partition_(graph.partition()),
        adjacencies_(adjacencies),
        trees_(trees),
        own_(partition_),
        context_(context),
        ranks_(static_cast<std::size_t>(context.ranks.size())),
        vertices_(trees.size()) {}

  std::uint64_t number(std::span<std::int64_t> of_label, const Bitmap* vertices) {
    run_together(context_.ranks, [&] { begin(of_label.size()); });
    spread(Edges::first);
    set_largest_apart();
    spread(Edges::all);
    name_largest();
    return number_labels(of_label, vertices);
  }

 private:
  enum class Edges { first, all };
  static constexpr std::int64_t unknown = std::numeric_limits<std::int64_t>::max();
  /// Stands for the smallest label of the component that is set apart: less than all others.
  static constexpr std::int64_t largest = -1;

  /// That a vertex of the rank that gets it is connected with a vertex of the one that sent it, and with a label.
  struct News {
    std::int64_t label;
    std::uint32_t vertex;
    std::uint32_t from;
  };
  /// What one thread has for each rank, and what it has told lately: many edges of a tree lead to one vertex.
  struct Outbox {
    static constexpr std::size_t remembered = std::size_t{1} << 14;
    struct Told {
      std::uint64_t neighbour = std::numeric_limits<std::uint64_t>::max();
      std::int64_t label = 0;
      std::uint32_t root = 0;
      friend bool operator==(const Told&, const Told&) = default;
    };
    std::vector<std::vector<News>> to_rank;
    std::vector<Told> told = std::vector<Told>(remembered);
  };

  void begin(std::size_t labels) {
    least_ = Buffer<std::int64_t>(vertices_);
    fell_ = Bitmap(vertices_);
    falls_ = Bitmap(vertices_);
    outboxes_.resize(static_cast<std::size_t>(context_.threads.size()));
    for (Outbox& outbox : outboxes_) outbox.to_rank.resize(ranks_);
    hubs_.resize(partition_.hubs().count());
    parallel_fill(context_.threads, least_.span(), unknown);
    for_each_label(partition_, labels, context_.threads, [&](std::size_t label, LocalVertex vertex) {
      if (vertex != no_local_vertex) lower(least_of(vertex.value), label_at(label));
    });
    for (std::uint32_t hub = 0; hub < hubs_.size(); ++hub) {
      lower(least_of(hub), partition_.hubs()[LocalVertex{hub}].label.value);
    }
    parallel_fill(context_.threads, fell_.words(), ~std::uint64_t{0});
  }
  [[nodiscard]] std::int64_t label_at(std::size_t offset) const {
    return partition_.distribution().label(partition_.rank(), offset).value;
  }
  [[nodiscard]] std::int64_t& least_of(std::uint32_t vertex) { return least_[trees_.root(vertex)]; }
  void improve(std::uint32_t vertex, std::int64_t label) {
    std::int64_t& least = least_of(vertex);
    const std::int64_t before = std::atomic_ref(least).load(std::memory_order_relaxed);
    if (label == largest && before != largest) lower(label_of_largest_, before);
    if (!lower(least, label)) return;
    falls_.insert_atomic(trees_.root(vertex));
    std::atomic_ref(any_falls_).store(1, std::memory_order_relaxed);
  }

  /// From the vertices whose trees have news, until there are none.
  void spread(Edges edges) {
    do {
      tell_neighbours(edges);
      agree_on_hubs();
      std::swap(fell_, falls_);
      parallel_fill(context_.threads, falls_.words(), std::uint64_t{0});
    } while (context_.ranks.all_reduce(std::exchange(any_falls_, 0), Reduction::maximum) != 0);
  }
  /// Some vertices of each rank at a time, so that messages do not take more memory than the graph.
  void tell_neighbours(Edges edges) {
    const std::size_t edges_at_once = std::max<std::size_t>(std::size_t{1} << 12, (std::size_t{1} << 21) / ranks_);
    bool goes_on = true;
    for (std::size_t first = 0; goes_on;) {
      first = run_together(context_.ranks, [&] {
        const std::size_t end = end_of_some(first, edges, edges_at_once);
        parallel_blocks(context_.threads, end - first, link_grain, [&](IndexRange range, int thread) {
          for (std::size_t i = first + range.begin; i < first + range.end; ++i) {
            write_news(static_cast<std::uint32_t>(i), edges, outboxes_[static_cast<std::size_t>(thread)]);
          }
        });
        return end;
      });
      exchange_news(edges);
      goes_on = context_.ranks.all_reduce(std::uint64_t{first < vertices_}, Reduction::maximum) != 0;
    }
  }
  [[nodiscard]] bool has_news(std::uint32_t vertex) const { return fell_.contains(trees_.root(vertex)); }
  [[nodiscard]] std::size_t end_of_some(std::size_t first, Edges edges, std::size_t most_edges) const {
    for (std::size_t taken = 0; first < vertices_ && taken < most_edges; ++first) {
      const LocalVertex vertex{static_cast<std::uint32_t>(first)};
      if (has_news(vertex.value)) taken += edges == Edges::first ? told_first : adjacencies_.total_degree(vertex);
    }
    return first;
  }
  void write_news(std::uint32_t vertex, Edges edges, Outbox& outbox) {
    if (!has_news(vertex)) return;
    const std::uint32_t root = trees_.root(vertex);
    const auto tell = [&](std::uint64_t neighbour) {
      if (own_.contains(neighbour)) return;
      const typename Outbox::Told now{neighbour, least_[root], root};
      if (std::exchange(outbox.told[neighbour % Outbox::remembered], now) == now) return;
      outbox.to_rank[static_cast<std::size_t>(own_.owner(neighbour))].push_back(
          {least_[root], own_.local(neighbour), vertex});
    };
    if (edges == Edges::all) {
      for_each_neighbour(adjacencies_, LocalVertex{vertex}, tell);
    } else {
      for (std::size_t place = 0; place < told_first; ++place) {
        with_neighbour(adjacencies_, LocalVertex{vertex}, place, tell);
      }
    }
  }
  void exchange_news(Edges edges) {
    std::vector<News> sent;
    std::vector<std::size_t> counts(ranks_);
    run_together(context_.ranks, [&] {
      for (std::size_t rank = 0; rank < ranks_; ++rank) {
        const std::size_t before = sent.size();
        for (Outbox& outbox : outboxes_) {
          sent.insert(sent.end(), outbox.to_rank[rank].begin(), outbox.to_rank[rank].end());
          outbox.to_rank[rank].clear();
        }
        counts[rank] = sent.size() - before;
      }
    });
    std::vector<std::size_t> received_counts;
    const auto received = context_.ranks.all_to_all(std::span<const News>(sent), counts, received_counts);
    constexpr std::size_t grain = 4096;
    parallel_for(context_.threads, received.size(), grain,
                 [&](std::size_t i) { improve(received[i].vertex, received[i].label); });
    if (edges == Edges::all) answer(received, received_counts);
  }
  /// The vertices of the largest component, which tell nobody, answer who tells them of another one.
  void answer(std::span<const News> received, std::span<const std::size_t> counts) {
    std::vector<std::uint32_t> answered;
    std::vector<std::size_t> answer_counts;
    run_together(context_.ranks, [&] {
      for (const std::size_t count : counts) {
        const std::size_t before = answered.size();
        for (const News& news : received.first(count)) {
          if (news.label != largest && least_of(news.vertex) == largest) answered.push_back(news.from);
        }
        received = received.subspan(count);
        answer_counts.push_back(answered.size() - before);
      }
    });
    std::vector<std::size_t> ignored;
    for (const std::uint32_t vertex :
         context_.ranks.all_to_all(std::span<const std::uint32_t>(answered), answer_counts, ignored)) {
      improve(vertex, largest);
    }
  }
  /// Each hub has the smallest label of all its replicas.
  void agree_on_hubs() {
    if (hubs_.empty()) return;
    for (std::uint32_t hub = 0; hub < hubs_.size(); ++hub) hubs_[hub] = least_of(hub);
    context_.ranks.all_reduce(std::span(hubs_), Reduction::minimum);
    for (std::uint32_t hub = 0; hub < hubs_.size(); ++hub) improve(hub, hubs_[hub]);
  }

  /// Replaces the label that the largest trees of most ranks have. All other trees have news.
  void set_largest_apart() {
    const std::int64_t here = vertices_ == 0 ? unknown : least_of(trees_.largest());
    std::vector<std::int64_t> labels = context_.ranks.all_gather(here);
    std::sort(labels.begin(), labels.end());
    const auto votes = [&](std::int64_t label) { return label == unknown ? 0 : std::ranges::count(labels, label); };
    label_of_largest_ = *std::ranges::max_element(labels, {}, votes);
    for (Outbox& outbox : outboxes_) std::ranges::fill(outbox.told, typename Outbox::Told{});  // those gave no answer
    parallel_fill(context_.threads, fell_.words(), std::uint64_t{0});
    trees_.for_each([&](std::uint32_t vertex) {
      if (trees_.root(vertex) != vertex || least_[vertex] == unknown) return;
      if (least_[vertex] == label_of_largest_) {
        least_[vertex] = largest;
      } else {
        fell_.insert_atomic(vertex);
      }
    });
  }
  void name_largest() {
    label_of_largest_ = context_.ranks.all_reduce(label_of_largest_, Reduction::minimum);
    trees_.for_each([&](std::uint32_t vertex) {
      if (least_[vertex] == largest) least_[vertex] = label_of_largest_;
    });
  }

  /// From the smallest label of each tree to the number of its component, which the rank that holds that label gives.
  std::uint64_t number_labels(std::span<std::int64_t> of_label, const Bitmap* vertices) {
    const BlockDistribution& distribution = partition_.distribution();
    const int rank = partition_.rank();
    Bitmap firsts;
    Buffer<std::int64_t> numbers;  // of these
    run_together(context_.ranks, [&] {
      firsts = Bitmap(of_label.size());
      numbers = Buffer<std::int64_t>(of_label.size());
      for_each_label(partition_, of_label.size(), context_.threads, [&](std::size_t label, LocalVertex vertex) {
        of_label[label] = vertex != no_local_vertex    ? least_of(vertex.value)
                          : is_vertex(vertices, label) ? label_at(label)
                                                       : no_vertex;
        if (of_label[label] == label_at(label)) firsts.insert(label);
      });
    });
    const std::uint64_t count =
        number_firsts(firsts, context_, [&](std::size_t label, std::int64_t number) { numbers[label] = number; });

    std::vector<Label> wanted;  // of other ranks, in their order
    run_together(context_.ranks, [&] {
      for (std::uint32_t vertex = 0; vertex < vertices_; ++vertex) {
        const Label least{least_[vertex]};
        if (trees_.root(vertex) != vertex || least.value == unknown || distribution.owner(least) == rank) continue;
        wanted.push_back(least);
      }
      std::sort(wanted.begin(), wanted.end());
      wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
    });
    const std::vector<std::int64_t> answers = ask_owners(wanted, numbers.span());
    parallel_for(context_.threads, of_label.size(), number_grain, [&](std::size_t label) {
      const Label least{of_label[label]};
      if (least.value == no_vertex) return;
      const auto place = [&] { return std::lower_bound(wanted.begin(), wanted.end(), least) - wanted.begin(); };
      of_label[label] = distribution.owner(least) == rank ? numbers[distribution.offset(least, rank)]
                                                          : answers[static_cast<std::size_t>(place())];
    });
    return count;
  }
  /// The numbers of labels, in their order, of ranks that have them in `numbers`.
  std::vector<std::int64_t> ask_owners(std::span<const Label> wanted, std::span<const std::int64_t> numbers) {
    const BlockDistribution& distribution = partition_.distribution();
    std::vector<std::size_t> counts(ranks_);
    for (const Label label : wanted) ++counts[static_cast<std::size_t>(distribution.owner(label))];
    std::vector<std::size_t> asked_counts;
    const std::vector<Label> asked = context_.ranks.all_to_all(wanted, counts, asked_counts);
    std::vector<std::int64_t> told;
    std::vector<std::int64_t> answers;
    run_together(context_.ranks, [&] {
      for (const Label label : asked) told.push_back(numbers[distribution.offset(label, partition_.rank())]);
      answers.resize(wanted.size());
    });
    context_.ranks.all_to_all(std::span<const std::int64_t>(told), asked_counts, std::span(answers), counts);
    return answers;
  }

  static constexpr std::size_t told_first = 2;  ///< neighbours

  const Partition& partition_;
  const Adjacencies& adjacencies_;
  Trees& trees_;
  OwnVertices own_;
  Context context_;
  std::size_t ranks_;
  std::size_t vertices_;        ///< local ids
  Buffer<std::int64_t> least_;  ///< of each root: the smallest label that its tree is known to be connected with
  std::int64_t label_of_largest_ = unknown;
  Bitmap fell_;   ///< roots whose label fell in the last round
  Bitmap falls_;  ///< in this one
  std::uint64_t any_falls_ = 0;
  std::vector<Outbox> outboxes_;    ///< by thread
  std::vector<std::int64_t> hubs_;  ///< the label of each
};

}  // namespace breadth
