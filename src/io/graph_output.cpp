#include "io/graph_output.hpp"

#include "comm/agreement.hpp"
#include "core/errors.hpp"

namespace breadth {

namespace {
FileKind writable_kind(const std::string& path) {
  const FileKind kind = file_kind(path);
  if (kind.compression != Compression::none) fail("cannot write '{}': Breadth does not write compressed files", path);
  return kind;
}
}  // namespace

GraphOutput::GraphOutput(const std::string& path, const Communicator& ranks)
    : kind_(run_together(ranks, [&] { return writable_kind(path); })), file_(path, ranks) {}

void GraphOutput::write(const GraphFile& graph, const Context& context) {
  kind_.format->write(file_, graph, context);
  file_.commit();
}

}  // namespace breadth
