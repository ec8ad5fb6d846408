// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Streams through the C interface: arguments are checked here, members of a kind by the kind.
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>

#include "planner/api/guard.h"
#include "stream/check.h"
#include "stream/filter.h"
#include "stream/istft.h"
#include "stream/psd.h"
#include "stream/stft.h"
#include "stream/stream.h"
#include "ulpfft/stream.h"
#include "wisdom/error.h"

using namespace ulpfft;

namespace {

constexpr std::int64_t kMostPushed = std::int64_t{1} << 30;
constexpr int kMostStreamThreads = 256;

// One row for every kind.
struct StreamKind {
  int kind;
  const char* name;
  std::unique_ptr<ulpfft_stream> (*make)(const StreamRequest&);
  ulpfft_stream_facts (*predict)(const StreamRequest&);
};
constexpr StreamKind kStreamKinds[] = {{ULPFFT_STREAM_FILTER, "ULPFFT_STREAM_FILTER", &make_filter, &predict_filter},
                                       {ULPFFT_STREAM_STFT, "ULPFFT_STREAM_STFT", &make_stft, &predict_stft},
                                       {ULPFFT_STREAM_PSD, "ULPFFT_STREAM_PSD", &make_psd, &predict_psd},
                                       {ULPFFT_STREAM_ISTFT, "ULPFFT_STREAM_ISTFT", &make_istft, &predict_istft}};

const StreamKind& kind_of(const StreamRequest& request) {
  std::string possible;
  for (const StreamKind& kind : kStreamKinds) {
    if (kind.kind == request.options.kind) return kind;
    possible += (possible.empty() ? "" : ", ") + std::string(kind.name) + " (" + std::to_string(kind.kind) + ")";
  }
  throw PlanError(ULPFFT_INVALID_ARGUMENT, "kind", "kind is " + std::to_string(request.options.kind) + "; there are " + possible + ".");
}

StreamRequest request_from_c(ulpfft_context* context, const ulpfft_stream_options* options, const ulpfft_plan_options* plan_options) {
  require_pointer(options, "options");
  StreamRequest request;
  request.context = context;
  request.options = read_sized(*options, "options.size");
  if (plan_options != nullptr) {
    request.plan_options = read_sized(*plan_options, "plan_options.size");
    if (request.plan_options.judge != nullptr) {
      throw PlanError(ULPFFT_UNSUPPORTED, "plan_options.judge",
                      "plan_options.judge is set, but a stream has no array to judge its plans by.");
    }
  } else {
    request.plan_options.effort = ULPFFT_ESTIMATE;
  }
  request.plan_options.size = sizeof request.plan_options;
  const std::string storage = request.options.storage == nullptr ? "f32" : request.options.storage;
  request.f64 = storage == "f64";
  if (!request.f64 && storage != "f32") {
    throw PlanError(ULPFFT_UNSUPPORTED, "storage",
                    "storage is '" + storage + "'; streams of f32 and f64 are possible. `samples` and `items` name other storage.");
  }
  const std::string samples = request.options.samples == nullptr ? storage : request.options.samples;
  request.blocks = sample_blocks(samples);
  request.samples = sample_storage(request.blocks.reals != 0 ? storage : samples, "samples");
  request.items = request.options.items == nullptr ? storage : request.options.items;
  require_between(request.options.most_pushed, 0, kMostPushed, "most_pushed", "possible are");
  require_between(request.options.threads, 0, kMostStreamThreads, "threads", "possible are");
  return request;
}

void require_count(std::int64_t count, const void* memory, const char* count_field, const char* field) {
  if (count < 0) {
    const std::string sentence = std::string(count_field) + " is " + std::to_string(count) + ", which is negative.";
    throw PlanError(ULPFFT_INVALID_ARGUMENT, count_field, sentence);
  }
  if (count > 0) require_pointer(memory, field);
}

void write_facts(const ulpfft_stream_facts& from, ulpfft_stream_facts* facts) {
  const std::size_t size = facts->size;
  *facts = from;
  facts->size = size;
}

}  // namespace

extern "C" {

ulpfft_status ulpfft_stream_predict(ulpfft_context* context, const ulpfft_stream_options* options, ulpfft_stream_facts* facts) {
  return guard([&] {
    require_pointer(facts, "facts");
    require_size(*facts, "facts.size");
    const StreamRequest request = request_from_c(context, options, nullptr);
    write_facts(kind_of(request).predict(request), facts);
  });
}

ulpfft_status ulpfft_stream_create(ulpfft_context* context, const ulpfft_stream_options* options, const ulpfft_plan_options* plan_options,
                                   ulpfft_stream** stream) {
  return guard([&] {
    require_pointer(stream, "stream");
    *stream = nullptr;
    const StreamRequest request = request_from_c(context, options, plan_options);
    *stream = kind_of(request).make(request).release();
  });
}

void ulpfft_stream_destroy(ulpfft_stream* stream) { delete stream; }

ulpfft_status ulpfft_stream_facts_get(const ulpfft_stream* stream, ulpfft_stream_facts* facts) {
  return guard([&] {
    require_pointer(stream, "stream");
    require_pointer(facts, "facts");
    require_size(*facts, "facts.size");
    write_facts(stream->facts(), facts);
  });
}

ulpfft_status ulpfft_stream_floor_get(const ulpfft_stream* stream, ulpfft_stream_floor* floor) {
  return guard([&] {
    require_pointer(stream, "stream");
    require_pointer(floor, "floor");
    require_size(*floor, "floor.size");
    ulpfft_stream_floor found = ULPFFT_STREAM_FLOOR_INIT;
    if (!stream->floor(found)) {
      throw PlanError(ULPFFT_UNSUPPORTED, "stream", "A floor is predicted for ULPFFT_STREAM_PSD, and this stream is of another kind.");
    }
    found.size = floor->size;
    *floor = found;
  });
}

ulpfft_status ulpfft_stream_push(ulpfft_stream* stream, const void* samples, int64_t count, int64_t* pushed) {
  return guard([&] {
    require_pointer(stream, "stream");
    require_pointer(pushed, "pushed");
    require_count(count, samples, "count", "samples");
    if (stream->is_flushed()) {
      throw PlanError(ULPFFT_INVALID_ARGUMENT, "stream",
                      "The signal was ended by ulpfft_stream_flush(): begin another with ulpfft_stream_reset().");
    }
    *pushed = stream->push(samples, count);
  });
}

ulpfft_status ulpfft_stream_take(ulpfft_stream* stream, void* items, int64_t most, int64_t* taken) {
  return guard([&] {
    require_pointer(stream, "stream");
    require_pointer(taken, "taken");
    require_count(most, items, "most", "items");
    *taken = stream->take(items, most);
  });
}

int64_t ulpfft_stream_ready(const ulpfft_stream* stream) { return stream == nullptr ? 0 : stream->ready(); }

ulpfft_status ulpfft_stream_flush(ulpfft_stream* stream) {
  return guard([&] {
    require_pointer(stream, "stream");
    stream->flush();
  });
}

ulpfft_status ulpfft_stream_reset(ulpfft_stream* stream) {
  return guard([&] {
    require_pointer(stream, "stream");
    stream->reset();
  });
}

}  // extern "C"
