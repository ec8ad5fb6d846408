#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""Checks that #include lines follow the table of layers (design, section 3).

    tools/check_layers.py [ROOT]

Prints FILE:LINE: what is wrong, one line each, and exits with 1 if there is any. The table below is the rule; a header the
table does not know is refused, so that a new dependency is a change to this file, seen in review. Inside the folders of
NO_CIRCLES no file includes one that leads back to it.
"""
import os
import re
import sys

CONTRACT = 'codelets/contract/'
PUBLIC = 'include/ulpfft/'
SUPPORT = 'tests/support/'
GENERATED = 'generated'  # a header written by genfft into the build directory

# Rooms of the planner, the upper floors first: a room may include those below it, none above. A room inside another is a floor of its
# own. The folder of a backend is closed: rooms outside see the interface, and the list of backends alone includes the folder.
PLANNER = ['pareto', 'api', 'files', 'search', 'judge', 'strategy', 'cost', 'plan', 'lower', 'backend/cpu', 'backend/cpu/expand', 'backend/cuda', 'backend',
           'facts', 'program', 'scheme', 'convert', 'table', 'system']
BACKEND = re.compile(r'planner/backend/\w+/')
BACKENDS = 'planner/backend/backends.cc'
ROOMS = [f'planner/{room}/' for room in PLANNER]
PLANNER_BELOW = [PUBLIC, CONTRACT, 'codelets/registry.h', 'wisdom/']


def backend_of(path):
    """The folder of the backend that a path lies in, or None."""
    match = BACKEND.match(path)
    return match and match.group(0)


def planner_rooms():
    """Inner rooms first, because the first match decides."""
    for room in sorted(ROOMS, key=len, reverse=True):
        below = [lower for lower in ROOMS[ROOMS.index(room) + 1:] if not BACKEND.match(lower) or backend_of(lower) == backend_of(room)]
        kernels = ['codelets/cuda/launch.h'] if room == 'planner/backend/cuda/' else []
        yield (room, PLANNER_BELOW + below + kernels)


# First match decides: files under this path may include what lies under these, their own folder always among it.
LAYERS = [
    ('include/ulpfft/', []),
    ('codelets/contract/', []),
    ('codelets/ref/', [CONTRACT, GENERATED]),
    ('codelets/hwy/', [CONTRACT, GENERATED]),
    ('codelets/cuda/', [CONTRACT, GENERATED]),
    ('codelets/generated/', [CONTRACT, GENERATED]),
    ('codelets/registry.', [CONTRACT, 'codelets/registry.h', 'codelets/ref/', 'codelets/hwy/', GENERATED]),
    ('genfft/', [CONTRACT]),
    ('wisdom/', [PUBLIC, 'codelets/contract/format_info.h', 'codelets/contract/split_scheme.h', 'codelets/contract/storage.h', 'codelets/contract/twiddle_form.h', GENERATED]),
    (BACKENDS, ['planner/backend/', *(room for room in ROOMS if room == backend_of(room))]),
    *planner_rooms(),
    ('planner/pch/', [PUBLIC]),
    ('stream/', [PUBLIC, 'planner/api/guard.h', 'wisdom/error.h']),  # plans are those of ulpfft.h; errors cross the C boundary like all others
    ('bindings/fftw3/', [PUBLIC, 'bindings/what_if/']),
    ('bindings/what_if/', [PUBLIC]),
    ('bindings/heffte/', [PUBLIC]),
    ('bindings/', [PUBLIC]),
    ('tools/', [PUBLIC]),
    ('tests/support/ptx_', [SUPPORT, 'codelets/cuda/']),
    ('tests/support/fake_driver.', [SUPPORT, 'planner/backend/cuda/', 'codelets/cuda/', GENERATED]),
    ('tests/support/', [PUBLIC]),
    ('tests/genfft/', [SUPPORT, 'genfft/', CONTRACT]),
    ('tests/codelets/', [SUPPORT, 'codelets/', GENERATED]),
    ('tests/wisdom/', [SUPPORT, 'wisdom/', PUBLIC, CONTRACT]),
    ('tests/planner/', [SUPPORT, 'planner/', 'wisdom/', 'codelets/registry.h', CONTRACT, PUBLIC]),
    ('tests/cuda/', [SUPPORT, 'planner/', 'wisdom/', 'codelets/registry.h', 'codelets/cuda/', CONTRACT, PUBLIC]),
    ('tests/gpu/', [SUPPORT, 'planner/backend/cuda/driver.h', 'planner/backend/cuda/device.h', 'codelets/cuda/launch.h', PUBLIC]),
    ('examples/', [PUBLIC, CONTRACT, GENERATED]),  # what is installed
    ('package/', [PUBLIC]),
    ('tests/consumer/', [PUBLIC, CONTRACT]),  # the same
    ('tests/bench/', [SUPPORT, 'planner/', 'wisdom/', 'codelets/registry.h', CONTRACT, PUBLIC, 'tools/ulpfft/bench/machine_kernels.h']),
    ('tests/fuzz/', [SUPPORT, 'wisdom/', 'genfft/', 'planner/', CONTRACT, PUBLIC]),
    ('tests/tool/', [SUPPORT, PUBLIC, 'tools/ulpfft/']),
    ('tests/fftw3/', [SUPPORT, PUBLIC, GENERATED]),
    ('tests/heffte/', [SUPPORT, PUBLIC, 'bindings/heffte/']),
    ('tests/', [SUPPORT, PUBLIC]),
]

# Folders whose files include each other in no circle, where a header and its source are one file.
NO_CIRCLES = ['codelets/contract/', 'codelets/hwy/', 'codelets/ref/', 'planner/backend/']

PEER = 'tests/codelets/cuda/vkfft_kernels.cc'  # by hand, no build compiles it

# Third parties: header pattern -> paths that may include it.
THIRD_PARTY = [
    (r'hwy/', ['codelets/hwy/', 'codelets/registry.cc', GENERATED, 'tests/codelets/strange_formats_test.cc', 'tests/codelets/target_facts_test.cc']),
    (r'nlohmann/', ['genfft/format/parse.cc', 'wisdom/codec.cc', 'tools/ulpfft/', 'tests/']),
    (r'gtest/|gmock/', ['tests/']),
    (r'CLI/', ['tools/ulpfft/']),
    (r'png\.h$', ['tools/ulpfft/']),
    (r'nanobind/', ['bindings/python/']),
    (r'hdf5\.h$', ['tools/ulpfft/mri/hdf5', 'tests/tool/']),
    (r'ismrmrd/', ['tools/ulpfft/mri/ismrmrd.cc', 'tests/tool/']),
    (r'fftw3\.h$', ['tests/fftw3/', 'tests/bench/interface_cost.cc']),  # ulpfft's own; FFTW itself is loaded with dlopen, so that no build needs it
    (r'heffte', ['bindings/heffte/']),
    (r'bench-user\.h$', ['package/benchfft/']),
    (r'cuda(_runtime\w*|_fp\w+|_bf16)?\.(h|hpp)$', ['codelets/cuda/portable.h', 'planner/backend/cuda/', PEER]),
    (r'(nvrtc|vkFFT)\.h$', [PEER]),
]

STANDARD_C = set('''assert.h complex.h ctype.h errno.h fenv.h float.h inttypes.h limits.h math.h setjmp.h signal.h stdarg.h
    stdbool.h stddef.h stdint.h stdio.h stdlib.h string.h time.h'''.split())
POSIX = re.compile(r'(sys/\w+|unistd|fcntl|dlfcn|pthread|sched|poll|dirent|elf|fnmatch|glob|link|cpuid|cxxabi|immintrin|xmmintrin)(\.h)?$')
# What is installed for C or made of plain values must not depend on the system.
NO_POSIX = ['include/ulpfft/', 'codelets/contract/', 'genfft/ir/', 'genfft/algorithm/', 'genfft/pass/']

SKIPPED = re.compile(r'^(build.*|\.git|subprojects|demo-output|__pycache__)$')
SOURCE = re.compile(r'\.(h|hpp|c|cc|cpp|cu|cuh|inc)$')
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]')
RAW_STRING = re.compile(r'R"([^()\s\\]{0,16})\((.*?)\)\1"', re.DOTALL)


def sources(root):
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(name for name in folders if not SKIPPED.match(name))
        for name in sorted(files):
            if SOURCE.search(name):
                yield os.path.relpath(os.path.join(folder, name), root).replace(os.sep, '/')


def includes(path):
    """(line number, '<' or '"', name); texts inside raw strings are not includes, lines keep their numbers."""
    with open(path, encoding='utf-8') as file:
        text = RAW_STRING.sub(lambda match: '""' + '\n' * match.group(0).count('\n'), file.read())
    for number, line in enumerate(text.split('\n'), 1):
        match = INCLUDE.match(line)
        if match:
            yield number, match.group(1), match.group(2)


def resolve(root, source, name):
    """Path from the root of one of our headers, or None."""
    candidates = [os.path.join(os.path.dirname(source), name), name, os.path.join('include', name)]
    for candidate in candidates:
        candidate = os.path.normpath(candidate).replace(os.sep, '/')
        if os.path.isfile(os.path.join(root, candidate)):
            return candidate
    return None


def room_of(path):
    """The innermost room of the planner that holds this path, or None."""
    return max((room for room in ROOMS if path.startswith(room)), key=len, default=None)


def under(path, prefixes):
    """Whether one of these holds the path; a room does not hold the rooms inside it."""
    return any(path.startswith(prefix) and (prefix not in ROOMS or prefix == room_of(path)) for prefix in prefixes)


def layer_of(source):
    """A backend's folder is in the layer of its own room; without one it is in none."""
    for prefix, allowed in LAYERS:
        if source.startswith(prefix) and backend_of(source) == backend_of(prefix):
            return prefix, allowed
    return None, None


def fault(root, source, kind, name):
    """A sentence about this include, or None."""
    prefix, allowed = layer_of(source)
    if prefix is None:
        return f'{source} lies outside every layer; add its folder to LAYERS in tools/check_layers.py'
    own = prefix if prefix.endswith('/') else None
    ours = resolve(root, source, name)
    if ours is not None:
        if (own and under(ours, [own])) or under(ours, allowed):
            return None
        return f'"{name}" belongs to {os.path.dirname(ours)}/; {prefix} may include {", ".join(allowed) or "nothing of ours"}'
    if name.startswith('ulpfft/'):
        return f'"{name}" does not exist'
    for pattern, folders in THIRD_PARTY:
        if re.match(pattern, name):
            if under(source, folders) or (GENERATED in folders and prefix == 'codelets/generated/'):
                return None
            return f'<{name}> is a third party that only {", ".join(folders) or "nothing"} may include'
    if kind == '<':
        if name in STANDARD_C or re.match(r'^[a-z_]+$', name):
            return None
        if POSIX.match(name):
            return f'<{name}> ties this layer to a system' if under(source, NO_POSIX) else None
        return f'<{name}> is not in the table; a new dependency is added to tools/check_layers.py'
    if GENERATED in allowed:
        return None
    return f'"{name}" is no file of the tree, and {prefix} includes nothing generated'


def reached_from(part, arrows):
    """Every part that this one includes, or that one of these includes."""
    found, waiting = set(), [part]
    while waiting:
        for other in arrows.get(waiting.pop(), ()):
            if other not in found:
                found.add(other)
                waiting.append(other)
    return found


def circles(arrows):
    """Faults of includes that lead back to where they stand; `arrows`: (source, line number, resolved header)."""
    def part(path):
        return path.rsplit('.', 1)[0]

    inside = [arrow for arrow in arrows if part(arrow[0]) != part(arrow[2]) and any(
        arrow[0].startswith(folder) and arrow[2].startswith(folder) for folder in NO_CIRCLES)]
    graph = {}
    for source, _, header in inside:
        graph.setdefault(part(source), set()).add(part(header))
    reached = {name: reached_from(name, graph) for name in graph}
    return [f'{source}:{number}: "{header}" leads back to {part(source)}; in {os.path.dirname(source)}/ includes make no circle'
            for source, number, header in inside if part(source) in reached.get(part(header), ())]


def check(root):
    faults, arrows = [], []
    for source in sources(root):
        for number, kind, name in includes(os.path.join(root, source)):
            sentence = fault(root, source, kind, name)
            if sentence:
                faults.append(f'{source}:{number}: {sentence}')
            header = resolve(root, source, name)
            if header is not None:
                arrows.append((source, number, header))
    return faults + circles(arrows)


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    faults = check(root)
    for line in faults:
        print(line)
    return 1 if faults else 0


if __name__ == '__main__':
    sys.exit(main())
