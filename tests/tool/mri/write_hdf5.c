/* SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0 */
/* write_hdf5 OUT.h5 {NAME TYPE DIMS RAW}...: datasets of numbers as they lie in the file RAW. TYPE is c64 (a compound of r and i)
   or f32, with a z in chunks of one outermost index, compressed; DIMS e.g. 2,4,16,16. */
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int fail(const char* what) {
  fprintf(stderr, "write_hdf5: %s\n", what);
  return 1;
}

int main(int argc, char** argv) {
  if (argc < 2 || (argc - 2) % 4 != 0) return fail("usage: write_hdf5 OUT.h5 {NAME TYPE DIMS RAW}...");
  hid_t file = H5Fcreate(argv[1], H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  if (file < 0) return fail("cannot create the file");
  hid_t links = H5Pcreate(H5P_LINK_CREATE);
  H5Pset_create_intermediate_group(links, 1);
  for (int i = 2; i < argc; i += 4) {
    hid_t type = H5Tcopy(H5T_NATIVE_FLOAT);
    size_t bytes = sizeof(float);
    if (strncmp(argv[i + 1], "c64", 3) == 0) {
      bytes = 2 * sizeof(float);
      type = H5Tcreate(H5T_COMPOUND, bytes);
      H5Tinsert(type, "r", 0, H5T_NATIVE_FLOAT);
      H5Tinsert(type, "i", sizeof(float), H5T_NATIVE_FLOAT);
    }
    hsize_t dims[8];
    int rank = 0;
    size_t count = 1;
    for (char* at = argv[i + 2]; rank < 8 && *at != '\0'; at += *at == ',') {
      dims[rank] = strtoull(at, &at, 10);
      count *= (size_t)dims[rank++];
    }
    void* numbers = calloc(count + 1, bytes);
    FILE* raw = fopen(argv[i + 3], "rb");
    if (numbers == NULL || raw == NULL || fread(numbers, bytes, count, raw) != count) return fail("cannot read the numbers");
    fclose(raw);
    hid_t space = H5Screate_simple(rank, dims, NULL);
    hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    if (argv[i + 1][3] == 'z') {
      dims[0] = 1;
      H5Pset_chunk(creation, rank, dims);
      H5Pset_deflate(creation, 1);
    }
    hid_t data = H5Dcreate2(file, argv[i], type, space, links, creation, H5P_DEFAULT);
    if (data < 0 || (count > 0 && H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers) < 0)) return fail("cannot write");
    H5Dclose(data);
    H5Pclose(creation);
    H5Sclose(space);
    H5Tclose(type);
    free(numbers);
  }
  H5Pclose(links);
  return H5Fclose(file) < 0 ? fail("cannot close the file") : 0;
}
