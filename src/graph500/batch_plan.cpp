#include "graph500/batch_plan.hpp"

#include <algorithm>

#include "model/memory_prediction.hpp"
#include "validate/validate_bfs.hpp"

namespace breadth {

namespace {
/// So many searches, up to `a_pass` of them validated at a time.
BatchPlan batch(const GraphSize& size, std::size_t searches, std::size_t a_pass) {
  const std::uint64_t validation = validation_bytes_per_label(a_pass, label_bytes(size));
  return {searches, a_pass, searches * result_bytes(size) + validation * size.labels};
}
}  // namespace

BatchPlan plan_batches(const GraphSize& size, std::uint64_t keys, std::uint64_t bytes) {
  for (const std::size_t a_pass : searches_a_pass) {
    const BatchPlan least = batch(size, std::min<std::size_t>(a_pass, keys), a_pass);
    if (least.bytes > bytes) continue;
    const std::size_t room = least.searches + (bytes - least.bytes) / result_bytes(size);
    // Whole passes, unless all fit.
    return batch(size, room >= keys ? keys : room / a_pass * a_pass, a_pass);
  }
  return batch(size, 1, 1);
}

BatchPlan full_batch(const GraphSize& size, std::uint64_t keys) {
  return batch(size, std::min<std::size_t>(most_searches_a_pass, keys), most_searches_a_pass);
}

}  // namespace breadth
