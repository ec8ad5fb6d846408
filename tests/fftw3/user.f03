! SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
! The same in Fortran 2003: an impulse has a flat spectrum.
program user
  use, intrinsic :: iso_c_binding
  implicit none
  include 'fftw3.f03'
  type(C_PTR) :: plan
  complex(C_FLOAT_COMPLEX) :: in(4, 3), out(4, 3)
  plan = fftwf_plan_dft_2d(3, 4, in, out, FFTW_FORWARD, FFTW_ESTIMATE)
  in = 0
  in(1, 1) = 2
  call fftwf_execute_dft(plan, in, out)
  call fftwf_destroy_plan(plan)
  if (any(abs(out - 2) > 1e-6)) stop 1
end program
