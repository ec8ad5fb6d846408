// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// ISMRMRD: lines of k-space in the order they were measured, and a header in XML that says where they belong. libismrmrd reads the header; the
// lines are read from the file, see hdf5_records.h.
//
// Placement   the sample center_sample of a line is in the middle of the readout; the line of the counter kspace_encode_step_1 that the header calls the
//             center is in the middle of the lines.
// Reversed    (ACQ_IS_REVERSE) samples come from the right to the left; center_sample is counted as they come, as the documentation has it. Where
//             a line does not fit into the matrix that way, center_sample of all reversed lines of the file is counted from the left.
// Averages    what was measured several times is the mean, sample by sample.
// Left out    lines that are no part of the image by their flags: noise, navigation, calibration for parallel imaging alone, phase correction,
//             dummies, feedback, surface coil correction, phase stabilisation.
#include <ismrmrd/ismrmrd.h>
#include <ismrmrd/xml.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <map>
#include <set>
#include <tuple>

#include "tools/ulpfft/mri/hdf5_file.h"
#include "tools/ulpfft/mri/hdf5_records.h"
#include "tools/ulpfft/mri/input.h"
#include "tools/ulpfft/mri/libraries.h"

namespace ulpfft_tool {
namespace {

constexpr const char* kList = "dataset/data";
constexpr std::int64_t kMostSparse = 16;  // times as large as what was measured a matrix may be

struct Purpose {
  ISMRMRD::ISMRMRD_AcquisitionFlags flag;
  const char* name;
};
// Of lines that are no part of the image.
constexpr Purpose kNotImaging[] = {
    {ISMRMRD::ISMRMRD_ACQ_IS_NOISE_MEASUREMENT, "noise"},
    {ISMRMRD::ISMRMRD_ACQ_IS_PARALLEL_CALIBRATION, "calibration"},
    {ISMRMRD::ISMRMRD_ACQ_IS_NAVIGATION_DATA, "navigation"},
    {ISMRMRD::ISMRMRD_ACQ_IS_PHASECORR_DATA, "phase correction"},
    {ISMRMRD::ISMRMRD_ACQ_IS_HPFEEDBACK_DATA, "feedback"},
    {ISMRMRD::ISMRMRD_ACQ_IS_DUMMYSCAN_DATA, "dummy"},
    {ISMRMRD::ISMRMRD_ACQ_IS_RTFEEDBACK_DATA, "feedback"},
    {ISMRMRD::ISMRMRD_ACQ_IS_SURFACECOILCORRECTIONSCAN_DATA, "surface coil correction"},
    {ISMRMRD::ISMRMRD_ACQ_IS_PHASE_STABILIZATION_REFERENCE, "phase stabilisation"},
    {ISMRMRD::ISMRMRD_ACQ_IS_PHASE_STABILIZATION, "phase stabilisation"},
};

// What is read of the head of a line, and how long its samples are said to be.
struct Head {
  std::uint64_t flags = 0;
  std::int64_t samples = 0, coils = 0, discard_before = 0, discard_after = 0, center = 0, encoding = 0;
  std::int64_t step_1 = 0, step_2 = 0, average = 0, slice = 0, contrast = 0, phase = 0, repetition = 0, set = 0;
  Records::Reference data{};

  bool is(ISMRMRD::ISMRMRD_AcquisitionFlags flag) const { return (flags >> (static_cast<unsigned>(flag) - 1) & 1) != 0; }
};

class Lines {
 public:
  Lines(const std::string& path, const Handle& file)
      : path_(path), records_(path, file, kList), flags_(records_.find_integer({"head", "flags"}, 8)), data_(records_.find_floats("data")) {
    for (std::size_t i = 0; i < kFields.size(); ++i) {
      const Field& field = kFields[i];
      offsets_[i] = field.counter ? records_.find_integer({"head", "idx", field.name}, 2) : records_.find_integer({"head", field.name}, 2);
    }
  }

  std::uint64_t count() const { return records_.count(); }

  Head head(std::uint64_t index) {
    const std::span<const std::byte> record = records_.record(index);
    Head head;
    std::memcpy(&head.flags, record.data() + flags_, sizeof head.flags);
    for (std::size_t i = 0; i < kFields.size(); ++i) {
      std::uint16_t value = 0;
      std::memcpy(&value, record.data() + offsets_[i], sizeof value);
      head.*kFields[i].to = value;
    }
    head.data = Records::reference(record, data_);
    return head;
  }

  // Coil by coil.
  std::vector<std::complex<float>> samples(std::uint64_t index, const Head& head) {
    const std::span<const std::byte> bytes = records_.object(head.data, sizeof(float), index);
    std::vector<std::complex<float>> samples(static_cast<std::size_t>(head.samples * head.coils));
    if (bytes.size() != samples.size() * sizeof(std::complex<float>)) refuse(path_, kList, "record " + std::to_string(index) + " lacks samples.");
    std::memcpy(samples.data(), bytes.data(), bytes.size());
    return samples;
  }

 private:
  struct Field {
    const char* name;
    bool counter;
    std::int64_t Head::*to;
  };
  static constexpr std::array<Field, 14> kFields = {{{"number_of_samples", false, &Head::samples},
                                                     {"active_channels", false, &Head::coils},
                                                     {"discard_pre", false, &Head::discard_before},
                                                     {"discard_post", false, &Head::discard_after},
                                                     {"center_sample", false, &Head::center},
                                                     {"encoding_space_ref", false, &Head::encoding},
                                                     {"kspace_encode_step_1", true, &Head::step_1},
                                                     {"kspace_encode_step_2", true, &Head::step_2},
                                                     {"average", true, &Head::average},
                                                     {"slice", true, &Head::slice},
                                                     {"contrast", true, &Head::contrast},
                                                     {"phase", true, &Head::phase},
                                                     {"repetition", true, &Head::repetition},
                                                     {"set", true, &Head::set}}};

  std::string path_;
  Records records_;
  std::size_t flags_;
  std::size_t data_;
  std::array<std::size_t, kFields.size()> offsets_{};
};

class IsmrmrdReader : public KspaceReader {
 public:
  explicit IsmrmrdReader(const std::string& path) : path_(path), file_(open_hdf5_file(path)), lines_(path, file_) {
    facts_.kind = "ISMRMRD";
    read_header();
    index_lines();
  }

  std::int64_t points_kept() const { return kept_; }

  void read(std::int64_t repetition, std::int64_t slice, Slice& into) override {
    shape_slice(into, facts_, false);
    auto& numbers = std::get<0>(into.data);
    std::fill(numbers.begin(), numbers.end(), std::complex<float>());
    const auto place = [&](const Line& line) { return std::tuple(line.repetition, line.slice); };
    const auto wanted = std::tuple(static_cast<std::uint16_t>(repetition), static_cast<std::uint16_t>(slice));
    auto line = std::partition_point(index_.begin(), index_.end(), [&](const Line& one) { return place(one) < wanted; });
    if (line == index_.end() || place(*line) != wanted) {
      refuse(path_, kList, "slice " + std::to_string(slice) + " of repetition " + std::to_string(repetition) + " has no line.");
    }
    std::vector<std::uint32_t> times(into.pixels());
    for (; line != index_.end() && place(*line) == wanted; ++line) add(*line, numbers, times);
    for (std::size_t i = 0; i < times.size(); ++i) {
      if (times[i] < 2) continue;
      for (std::size_t coil = 0; coil < static_cast<std::size_t>(facts_.coils); ++coil) numbers[coil * times.size() + i] /= static_cast<float>(times[i]);
    }
    require_finite(path_, into, repetition, slice);
  }

 private:
  struct Line {
    std::uint32_t number;  // in the file
    std::int32_t row;      // of the slice
    std::uint16_t repetition;
    std::uint16_t slice;
  };

  void read_header() {
    const std::string xml = read_text(path_, file_, "dataset/xml");
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

  static std::int64_t used(const Head& head) { return head.samples - head.discard_before - head.discard_after; }

  // Of the sample that comes at `index`, of all samples of the line.
  std::int64_t column(const Head& head, std::int64_t index) const {
    const std::int64_t middle = facts_.nx / 2;
    if (!head.is(ISMRMRD::ISMRMRD_ACQ_IS_REVERSE)) return middle + index - head.center;
    return reversed_from_left_ ? middle + (head.samples - 1 - index) - head.center : middle + head.center - index;
  }

  bool fits(const Head& head) const {
    if (used(head) < 1) return false;
    const std::int64_t one = column(head, head.discard_before), other = column(head, head.samples - head.discard_after - 1);
    return std::min(one, other) >= 0 && std::max(one, other) < facts_.nx;
  }

  static const char* purpose(const Head& head) {
    if (head.is(ISMRMRD::ISMRMRD_ACQ_IS_PARALLEL_CALIBRATION_AND_IMAGING)) return nullptr;
    for (const Purpose& one : kNotImaging) {
      if (head.is(one.flag)) return one.name;
    }
    return nullptr;
  }

  void index_lines() {
    const std::uint64_t count = lines_.count();
    if (count == 0) refuse(path_, kList, "holds no acquisition.");
    if (count > std::uint64_t{1} << 31) refuse(path_, kList, "holds " + std::to_string(count) + " acquisitions; 2^31 are read at most.");
    std::map<std::string, std::int64_t> left_out;
    std::vector<std::uint32_t> reversed;
    std::int64_t widest = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
      const Head head = lines_.head(i);
      if (const char* why = purpose(head)) {
        ++left_out[why];
        continue;
      }
      require_plain(head, i);
      if (head.is(ISMRMRD::ISMRMRD_ACQ_IS_REVERSE)) reversed.push_back(i);
      widest = std::max(widest, used(head));
      const std::int64_t row = head.step_1 - center_ + facts_.ny / 2;
      index_.push_back({i, static_cast<std::int32_t>(row), static_cast<std::uint16_t>(head.repetition), static_cast<std::uint16_t>(head.slice)});
    }
    if (index_.empty()) refuse(path_, kList, "holds no line of an image.");
    if (facts_.nx > kMostSparse * widest) {
      refuse(path_, "encodedSpace.matrixSize", "is " + std::to_string(facts_.nx) + " points wide, but the longest line has " + std::to_string(widest) + ".");
    }
    place_reversed(reversed);
    count_lines();
    if (!left_out.empty()) {
      std::string text;
      for (const auto& [why, times] : left_out) text += (text.empty() ? "" : ", ") + std::to_string(times) + " " + why;
      facts_.notes.push_back("acquisitions that are no part of the image were left out: " + text);
    }
  }

  // What does not depend on other lines.
  void require_plain(const Head& head, std::uint32_t number) {
    const auto fail = [&](const std::string& why) { refuse(path_, "acquisition " + std::to_string(number), why); };
    if (index_.empty()) facts_.coils = head.coils;
    if (head.coils < 1 || head.coils != facts_.coils) {
      fail("active_channels is " + std::to_string(head.coils) + (index_.empty() ? "." : ", that of those before " + std::to_string(facts_.coils) + "."));
    }
    for (const auto flag : {ISMRMRD::ISMRMRD_ACQ_COMPRESSION1, ISMRMRD::ISMRMRD_ACQ_COMPRESSION2, ISMRMRD::ISMRMRD_ACQ_COMPRESSION3,
                            ISMRMRD::ISMRMRD_ACQ_COMPRESSION4}) {
      if (head.is(flag)) fail("its samples are compressed, which is not read.");
    }
    const std::int64_t row = head.step_1 - center_ + facts_.ny / 2;
    if (row < 0 || row >= facts_.ny) {
      fail("kspace_encode_step_1 is " + std::to_string(head.step_1) + ", outside the encoded matrix of " + std::to_string(facts_.ny) + " lines.");
    }
    if (head.encoding != 0) fail("encoding_space_ref is " + std::to_string(head.encoding) + ", but there is one encoding.");
    if (head.step_2 != 0) fail("kspace_encode_step_2 is not 0; slices are two-dimensional.");
    if (head.contrast != 0 || head.phase != 0 || head.set != 0) fail("it belongs to a contrast, phase or set beyond the first; one of each is read.");
    if (head.data.length != 2 * head.samples * head.coils) {
      fail("has " + std::to_string(head.data.length) + " real numbers, but " + std::to_string(head.samples) + " samples of " +
           std::to_string(head.coils) + " coils.");
    }
    if (!head.is(ISMRMRD::ISMRMRD_ACQ_IS_REVERSE) && !fits(head)) refuse_place(head, number);
  }

  [[noreturn]] void refuse_place(const Head& head, std::uint32_t number) const {
    const std::int64_t discarded = head.discard_before + head.discard_after;
    refuse(path_, "acquisition " + std::to_string(number),
           "its " + std::to_string(head.samples) + " samples around " + std::to_string(head.center) +
               (discarded == 0 ? "" : ", of which " + std::to_string(discarded) + " are to be discarded,") + " do not fit into the encoded matrix of " +
               std::to_string(facts_.nx) + " points.");
  }

  void place_reversed(const std::vector<std::uint32_t>& reversed) {
    const auto outside = [&] { return std::find_if(reversed.begin(), reversed.end(), [&](std::uint32_t number) { return !fits(lines_.head(number)); }); };
    const auto first = outside();
    if (first == reversed.end()) return;
    reversed_from_left_ = true;
    if (outside() != reversed.end()) refuse_place(lines_.head(*first), *first);
    facts_.notes.push_back("center_sample of reversed lines is counted from the left: as they come, the lines would not fit into the matrix");
  }

  // By repetition and slice.
  void count_lines() {
    std::sort(index_.begin(), index_.end(), [](const Line& a, const Line& b) {
      return std::tuple(a.repetition, a.slice, a.row, a.number) < std::tuple(b.repetition, b.slice, b.row, b.number);
    });
    std::set<std::uint16_t> slices, repetitions;
    std::int64_t rows = 0;
    for (std::size_t i = 0; i < index_.size(); ++i) {
      const auto place = [](const Line& line) { return std::tuple(line.repetition, line.slice, line.row); };
      rows += i == 0 || place(index_[i]) != place(index_[i - 1]);
      slices.insert(index_[i].slice);
      repetitions.insert(index_[i].repetition);
    }
    facts_.slices = require_all(slices, "slice");
    facts_.repetitions = require_all(repetitions, "repetition");
    const std::int64_t all = facts_.repetitions * facts_.slices * facts_.ny, again = static_cast<std::int64_t>(index_.size()) - rows;
    if (all > kMostSparse * rows) {
      refuse(path_, "encodedSpace.matrixSize", "is " + std::to_string(facts_.ny) + " lines high; of " + std::to_string(facts_.slices * facts_.repetitions) +
                                                   " slices that are " + std::to_string(all) + ", but " + std::to_string(rows) + " were measured.");
    }
    if (rows < all) facts_.notes.push_back(std::to_string(rows) + " of " + std::to_string(all) + " lines were measured; the others are 0");
    if (again > 0) facts_.notes.push_back(std::to_string(again) + " lines were measured again, and averaged");
  }

  // How many there are, counted from 0.
  std::int64_t require_all(const std::set<std::uint16_t>& found, const std::string& what) const {
    const std::int64_t count = *found.rbegin() + std::int64_t{1};
    for (std::int64_t i = 0; i < count; ++i) {
      if (found.contains(static_cast<std::uint16_t>(i))) continue;
      refuse(path_, kList, what + " " + std::to_string(i) + " has no line, but " + what + " " + std::to_string(count - 1) + " has.");
    }
    return count;
  }

  void add(const Line& line, std::vector<std::complex<float>>& numbers, std::vector<std::uint32_t>& times) {
    const Head head = lines_.head(line.number);
    const std::vector<std::complex<float>> samples = lines_.samples(line.number, head);
    const auto row = static_cast<std::size_t>(line.row * facts_.nx);
    for (std::int64_t i = head.discard_before; i < head.samples - head.discard_after; ++i) {
      const std::size_t place = row + static_cast<std::size_t>(column(head, i));
      ++times[place];
      for (std::int64_t coil = 0; coil < facts_.coils; ++coil) {
        numbers[static_cast<std::size_t>(coil) * times.size() + place] += samples[static_cast<std::size_t>(coil * head.samples + i)];
      }
    }
  }

  std::string path_;
  Handle file_;
  Lines lines_;
  std::vector<Line> index_;  // by repetition, slice, row
  std::int64_t center_ = 0;
  std::int64_t kept_ = 0;
  bool reversed_from_left_ = false;
};

}  // namespace

bool reads_ismrmrd() { return true; }

Oversampled open_ismrmrd_here(const std::string& path) {
  auto reader = std::make_unique<IsmrmrdReader>(path);
  const std::int64_t kept = reader->points_kept();
  return {std::move(reader), true, kept};
}

}  // namespace ulpfft_tool
