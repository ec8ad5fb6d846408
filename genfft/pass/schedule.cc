// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
#include "genfft/pass/schedule.h"

#include <algorithm>
#include <bit>
#include <bitset>
#include <climits>
#include <tuple>

namespace ulpfft::genfft {
namespace {

struct Candidate {
  int outer = 1;            // sub-transforms: inputs of one residue modulo `outer`
  int inner = 1;            // and inside them of one residue modulo `inner`
  int outputs = 1;          // stores go by residue modulo this
  bool wide_first = false;  // the operand with more work behind it first, not the one created first
};

// Facts of the graph every candidate shares.
struct Graph {
  const Dag& dag;
  std::vector<int> readers;
  std::vector<std::vector<NodeId>> read_by;
  std::vector<std::vector<int>> stored_at;
  std::vector<std::bitset<64>> points;  // inputs a node depends on
  std::vector<int> work;                // operations behind it, counted along paths, saturated

  explicit Graph(const Dag& d)
      : dag(d),
        readers(reader_counts(d)),
        read_by(at(d.size())),
        stored_at(at(d.size())),
        points(at(d.size())),
        work(at(d.size())) {
    for (NodeId id = 0; id < dag.size(); ++id) {
      if (readers[at(id)] == 0) continue;
      const Node& node = dag[id];
      if (node.op == Op::kLoad) points[at(id)].set(at(node.a));
      long sum = 1;
      for_each_operand(node, [&](NodeId operand) {
        read_by[at(operand)].push_back(id);
        points[at(id)] |= points[at(operand)];
        sum += work[at(operand)];
      });
      work[at(id)] = static_cast<int>(std::min(sum, 1000000L));
    }
    for (std::size_t q = 0; q < dag.stores.size(); ++q) {
      stored_at[at(dag.stores[q].re)].push_back(static_cast<int>(q));
      stored_at[at(dag.stores[q].im)].push_back(static_cast<int>(q));
    }
  }
};

class Scheduler {
 public:
  Scheduler(const Graph& graph, const Candidate& candidate)
      : graph_(graph),
        dag_(graph.dag),
        candidate_(candidate),
        inputs_(input_count(dag_)),
        done_(at(dag_.size()), false),
        pending_(graph.readers),
        stored_(dag_.stores.size(), false) {}

  std::vector<Statement> run() {
    const int n = static_cast<int>(dag_.stores.size());
    if (candidate_.outer > 1) {
      for (int residue = 0; residue < candidate_.outer; ++residue) {
        if (candidate_.inner > candidate_.outer) {
          for (int r = residue; r < candidate_.inner; r += candidate_.outer) finish_inputs(r, candidate_.inner);
        }
        finish_inputs(residue, candidate_.outer);
      }
    }
    for (int residue = 0; residue < candidate_.outputs; ++residue) {
      for (int q = residue; q < n; q += candidate_.outputs) {
        visit(dag_.stores[at(q)].re);
        visit(dag_.stores[at(q)].im);
        store(q);
      }
    }
    return std::move(statements_);
  }

 private:
  // Everything that depends on no other inputs than these.
  void finish_inputs(int residue, int modulus) {
    std::bitset<64> group;
    for (int j = residue; j < inputs_; j += modulus) group.set(at(j));
    const auto inside = [&](NodeId id) { return (graph_.points[at(id)] & ~group).none(); };
    for (NodeId id = 0; id < dag_.size(); ++id) {
      if (graph_.readers[at(id)] == 0 || is_leaf(dag_[id].op) || graph_.points[at(id)].count() < 2 || !inside(id)) continue;
      const bool leaves =
          !graph_.stored_at[at(id)].empty() ||
          std::any_of(graph_.read_by[at(id)].begin(), graph_.read_by[at(id)].end(), [&](NodeId r) { return !inside(r); });
      if (leaves) visit(id);
    }
  }

  void store(int q) {
    const Store& s = dag_.stores[at(q)];
    if (stored_[at(q)] || !done_[at(s.re)] || !done_[at(s.im)]) return;
    stored_[at(q)] = true;
    statements_.push_back({Statement::Kind::kStore, q});
    --pending_[at(s.re)];
    --pending_[at(s.im)];
  }

  void finish(NodeId id) {
    done_[at(id)] = true;
    for_each_operand(dag_[id], [&](NodeId operand) { --pending_[at(operand)]; });
    for (const int q : graph_.stored_at[at(id)]) store(q);
  }

  void load(NodeId id) {
    const int point = dag_[id].a;
    statements_.push_back({Statement::Kind::kLoad, point});
    for (NodeId other = 0; other < dag_.size(); ++other) {
      if (dag_.is(other, Op::kLoad) && dag_[other].a == point) finish(other);
    }
  }

  void visit(NodeId id) {
    if (done_[at(id)]) return;
    const Node& node = dag_[id];
    switch (node.op) {
      case Op::kConstant: finish(id); return;
      case Op::kLoad: load(id); return;
      case Op::kTable:
        statements_.push_back({Statement::Kind::kTable, node.a});
        finish(id);
        return;
      default: break;
    }
    std::vector<NodeId> operands;
    for_each_operand(node, [&](NodeId operand) { operands.push_back(operand); });
    // Table values last: they wait for nothing.
    const auto rank = [&](NodeId x) {
      return std::tuple(dag_.is_coefficient(x) ? 1 : 0, candidate_.wide_first ? -graph_.work[at(x)] : 0, x);
    };
    std::sort(operands.begin(), operands.end(), [&](NodeId x, NodeId y) { return rank(x) < rank(y); });
    for (const NodeId operand : operands) visit(operand);
    if (done_[at(id)]) return;
    compute(id);
  }

  void compute(NodeId id) {
    statements_.push_back({Statement::Kind::kCompute, id});
    finish(id);
    for_each_operand(dag_[id], [&](NodeId operand) {
      if (dag_.is_coefficient(operand)) return;
      for (const NodeId reader : graph_.read_by[at(operand)]) {
        if (!done_[at(reader)] && ends_an_operand(reader)) compute(reader);
      }
    });
  }

  // Ready, and the last reader of one of its operands: computing it now needs no further register.
  bool ends_an_operand(NodeId id) const {
    bool ready = true;
    bool ends = false;
    for_each_operand(dag_[id], [&](NodeId operand) {
      ready = ready && (done_[at(operand)] || dag_.is(operand, Op::kConstant));
      ends = ends || (!dag_.is(operand, Op::kConstant) && pending_[at(operand)] == 1);
    });
    return ready && ends;
  }

  const Graph& graph_;
  const Dag& dag_;
  Candidate candidate_;
  int inputs_;
  std::vector<bool> done_;
  std::vector<int> pending_;  // readers yet to come
  std::vector<bool> stored_;
  std::vector<Statement> statements_;
};

// Per statement the values it reads and makes; constants left out.
struct Trace {
  std::vector<std::vector<NodeId>> reads;
  std::vector<std::vector<NodeId>> makes;
};

Trace trace(const Dag& dag, const std::vector<Statement>& statements) {
  std::vector<std::vector<NodeId>> loads(at(input_count(dag)));
  std::vector<NodeId> tables(at(dag.size()), kNoNode);
  const std::vector<int> readers = reader_counts(dag);
  for (NodeId id = 0; id < dag.size(); ++id) {
    if (readers[at(id)] == 0) continue;
    if (dag.is(id, Op::kLoad)) loads[at(dag[id].a)].push_back(id);
    if (dag.is(id, Op::kTable)) tables[at(dag[id].a)] = id;
  }
  Trace result;
  for (const Statement& s : statements) {
    std::vector<NodeId> reads;
    std::vector<NodeId> makes;
    switch (s.kind) {
      case Statement::Kind::kLoad: makes = loads[at(s.index)]; break;
      case Statement::Kind::kTable: makes = {tables[at(s.index)]}; break;
      case Statement::Kind::kStore:
        reads = {dag.stores[at(s.index)].re};
        if (!stores_zero_im(dag, dag.stores[at(s.index)])) reads.push_back(dag.stores[at(s.index)].im);
        break;
      case Statement::Kind::kCompute:
        for_each_operand(dag[s.index], [&](NodeId operand) {
          if (!dag.is(operand, Op::kConstant)) reads.push_back(operand);
        });
        makes = {s.index};
        break;
    }
    std::sort(reads.begin(), reads.end());
    reads.erase(std::unique(reads.begin(), reads.end()), reads.end());
    result.reads.push_back(std::move(reads));
    result.makes.push_back(std::move(makes));
  }
  return result;
}

}  // namespace

int live_values(const Dag& dag, const std::vector<Statement>& statements) {
  const Trace t = trace(dag, statements);
  std::vector<std::size_t> last(at(dag.size()), 0);
  for (std::size_t i = 0; i < statements.size(); ++i) {
    for (const NodeId id : t.reads[i]) last[at(id)] = i;
  }
  int live = 0;
  int peak = 0;
  for (std::size_t i = 0; i < statements.size(); ++i) {
    // An operand that ends here and the result share a register.
    for (const NodeId id : t.reads[i]) live -= last[at(id)] == i;
    live += static_cast<int>(t.makes[i].size());
    peak = std::max(peak, live);
  }
  return peak;
}

int spill_traffic(const Dag& dag, const std::vector<Statement>& statements, int registers) {
  const Trace t = trace(dag, statements);
  std::vector<std::vector<int>> uses(at(dag.size()));
  for (std::size_t i = statements.size(); i-- > 0;) {
    for (const NodeId id : t.reads[i]) uses[at(id)].push_back(static_cast<int>(i));  // last use first
  }
  const auto next_use = [&](NodeId id) { return uses[at(id)].empty() ? INT_MAX : uses[at(id)].back(); };
  std::vector<NodeId> held;
  std::vector<bool> in_memory(at(dag.size()), false);
  int traffic = 0;
  const auto make_room = [&](const std::vector<NodeId>& keep) {
    while (static_cast<int>(held.size()) >= registers) {
      auto victim = held.end();
      for (auto it = held.begin(); it != held.end(); ++it) {
        if (std::find(keep.begin(), keep.end(), *it) != keep.end()) continue;
        if (victim == held.end() || next_use(*it) > next_use(*victim)) victim = it;
      }
      if (!in_memory[at(*victim)]) {
        ++traffic;
        in_memory[at(*victim)] = true;
      }
      held.erase(victim);
    }
  };
  for (std::size_t i = 0; i < statements.size(); ++i) {
    for (const NodeId id : t.reads[i]) {
      if (std::find(held.begin(), held.end(), id) != held.end()) continue;
      ++traffic;
      make_room(t.reads[i]);
      held.push_back(id);
    }
    for (const NodeId id : t.reads[i]) {
      uses[at(id)].pop_back();
      if (uses[at(id)].empty()) held.erase(std::find(held.begin(), held.end(), id));
    }
    for (const NodeId id : t.makes[i]) {
      make_room(t.makes[i]);
      held.push_back(id);
      in_memory[at(id)] = dag.is(id, Op::kTable);
    }
  }
  return traffic;
}

std::vector<Statement> schedule(const Dag& dag) {
  const Graph graph(dag);
  const int n = std::max(static_cast<int>(dag.stores.size()), input_count(dag));
  std::vector<int> divisors;
  for (int d = 1; d <= n; ++d) {
    if (n % d == 0) divisors.push_back(d);
  }
  std::vector<Statement> best;
  std::pair<int, int> best_cost{INT_MAX, INT_MAX};
  for (const int outer : divisors) {
    if (outer == n && n > 1) continue;
    for (const int inner : divisors) {
      if (inner % outer != 0 || (outer == 1 && inner != 1) || (inner == n && n > 1)) continue;
      std::vector<int> outputs = {n, n / outer, n / inner, std::max(1, n / 4), std::max(1, n / 2)};
      std::sort(outputs.begin(), outputs.end());
      outputs.erase(std::unique(outputs.begin(), outputs.end()), outputs.end());
      for (const int modulus : outputs) {
        for (const bool wide_first : {false, true}) {
          std::vector<Statement> order = Scheduler(graph, {outer, inner, modulus, wide_first}).run();
          const std::pair cost{spill_traffic(dag, order, 16) + spill_traffic(dag, order, 32), live_values(dag, order)};
          if (cost < best_cost) {
            best_cost = cost;
            best = std::move(order);
          }
        }
      }
    }
  }
  return best;
}

std::uint64_t arithmetic_digest(const Body& body, const std::vector<Statement>& statements) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  const auto mix = [&](std::uint64_t value) {
    for (int i = 0; i < 8; ++i, value >>= 8) hash = (hash ^ (value & 0xff)) * 0x100000001b3u;
  };
  const Dag& dag = body.dag;
  std::vector<std::uint64_t> number(at(dag.size()), 0);
  std::uint64_t next = 1;
  const auto name = [&](NodeId id) {
    const Node& node = dag[id];
    mix(static_cast<std::uint64_t>(node.op));
    if (node.op == Op::kConstant) {
      mix(std::bit_cast<std::uint64_t>(dag.constant_value(id).hi));
    } else if (node.op == Op::kLoad || node.op == Op::kTable) {
      mix(static_cast<std::uint64_t>(node.a) * 2 + (node.op == Op::kLoad ? static_cast<std::uint64_t>(node.b) : 0));
    } else {
      mix(number[at(id)]);
    }
  };
  // The same operations may be another transform.
  if (body.spec.transform != RealTransform::kNone) mix(static_cast<std::uint64_t>(body.spec.transform) + 400);
  // The same operations on another choice of table values.
  if (is_comparison(body.spec.form)) mix(static_cast<std::uint64_t>(body.spec.form) + 300);
  for (const TableTerm& term : body.table) {
    mix(static_cast<std::uint64_t>(term.kind) | std::uint64_t{term.j} << 8 | std::uint64_t{term.over_j} << 16 |
        std::uint64_t{term.primed} << 24 | std::uint64_t{term.over_primed} << 25 | std::uint64_t{term.sqrt_half} << 26);
  }
  for (const Statement& s : statements) {
    if (s.kind == Statement::Kind::kCompute) {
      mix(static_cast<std::uint64_t>(dag[s.index].op) + 100);
      for_each_operand(dag[s.index], name);
      number[at(s.index)] = next++;
    } else if (s.kind == Statement::Kind::kStore) {
      mix(static_cast<std::uint64_t>(s.index) + 200);
      name(dag.stores[at(s.index)].re);
      name(dag.stores[at(s.index)].im);
    }
  }
  return hash;
}

}  // namespace ulpfft::genfft
