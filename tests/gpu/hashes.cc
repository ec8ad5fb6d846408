// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include <cinttypes>
#include <cstdio>
#include <fstream>
#include <random>
#include <sstream>
#include <stdexcept>

#include "codelets/cuda/launch.h"
#include "tests/gpu/json.h"
#include "tests/gpu/parts.h"

namespace ulpfft::test {
namespace {

constexpr const char* kStorages[] = {"f64", "f32", "f16", "bf16"};

// Every kernel by its recipe, every power of two of every storage, every kind of shape, and random problems.
std::vector<std::pair<std::string, std::string>> sweep() {
  std::vector<std::pair<std::string, std::string>> cases;
  const auto add = [&](const std::string& problem, const std::string& recipe = "") { cases.emplace_back(problem, recipe); };
  for (const cuda::KernelInfo& kernel : cuda::kernels()) {
    const std::string n = std::to_string(kernel.n), in = kStorages[static_cast<std::size_t>(kernel.in)];
    const std::string storage = kernel.in == kernel.out ? in : in + "->" + kStorages[static_cast<std::size_t>(kernel.out)];
    if (kernel.kind == cuda::KernelKind::kRows) {
      add(n + "*3 " + storage + (kernel.backward ? " inverse" : ""), kernel.recipe);
      const std::string full = n + "*" + std::to_string(kernel.per_block + 1) + " " + storage;
      if (!kernel.backward) add(full + " scale=ortho", kernel.recipe);
      if (!kernel.fixed_direction || kernel.backward) add(full + (kernel.in_place ? " inverse inplace" : " inverse"), kernel.recipe);
    } else if (kernel.kind == cuda::KernelKind::kColumns) {
      add(n + "*3 " + storage + " in_strides=3 out_strides=3 batch_strides=1,1");
    }
  }
  for (const char* storage : kStorages) {
    for (int k = 1; k <= 21; ++k) add(std::to_string(1 << k) + " " + storage);
  }
  for (const char* problem :
       {"16x32 f32", "16x32*5 f64 inverse", "8x16x32 f32 inplace", "32x8 bf16 inverse", "1024x64 f32", "64*5 f16->f32", "64*5 f32->f16",
        "64*5 f16->bf16", "64*5 f64->f32", "64*5 bf16->f64 inverse scale=1/n", "64*5 f16 scheme=f64", "65536*2 f32 inverse",
        "131072 f64 inplace", "65536 f32->f64 scale=ortho", "32768*100 f32 inplace", "64*66000 f32",
        "16*3x5x7 f32 batch_strides=800,150,20,900,160,21", "64*5 f32 centered", "105*3 f32 centered inverse", "1280 f32 centered",
        "16x32 f64 centered inplace", "65536*2 f32 centered inverse", "64x128*3 f16 inverse", "128x64 bf16 centered inplace",
        "64x64x64 f16->bf16", "65536*2 f16 centered inverse inplace"}) {
    add(problem);
  }
  std::mt19937_64 random(24);
  static constexpr const char* kScales[] = {"", " scale=ortho", " scale=1/n", " scale=-0.7"};
  for (int i = 0; i < 200; ++i) {
    std::string problem = std::to_string(1 << (random() % 12 + 1)) + "*" + std::to_string(random() % 40 + 1) + " ";
    problem += std::string(kStorages[random() % 4]) + kScales[random() % 4];
    if (random() % 2 == 0) problem += " inverse";
    if (random() % 3 == 0) problem += " inplace";
    add(problem);
  }
  return cases;
}

PlanPtr plan_of(const std::string& problem, const std::string& recipe) {
  const std::string text = problem + " backend=cuda";
  if (!recipe.empty()) return try_plan(check_context(), text, recipe);
  auto options = sized<ulpfft_plan_options>();
  options.effort = ULPFFT_ESTIMATE;
  ulpfft_plan* plan = nullptr;
  static_cast<void>(ulpfft_plan_parse_options(check_context(), text.c_str(), &options, &plan));
  return PlanPtr(plan);
}

// Empty, or why there is none.
std::string find_hash(const ulpfft_plan* plan, std::string& hash) {
  std::uint64_t value = 0;
  if (plan == nullptr || ulpfft_plan_hash(plan, &value) != ULPFFT_OK) return last_error_text();
  char text[17];
  std::snprintf(text, sizeof text, "%016" PRIx64, value);
  hash = text;
  return "";
}

}  // namespace

void write_hashes(const std::string& file) {
  std::ofstream out(file);
  int refused = 0, written = 0;
  for (const auto& [problem, recipe] : sweep()) {
    const PlanPtr plan = plan_of(problem, recipe);
    if (plan == nullptr && last_error().status == ULPFFT_UNSUPPORTED) {
      ++refused;
      continue;
    }
    std::string hash;
    if (const std::string failure = find_hash(plan.get(), hash); !failure.empty()) throw std::runtime_error(problem + ": " + failure);
    out << problem << '\t' << recipe_of(plan.get()) << '\t' << hash << '\n';
    ++written;
  }
  out.close();
  if (!out) throw std::runtime_error(file + " cannot be written.");
  std::printf("%d hashes of twins; %d problems of the sweep are not built for CUDA\n", written, refused);
}

bool compare_hashes(const std::string& file, int step, const std::string& json_file) {
  std::ifstream in(file);
  if (!in) throw std::runtime_error(file + " cannot be read.");
  std::string line, failures;
  int compared = 0, wrong = 0;
  for (int i = 0; std::getline(in, line); ++i) {
    if (i % step != 0) continue;
    std::istringstream fields(line);
    std::string problem, recipe, expected, hash;
    if (!std::getline(fields, problem, '\t') || !std::getline(fields, recipe, '\t') || !std::getline(fields, expected)) {
      throw std::runtime_error(file + ": a line is not of three fields: " + line);
    }
    ++compared;
    std::string fault = find_hash(plan_of(problem, recipe).get(), hash);
    if (fault.empty() && hash != expected) fault = "hash " + hash + ", its twin " + expected;
    if (fault.empty()) continue;
    std::printf("FAIL %s, %s: %s\n", problem.c_str(), recipe.c_str(), fault.c_str());
    if (++wrong <= 100) failures += (failures.empty() ? "" : ", ") + quoted(problem + ", " + recipe + ": " + fault);
  }
  if (compared == 0) throw std::runtime_error(file + " has no lines.");
  std::printf("%d results compared bit for bit with those of the twins, %d differ or failed\n", compared, wrong);
  std::ofstream(json_file) << "{\"compared\": " << compared << ", \"wrong\": " << wrong << ", \"failures\": [" << failures << "]}\n";
  return wrong == 0;
}

}  // namespace ulpfft::test
