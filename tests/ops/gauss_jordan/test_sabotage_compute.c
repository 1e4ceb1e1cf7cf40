/* SPDX-License-Identifier: MIT */
/* Convention 3 for eliminations in compute shaders: every read is dropped and shifted, every write
 * dropped, and each must be found out. */
#include "support/mutants.h"

#include <string.h>

#include "toolkit/gl/shaders.h"

static const struct job {
    const char *row, *shaders; /* the names of its own begin so */
    struct qp_problem_desc desc;
    int files, least; /* shaders and mutants that there must be */
} jobs[] = {
    /* blocks of 8 and of 32 columns, the last one incomplete, and tiles of 64 */
    {"gauss_jordan/blocked_compute",
     "gauss_jordan/compute_",
     {.op = "gauss_jordan", .kind = "general", .width = 75, .height = 70, .seed = 7},
     6,
     30},
    /* more systems than fit in a row */
    {"gauss_jordan_batch/registers_compute",
     "gauss_jordan_batch/registers.comp",
     {.op = "gauss_jordan_batch", .kind = "general", .width = 5, .height = 37, .seed = 7},
     1,
     4},
};

/* Nothing in its place, and the texels right of it and above. */
static void strike_reads(struct victim *victim, const char *call, const char *const by[2])
{
    for (const char *at = victim->text; (at = strstr(at, call)) != NULL; at++)
        mutants_strike_call(victim, at, by, 2);
}

/* The log of exchanges is read by the host alone (tests/ops/gauss_jordan/test_pivots.c), and nobody
 * judges the columns left of x (tests/ops/gauss_jordan/test_blocked_compute.c). */
static void strike_writes(struct victim *victim)
{
    if (strstr(victim->name, "_identity") != NULL)
        return;
    for (const char *at = victim->text; (at = strstr(at, "imageStore(")) != NULL; at++) {
        const char *end = mutants_end_of_call(at), *with = strstr(at, "WITH)");
        if (with == NULL || with > end)
            mutants_sabotage(victim, at, end, "0.0");
    }
}

static void strike(struct victim *victim)
{
    static const char *const image[] = {" + ivec2(1, 0))", " + ivec2(0, 1))"};
    static const char *const sampler[] = {" + vec2(1.0, 0.0))", " + vec2(0.0, 1.0))"};
    mutants_read(victim->name, victim->text);
    strike_reads(victim, "imageLoad(", image);
    strike_reads(victim, "texture2DRect(", sampler);
    strike_writes(victim);
    /* a row that should give way to a pivot stays */
    mutants_replace(victim, "at[r] == k + c ? best.row : at[r]", "at[r]");
}

static void hunt(void **state, const struct job *job)
{
    struct qp_problem problem;
    assert_ok(qp_problem_create(&job->desc, &problem));
    struct victim victim = {.context = support_need_context(state),
                            .variant = qp_variant_find(job->row),
                            .problem = &problem};
    struct qp_result result = mutants_walk(&victim, 1);
    int files = 0;
    mutants_tally = (struct mutants_tally){0};
    for (const struct qp_shader_file *file = qp_shader_files;
         file->name != NULL && result.verdict != QP_SKIP; file++) {
        victim.name = file->name;
        if (strncmp(file->name, job->shaders, strlen(job->shaders)) != 0)
            continue;
        strike(&victim);
        files++;
    }
    const enum qp_verdict after = mutants_walk(&victim, 1).verdict;
    qp_problem_destroy(&problem);
    if (result.verdict == QP_SKIP)
        skip();
    assert_true(result.verdict == QP_PASS && after == QP_PASS); /* unharmed */
    assert_int_equal(mutants_tally.survived, 0);
    assert_int_equal(files, job->files);
    assert_true(mutants_tally.made >= job->least);
}

CLEAN_TEST(blocks_are_judged)
{
    hunt(state, &jobs[0]);
}

CLEAN_TEST(batches_are_judged)
{
    hunt(state, &jobs[1]);
}

GROUP(mutants_set_up, mutants_tear_down)
