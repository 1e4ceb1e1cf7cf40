/* SPDX-License-Identifier: MIT */
/* Cases of a kernel file's check: fresh sizes and inputs, which its author cannot have known. */
#include <math.h>
#include <string.h>
#include <sys/random.h>

#include "lab/trial/trial.h"
#include "toolkit/base/clock.h"
#include "toolkit/base/compare.h"
#include "toolkit/base/random.h"
#include "toolkit/base/whole.h"
#include "tools/cmd/run/trial.h"

/* Cells of a fresh size: of a side, of one that is longer than a group of threads, of all, and of a
 * size that 16 bits do not count. */
enum { MOST_SIDE = 1100, LONG_SIDE = 257, MOST_CELLS = 200000, MANY_CELLS = 1 << 16 };

/* Steps of a fresh walk, fewer than the usual most, for errors may grow from step to step. */
enum { LEAST_STEPS = 3, MOST_STEPS = 6 };

void run_trial_draw_seed(struct options *options)
{
    enum { SEEDS = 1000000 /* six digits, to be typed again */ };
    uint32_t bits;
    if (options->fixed || options->seed_given)
        return;
    if (getrandom(&bits, sizeof bits, GRND_NONBLOCK) != (ssize_t)sizeof bits)
        bits = (uint32_t)fmod(1e9 * qp_clock(), 0x1p32);
    options->seed = bits % SEEDS;
    options->seed_given = options->seed_drawn = true;
}

/* A whole number from `least` to `most`, as likely small as large: its logarithm is uniform. */
static int draw(uint64_t *state, int least, int most)
{
    const int drawn = (int)exp(qp_random(state, log(least), log(most + 1)));
    return qp_most(least, qp_least(drawn, most));
}

/* Sizes: of LONG_SIDE columns or more and MANY_CELLS, of as many rows, and any. */
static void draw_sizes(uint64_t seed, struct qp_size size[RECORDS_FRESH])
{
    for (int k = 0; k < RECORDS_FRESH; k++) {
        const int one = draw(&seed, k < 2 ? LONG_SIDE : 1, MOST_SIDE),
                  least = k == 0 ? MANY_CELLS / one + 1 : 1,
                  other = draw(&seed, least, qp_least(MOST_SIDE, MOST_CELLS / one));
        size[k] = k == 1 ? (struct qp_size){other, one} : (struct qp_size){one, other};
    }
}

int run_trial_draw_steps(const struct options *options, const struct qp_kernel_file *file)
{
    uint64_t state = file->head.has_seed ? file->head.seed : 1;
    return strcmp(options->command->name, "check") == 0 && !options->fixed
               ? (int)qp_random(&state, LEAST_STEPS, MOST_STEPS + 1)
               : 0;
}

/* True if an array of the options comes from a file. */
static bool gives_size(const struct options *options)
{
    bool gives = false;
    for (int k = 0; k < options->head.arrays; k++)
        gives = gives ||
                (options->head.array[k].from != NULL && options->head.array[k].made == QP_MADE_NOT);
    return gives;
}

void run_trial_note_head(struct run_trial *trial, const struct options *options)
{
    const struct qp_kernel_file_head *head = &trial->file->head;
    trial->cases = (struct records_cases){.seed = head->has_seed ? head->seed : 1};
    trial->cases.tolerance = options->tolerance > 0.0 ? 0.0 : head->tolerance;
    trial->cases.steps = options->iterations > 0 || options->head.steps > 0 ? 0 : head->steps;
    if (options->width == 0 && !gives_size(options))
        trial->cases.own = *trial->size;
}

void run_trial_draw(struct run_trial *trial, struct options *options)
{
    struct records_cases *cases = &trial->cases;
    run_trial_note_head(trial, options);
    cases->judged = trial->judged;
    cases->is_fresh = !options->fixed;
    if (options->iterations == 0)
        cases->fresh_steps = trial->fresh_steps;
    if (cases->is_fresh && trial->size->width == 0)
        draw_sizes(cases->seed, cases->size);
    for (int k = 0; k < trial->machines.count; k++) {
        memcpy(trial->machines.at[k].fresh, cases->size, sizeof cases->size);
        run_machine_list_sizes(&trial->machines.at[k]);
    }
    options->cases = cases;
}

/* ---- Results ---- */

static struct run_trial *trial_of(const struct qp_problem *problem)
{
    return ((const struct qp_trial *)(const void *)problem->op)->desc.user;
}

static void note(const struct qp_problem *problem, const struct qp_comparison *worst,
                 const struct qp_result *result)
{
    struct run_trial *trial = trial_of(problem);
    const int channels = trial->inputs.at[0].channels;
    trial->latest =
        (struct records_case){.x = worst->x / channels,
                              .y = worst->y % problem->height,
                              .channel = worst->x % channels,
                              .state = trial->inputs.at[worst->y / problem->height].name,
                              .got = worst->got,
                              .wanted = worst->wanted};
    run_trial_keep_both(trial, problem, worst, result);
}

void run_trial_watch(struct run_trial *trial)
{
    trial->trial->judge.note = note;
    trial->latest.x = -1;
    trial->both = (struct run_both){.told = false};
}

void run_trial_add_case(void *user, const struct qp_record *record)
{
    struct run_trial *trial = user;
    int k = 0;
    while (trial->machines.at[k].variant != record->variant)
        k++;
    if (!trial->both.told && record->verdict != QP_FAIL)
        trial->both.width = 0;
    trial->both.told |= record->verdict == QP_FAIL;
    struct records_judged *judged = &trial->judged[k];
    struct records_case *one = &judged->at[judged->count];
    if (judged->count == RECORDS_CASES || record->verdict == QP_SKIP)
        return;
    judged->count++;
    *one = trial->latest;
    one->width = record->width;
    one->height = record->height;
    one->steps = record->iterations;
    one->error = record->error;
    one->tolerance = record->tolerance;
    one->verdict = record->verdict;
    trial->latest.x = -1;
}
