#include "tools/ulpfft/bench/peer.h"

#include <dlfcn.h>

#include <cstring>
#include <initializer_list>

#include "tools/ulpfft/command.h"

namespace ulpfft_tool::bench {
namespace {

// fftw3.h
constexpr int kForward = -1;
constexpr int kBackward = +1;
constexpr unsigned kMeasure = 0;
constexpr unsigned kPatient = 1U << 5;
constexpr unsigned kEstimate = 1U << 6;

template <typename Function>
bool find(void* library, const std::string& name, Function& function) {
  void* address = dlsym(library, name.c_str());
  static_assert(sizeof function == sizeof address);
  std::memcpy(&function, &address, sizeof address);
  return address != nullptr;
}

// The file that the loader found for a symbol's library.
std::string file_of(void* symbol) {
  Dl_info info{};
  return dladdr(symbol, &info) != 0 && info.dli_fname != nullptr ? info.dli_fname : "";
}

// ".../libfftw3f.so.3" and "_threads" give ".../libfftw3f_threads.so.3".
std::string beside(const std::string& file, const std::string& suffix) {
  const std::size_t slash = file.rfind('/');
  const std::size_t dot = file.find(".so", slash == file.npos ? 0 : slash);
  return dot == file.npos ? file + suffix : file.substr(0, dot) + suffix + file.substr(dot);
}

// init_threads and plan_with_nthreads: of the library itself or of the one beside it. The loader may give the latter another
// library of the same name to lean on; then its threads would be for that one.
void find_threads(void* library, const std::string& prefix, FftwFunctions& functions) {
  void* execute = dlsym(library, (prefix + "execute").c_str());
  std::vector<void*> libraries = {library};
  for (const char* suffix : {"_threads", "_omp"}) {
    const std::string file = beside(file_of(execute), suffix);
    void* other = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (other != nullptr && dlsym(other, (prefix + "execute").c_str()) == execute) libraries.push_back(other);
  }
  for (void* candidate : libraries) {
    int (*init)() = nullptr;
    if (!find(candidate, prefix + "init_threads", init) || init() == 0) continue;
    if (find(candidate, prefix + "plan_with_nthreads", functions.plan_with_nthreads)) return;
  }
}

bool find_functions(void* library, const std::string& prefix, FftwFunctions& functions) {
  FftwFunctions found;
  const bool complete = find(library, prefix + "plan_guru64_dft", found.plan) && find(library, prefix + "execute", found.execute) &&
                        find(library, prefix + "destroy_plan", found.destroy);
  if (!complete) return false;
  find(library, prefix + "plan_guru64_split_dft", found.plan_split);
  find(library, prefix + "forget_wisdom", found.forget_wisdom);
  find(library, prefix + "set_timelimit", found.set_timelimit);
  if (const void* version = dlsym(library, (prefix + "version").c_str())) found.version = static_cast<const char*>(version);
  find_threads(library, prefix, found);
  functions = found;
  return true;
}

class FftwPlan : public Contender {
 public:
  FftwPlan(const FftwFunctions& functions, void* plan) : functions_(functions), plan_(plan) {}
  ~FftwPlan() override { functions_.destroy(plan_); }
  FftwPlan(const FftwPlan&) = delete;
  FftwPlan& operator=(const FftwPlan&) = delete;
  void run(std::int64_t repeats) override {
    for (std::int64_t i = 0; i < repeats; ++i) functions_.execute(plan_);
  }

 private:
  const FftwFunctions functions_;
  void* plan_;
};

std::vector<FftwFunctions::Dimension> dimensions(const std::vector<Axis>& axes) {
  std::vector<FftwFunctions::Dimension> list;
  for (const Axis& axis : axes) list.push_back({axis.n, axis.in_stride, axis.out_stride});
  return list;
}

}  // namespace

void Peer::add(const std::string& file) {
  void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* reason = dlerror();
    throw UsageError("The library cannot be loaded: " + std::string(reason != nullptr ? reason : "no reason given") + ".", file, 0,
                     file.size());
  }
  const bool narrow = narrow_.plan == nullptr && find_functions(library, "fftwf_", narrow_);
  const bool wide = wide_.plan == nullptr && find_functions(library, "fftw_", wide_);
  if (!narrow && !wide) {
    throw UsageError("The library lacks the FFTW3 interface: it has neither fftw_plan_guru64_dft nor fftwf_plan_guru64_dft with "
                     "execute and destroy_plan.",
                     file, 0, file.size());
  }
}

Peer Peer::load(const std::string& what) {
  Peer peer;
  if (what == "fftw") {
    peer.name_ = what;
    std::string faults;
    for (const char* file : {"libfftw3f.so.3", "libfftw3.so.3"}) {
      try {
        peer.add(file);
      } catch (const UsageError& error) {
        faults = error.what();
      }
    }
    if (peer.narrow_.plan == nullptr && peer.wide_.plan == nullptr) throw UsageError(faults, what, 0, what.size());
    return peer;
  }
  const std::size_t equals = what.find('=');
  const std::string file = equals == what.npos ? what : what.substr(equals + 1);
  peer.name_ = equals == what.npos ? file.substr(file.rfind('/') + 1) : what.substr(0, equals);
  if (peer.name_.empty() || file.empty()) throw UsageError("A name, '=' and a file are needed, or a file alone.", what, 0, what.size());
  peer.add(file);
  return peer;
}

std::string Peer::version() const {
  if (narrow_.version.empty() || narrow_.version == wide_.version) return wide_.version;
  return wide_.version.empty() ? narrow_.version : narrow_.version + ", " + wide_.version;
}

std::string Peer::refusal(const Facts& facts) const {
  if (facts.kind != "c2c") return "only c2c is compared, not " + facts.kind;
  if (facts.centered) return "its interface has no centered transform";
  if (facts.scale_factor() != 1.0) return "its interface has no scale";
  if (facts.storage_in != facts.storage_out) return "it cannot change the format from " + facts.storage_in + " to " + facts.storage_out;
  if (facts.storage_in != "f32" && facts.storage_in != "f64") return "it has no storage " + facts.storage_in;
  if (!facts.scheme.empty() && facts.scheme != facts.storage_in) return "it computes in " + facts.storage_in + ", not in " + facts.scheme;
  const FftwFunctions& found = functions(facts);
  if (found.plan == nullptr) return "it has no " + facts.storage_in + " functions";
  if (facts.split && found.plan_split == nullptr) return "it has no guru64_split_dft";
  if (facts.threads > 1 && found.plan_with_nthreads == nullptr) return "its threads library is not beside it";
  return "";
}

std::unique_ptr<Contender> Peer::plan(const Facts& facts, const Arrays& arrays, PeerEffort effort, double time_limit) const {
  const FftwFunctions& found = functions(facts);
  if (found.forget_wisdom != nullptr) found.forget_wisdom();
  if (found.plan_with_nthreads != nullptr) found.plan_with_nthreads(facts.threads);
  if (found.set_timelimit != nullptr) found.set_timelimit(time_limit > 0 ? time_limit : -1.0);
  const unsigned flags = effort == PeerEffort::kEstimate ? kEstimate : effort == PeerEffort::kPatient ? kPatient : kMeasure;
  const auto lengths = dimensions(facts.lengths);
  const auto batch = dimensions(facts.batch);
  const int rank = static_cast<int>(lengths.size());
  const int batch_rank = static_cast<int>(batch.size());
  void* made = nullptr;
  if (facts.split) {
    const int re = facts.inverse ? 1 : 0;  // the split interface knows forward alone: inverse = re and im exchanged
    made = found.plan_split(rank, lengths.data(), batch_rank, batch.data(), arrays.in(re), arrays.in(1 - re), arrays.out(re),
                            arrays.out(1 - re), flags);
  } else {
    made = found.plan(rank, lengths.data(), batch_rank, batch.data(), arrays.in(), arrays.out(),
                      facts.inverse ? kBackward : kForward, flags);
  }
  return made == nullptr ? nullptr : std::make_unique<FftwPlan>(found, made);
}

}  // namespace ulpfft_tool::bench
