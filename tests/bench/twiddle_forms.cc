// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Every twiddle form beside the standard one: time of the pass and error, for every radix, type and target that the registry holds.
//
//   twiddle_forms [--target=T] [--radix=R]
//
// Time     of passes in place on planar data, real tables and paths, standard and form by turns; 16 KiB (L1) and 256 KiB (L2) of data.
//          k in lanes: one butterfly block per pass, so that as many groups straddle as in the last pass of a transform of that size
//          (the share is shown; they run as standard). columns in lanes: 64 columns, a path for every k.
// Error    of one body in u of f32 (BodyFacts), and of a transform of r^p points with that form in every pass, relative L2 of all
//          outputs. It depends on the recipe and on whether there is FMA, on nothing else of the target.
//
// Not a command of the tool: it takes single codelets from the registry, and the tool knows the public interface alone.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "codelets/registry.h"
#include "planner/system/buffer.h"
#include "planner/table/twiddle_table.h"
#include "tests/bench/timing.h"
#include "ulpfft/ulpfft.hpp"

namespace ulpfft::bench {
namespace {

constexpr std::int64_t kLevels[] = {16 << 10, 256 << 10};  // bytes of data: L1, L2
constexpr std::int64_t kColumnLanes = 64;
constexpr std::int64_t kLongest = 8192;  // transform whose error is measured
constexpr int kPlacements = 7;  // of the tables; the median over them
constexpr int kAlternations = 11;
constexpr double kBatchSeconds = 1e-4;
constexpr double kWin = 0.98;  // of the standard form's time with the spread, or of its error

std::int64_t real_bytes(const CodeletInfo& codelet) { return codelet.compute == ComputeType::kF32 ? 4 : 8; }
const char* type_name(ComputeType compute) { return compute == ComputeType::kF32 ? "f32" : "f64"; }
std::string form_name(TwiddleForm form) { return form == TwiddleForm::kStandard ? "standard" : std::string(twiddle_suffix(form)); }

// One pass of a codelet over data of `bytes`, ready to run.
class Subject {
 public:
  Subject(const CodeletTable& table, const CodeletInfo& codelet, std::int64_t bytes, RootCache& roots) : codelet_(codelet) {
    const int w = codelet.compute == ComputeType::kF32 ? table.lanes_f32 : table.lanes_f64;
    const std::int64_t r = codelet.body->radix;
    const std::int64_t points = bytes / (2 * real_bytes(codelet));
    TwiddleRequest request;
    request.body = codelet.body;
    args_.in.planar = true;
    args_.in.im_offset = w;
    args_.in.lane_stride = 2;
    if (codelet.kind == PassKind::kTwiddled) {
      const std::int64_t l = points / r / kPathGroup * kPathGroup;
      args_.in.lane_order = w > 1;
      args_.in.point_stride = 2 * l;
      args_.lanes = l;
      request.length = request.end = l;
      request.lanes = w;
      request.lane_order = w > 1;
      request.lanes_per_block = std::min<int>(w, 16 / static_cast<int>(real_bytes(codelet)));
      chunks_ = static_cast<double>(l) / w;
    } else {
      const std::int64_t pitch = 2 * kColumnLanes;
      const std::int64_t l = std::max<std::int64_t>(1, points / (r * kColumnLanes));
      args_.in.point_stride = l * pitch;
      args_.axes[1] = {l, pitch, pitch, static_cast<std::int64_t>(codelet.body->table.size())};
      args_.lanes = kColumnLanes;
      args_.path_stride = codelet.body->form == TwiddleForm::kDualSelect ? 1 : 0;
      request.length = request.end = l;
      request.broadcast = true;
      chunks_ = static_cast<double>(l * kColumnLanes) / w;
    }
    args_.out = args_.in;

    twiddles_ = make_twiddle_table(request, codelet.compute, roots);
    args_.table = twiddles_.values.data();
    args_.paths = twiddles_.paths.empty() ? nullptr : twiddles_.paths.data();
    buffers_.slot[static_cast<int>(args_.in.slot)] = {data(), nullptr};
  }
  void operator()() const { codelet_.run(args_, buffers_, 0, args_.axes[0].count); }
  double chunks() const { return chunks_; }
  double straddling() const {
    if (twiddles_.paths.empty()) return 0;
    const auto count = std::count(twiddles_.paths.begin(), twiddles_.paths.end(), kStraddle);
    return static_cast<double>(count) / static_cast<double>(twiddles_.paths.size());
  }

 private:
  // Zeros stay zeros, however often a pass runs over them. Both forms work on the same memory.
  static void* data() {
    static const AlignedBuffer memory(static_cast<std::size_t>(2 * kLevels[1]));
    return memory.data();
  }

  const CodeletInfo& codelet_;
  PassArgs args_;
  Buffers buffers_{};
  TwiddleTable twiddles_;
  double chunks_ = 0;
};

// Times of one vector of butterflies. Where tables lie moves a pass by some percent, so each pair is placed several times.
Comparison compare(const CodeletTable& table, const CodeletInfo& standard, const CodeletInfo& other, std::int64_t bytes, RootCache& roots) {
  std::vector<std::unique_ptr<Subject>> kept;
  std::vector<double> first, second, ratios;
  for (int i = 0; i < kPlacements; ++i) {
    kept.push_back(std::make_unique<Subject>(table, standard, bytes, roots));
    const Subject& plain = *kept.back();
    kept.push_back(std::make_unique<Subject>(table, other, bytes, roots));
    const Comparison times = alternate(plain, *kept.back(), kAlternations, kBatchSeconds);
    first.push_back(times.first_seconds / plain.chunks());
    second.push_back(times.second_seconds / plain.chunks());
    ratios.push_back(times.ratio);
  }
  return {median(first), median(second), median(ratios), spread(ratios)};
}

struct Options {
  std::string target;
  int radix = 0;
};

bool is_twiddled(const CodeletInfo& codelet) { return codelet.kind == PassKind::kTwiddled || codelet.kind == PassKind::kColumnsTwiddled; }

const CodeletInfo* find(const CodeletTable& table, PassKind kind, ComputeType compute, int radix, TwiddleForm form) {
  for (const CodeletInfo& codelet : table.codelets) {
    if (codelet.kind == kind && codelet.compute == compute && codelet.body->radix == radix && codelet.body->form == form) return &codelet;
  }
  return nullptr;
}

std::set<TwiddleForm> other_forms(const CodeletTable& table) {
  std::set<TwiddleForm> forms;
  for (const CodeletInfo& codelet : table.codelets) {
    if (is_twiddled(codelet) && codelet.body->form != TwiddleForm::kStandard) forms.insert(codelet.body->form);
  }
  return forms;
}

std::set<int> radices(const CodeletTable& table, const Options& options) {
  std::set<int> list;
  for (const CodeletInfo& codelet : table.codelets) {
    if (is_twiddled(codelet) && (options.radix == 0 || codelet.body->radix == options.radix)) list.insert(codelet.body->radix);
  }
  return list;
}

void print_wins(const std::set<TwiddleForm>& forms, std::map<TwiddleForm, std::string>& wins, const char* what) {
  for (const TwiddleForm form : forms) {
    const std::string& list = wins[form].empty() ? " none" : wins[form];
    std::printf("  %s has less than %.2f of standard's %s at radix:%s\n", form_name(form).c_str(), kWin, what, list.c_str());
  }
}

void print_times(const CodeletTable& table, PassKind kind, ComputeType compute, const Options& options) {
  const std::set<TwiddleForm> forms = other_forms(table);
  const auto shows_straddling = [&](TwiddleForm form) { return form == TwiddleForm::kDualSelect && kind == PassKind::kTwiddled; };
  const char* lanes = kind == PassKind::kTwiddled ? "k in lanes" : "columns in lanes";
  std::printf("\n%s %s, %s: ns per vector of butterflies; time of a form over standard's\n", table.target, type_name(compute), lanes);
  std::printf("radix   ops  standard: L1      L2");
  for (const TwiddleForm form : forms) {
    std::printf(" | %3s ops     L1     +-     L2     +-%s", form_name(form).c_str(), shows_straddling(form) ? "  straddle L1, L2" : "");
  }
  std::printf("\n");
  std::map<TwiddleForm, std::string> wins;
  for (const int radix : radices(table, options)) {
    const CodeletInfo* standard = find(table, kind, compute, radix, TwiddleForm::kStandard);
    if (standard == nullptr) continue;
    RootCache roots;
    std::printf("%5d %5d        ", radix, standard->body->ops.total());
    std::map<TwiddleForm, std::string> cells;
    double ns[2] = {};
    for (int level = 0; level < 2; ++level) {
      for (const TwiddleForm form : forms) {
        const CodeletInfo* codelet = find(table, kind, compute, radix, form);
        if (codelet == nullptr) continue;
        const Comparison times = compare(table, *standard, *codelet, kLevels[level], roots);
        ns[level] = 1e9 * times.first_seconds;
        char text[64];
        std::snprintf(text, sizeof text, "%7.2f %4.1f %%", times.ratio, 100 * times.ratio_spread);
        cells[form] += text;
        if (level == 1 && shows_straddling(form)) {
          const Subject in_l1(table, *codelet, kLevels[0], roots), in_l2(table, *codelet, kLevels[1], roots);
          std::snprintf(text, sizeof text, "    %3.0f %%, %3.0f %%", 100 * in_l1.straddling(), 100 * in_l2.straddling());
          cells[form] += text;
        }
        if (times.ratio * (1 + times.ratio_spread) < kWin) wins[form] += " " + std::to_string(radix) + (level == 0 ? " (L1)" : " (L2)");
      }
      // No other form: against itself.
      if (ns[level] == 0) ns[level] = 1e9 * compare(table, *standard, *standard, kLevels[level], roots).first_seconds;
    }
    std::printf("%6.2f  %6.2f", ns[0], ns[1]);
    for (const TwiddleForm form : forms) {
      const CodeletInfo* codelet = find(table, kind, compute, radix, form);
      if (codelet == nullptr) {
        std::printf(" | %7s", "-");
      } else {
        std::printf(" | %7d%s", codelet->body->ops.total(), cells[form].c_str());
      }
    }
    std::printf("\n");
    std::fflush(stdout);
  }
  print_wins(forms, wins, "time");
}

struct Transform {
  std::string text;
  double error = 0;
};

// r^p points, the form in every pass with twiddles.
Transform measure(Context& context, ComputeType compute, int radix, TwiddleForm form) {
  const std::string pass = std::to_string(radix);
  std::int64_t n = radix;
  Transform result;
  std::string passes = pass;
  while (n * radix <= kLongest) {
    n *= radix;
    passes += " " + pass + (form == TwiddleForm::kStandard ? "" : ":" + std::string(twiddle_suffix(form)));
  }
  result.text = std::string(type_name(compute)) + ":dit(" + passes + ")";
  const Plan plan = context.from_recipe(std::to_string(n) + " " + type_name(compute), result.text);
  ulpfft_error_report report{};
  report.size = sizeof report;
  if (ulpfft_plan_measure_error(plan.get(), ULPFFT_ERROR_FULL, &report) != ULPFFT_OK) throw std::runtime_error(ulpfft_last_error());
  result.error = report.relative_l2;
  return result;
}

void print_errors(const CodeletTable& table, ComputeType compute, const Options& options) {
  const std::set<TwiddleForm> forms = other_forms(table);
  Context context(ContextOptions{.target = table.target});
  const char* fma = table.has_fma ? "with FMA" : "without FMA";
  std::printf("\n%s, targets %s: relative L2 error of a transform of r^p points; rms error of one body, in u of f32\n", type_name(compute), fma);
  std::printf("radix  standard: transform  body");
  for (const TwiddleForm form : forms) std::printf(" | %3s: transform  over standard   body  over standard", form_name(form).c_str());
  std::printf("  | recipe\n");
  std::map<TwiddleForm, std::string> wins;
  for (const int radix : radices(table, options)) {
    const CodeletInfo* standard = find(table, PassKind::kTwiddled, compute, radix, TwiddleForm::kStandard);
    if (standard == nullptr) continue;
    const Transform plain = measure(context, compute, radix, TwiddleForm::kStandard);
    std::printf("%5d            %9.2e %5.2f", radix, plain.error, standard->body->f32.rms);
    for (const TwiddleForm form : forms) {
      const CodeletInfo* codelet = find(table, PassKind::kTwiddled, compute, radix, form);
      if (codelet == nullptr) {
        std::printf(" | %15s  %13s  %5s  %13s", "-", "-", "-", "-");
        continue;
      }
      const Transform other = measure(context, compute, radix, form);
      std::printf(" |       %9.2e  %13.2f  %5.2f  %13.2f", other.error, other.error / plain.error, codelet->body->f32.rms,
                  codelet->body->f32.rms / standard->body->f32.rms);
      if (other.error < kWin * plain.error) wins[form] += " " + std::to_string(radix);
    }
    std::printf("  | %s\n", plain.text.c_str());
    std::fflush(stdout);
  }
  print_wins(forms, wins, "error");
}

std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("model name", 0) == 0) return line.substr(std::min(line.find(": ") + 2, line.size()));
  }
  return "unknown processor";
}

}  // namespace

int run(const Options& options) {
  const std::time_t now = std::time(nullptr);
  char date[16];
  std::strftime(date, sizeof date, "%Y-%m-%d", std::gmtime(&now));
  std::printf("Twiddle forms, %s, %s, %s\n", processor().c_str(), Context().machine().c_str(), date);
  std::printf("Processor time of the thread, %d rounds by turns at each of %d placements of the tables: medians over placements of medians over\n"
              "rounds, +- median absolute deviation over placements. L1: %lld KiB of data, L2: %lld KiB.\n",
              kAlternations, kPlacements, static_cast<long long>(kLevels[0] >> 10), static_cast<long long>(kLevels[1] >> 10));
  std::map<bool, const CodeletTable*> judged;  // by FMA: the best target of each kind
  for (const RegisteredTarget& target : registered_targets()) {
    const CodeletTable& table = target.table;
    if (!target.available || std::strcmp(table.backend, "ref") == 0) continue;
    if (!options.target.empty() && options.target != table.target) continue;
    judged.emplace(table.has_fma, &table);
    for (const ComputeType compute : {ComputeType::kF32, ComputeType::kF64}) {
      for (const PassKind kind : {PassKind::kTwiddled, PassKind::kColumnsTwiddled}) print_times(table, kind, compute, options);
    }
  }
  if (judged.empty()) {
    std::fprintf(stderr, "This machine has no such target.\n");
    return 1;
  }
  for (const auto& [fma, table] : judged) {
    for (const ComputeType compute : {ComputeType::kF32, ComputeType::kF64}) print_errors(*table, compute, options);
  }
  return 0;
}

int main_of(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word.rfind("--target=", 0) == 0) {
      options.target = word.substr(9);
    } else if (word.rfind("--radix=", 0) == 0) {
      options.radix = std::atoi(word.c_str() + 8);
    } else {
      std::fprintf(stderr, "twiddle_forms [--target=T] [--radix=R]\n");
      return 2;
    }
  }
  if (!pin(1)) std::fprintf(stderr, "not pinned: the system refuses core 1\n");
  return run(options);
}

}  // namespace ulpfft::bench

int main(int argc, char** argv) { return ulpfft::bench::main_of(argc, argv); }
