/* A time of day that somebody keeps setting: loaded before the C library's own with LD_PRELOAD.
 * Only CLOCK_REALTIME and what is told by it jump, each time it is asked for, by up to 30 years. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sys/time.h>
#include <time.h>

static int (*of_system)(clockid_t, struct timespec *);
static unsigned long asked;

int clock_gettime(clockid_t clock, struct timespec *now) {
    static const long by_s[] = {86400, -86400, 3600, -946080000, 1};
    if (!of_system) of_system = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    int done = of_system(clock, now);
    if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)
        now->tv_sec += by_s[__sync_fetch_and_add(&asked, 1) % 5];
    return done;
}

int gettimeofday(struct timeval *now, void *zone) {
    struct timespec exact;
    (void)zone;
    int done = clock_gettime(CLOCK_REALTIME, &exact);
    now->tv_sec = exact.tv_sec;
    now->tv_usec = exact.tv_nsec / 1000;
    return done;
}

time_t time(time_t *now) {
    struct timespec exact;
    clock_gettime(CLOCK_REALTIME, &exact);
    if (now) *now = exact.tv_sec;
    return exact.tv_sec;
}
