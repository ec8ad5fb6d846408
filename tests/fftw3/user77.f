! SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
! The same in Fortran 77: the first length varies fastest, so that the second number has a wave along it.
      program user
      include 'fftw3.f'
      integer*8 plan
      double complex in(4, 3), out(4, 3)
      integer i, j
      call dfftw_plan_dft_2d(plan, 4, 3, in, out, FFTW_FORWARD,
     &                       FFTW_ESTIMATE)
      do 10 j = 1, 3
      do 10 i = 1, 4
 10   in(i, j) = 0
      in(2, 1) = 1
      call dfftw_execute(plan)
      call dfftw_destroy_plan(plan)
      if (abs(out(2, 3) - dcmplx(0, -1)) .gt. 1d-12) stop 1
      end
