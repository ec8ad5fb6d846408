// SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
// Where the codelets begin, modulo a line of the cache of instructions. It is linked in front of them.
//
// Their inner loops take up to 1.46 of the time where they lie 16, 32 or 48 bytes further on (notebook/where_codelets_begin.md), and
// without this file that would follow from the size of the planner before them.
#if defined(__ELF__) && defined(__GNUC__)
asm(".pushsection .text\n"
    ".p2align 6\n"
    ".skip 64\n"
    ".popsection\n");
#endif
