// Connects the trees of several ranks to components.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "comm/agreement.hpp"
#include "comm/communicator.hpp"
#include "comm/exchange/values_for_ranks.hpp"
#include "core/data/bitmap.hpp"
#include "core/data/label_array.hpp"
#include "core/memory/buffer.hpp"
#include "core/parallel/parallel.hpp"
#include "graph/graph.hpp"
#include "graph/graph_contents.hpp"
#include "traverse/components/linked_trees.hpp"

namespace breadth {

/// Finds the components of several ranks: keeps for each tree of a rank the smallest label that the tree is known to be
/// connected with. First each vertex sends its tree's label to its first neighbours only, which joins all or most of a
/// large component. From then on the component that contains the largest trees of most ranks sends nothing: vertices
/// outside of it send their labels to all their neighbours, and vertices inside it answer.
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
  /// Stands for the smallest label of the component that is set apart. Less than all labels.
  static constexpr std::int64_t largest = -1;

  /// Says that a vertex of the receiver is connected with a vertex of the sender, and so with a label.
  struct Message {
    std::int64_t label;
    std::uint32_t vertex;  ///< of the receiver
    std::uint32_t from;    ///< of the sender
  };
  /// A message that a thread sent before. Not sent again, because many edges of a tree lead to one vertex.
  struct Sent {
    std::uint64_t neighbour = std::numeric_limits<std::uint64_t>::max();
    std::int64_t label = 0;
    std::uint32_t root = 0;
    friend bool operator==(const Sent&, const Sent&) = default;
  };
  static constexpr std::size_t cache_size = std::size_t{1} << 14;

  void begin(std::size_t labels) {
    least_ = Buffer<std::int64_t>(vertices_);
    fell_ = Bitmap(vertices_);
    falls_ = Bitmap(vertices_);
    messages_.emplace(context_);
    caches_.assign(static_cast<std::size_t>(context_.threads.size()), std::vector<Sent>(cache_size));
    hubs_.resize(partition_.hubs().count());
    parallel_fill(context_.threads, least_.span(), unknown);
    for_each_label(partition_, labels, context_.threads, [&](std::size_t label, LocalVertex vertex) {
      if (vertex != no_local_vertex) lower(std::atomic_ref(least_of(vertex.value)), label_at(label));
    });
    for (std::uint32_t hub = 0; hub < hubs_.size(); ++hub) {
      lower(std::atomic_ref(least_of(hub)), partition_.hubs()[LocalVertex{hub}].label.value);
    }
    parallel_fill(context_.threads, fell_.words(), ~std::uint64_t{0});
  }
  [[nodiscard]] std::int64_t label_at(std::size_t offset) const {
    return partition_.distribution().label(partition_.rank(), offset).value;
  }
  [[nodiscard]] std::int64_t& least_of(std::uint32_t vertex) { return least_[trees_.root(vertex)]; }
  void improve(std::uint32_t vertex, std::int64_t label) {
    const std::atomic_ref least(least_of(vertex));
    const std::int64_t before = least.load(std::memory_order_relaxed);
    if (label == largest && before != largest) lower(std::atomic_ref(label_of_largest_), before);
    if (!lower(least, label)) return;
    falls_.insert_atomic(trees_.root(vertex));
    any_falls_.store(true, std::memory_order_relaxed);
  }

  /// Sends the labels of trees whose label fell, round by round, until no label falls.
  void spread(Edges edges) {
    do {
      send_labels(edges);
      agree_on_hubs();
      std::swap(fell_, falls_);
      parallel_fill(context_.threads, falls_.words(), std::uint64_t{0});
    } while (context_.ranks.any(any_falls_.exchange(false)));
  }
  /// Sends labels for some vertices at a time, so that messages do not take more memory than the graph.
  void send_labels(Edges edges) {
    const std::size_t edges_at_once = std::max<std::size_t>(std::size_t{1} << 12, (std::size_t{1} << 21) / ranks_);
    bool goes_on = true;
    for (std::size_t first = 0; goes_on;) {
      first = run_together(context_.ranks, [&] {
        const std::size_t end = end_of_some(first, edges, edges_at_once);
        parallel_blocks(context_.threads, end - first, link_grain, [&](IndexRange range, int thread) {
          for (std::size_t i = first + range.begin; i < first + range.end; ++i) {
            write_messages(static_cast<std::uint32_t>(i), edges, thread);
          }
        });
        return end;
      });
      exchange_messages(edges);
      goes_on = context_.ranks.any(first < vertices_);
    }
  }
  [[nodiscard]] bool label_fell(std::uint32_t vertex) const { return fell_.contains(trees_.root(vertex)); }
  [[nodiscard]] std::size_t end_of_some(std::size_t first, Edges edges, std::size_t max_edges) const {
    for (std::size_t taken = 0; first < vertices_ && taken < max_edges; ++first) {
      const LocalVertex vertex{static_cast<std::uint32_t>(first)};
      if (label_fell(vertex.value)) taken += edges == Edges::first ? first_places : adjacencies_.total_degree(vertex);
    }
    return first;
  }
  void write_messages(std::uint32_t vertex, Edges edges, int thread) {
    if (!label_fell(vertex)) return;
    const std::uint32_t root = trees_.root(vertex);
    std::vector<Sent>& cache = caches_[static_cast<std::size_t>(thread)];
    const auto send = [&](std::uint64_t neighbour) {
      if (own_.contains(neighbour)) return;
      const Sent now{neighbour, least_[root], root};
      if (std::exchange(cache[neighbour % cache_size], now) == now) return;
      messages_->add(thread, own_.owner(neighbour), {least_[root], own_.local(neighbour), vertex});
    };
    if (edges == Edges::all) {
      for_each_neighbour(adjacencies_, LocalVertex{vertex}, send);
    } else {
      for (std::size_t place = 0; place < first_places; ++place) {
        with_neighbour(adjacencies_, LocalVertex{vertex}, place, send);
      }
    }
  }
  void exchange_messages(Edges edges) {
    const std::span<const Message> sent = run_together(context_.ranks, [&] { return messages_->collect(); });
    Received<Message> received = context_.ranks.all_to_all(sent, messages_->counts());
    constexpr std::size_t grain = 4096;
    parallel_for(context_.threads, received.values.size(), grain,
                 [&](std::size_t i) { improve(received.values[i].vertex, received.values[i].label); });
    if (edges == Edges::all) answer(received);
  }
  /// Answers messages with another label that were sent to vertices of the largest component, which send nothing
  /// themselves.
  void answer(Received<Message>& received) {
    std::vector<std::uint32_t> answered;
    std::vector<std::size_t> answer_counts;
    run_together(context_.ranks, [&] {
      received.for_each_rank([&](std::size_t, std::span<const Message> messages) {
        const std::size_t before = answered.size();
        for (const Message& message : messages) {
          if (message.label != largest && least_of(message.vertex) == largest) answered.push_back(message.from);
        }
        answer_counts.push_back(answered.size() - before);
      });
    });
    const auto answers = context_.ranks.all_to_all(std::span<const std::uint32_t>(answered), answer_counts);
    for (const std::uint32_t vertex : answers.values) improve(vertex, largest);
  }
  /// Gives each hub the smallest label of all its replicas.
  void agree_on_hubs() {
    if (hubs_.empty()) return;
    for (std::uint32_t hub = 0; hub < hubs_.size(); ++hub) hubs_[hub] = least_of(hub);
    context_.ranks.all_reduce(std::span(hubs_), Reduction::minimum);
    for (std::uint32_t hub = 0; hub < hubs_.size(); ++hub) improve(hub, hubs_[hub]);
  }

  /// Replaces the label that the largest trees of most ranks have by `largest`. Marks all other trees to send theirs.
  void set_largest_apart() {
    const std::int64_t here = vertices_ == 0 ? unknown : least_of(trees_.largest());
    std::vector<std::int64_t> labels = context_.ranks.all_gather(here);
    std::sort(labels.begin(), labels.end());
    const auto votes = [&](std::int64_t label) { return label == unknown ? 0 : std::ranges::count(labels, label); };
    label_of_largest_ = *std::ranges::max_element(labels, {}, votes);
    for (std::vector<Sent>& cache : caches_) std::ranges::fill(cache, Sent{});  // messages so far got no answers
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

  /// Numbers components by their smallest labels. The rank that holds a component's smallest label numbers it, and the
  /// other ranks ask it.
  std::uint64_t number_labels(std::span<std::int64_t> of_label, const Bitmap* vertices) {
    const BlockDistribution& distribution = partition_.distribution();
    const int rank = partition_.rank();
    Bitmap firsts;
    Buffer<std::int64_t> numbers;  // of `firsts`
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

    std::vector<Label> wanted;  // smallest labels that other ranks hold, sorted
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
  /// Returns the numbers of the labels `wanted`, in their order, from their owners' `numbers`.
  std::vector<std::int64_t> ask_owners(std::span<const Label> wanted, std::span<const std::int64_t> numbers) {
    const BlockDistribution& distribution = partition_.distribution();
    std::vector<std::size_t> counts(ranks_);
    for (const Label label : wanted) ++counts[static_cast<std::size_t>(distribution.owner(label))];
    const Received<Label> asked = context_.ranks.all_to_all(wanted, counts);
    std::vector<std::int64_t> replies;
    std::vector<std::int64_t> answers;
    run_together(context_.ranks, [&] {
      for (const Label label : asked.values) replies.push_back(numbers[distribution.offset(label, partition_.rank())]);
      answers.resize(wanted.size());
    });
    context_.ranks.all_to_all(std::span<const std::int64_t>(replies), asked.counts, std::span(answers), counts);
    return answers;
  }

  static constexpr std::size_t first_places = 2;  ///< first neighbours that get labels at first

  const Partition& partition_;
  const Adjacencies& adjacencies_;
  Trees& trees_;
  OwnVertices own_;
  Context context_;
  std::size_t ranks_;
  std::size_t vertices_;        ///< number of local ids
  Buffer<std::int64_t> least_;  ///< for each root the smallest label that its tree is known to be connected with
  std::int64_t label_of_largest_ = unknown;
  Bitmap fell_;   ///< roots whose label fell in the last round
  Bitmap falls_;  ///< roots whose label fell in this round
  std::atomic<bool> any_falls_ = false;
  std::optional<ValuesForRanks<Message>> messages_;
  std::vector<std::vector<Sent>> caches_;  ///< by thread
  std::vector<std::int64_t> hubs_;         ///< the label of each
};

}  // namespace breadth
