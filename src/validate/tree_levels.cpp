#include "validate/tree_levels.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <optional>
#include <span>

#include "core/parallel/parallel.hpp"
#include "validate/label_messages.hpp"

namespace breadth {

/// Finds the levels of a shallow tree on one rank by walking up. For nearly every vertex the level of its parent is
/// already known, because few vertices are parents. The others walk up to a known level, and set the levels on their
/// way back. Levels are bytes and likely to be in a cache. Threads that meet on a path write the same values. `root` is
/// an index of `parents`.
template <class Entry>
class WalkedLevels {
 public:
  WalkedLevels(std::span<const Entry> parents, std::size_t root, const Context& context)
      : parents_(parents), root_(root), threads_(context.threads), levels_(parents.size(), context.pool) {}

  /// Returns the levels; nothing if a level is above TreeLevels::deepest_narrow or there is a cycle.
  std::optional<Buffer<std::uint8_t>> levels() {
    parallel_fill(threads_, levels_.span(), not_known);
    levels_[root_] = 0;
    std::atomic<bool> too_deep{false};
    parallel_blocks(threads_, parents_.size(), vertices_per_block, [&](IndexRange range, int) {
      for (std::size_t v = range.begin; v < range.end && !too_deep.load(std::memory_order_relaxed); ++v) {
        const std::size_t parent = parents_[v];
        const bool inside = parent < parents_.size();
        const std::uint8_t above = inside ? level(parent).load(std::memory_order_relaxed) : nowhere;
        if (above == not_known || above == TreeLevels::deepest_narrow) {
          if (!walk(v)) too_deep = true;
        } else if (v != root_) {
          level(v).store(below(above), std::memory_order_relaxed);
        }
      }
    });
    if (too_deep) return std::nullopt;
    return std::move(levels_);
  }

 private:
  static constexpr std::size_t vertices_per_block = std::size_t{1} << 13;
  static constexpr std::uint8_t nowhere = 0xFF;    ///< no_level as a byte
  static constexpr std::uint8_t not_known = 0xFE;  ///< only while it runs

  [[nodiscard]] std::atomic_ref<std::uint8_t> level(std::size_t vertex) {
    return std::atomic_ref<std::uint8_t>(levels_[vertex]);
  }

  /// The level of a child.
  static std::uint8_t below(std::uint8_t level) {
    return level == nowhere ? nowhere : static_cast<std::uint8_t>(level + 1);
  }
  [[nodiscard]] std::uint8_t known(std::size_t vertex) {
    return vertex < levels_.size() ? level(vertex).load(std::memory_order_relaxed) : nowhere;
  }

  /// Walks up from `vertex`. Returns whether the path was short enough.
  bool walk(std::size_t vertex) {
    std::array<std::size_t, TreeLevels::deepest_narrow + 1> way;
    std::size_t steps = 0;
    std::uint8_t found = known(vertex);
    while (found == not_known) {
      if (steps == way.size()) return false;
      way[steps++] = vertex;
      vertex = parents_[vertex];
      found = known(vertex);
    }
    if (found != nowhere && found + steps > TreeLevels::deepest_narrow) return false;
    while (steps > 0) {
      found = below(found);
      level(way[--steps]).store(found, std::memory_order_relaxed);
    }
    return true;
  }

  std::span<const Entry> parents_;
  std::size_t root_;
  ThreadTeam& threads_;
  Buffer<std::uint8_t> levels_;
};

namespace {

constexpr std::size_t labels_per_block = std::size_t{1} << 13;

/// The label of an ancestor where parents lead out of the graph.
template <class Entry>
inline constexpr Entry outside = ~Entry{0};

/// An ancestor of a vertex and the number of steps to it, in a tree with a known root. 8 bytes if labels take 4.
template <class OneEntry>
struct AncestorUnderRoot {
  using Entry = OneEntry;
  Entry label;
  std::uint32_t steps;

  static AncestorUnderRoot of(Entry vertex, Entry parent, Entry root) {
    return vertex == root ? AncestorUnderRoot{root, 0} : AncestorUnderRoot{parent, 1};
  }
  [[nodiscard]] AncestorUnderRoot above(const AncestorUnderRoot& its) const { return {its.label, steps + its.steps}; }
  /// Whether the ancestor is neither the root nor outside.
  [[nodiscard]] bool is_left(Entry root) const { return label != root && label != outside<Entry>; }
};

/// An ancestor in a forest whose roots are their own parents.
template <class OneEntry>
struct AncestorInForest {
  using Entry = OneEntry;
  Entry label;
  std::uint32_t steps;
  bool is_root;

  static AncestorInForest of(Entry vertex, Entry parent, Entry /*root*/) {
    return vertex == parent ? AncestorInForest{vertex, 0, true} : AncestorInForest{parent, 1, false};
  }
  [[nodiscard]] AncestorInForest above(const AncestorInForest& its) const {
    return {its.label, steps + its.steps, its.is_root};
  }
  [[nodiscard]] bool is_left(Entry /*root*/) const { return !is_root && label != outside<Entry>; }
};

template <class Ancestor>
class AncestorDoubling {
  using Entry = typename Ancestor::Entry;

 public:
  AncestorDoubling(const LabelArray& parents, Label root, const BlockDistribution& distribution, const Context& context)
      : root_(static_cast<Entry>(root.value)),
        distribution_(distribution),
        context_(context),
        first_(distribution.first(context.ranks.rank()).index()),
        memory_(2 * parents.size(), context.pool),
        ancestors_(memory_.span().first(parents.size())),
        next_(memory_.span().subspan(parents.size())),
        questions_(distribution, context) {
    parallel_for(context.threads, parents.size(), labels_per_block, [&](std::size_t i) {
      const Label parent = parents[i];
      const bool in_range = parent.index() < distribution.vertex_count();
      ancestors_[i] = Ancestor::of(static_cast<Entry>(first_ + i),
                                   in_range ? static_cast<Entry>(parent.value) : outside<Entry>, root_);
    });
  }

  /// Doubles the steps until every vertex has reached the root or the outside, or no further vertex does. Among the
  /// vertices that will still reach one, the nearest does so in each doubling. Therefore, when the number of the others
  /// stays the same, all of them are in cycles or lead to cycles.
  void climb() {
    std::uint64_t before = distribution_.vertex_count() + 1;
    for (std::uint64_t left = count_left(); left != 0 && left != before; left = count_left()) {
      before = left;
      double_steps();
    }
  }
  TreeLevels levels() {
    climb();
    if (deepest() <= TreeLevels::deepest_narrow) return TreeLevels(in_width<std::uint8_t>());
    return TreeLevels(in_width<std::uint32_t>());
  }
  TreeRoots roots() {
    climb();
    TreeRoots found{LabelArray(ancestors_.size(), distribution_.vertex_count()), in_width<std::uint32_t>()};
    parallel_for(context_.threads, ancestors_.size(), labels_per_block, [&](std::size_t i) {
      found.roots.set(
          i, level(ancestors_[i]) == no_level ? no_label : Label{static_cast<std::int64_t>(ancestors_[i].label)});
    });
    return found;
  }

 private:
  [[nodiscard]] bool is_left(const Ancestor& ancestor) const { return ancestor.is_left(root_); }
  [[nodiscard]] std::uint32_t level(const Ancestor& ancestor) const {
    return is_left(ancestor) || ancestor.label == outside<Entry> ? no_level : ancestor.steps;
  }
  /// The deepest level of all ranks.
  std::uint64_t deepest() {
    const auto deepest = parallel_reduce(
        context_.threads, ancestors_.size(), labels_per_block, std::uint64_t{0},
        [&](IndexRange range) {
          std::uint64_t most = 0;
          for (std::size_t i = range.begin; i < range.end; ++i) {
            if (level(ancestors_[i]) != no_level) most = std::max<std::uint64_t>(most, ancestors_[i].steps);
          }
          return most;
        },
        [](std::uint64_t a, std::uint64_t b) { return std::max(a, b); });
    return context_.ranks.all_reduce(deepest, Reduction::maximum);
  }
  template <class Level>
  Buffer<Level> in_width() {
    Buffer<Level> levels(ancestors_.size(), context_.pool);
    parallel_for(context_.threads, levels.size(), labels_per_block,
                 [&](std::size_t i) { levels[i] = static_cast<Level>(level(ancestors_[i])); });
    return levels;
  }
  /// The number of vertices on all ranks that have reached neither the root nor the outside.
  std::uint64_t count_left() {
    const std::uint64_t left = parallel_sum(context_.threads, ancestors_.size(), labels_per_block, [&](std::size_t i) {
      return is_left(ancestors_[i]) ? std::uint64_t{1} : 0;
    });
    return context_.ranks.all_reduce(left, Reduction::sum);
  }

  /// Replaces every ancestor by the ancestor's ancestor.
  void double_steps() {
    const auto look_up = [&](std::size_t i, int thread) {
      const Ancestor ancestor = ancestors_[i];
      next_[i] = ancestor;
      if (!is_left(ancestor)) return;
      const std::size_t place = ancestor.label - first_;
      if (place < ancestors_.size()) {
        next_[i] = ancestor.above(ancestors_[place]);
      } else {
        questions_.add(thread, Label{static_cast<std::int64_t>(ancestor.label)}, i);
      }
    };
    questions_.ask_all(
        look_up, [&](std::uint64_t asker) { return ancestors_[asker].label; },
        [&](std::size_t own) { return ancestors_[own]; },
        [&](std::uint64_t asker, const Ancestor& answer) { next_[asker] = ancestors_[asker].above(answer); });
    std::swap(ancestors_, next_);
  }

  Entry root_;
  const BlockDistribution& distribution_;
  const Context& context_;
  std::size_t first_;
  Buffer<Ancestor> memory_;  ///< one array, of the size that the pool has from earlier passes
  std::span<Ancestor> ancestors_;
  std::span<Ancestor> next_;
  LabelQuestions<Entry, Ancestor> questions_;  ///< about ancestors that other ranks own
};

template <class Entry>
TreeLevels levels_in(const LabelArray& parents, Label root, const BlockDistribution& distribution,
                     const Context& context) {
  if (context.ranks.size() == 1) {
    WalkedLevels<Entry> walked(parents.entries<Entry>(), root.index(), context);
    if (auto levels = walked.levels()) return TreeLevels(std::move(*levels));
  }
  return AncestorDoubling<AncestorUnderRoot<Entry>>(parents, root, distribution, context).levels();
}

}  // namespace

TreeLevels tree_levels(const LabelArray& parents, Label root, const BlockDistribution& distribution,
                       const Context& context) {
  if (root.index() >= distribution.vertex_count()) {  // no vertex leads to it
    Buffer<std::uint8_t> levels(parents.size(), context.pool);
    parallel_fill(context.threads, levels.span(), static_cast<std::uint8_t>(no_level));
    return TreeLevels(std::move(levels));
  }
  if (!parents.wide()) return levels_in<std::uint32_t>(parents, root, distribution, context);
  return levels_in<std::uint64_t>(parents, root, distribution, context);
}

TreeRoots tree_roots(const LabelArray& parents, const BlockDistribution& distribution, const Context& context) {
  const auto in = [&]<class Entry>(Entry) {
    return AncestorDoubling<AncestorInForest<Entry>>(parents, no_label, distribution, context).roots();
  };
  return parents.wide() ? in(std::uint64_t{}) : in(std::uint32_t{});
}

std::vector<Label> tree_path(const LabelArray& parents, Label target, const BlockDistribution& distribution,
                             const Communicator& ranks) {
  std::vector<Label> path{target};
  while (true) {
    const int owner = distribution.owner(path.back());
    Label parent = no_label;
    if (owner == ranks.rank()) parent = parents[distribution.offset(path.back(), owner)];
    ranks.broadcast(std::span(&parent, 1), owner);
    if (parent == no_label) return {};
    if (parent == path.back()) break;
    path.push_back(parent);
  }
  std::ranges::reverse(path);
  return path;
}

}  // namespace breadth
