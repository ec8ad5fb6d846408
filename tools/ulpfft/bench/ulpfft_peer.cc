// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "tools/ulpfft/bench/ulpfft_peer.h"

#include <dlfcn.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>
#include <system_error>
#include <utility>

#include "tools/ulpfft/failure.h"
#include "tools/ulpfft/target_names.h"

namespace ulpfft_tool::bench {
namespace {

constexpr char kParse[] = "ulpfft_plan_parse_options";

class UlpfftPeer : public Peer {
 public:
  bool is_ulpfft() const override { return true; }
  int plans() const override { return 1; }
  // The time limits of the efforts, which short transforms do not use up.
  double planning_seconds(const Facts&, const Efforts& efforts) const override {
    return efforts.ours == ULPFFT_ESTIMATE ? 0 : efforts.ours == ULPFFT_MEASURE ? 1 : efforts.ours == ULPFFT_PATIENT ? 10 : 60;
  }
  std::string refusal(const Facts&) const override { return ""; }
  PeerPlan plan(const Facts& facts, const Arrays& arrays, const Efforts& efforts) const override {
    UlpfftPlan made = plan_text(facts.text, efforts);
    if (made.plan == nullptr) return {nullptr, "", made.reason};
    std::string recipe = made.recipe;
    return {std::make_unique<UlpfftContender>(std::move(made), facts, arrays), std::move(recipe), ""};
  }

 protected:
  using Peer::Peer;
};

std::string version_text(const std::string& version, const std::string& machine) {
  return "ulpfft " + version + ", machine " + show_target(machine);
}

// "it makes no plan: " and the sentence without its full stop.
std::string no_plan(std::string sentence) {
  if (sentence.ends_with('.')) sentence.pop_back();
  return "it makes no plan: " + sentence;
}

class TargetPeer : public UlpfftPeer {
 public:
  TargetPeer(std::string name, const std::string& target) : UlpfftPeer(std::move(name)), context_(open_context(target)) {}
  std::string version() const override { return version_text(ulpfft::version(), context_.machine()); }
  UlpfftPlan plan_text(const std::string& problem, const Efforts& efforts) const override {
    try {
      return ulpfft_plan_of(context_.parse(problem, {.effort = static_cast<ulpfft::Effort>(efforts.ours)}));
    } catch (const ulpfft::Error& error) {  // e.g. a scheme that this instruction set lacks
      UlpfftPlan none;
      none.reason = no_plan(error.what());
      return none;
    }
  }
  void import_wisdom(const std::string& path) override { context_.import_wisdom(path); }
  void export_wisdom(const std::string& path) override { context_.export_wisdom(path); }

 private:
  mutable ulpfft::Context context_;  // planning adds to what it remembers
};

// What a comparison takes of a build's interface.
struct BuildFunctions {
  decltype(&ulpfft_version) version;
  decltype(&ulpfft_machine) machine;
  decltype(&ulpfft_last_error) last_error;
  decltype(&ulpfft_context_create) context_create;
  decltype(&ulpfft_context_destroy) context_destroy;
  decltype(&ulpfft_plan_parse_options) plan_parse_options;
  decltype(&ulpfft_plan_destroy) plan_destroy;
  decltype(&ulpfft_plan_recipe) plan_recipe;
  decltype(&ulpfft_plan_error) plan_error;
  decltype(&ulpfft_string_free) string_free;
  decltype(&ulpfft_execute) execute;
  decltype(&ulpfft_execute_arrays) execute_arrays;
};

class BuildPeer : public UlpfftPeer {
 public:
  BuildPeer(std::string name, const BuildFunctions& build, const std::string& target) : UlpfftPeer(std::move(name)), build_(build) {
    ulpfft_context_options options{};
    options.size = sizeof options;
    options.target = target.empty() ? nullptr : target.c_str();
    ulpfft_context* made = nullptr;
    const bool has_target = build_.context_create(&options, &made) == ULPFFT_OK;
    if (!has_target) throw UsageError(this->name() + ": " + build_.last_error(), this->name(), 0, this->name().size());
    context_ = {made, build_.context_destroy};
  }
  std::string version() const override { return version_text(build_.version(), build_.machine(context_.get())); }
  UlpfftPlan plan_text(const std::string& problem, const Efforts& efforts) const override {
    ulpfft_plan_options options{};
    options.size = sizeof options;
    options.effort = efforts.ours;
    ulpfft_plan* made = nullptr;
    UlpfftPlan plan;
    if (build_.plan_parse_options(context_.get(), problem.c_str(), &options, &made) != ULPFFT_OK) {
      plan.reason = no_plan(build_.last_error());
      return plan;
    }
    plan.plan = {made, build_.plan_destroy};
    plan.execute = build_.execute;
    plan.execute_arrays = build_.execute_arrays;
    plan.error = build_.plan_error(made);
    if (char* const recipe = build_.plan_recipe(made)) {
      plan.recipe = recipe;
      build_.string_free(recipe);
    }
    return plan;
  }

 private:
  const BuildFunctions build_;
  std::unique_ptr<ulpfft_context, decltype(&ulpfft_context_destroy)> context_{nullptr, nullptr};
};

// Of the file itself, not of a library that it was linked with.
bool has_own(void* library, const std::string& file, const char* name) {
  void* const address = dlsym(library, name);
  Dl_info found{};
  std::error_code ignored;
  return address != nullptr && dladdr(address, &found) != 0 && std::filesystem::equivalent(found.dli_fname, file, ignored);
}

template <typename Function>
void find(void* library, const std::string& file, const char* name, Function& function) {
  void* const address = dlsym(library, name);
  if (address == nullptr)
    throw UsageError("This build of ulpfft lacks " + std::string(name) + ": it is too old to be compared.", file, 0, file.size());
  static_assert(sizeof function == sizeof address);
  std::memcpy(&function, &address, sizeof address);
}

// "0.1.0" gives "0.1".
std::string_view interface_of(std::string_view version) { return version.substr(0, version.rfind('.')); }

}  // namespace

std::unique_ptr<Peer> target_peer(std::string name, const std::string& target) {
  return std::make_unique<TargetPeer>(std::move(name), target);
}

bool may_be_ulpfft(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
  return bytes.find(std::string_view(kParse, sizeof kParse)) != bytes.npos;  // with the zero at its end
}

std::unique_ptr<Peer> build_peer(std::string name, const std::string& file, const std::string& target) {
  void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
  if (library == nullptr || !has_own(library, file, kParse)) return nullptr;
  BuildFunctions build{};
  find(library, file, "ulpfft_version", build.version);
  find(library, file, "ulpfft_machine", build.machine);
  find(library, file, "ulpfft_last_error", build.last_error);
  find(library, file, "ulpfft_context_create", build.context_create);
  find(library, file, "ulpfft_context_destroy", build.context_destroy);
  find(library, file, kParse, build.plan_parse_options);
  find(library, file, "ulpfft_plan_destroy", build.plan_destroy);
  find(library, file, "ulpfft_plan_recipe", build.plan_recipe);
  find(library, file, "ulpfft_plan_error", build.plan_error);
  find(library, file, "ulpfft_string_free", build.string_free);
  find(library, file, "ulpfft_execute", build.execute);
  find(library, file, "ulpfft_execute_arrays", build.execute_arrays);
  const std::string version = build.version();
  if (interface_of(version) != interface_of(ulpfft::version())) {
    throw UsageError("This build is ulpfft " + version + ", whose interface may differ from that of " + ulpfft::version() + ".", file, 0,
                     file.size());
  }
  return std::make_unique<BuildPeer>(std::move(name), build, target);
}

}  // namespace ulpfft_tool::bench
