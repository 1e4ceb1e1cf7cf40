/* SPDX-License-Identifier: MIT */
/* From a matrix to its solution: every variant, every ending, and no vector
 * read back on the way. */
#include "support/support.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "lab/engines/engines.h"
#include "lab/engines/parts/parts.h"
#include "lab/ops/jacobi9/jacobi9.h"
#include "lab/plan/half.h"
#include "toolkit/base/random.h"

/* gr_30_30; the bidomain problem on 20 x 15 nodes; one whose iterates leave float in a
 * few steps. */
static struct qp_market laplace, heart, wild;
static double load[900]; /* a right-hand side */
static volatile sig_atomic_t stop;
static int looks;

/* Whoever hands over a user wants to be interrupted. */
static void look(void *user, const struct qp_progress *progress)
{
    looks++;
    assert_true(progress->seconds > 0.0 && progress->most_steps >= progress->step);
    stop = user != NULL;
}

/* y = A x; x NULL means ones. */
static void multiply(const struct qp_market *a, const double *x, double *y)
{
    memset(y, 0, (size_t)a->rows * sizeof *y);
    for (int k = 0; k < (int)a->count; k++) {
        int i = a->dense ? k % a->rows : a->row[k], j = a->dense ? k / a->rows : a->column[k];
        y[i] += a->value[k] * (x != NULL ? x[j] : 1.0);
    }
}

/* Solves; the residual it reports is that of the x it gives. */
static struct qp_solution solve(struct qp_context *context, const struct qp_market *a,
                                const double *b, const double *start, struct qp_solve_desc desc)
{
    struct qp_solution got;
    double wanted[900], y[900], rest = 0.0, all = 0.0;
    desc.on_progress = look;
    desc.interrupt = &stop;
    stop = looks = 0;
    assert_ok(qp_solve(context, a, b, start, &desc, &got));
    multiply(a, NULL, wanted);
    multiply(a, got.x, y);
    for (int i = 0; i < a->rows; i++) {
        double right = b != NULL ? b[i] : wanted[i];
        rest += (right - y[i]) * (right - y[i]);
        all += right * right;
    }
    assert_true(fabs(got.residual - sqrt(rest / (all > 0.0 ? all : 1.0))) <=
                1e-9 * got.residual + 1e-15);
    return got;
}

/* Bytes that one solve reads back of a grid, or of a part of it: at the end the state; every 25
 * steps and to warm up a sum for each row of texels in each sheet and each channel. */
static size_t bytes_read(const struct qp_recipe *recipe, int width, int height)
{
    const struct qp_layout state = qp_layout_make(recipe->state, width, height, 1);
    const int sums = state.channels * state.sheets * state.domain_y * (looks + 1);
    return sizeof(float) * (qp_layout_values(&state) + (size_t)sums);
}

/* Bytes that a variant cut into four tiles reads: each has a halo of a cell, whole texels, beside
 * each cut. Parts in threads read in contexts of their own; one process alone has the whole. */
static size_t bytes_read_by(const struct qp_variant *variant)
{
    const struct qp_parts_variant *parts = variant->recipe->own;
    if (variant->recipe->engine != &qp_engine_parts)
        return bytes_read(variant->recipe, 30, 30);
    if (parts->place == QP_PARTS_TOGETHER)
        return 2 * bytes_read(variant->recipe, 16 + 4, 15 + 1) +
               2 * bytes_read(variant->recipe, 4 + 14, 1 + 15);
    return parts->place == QP_PARTS_THREADS ? 0 : bytes_read(qp_parts_run(parts, 0), 30, 30);
}

/* Twice the same. Sixteen bits get there in rounds, and else stop at 2^-11 for its reason. */
static void solve_row(struct qp_context *context, const struct qp_variant *variant)
{
    bool half = qp_recipe_is_half(variant->recipe);
    struct qp_solve_desc desc = {.variant = variant, .refine = half};
    size_t before = context != NULL ? qp_context_counters(context).bytes_read : 0;
    struct qp_solution got = solve(context, &laplace, NULL, NULL, desc);
    if (context != NULL && !half)
        if (qp_context_counters(context).bytes_read - before != bytes_read_by(variant))
            fail_msg("%s reads %zu bytes, not %zu", variant->name,
                     qp_context_counters(context).bytes_read - before, bytes_read_by(variant));
    assert_true(got.ending == QP_CONVERGED && got.residual <= 1e-5 && got.variant == variant);
    assert_true(got.steps == 25 * looks && got.steps > 100 && got.weight == 1.0 && got.width == 30);
    for (int i = 0; i < laplace.rows; i++)
        assert_true(fabs(got.x[i] - 1.0) < 1e-3);
    struct qp_solution again = solve(context, &laplace, NULL, NULL, desc);
    assert_int_equal(got.steps, again.steps);
    assert_memory_equal(got.x, again.x, 900 * sizeof *got.x);
    qp_solution_destroy(&got);
    qp_solution_destroy(&again);
}

static void refuse_bound(struct qp_context *context, const struct qp_variant *bound)
{
    struct qp_solve_desc desc = {.variant = bound};
    struct qp_solution got;
    assert_int_equal(qp_solve(context, &laplace, NULL, NULL, &desc, &got), QP_UNSUPPORTED);
    support_assert_sentence("a bound computes no solution");
    assert_null(got.x);
}

static void stop_at_sixteen_bits(struct qp_context *context, const struct qp_variant *variant)
{
    struct qp_solution got =
        solve(context, &laplace, NULL, NULL, (struct qp_solve_desc){.variant = variant});
    assert_true(got.ending == QP_STAGNATED && got.residual < 0x1p-8 && got.residual > 1e-5);
    assert_non_null(strstr(got.sentence, "stagnated at the floor of 16 bits"));
    qp_solution_destroy(&got);
}

CLEAN_TEST(every_row_solves)
{
    for (size_t i = 0; i < qp_variant_count(); i++) {
        const struct qp_variant *variant = qp_variant_at(i);
        if (qp_variant_is_bound(variant))
            refuse_bound(*state, variant);
        else if (strcmp(variant->op, "jacobi9") == 0 && support_is_built(variant) &&
                 (!qp_variant_draws(variant) || *state != NULL) &&
                 support_can_share(*state, variant))
            solve_row(qp_variant_draws(variant) ? *state : NULL, variant);
        if (*state != NULL && strcmp(variant->op, "jacobi9") == 0 &&
            qp_recipe_is_half(variant->recipe))
            stop_at_sixteen_bits(*state, variant);
    }
    support_need_context(state);
}

static void check_endings(struct qp_context *context)
{
    static char yes;
    static const struct {
        const struct qp_market *a;
        struct qp_solve_desc desc; /* variant, weight, tolerance, most steps, refine */
        enum qp_ending ending;
        const char *words;
    } cases[] = {
        {&laplace, {.most_steps = 1}, QP_OUT_OF_STEPS, " after 1 step in "},
        {&laplace, {.most_steps = 2}, QP_OUT_OF_STEPS, " after 2 steps in "},
        {&laplace, {.most_steps = 10}, QP_OUT_OF_STEPS, "out of steps"},
        {&laplace, {.most_steps = 70, .refine = true}, QP_OUT_OF_STEPS, "out of steps"},
        {&laplace, {.user = &yes}, QP_INTERRUPTED, "interrupted"},
        {&laplace, {.user = &yes, .refine = true}, QP_INTERRUPTED, "interrupted"},
        {&laplace, {.tolerance = 1e-12}, QP_STAGNATED, "stagnated at the floor of float"},
        {&laplace, {.tolerance = 1e-12, .refine = true}, QP_CONVERGED, "converged"},
        {&laplace, {.tolerance = 1e-5, .refine = true}, QP_CONVERGED, "converged"},
        {&heart, {.weight = 1.0}, QP_DIVERGING, "diverging"},
        {&heart, {.weight = 1.0, .refine = true}, QP_DIVERGING, "diverging"},
        {&wild, {.weight = 1.0, .refine = true}, QP_DIVERGING, "diverging"},
        {&heart, {.tolerance = 1e-10, .refine = true}, QP_CONVERGED, "converged"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct qp_solve_desc *desc = &cases[i].desc;
        struct qp_solution got = solve(context, cases[i].a, load, NULL, *desc);
        if (got.ending != cases[i].ending || strstr(got.sentence, cases[i].words) == NULL)
            fail_msg("case %zu ends with '%s'", i, got.sentence);
        assert_true(desc->user == NULL || got.steps == 25);
        assert_true(desc->most_steps == 0 || got.steps == desc->most_steps);
        assert_int_equal(got.residual <= desc->tolerance, got.ending == QP_CONVERGED);
        assert_true(!desc->refine || got.ending != QP_CONVERGED || got.residual < 2e-15);
        qp_solution_destroy(&got);
    }
}

CLEAN_TEST(endings)
{
    check_endings(NULL);
    check_endings(support_need_context(state));
}

/* Two variants, and the start 1e30 or 0; the sentence begins with the first words and has the
 * second, not the third. */
static void end_so(double first, double second, double start, struct qp_solve_desc desc,
                   const char *begin, const char *with, const char *without)
{
    struct qp_market a = support_dense(2);
    const double from[2] = {start, -start}, b[2] = {1.0, 2.0};
    *support_entry(&a, 0, 0) = first;
    *support_entry(&a, 0, 1) = *support_entry(&a, 1, 0) = 1.0;
    *support_entry(&a, 1, 1) = second;
    struct qp_solution got = solve(NULL, &a, b, from, desc);
    if (strncmp(got.sentence, begin, strlen(begin)) != 0 || strstr(got.sentence, with) == NULL ||
        (without != NULL && strstr(got.sentence, without) != NULL))
        fail_msg("%s", got.sentence);
    assert_true(isfinite(got.x[0]) && isfinite(got.x[1]) && isfinite(got.residual));
    qp_solution_destroy(&got);
    qp_market_destroy(&a);
}

/* Residuals that go up and down are no floor of float, an overflow in a device's sum is no
 * divergence, and a smaller weight is advice only where it helps: where no eigenvalue l of A D^-1
 * is 0 or below. */
CLEAN_TEST(endings_are_true_of_their_run)
{
    const struct qp_solve_desc plain = {0}, fine = {.tolerance = 1e-9}, refined = {.refine = true},
                               large = {.weight = 1.9}, whole = {.weight = 1.0};
    const double near = 1.00000001;
    end_so(1.0, near, 0.0, plain, "stagnated: residual ", "the last 1000 gained nothing", "floor");
    end_so(1.0, near, 0.0, refined, "stagnated: residual ", "no --weight is known to help",
           "floor");
    end_so(4.0, 5.0, 0.0, fine, "stagnated at the floor of float", "--refine goes below", NULL);
    end_so(4.0, 5.0, 1e30, plain, "stagnated at the floor of float", "25 steps", NULL);
    end_so(4.0, 5.0, 1e30, refined, "converged: residual ", "steps", NULL);
    end_so(1e-9, 1.0, 0.0, plain, "diverging: residual ", "does not iterate", "smaller --weight");
    end_so(0.5, 0.5, 0.0, large, "diverging: residual ", "no --weight is known to help",
           NULL); /* l is 3 and -1 */
    end_so(1.5, 1.5, 0.0, large, "diverging: residual ", "take a smaller --weight, such as 0.6",
           "elimination"); /* l is 5/3 and 1/3 */
    end_so(1.0, 1.00000012, 0.0, plain, "stagnated: residual ", "no --weight is known to help",
           "smaller"); /* l is 2 and nearly 0 */
    /* 2.5 and 1.6 times as much after 1000 steps */
    end_so(0.999084, 0.999084, 0.0, whole, "diverging: residual ", " after 1025 steps", NULL);
    end_so(0.99953, 0.99953, 0.0, whole, "stagnated: residual ", " after 1025 steps", NULL);
    end_so(4.0, 5.0, 0.0, (struct qp_solve_desc){.weight = 1e-20}, "stagnated: residual 1 ",
           "a larger --weight moves x, such as 1", "floor");
    end_so(1e-30, 1e-30, 0.0, whole, "diverging: residual 1 ",
           "taken back to the last iterate that holds numbers", "smaller --weight");
}

/* Sides as far from 1 as a file may have; the residual is outside the range of float. */
CLEAN_TEST(small_and_large_sides_converge)
{
    static const double sizes[] = {1e-44, 1e-30, 1e30, 1e38};
    double b[900];
    for (size_t k = 0; k < COUNT(sizes); k++) {
        for (int i = 0; i < 900; i++)
            b[i] = sizes[k] * (1 + i % 3);
        struct qp_solution got = solve(NULL, &laplace, b, NULL, (struct qp_solve_desc){0});
        assert_true(got.ending == QP_CONVERGED && got.x[450] > sizes[k]);
        qp_solution_destroy(&got);
    }
}

CLEAN_TEST(weights_that_float_loses)
{
    struct qp_solution got;
    const struct qp_solve_desc desc = {.weight = 1e-300};
    assert_int_equal(qp_solve(NULL, &laplace, NULL, NULL, &desc, &got), QP_BAD_USE);
    support_assert_sentence("a weight of 1e-300 is too small");
    support_assert_sentence("take a larger --weight");
}

static void take(void **state, const double *b, const double *start, int most,
                 struct qp_solution *got)
{
    *got = solve(*state, &laplace, b, start, (struct qp_solve_desc){.most_steps = most});
}

/* A step goes D^-1 (b - A x) further; where the start solves it already, and for b = 0, none
 * does. */
CLEAN_TEST(start_is_respected)
{
    double ones[900], zeros[900] = {0}, y[900];
    struct qp_solution got[4];
    multiply(&laplace, load, y);
    for (int i = 0; i < 900; i++)
        ones[i] = 1.0;
    take(state, load, load, 1, &got[0]);
    take(state, NULL, ones, 0, &got[1]);
    take(state, zeros, NULL, 0, &got[2]);
    take(state, zeros, ones, 0, &got[3]);
    for (int i = 0; i < 900; i++) {
        assert_true(fabs(got[0].x[i] - (load[i] + (load[i] - y[i]) / 8.0)) < 1e-6);
        assert_true(got[1].x[i] == 1.0 && got[2].x[i] == 0.0 && fabs(got[3].x[i]) < 1e-4);
    }
    assert_true(got[0].steps == 1 && got[1].steps == 0 && got[2].steps == 0 && got[3].steps > 0);
    for (int k = 0; k < 4; k++) {
        assert_int_equal(got[k].ending, k == 0 ? QP_OUT_OF_STEPS : QP_CONVERGED);
        qp_solution_destroy(&got[k]);
    }
}

static void refuse(const struct qp_market *a, const double *b, struct qp_solve_desc desc,
                   const char *words)
{
    struct qp_solution got = {.steps = 1};
    assert_int_equal(qp_solve(NULL, a, b, NULL, &desc, &got), QP_BAD_INPUT);
    support_assert_sentence(words);
    assert_true(got.x == NULL && got.steps == 0);
}

CLEAN_TEST(bad_input)
{
    const struct qp_solve_desc plain = {0}, small = {.width = 31, .height = 29};
    struct qp_market a = support_dense(9), wide = laplace; /* without a diagonal; not square */
    double large[900] = {[3] = INFINITY};
    *support_entry(&a, 0, 0) = 1.0;
    wide.columns = 899;
    refuse(&wide, NULL, plain, "900 x 899");
    refuse(&a, NULL, plain, "row 2 is zero");
    refuse(&laplace, large, plain, "row 4 of the right-hand side");
    refuse(&laplace, NULL, small, "899 cells");
    qp_market_destroy(&a);
}

static int set_up(void **state)
{
    uint64_t seed = 3;
    struct qp_problem problem;
    heart = support_dense(300);
    wild = support_dense(3);
    for (int k = 0; k < 9; k++)
        *support_entry(&wild, k / 3, k % 3) = abs(k / 3 - k % 3) == 1 ? 1e10 : k % 4 == 0;
    assert_ok(qp_market_read(QP_SOURCE_DIR "/data/gr_30_30.mtx", &laplace));
    assert_ok(qp_problem_create(
        &(struct qp_problem_desc){.kind = "bidomain", .width = 20, .height = 15}, &problem));
    for (int k = 0; k < 9 * 300; k++) {
        int i = k / 9, j = i + qp_band_dx(k % 9) + 20 * qp_band_dy(k % 9);
        if (j >= 0 && j < 300)
            *support_entry(&heart, i, j) += problem.field[k % 9].values[i];
    }
    for (int i = 0; i < 900; i++)
        load[i] = qp_random(&seed, -1.0, 1.0);
    qp_problem_destroy(&problem);
    return support_open_context(state);
}

static int tear_down(void **state)
{
    qp_market_destroy(&laplace);
    qp_market_destroy(&heart);
    qp_market_destroy(&wild);
    return support_close_context(state);
}

/* Each device's list holds variants of jacobi9 alone and ends with one that needs no OpenGL. */
static void check_preference(const struct qp_context *context, const char *first)
{
    const char *const *names = qp_solve_preference(context);
    const struct qp_variant *last = NULL;
    if (first != NULL)
        assert_string_equal(names[0], first);
    for (; *names != NULL; names++) {
        last = qp_variant_find(*names);
        assert_true(last != NULL && strcmp(last->name, *names) == 0);
    }
    assert_true(last != NULL && last->backend == QP_CPU);
}

/* After the first come the variants that are next by measurement
 * (docs/measurements/jacobi9-speed.md) and can take systems that those before them cannot. */
static void check_order(const char *const *names, const char *const wanted[], int count)
{
    for (int i = 0; i < count; i++) {
        assert_non_null(names[i]);
        assert_string_equal(names[i], wanted[i]);
    }
    assert_null(names[count]);
}

CLEAN_TEST(the_default_follows_the_device)
{
    static const char *const rows[] = {
        "jacobi9/rgba_stamps", "jacobi9/rgba_abreast", "jacobi9/rgba_tiles", "jacobi9/luminance",
        "jacobi9/inverse",     "jacobi9/vertex",       "jacobi9/openmp"};
    static const char *const dense[] = {"gauss_jordan/blocked", "gauss_jordan/shrinking_pivoted",
                                        "gauss_jordan/pivoted", "gauss_jordan/sgesv",
                                        "gauss_jordan/reference"};
    check_preference(NULL, "jacobi9/openmp");
    check_order(qp_dense_preference(NULL), dense + 3, 2);
    struct qp_context *context = support_need_context(state);
    const char *renderer = qp_context_device(context)->renderer;
    check_preference(context, strstr(renderer, "llvmpipe") ? "jacobi9/rgba_stamps" : NULL);
    if (strstr(renderer, "llvmpipe") != NULL) {
        check_order(qp_solve_preference(context), rows, COUNT(rows));
        check_order(qp_dense_preference(context), dense, COUNT(dense));
    }
    struct qp_solution got = solve(context, &laplace, NULL, NULL, (struct qp_solve_desc){0});
    assert_string_equal(got.variant->name, qp_solve_preference(context)[0]);
    qp_solution_destroy(&got);
}

GROUP(set_up, tear_down)
