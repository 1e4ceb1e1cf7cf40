/* SPDX-License-Identifier: MIT */
/* Walks that are interrupted end soon, and have neither a verdict nor a rate. */
#include "support/support.h"

#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>

#include "lab/engines/choose.h"
#include "lab/ops/jacobi9/jacobi9.h"
#include "lab/ops/table.h"
#include "toolkit/base/clock.h"
#include "toolkit/base/watch.h"

static void assert_no_run(const struct qp_record *record)
{
    assert_int_equal(record->verdict, QP_SKIP);
    assert_string_equal(record->reason, "interrupted before its first run");
    assert_true(isnan(record->glups) && isnan(record->seconds));
}

static volatile sig_atomic_t stopped;

static void stop(int signal)
{
    stopped = signal;
}

/* In the midst of a run of minutes, which then counts for nothing. */
TEST(an_interrupt_ends_a_run)
{
    const struct qp_variant *variant = qp_variant_find("jacobi9/bands_cpu");
    const struct itimerval soon = {.it_value.tv_usec = 50000};
    struct qp_problem problem, *const problems[] = {&problem};
    struct qp_bench_desc desc = {.iterations = 1 << 30, .repeats = 2, .interrupt = &stopped};
    struct qp_record record;
    assert_ok(qp_problem_create(&(struct qp_problem_desc){.width = 16, .height = 8}, &problem));
    signal(SIGALRM, stop);
    assert_int_equal(setitimer(ITIMER_REAL, &soon, NULL), 0);
    assert_ok(qp_bench(NULL, &variant, problems, 1, &desc, &record));
    qp_problem_destroy(&problem);
    assert_int_equal(stopped, SIGALRM);
    assert_no_run(&record);
}

/* Steps of stage 9 that are interrupted as they are taken. */
static int steps_taken;

static void step_and_stop(const struct qp_problem *problem, const double *old, double *new,
                          double *scale)
{
    qp_op_jacobi9.step(problem, old, new, scale);
    steps_taken++;
    stopped = SIGINT;
}

static void stop_behind_unpack(void *user, enum qp_stage stage, struct qp_plan *plan,
                               double seconds)
{
    (void)user, (void)plan, (void)seconds;
    if (stage == QP_STAGE_UNPACK)
        stopped = SIGINT;
}

static struct qp_op stopping;

static enum qp_status make_stopping(void *user, int number, int width, int height, int systems,
                                    struct qp_problem *out)
{
    const struct qp_problem_desc desc = {.width = width, .height = height, .systems = systems};
    enum qp_status status = qp_problem_create(&desc, out);
    (void)user, (void)number;
    out->op = &stopping;
    steps_taken = 0;
    stopped = 0;
    return status;
}

/* Walks, benchmarks and checks a variant whose stage 9 is interrupted at its first step of
 * seven. */
static void assert_no_verdict(const struct qp_variant *variant)
{
    const struct qp_walk_desc walk = {.iterations = 7, .interrupt = &stopped};
    const struct qp_bench_desc bench = {.iterations = 7, .repeats = 2, .interrupt = &stopped};
    const struct qp_check_desc check = {.make = make_stopping, .interrupt = &stopped};
    struct qp_problem problem, *const problems[] = {&problem};
    struct qp_result result;
    struct qp_record record;
    struct qp_tally tally;
    stopping.name = variant->op; /* variants know their operation by its address */
    assert_ok(make_stopping(NULL, 0, 16, 8, 1, &problem));
    assert_ok(qp_walk(NULL, variant, &problem, &walk, &result));
    assert_true(result.verdict == QP_SKIP && result.iterations == 7 && steps_taken == 1);
    assert_non_null(strstr(result.reason, ": interrupted"));
    stopped = 0;
    assert_ok(qp_bench(NULL, &variant, problems, 1, &bench, &record));
    assert_int_equal(steps_taken, 2);
    assert_no_run(&record);
    qp_problem_destroy(&problem);
    assert_ok(qp_check(NULL, &variant, 1, &check, &tally));
    assert_true(stopped != 0 && tally.passed == 0 && tally.failed == 0);
    assert_int_equal(qp_tally_verdict(&tally), QP_SKIP);
}

/* Answers that were not compared to the end did not pass. */
TEST(an_interrupt_ends_stage_9)
{
    const struct qp_variant *variant = qp_variant_find("jacobi9/bands_cpu");
    struct qp_walk_desc walk = {.iterations = 7,
                                .interrupt = &stopped,
                                .keep_solution = true,
                                .on_stage = stop_behind_unpack};
    struct qp_problem problem;
    struct qp_result result;
    stopping = qp_op_jacobi9;
    stopping.step = step_and_stop;
    assert_no_verdict(variant);
    stopping = qp_op_jacobi9;
    stopping.witness = step_and_stop;
    assert_no_verdict(qp_variant_find("jacobi9/reference"));
    assert_ok(make_stopping(NULL, 0, 16, 8, 1, &problem));
    assert_ok(qp_walk(NULL, variant, &problem, &walk, &result));
    assert_true(result.verdict == QP_SKIP && problem.reference == NULL);
    assert_string_equal(result.reason, "stage 9, reference: interrupted");
    assert_non_null(result.solution.values); /* the steps taken are not lost */
    qp_matrix_destroy(&result.solution);
    qp_problem_destroy(&problem);
}

/* A watcher of an elimination stops it at a part of its way, 0 to 1. */
static int parts_told;

static void stop_at(void *user, double part)
{
    const double *end = user;
    assert_true(part >= 0.0 && part <= 1.0);
    parts_told++;
    if (part >= *end)
        stopped = SIGTERM;
}

/* The same variant, whole, is right afterwards: nothing of what was left stays. */
static void assert_left(struct qp_context *context, const struct qp_variant *variant,
                        struct qp_problem *problem, double end)
{
    const struct qp_watch watch = {.interrupt = &stopped, .on_part = stop_at, .user = &end};
    const struct qp_walk_desc walk = {.iterations = 1, .unchecked = true, .keep_solution = true};
    struct qp_result result;
    stopped = 0;
    parts_told = 0;
    const struct qp_watch before = qp_watch_set(watch);
    const enum qp_status status = qp_walk(context, variant, problem, &walk, &result);
    qp_watch_set(before);
    assert_ok(status);
    const struct qp_problem_desc next = {.op = "gauss_jordan", .width = 3, .height = 3};
    struct qp_problem other;
    assert_ok(qp_problem_create(&next, &other)); /* other work begins anew */
    qp_problem_destroy(&other);
    if (parts_told == 0 || stopped == 0 || result.verdict != QP_SKIP ||
        !qp_watch_is_sentence(result.reason) || result.solution.values != NULL)
        fail_msg("%s: left at %g, told %d parts, verdict %s: %s", variant->name, end, parts_told,
                 qp_verdict_name(result.verdict), result.reason);
    assert_ok(qp_walk(context, variant, problem, &(struct qp_walk_desc){.iterations = 1}, &result));
    if (result.verdict != QP_PASS)
        fail_msg("%s: afterwards %s", variant->name, result.reason);
}

/* A warm-up of minutes ends soon, on either backend. */
static void warm_up_is_left(struct qp_context *context, const char *name)
{
    const struct qp_variant *variant = qp_variant_find(name);
    const struct itimerval soon = {.it_value.tv_usec = 50000};
    const struct qp_walk_desc walk = {
        .iterations = 1, .warm_seconds = 100.0, .interrupt = &stopped};
    struct qp_problem problem;
    struct qp_result result;
    assert_ok(qp_problem_create(&(struct qp_problem_desc){.width = 16, .height = 8}, &problem));
    stopped = 0;
    signal(SIGALRM, stop);
    const double begin = qp_clock();
    assert_int_equal(setitimer(ITIMER_REAL, &soon, NULL), 0);
    assert_ok(qp_walk(context, variant, &problem, &walk, &result));
    assert_true(qp_clock() - begin < 50.0);
    assert_int_equal(result.verdict, QP_SKIP);
    qp_problem_destroy(&problem);
    stopped = 0;
}

TEST(warm_ups_on_the_cpu_are_left)
{
    warm_up_is_left(NULL, "jacobi9/openmp");
}

CLEAN_TEST(warm_ups_on_opengl_are_left)
{
    warm_up_is_left(support_need_context(state), "jacobi9/luminance");
}

/* Every elimination but those of other libraries, and CUDA's. */
static void eliminations_are_left(struct qp_context *context, enum qp_backend backend)
{
    int seen = 0;
    for (size_t i = 0; i < qp_variant_count(); i++) {
        const struct qp_variant *variant = qp_variant_at(i);
        struct qp_problem problem;
        if (strcmp(variant->op, "gauss_jordan") != 0 || variant->backend != backend ||
            qp_variant_library(variant) != NULL || qp_variant_is_bound(variant))
            continue;
        const struct qp_problem_desc desc = {.op = "gauss_jordan",
                                             .width = 130,
                                             .height = 130,
                                             .systems = qp_variant_systems(variant)};
        assert_ok(qp_problem_create(&desc, &problem));
        const bool fits = qp_plan_check(context, variant, &problem, QP_RECTANGLE) == QP_OK;
        for (int half = 0; half < 2 && fits; half++) /* at 0 some still warm up */
            assert_left(context, variant, &problem, 0.5 * half);
        seen += fits;
        qp_problem_destroy(&problem);
    }
    assert_true(seen > 1);
}

TEST(eliminations_on_the_cpu_are_left)
{
    eliminations_are_left(NULL, QP_CPU);
}

CLEAN_TEST(eliminations_on_opengl_are_left)
{
    eliminations_are_left(support_need_context(state), QP_GL);
}

GROUP(support_open_context, support_close_context)
