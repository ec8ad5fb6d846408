# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""A recipe for Spack. Nobody has built it: Spack was not to be had where it was written. Put it into packages/ulpfft of a repository of
yours, and build a tree by `spack dev-build ulpfft@0.2.0`; with a tarball of a release, add its url, and its sha256 to version()."""
from spack.package import *


class Ulpfft(MesonPackage):
    """Fast Fourier transforms whose plan includes the number format. Its fftw variant has the interface of FFTW 3."""

    license("BSD-3-Clause OR Apache-2.0")

    version("0.2.0")

    variant("tool", default=True, description="The command-line tool")
    variant("mri", default=False, when="+tool", description="The tool reads files of fastMRI and ISMRMRD")
    variant("fftw", default=True, description="The interface of FFTW 3")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("meson@1.0:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("python@3.9:", type="build")
    depends_on("highway@1.0.3:", type="build")
    depends_on("nlohmann-json@3.11:", type="build")
    depends_on("cli11", type="build", when="+tool")
    depends_on("libpng", when="+tool")
    depends_on("hdf5", when="+mri")
    depends_on("ismrmrd", when="+mri")

    # Precisions f32 and f64; no long double, and no MPI.
    provides("fftw-api@3", when="+fftw")

    conflicts("%gcc@:11", msg="C++20 as of g++ 12 is needed")

    def meson_args(self):
        def feature(name, variant):
            return f"-D{name}={'enabled' if self.spec.satisfies(variant) else 'disabled'}"

        return [
            "-Dtests=false",
            "-Ddemo=disabled",
            "-Dcuda=disabled",
            f"-Dfftw3={'true' if self.spec.satisfies('+fftw') else 'false'}",
            feature("tool", "+tool"),
            feature("hdf5", "+mri"),
            feature("ismrmrd", "+mri"),
        ]

    @property
    def fftw_folder(self):
        return join_path(self.prefix.lib, "ulpfft", "fftw3")

    @property
    def headers(self):
        folder = self.fftw_folder if self.spec.satisfies("+fftw") else self.prefix.include
        return find_headers("fftw3" if self.spec.satisfies("+fftw") else "ulpfft", folder, recursive=True)

    @property
    def libs(self):
        if not self.spec.satisfies("+fftw"):
            return find_libraries("libulpfft", self.prefix, recursive=True)
        query = self.spec.last_query.extra_parameters
        names = [f"libfftw3{'f' if 'float' in query else ''}"]
        if "openmp" in query:
            names.insert(0, names[0] + "_omp")
        return find_libraries(names, self.fftw_folder)
