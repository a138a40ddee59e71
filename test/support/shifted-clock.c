// Shifts the calendar of every process that loads it by CLOCK_SHIFT_SECONDS; monotonic clocks stay as
// they are. It is preloaded, so nothing here may allocate: a program's allocator may ask for the time
// while it starts.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

typedef int ClockGettime(clockid_t, struct timespec *);

static ClockGettime *libc_clock;
static time_t shift;

// Until this has run the kernel is asked directly, and the calendar is the real one.
__attribute__((constructor)) static void begin(void) {
  const char *seconds = getenv("CLOCK_SHIFT_SECONDS");
  if (seconds != NULL) shift = strtoll(seconds, NULL, 10);
  libc_clock = (ClockGettime *)dlsym(RTLD_NEXT, "clock_gettime");
}

int clock_gettime(clockid_t clock, struct timespec *at) {
  int failed = libc_clock ? libc_clock(clock, at) : (int)syscall(SYS_clock_gettime, clock, at);
  if (!failed && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) at->tv_sec += shift;
  return failed;
}

int gettimeofday(struct timeval *restrict at, void *restrict zone) {
  (void)zone;
  struct timespec now;
  if (clock_gettime(CLOCK_REALTIME, &now)) return -1;
  at->tv_sec = now.tv_sec;
  at->tv_usec = now.tv_nsec / 1000;
  return 0;
}

int timespec_get(struct timespec *at, int base) {
  return base == TIME_UTC && !clock_gettime(CLOCK_REALTIME, at) ? base : 0;
}

time_t time(time_t *at) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME_COARSE, &now);
  if (at != NULL) *at = now.tv_sec;
  return now.tv_sec;
}

// A wait ends at a time of the shifted calendar; the kernel has the real one. No monotonic clock
// is 31 years old.
static clockid_t to_kernel(struct timespec *until) {
  if (until->tv_sec < 1000000000) return CLOCK_MONOTONIC;
  until->tv_sec -= shift;
  return CLOCK_REALTIME;
}

int pthread_cond_timedwait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex,
                           const struct timespec *restrict at) {
  struct timespec until = *at;
  clockid_t clock = to_kernel(&until);
  return pthread_cond_clockwait(condition, mutex, clock, &until);
}

int sem_timedwait(sem_t *restrict semaphore, const struct timespec *restrict at) {
  struct timespec until = *at;
  clockid_t clock = to_kernel(&until);
  return sem_clockwait(semaphore, clock, &until);
}
