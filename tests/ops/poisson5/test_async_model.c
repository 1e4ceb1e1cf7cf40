/* SPDX-License-Identifier: MIT */
/* The model of asynchronous variants, against Jacobi's steps, and the judge that follows it, of
 * variants on the CPU that do what asynchronous ones may do and what they may not. */
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/ops/poisson5/async.h"
#include "lab/ops/poisson5/poisson5.h"
#include "lab/plan/problem.h"

enum { ALPHA = 6 };

static struct qp_problem make(const char *kind, int width, int height)
{
    const struct qp_problem_desc desc = {
        .op = "poisson5", .kind = kind, .width = width, .height = height, .seed = 9};
    struct qp_problem problem;
    assert_ok(qp_problem_create(&desc, &problem));
    return problem;
}

/* The answer after `launches` launches, or steps; the caller frees it. */
static double *refer(struct qp_problem *problem, enum qp_poisson5_order order, int alpha, int block,
                     int launches)
{
    const size_t bytes = qp_problem_cells(problem) * sizeof(double);
    problem->order = order;
    problem->alpha = alpha;
    problem->block = block;
    problem->reference_iterations = -1;
    assert_ok(qp_problem_reference(problem, launches, NULL));
    double *out = malloc(bytes);
    assert_non_null(out);
    return memcpy(out, problem->reference, bytes);
}

static double distance(const double *a, const double *b, size_t count)
{
    double off = 0.0;
    for (size_t i = 0; i < count; i++)
        off = fmax(off, fabs(a[i] - b[i]));
    return off;
}

/* ---- The model ---- */

/* A single block is the whole grid, or alpha is 0: a launch is alpha + 1 steps of Jacobi, in floats
 * with the bits of a variant that adds in the same order, in double but for rounding. */
CLEAN_TEST(lone_blocks_take_jacobis_steps)
{
    static const struct {
        int width, height, alpha, block;
    } cases[] = {{1, 1, 2, 4}, {64, 8, 6, 8}, {63, 32, 4, 32}, {40, 3, 1, 4}, {130, 41, 0, 8}};
    for (int i = 0; i < COUNT(cases) * 2; i++) {
        struct qp_problem problem = make("field", cases[i / 2].width, cases[i / 2].height);
        const int alpha = cases[i / 2].alpha, block = cases[i / 2].block;
        const struct qp_walk_desc walk = {.iterations = 3 * (alpha + 1), .keep_solution = true};
        const size_t cells = qp_problem_cells(&problem);
        struct qp_result result;
        problem.weight = i % 2 ? 0.9 : 1.0;
        assert_ok(qp_walk(NULL, qp_variant_find("poisson5/sequential"), &problem, &walk, &result));
        double *jacobi = refer(&problem, QP_POISSON5_TOGETHER, 0, 0, 3 * (alpha + 1));
        double *exact = refer(&problem, QP_POISSON5_ASYNC_BLOCKS, alpha, block, 3);
        double *rounded = refer(&problem, QP_POISSON5_BLOCKS, alpha, block, 3);
        assert_true(distance(exact, jacobi, cells) <= 1e-14);
        for (size_t k = 0; k < cells; k++)
            assert_true(rounded[k] == (double)result.solution.values[k]);
        free(jacobi);
        free(exact);
        free(rounded);
        qp_matrix_destroy(&result.solution);
        qp_problem_destroy(&problem);
    }
}

/* Value of the grid, 0 on its rim. */
static double value_at(const struct qp_problem *problem, const double *u, int x, int y)
{
    const bool inside = x >= 0 && x < problem->width && y >= 0 && y < problem->height;
    return inside ? u[y * problem->width + x] : 0.0;
}

/* A block as a problem of its own, in which the cells around it are part of the right-hand side. */
static void assert_block(const struct qp_problem *problem, const double *start,
                         const double *answer, int x0, int y0, int width, int height)
{
    struct qp_problem own = make("field", width, height);
    const double h = qp_poisson5_h(&own);
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            double rhs = qp_poisson5_rhs(problem, x0 + x, y0 + y);
            rhs += x == 0 ? value_at(problem, start, x0 - 1, y0 + y) : 0.0;
            rhs += x == width - 1 ? value_at(problem, start, x0 + width, y0 + y) : 0.0;
            rhs += y == 0 ? value_at(problem, start, x0 + x, y0 - 1) : 0.0;
            rhs += y == height - 1 ? value_at(problem, start, x0 + x, y0 + height) : 0.0;
            own.field[QP_POISSON5_F].values[y * width + x] = (float)(rhs / (h * h));
            own.field[QP_POISSON5_X].values[y * width + x] =
                (float)value_at(problem, start, x0 + x, y0 + y);
        }
    }
    double *alone = refer(&own, QP_POISSON5_TOGETHER, 0, 0, ALPHA + 1);
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++)
            assert_true(fabs(alone[y * width + x] - answer[(y0 + y) * problem->width + x0 + x]) <=
                        2e-6);
    }
    free(alone);
    qp_problem_destroy(&own);
}

CLEAN_TEST(blocks_stand_alone)
{
    struct qp_problem problem = make("field", 150, 21);
    const size_t cells = qp_problem_cells(&problem);
    double *start = refer(&problem, QP_POISSON5_BLOCKS, ALPHA, 8, 0);
    double *answer = refer(&problem, QP_POISSON5_BLOCKS, ALPHA, 8, 1);
    for (int y = 0; y < 21; y += 8) {
        for (int x = 0; x < 150; x += 64)
            assert_block(&problem, start, answer, x, y, x + 64 <= 150 ? 64 : 22,
                         y + 8 <= 21 ? 8 : 5);
    }
    double *jacobi = refer(&problem, QP_POISSON5_TOGETHER, 0, 0, ALPHA + 1);
    assert_true(distance(answer, jacobi, cells) > 1e-2);
    free(start);
    free(answer);
    free(jacobi);
    qp_problem_destroy(&problem);
}

/* m of section 5.1. */
CLEAN_TEST(components_cover_the_grid)
{
    struct qp_problem problem = make("spike", 129, 17);
    assert_int_equal(qp_poisson5_components(&problem, 8), 3 * 3);
    assert_int_equal(qp_poisson5_components(&problem, 32), 3);
    qp_problem_destroy(&problem);
}

/* ---- The judge ---- */

static enum slip { RIGHT, AHEAD, STALE, STARVED, STEP_TOO_FEW, TOO_FAR, BIT, SLIPS } slip;

/* Launches on the CPU: the model's, or from the last block on in place, each with what is new so
 * far; and wrong ones. */
static void sweep(const struct qp_sweep *s)
{
    struct qp_problem problem = *s->problem;
    const int width = s->width, height = s->height;
    const size_t cells = (size_t)width * (size_t)height;
    double *old = calloc(cells, sizeof *old), *new = calloc(cells, sizeof *new), scale = 0.0;
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++)
            old[y * width + x] = (double)s->x[y * s->pitch + x];
    }
    problem.alpha -= slip == STEP_TOO_FEW;
    qp_poisson5_step_blocks(&problem, QP_ASYNC_ACROSS, problem.block, old, new, &scale);
    if (slip == AHEAD) /* once more, around blocks what came out: newer than need be */
        qp_poisson5_step_blocks(&problem, QP_ASYNC_ACROSS, problem.block,
                                memcpy(old, new, cells * sizeof *old), new, &scale);
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            const bool forgotten = slip == STARVED && x >= QP_ASYNC_ACROSS && y >= problem.block;
            const bool keeps = slip == STALE || forgotten;
            s->out[y * s->pitch + x] = (float)(keeps ? old : new)[y * width + x];
        }
    }
    float *middle = s->out + height / 2 * s->pitch + width / 2;
    *middle = slip == BIT ? nextafterf(*middle, 1e9f) : slip == TOO_FAR ? 1e4f : *middle;
    free(old);
    free(new);
}

static struct qp_result walk(struct qp_problem *problem, enum qp_poisson5_order order,
                             const struct qp_walk_desc *desc)
{
    static const int listed[] = {8, 4, 0};
    const struct qp_alpha_rule even = {
        .usual = ALPHA,
        .most = 100,
        .even = true,
        .unjudged = order == QP_POISSON5_BLOCKS ? 0 : 1u << QP_POISSON5_FIELD};
    const struct qp_block_rule blocks = {.listed = listed, .alpha = &even};
    const struct qp_poisson5_variant own = {.order = order};
    const struct qp_shape shape = {.format = QP_R32F, .pad_x = 1, .pad_y = 1};
    const struct qp_recipe recipe = {
        .state = shape,
        .input = {{.name = "h^2 f", .fields = 1, .field = {QP_POISSON5_RHS}, .shape = shape}},
        .sweep = sweep,
        .blocks = &blocks,
        .own = &own,
        .flops = 5};
    const struct qp_variant variant = {
        .name = "poisson5/slips", .op = "poisson5", .backend = QP_CPU, .recipe = &recipe};
    struct qp_result result;
    assert_ok(qp_walk(NULL, &variant, problem, desc, &result));
    return result;
}

static void expect(struct qp_problem *problem, enum qp_poisson5_order order, enum slip here,
                   int alpha, int block, enum qp_verdict verdict)
{
    const struct qp_walk_desc desc = {.iterations = 4, .block = block, .parts = {.alpha = alpha}};
    slip = here;
    const struct qp_result result = walk(problem, order, &desc);
    if (result.verdict != verdict)
        fail_msg("order %d, slip %d, alpha %d, blocks of %d: %s, %s", (int)order, (int)here, alpha,
                 block, qp_verdict_name(result.verdict), result.reason);
}

/* Every bit of the variant without a race counts; of those that race, answers below their bound or
 * above it. */
CLEAN_TEST(slips_are_found)
{
    struct qp_problem problem = make("sine", 100, 30);
    expect(&problem, QP_POISSON5_BLOCKS, RIGHT, 3, 0, QP_SKIP);
    for (int k = 0; k < 3; k++) {
        static const int alphas[] = {0, 2, -1}, blocks[] = {0, 4, 8};
        const enum qp_poisson5_order racy = QP_POISSON5_ASYNC_BLOCKS;
        for (int i = RIGHT; i < SLIPS; i++) {
            const bool good = i == RIGHT || i == AHEAD || i == BIT;
            if (k == 2 && i == STEP_TOO_FEW) /* no step to leave out */
                continue;
            expect(&problem, QP_POISSON5_BLOCKS, i, alphas[k], blocks[k],
                   i == RIGHT ? QP_PASS : QP_FAIL);
            expect(&problem, racy, i, alphas[k], blocks[k], good ? QP_PASS : QP_FAIL);
        }
    }
    /* Columns move on less, and then blocks do more than they must. */
    expect(&problem, QP_POISSON5_ASYNC_COLUMNS, RIGHT, 6, 8, QP_PASS);
    expect(&problem, QP_POISSON5_ASYNC_COLUMNS, STALE, 6, 8, QP_FAIL);
    expect(&problem, QP_POISSON5_ASYNC_COLUMNS, STARVED, 6, 8, QP_FAIL);
    expect(&problem, QP_POISSON5_ASYNC_COLUMNS, TOO_FAR, 6, 8, QP_FAIL);
    qp_problem_destroy(&problem);
}

static bool ignore(void *user, int step, double value)
{
    (void)user, (void)step, (void)value;
    return true;
}

static bool ignore_distance(void *user, int step, double largest, double norm)
{
    (void)norm;
    return ignore(user, step, largest);
}

/* Walks say what they cannot do, and take what they can: alpha comes back, fields go unchecked,
 * distances are reported. */
CLEAN_TEST(walks_know_alpha)
{
    struct qp_problem field = make("field", 70, 9);
    struct qp_walk_desc desc = {.iterations = 2};
    double *wanted = calloc(70 * 9, sizeof *wanted);
    slip = RIGHT;
    assert_int_equal(walk(&field, QP_POISSON5_BLOCKS, &desc).verdict, QP_PASS);
    assert_int_equal(walk(&field, QP_POISSON5_BLOCKS, &desc).parts.alpha, ALPHA);
    assert_int_equal(walk(&field, QP_POISSON5_ASYNC_BLOCKS, &desc).verdict, QP_SKIP);
    desc.unchecked = true;
    assert_int_equal(walk(&field, QP_POISSON5_ASYNC_BLOCKS, &desc).verdict, QP_PASS);
    desc.every = 1;
    desc.on_distance = ignore_distance;
    desc.wanted = wanted;
    assert_int_equal(walk(&field, QP_POISSON5_ASYNC_BLOCKS, &desc).verdict, QP_PASS);
    desc.wanted = NULL;
    assert_int_equal(qp_walk(NULL, qp_variant_find("poisson5/sequential"), &field, &desc,
                             &(struct qp_result){0}),
                     QP_BAD_USE);
    desc.wanted = wanted;
    desc.on_residual = ignore;
    assert_int_equal(walk(&field, QP_POISSON5_ASYNC_BLOCKS, &desc).verdict, QP_SKIP);
    desc.parts.alpha = 102;
    desc.every = 0;
    const struct qp_result result = walk(&field, QP_POISSON5_ASYNC_BLOCKS, &desc);
    assert_int_equal(result.verdict, QP_SKIP);
    assert_string_equal(result.reason, "takes async factors up to 100, not 102");
    free(wanted);
    qp_problem_destroy(&field);
}

/* A spike may be elsewhere than in the middle. */
CLEAN_TEST(spikes_move)
{
    const struct qp_problem_desc desc = {
        .op = "poisson5", .kind = "spike", .width = 128, .height = 32, .mark_x = 32, .mark_y = -12};
    struct qp_problem problem;
    assert_ok(qp_problem_create(&desc, &problem));
    assert_true(qp_poisson5_rhs(&problem, 96, 4) == 1.0);
    assert_true(qp_poisson5_rhs(&problem, 64, 16) == 0.0);
    double *u = refer(&problem, QP_POISSON5_TOGETHER, 0, 0, 1);
    assert_true(u[4 * 128 + 96] == 0.25);
    free(u);
    qp_problem_destroy(&problem);
}
