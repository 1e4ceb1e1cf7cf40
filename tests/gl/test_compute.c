/* SPDX-License-Identifier: MIT */
/* Compute shaders: results that do not depend on how invocations are grouped, and a choice of
 * groups that is measured once. */
/* own program: for clock_gettime, which it answers */
#include "support/support.h"

#include <dlfcn.h>
#include <math.h>
#include <string.h>
#include <time.h>

#include "toolkit/gl/groups.h"

static const char *const names[] = {"jacobi9/compute", "jacobi9/compute_abreast"};

static void skip_without(struct qp_context *context)
{
    if (!(qp_context_device(context)->abilities & QP_CAN_COMPUTE))
        skip();
}

static struct qp_result walk(struct qp_context *context, const char *name,
                             struct qp_problem *problem, struct qp_group group,
                             enum qp_texture_target target)
{
    struct qp_walk_desc desc = {.iterations = 7,
                                .group_x = group.x,
                                .group_y = group.y,
                                .target = target,
                                .keep_solution = true};
    struct qp_result result;
    assert_ok(qp_walk(context, qp_variant_find(name), problem, &desc, &result));
    return result;
}

/* All that are tried, and others that fit no size. */
CLEAN_TEST(groups_give_the_same_bits)
{
    static const struct qp_group odd[] = {{1, 1}, {3, 5}, {7, 1}, {1, 9}, {1024, 1}};
    struct qp_context *context = support_need_context(state);
    struct qp_problem problem;
    skip_without(context);
    assert_ok(qp_problem_create(&(struct qp_problem_desc){.width = 77, .height = 19}, &problem));
    for (int k = 0; k < 2 * COUNT(names); k++) {
        struct qp_result wanted = {0};
        for (int i = 0; i < COUNT(odd) || qp_group_at(i - COUNT(odd)) != NULL; i++) {
            struct qp_group group = i < COUNT(odd) ? odd[i] : *qp_group_at(i - COUNT(odd));
            struct qp_result got =
                walk(context, names[k / 2], &problem, group, k % 2 ? QP_2D : QP_RECTANGLE);
            assert_true(got.verdict == QP_PASS && got.group_x == group.x && got.group_y == group.y);
            if (i > 0)
                assert_memory_equal(got.solution.values, wanted.solution.values,
                                    77 * 19 * sizeof(float));
            qp_matrix_destroy(i > 0 ? &got.solution : NULL);
            wanted = i > 0 ? wanted : got;
        }
        qp_matrix_destroy(&wanted.solution);
    }
    qp_problem_destroy(&problem);
}

/* The group is one of the list, named by the result and by a record; variants that draw have
 * none. */
CLEAN_TEST(the_choice_is_told)
{
    struct qp_context *context = support_need_context(state);
    const struct qp_variant *variants[] = {qp_variant_find(names[0]), qp_variant_find("rgba")};
    struct qp_problem problem, *const problems[] = {&problem, &problem};
    struct qp_record records[2];
    struct qp_bench_desc desc = {.iterations = 2, .repeats = 1};
    skip_without(context);
    assert_ok(qp_problem_create(&(struct qp_problem_desc){.width = 77, .height = 19}, &problem));
    assert_ok(qp_bench(context, variants, problems, 2, &desc, records));
    bool listed = false;
    for (int i = 0; qp_group_at(i) != NULL; i++)
        listed = listed || (qp_group_at(i)->x == records[0].group_x &&
                            qp_group_at(i)->y == records[0].group_y);
    assert_true(listed && records[0].verdict == QP_PASS);
    assert_true(records[1].group_x == 0 && records[1].group_y == 0);
    struct qp_result again =
        walk(context, names[0], &problem, (struct qp_group){0, 0}, QP_RECTANGLE);
    assert_true(again.group_x == records[0].group_x && again.group_y == records[0].group_y);
    qp_matrix_destroy(&again.solution);
    qp_problem_destroy(&problem);
}

/* More invocations than a device takes: the driver's words come back. */
CLEAN_TEST(too_large_groups_fail)
{
    struct qp_context *context = support_need_context(state);
    struct qp_problem problem;
    skip_without(context);
    assert_ok(qp_problem_create(&(struct qp_problem_desc){.width = 8, .height = 8}, &problem));
    const struct qp_walk_desc desc = {.iterations = 1, .group_x = 4096, .group_y = 4096};
    struct qp_result result;
    assert_int_equal(qp_walk(context, qp_variant_find(names[0]), &problem, &desc, &result),
                     QP_BAD_USE);
    support_assert_sentence("together at most");
    qp_problem_destroy(&problem);
}

/* A context without OpenGL 4.3 skips these variants by name, and is asked for no more than
 * before. */
CLEAN_TEST(without_compute_rows_are_skipped)
{
    struct qp_context *context = support_need_context(state);
    struct qp_problem problem;
    unsigned abilities = context->device.abilities;
    assert_ok(qp_problem_create(&(struct qp_problem_desc){.width = 8, .height = 8}, &problem));
    context->device.abilities &= ~(unsigned)QP_CAN_COMPUTE;
    for (int i = 0; i < COUNT(names); i++) {
        struct qp_result result =
            walk(context, names[i], &problem, (struct qp_group){0, 0}, QP_RECTANGLE);
        assert_int_equal(result.verdict, QP_SKIP);
        assert_string_equal(result.reason, "this device cannot do: compute shaders (OpenGL 4.3)");
    }
    context->device.abilities = abilities;
    qp_problem_destroy(&problem);
}

/* ---- A clock that only dispatches move on ---- */

static double now;
static bool stands_still; /* else it is the system's */
static unsigned fast;     /* groups in a row of those that take the least time */
static PFNGLDISPATCHCOMPUTEPROC dispatch;

int clock_gettime(clockid_t clock, struct timespec *time)
{
    int (*real)(clockid_t, struct timespec *);
    *(void **)&real = dlsym(RTLD_NEXT, "clock_gettime");
    if (!stands_still)
        return real(clock, time);
    time->tv_sec = (time_t)now;
    time->tv_nsec = (long)(1e9 * (now - (double)time->tv_sec));
    return 0;
}

static void GLAPIENTRY take_time(GLuint x, GLuint y, GLuint z)
{
    now += x == fast ? 0.25 : 0.5;
    dispatch(x, y, z);
}

/* 75 texels lie in two groups of 64; of sizes that take as long the first is taken. */
CLEAN_TEST(the_fastest_is_taken)
{
    struct qp_context *context = support_need_context(state);
    struct qp_problem problem;
    skip_without(context);
    assert_ok(qp_problem_create(&(struct qp_problem_desc){.width = 300, .height = 64}, &problem));
    dispatch = __glewDispatchCompute;
    __glewDispatchCompute = take_time;
    stands_still = true;
    fast = 2;
    struct qp_result result =
        walk(context, names[0], &problem, (struct qp_group){0, 0}, QP_RECTANGLE);
    stands_still = false;
    __glewDispatchCompute = dispatch;
    assert_true(result.group_x == 64 && result.group_y == 1);
    qp_matrix_destroy(&result.solution);
    qp_problem_destroy(&problem);
}

static int trials;

/* The fifth size is the fastest, but the second time only. */
static enum qp_status try(void *user, struct qp_group group, double *seconds)
{
    const struct qp_group *fifth = qp_group_at(4);
    trials++;
    *seconds = group.x == fifth->x && group.y == fifth->y && trials > 12 ? 1.0 : 2.0;
    return *(enum qp_status *)user;
}

TEST(the_fastest_is_chosen_and_remembered)
{
    static struct qp_context context; /* nothing but its memory is used */
    enum qp_status fails = QP_DEVICE, good = QP_OK;
    struct qp_group best;
    assert_int_equal(qp_groups_choose(&context, "a", 1, 1000, try, &fails, &best), QP_DEVICE);
    for (int k = 0; k < 3; k++) {
        trials = 0;
        assert_ok(qp_groups_choose(&context, "a", 1, 1000 + k, try, &good, &best));
        assert_memory_equal(&best, qp_group_at(4), sizeof best);
        assert_int_equal(trials > 0, k == 0);
    }
    for (int k = 0; k < 3; k++) { /* another size, target or shader is another question */
        trials = 0;
        assert_ok(qp_groups_choose(&context, k == 0 ? "b" : "a", k == 1 ? 2 : 1,
                                   k == 2 ? 1 << 20 : 1000, try, &good, &best));
        assert_true(trials > 0);
    }
    for (long texels = 1; texels < 1L << 60; texels *= 2) /* the oldest is forgotten */
        assert_ok(qp_groups_choose(&context, "c", 1, texels, try, &good, &best));
    assert_ok(qp_groups_choose(&context, "d", 1, 1, try, &good, &best));
    trials = 0;
    assert_ok(qp_groups_choose(&context, "a", 1, 1000, try, &good, &best));
    assert_true(trials > 0);
}

GROUP(support_open_context, support_close_context)
