/* SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0 */
/* write_ismrmrd OUT.h5 HEADER.xml LINES RAW LAYOUT: an ISMRMRD file. LINES is a text, a line of k-space each: the numbers of kFields; the samples of all
   lines, coil by coil, follow one another in RAW as float32. LAYOUT: whole (in one piece), a number of records to a chunk, or that with a z (compressed). */
#include <hdf5.h>
#include <ismrmrd/ismrmrd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  ISMRMRD_AcquisitionHeader head;
  hvl_t traj;
  hvl_t data;
} Record;

typedef struct {
  const char* name;
  size_t offset;
  size_t bytes; /* of the integer */
} Field;

#define HEAD(member, bytes) {#member, offsetof(ISMRMRD_AcquisitionHeader, member), bytes}
#define COUNTER(member) {#member, offsetof(ISMRMRD_AcquisitionHeader, idx) + offsetof(ISMRMRD_EncodingCounters, member), 2}
static const Field kFields[] = {
    HEAD(flags, 8),          HEAD(number_of_samples, 2), HEAD(active_channels, 2),      HEAD(discard_pre, 2),          HEAD(discard_post, 2),
    HEAD(center_sample, 2),  HEAD(encoding_space_ref, 2), COUNTER(kspace_encode_step_1), COUNTER(kspace_encode_step_2), COUNTER(average),
    COUNTER(slice),          COUNTER(contrast),          COUNTER(phase),                COUNTER(repetition),           COUNTER(set),
};
enum { kHeadFields = 7, kAllFields = sizeof kFields / sizeof kFields[0] };

static void fail(const char* what) {
  fprintf(stderr, "write_ismrmrd: %s\n", what);
  exit(1);
}

static void* checked(void* memory) {
  if (memory == NULL) fail("no memory");
  return memory;
}

static char* read_all(const char* path, size_t* bytes) {
  FILE* file = fopen(path, "rb");
  if (file == NULL || fseek(file, 0, SEEK_END) != 0) fail(path);
  *bytes = (size_t)ftell(file);
  rewind(file);
  char* text = checked(calloc(*bytes + 1, 1));
  if (fread(text, 1, *bytes, file) != *bytes) fail(path);
  fclose(file);
  return text;
}

static hid_t record_type(void) {
  const size_t idx = offsetof(ISMRMRD_AcquisitionHeader, idx);
  hid_t counters = H5Tcreate(H5T_COMPOUND, sizeof(ISMRMRD_EncodingCounters)), head = H5Tcreate(H5T_COMPOUND, sizeof(ISMRMRD_AcquisitionHeader));
  for (int i = 0; i < kAllFields; ++i) {
    if (i < kHeadFields) {
      H5Tinsert(head, kFields[i].name, kFields[i].offset, kFields[i].bytes == 8 ? H5T_NATIVE_UINT64 : H5T_NATIVE_UINT16);
    } else {
      H5Tinsert(counters, kFields[i].name, kFields[i].offset - idx, H5T_NATIVE_UINT16);
    }
  }
  H5Tinsert(head, "idx", idx, counters);
  hid_t record = H5Tcreate(H5T_COMPOUND, sizeof(Record)), floats = H5Tvlen_create(H5T_NATIVE_FLOAT);
  H5Tinsert(record, "head", offsetof(Record, head), head);
  H5Tinsert(record, "traj", offsetof(Record, traj), floats);
  H5Tinsert(record, "data", offsetof(Record, data), floats);
  return record;
}

int main(int argc, char** argv) {
  if (argc != 6) fail("usage: write_ismrmrd OUT.h5 HEADER.xml LINES RAW LAYOUT");
  size_t xml_bytes = 0, line_bytes = 0, raw_bytes = 0;
  char *xml = read_all(argv[2], &xml_bytes), *lines = read_all(argv[3], &line_bytes);
  float* samples = (float*)read_all(argv[4], &raw_bytes);

  size_t count = 0, used = 0;
  Record* records = checked(calloc(line_bytes + 1, sizeof(Record)));
  for (char* line = strtok(lines, "\n"); line != NULL; line = strtok(NULL, "\n"), ++count) {
    Record* record = &records[count];
    record->head.version = 1;
    for (int i = 0; i < kAllFields; ++i) {
      const unsigned long long value = strtoull(line, &line, 10);
      memcpy((char*)&record->head + kFields[i].offset, &value, kFields[i].bytes); /* little-endian */
    }
    record->head.available_channels = record->head.active_channels;
    record->data.len = (size_t)2 * record->head.number_of_samples * record->head.active_channels;
    record->data.p = samples + used;
    used += record->data.len;
  }
  if (used * sizeof(float) != raw_bytes) fail("the samples are not as many as the lines say");

  hid_t file = H5Fcreate(argv[1], H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), group = H5Gcreate2(file, "dataset", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  hid_t text = H5Tcopy(H5T_C_S1);
  H5Tset_size(text, H5T_VARIABLE);
  hsize_t length = 1;
  hid_t one = H5Screate_simple(1, &length, NULL), header = H5Dcreate2(group, "xml", text, one, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  if (H5Dwrite(header, text, H5S_ALL, H5S_ALL, H5P_DEFAULT, &xml) < 0) fail("cannot write the header");

  hid_t type = record_type(), creation = H5Pcreate(H5P_DATASET_CREATE);
  length = count;
  if (strcmp(argv[5], "whole") != 0) {
    char* rest = NULL;
    hsize_t chunk = strtoull(argv[5], &rest, 10);
    H5Pset_chunk(creation, 1, &chunk);
    if (*rest == 'z') H5Pset_deflate(creation, 1);
  }
  hid_t space = H5Screate_simple(1, &length, NULL), data = H5Dcreate2(group, "data", type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
  if (data < 0 || (count > 0 && H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, records) < 0)) fail("cannot write the lines");
  H5Dclose(header);
  H5Dclose(data);
  H5Gclose(group);
  if (H5Fclose(file) < 0) fail("cannot close the file");
  return 0;
}
