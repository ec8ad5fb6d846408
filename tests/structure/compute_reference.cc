// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// The other half of the reference that the cost of the tests is measured in (build_reference.cc is the first): transforms of 1024 points
// within the caches, as tests execute them. Nothing of ours, never changed: a changed reference is another budget.
#include <cstdio>
#include <vector>

namespace {

constexpr int kPoints = 1024;
constexpr int kRepeats = 100000;

void pass(std::vector<double>& re, std::vector<double>& im, int half, double c, double s) {
  for (int block = 0; block < kPoints; block += 2 * half) {
    for (int k = block; k < block + half; ++k) {
      const double x = re[k + half] * c - im[k + half] * s, y = re[k + half] * s + im[k + half] * c;
      re[k + half] = re[k] - x;
      im[k + half] = im[k] - y;
      re[k] += x;
      im[k] += y;
    }
  }
}

}  // namespace

int main() {
  std::vector<double> re(kPoints), im(kPoints);
  for (int j = 0; j < kPoints; ++j) re[j] = 1.0 / (j + 1);
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    for (int half = 1; half < kPoints; half *= 2) pass(re, im, half, 0.6, 0.8);
    for (int j = 0; j < kPoints; ++j) re[j] *= 0x1p-5, im[j] *= 0x1p-5;  // energy stays
  }
  std::printf("%.17g\n", re[1] + im[1]);
}
