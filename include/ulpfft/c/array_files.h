/* SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0 */
/* Arrays in files: narrow arrays, which are read and written, and NumPy's .npy files, which are read. ulpfft.h includes it. */
#ifndef ULPFFT_C_ARRAY_FILES_H_
#define ULPFFT_C_ARRAY_FILES_H_

#include "ulpfft/c/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Arrays in files -------------------------------------------------------------------------------------------------- */

/* A narrow array is NAME.json and the files that it names: codes, scales of block formats, and powers of two where there are any. They are
 * written as NAME.codes.npy, NAME.scales.npy and NAME.exponents.npy. docs/formats.md has the fields of NAME.json and the shapes of the files.
 *
 * Shapes      `shape` counts numbers, complex ones as one. Rows run along `axis`; the other axes keep their order, the last one fastest.
 *             Codes and scales lie as ulpfft_format_layout() says of rows of shape[axis] numbers, twice as many reals of complex ones.
 * Empty       a length of 0 and no axis at all (rank 0, one number, axis 0) are possible.
 * Links       are followed where files are read. A link in the place of a file that is written is replaced.
 * Errors      ULPFFT_IO: a file cannot be opened, read or written. ULPFFT_INVALID_TEXT: it holds something else than it should; the text range
 *             is that of the bytes at fault in the file. ULPFFT_UNKNOWN_NAME: a format that this build does not have. ULPFFT_UNSUPPORTED: a type
 *             of NumPy that is no number. ULPFFT_NO_MEMORY. Messages begin with the file and its field, and so does the field of the error:
 *             "shape", "descr", "codes", "data". */

/* An array as its files hold it. Begin with ULPFFT_STORED_ARRAY_INIT. */
typedef struct ulpfft_stored_array {
  size_t size;                   /* sizeof(ulpfft_stored_array) */
  const char* storage;           /* as in ulpfft_problem, e.g. "mxfp8_e4m3:b8". Of a .npy file f32, f64, f16, i8 or i16, or NULL where its
                                    numbers are no codes of a storage, as those of int32 */
  int is_complex;                /* numbers are two reals, re first */
  int rank;                      /* 0..64 */
  const int64_t* shape;          /* `rank` lengths */
  int axis;                      /* that rows run along; of a .npy file the fastest one */
  const void* codes;
  const void* scales;            /* of block formats, else NULL */
  const int32_t* exponents;      /* NULL, or numbers are codes times 2^exponent; row-major in exponent_shape */
  const int64_t* exponent_shape; /* NULL, or `rank` lengths: those of shape, or 1 along axes that share an exponent */
  int64_t code_bytes;            /* of all codes. Where an array is written: 0, or checked against the bytes that storage and shape ask for */
  int64_t scale_bytes;           /* of all scales, likewise */
  int64_t exponent_count;        /* of all exponents, likewise */
  /* The rest is told of files that are read, and not looked at where an array is written. */
  const char* numpy_type;        /* of the file of codes, e.g. "<f2" or "|u1" */
  int first_axis_fastest;        /* a .npy file in Fortran order: the first axis varies fastest, the last one slowest */
  int64_t codes_begin;           /* the byte of the file of codes at which they begin */
  const char* codes_path;
  const char* scales_path;       /* NULL where there are none */
  const char* exponents_path;    /* NULL where there are none */
} ulpfft_stored_array;
#define ULPFFT_STORED_ARRAY_INIT \
  {sizeof(ulpfft_stored_array), NULL, 0, 0, NULL, 0, NULL, NULL, NULL, NULL, 0, 0, 0, NULL, 0, 0, NULL, NULL, NULL}

/* An array that is open for reading. Any number of threads may read it at once. */
typedef struct ulpfft_array_file ulpfft_array_file;

/* Opens NAME.json with the files it names, or any other name as a .npy file (versions 1 to 3, both byte orders, both orders of axes; bool,
 * integers, float16 to float64, complex64 and complex128). Every header is read, and sizes of files are checked against it; the numbers are
 * not read, and no memory is taken for them. On failure *file is NULL. */
ULPFFT_RESULT ulpfft_status ulpfft_array_file_open(const char* path, ulpfft_array_file** file);
/* What the file holds: code_bytes, scale_bytes and exponent_count tell the memory that reading needs. codes, scales and exponents are NULL.
 * Texts and lengths stay valid until the file is closed. */
ULPFFT_RESULT ulpfft_status ulpfft_array_file_get(const ulpfft_array_file* file, ulpfft_stored_array* array);
/* The parts of an array. */
enum { ULPFFT_CODES = 0, ULPFFT_SCALES = 1, ULPFFT_EXPONENTS = 2 };
/* Reads the bytes first .. first + bytes - 1 of a part into memory, in the byte order of this machine. Both are multiples of the bytes of a
 * number of the file: so larger arrays than memory can be read piece by piece. */
ULPFFT_RESULT ulpfft_status ulpfft_array_file_read(const ulpfft_array_file* file, int part, int64_t first, int64_t bytes, void* into);
/* NULL is allowed. */
ULPFFT_API void ulpfft_array_file_close(ulpfft_array_file* file);

/* Writes a narrow array. path ends in ".json".
 * Every file is written beside its place, as NAME.part and digits, the first of which are the number of the process, and gets its name when
 * all of them are complete and on the disk. A failure removes what was written, and old files are as they were. While the files get their
 * names there is no NAME.json, rather than one that describes other codes. A process that is killed may leave files NAME.part... behind;
 * while it writes them they are locked (flock).
 * A file that would exceed the process's limit on file sizes is an error; SIGXFSZ is not delivered. */
ULPFFT_RESULT ulpfft_status ulpfft_array_file_write(const char* path, const ulpfft_stored_array* array);

#ifdef __cplusplus
}
#endif

#endif /* ULPFFT_C_ARRAY_FILES_H_ */
