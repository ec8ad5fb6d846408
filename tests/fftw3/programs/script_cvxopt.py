# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""Every transform of cvxopt, whose matrices are stored by columns. The last line has the results as JSON."""
import json

import cvxopt
from cvxopt import fftw

cvxopt.setseed(5)
real, results = cvxopt.normal(12, 5), {}
spectrum = cvxopt.matrix(real, tc='z') + 1j * cvxopt.normal(12, 5)


def keep(name, array):
    results[name] = [part for number in array for part in ((number.real, number.imag) if array.typecode == 'z' else (number,))]


for name, array in (('dft', spectrum), ('idft', spectrum), ('dct', real), ('idct', real), ('dst', real), ('idst', real)):
    for kind in range(1, 5 if name in ('dct', 'dst') else 2):
        copy = +array
        getattr(fftw, name)(copy, **({'type': kind} if name in ('dct', 'dst') else {}))
        keep(f'{name}_{kind}', copy)
for name, array in (('dftn', spectrum), ('idftn', spectrum), ('dctn', real), ('idctn', real), ('dstn', real), ('idstn', real)):
    copy = +array[:]
    getattr(fftw, name)(copy, dims=(3, 4, 5))
    keep(name, copy)
print(json.dumps(results))
