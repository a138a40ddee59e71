// Lets each sync to disk of the process that loads it take longer, by as many ms as the file says that
// SLOW_SYNC_FILE names: what a disk does that is overloaded. It waits where the process would.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <stdio.h>
#include <unistd.h>

typedef int Sync(int);

static useconds_t asked(void) {
  const char *name = getenv("SLOW_SYNC_FILE");
  FILE *file = name == NULL ? NULL : fopen(name, "r");
  long ms = 0;
  if (file == NULL) return 0;
  if (fscanf(file, "%ld", &ms) != 1) ms = 0;
  fclose(file);
  return (useconds_t)ms * 1000;
}

int fdatasync(int file) {
  usleep(asked());
  return ((Sync *)dlsym(RTLD_NEXT, "fdatasync"))(file);
}
