// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// HDF5 files, read by a helper: a process of its own, see helper.h.
#include <utility>

#include "tools/ulpfft/mri/helper.h"
#include "tools/ulpfft/mri/hdf5_file.h"
#include "tools/ulpfft/mri/input.h"

namespace ulpfft_tool {
namespace {

struct Place {
  std::int64_t repetition = 0;
  std::int64_t slice = 0;
};

// ---- In the helper -----------------------------------------------------------------------------------------------------------

void serve_kspace(const std::string& path, Asker& asker) {
  const Oversampled found = open_hdf5_here(path);
  const SeriesFacts& facts = found.reader->facts();
  Channel& to = asker.answer();
  to.put_text(facts.kind);
  for (const std::int64_t number : {facts.repetitions, facts.slices, facts.coils, facts.ny, facts.nx, found.kept}) to.put_value(number);
  to.put_value(found.along_rows);
  to.put_value(facts.notes.size());
  for (const std::string& note : facts.notes) to.put_text(note);
  Slice slice;
  for (Place place; asker.next(place);) {
    found.reader->read(place.repetition, place.slice, slice);
    Channel& answer = asker.answer();
    answer.put_value(slice.data.index() == 1);
    std::visit([&](const auto& numbers) { answer.put(std::as_bytes(std::span(numbers))); }, slice.data);
  }
}

void serve_images(const std::string& path, Asker& asker) {
  const std::unique_ptr<ImageReader> images = open_hdf5_images_here(path);
  Channel& to = asker.answer();
  for (const std::int64_t number : {images->slices(), images->ny(), images->nx()}) to.put_value(number);
  std::vector<double> image;
  for (std::int64_t slice = 0; asker.next(slice);) {
    images->read(slice, image);
    asker.answer().put(std::as_bytes(std::span(image)));
  }
}

// ---- In the process that asks ------------------------------------------------------------------------------------------------

class HelpedReader : public KspaceReader {
 public:
  explicit HelpedReader(const std::string& path) : helper_(path, [path](Asker& asker) { serve_kspace(path, asker); }) {
    helper_.await();
    helper_.get_text(facts_.kind);
    for (std::int64_t* number : {&facts_.repetitions, &facts_.slices, &facts_.coils, &facts_.ny, &facts_.nx, &kept_}) helper_.get_value(*number);
    helper_.get_value(along_rows_);
    std::size_t notes = 0;
    helper_.get_value(notes);
    for (std::size_t i = 0; i < notes; ++i) helper_.get_text(facts_.notes.emplace_back());
  }

  std::int64_t kept() const { return kept_; }
  bool along_rows() const { return along_rows_; }
  std::size_t helper_memory_bytes() const override { return helper_.peak_memory_bytes(); }

  void read(std::int64_t repetition, std::int64_t slice, Slice& into) override {
    helper_.ask(Place{repetition, slice});
    helper_.await();
    bool as_double = false;
    helper_.get_value(as_double);
    shape_slice(into, facts_, as_double);
    std::visit([&](auto& numbers) { helper_.get(std::as_writable_bytes(std::span(numbers))); }, into.data);
  }

 private:
  Helper helper_;
  std::int64_t kept_ = 0;
  bool along_rows_ = true;
};

class HelpedImages : public ImageReader {
 public:
  explicit HelpedImages(const std::string& path) : helper_(path, [path](Asker& asker) { serve_images(path, asker); }) {
    helper_.await();
    for (std::int64_t* number : {&slices_, &ny_, &nx_}) helper_.get_value(*number);
  }
  void read(std::int64_t slice, std::vector<double>& into) override {
    helper_.ask(slice);
    helper_.await();
    into.resize(static_cast<std::size_t>(ny_ * nx_));
    helper_.get(std::as_writable_bytes(std::span(into)));
  }

 private:
  Helper helper_;
};

}  // namespace

Oversampled open_hdf5(const std::string& path) {
  auto reader = std::make_unique<HelpedReader>(path);
  const bool along_rows = reader->along_rows();
  const std::int64_t kept = reader->kept();
  return {std::move(reader), along_rows, kept};
}

std::unique_ptr<ImageReader> open_hdf5_images(const std::string& path) { return std::make_unique<HelpedImages>(path); }

}  // namespace ulpfft_tool
