// What passes cost on a machine: measured once, kept in wisdom; a table shipped with the library serves until then.
#ifndef ULPFFT_PLANNER_COST_TABLE_H_
#define ULPFFT_PLANNER_COST_TABLE_H_

#include <string>
#include <vector>

#include "codelets/contract/codelet.h"
#include "planner/measure.h"

namespace ulpfft {

// A value; copies are cheap enough to hand to a search.
class CostTable {
 public:
  // For codelets of this table, from the shipped measurements.
  static CostTable shipped(const CodeletTable& codelets);
  // Times every codelet at every memory level for about `seconds`.
  static CostTable measure(const CodeletTable& codelets, double seconds, const Clock& clock = steady_clock());

  // Rows of the wisdom table "costs", flat JSON objects on one line each (wisdom/schema.md); `machine` is part of every row. Rows of
  // other machines, other digests, or with a bad field are skipped; is_measured() is false when none was left.
  static CostTable from_rows(const std::vector<std::string>& rows, const std::string& machine, const CodeletTable& codelets);
  std::vector<std::string> rows(const std::string& machine) const;

  bool is_measured() const { return measured_; }

 private:
  bool measured_ = false;
};

}  // namespace ulpfft

#endif  // ULPFFT_PLANNER_COST_TABLE_H_
