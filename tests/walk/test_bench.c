/* SPDX-License-Identifier: MIT */
/* Times of a benchmark by a clock that the test sets, which goes on only while something is
 * uploaded, computed or read back, so that each time is known beforehand. */
/* wrap: qp_clock qp_nvml_read glTexImage2D glReadPixels glBegin */
#include "support/support.h"

#include <math.h>
#include <string.h>

#include "lab/plan/op.h"
#include "support/relax.h"
#include "toolkit/base/clock.h"
#include "toolkit/gl/context/context.h"

/* ---- A stopped clock ---- */

static bool stands;
static double now;                    /* time that the clock shows */
static double upload, draw, readback; /* time that the clock goes on by each call of OpenGL's */
static double sweep[8];               /* time that it goes on by each sweep, one after the other */
static int sweeps, draws, looks;
static char order[32]; /* order of the sweeps */

/* clang-format off */
double __real_qp_clock(void), __wrap_qp_clock(void);
bool __wrap_qp_nvml_read(struct qp_context *, enum qp_backend, double *, unsigned *);
void __wrap_glTexImage2D(GLenum, GLint, GLint, GLsizei, GLsizei, GLint, GLenum, GLenum, const void *);
void __real_glTexImage2D(GLenum, GLint, GLint, GLsizei, GLsizei, GLint, GLenum, GLenum, const void *);
void __wrap_glReadPixels(GLint, GLint, GLsizei, GLsizei, GLenum, GLenum, void *);
void __real_glReadPixels(GLint, GLint, GLsizei, GLsizei, GLenum, GLenum, void *);
void __wrap_glBegin(GLenum), __real_glBegin(GLenum);
/* clang-format on */

double __wrap_qp_clock(void)
{
    if (!stands)
        return __real_qp_clock();
    if (++looks > 100000)
        fail_msg("somebody waits for a clock that stands still");
    return now;
}

void __wrap_glTexImage2D(GLenum target, GLint level, GLint internal, GLsizei width, GLsizei height,
                         GLint border, GLenum format, GLenum type, const void *texels)
{
    now += upload;
    __real_glTexImage2D(target, level, internal, width, height, border, format, type, texels);
}

void __wrap_glReadPixels(GLint x, GLint y, GLsizei width, GLsizei height, GLenum format,
                         GLenum type, void *texels)
{
    now += readback;
    __real_glReadPixels(x, y, width, height, format, type, texels);
}

void __wrap_glBegin(GLenum primitive)
{
    now += draw;
    draws++;
    __real_glBegin(primitive);
}

/* A GPU whose clock falls and rises again; other variants have none. */
static bool has_gpu;
static int readings;

bool __wrap_qp_nvml_read(struct qp_context *context, enum qp_backend backend, double *mhz,
                         unsigned *reasons)
{
    static const double clocks[] = {1980.0, 1410.0, 1755.0};
    static const unsigned bits[] = {0, 4, 1};
    (void)context, (void)backend;
    if (!has_gpu)
        return false;
    *mhz = clocks[readings % 3];
    *reasons = bits[readings++ % 3];
    return true;
}

/* ---- Variants that run ---- */

static void first_sweep(const struct qp_kernel_grid *grid, void *const output[])
{
    relax_sweep(grid, output);
    now += sweep[sweeps % COUNT(sweep)];
    order[sweeps++ % (COUNT(order) - 1)] = 'a';
}

static void second_sweep(const struct qp_kernel_grid *grid, void *const output[])
{
    relax_sweep(grid, output);
    now += sweep[sweeps % COUNT(sweep)];
    order[sweeps++ % (COUNT(order) - 1)] = 'b';
}

enum { WIDTH = 6, HEIGHT = 5 };

/* `count` of these variants on one small grid, from the first sweep and an empty order on. */
static void bench(struct qp_context *context, const struct qp_trial *op, unsigned rows,
                  const struct qp_variant *const variant[], const struct qp_bench_desc *desc,
                  struct qp_record *records)
{
    struct qp_problem problem, *const problems[] = {&problem, &problem};
    assert_ok(qp_trial_problem(op, WIDTH, HEIGHT, 1, &problem));
    sweeps = draws = looks = 0;
    memset(order, 0, sizeof order);
    stands = true;
    enum qp_status status = qp_bench(context, variant, problems, (int)rows, desc, records);
    stands = false;
    qp_problem_destroy(&problem);
    assert_ok(status);
}

static bool near(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fabs(b);
}

/* ---- Tests ---- */

/* Seconds are the median, seconds_min the least, of all iterations together; rates follow. */
TEST(medians_count)
{
    static const double five[] = {5.0, 1.0, 3.0, 2.0, 9.0}, four[] = {8.0, 1.0, 2.0, 5.0};
    struct qp_trial *op = relax_make();
    const struct qp_variant *variant = relax_add_sweep(op, "timed", first_sweep);
    struct qp_record r;
    memcpy(sweep, five, sizeof five);
    bench(NULL, op, 1, &variant,
          &(struct qp_bench_desc){.iterations = 1, .repeats = 5, .cold = true}, &r);
    assert_true(sweeps == 5 && near(r.seconds, 3.0) && near(r.seconds_min, 1.0));
    assert_true(near(r.glups, 1e-9 * WIDTH * HEIGHT / 3.0));
    assert_true(near(r.gflops, 1e-9 * 5 * WIDTH * HEIGHT / 3.0));        /* as the op says */
    assert_true(near(r.gbytes_per_s, 1e-9 * 12 * WIDTH * HEIGHT / 3.0)); /* x, f, and x again */
    memcpy(sweep, four, sizeof four);
    bench(NULL, op, 1, &variant,
          &(struct qp_bench_desc){.iterations = 1, .repeats = 4, .cold = true}, &r);
    assert_true(near(r.seconds, 3.5) && near(r.seconds_min, 1.0));
    bench(NULL, op, 1, &variant,
          &(struct qp_bench_desc){.iterations = 4, .repeats = 1, .cold = true}, &r);
    assert_true(near(r.seconds, 16.0) && near(r.glups, 1e-9 * WIDTH * HEIGHT * 4 / 16.0));
    assert_true(r.upload_seconds == 0.0 && r.readback_seconds == 0.0);
    qp_trial_destroy(&op);
}

/* All variants in turn, then all again. */
TEST(repeats_are_interleaved)
{
    struct qp_trial *op = relax_make();
    const struct qp_variant *const variants[] = {relax_add_sweep(op, "one", first_sweep),
                                                 relax_add_sweep(op, "other", second_sweep)};
    struct qp_record r[2];
    for (int i = 0; i < COUNT(sweep); i++)
        sweep[i] = 1.0;
    bench(NULL, op, 2, variants,
          &(struct qp_bench_desc){.iterations = 2, .repeats = 3, .cold = true}, r);
    assert_string_equal(order, "aabbaabbaabb");
    qp_trial_destroy(&op);
}

/* Runs one variant on the CPU, whose sweeps take these eight times again and again; returns its
 * samples' number. */
static int count_samples(const struct qp_bench_desc *desc, const double *times, struct qp_record *r)
{
    struct qp_trial *op = relax_make();
    const struct qp_variant *variant = relax_add_sweep(op, "timed", first_sweep);
    memcpy(sweep, times, sizeof sweep);
    bench(NULL, op, 1, &variant, desc, r);
    assert_int_equal(sweeps, r->sample_count * desc->iterations);
    qp_trial_destroy(&op);
    return r->sample_count;
}

/* The record has its samples in their order, and their spread. */
TEST(records_have_their_spread)
{
    static const double five[8] = {5.0, 1.0, 3.0, 2.0, 9.0};
    struct qp_bench_desc desc = {.iterations = 1, .repeats = 5, .cold = true};
    struct qp_record r;
    assert_int_equal(count_samples(&desc, five, &r), 5);
    for (int i = 0; i < 5; i++)
        assert_true(near(r.samples[i], five[i]));
    assert_true(near(r.spread, (5.0 - 2.0) / 3.0));
    desc.repeats = 2;
    count_samples(&desc, five, &r);
    assert_true(isnan(r.spread) && near(r.seconds, 3.0));
}

/* Until the spread is below 2 %, with five samples or nine of short runs, or the share of the time
 * is over, with three; the first walk is in no share. */
TEST(rows_repeat_until_they_are_quiet)
{
    static const struct {
        double share;
        double times[8];
        int samples;
    } cases[] = {
        {0.0, {0.02, 0.02, 0.02, 0.02, 0.02, 0.02, 0.02, 0.02}, 5},
        {0.0, {0.0099, 0.0099, 0.0099, 0.0099, 0.0099, 0.0099, 0.0099, 0.0099}, 9},
        {50.0, {1.0, 0.99, 1.009, 2.0, 0.5, 9.0, 9.0, 9.0}, 5},  /* 1.9 % */
        {5.5, {1.0, 0.99, 1.011, 2.0, 0.5, 1.02, 1.0, 1.0}, 6},  /* 2.1 %, then the time is over */
        {50.0, {1.0, 0.99, 1.011, 2.0, 0.5, 1.02, 1.0, 1.0}, 8}, /* 2.1, 2.5, 2.05, 1.6 % */
        {0.0, {0.25, 0.5, 0.25, 0.5, 0.25, 0.5, 0.25, 0.5}, 4},  /* 1.25 s without the first */
        {3.0, {0.25, 0.5, 0.25, 0.5, 0.25, 0.5, 0.25, 0.5}, 9},  /* 3.0 s */
        {0.0, {100.0, 1.0, 100.0, 1.0, 1.0, 1.0, 1.0, 1.0}, 3},  /* least of all */
        {1e9, {1.0, 2.0, 1.0, 2.0, 1.0, 2.0, 1.0, 2.0}, 100},    /* most */
    };
    struct qp_record r;
    for (int k = 0; k < COUNT(cases); k++) {
        struct qp_bench_desc desc = {.iterations = 1, .cold = true, .share = cases[k].share};
        assert_int_equal(count_samples(&desc, cases[k].times, &r), cases[k].samples);
        desc.repeats = 4; /* whoever says how many gets as many */
        assert_int_equal(count_samples(&desc, cases[k].times, &r), 4);
        desc.repeats = 12;
        assert_int_equal(count_samples(&desc, cases[k].times, &r), 12);
    }
}

/* A variant that has enough is left out of later rounds. */
TEST(quiet_rows_wait_for_others)
{
    static const double times[8] = {0.02, 0.02, 0.02, 0.03, 0.02, 0.04, 0.02, 0.05};
    struct qp_trial *op = relax_make();
    const struct qp_variant *const variants[] = {relax_add_sweep(op, "one", first_sweep),
                                                 relax_add_sweep(op, "other", second_sweep)};
    struct qp_record r[2];
    memcpy(sweep, times, sizeof times);
    bench(NULL, op, 2, variants,
          &(struct qp_bench_desc){.iterations = 1, .cold = true, .share = 0.24}, r);
    assert_string_equal(order, "ababababab"
                               "bbbb");
    assert_true(r[0].spread == 0.0 && r[1].spread > 0.1);
    qp_trial_destroy(&op);
}

TEST(repeats_have_a_limit)
{
    struct qp_trial *op = relax_make();
    const struct qp_variant *variant = relax_add_sweep(op, "slow", first_sweep);
    struct qp_problem problem, *const problems[] = {&problem};
    struct qp_bench_desc desc = {.iterations = 1, .repeats = QP_MOST_REPEATS, .cold = true};
    struct qp_record r;
    bench(NULL, op, 1, &variant, &desc, &r);
    assert_int_equal(sweeps, 100);
    assert_ok(qp_trial_problem(op, WIDTH, HEIGHT, 1, &problem));
    desc.repeats = 101;
    assert_int_equal(qp_bench(NULL, &variant, problems, 1, &desc, &r), QP_BAD_USE);
    support_assert_sentence("100");
    desc.repeats = 0;
    desc.share = -1.0;
    assert_int_equal(qp_bench(NULL, &variant, problems, 1, &desc, &r), QP_BAD_USE);
    support_assert_sentence("a share of -1 seconds");
    qp_problem_destroy(&problem);
    qp_trial_destroy(&op);
}

/* A GPU's clock is read once for each timed run; the least counts, and every reason. */
TEST(records_have_the_least_clock)
{
    static const double times[8] = {1.0};
    struct qp_bench_desc desc = {.iterations = 3, .repeats = 3, .cold = true};
    struct qp_record r;
    readings = 0;
    count_samples(&desc, times, &r);
    assert_true(readings == 0 && r.clock_mhz == 0.0 && r.throttled == 0);
    has_gpu = true;
    count_samples(&desc, times, &r);
    has_gpu = false;
    assert_int_equal(readings, 3);
    assert_true(r.clock_mhz == 1410.0);
    assert_int_equal(r.throttled, 1 | 4);
    assert_string_equal(qp_throttle_name(0), "application clocks");
    assert_string_equal(qp_throttle_name(1), "power cap");
    assert_null(qp_throttle_name(-1));
    assert_null(qp_throttle_name(8));
}

/* Without a word about them about 2^24 updates, at least 10 steps and at most 200. */
TEST(iterations_have_a_default)
{
    static const int cases[][3] = {
        {16, 16, 200}, {290, 290, 199}, {512, 512, 64}, {1280, 1024, 12}, {2048, 1024, 10}};
    const struct qp_variant *variant = qp_variant_find("jacobi9/luminance");
    for (int k = 0; k < COUNT(cases); k++) {
        struct qp_problem_desc grid = {.width = cases[k][0], .height = cases[k][1]};
        struct qp_problem problem, *const problems[] = {&problem};
        struct qp_record r; /* skipped for want of a context, but not before its record began */
        assert_ok(qp_problem_create(&grid, &problem));
        assert_ok(
            qp_bench(NULL, &variant, problems, 1, &(struct qp_bench_desc){.no_device = "no"}, &r));
        assert_int_equal(r.iterations, cases[k][2]);
        qp_problem_destroy(&problem);
    }
}

/* 256 steps of the operation on so small a grid: a launch of an asynchronous variant takes alpha +
 * 1 of them, and where fewer are left than that there is one; those asked for are launches. */
TEST(launches_share_the_steps)
{
    static const int cases[][3] = {
        {0, 0, 36}, {0, 2, 85}, {0, 1000, 1}, {5, 2, 5}}; /* asked for, alpha, launches */
    const struct qp_variant *variant = qp_variant_find("poisson5/compute_async2");
    const struct qp_problem_desc grid = {.op = "poisson5", .width = 16, .height = 16};
    struct qp_problem problem, *const problems[] = {&problem};
    assert_ok(qp_problem_create(&grid, &problem));
    for (int k = 0; k < COUNT(cases); k++) {
        const struct qp_bench_desc desc = {
            .iterations = cases[k][0], .parts = {.alpha = cases[k][1]}, .no_device = "no"};
        struct qp_record r; /* likewise */
        assert_ok(qp_bench(NULL, &variant, problems, 1, &desc, &r));
        assert_int_equal(r.iterations, cases[k][2]);
    }
    qp_problem_destroy(&problem);
}

/* Warming up is not timed: a tenth of a second of sweeps, or of draws on hardware, comes first. */
CLEAN_TEST(rows_warm_up)
{
    struct qp_bench_desc desc = {.iterations = 1, .repeats = 1};
    struct qp_trial *op = relax_make();
    const struct qp_variant *variant = relax_add_sweep(op, "warm", first_sweep);
    struct qp_record r;
    for (int i = 0; i < COUNT(sweep); i++)
        sweep[i] = 0.03;
    bench(NULL, op, 1, &variant, &desc, &r);
    assert_int_equal(sweeps, 4 + 1); /* 0.09 s are too few */
    assert_true(near(r.seconds, 0.03));
    struct qp_context *context = *state;
    if (context != NULL) {
        const bool software = context->device.software;
        variant = relax_add(op, "drawn", relax_plain);
        upload = readback = 0.0;
        draw = 0.03;
        context->device.software = false;
        bench(context, op, 1, &variant, &desc, &r);
        context->device.software = true;
        const int warm = draws;
        bench(context, op, 1, &variant, &desc, &r);
        context->device.software = software;
        assert_true(warm == 4 + 1 && draws == 1 + 1);
    }
    qp_trial_destroy(&op);
    support_need_context(state);
}

/* Each stage's time in its own field. Uploading takes a call for each texture. */
CLEAN_TEST(transfers_are_apart)
{
    struct qp_context *context = support_need_context(state);
    const struct qp_variant *variant = qp_variant_find("jacobi9/luminance");
    struct qp_bench_desc desc = {.iterations = 5, .repeats = 3, .cold = true};
    struct qp_problem problem, *const problems[] = {&problem};
    struct qp_record r;
    assert_ok(
        qp_problem_create(&(struct qp_problem_desc){.width = WIDTH, .height = HEIGHT}, &problem));
    upload = 1e-3, draw = 1.0, readback = 1e3;
    stands = true;
    const enum qp_status status = qp_bench(context, &variant, problems, 1, &desc, &r);
    stands = false;
    qp_problem_destroy(&problem);
    assert_ok(status);
    assert_int_equal(r.verdict, QP_PASS);
    assert_true(near(r.seconds, 5.0) && near(r.seconds_min, 5.0));
    assert_true(near(r.readback_seconds, 1e3));
    assert_true(r.upload_seconds > 0.9e-3 && r.upload_seconds < 0.1);
}

GROUP(support_open_context, support_close_context)
