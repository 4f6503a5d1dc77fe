// Graph files that Python writes.
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/data/edge_list.hpp"
#include "core/data/label_array.hpp"
#include "io/graph_file.hpp"
#include "io/graph_format.hpp"
#include "io/names/name_list.hpp"
#include "io/names/vertex_names.hpp"
#include "module.hpp"

namespace breadth::python {

namespace {
/// Edges between labels below a bound, in arrays that must outlive it.
class ArrayEdges final : public EdgeList {
 public:
  ArrayEdges(std::span<const std::int64_t> sources, std::span<const std::int64_t> targets,
             std::span<const float> weights)
      : sources_(sources), targets_(targets), weights_(weights) {}
  [[nodiscard]] std::uint64_t size() const override { return sources_.size(); }
  [[nodiscard]] bool weighted() const override { return !weights_.empty(); }
  void read(std::uint64_t first, std::span<Edge> edges, std::span<float> weights) const override {
    for (std::size_t i = 0; i < edges.size(); ++i) edges[i] = {Label{sources_[first + i]}, Label{targets_[first + i]}};
    if (!weights.empty()) std::copy_n(weights_.data() + first, weights.size(), weights.begin());
  }

 private:
  std::span<const std::int64_t> sources_;
  std::span<const std::int64_t> targets_;
  std::span<const float> weights_;
};

VertexNames dictionary(NameKind kind, NameList names) {
  const BlockDistribution on_one_rank(names.size(), 1);
  return VertexNames::dictionary(kind, on_one_rank, std::move(names));
}

/// The names in `integers` or `words`, in ascending order, or else the consecutive integers from `first` on.
VertexNames names_of(std::uint64_t count, std::int64_t first, const std::optional<Input<std::int64_t>>& integers,
                     const std::optional<std::vector<std::string>>& words) {
  NameList names;
  if (integers) {
    for (const std::int64_t integer : elements(*integers)) names.append(as_name(encode_integer(integer)));
    return dictionary(NameKind::integers, std::move(names));
  }
  if (words) {
    for (const std::string& word : *words) names.append(word);
    return dictionary(NameKind::strings, std::move(names));
  }
  return VertexNames::range(first, count);
}

struct NamesToWrite {
  std::uint64_t count;
  std::int64_t first;
  std::optional<Input<std::int64_t>> integers;
  std::optional<std::vector<std::string>> words;
};

/// The name of a file's format, whether it is text, and the number of its first vertex if the format has no names.
std::tuple<std::string, bool, std::optional<std::int64_t>> format_of(const std::filesystem::path& path) {
  const FileKind kind = file_kind(path.string());
  return {kind.format->name, kind.is_text(), kind.format->first_number};
}

void write(const std::string& path, const Input<std::int64_t>& sources, const Input<std::int64_t>& targets,
           const std::optional<Input<float>>& weights, bool directed, const NamesToWrite& names, int threads) {
  const std::shared_ptr<Workers> workers = Workers::of(Workers::threads_for(threads, sources.size()));
  const Workers::Turn turn(*workers);
  const Context context = workers->context();
  GraphOutput output(path, context.ranks);
  GraphFile file{.path = path,
                 .kind = file_kind(path),
                 .edge_count = sources.size(),
                 .weighted = weights.has_value(),
                 .directedness = directed_if(directed),
                 .names = names_of(names.count, names.first, names.integers, names.words),
                 .every_label_is_vertex = true};
  file.edges = std::make_unique<ArrayEdges>(elements(sources), elements(targets),
                                            weights ? elements(*weights) : std::span<const float>());
  output.write(file, context);
}
}  // namespace

void bind_output(nb::module_& module) {
  module.def("format_of", format_of, nb::arg("path"),
             nb::sig("def format_of(path: str) -> tuple[str, bool, int | None]"));
  module.def(
      "write",
      [](const std::filesystem::path& path, const Input<std::int64_t>& sources, const Input<std::int64_t>& targets,
         const std::optional<Input<float>>& weights, bool directed, std::uint64_t count, std::int64_t first,
         std::optional<Input<std::int64_t>> integers, std::optional<std::vector<std::string>> words, int threads) {
        const NamesToWrite names{count, first, std::move(integers), std::move(words)};
        without_lock([&] { write(path.string(), sources, targets, weights, directed, names, threads); });
      },
      nb::arg("path"), nb::arg("sources"), nb::arg("targets"), nb::arg("weights").none(), nb::arg("directed"),
      nb::arg("count"), nb::arg("first"), nb::arg("integers").none(), nb::arg("words").none(), nb::arg("threads"),
      nb::sig("def write(path: str, sources: numpy.typing.NDArray[numpy.int64], targets: "
              "numpy.typing.NDArray[numpy.int64], weights: numpy.typing.NDArray[numpy.float32] | None, directed: bool, "
              "count: int, first: int, integers: numpy.typing.NDArray[numpy.int64] | None, words: list[str] | None, "
              "threads: int) -> None"));
}

}  // namespace breadth::python
