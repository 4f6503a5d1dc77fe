// Which vertices the rows of a table are.
#pragma once

#include <cstdint>
#include <vector>

#include "core/parallel/parallel.hpp"
#include "io/output/table_output.hpp"

namespace breadth {

/// This rank's rows, each the offset of a vertex among those that the rank holds.
inline std::vector<std::uint64_t> row_offsets(const Table& table, int rank) {
  const std::size_t held = table.distribution.count(rank);
  std::vector<std::uint64_t> offsets;
  for (std::size_t offset = 0; offset < held; ++offset) {
    if (table.rows == nullptr || table.rows->contains(offset)) offsets.push_back(offset);
  }
  return offsets;
}

/// The names of labels, for every kind of names; collective for a dictionary, which is asked once for all of them.
class NamesForRows {
 public:
  NamesForRows(const VertexNames& names, const std::vector<Label>& labels, const Communicator& ranks)
      : names_(names), stored_(names.kind() == NameKind::range ? NameList() : names.names_of(labels, ranks)) {}

  /// The name of labels[i], which is `label`, as the user writes it.
  [[nodiscard]] std::string text(std::size_t i, Label label) const {
    if (label == no_label) return "-1";
    return names_.kind() == NameKind::range ? std::to_string(integer(i, label)) : displayed(names_.kind(), stored_[i]);
  }
  /// The same where names are integers.
  [[nodiscard]] std::int64_t integer(std::size_t i, Label label) const {
    if (label == no_label) return -1;
    return names_.kind() == NameKind::range ? label.value + names_.first() : decode_integer(stored_[i]);
  }

 private:
  const VertexNames& names_;
  NameList stored_;
};

}  // namespace breadth
