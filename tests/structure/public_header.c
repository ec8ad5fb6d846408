/* SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0 */
/* Compiles as strict C11 when ulpfft.h needs no other header before it. */
#include "ulpfft/ulpfft.h"

#include "ulpfft/stream.h"
#include "ulpfft/ulpfft.h" /* twice is once */

int ulpfft_header_is_self_contained_c(void);
int ulpfft_header_is_self_contained_c(void) { return (int)sizeof(ulpfft_problem); }
