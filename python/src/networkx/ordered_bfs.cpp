#include "networkx/ordered_bfs.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace breadth::python {

namespace {
/// A search from one end, with the previous node of each node that it has seen.
class Side {
 public:
  Side(const Rows& rows, std::int32_t end) : rows_(rows), before_(rows.node_count()), level_{end} { mark(end, end); }

  [[nodiscard]] std::size_t width() const { return level_.size(); }
  [[nodiscard]] bool has(std::int32_t node) const { return before_[at(node)] != 0; }

  /// Advances by a level, or up to the first node that the other side has seen. Returns that node, -1 if there is none.
  std::int32_t advance(const Side& other) {
    std::vector<std::int32_t> next;
    for (const std::int32_t tail : level_) {
      for (const std::int32_t head : rows_.row(tail)) {
        if (!has(head)) {
          mark(head, tail);
          next.push_back(head);
        }
        if (other.has(head)) return head;
      }
    }
    level_ = std::move(next);
    return -1;
  }

  /// The nodes from a node back to the end.
  [[nodiscard]] std::vector<std::int32_t> chain(std::int32_t node) const {
    std::vector<std::int32_t> nodes{node};
    while (before_[at(node)] - 1 != node) {
      node = before_[at(node)] - 1;
      nodes.push_back(node);
    }
    return nodes;
  }

 private:
  void mark(std::int32_t node, std::int32_t before) { before_[at(node)] = before + 1; }

  const Rows& rows_;
  Buffer<std::int32_t> before_;  ///< previous node + 1, 0 for unseen nodes; the end has itself
  std::vector<std::int32_t> level_;
};

/// For each node, its rank in a tree + 1, 0 for nodes outside the tree.
Buffer<std::int32_t> ranks_of(const OrderedTree& tree, std::size_t node_count) {
  Buffer<std::int32_t> ranks(node_count);
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) ranks[at(tree.nodes[i])] = static_cast<std::int32_t>(i) + 1;
  return ranks;
}

void color_from(const Rows& rows, const Rows* columns, std::int32_t start, Buffer<std::uint8_t>& color, Colors& found,
                bool& possible) {
  constexpr std::uint8_t both = 3;  // colours are stored as colour + 1
  const auto give = [&](std::int32_t node, std::uint8_t which) {
    color[at(node)] = which;
    found.nodes.push_back(node);
    found.colors.push_back(which - 1);
  };
  std::vector<std::int32_t> stack{start};
  give(start, 2);
  while (!stack.empty() && possible) {
    const std::int32_t node = stack.back();
    stack.pop_back();
    for (const Rows* side : {columns, &rows}) {
      if (side == nullptr) continue;
      for (const std::int32_t neighbour : side->row(node)) {
        if (color[at(neighbour)] == color[at(node)]) possible = false;
        if (!possible) return;
        if (color[at(neighbour)] != 0) continue;
        give(neighbour, both - color[at(node)]);
        stack.push_back(neighbour);
      }
    }
  }
}
}  // namespace

std::optional<OrderedTree> ordered_bfs(const Rows& rows, std::span<const std::int32_t> sources, std::int64_t max_depth,
                                       std::int64_t budget) {
  Buffer<std::uint8_t> seen(rows.node_count());
  OrderedTree tree;
  tree.nodes.assign(sources.begin(), sources.end());
  tree.parents.assign(sources.size(), -1);
  for (const std::int32_t source : sources) seen[at(source)] = 1;
  std::size_t next = 0;
  tree.begins = {0, static_cast<std::int64_t>(tree.nodes.size())};
  for (std::int64_t depth = 0; depth < max_depth && next < tree.nodes.size(); ++depth) {
    const std::size_t end = tree.nodes.size();
    for (; next < end && tree.nodes.size() < rows.node_count(); ++next) {
      const std::int32_t tail = tree.nodes[next];
      const std::span<const std::int32_t> row = rows.row(tail);
      budget -= static_cast<std::int64_t>(row.size());
      if (budget < 0) return std::nullopt;
      for (const std::int32_t head : row) {
        if (seen[at(head)] != 0) continue;
        seen[at(head)] = 1;
        tree.nodes.push_back(head);
        tree.parents.push_back(tail);
      }
    }
    if (tree.nodes.size() == end) break;
    next = end;
    tree.begins.push_back(static_cast<std::int64_t>(tree.nodes.size()));
  }
  return tree;
}

void order_levels(OrderedTree& tree, std::size_t node_count) {
  tree.parents.clear();
  constexpr std::size_t sorted_below = 16;  // fewer than one node in so many is reached
  if (tree.nodes.size() < node_count / sorted_below) {
    for (std::size_t i = 0; i + 1 < tree.begins.size(); ++i) {
      std::sort(tree.nodes.begin() + tree.begins[i], tree.nodes.begin() + tree.begins[i + 1]);
    }
    return;
  }
  Buffer<std::int32_t> level(node_count);  // level + 1
  for (std::size_t i = 0; i + 1 < tree.begins.size(); ++i) {
    for (std::int64_t j = tree.begins[i]; j < tree.begins[i + 1]; ++j) {
      level[at(tree.nodes[static_cast<std::size_t>(j)])] = static_cast<std::int32_t>(i) + 1;
    }
  }
  std::vector<std::int64_t> next(tree.begins.begin(), tree.begins.end());
  for (std::size_t node = 0; node < node_count; ++node) {
    if (level[node] == 0) continue;
    tree.nodes[static_cast<std::size_t>(next[at(level[node] - 1)]++)] = static_cast<std::int32_t>(node);
  }
}

OrderedTree by_level(std::span<const std::int64_t> levels) {
  OrderedTree tree;
  const std::int64_t deepest = levels.empty() ? -1 : *std::max_element(levels.begin(), levels.end());
  if (deepest < 0) return tree;
  // Unreached nodes count as level -1, which is stored after the last level. This avoids a branch on the level.
  std::vector<std::int64_t> next(static_cast<std::size_t>(deepest) + 2);
  const auto place = [&](std::int64_t level) -> std::int64_t& { return next[static_cast<std::size_t>(level + 1)]; };
  for (const std::int64_t level : levels) ++place(level);
  std::rotate(next.begin(), next.begin() + 1, next.end());
  std::exclusive_scan(next.begin(), next.end(), next.begin(), std::int64_t{0});
  tree.begins = next;
  std::rotate(next.begin(), next.end() - 1, next.end());
  tree.nodes.resize(levels.size());
  for (std::size_t node = 0; node < levels.size(); ++node) {
    tree.nodes[static_cast<std::size_t>(place(levels[node])++)] = static_cast<std::int32_t>(node);
  }
  tree.nodes.resize(static_cast<std::size_t>(tree.begins.back()));
  return tree;
}

Predecessors predecessors(const Rows& rows, const OrderedTree& tree) {
  const std::size_t count = tree.nodes.size();
  const Buffer<std::int32_t> ranks = ranks_of(tree, rows.node_count());
  const auto for_each_step = [&](auto&& step) {
    for (std::size_t level = 0; level + 1 < tree.begins.size(); ++level) {
      const std::int64_t below = tree.begins[level + 1];
      const std::int64_t end = level + 2 < tree.begins.size() ? tree.begins[level + 2] : below;
      for (std::int64_t i = tree.begins[level]; i < below; ++i) {
        const std::int32_t tail = tree.nodes[static_cast<std::size_t>(i)];
        for (const std::int32_t head : rows.row(tail)) {
          const std::int64_t rank = ranks[at(head)] - 1;
          if (rank >= below && rank < end) step(static_cast<std::size_t>(rank), tail);
        }
      }
    }
  };
  Predecessors found;
  found.starts.resize(count + 1);
  for_each_step([&](std::size_t rank, std::int32_t) { ++found.starts[rank + 1]; });
  std::partial_sum(found.starts.begin(), found.starts.end(), found.starts.begin());
  found.nodes.resize(static_cast<std::size_t>(found.starts.back()));
  std::vector<std::int64_t> next(found.starts.begin(), found.starts.end());
  for_each_step(
      [&](std::size_t rank, std::int32_t tail) { found.nodes[static_cast<std::size_t>(next[rank]++)] = tail; });
  return found;
}

std::vector<std::int32_t> meeting_path(const Rows& rows, const Rows& columns, std::int32_t source,
                                       std::int32_t target) {
  Side from(rows, source);
  Side to(columns, target);
  while (from.width() > 0 && to.width() > 0) {
    const std::int32_t middle = from.width() <= to.width() ? from.advance(to) : to.advance(from);
    if (middle < 0) continue;
    std::vector<std::int32_t> path = from.chain(middle);
    std::reverse(path.begin(), path.end());
    const std::vector<std::int32_t> rest = to.chain(middle);
    path.insert(path.end(), rest.begin() + 1, rest.end());
    return path;
  }
  return {};
}

std::optional<Colors> two_colors(const Rows& rows, const Rows* columns) {
  Buffer<std::uint8_t> color(rows.node_count());
  Colors found;
  bool possible = true;
  const auto count = static_cast<std::int32_t>(rows.node_count());
  for (std::int32_t node = 0; node < count && possible; ++node) {
    if (color[at(node)] == 0 && !rows.row(node).empty()) color_from(rows, columns, node, color, found, possible);
  }
  if (!possible) return std::nullopt;
  for (std::int32_t node = 0; node < count; ++node) {
    if (color[at(node)] != 0) continue;
    found.nodes.push_back(node);
    found.colors.push_back(0);
  }
  return found;
}

}  // namespace breadth::python
