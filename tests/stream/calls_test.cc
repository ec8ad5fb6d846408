// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Calls that are refused, with a sentence that names what was asked; memory, which is taken by creation alone; and the C++ interface.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "tests/stream/stream_run.h"
#include "tests/support/api.h"
#include "tests/support/failing_malloc.h"
#include "ulpfft/stream.hpp"

namespace ulpfft::test {
namespace {

const std::vector<float> kTaps(100, 0.5F);

ulpfft_stream_options filter_options() {
  auto options = sized<ulpfft_stream_options>();
  options.kind = ULPFFT_STREAM_FILTER;
  options.taps = kTaps.data();
  options.tap_count = 100;
  return options;
}

struct Refused {
  const char* name;
  std::function<void(ulpfft_stream_options&)> change;
  ulpfft_status status;
  const char* field;
  const char* words;  // of the sentence
};

constexpr ulpfft_status kInvalid = ULPFFT_INVALID_ARGUMENT;
const float kNoTaps[] = {1, NAN};
const std::vector<Refused> kRefused = {
    {"no kind", [](auto& o) { o.kind = 0; }, kInvalid, "kind", "kind is 0; there are ULPFFT_STREAM_FILTER (1), ULPFFT_STREAM_STFT (2)"},
    {"storage", [](auto& o) { o.storage = "f16"; }, ULPFFT_UNSUPPORTED, "storage", "storage is 'f16'; streams of f32 and f64"},
    {"most_pushed", [](auto& o) { o.most_pushed = -1; }, kInvalid, "most_pushed", "most_pushed is -1; possible are 0 to 1073741824"},
    {"most_pushed, large", [](auto& o) { o.most_pushed = 1 << 30 | 1; }, kInvalid, "most_pushed", "0 to 1073741824"},
    {"threads", [](auto& o) { o.threads = 257; }, kInvalid, "threads", "threads is 257; possible are 0 to 256"},
    {"no taps", [](auto& o) { o.taps = nullptr; }, kInvalid, "taps", "taps is null"},
    {"nan", [](auto& o) { o.taps = kNoTaps, o.tap_count = 2; }, kInvalid, "taps[1]", "no finite number"},
    {"complex nan", [](auto& o) { o.taps = kNoTaps, o.tap_count = 1, o.complex_taps = 1; }, kInvalid, "taps[1]", "no finite number"},
    {"tap_count 0", [](auto& o) { o.tap_count = 0; }, kInvalid, "tap_count", "tap_count is 0; a filter has 1 to 4194304"},
    {"tap_count, large", [](auto& o) { o.tap_count = INT64_MAX; }, kInvalid, "tap_count", "1 to 4194304"},
    {"block", [](auto& o) { o.block = -3; }, kInvalid, "block", "block is -3; possible are 0"},
    {"block, large", [](auto& o) { o.block = (1 << 22) + 1; }, kInvalid, "block", "1 to 4194304"},
    {"max_latency", [](auto& o) { o.max_latency = -2; }, kInvalid, "max_latency", "ULPFFT_LATENCY_NONE (-1) is possible, 0 for no limit"},
    {"both", [](auto& o) { o.max_latency = o.block = 9; }, kInvalid, "max_latency", "leave block or max_latency 0"},
    {"size", [](auto& o) { o.size = 8; }, kInvalid, "options.size", "options.size is 8"},
};

ulpfft_stream_options stft_options() {
  auto options = sized<ulpfft_stream_options>();
  options.kind = ULPFFT_STREAM_STFT;
  options.length = 64;
  options.hop = 16;
  return options;
}

const double kWindow[] = {1, 2, NAN, 4};
const std::vector<Refused> kRefusedRows = {
    {"length 0", [](auto& o) { o.length = 0; }, kInvalid, "length", "length is 0; a row has 1 to 16777216"},
    {"hop 0", [](auto& o) { o.hop = 0; }, kInvalid, "hop", "hop is 0; rows are apart 1 to 1073741824"},
    {"padding", [](auto& o) { o.padding = 3; }, kInvalid, "padding", "padding is 3; ULPFFT_PADDING_NONE, _ZERO and _REFLECT are 0 to 2"},
    {"phase", [](auto& o) { o.phase = -1; }, kInvalid, "phase", "phase is -1; ULPFFT_PHASE_START and _MIDDLE are 0 to 1"},
    {"output", [](auto& o) { o.output = 3; }, kInvalid, "output", "output is 3; _SPECTRUM, _POWER and _MAGNITUDE are 0 to 2"},
    {"long window", [](auto& o) { o.window_factors = kWindow; o.window_count = 65; }, kInvalid, "window_count", "have 64 factors"},
    {"no window", [](auto& o) { o.window_count = 64; }, kInvalid, "window_count", "window_count is 64; these window_factors"},
    {"nan", [](auto& o) { o.length = o.window_count = 4; o.window_factors = kWindow; }, kInvalid, "window_factors[2]", "no finite number"},
    {"centered", [](auto& o) { o.centered = 1; }, ULPFFT_UNSUPPORTED, "padding", "reach beyond the signal: use ULPFFT_PADDING_ZERO"},
    {"reflect", [](auto& o) { o.padding = ULPFFT_PADDING_REFLECT; }, ULPFFT_UNSUPPORTED, "padding", "is for centered rows"},
    {"scales", [](auto& o) { o.items = "e8m0"; }, ULPFFT_UNSUPPORTED, "items", "'e8m0' has neither"},
};

ulpfft_stream_options psd_options() {
  ulpfft_stream_options options = stft_options();
  options.kind = ULPFFT_STREAM_PSD;
  return options;
}

const double kNoSum[] = {1, -1};
const std::vector<Refused> kRefusedAverages = {
    {"hop 0", [](auto& o) { o.hop = 0; }, kInvalid, "hop", "hop is 0; rows are apart 1 to 1073741824"},
    {"output", [](auto& o) { o.output = 1; }, kInvalid, "output", "output is 1; it is of stft, and of psd 0 to 0"},
    {"phase", [](auto& o) { o.phase = 1; }, kInvalid, "phase", "phase is 1; powers have none"},
    {"rows", [](auto& o) { o.rows = -1; }, kInvalid, "rows", "rows is -1; possible are 0 for one item of all rows"},
    {"average", [](auto& o) { o.average = 4; }, kInvalid, "average", "average is 4; ULPFFT_AVERAGE_MEAN"},
    {"scaling", [](auto& o) { o.scaling = 2; }, kInvalid, "scaling", "scaling is 2; ULPFFT_SCALING_DENSITY"},
    {"no weight", [](auto& o) { o.average = ULPFFT_AVERAGE_EXPONENTIAL; }, kInvalid, "weight", "above 0 and at most 1"},
    {"weight", [](auto& o) { o.weight = 0.5; }, kInvalid, "weight", "weight is 0.500000; of this average it is 0"},
    {"rate", [](auto& o) { o.rate = -48000; }, kInvalid, "rate", "rate is -48000.000000; possible are numbers of samples a second"},
    {"no rate", [](auto& o) { o.rate = NAN; }, kInvalid, "rate", "possible are numbers of samples a second above 0"},
    {"sum 0",
     [](auto& o) {
       o.length = o.window_count = 2;
       o.window_factors = kNoSum;
       o.scaling = ULPFFT_SCALING_SPECTRUM;
     },
     kInvalid, "window_factors", "The sum of window_factors is 0"},
    {"rate tiny", [](auto& o) { o.rate = 1e-320; }, kInvalid, "rate", "rate is too small"},
    {"rate vast", [](auto& o) { o.rate = 1e308; }, kInvalid, "rate", "rate is too large"},
};

ulpfft_stream_options istft_options() {
  ulpfft_stream_options options = stft_options();
  options.kind = ULPFFT_STREAM_ISTFT;
  return options;
}

const std::vector<Refused> kRefusedStorage = {
    {"no such samples", [](auto& o) { o.samples = "i17"; }, ULPFFT_UNSUPPORTED, "samples", "samples is 'i17'; samples lie in blocks, or in numbers"},
    {"packed samples", [](auto& o) { o.samples = "e2m1"; }, ULPFFT_UNSUPPORTED, "samples", "possible are f32"},
    {"blocks of istft", [](auto& o) { o.samples = "mxint8"; o.kind = ULPFFT_STREAM_ISTFT; }, ULPFFT_UNSUPPORTED, "samples", "'mxint8', but"},
    {"no such items", [](auto& o) { o.items = "f15"; }, ULPFFT_UNKNOWN_NAME, "items", "items is 'f15', which no row is stored in. "},
    {"magnitudes", [](auto& o) { o.items = "f16"; o.output = ULPFFT_STREAM_MAGNITUDE; }, ULPFFT_UNSUPPORTED, "items", "those of magnitudes"},
    {"psd", [](auto& o) { o.items = "f16"; o.kind = ULPFFT_STREAM_PSD; }, ULPFFT_UNSUPPORTED, "items", "items is 'f16', but those of psd"},
    {"istft", [](auto& o) { o.samples = "i16"; o.kind = ULPFFT_STREAM_ISTFT; }, ULPFFT_UNSUPPORTED, "samples", "those of istft are stored"},
};

const double kGap[] = {1, 0, 1, 0};
const std::vector<Refused> kRefusedBack = {
    {"hop", [](auto& o) { o.hop = 65; }, kInvalid, "hop", "hop is 65; rows that leave no sample out are apart 1 to 64"},
    {"output", [](auto& o) { o.output = 2; }, kInvalid, "output", "output is 2; rows that go back are spectra, so of istft it is 0 to 0"},
    {"window",
     [](auto& o) {
       o.hop = 2;
       o.length = o.window_count = 4;
       o.window_factors = kGap;
     },
     kInvalid, "window_factors", "Sample 1 of every hop has no row"},
};

void expect_refused(const std::vector<Refused>& cases, const ulpfft_stream_options& good) {
  for (const Refused& one : cases) {
    ulpfft_stream_options options = good;
    one.change(options);
    auto* stream = reinterpret_cast<ulpfft_stream*>(1);
    EXPECT_EQ(ulpfft_stream_create(nullptr, &options, nullptr, &stream), one.status) << one.name;
    EXPECT_EQ(stream, nullptr) << one.name;
    EXPECT_EQ(last_error().field, one.field) << one.name << ": " << last_error_text();
    EXPECT_NE(last_error().message.find(one.words), std::string::npos) << one.name << ": " << last_error_text();
    auto facts = sized<ulpfft_stream_facts>();
    EXPECT_EQ(ulpfft_stream_predict(nullptr, &options, &facts), one.status) << one.name;
  }
  EXPECT_NE(make_stream(good), nullptr);
}

TEST(StreamCalls, RefuseBadFiltersWithASentence) { expect_refused(kRefused, filter_options()); }
TEST(StreamCalls, RefuseBadRowsWithASentence) { expect_refused(kRefusedRows, stft_options()); }

TEST(StreamCalls, RefuseBadAveragesWithASentence) { expect_refused(kRefusedAverages, psd_options()); }

TEST(StreamCalls, RefuseStorageThatIsNotPossibleWithASentence) { expect_refused(kRefusedStorage, stft_options()); }

TEST(StreamCalls, RefuseBadRowsBackWithASentence) { expect_refused(kRefusedBack, istft_options()); }

TEST(StreamCalls, RefuseNullAndNegativeArguments) {
  ulpfft_stream_options options = filter_options();
  options.block = 64;  // transforms, whatever the planner would choose
  ulpfft_stream* made = nullptr;
  auto facts = sized<ulpfft_stream_facts>();
  EXPECT_EQ(ulpfft_stream_create(nullptr, nullptr, nullptr, &made), ULPFFT_INVALID_ARGUMENT);
  EXPECT_EQ(ulpfft_stream_create(nullptr, &options, nullptr, nullptr), ULPFFT_INVALID_ARGUMENT);
  EXPECT_EQ(ulpfft_stream_predict(nullptr, &options, nullptr), ULPFFT_INVALID_ARGUMENT);
  facts.size = 3;
  EXPECT_EQ(ulpfft_stream_predict(nullptr, &options, &facts), ULPFFT_INVALID_ARGUMENT);
  auto plan_options = sized<ulpfft_plan_options>();
  auto array = sized<ulpfft_array>();
  plan_options.judge = &array;
  EXPECT_EQ(ulpfft_stream_create(nullptr, &options, &plan_options, &made), ULPFFT_UNSUPPORTED);
  plan_options.judge = nullptr;
  plan_options.effort = 99;
  EXPECT_EQ(ulpfft_stream_create(nullptr, &options, &plan_options, &made), ULPFFT_INVALID_ARGUMENT);
  EXPECT_EQ(last_error().field, "effort") << last_error_text();

  const StreamPtr stream = make_stream(options);
  std::int64_t count = 5;
  float number = 1;
  EXPECT_EQ(ulpfft_stream_push(nullptr, &number, 1, &count), ULPFFT_INVALID_ARGUMENT);
  EXPECT_EQ(ulpfft_stream_push(stream.get(), nullptr, 1, &count), ULPFFT_INVALID_ARGUMENT);
  EXPECT_EQ(ulpfft_stream_push(stream.get(), &number, -1, &count), ULPFFT_INVALID_ARGUMENT);
  EXPECT_EQ(ulpfft_stream_push(stream.get(), &number, 1, nullptr), ULPFFT_INVALID_ARGUMENT);
  EXPECT_EQ(ulpfft_stream_take(nullptr, &number, 1, &count), ULPFFT_INVALID_ARGUMENT);
  EXPECT_EQ(ulpfft_stream_take(stream.get(), nullptr, 1, &count), ULPFFT_INVALID_ARGUMENT);
  EXPECT_EQ(ulpfft_stream_take(stream.get(), &number, -1, &count), ULPFFT_INVALID_ARGUMENT);
  EXPECT_EQ(ulpfft_stream_take(stream.get(), &number, 1, nullptr), ULPFFT_INVALID_ARGUMENT);
  EXPECT_EQ(ulpfft_stream_flush(nullptr), ULPFFT_INVALID_ARGUMENT);
  EXPECT_EQ(ulpfft_stream_reset(nullptr), ULPFFT_INVALID_ARGUMENT);
  EXPECT_EQ(ulpfft_stream_facts_get(nullptr, &facts), ULPFFT_INVALID_ARGUMENT);
  EXPECT_EQ(ulpfft_stream_ready(nullptr), 0);
  EXPECT_EQ(count, 5);
  EXPECT_EQ(ulpfft_stream_push(stream.get(), nullptr, 0, &count), ULPFFT_OK);
  EXPECT_EQ(ulpfft_stream_take(stream.get(), nullptr, 0, &count), ULPFFT_OK);
  EXPECT_EQ(count, 0);
  ulpfft_stream_destroy(nullptr);
}

TEST(StreamCalls, RefuseSamplesAfterTheEnd) {
  const StreamPtr stream = make_stream(filter_options());
  float number = 1;
  std::int64_t pushed = 0;
  ASSERT_EQ(ulpfft_stream_flush(stream.get()), ULPFFT_OK);
  EXPECT_EQ(ulpfft_stream_push(stream.get(), &number, 1, &pushed), ULPFFT_INVALID_ARGUMENT);
  EXPECT_NE(last_error().message.find("ulpfft_stream_reset()"), std::string::npos) << last_error_text();
  ASSERT_EQ(ulpfft_stream_reset(stream.get()), ULPFFT_OK);
  EXPECT_EQ(ulpfft_stream_push(stream.get(), &number, 1, &pushed), ULPFFT_OK);
  EXPECT_EQ(pushed, 1);
}

// Runs a signal through a stream and returns the allocations of its calls.
std::int64_t allocations_of_calls(const StreamPtr& stream) {
  const ulpfft_stream_facts facts = facts_of(stream);
  const Bytes signal(static_cast<std::size_t>(5000) * facts.sample_bytes);
  Bytes items(static_cast<std::size_t>(facts.room) * facts.item_bytes);
  const Allocations allocations;
  std::int64_t pushed = 0;
  std::int64_t taken = 0;
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(ulpfft_stream_push(stream.get(), signal.data(), 5000, &pushed), ULPFFT_OK);
    EXPECT_EQ(ulpfft_stream_take(stream.get(), items.data(), facts.room, &taken), ULPFFT_OK);
  }
  EXPECT_EQ(ulpfft_stream_flush(stream.get()), ULPFFT_OK);
  do EXPECT_EQ(ulpfft_stream_take(stream.get(), items.data(), facts.room, &taken), ULPFFT_OK);
  while (taken > 0);
  EXPECT_EQ(ulpfft_stream_reset(stream.get()), ULPFFT_OK);
  return allocations.count();
}

TEST(StreamMemory, IsTakenByCreationAlone) {
  for (const std::int64_t block : {0, 1, 16, 333, 1024}) {
    for (const int complex_samples : {0, 1}) {
      ulpfft_stream_options options = filter_options();
      options.block = block;
      options.complex_samples = complex_samples;
      EXPECT_EQ(allocations_of_calls(make_stream(options)), 0) << "block " << block;
    }
  }
  for (const int padding : {ULPFFT_PADDING_NONE, ULPFFT_PADDING_ZERO, ULPFFT_PADDING_REFLECT}) {
    for (const int output : {ULPFFT_STREAM_SPECTRUM, ULPFFT_STREAM_POWER, ULPFFT_STREAM_MAGNITUDE}) {
      ulpfft_stream_options options = stft_options();
      options.padding = padding;
      options.centered = padding == ULPFFT_PADDING_REFLECT ? 1 : 0;
      options.output = output;
      EXPECT_EQ(allocations_of_calls(make_stream(options)), 0) << "padding " << padding << ", output " << output;
    }
  }
}

TEST(StreamMemory, OfAveragesAndOfTheWayBackIsTakenByCreationAlone) {
  EXPECT_EQ(allocations_of_calls(make_stream(istft_options())), 0);
  ulpfft_stream_options in_blocks = stft_options();
  in_blocks.items = "mxfp8_e4m3";
  EXPECT_EQ(allocations_of_calls(make_stream(in_blocks)), 0);
  for (const std::int64_t rows : {0, 1, 7}) {
    ulpfft_stream_options options = psd_options();
    options.rows = rows;
    EXPECT_EQ(allocations_of_calls(make_stream(options)), 0) << "rows " << rows;
    for (const char* samples : {"i16", "mxfp8_e4m3"}) {
      options.samples = samples;
      EXPECT_EQ(allocations_of_calls(make_stream(options)), 0) << samples << ", rows " << rows;
    }
  }
}

// What a stream takes beside the bytes that it tells: its objects, and what plans keep of their problems, recipes and programs.
constexpr std::int64_t kNotes = 256 << 10;

TEST(StreamMemory, IsWhatWasSaid) {
  const std::vector<float> taps(20000, 0.25F);
  ulpfft_stream_options options = filter_options();
  options.taps = taps.data();
  options.tap_count = 20000;
  options.block = 1024;  // choosing one makes plans for a while
  make_stream(options);  // what a context keeps
  auto predicted = sized<ulpfft_stream_facts>();
  ASSERT_EQ(ulpfft_stream_predict(nullptr, &options, &predicted), ULPFFT_OK);
  const Allocations allocations;
  ulpfft_stream* stream = nullptr;
  ASSERT_EQ(ulpfft_stream_create(nullptr, &options, nullptr, &stream), ULPFFT_OK);
  EXPECT_GT(allocations.peak_bytes(), static_cast<std::int64_t>(predicted.bytes) * 9 / 10);
  EXPECT_LE(allocations.peak_bytes(), static_cast<std::int64_t>(predicted.bytes) * 11 / 10 + kNotes);
  ulpfft_stream_destroy(stream);
}

TEST(StreamMemory, ThatRunsOutIsAStatus) {
  const ulpfft_stream_options options = filter_options();
  make_stream(options);
  for (std::int64_t number = 0;; number += 1 + number / 50) {
    ulpfft_stream* stream = nullptr;
    ulpfft_status status = ULPFFT_OK;
    {
      const Allocations refusing(number, true);
      status = ulpfft_stream_create(nullptr, &options, nullptr, &stream);
    }
    ulpfft_stream_destroy(stream);
    ASSERT_EQ(stream != nullptr, status == ULPFFT_OK);
    if (status == ULPFFT_OK) break;
    ASSERT_EQ(status, ULPFFT_NO_MEMORY) << number;
    ASSERT_LT(number, 100000);
  }
}

TEST(CppStream, FiltersWhatTheCInterfaceFilters) {
  Context context;
  std::vector<std::complex<float>> taps(33, {0.5F, -1});
  Stream stream = Stream::filter<float>(context, taps, {.most_pushed = 1000});
  EXPECT_EQ(stream.facts().item_bytes, sizeof(std::complex<float>));
  const std::vector<float> samples(1000, 1);
  EXPECT_EQ(stream.push<float>(samples), 1000);
  stream.flush();
  std::vector<std::complex<float>> items(2000);
  EXPECT_EQ(stream.take(std::span(items)), 1032);
  EXPECT_NEAR(items[500].real(), 16.5F, 1e-4F);
  EXPECT_NEAR(items[500].imag(), -33.0F, 1e-4F);
  EXPECT_EQ(stream.ready(), 0);
  stream.reset();
  EXPECT_THROW(stream.push<double>(std::vector<double>(3)), Error);
  std::vector<float> reals(3);
  EXPECT_THROW(stream.take(std::span(reals)), Error);
  EXPECT_THROW(Stream::filter<float>(context, std::vector<float>()), Error);
}

}  // namespace
}  // namespace ulpfft::test
