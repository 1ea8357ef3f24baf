/* Platterlab's drives and storage systems, step by step on the caller's clock.
 *
 * Made from crates/c/src/ffi.rs; do not edit. Times are picoseconds since the start, addresses are
 * sectors of a volume. A function that fails returns NULL, -1 or PLATTERLAB_NEVER, as it says,
 * changes nothing, and platterlab_error() says why. One thread at a time may use a stepper. */

#ifndef PLATTERLAB_H
#define PLATTERLAB_H

#include <stddef.h>
#include <stdint.h>

// A drive or a storage system, step by step.
typedef struct platterlab_stepper platterlab_stepper;

// No instant: nothing is to come, or the call failed.
#define PLATTERLAB_NEVER UINT64_MAX

// What is asked of a volume.
typedef struct platterlab_request {
  // First sector of the volume.
  uint64_t lba;
  // Length in sectors, at least 1.
  uint32_t sectors;
  // The volume, from 0; a drive by itself is volume 0.
  uint32_t volume;
  // 0 to read, anything else to write.
  uint32_t write;
} platterlab_request;

// A request that is over.
typedef struct platterlab_done {
  // Its number, as platterlab_submit gave it.
  uint64_t number;
  // When it arrived, in picoseconds.
  uint64_t arrival_ps;
  // When it was over, in picoseconds.
  uint64_t completion_ps;
  // Not 0 if its data could not be had or kept, for too many drives have failed.
  uint32_t lost;
} platterlab_done;

#ifdef __cplusplus
extern "C" {
#endif

// A drive behind a driver that gives it one command at a time. `profile` is a drive of the library or
// a file (.toml), `scheduler` the order in which the driver chooses (fcfs, sstf, sptf, ...), `seed` of
// every random choice. To be freed with platterlab_free. NULL if it fails.
struct platterlab_stepper *platterlab_drive(const char *profile,
                                            const char *scheduler,
                                            uint64_t seed);

// The storage system of an experiment's file, as it begins a replication (from 0); its requests are
// yours, and the workloads of the file are left out. To be freed with platterlab_free. NULL if it
// fails.
struct platterlab_stepper *platterlab_system(const char *experiment, uint32_t replication);

// Ends it. NULL is let be.
void platterlab_free(struct platterlab_stepper *stepper);

// Hands in a request that arrives at `at_ps`, not before now; its number goes to `number` unless that
// is NULL. Of two at one instant the one handed in first goes first. 0, or -1 if it fails.
int platterlab_submit(struct platterlab_stepper *stepper,
                      uint64_t at_ps,
                      const struct platterlab_request *request,
                      uint64_t *number);

// When something happens next, in picoseconds; PLATTERLAB_NEVER while nothing is to come.
uint64_t platterlab_next_event(struct platterlab_stepper *stepper);

// Lets happen what is due up to `to_ps`, that included, which is then the time. 0, or -1 if it fails:
// `to_ps` is past, or too many requests wait.
int platterlab_advance(struct platterlab_stepper *stepper, uint64_t to_ps);

// Takes up to `room` requests that are over, in the order in which they were; what there is no room
// for is given the next time. How many, or -1 if it fails.
ptrdiff_t platterlab_completions(struct platterlab_stepper *stepper,
                                 struct platterlab_done *done,
                                 size_t room);

// When a request would be over if it came now and nothing after it did, in picoseconds; nothing is
// done to the stepper. PLATTERLAB_NEVER if it fails.
uint64_t platterlab_estimate(struct platterlab_stepper *stepper,
                             const struct platterlab_request *request);

// The instant it has come to, in picoseconds; PLATTERLAB_NEVER if it fails.
uint64_t platterlab_now(struct platterlab_stepper *stepper);

// How many volumes there are; 0 if it fails.
uint32_t platterlab_volumes(struct platterlab_stepper *stepper);

// The sectors of a volume; 0 if there is none, or if it fails.
uint64_t platterlab_sectors(struct platterlab_stepper *stepper, uint32_t volume);

// Bytes in a sector, of every volume; 0 if it fails.
uint32_t platterlab_sector_bytes(struct platterlab_stepper *stepper);

// Why the last call of this thread that failed did; empty if none has. Good until the next that fails.
const char *platterlab_error(void);

// The version of the library, such as "0.1.0".
const char *platterlab_version(void);

#ifdef __cplusplus
}
#endif

#endif
