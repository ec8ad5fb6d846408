// ISMRMRD: lines of k-space in the order they were measured, and a header in XML that says where they belong.
#include <ismrmrd/dataset.h>
#include <ismrmrd/ismrmrd.h>
#include <ismrmrd/xml.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "tools/ulpfft/mri/input.h"

namespace ulpfft_tool {
namespace {

// Lines that are no part of the image.
constexpr ISMRMRD::ISMRMRD_AcquisitionFlags kNotImaging[] = {
    ISMRMRD::ISMRMRD_ACQ_IS_NOISE_MEASUREMENT, ISMRMRD::ISMRMRD_ACQ_IS_PARALLEL_CALIBRATION, ISMRMRD::ISMRMRD_ACQ_IS_NAVIGATION_DATA,
    ISMRMRD::ISMRMRD_ACQ_IS_PHASECORR_DATA,    ISMRMRD::ISMRMRD_ACQ_IS_HPFEEDBACK_DATA,      ISMRMRD::ISMRMRD_ACQ_IS_DUMMYSCAN_DATA,
    ISMRMRD::ISMRMRD_ACQ_IS_RTFEEDBACK_DATA,   ISMRMRD::ISMRMRD_ACQ_IS_SURFACECOILCORRECTIONSCAN_DATA,
};

class IsmrmrdReader : public KspaceReader {
 public:
  explicit IsmrmrdReader(const std::string& path) : path_(path), data_(path.c_str(), "dataset", false) {
    facts_.kind = "ISMRMRD";
    read_header();
    index_lines();
  }

  std::int64_t points_kept() const { return kept_; }

  void read(std::int64_t repetition, std::int64_t slice, Slice& into) override {
    into.coils = facts_.coils;
    into.ny = facts_.ny;
    into.nx = facts_.nx;
    if (into.data.index() != 0) into.data = std::vector<std::complex<float>>();
    auto& numbers = std::get<0>(into.data);
    numbers.assign(facts_.samples_of_slice(), {});
    const auto place = [&](const Line& line) { return std::tuple(line.repetition, line.slice); };
    const auto wanted = std::tuple(static_cast<std::uint16_t>(repetition), static_cast<std::uint16_t>(slice));
    auto line = std::partition_point(lines_.begin(), lines_.end(), [&](const Line& one) { return place(one) < wanted; });
    std::vector<int> measured(static_cast<std::size_t>(facts_.ny));
    for (; line != lines_.end() && place(*line) == wanted; ++line) {
      ISMRMRD::Acquisition acquisition;
      load(line->number, acquisition);
      add(acquisition, line->row, numbers);
      ++measured[static_cast<std::size_t>(line->row)];
    }
    for (std::int64_t row = 0; row < facts_.ny; ++row) {
      const int times = measured[static_cast<std::size_t>(row)];
      if (times < 2) continue;
      for (std::int64_t coil = 0; coil < facts_.coils; ++coil) {
        const auto begin = numbers.begin() + (coil * facts_.ny + row) * facts_.nx;
        std::for_each(begin, begin + facts_.nx, [&](auto& value) { value /= static_cast<float>(times); });
      }
    }
    require_finite(path_, into, repetition, slice);
  }

 private:
  struct Line {
    std::uint32_t number;  // of the acquisition in the file
    std::int32_t row;      // of the slice
    std::uint16_t repetition;
    std::uint16_t slice;
  };

  void read_header() {
    std::string xml;
    data_.readHeader(xml);
    ISMRMRD::IsmrmrdHeader header;
    try {
      ISMRMRD::deserialize(xml.c_str(), header);
    } catch (const std::exception& error) {
      refuse(path_, "dataset/xml", std::string("is no header of ISMRMRD: ") + error.what());
    }
    if (header.encoding.size() != 1) refuse(path_, "encoding", "there are " + std::to_string(header.encoding.size()) + " encodings; one is read.");
    const ISMRMRD::Encoding& encoding = header.encoding[0];
    if (encoding.trajectory != ISMRMRD::TrajectoryType::CARTESIAN) refuse(path_, "encoding.trajectory", "is not cartesian.");
    const ISMRMRD::MatrixSize &encoded = encoding.encodedSpace.matrixSize, &image = encoding.reconSpace.matrixSize;
    if (encoded.z > 1) {
      refuse(path_, "encodedSpace.matrixSize", "is " + std::to_string(encoded.x) + " x " + std::to_string(encoded.y) + " x " + std::to_string(encoded.z) +
                                                   "; slices are two-dimensional, z is 1.");
    }
    facts_.nx = encoded.x;
    facts_.ny = encoded.y;
    // Oversampled if the wider matrix shows a wider field, too; else the points of the image lie closer, and nothing is to be cut.
    const double wider = static_cast<double>(encoding.encodedSpace.fieldOfView_mm.x) / static_cast<double>(encoding.reconSpace.fieldOfView_mm.x);
    if (image.x > 0 && image.x < encoded.x && std::abs(wider * image.x / encoded.x - 1.0) < 0.01) kept_ = image.x;
    const auto& limit = encoding.encodingLimits.kspace_encoding_step_1;
    center_ = limit ? limit->center : encoded.y / 2;
  }

  // Into an acquisition that holds nothing yet: the library may free what one read before holds, and leave it there.
  void load(std::uint32_t number, ISMRMRD::Acquisition& acquisition) {
    try {
      data_.readAcquisition(number, acquisition);
    } catch (const std::exception&) {
      refuse(path_, "dataset/data", "acquisition " + std::to_string(number) + " cannot be read; the file is damaged or cut off.");
    }
  }

  void index_lines() {
    const std::uint32_t count = data_.getNumberOfAcquisitions();
    for (std::uint32_t i = 0; i < count; ++i) {
      ISMRMRD::Acquisition acquisition;
      load(i, acquisition);
      if (std::any_of(std::begin(kNotImaging), std::end(kNotImaging), [&](auto flag) { return acquisition.isFlagSet(flag); })) continue;
      const auto name = [&] { return "acquisition " + std::to_string(i); };
      const std::int64_t coils = acquisition.getHead().active_channels;
      if (lines_.empty()) facts_.coils = coils;
      if (coils != facts_.coils) {
        refuse(path_, name(), "has " + std::to_string(coils) + " coils, those before have " + std::to_string(facts_.coils) + ".");
      }
      const auto& step = acquisition.getHead().idx;
      const std::int64_t row = static_cast<std::int64_t>(step.kspace_encode_step_1) - center_ + facts_.ny / 2;
      if (row < 0 || row >= facts_.ny) {
        refuse(path_, name(), "kspace_encode_step_1 is " + std::to_string(step.kspace_encode_step_1) + ", outside the encoded matrix of " + std::to_string(facts_.ny) + " lines.");
      }
      if (step.kspace_encode_step_2 != 0) refuse(path_, name(), "kspace_encode_step_2 is not 0; slices are two-dimensional.");
      if (step.contrast != 0 || step.phase != 0 || step.set != 0) refuse(path_, name(), "belongs to a contrast, phase or set beyond the first; one of each is read.");
      const std::int64_t first = first_column(acquisition), used = samples_used(acquisition);
      if (used < 1 || first < 0 || first + used > facts_.nx) {
        refuse(path_, name(), "its " + std::to_string(acquisition.getHead().number_of_samples) + " samples around " + std::to_string(acquisition.getHead().center_sample) +
                                  " do not fit into the encoded matrix of " + std::to_string(facts_.nx) + " points.");
      }
      lines_.push_back({i, static_cast<std::int32_t>(row), step.repetition, step.slice});
      facts_.repetitions = std::max<std::int64_t>(facts_.repetitions, step.repetition + 1);
      facts_.slices = std::max<std::int64_t>(facts_.slices, step.slice + 1);
    }
    if (lines_.empty()) refuse(path_, "dataset/data", "holds no line of an image.");
    std::sort(lines_.begin(), lines_.end(), [](const Line& a, const Line& b) {
      return std::tuple(a.repetition, a.slice, a.number) < std::tuple(b.repetition, b.slice, b.number);
    });
    if (lines_.size() < static_cast<std::size_t>(facts_.repetitions * facts_.slices * facts_.ny)) {
      facts_.notes.push_back(std::to_string(lines_.size()) + " of " + std::to_string(facts_.repetitions * facts_.slices * facts_.ny) +
                             " lines were measured; the others are 0");
    }
  }

  static std::int64_t samples_used(ISMRMRD::Acquisition& acquisition) {
    return std::int64_t{acquisition.getHead().number_of_samples} - acquisition.getHead().discard_pre - acquisition.getHead().discard_post;
  }
  std::int64_t first_column(ISMRMRD::Acquisition& acquisition) const {
    return facts_.nx / 2 - acquisition.getHead().center_sample + acquisition.getHead().discard_pre;
  }

  void add(ISMRMRD::Acquisition& acquisition, std::int64_t row, std::vector<std::complex<float>>& numbers) const {
    const bool reversed = acquisition.isFlagSet(ISMRMRD::ISMRMRD_ACQ_IS_REVERSE);
    const std::int64_t used = samples_used(acquisition), first = first_column(acquisition);
    for (std::int64_t coil = 0; coil < facts_.coils; ++coil) {
      const std::complex<float>* from = acquisition.getDataPtr() + coil * acquisition.getHead().number_of_samples + acquisition.getHead().discard_pre;
      const auto to = numbers.begin() + (coil * facts_.ny + row) * facts_.nx + first;
      for (std::int64_t i = 0; i < used; ++i) to[i] += from[reversed ? used - 1 - i : i];
    }
  }

  std::string path_;
  ISMRMRD::Dataset data_;
  std::vector<Line> lines_;  // by repetition and slice
  std::int64_t center_ = 0;
  std::int64_t kept_ = 0;
};

}  // namespace

Oversampled open_ismrmrd(const std::string& path) {
  ISMRMRD::ismrmrd_set_error_handler([](const char*, int, const char*, int, const char*) {});  // what goes wrong is said here, not printed there
  try {
    auto reader = std::make_unique<IsmrmrdReader>(path);
    const std::int64_t kept = reader->points_kept();
    return {std::move(reader), true, kept};
  } catch (const std::runtime_error& error) {
    if (std::string(error.what()).starts_with(path + ": ")) throw;
    refuse(path, "dataset", std::string("cannot be read as ISMRMRD: ") + error.what());
  }
}

}  // namespace ulpfft_tool
