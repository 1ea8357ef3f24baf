/* Serves a list of requests on a drive or a system, on a clock of this program's own.
 *
 *   replay DRIVE SCHEDULER REQUESTS      replay --system EXPERIMENT.toml REQUESTS
 *
 * REQUESTS has a line `arrival_us lba sectors R|W` each; printed is `number completion_ps`.
 * cc replay.c $(pkg-config --cflags --libs platterlab)
 */
#include <platterlab.h>
#include <stdio.h>
#include <string.h>

static int failed(const char *what) {
  fprintf(stderr, "replay: %s: %s\n", what, platterlab_error());
  return 2;
}

/* Comes to an instant, and prints what is over by then. */
static int advance(struct platterlab_stepper *disk, uint64_t to_ps) {
  struct platterlab_done done[16];
  if (platterlab_advance(disk, to_ps) != 0) return -1;
  for (ptrdiff_t count; (count = platterlab_completions(disk, done, 16)) != 0;) {
    if (count < 0) return -1;
    for (ptrdiff_t i = 0; i < count; i++)
      printf("%llu %llu\n", (unsigned long long)done[i].number,
             (unsigned long long)done[i].completion_ps);
  }
  return 0;
}

int main(int argc, char **argv) {
  if (argc != 4) {
    fprintf(stderr, "replay DRIVE SCHEDULER REQUESTS | --system EXPERIMENT REQUESTS\n");
    return 2;
  }
  struct platterlab_stepper *disk = strcmp(argv[1], "--system") == 0
                                        ? platterlab_system(argv[2], 0)
                                        : platterlab_drive(argv[1], argv[2], 0);
  if (disk == NULL) return failed(argv[1]);
  FILE *list = fopen(argv[3], "r");
  if (list == NULL) return perror(argv[3]), 2;
  unsigned long long at_us, lba;
  unsigned sectors;
  char way;
  while (fscanf(list, "%llu %llu %u %c", &at_us, &lba, &sectors, &way) == 4) {
    uint64_t at_ps = at_us * 1000000, next;
    struct platterlab_request request = {.lba = lba, .sectors = sectors, .write = way == 'W'};
    while ((next = platterlab_next_event(disk)) < at_ps)
      if (advance(disk, next) != 0) return failed("on the way");
    if (platterlab_submit(disk, at_ps, &request, NULL) != 0) return failed("a request");
  }
  fclose(list);
  for (uint64_t next; (next = platterlab_next_event(disk)) != PLATTERLAB_NEVER;)
    if (advance(disk, next) != 0) return failed("at the end");
  platterlab_free(disk);
  return 0;
}
