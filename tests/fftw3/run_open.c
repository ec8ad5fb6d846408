/* SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0 */
/* Opens a library by its path, and prints whose it is: run_open FILE SYMBOL */
#include <dlfcn.h>
#include <stdio.h>

int main(int count, char** words) {
  void* const library = count == 3 ? dlopen(words[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  const char* const version = library != NULL ? (const char*)dlsym(library, words[2]) : NULL;
  if (version == NULL) return 1;
  puts(version);
  return 0;
}
