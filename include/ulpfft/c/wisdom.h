/* SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0 */
/* Wisdom: remembered plans, as JSON; and pass costs, what estimates go by. ulpfft.h includes it. */
#ifndef ULPFFT_C_WISDOM_H_
#define ULPFFT_C_WISDOM_H_

#include "ulpfft/c/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Wisdom: remembered plans, as JSON ---------------------------------------------------------------------------- */

/* What an import did with each entry. */
typedef struct ulpfft_import_report {
  size_t size;      /* sizeof(ulpfft_import_report) */
  size_t accepted;  /* usable here, or usable after another codelet digest */
  size_t stale;     /* made by codelets this build no longer has: kept out */
  size_t foreign;   /* another machine or version: kept for export, not used */
  size_t malformed; /* an entry with a bad field: dropped */
  char* details;    /* one line per entry not accepted, with its reason; NULL where memory is short; ulpfft_string_free() */
} ulpfft_import_report;
#define ULPFFT_IMPORT_REPORT_INIT {sizeof(ulpfft_import_report), 0, 0, 0, 0, NULL}

/* All or nothing: a text that is not wisdom changes nothing. report may be NULL. */
ULPFFT_RESULT ulpfft_status ulpfft_wisdom_import_file(ulpfft_context* context, const char* path, ulpfft_import_report* report);
ULPFFT_RESULT ulpfft_status ulpfft_wisdom_import_string(ulpfft_context* context, const char* text, size_t length,
                                                        ulpfft_import_report* report);
/* Merges with what the file already holds, and replaces it atomically. */
ULPFFT_RESULT ulpfft_status ulpfft_wisdom_export_file(ulpfft_context* context, const char* path);
/* The user's file: $ULPFFT_WISDOM, else $XDG_CACHE_HOME/ulpfft/wisdom.json, else ~/.cache/ulpfft/wisdom.json. "" without any of
 * them. The system's: /etc/ulpfft/wisdom.json. */
ULPFFT_API const char* ulpfft_wisdom_user_path(void);
ULPFFT_API const char* ulpfft_wisdom_system_path(void);
/* Imports the system's file, then the user's. The report is the sum.
 * A file that does not exist is not an error. A file that everybody may write to is one.
 * A file that belongs to somebody else than the user or root is one. */
ULPFFT_RESULT ulpfft_status ulpfft_wisdom_import_default(ulpfft_context* context, ulpfft_import_report* report);
/* Merges into the user's file; its folder is made if missing. */
ULPFFT_RESULT ulpfft_status ulpfft_wisdom_export_default(ulpfft_context* context);
/* NULL on failure. */
ULPFFT_RESULT char* ulpfft_wisdom_export_string(ulpfft_context* context);
ULPFFT_API size_t ulpfft_wisdom_count(ulpfft_context* context);
ULPFFT_RESULT ulpfft_status ulpfft_wisdom_forget(ulpfft_context* context);

typedef struct ulpfft_wisdom_entry {
  size_t size; /* sizeof(ulpfft_wisdom_entry) */
  char problem[257];
  char machine[65];
  char recipe[257];
  double seconds;
  double spread;
  double error;
  char effort[17];
  int usable; /* nonzero: of this machine and its codelets */
  int threads;
  char error_level[17]; /* "predicted", "sampled", "full" */
} ulpfft_wisdom_entry;
#define ULPFFT_WISDOM_ENTRY_INIT {sizeof(ulpfft_wisdom_entry), "", "", "", 0.0, 0.0, 0.0, "", 0, 0, ""}
ULPFFT_RESULT ulpfft_status ulpfft_wisdom_get(ulpfft_context* context, size_t index, ulpfft_wisdom_entry* entry);

/* ---- Pass costs: what estimate goes by ------------------------------------------------------------------------------ */

/* Times every codelet of the context's target at every memory level on one thread, for about `seconds`, and keeps the table: estimates of
 * this context use it from then on, and it is exported with wisdom. Without it a table shipped with the library serves.
 * seconds 0: 2 s, and longer where the machine is so busy that one round over all codelets takes longer.
 * Codelets that were not timed at every level by then keep their shipped costs. An error where none was. */
ULPFFT_RESULT ulpfft_status ulpfft_calibrate(ulpfft_context* context, double seconds);
/* Nonzero when the context has pass costs measured on this machine. */
ULPFFT_API int ulpfft_is_calibrated(ulpfft_context* context);

/* This machine's name in wisdom, e.g. "x86.25.17.avx3". context NULL: of the default context. */
ULPFFT_API const char* ulpfft_machine(ulpfft_context* context);

#ifdef __cplusplus
}
#endif

#endif /* ULPFFT_C_WISDOM_H_ */
