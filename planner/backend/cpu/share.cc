// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/backend/cpu/share.h"

#include <algorithm>

#include "planner/system/buffer.h"

namespace ulpfft {
namespace {

// Whether there is something that threads could share.
bool has_parallel(const std::vector<Item>& body) {
  return std::any_of(body.begin(), body.end(), [](const Item& item) {
    if (const Pass* pass = item.pass()) return pass->parallel && pass->extent > 1;
    const Loop* const loop = item.loop();
    return loop != nullptr && ((loop->parallel && loop->count > 1) || has_parallel(loop->body));
  });
}

bool is_even(std::int64_t count, int threads) { return count >= 4 * threads || count % threads == 0; }

void share_body(Program& program, std::vector<Item>& body, int threads) {
  for (Item& item : body) {
    if (Pass* pass = item.pass()) {
      // Nothing is inside a pass, so that it is shared however its positions come out.
      if (!pass->parallel || pass->extent <= 1) continue;
      pass->split = true;
      program.threads = threads;
      continue;
    }
    if (item.loop() == nullptr) continue;
    Loop& loop = *item.loop();
    if (!loop.parallel || loop.count <= 1 || !(is_even(loop.count, threads) || !has_parallel(loop.body))) {
      share_body(program, loop.body, threads);
      continue;
    }
    loop.split = true;
    program.threads = threads;
    const std::int64_t last = loop.private_bytes;
    if (last != 0) loop.private_bytes += static_cast<std::int64_t>(kThreadsApart);
    const std::int64_t bytes = loop.private_begin + (threads - 1) * loop.private_bytes + last;
    program.workspace_bytes = std::max(program.workspace_bytes, static_cast<std::size_t>(bytes));
  }
}

}  // namespace

void share(Program& program, int threads) {
  if (threads > 1) share_body(program, program.body, threads);
}

}  // namespace ulpfft
