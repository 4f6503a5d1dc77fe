// Lists of names, the user's names of vertices, the labels that have edges, and suggestions for names that are not in a
// graph.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "comm/communicator.hpp"
#include "core/data/edge_list.hpp"
#include "core/data/label_array.hpp"
#include "core/ids.hpp"

namespace breadth {

class Bitmap;

// Lists of names.

/// Strings of any bytes, stored consecutively in one block of memory.
class NameList {
 public:
  NameList() = default;
  /// ends[i] is the end of name i in `bytes`, in ascending order.
  NameList(std::vector<char> bytes, std::vector<std::uint64_t> ends)
      : bytes_(std::move(bytes)), ends_(std::move(ends)) {}

  [[nodiscard]] std::size_t size() const noexcept { return ends_.size(); }
  [[nodiscard]] bool empty() const noexcept { return ends_.empty(); }
  /// Valid until the list changes.
  [[nodiscard]] std::string_view operator[](std::size_t i) const noexcept {
    const std::uint64_t begin = start(i);
    return {bytes_.data() + begin, static_cast<std::size_t>(ends_[i] - begin)};
  }
  void append(std::string_view name) {
    bytes_.insert(bytes_.end(), name.begin(), name.end());
    ends_.push_back(bytes_.size());
  }

  /// The start of name i in bytes(); i may be size().
  [[nodiscard]] std::uint64_t start(std::size_t i) const noexcept { return i == 0 ? 0 : ends_[i - 1]; }
  [[nodiscard]] std::span<const char> bytes() const noexcept { return bytes_; }
  [[nodiscard]] std::span<const std::uint64_t> ends() const noexcept { return ends_; }

 private:
  std::vector<char> bytes_;
  std::vector<std::uint64_t> ends_;
};

/// Encodes an integer as a name of 8 bytes. Names sort in the order of their integers.
inline std::array<char, 8> encode_integer(std::int64_t value) noexcept {
  const std::uint64_t ordered = static_cast<std::uint64_t>(value) ^ (std::uint64_t{1} << 63);
  std::array<char, 8> name{};
  for (std::size_t i = 0; i < 8; ++i) name[i] = static_cast<char>(static_cast<unsigned char>(ordered >> (56 - 8 * i)));
  return name;
}
inline std::string_view as_name(const std::array<char, 8>& encoded) noexcept { return {encoded.data(), 8}; }

/// Decodes a name that encode_integer made.
inline std::int64_t decode_integer(std::string_view name) noexcept {
  std::uint64_t ordered = 0;
  for (const char byte : name) ordered = (ordered << 8) | static_cast<unsigned char>(byte);
  return static_cast<std::int64_t>(ordered ^ (std::uint64_t{1} << 63));
}

// Conversion between names and labels.

/// The kind of names. `range`: consecutive integers, so that a name is its label plus a constant and nothing is stored.
/// `integers` and `strings`: any integers or strings, in a dictionary. .breadth files contain these numbers.
enum class NameKind : std::uint8_t { range, integers, strings };

/// The names of the labels 0..count-1, in ascending order, so that a file's names give equal labels on any number of
/// ranks. A dictionary is distributed over the ranks by BlockDistribution(count, ranks), with 8 bytes per name plus its
/// characters. Integer names are stored as by encode_integer.
class VertexNames {
 public:
  /// The name of label l is first + l, for 0 <= l < count.
  static VertexNames range(std::int64_t first, std::uint64_t count);
  /// This rank's block of a dictionary, in ascending order; `kind` must not be range.
  static VertexNames dictionary(NameKind kind, BlockDistribution distribution, NameList own);

  VertexNames() = default;

  [[nodiscard]] NameKind kind() const noexcept { return kind_; }
  /// The number of names on all ranks.
  [[nodiscard]] std::uint64_t count() const noexcept { return distribution_.vertex_count(); }
  /// The name of label 0 of a range.
  [[nodiscard]] std::int64_t first() const noexcept { return first_; }
  /// This rank's names of a dictionary, as stored, and their distribution.
  [[nodiscard]] const NameList& own() const noexcept { return own_; }
  [[nodiscard]] const BlockDistribution& distribution() const noexcept { return distribution_; }

  /// The label of a name as the user writes it; nothing if there is no such name. Equal on every rank. Collective.
  [[nodiscard]] std::optional<Label> find(std::string_view text, const Communicator& ranks) const;
  /// The names of labels below count(), as stored (`encoded` for integers; empty for no_label). Not for a range.
  /// Collective for a dictionary: one exchange of the labels and their names.
  [[nodiscard]] NameList names_of(std::span<const Label> labels, const Communicator& ranks) const;
  /// The names of labels as the user writes them, also for a range; "-1" for no_label. Collective for a dictionary.
  [[nodiscard]] std::vector<std::string> displayed_names(std::span<const Label> labels,
                                                         const Communicator& ranks) const;

 private:
  NameKind kind_ = NameKind::range;
  std::int64_t first_ = 0;
  BlockDistribution distribution_;
  NameList own_;
};

/// A stored name as the user writes it: integers in decimal, strings as they are.
std::string displayed(NameKind kind, std::string_view stored);

/// The names of given labels, for every kind of names. Collective for a dictionary, which is queried once for all
/// labels. The names and labels must outlive it.
class NamesOfLabels {
 public:
  NamesOfLabels(const VertexNames& names, std::span<const Label> labels, const Communicator& ranks)
      : names_(names),
        labels_(labels),
        stored_(names.kind() == NameKind::range ? NameList() : names.names_of(labels, ranks)) {}

  /// The name of labels[i] as the user writes it; "-1" for no_label.
  [[nodiscard]] std::string text(std::size_t i) const {
    const bool stored = names_.kind() != NameKind::range && labels_[i] != no_label;
    return stored ? displayed(names_.kind(), stored_[i]) : std::to_string(integer(i));
  }
  /// The name of labels[i] as an integer, if names are integers; -1 for no_label.
  [[nodiscard]] std::int64_t integer(std::size_t i) const {
    if (labels_[i] == no_label) return -1;
    return names_.kind() == NameKind::range ? labels_[i].value + names_.first() : decode_integer(stored_[i]);
  }

 private:
  const VertexNames& names_;
  std::span<const Label> labels_;
  NameList stored_;
};

/// A dictionary, and the labels of the names that this rank contributed.
struct NumberedNames {
  VertexNames names;
  std::vector<Label> labels;  ///< one for each of the rank's names, in their order
};

/// Numbers the union of all ranks' names. On each rank the names must be distinct and ascending. Collective. A sample
/// sort: each rank sends and receives O(names) and sorts in O(n log n); takes about three times the memory of the names
/// temporarily. On one rank the names are already in order: O(names).
NumberedNames number_names(NameKind kind, NameList mine, const Context& context);

// Suggestions for a name that is not in the dictionary.

/// Names of a dictionary, as the user writes them.
struct NearNames {
  std::string first;    ///< the first name
  std::string last;     ///< the last name
  std::string nearest;  ///< the most similar name, if there is one
};

/// Finds names near one that is not in the dictionary: the closest integer, or a string at most two letters away
/// (edit_distance). O(names / ranks). Equal on every rank. Collective.
NearNames find_near_names(const VertexNames& names, std::string_view text, const Communicator& ranks);

// Labels of an edge list.

/// The result of looking up a label in an edge list.
struct Occurrence {
  bool found = false;
  Label smallest = no_label;  ///< of all labels in the list
  Label largest = no_label;
  Label below = no_label;  ///< the nearest smaller label in the list; no_label if there is none
  Label above = no_label;  ///< the nearest larger label in the list; no_label if there is none
};

/// Looks up a label in an edge list in one pass. Throws AgreedError if the list cannot be read. Collective.
Occurrence find_occurrence(const EdgeList& edges, Label label, const Context& context);

/// Finds which labels of this rank's part of a distribution occur in the list: bit i is for label(rank, i). Labels
/// outside the distribution are ignored. One pass over the list, in rounds of bounded size; sends 16 bytes per edge.
/// Throws AgreedError if the list cannot be read. Collective.
Bitmap occurring_labels(const EdgeList& edges, const BlockDistribution& distribution, const Context& context);

}  // namespace breadth
