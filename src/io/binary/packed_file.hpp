// The packed edge files of the Graph500 reference, and an edge list that reads packed edges from mapped files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "core/data/edge_list.hpp"
#include "io/files/input_file.hpp"

namespace breadth {

// An edge list in mapped files.

/// Who may write to a file while it is being read.
enum class Writers { anybody, this_process };

/// An edge list of packed tuples, and weights if there are any, in mapped files. It takes no memory of its own. Reading
/// throws Error if a file has become shorter by whole pages.
class MappedEdgeList final : public EdgeList {
 public:
  /// `count` tuples from byte `edges_at` of a file, a multiple of 4.
  MappedEdgeList(std::shared_ptr<const MappedFile> file, std::size_t edges_at, std::size_t count,
                 Writers writers = Writers::anybody)
      : file_(std::move(file)),
        edges_(reinterpret_cast<const PackedEdge*>(file_->bytes().data() + edges_at), count),
        writers_(writers) {}
  /// Adds the weights of the tuples, from byte `weights_at` of this file or another.
  void add_weights(std::shared_ptr<const MappedFile> file, std::size_t weights_at) {
    weights_file_ = std::move(file);
    weights_ = {reinterpret_cast<const float*>(weights_file_->bytes().data() + weights_at), edges_.size()};
    weighted_ = true;
  }

  [[nodiscard]] std::uint64_t size() const override { return edges_.size(); }
  [[nodiscard]] bool weighted() const override { return weighted_; }
  void read(std::uint64_t first, std::span<Edge> edges, std::span<float> weights) const override {
    const std::span packed = edges_.subspan(first, edges.size());
    for (std::size_t i = 0; i < edges.size(); ++i) edges[i] = packed[i].unpack();
    file_->check_pages();
    if (weights.empty()) return;
    std::copy_n(weights_.data() + first, weights.size(), weights.begin());
    weights_file_->check_pages();
  }
  [[nodiscard]] bool may_change() const override { return writers_ == Writers::anybody; }
  void check_unchanged() const override {
    if (!may_change()) return;
    file_->check_unchanged();
    if (weights_file_) weights_file_->check_unchanged();
  }
  void report_change() const override {
    check_unchanged();  // reports which file has changed
    file_->report_change();
  }

 private:
  std::shared_ptr<const MappedFile> file_;
  std::shared_ptr<const MappedFile> weights_file_;
  std::span<const PackedEdge> edges_;
  std::span<const float> weights_;
  bool weighted_ = false;
  Writers writers_;
};

/// Packs tuples first, first + 1, … of a list, and copies their weights unless `weights` is empty.
void pack_edges(const EdgeList& list, std::uint64_t first, std::span<PackedEdge> packed, std::span<float> weights = {});

// Packed edge files.

/// The path of the weights of a packed file, if it has any: float32, one per tuple.
std::string weights_path(const std::string& path);

}  // namespace breadth
