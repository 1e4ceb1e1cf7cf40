/* SPDX-License-Identifier: MIT */
/* Figure 21 with variants on the CPU: who is as near after as many steps, who needs fewer, what is
 * printed and recorded. */
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tools/cmd/paper/bench_paper5_async.h"

enum { STEPS = 40, MANY = 160 };

static struct command command;
static struct paper_bench *bench;
static struct paper5_async *async;

static const char *waits; /* NULL: none */

static enum qp_status hold(const char *const *rows, const int *sizes)
{
    static const char *const opponents[] = {"poisson5/no_such_row", "poisson5/sequential", NULL};
    static const char *const doubles[] = {"poisson5/openmp_blocked_double", NULL};
    static const int alphas[] = {0, 2, -1};
    const struct paper5_contest contest = {.variants = rows,
                                           .opponents = opponents,
                                           .waits = waits,
                                           .doubles = doubles,
                                           .sizes = sizes,
                                           .alphas = alphas,
                                           .few = alphas,
                                           .steps = STEPS,
                                           .many = MANY,
                                           .runs = 2};
    return paper5_async_contest(bench, &contest, async);
}

static int open_bench(void **state)
{
    static struct options options = {.paper = 5};
    (void)state;
    bench = calloc(1, sizeof *bench);
    async = calloc(PAPER5_CONTESTS, sizeof *async);
    assert_true(bench != NULL && async != NULL);
    bench->options = &options;
    bench->command = &command;
    command = (struct command){.options = &options};
    return 0;
}

static int close_bench(void **state)
{
    (void)state;
    free(command.records);
    free(bench);
    free(async);
    return 0;
}

/* Three problems at the first size and one at the second, two variants each, which take no
 * alpha. */
TEST(equals_and_better_ones, .setup_func = open_bench, .teardown_func = close_bench)
{
    static const char *const rows[] = {"poisson5/openmp_blocked", "poisson5/openmp_red_black",
                                       NULL};
    static const int sizes[] = {64, 32, -1};
    assert_ok(hold(rows, sizes));
    assert_string_equal(async->reason, "");
    assert_int_equal(async->scenes, 4);
    assert_int_equal(async->points, 8);
    assert_string_equal(async->opponent->name, "poisson5/sequential");
    for (int k = 0; k < async->points; k++) {
        const struct paper5_point *point = &async->point[k];
        const int launches = point->equal.launches[QP_EQUAL_LARGEST];
        assert_int_equal(point->scene, k / 2);
        assert_int_equal(point->alpha, 0);
        if (point->scene == 2) /* field, whose distances do not fall with every step */
            assert_true(launches >= (k % 2 == 0 ? STEPS : 1) && launches < STEPS + 10);
        else if (k % 2 == 0)
            assert_int_equal(launches, STEPS);
        else
            assert_true(launches > STEPS / 3 && launches < 2 * STEPS / 3);
        assert_true(point->equal.distance[QP_EQUAL_LARGEST] <=
                    async->scene[point->scene].enough[QP_EQUAL_LARGEST]);
    }
    /* The spike's place in its block is another cell, and so is what is near. */
    const struct qp_marked_cell *first = &command.records[0].cell,
                                *middle = &command.records[3].cell;
    assert_int_equal(first->x % 64, 0);
    assert_int_equal(first->y % 8, 0);
    assert_int_equal(middle->x % 64, 32);
    assert_int_equal(middle->y % 8, 4);
}

TEST(records_are_kept, .setup_func = open_bench, .teardown_func = close_bench)
{
    static const char *const rows[] = {"poisson5/openmp_blocked", NULL};
    static const int sizes[] = {40, -1};
    assert_ok(hold(rows, sizes));
    assert_int_equal(command.count, 2 * async->scenes);
    assert_int_equal(command.records[0].cell.x % 64, 0); /* half of 40 is amid a block, too */
    assert_int_equal(command.records[0].cell.y % 8, 0);
    for (int k = 0; k < command.count; k++) {
        const struct qp_record *record = &command.records[k];
        if (strcmp(record->problem, "field") == 0)
            continue;
        assert_int_equal(record->iterations, STEPS);
        assert_int_equal(record->width, 40);
        assert_true(record->error <= record->tolerance && record->error > 0.0);
        assert_true(fabs(record->glups * record->seconds - 1e-9 * 1600 * STEPS) < 1e-12);
        assert_int_equal(record->sample_count, 2);
        assert_true(fabs(record->samples[0] + record->samples[1] - 2.0 * record->seconds) < 1e-12);
        assert_true(record->seconds_min == fmin(record->samples[0], record->samples[1]));
        assert_true(isnan(record->spread)); /* two samples have no spread */
        assert_int_equal(record->block, k % 2 == 0 ? 0 : async->point[k / 2].block);
        assert_int_equal(record->parts.alpha, 0);
    }
}

/* The variant that waits is timed before the opponent, whose distance counts; one that cannot run
 * is left out. */
TEST(a_row_that_waits_stands_beside, .setup_func = open_bench, .teardown_func = close_bench)
{
    static const char *const rows[] = {"poisson5/openmp_blocked", NULL};
    static const int sizes[] = {40, -1};
    waits = "poisson5/openmp_red_black";
    assert_ok(hold(rows, sizes));
    assert_int_equal(command.count, 3 * async->scenes);
    for (int k = 0; k < async->scenes; k++) {
        const struct qp_record *record = &command.records[3 * k];
        assert_string_equal(record[0].variant->name, waits);
        assert_ptr_equal(async->scene[k].waits, record[0].variant);
        assert_true(async->scene[k].waits_seconds == record[0].seconds);
        assert_string_equal(record[1].variant->name, "poisson5/sequential");
        assert_true(async->scene[k].enough[0] == record[1].error);
        assert_true(record[0].error != record[1].error);
    }
    *async = (struct paper5_async){0};
    command.count = 0;
    waits = "poisson5/rgba"; /* without a context */
    assert_ok(hold(rows, sizes));
    assert_int_equal(command.count, 2 * async->scenes);
    assert_null(async->scene[0].waits);
    waits = NULL;
}

/* Opens a context in which poisson5/rgba does not compile; NULL without OpenGL. */
static struct qp_context *open_spoilt(void)
{
    static const char folder[] = QP_BUILD_DIR "/tests/spoilt";
    struct qp_context *context = NULL;
    char path[512];
    mkdir(folder, 0777);
    snprintf(path, sizeof path, "%s/poisson5", folder);
    mkdir(path, 0777);
    snprintf(path, sizeof path, "%s/poisson5/rgba.frag", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("void main() { no }\n", file);
    fclose(file);
    setenv("QUADPASS_SHADER_DIR", folder, 1);
    qp_context_create(NULL, &context);
    return context;
}

/* A variant that fails has its record and its sentence, and others go on. */
TEST(failures_leave_the_others, .setup_func = open_bench, .teardown_func = close_bench)
{
    static const char *const rows[] = {"poisson5/rgba", "poisson5/openmp_blocked", NULL};
    static const int sizes[] = {40, -1};
    command.context = open_spoilt();
    const enum qp_status status = command.context != NULL ? hold(rows, sizes) : QP_NO_DEVICE;
    const bool opened = command.context != NULL;
    qp_context_destroy(&command.context);
    unsetenv("QUADPASS_SHADER_DIR");
    if (!opened)
        skip();
    assert_ok(status);
    assert_int_equal(async->scenes, 3);
    assert_int_equal(async->points, 3);
    assert_int_equal(bench->failed, 3);
    assert_non_null(strstr(async->reason, "poisson5/rgba: "));
    assert_int_equal(command.count, 9);
    const struct qp_record *record = &command.records[1];
    assert_string_equal(record->variant->name, rows[0]);
    assert_int_equal(record->verdict, QP_FAIL);
    assert_string_equal(record->reason, async->reason);
    assert_true(isnan(record->seconds) && record->sample_count == 0);
    assert_string_equal(record[1].variant->name, rows[1]);
    assert_int_equal(record[1].verdict, QP_PASS);
}

/* A variant that cannot run ends it with the reason. */
TEST(reasons_are_told, .setup_func = open_bench, .teardown_func = close_bench)
{
    static const char *const rows[] = {"poisson5/reference", "poisson5/rgba", NULL};
    static const int sizes[] = {16, -1};
    assert_ok(hold(rows, sizes));
    assert_int_equal(async->scenes, 0);
    assert_true(async->reason[0] != '\0');
}

static const char *printed(void)
{
    static char text[16384];
    FILE *out = tmpfile();
    assert_non_null(out);
    bench->out = out;
    paper5_async_print(bench, async);
    rewind(out);
    text[fread(text, 1, sizeof text - 1, out)] = '\0';
    fclose(out);
    return text;
}

/* Numbers that are all different, each in its place. */
TEST(tables_hold_what_was_measured, .setup_func = open_bench, .teardown_func = close_bench)
{
    *async = (struct paper5_async){
        .opponent = qp_variant_find("poisson5/cuda_naive"),
        .steps = 1000,
        .many = 4096,
        .scene = {{"spike, first cell of its block",
                   "poisson5/sequential_double",
                   4096,
                   {0.25, 0.5},
                   0.1}},
        .scenes = 1,
        .point = {{qp_variant_find("poisson5/cuda_async2"),
                   0,
                   6,
                   8,
                   {6, {200, 1}, {210, 220}, {230, 300}, 0.05, 0.04, 0.08, {0.2, 0.3}}},
                  {qp_variant_find("poisson5/cuda_async1"), 0, 2, 8, {.alpha = 2, .seconds = NAN}}},
        .points = 2,
        .variant = {qp_variant_find("poisson5/cuda_async2")},
        .components = {{32768, 132, 16}, {1, 1, 1}}, /* the second is of no variant */
        .variants = 1};
    const char *text = printed();
    static const char *const wanted[] = {
        "32768     132      16       15.52",
        "0.25 from 4096 steps of poisson5/sequential_double\n(2-norm 0.5), in 100.000 ms",
        "poisson5/cuda_async2           6     8      210      200-230     1.47     1.54     2.00   "
        " 1.25   2.50",
        "poisson5/cuda_async1           2     8    never            -        -        -        -",
        "best here: poisson5/cuda_async2, alpha 6, blocks of 64 x 8: 2.00",
        "async2 1.3 at alpha 6, with T_eff/T = 1.7; async3 2.5"};
    for (int k = 0; k < COUNT(wanted); k++) {
        if (strstr(text, wanted[k]) == NULL)
            fail_msg("'%s' is not in\n%s", wanted[k], text);
    }
    *async = (struct paper5_async){.reason = "no device"};
    assert_non_null(strstr(printed(), "not measured: no device"));
}
