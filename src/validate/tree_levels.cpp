#include "validate/tree_levels.hpp"

#include <algorithm>
#include <vector>

#include "core/parallel.hpp"
#include "validate/routed.hpp"

namespace breadth {

namespace {

constexpr std::size_t labels_per_block = std::size_t{1} << 14;
/// Labels that one exchange asks about.
constexpr std::size_t labels_per_exchange = std::size_t{1} << 20;

/// Some ancestor of a vertex and how many steps above it is.
struct Ancestor {
  std::int64_t label;
  std::uint32_t steps;
};

class AncestorDoubling {
 public:
  AncestorDoubling(const LabelArray& parents, Label root, const BlockDistribution& distribution, const Context& context)
      : root_(root.value),
        distribution_(distribution),
        context_(context),
        rank_(context.ranks.rank()),
        first_(distribution.first(rank_).value),
        ancestors_(parents.size()),
        next_(parents.size()) {
    parallel_for(context.threads, parents.size(), labels_per_block, [&](std::size_t i) {
      const Label parent = parents[i];
      const bool in_range = parent.value >= 0 && parent.index() < distribution.vertex_count();
      ancestors_[i] = {in_range ? parent.value : no_label.value, 1};
      if (first_ + static_cast<std::int64_t>(i) == root_) ancestors_[i] = {root_, 0};
    });
  }

  Buffer<std::uint32_t> levels() {
    for (std::uint64_t found = 0, before = 0; (found = double_steps()) > before; before = found) {
    }
    Buffer<std::uint32_t> levels(ancestors_.size());
    parallel_for(context_.threads, levels.size(), labels_per_block,
                 [&](std::size_t i) { levels[i] = ancestors_[i].label == root_ ? ancestors_[i].steps : no_level; });
    return levels;
  }

 private:
  /// Puts the ancestor's ancestor in place of every ancestor; returns how many vertices of all ranks see the root.
  std::uint64_t double_steps() {
    const std::uint64_t most = context_.ranks.all_reduce(std::uint64_t{ancestors_.size()}, Reduction::maximum);
    for (std::uint64_t first = 0; first < most; first += labels_per_exchange) {
      double_range({std::min<std::size_t>(first, ancestors_.size()),
                    std::min<std::size_t>(first + labels_per_exchange, ancestors_.size())});
    }
    std::swap(ancestors_, next_);
    const auto at_root = parallel_reduce(
        context_.threads, ancestors_.size(), labels_per_block, std::uint64_t{0},
        [&](IndexRange range) {
          return static_cast<std::uint64_t>(std::count_if(ancestors_.begin() + range.begin,
                                                          ancestors_.begin() + range.end,
                                                          [&](const Ancestor& a) { return a.label == root_; }));
        },
        std::plus<>());
    return context_.ranks.all_reduce(at_root, Reduction::sum);
  }

  /// The ancestors of labels here are looked up, those of others asked for.
  void double_range(IndexRange range) {
    Routed<std::int64_t> questions(context_);
    Routed<std::uint64_t> askers(context_);  // where each question's answer goes, in the same order
    parallel_blocks(context_.threads, range.size(), labels_per_block, [&](IndexRange block, int thread) {
      for (std::size_t i = range.begin + block.begin; i < range.begin + block.end; ++i) {
        const Ancestor ancestor = ancestors_[i];
        next_[i] = ancestor;
        if (ancestor.label == root_ || ancestor.label < 0) continue;
        const int owner = distribution_.owner(Label{ancestor.label});
        if (owner == rank_) {
          next_[i] = above(ancestor, ancestors_[static_cast<std::size_t>(ancestor.label - first_)]);
        } else {
          questions.add(thread, owner, ancestor.label);
          askers.add(thread, owner, i);
        }
      }
    });
    if (context_.ranks.size() == 1) return;
    std::vector<std::size_t> counts;
    const std::vector<std::int64_t> asked = questions.exchange(counts);
    std::vector<Ancestor> answers(asked.size());
    std::transform(asked.begin(), asked.end(), answers.begin(),
                   [&](std::int64_t label) { return ancestors_[static_cast<std::size_t>(label - first_)]; });
    std::vector<std::size_t> back_counts;
    const std::vector<Ancestor> answered =
        context_.ranks.all_to_all(std::span<const Ancestor>(answers), counts, back_counts);
    const std::vector<std::uint64_t> places = askers.in_order();
    for (std::size_t i = 0; i < places.size(); ++i) next_[places[i]] = above(ancestors_[places[i]], answered[i]);
  }

  static Ancestor above(Ancestor ancestor, Ancestor its) { return {its.label, ancestor.steps + its.steps}; }

  std::int64_t root_;
  const BlockDistribution& distribution_;
  const Context& context_;
  int rank_;
  std::int64_t first_;
  Buffer<Ancestor> ancestors_;
  Buffer<Ancestor> next_;
};

}  // namespace

Buffer<std::uint32_t> tree_levels(const LabelArray& parents, Label root, const BlockDistribution& distribution,
                                  const Context& context) {
  return AncestorDoubling(parents, root, distribution, context).levels();
}

}  // namespace breadth
