/* SPDX-License-Identifier: MIT */
/* Kernels that nobody wrote (tests/support/random_kernel.h): the interpreter, the device and
 * generated programs compute the same bits where functions are exact, and are as near as the
 * interpreter's bound elsewhere; what one of them refuses, a kind of the kernel explains.
 *
 * QUADPASS_RANDOM=20000 is how many, QUADPASS_SEED=1 the first frame's seed, of ten kernels each,
 * QUADPASS_KINDS="moved names" the odd kinds, QUADPASS_JOBS=16 how many batches run at once, and
 * QUADPASS_KEEP=folder gets each kernel that differs, with its files. */
#include "support/random_batch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "support/shell.h"

enum { KERNELS = 160, LONG_KERNELS = 10000 };

static struct random_shared *slots; /* a slot for each batch that runs */

/* Takes a batch in a process of its own: one that crashes is known by its seeds, and others go
 * on. */
static void start_batch(struct random_shared *slot, uint64_t seed, unsigned kinds, int count)
{
    void *state = NULL;
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child > 0) {
        slot->process = child; /* by the parent alone: a slot of 0 is free */
        return;
    }
    batch.shared = slot;
    batch.frames = count;
    snprintf(folder, strlen(folder) + 1, "/tmp/quadpass-test-XXXXXX");
    assert_true(make_folder(&state) == 0);
    support_open_context(&state);
    batch.context = state;
    random_batch_take(seed, kinds);
    support_close_context(&state);
    remove_folder(&state);
    exit(0);
}

/* Waits for a batch; false for one that was ended. */
static bool end_batch(int jobs)
{
    int ending;
    const pid_t child = wait(&ending);
    for (int i = 0; i < jobs; i++)
        slots[i].process = slots[i].process == child ? 0 : slots[i].process;
    if (ending != 0)
        print_message("a batch ended with %d\n", ending);
    return ending == 0;
}

static uint64_t setting(const char *name, uint64_t usual)
{
    const char *text = getenv(name);
    return text != NULL ? strtoull(text, NULL, 10) : usual;
}

static int jobs_at_once(void)
{
    const int jobs = (int)setting("QUADPASS_JOBS", 1);
    return jobs > 0 ? jobs : 1;
}

static unsigned chosen_kinds(void)
{
    const char *text = getenv("QUADPASS_KINDS");
    unsigned kinds = 0;
    for (int bit = 0; bit < RANDOM_KINDS; bit++)
        if (text == NULL || strcmp(text, "all") == 0 || strstr(text, random_kind_name(bit)) != NULL)
            kinds |= 1u << bit;
    return kinds;
}

static struct random_shared sum(int jobs)
{
    struct random_shared all = {.kernels = 0};
    for (int i = 0; i < jobs; i++) {
        const struct random_count *count = &slots[i].count;
        all.kernels += slots[i].kernels;
        all.count.answers += count->answers;
        all.count.refused += count->refused;
        all.count.differ += count->differ;
        all.count.unsettled += count->unsettled;
        all.count.cells += count->cells;
        all.count.exact += count->exact;
        all.count.doubtful += count->doubtful;
    }
    return all;
}

static void print_counts(const struct random_shared *all, double seconds)
{
    const struct random_count *count = &all->count;
    print_message("%d kernels, %d answers, %d refused, %d differ; of %ld values %.1f %% compared "
                  "bit for bit, %.1f %% in doubt, %ld left to compilers; %.2f "
                  "kernels a second\n",
                  all->kernels, count->answers, count->refused, count->differ, count->cells,
                  100.0 * (double)count->exact / (double)count->cells,
                  100.0 * (double)count->doubtful / (double)count->cells, count->unsettled,
                  all->kernels / seconds);
}

TEST(random_kernels)
{
    const int all = (int)setting("QUADPASS_RANDOM", support_takes_long() ? LONG_KERNELS : KERNELS),
              jobs = jobs_at_once(), batches = (all + RANDOM_BATCH - 1) / RANDOM_BATCH;
    const uint64_t seed = setting("QUADPASS_SEED", 34);
    const time_t start = time(NULL);
    struct random_shared counted;
    bool good = true;
    for (int next = 0, running = 0; next < batches || running > 0;) {
        int slot = 0;
        while (slot < jobs && slots[slot].process > 0)
            slot++;
        if (next < batches && slot < jobs) {
            const int left = (all - next * RANDOM_BATCH + RANDOM_BODIES - 1) / RANDOM_BODIES;
            start_batch(&slots[slot], seed + (uint64_t)(next++ * RANDOM_FRAMES), chosen_kinds(),
                        left < RANDOM_FRAMES ? left : RANDOM_FRAMES);
            running++;
            continue;
        }
        good = end_batch(jobs) && good;
        running--;
        counted = sum(jobs);
        print_counts(&counted, difftime(time(NULL), start) + 0.5);
    }
    assert_true(good);
    assert_int_equal(counted.count.differ, 0);
    if (getenv("QUADPASS_KINDS") != NULL) /* some of which leave most to compilers */
        return;
    assert_true(counted.count.exact > counted.count.cells / 2);
    assert_true(counted.count.doubtful < counted.count.cells / 4);
}

static int begin(void **state)
{
    (void)state;
    batch.of = malloc(sizeof *batch.of * RANDOM_BATCH);
    slots = mmap(NULL, sizeof *slots * (size_t)jobs_at_once(), PROT_READ | PROT_WRITE,
                 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return batch.of != NULL && slots != MAP_FAILED ? 0 : -1;
}

static int end(void **state)
{
    if (batch.shared != NULL) /* a batch that a failure ended */
        remove_folder(state);
    free(batch.of);
    return munmap(slots, sizeof *slots * (size_t)jobs_at_once());
}

GROUP(begin, end)
