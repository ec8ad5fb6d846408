// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "planner/backend/cuda/modules.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "wisdom/error.h"

namespace ulpfft::cuda {

struct LoadedImage {
  const KernelImage* image = nullptr;
  ContextIdentity context;
  ModuleHandle module = nullptr;
  int users = 0;
  LoadedImage* next = nullptr;
};

namespace {

// A list without a destructor, because plans may be destroyed after the statics of this file.
constinit std::mutex mutex;
constinit LoadedImage* first = nullptr;

constexpr const char* kLoading = "loading the kernels of this build";

bool has_kernel(const KernelImage& image, std::string_view kernel) {
  const std::string_view names = image.names;
  constexpr std::string_view kSpace = " \n";
  for (std::size_t at = names.find_first_not_of(kSpace); at != std::string_view::npos;) {
    const std::size_t end = std::min(names.find_first_of(kSpace, at), names.size());
    if (names.substr(at, end - at) == kernel) return true;
    at = names.find_first_not_of(kSpace, end);
  }
  return false;
}

// Whether another form of the same kernels may do.
bool is_refused_image(Result result) {
  return result == Result::kInvalidImage || result == Result::kNoBinaryForGpu || result == Result::kInvalidPtx ||
         result == Result::kUnsupportedPtxVersion || result == Result::kInvalidSource;
}

// Removes what was loaded in destroyed contexts that had the handle of this one.
void drop_predecessors(const ContextIdentity& context) {
  for (LoadedImage** link = &first; *link != nullptr;) {
    LoadedImage* const loaded = *link;
    if (loaded->users == 0 && loaded->context.handle == context.handle && loaded->context != context) {
      *link = loaded->next;
      delete loaded;
    } else {
      link = &loaded->next;
    }
  }
}

ModuleHandle load(const Driver& driver, const KernelImage& image) {
  ModuleHandle module = nullptr;
  Result of_binary = Result::kSuccess;
  if (image.binary != nullptr) {
    of_binary = driver.module_load_data(&module, image.binary);
    if (of_binary == Result::kSuccess) return module;
    if (!is_refused_image(of_binary) || image.ptx == nullptr) require_success(driver, of_binary, kLoading);
  }
  const Result of_ptx = driver.module_load_data(&module, image.ptx);
  if (of_ptx == Result::kSuccess) return module;
  Failure failure = failure_of(driver, of_ptx, "compiling their PTX");
  if (of_binary == Result::kSuccess) throw PlanError(failure.status, "backend", failure.sentence);
  throw PlanError(failure.status, "backend", std::string(failure_of(driver, of_binary, kLoading).sentence) + " " + failure.sentence);
}

}  // namespace

Result identify(const Driver& driver, ContextHandle context, ContextIdentity& identity) noexcept {
  unsigned long long number = 0;
  const Result result = driver.context_get_id != nullptr ? driver.context_get_id(context, &number) : Result::kSuccess;
  identity = {context, number};
  return result;
}

FunctionHandle Modules::find(const char* kernel) {
  const auto image = std::find_if(driver_.images.begin(), driver_.images.end(),
                                  [&](const KernelImage& candidate) { return has_kernel(candidate, kernel); });
  if (image == driver_.images.end()) require_success(driver_, Result::kNotFound, "looking up a kernel");
  const auto is_wanted = [&](const LoadedImage* loaded) { return loaded->image == &*image && loaded->context == context_; };
  auto used = std::find_if(used_.begin(), used_.end(), is_wanted);
  if (used == used_.end()) {
    used_.reserve(driver_.images.size());
    const std::lock_guard lock(mutex);
    drop_predecessors(context_);
    LoadedImage* loaded = first;
    while (loaded != nullptr && !is_wanted(loaded)) loaded = loaded->next;
    if (loaded == nullptr) {
      auto made = std::make_unique<LoadedImage>(&*image, context_);
      made->module = load(driver_, *image);
      made->next = first;
      loaded = first = made.release();
    }
    ++loaded->users;
    used = used_.insert(used_.end(), loaded);
  }
  FunctionHandle function = nullptr;
  require_success(driver_, driver_.module_get_function(&function, (*used)->module, kernel), "looking up a kernel");
  return function;
}

void Modules::release(bool is_destroyed) noexcept {
  const std::lock_guard lock(mutex);
  for (LoadedImage* const loaded : used_) {
    if (--loaded->users > 0) continue;
    if (!is_destroyed && context_.number != 0) continue;
    LoadedImage** link = &first;
    while (*link != loaded) link = &(*link)->next;
    *link = loaded->next;
    if (!is_destroyed) driver_.module_unload(loaded->module);
    delete loaded;
  }
  used_.clear();
}

void forget_modules() noexcept {
  const std::lock_guard lock(mutex);
  while (first != nullptr) delete std::exchange(first, first->next);
}

}  // namespace ulpfft::cuda
