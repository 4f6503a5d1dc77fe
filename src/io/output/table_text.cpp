#include <fmt/format.h>

#include "comm/agreement.hpp"
#include "core/text.hpp"
#include "io/files/line_output.hpp"
#include "io/output/table_output.hpp"

namespace breadth {

namespace {
/// The labels whose names some rows need: that of each row, then for each column of vertices that of each row.
std::vector<Label> labels_of(const Table& table, std::span<const std::uint64_t> rows, int rank) {
  std::vector<Label> labels;
  for (const std::uint64_t row : rows) labels.push_back(table.distribution.label(rank, row));
  for (const TableColumn& column : table.columns) {
    const auto* vertices = std::get_if<const LabelArray*>(&column.values);
    if (vertices == nullptr) continue;
    for (const std::uint64_t row : rows) labels.push_back((**vertices)[row]);
  }
  return labels;
}

/// Appends a number as short as it can be; what is not finite as inf or nan.
template <class Value>
void append_number(Value value, std::string& text) {
  append(text, "{}", value);
}

void append_row(const Table& table, std::uint64_t row, std::size_t i, std::size_t rows,
                const std::vector<Label>& labels, const NamesForRows& names, std::string& text) {
  text += names.text(i, labels[i]);
  std::size_t at = i;
  for (const TableColumn& column : table.columns) {
    text += ' ';
    std::visit(
        [&](const auto& values) {
          if constexpr (std::is_pointer_v<std::remove_cvref_t<decltype(values)>>) {
            at += rows;
            text += names.text(at, labels[at]);
          } else {
            append_number(values[row], text);
          }
        },
        column.values);
  }
  text += '\n';
}
}  // namespace

void write_table_text(const SharedOutputFile& file, const Table& table, const Context& context) {
  const Communicator& ranks = context.ranks;
  const std::vector<std::uint64_t> rows = run_together(ranks, [&] { return row_offsets(table, ranks.rank()); });
  std::string head = "# label";
  for (const TableColumn& column : table.columns) head += ' ' + column.name;
  write_lines(file, head + '\n', rows.size(), [&](std::uint64_t first, std::uint64_t last) {
    const std::span some = std::span(rows).subspan(first, last - first);
    const std::vector<Label> labels = labels_of(table, some, ranks.rank());
    const NamesForRows names(table.names, labels, ranks);
    return make_lines(context.threads, some.size(), [&](std::size_t i, std::string& text) {
      append_row(table, some[i], i, some.size(), labels, names, text);
    });
  });
}

}  // namespace breadth
