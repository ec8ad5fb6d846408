#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""The tree keeps its layers, and the check that says so finds what it should: layers_test.py ROOT"""
import os
import sys
import tempfile

root = os.path.abspath(sys.argv[1])
sys.path.insert(0, os.path.join(root, 'tools'))
sys.dont_write_bytecode = True
import check_layers  # noqa: E402

# path, text, line that must be refused (0: nothing)
SAMPLES = [
    ('genfft/ir/dag.h', '#include <vector>\n#include "genfft/ir/constant.h"\n#include "planner/search/search.h"\n', 3),
    ('genfft/ir/constant.h', '#include "codelets/contract/step.h"\n#include "kernel.h"\n', 2),
    ('genfft/ir/json.cc', '#include <nlohmann/json.hpp>\n', 1),
    ('genfft/format/parse.cc', '#include <nlohmann/json.hpp>\n', 0),
    ('genfft/emit/text.cc', 'auto text = R"(\n#include "planner/search/search.h"\n)";\n#include "wisdom/recipe.h"\n', 4),
    ('codelets/contract/step.h', '#include <cstdint>\n#include "ulpfft/ulpfft.h"\n', 2),
    ('codelets/contract/open.h', '#include <unistd.h>\n', 1),
    ('codelets/ref/loop.cc', '#include "bodies_generated.h"\n#include "codelets/contract/step.h"\n#include "codelets/hwy/port.h"\n', 3),
    ('codelets/hwy/port.h', '#include <hwy/highway.h>\n', 0),
    ('codelets/cuda/tile.h', '#include "cuda_bodies.h"\n#include "codelets/contract/step.h"\n#include "codelets/hwy/port.h"\n', 3),
    ('codelets/cuda/port.h', '#include <cuda_fp16.h>\n', 1),
    ('wisdom/recipe.h', '#include "ulpfft/ulpfft.h"\n#include "codelets/contract/step.h"\n', 2),
    ('planner/search/search.h', '#include "wisdom/recipe.h"\n# include "codelets/registry.h"\n#include <hwy/highway.h>\n', 3),
    ('planner/plan/plan.cc', '#include "codelets/registry.h"\n#include "codelets/hwy/port.h"\n', 2),
    ('planner/backend/cpu/link.h', '#include "planner/backend/cpu/expand/scope.h"\n#include "planner/lower/place.h"\n', 2),
    ('planner/backend/cpu/share.h', '#include "planner/backend/backend.h"\n#include "planner/backend/cpu/link.h"\n', 0),
    ('planner/backend/cpu/expand/scope.h', '#include "planner/program/program.h"\n#include "planner/backend/cpu/cpu.h"\n', 2),
    ('planner/backend/cpu/chain.h', '#include "planner/backend/cpu/share.h"\n', 0),
    ('planner/backend/cpu/whole.h', '#include "planner/backend/cpu/share.h"\n#include "planner/backend/cpu/fused.h"\n', 2),
    ('planner/backend/cpu/fused.cc', '#include "planner/backend/cpu/fused.h"\n#include "planner/backend/cpu/ends.h"\n', 2),
    ('planner/backend/cpu/fused.h', '#include <vector>\n', 0),
    ('planner/backend/cpu/ends.h', '#include <vector>\n#include "planner/backend/cpu/whole.h"\n', 2),
    ('planner/backend/unlisted/link.h', '#include "planner/backend/backend.h"\n', 1),
    ('planner/lower/place.h', '#include "planner/backend/backend.h"\n#include "planner/backend/cpu/link.h"\n', 2),
    ('planner/backend/backend.h', '#include "planner/program/program.h"\n#include "planner/backend/cpu/link.h"\n', 2),
    ('planner/backend/backends.cc', '#include "planner/backend/cpu/link.h"\n#include "planner/backend/cpu/expand/scope.h"\n', 2),
    ('planner/program/program.h', '#include "planner/backend/cpu/expand/scope.h"\n', 1),
    ('codelets/registry.h', '#include "codelets/contract/step.h"\n', 0),
    ('include/ulpfft/ulpfft.h', '#include <stddef.h>\n#include <boost/any.hpp>\n', 2),
    ('bindings/fftw3/asked.h', '#include "bindings/what_if/question.h"\n#include "ulpfft/ulpfft.h"\n#include <heffte.h>\n', 3),
    ('bindings/what_if/question.h', '#include "ulpfft/ulpfft.h"\n#include "bindings/fftw3/problem.h"\n', 2),
    ('tools/ulpfft/main.cc', '#include <CLI/CLI.hpp>\n#include "ulpfft/ulpfft.h"\n#include "planner/search/search.h"\n', 3),
    ('tests/api/a_test.cc', '#include <gtest/gtest.h>\n#include "tests/support/x.h"\n#include "planner/search/search.h"\n', 3),
    ('tests/support/x.h', '#include <sys/mman.h>\n#include "ulpfft/ulpfft.h"\n', 0),
    ('extra/file.h', '#include <vector>\n', 1),
]

failures = 0


def report(name, faults):
    global failures
    if faults:
        failures += 1
        print(f'FAIL {name}')
        for fault in faults:
            print(f'  {fault}')
    else:
        print(f'PASS {name}')


with tempfile.TemporaryDirectory() as sample:
    for path, text, _ in SAMPLES:
        full = os.path.join(sample, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, 'w', encoding='utf-8') as file:
            file.write(text)
    found = {fault.split(': ')[0] for fault in check_layers.check(sample)}
    expected = {f'{path}:{line}' for path, _, line in SAMPLES if line}
    report('layer check refuses what it should', sorted(f'missed {place}' for place in expected - found))
    report('layer check refuses nothing else', sorted(f'wrongly refused {place}' for place in found - expected))

report('layers of the tree', check_layers.check(root))
sys.exit(1 if failures else 0)
