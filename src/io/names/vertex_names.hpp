// Lists of names, what the user calls the vertices, which labels have edges, and what may have been meant by a name
// that is not there.
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

/// Strings of any bytes, one after the other in one block of memory.
class NameList {
 public:
  NameList() = default;
  /// ends[i] is where name i ends in `bytes`; they rise.
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

  /// Where name i starts in bytes(); i may be size().
  [[nodiscard]] std::uint64_t start(std::size_t i) const noexcept { return i == 0 ? 0 : ends_[i - 1]; }
  [[nodiscard]] std::span<const char> bytes() const noexcept { return bytes_; }
  [[nodiscard]] std::span<const std::uint64_t> ends() const noexcept { return ends_; }

 private:
  std::vector<char> bytes_;
  std::vector<std::uint64_t> ends_;
};

/// An integer as a name of 8 bytes; names are in the order of their integers.
inline std::array<char, 8> encode_integer(std::int64_t value) noexcept {
  const std::uint64_t ordered = static_cast<std::uint64_t>(value) ^ (std::uint64_t{1} << 63);
  std::array<char, 8> name{};
  for (std::size_t i = 0; i < 8; ++i) name[i] = static_cast<char>(static_cast<unsigned char>(ordered >> (56 - 8 * i)));
  return name;
}
inline std::string_view as_name(const std::array<char, 8>& encoded) noexcept { return {encoded.data(), 8}; }

/// The integer of a name that encode_integer made.
inline std::int64_t decode_integer(std::string_view name) noexcept {
  std::uint64_t ordered = 0;
  for (const char byte : name) ordered = (ordered << 8) | static_cast<unsigned char>(byte);
  return static_cast<std::int64_t>(ordered ^ (std::uint64_t{1} << 63));
}

// Names by label, labels by name.

/// What names are made of. `range`: consecutive integers, so that a label is its name but for a fixed distance and
/// nothing is stored. `integers` and `strings`: any, in a dictionary.
enum class NameKind { range, integers, strings };

/// The names of the labels 0..count-1, in rising order: a file's names give the same labels on any number of ranks. A
/// dictionary lies on the ranks as BlockDistribution(count, ranks) has it, 8 bytes a name plus its characters; integer
/// names are stored as encode_integer has them.
class VertexNames {
 public:
  /// Label l is called first + l, for 0 <= l < count.
  static VertexNames range(std::int64_t first, std::uint64_t count);
  /// This rank's block of `count` names in rising order; `kind` is not range.
  static VertexNames dictionary(NameKind kind, BlockDistribution distribution, NameList own);

  VertexNames() = default;

  [[nodiscard]] NameKind kind() const noexcept { return kind_; }
  /// How many there are, on all ranks.
  [[nodiscard]] std::uint64_t count() const noexcept { return distribution_.vertex_count(); }
  /// The name of label 0 of a range.
  [[nodiscard]] std::int64_t first() const noexcept { return first_; }
  /// This rank's names of a dictionary, as they are stored, and where they lie.
  [[nodiscard]] const NameList& own() const noexcept { return own_; }
  [[nodiscard]] const BlockDistribution& distribution() const noexcept { return distribution_; }

  /// The label of a name as a user writes it; none where there is no such name. The same on every rank. Collective.
  [[nodiscard]] std::optional<Label> find(std::string_view text, const Communicator& ranks) const;
  /// The names of any labels below count(), as they are stored (`encoded` for integers; empty for no_label). Collective
  /// for a dictionary: one exchange, as large as the question and its answer. Not for a range.
  [[nodiscard]] NameList names_of(std::span<const Label> labels, const Communicator& ranks) const;
  /// The same as the user writes them, also of a range; "-1" for no_label.
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

/// The names of labels, for every kind of names; collective for a dictionary, which is asked once for all of them.
/// Names and labels outlive it.
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
  /// The same where names are integers.
  [[nodiscard]] std::int64_t integer(std::size_t i) const {
    if (labels_[i] == no_label) return -1;
    return names_.kind() == NameKind::range ? labels_[i].value + names_.first() : decode_integer(stored_[i]);
  }

 private:
  const VertexNames& names_;
  std::span<const Label> labels_;
  NameList stored_;
};

/// A dictionary that was put together, and the labels of the names that this rank brought to it.
struct NumberedNames {
  VertexNames names;
  std::vector<Label> labels;  ///< one for each of the rank's names, in their order
};

/// Numbers the union of all ranks' names, which on each rank are distinct and rise. Collective. A sample sort: O(names)
/// a rank to send and receive, O(n log n) to sort; takes about three times the memory of the names for a
/// while. One rank alone has its names in order already: O(names).
NumberedNames number_names(NameKind kind, NameList mine, const Context& context);

// Names near one that is not there.

/// Names of a dictionary, as the user writes them.
struct NearNames {
  std::string first;    ///< the first of all
  std::string last;     ///< the last of all
  std::string nearest;  ///< the one that is most like the name, if one is
};

/// Looks for names near one that is not in the dictionary: the integer of the least distance, or a string that is at
/// most two letters away (edit_distance). O(names / ranks). The same on every rank. Collective.
NearNames find_near_names(const VertexNames& names, std::string_view text, const Communicator& ranks);

// Labels of an edge list.

/// A label among those of an edge list.
struct Occurrence {
  bool found = false;
  Label smallest = no_label;  ///< of all labels in the list
  Label largest = no_label;
  Label below = no_label;  ///< the nearest label in the list that is smaller; none: no_label
  Label above = no_label;  ///< the same, larger
};

/// Looks a label up in an edge list. One pass over it. Throws AgreedError if the list cannot be read. Collective.
Occurrence find_occurrence(const EdgeList& edges, Label label, const Context& context);

/// Of the labels that this rank holds in a distribution, those that occur in the list: bit i is label(rank, i). Labels
/// beyond the distribution are passed over. One pass over the list, in rounds of bounded size, 16 bytes an edge sent.
/// Throws AgreedError if the list cannot be read. Collective.
Bitmap occurring_labels(const EdgeList& edges, const BlockDistribution& distribution, const Context& context);

}  // namespace breadth
