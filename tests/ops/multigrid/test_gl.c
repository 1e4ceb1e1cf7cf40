/* SPDX-License-Identifier: MIT */
/* Multigrid on OpenGL: every variant against the reference on awkward sizes, cycles and factor of
 * the one in double, the number of passes, and mistakes in any part of the grids. */
/* wrap: qp_multigrid_share_of qp_multigrid_make */
#include "ops/multigrid/solves.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/ops/multigrid/multigrid.h"
#include "lab/plan/problem.h"
#include "lab/walk/walker.h"
#include "toolkit/gl/context/context.h"

static const char *const variants[] = {"multigrid/fragments",         "multigrid/rgba",
                                       "multigrid/compute",           "multigrid/fragments_full",
                                       "multigrid/fragments_refined", "multigrid/compute_refined"};

/* ---- Mistakes in a plan's grids, from packing to upload ---- */

enum part {
    NONE,
    BEFORE, /* weights of nodes 5 and 6, of the node before or the one after */
    AFTER,
    LAST, /* weights of the last node of each row */
    RADIUS,
    STALE, /* the next coarser grid's matrix */
    INVERSE,
    MEAN,
    SMOOTHER,
    ROW, /* the row of the matrix where all are equal */
    PARTS
};

static enum part planted;

struct qp_multigrid_share __real_qp_multigrid_share_of(struct qp_multigrid_line line, int fine);
struct qp_multigrid_share __wrap_qp_multigrid_share_of(struct qp_multigrid_line line, int fine);
enum qp_status __real_qp_multigrid_make(const struct qp_matrix band[], int bottom,
                                        struct qp_multigrid *out);
enum qp_status __wrap_qp_multigrid_make(const struct qp_matrix band[], int bottom,
                                        struct qp_multigrid *out);

struct qp_multigrid_share __wrap_qp_multigrid_share_of(struct qp_multigrid_line line, int fine)
{
    struct qp_multigrid_share share = __real_qp_multigrid_share_of(line, fine);
    if ((planted == BEFORE || planted == AFTER) && (fine == 5 || fine == 6))
        share.weight[planted == AFTER] *= 0.75;
    if (planted == LAST && fine == line.nodes - 1)
        share.weight[0] *= 0.5;
    return share;
}

/* Grids are made without a mistake, and get theirs then. */
enum qp_status __wrap_qp_multigrid_make(const struct qp_matrix band[], int bottom,
                                        struct qp_multigrid *out)
{
    const enum part part = planted;
    planted = NONE;
    const enum qp_status status = __real_qp_multigrid_make(band, bottom, out);
    planted = part;
    const int last = out->grids - 1, n = out->grid[last].width * out->grid[last].height;
    out->grid[0].radius *= part == RADIUS ? 1.1 : 1.0;
    out->singular &= part != MEAN;
    for (int i = 0; i < n * n && part == INVERSE; i++)
        out->inverse[i] *= 2.0;
    for (int i = out->grid[1].width; i < 9 * out->grid[1].width && part == STALE; i++)
        out->grid[1].row[out->grid[1].height / 2][i] *= 0.95;
    return status;
}

struct mutant {
    enum part part;
    struct qp_multigrid_smoother smoother;
    struct qp_multigrid_scheme scheme;
};

static void at_stage(void *user, enum qp_stage stage, struct qp_plan *plan, double seconds)
{
    struct mutant *mutant = user;
    (void)seconds;
    if (stage == QP_STAGE_PACK)
        planted = mutant->part;
    if (stage != QP_STAGE_UPLOAD)
        return;
    struct qp_multigrid_gl *on = &((struct qp_plan_multigrid *)plan->own)->on;
    planted = NONE;
    mutant->scheme = *on->scheme;
    mutant->smoother = *on->scheme->smoother;
    mutant->scheme.smoother = &mutant->smoother;
    on->scheme = &mutant->scheme;
    mutant->smoother.weight[1] *= mutant->part == SMOOTHER ? 1.01 : 1.0;
    on->grid->band[QP_JACOBI9_LD] *= mutant->part == ROW ? 1.001 : 1.0;
}

/* ---- Walks ---- */

static struct qp_result walk(struct qp_context *context, const char *variant, const char *kind,
                             int width, int height, enum part part)
{
    struct mutant mutant = {.part = part};
    struct qp_problem problem = make(kind, width, height);
    const struct qp_walk_desc desc = {.iterations = 1, .on_stage = at_stage, .user = &mutant};
    struct qp_result result;
    assert_ok(qp_walk(context, qp_variant_find(variant), &problem, &desc, &result));
    qp_problem_destroy(&problem);
    return result;
}

static const char *const kinds[] = {"field", "sine", "bidomain", "jumps", "insulated"};

CLEAN_TEST(variants_agree_with_the_reference)
{
    static const struct qp_size sizes[] = {{1, 1},   {2, 2},   {3, 3},    {5, 5},   {7, 7},
                                           {64, 64}, {65, 65}, {66, 66},  {2, 257}, {100, 37},
                                           {34, 31}, {35, 32}, {150, 140}};
    struct qp_context *context = support_need_context(state);
    for (int k = 0; k < COUNT(sizes) * COUNT(kinds); k++) {
        const struct qp_size size = sizes[k / COUNT(kinds)];
        const char *kind = kinds[k % COUNT(kinds)];
        for (int v = 0; v < COUNT(variants); v++) {
            if (!support_takes(k / COUNT(kinds) + k % COUNT(kinds) + v, 6))
                continue;
            const struct qp_result result =
                walk(context, variants[v], kind, size.width, size.height, NONE);
            if (result.verdict != QP_PASS)
                fail_msg("%s, %s, %d x %d: %g, %s", variants[v], kind, size.width, size.height,
                         result.error, result.reason);
        }
    }
}

CLEAN_TEST(a_mistake_in_any_part_fails_the_check)
{
    struct qp_context *context = support_need_context(state);
    for (int part = BEFORE; part < PARTS; part++) {
        for (int v = 0; v < COUNT(variants); v++) {
            /* Dispatches and the smaller texels have equal rows on larger grids. */
            const int size = part == ROW ? 150 : 67;
            if (walk(context, variants[v], "insulated", size, size, part).verdict != QP_FAIL)
                fail_msg("%s: part %d goes unseen", variants[v], part);
        }
    }
}

/* ---- Cycles and factors ---- */

/* The residual's part that is left after so many cycles in double. */
static double left_after(struct qp_context *context, struct qp_problem *problem, int cycles)
{
    const struct qp_walk_desc desc = {
        .iterations = cycles, .unchecked = true, .keep_solution = true};
    const struct qp_variant *variant = qp_variant_find("multigrid/fragments_refined");
    const int n = problem->width * problem->height;
    struct qp_multigrid multigrid;
    struct qp_result result;
    double sum = 0.0, whole = 0.0, *product = calloc((size_t)n, sizeof *product);
    assert_ok(qp_walk(context, variant, problem, &desc, &result));
    assert_int_equal(result.verdict, QP_PASS);
    assert_ok(qp_multigrid_make(problem->field, QP_MULTIGRID_BOTTOM, &multigrid));
    qp_multigrid_apply(multigrid.grid, result.solution.doubles, product);
    for (int i = 0; i < n; i++) {
        const double b = problem->field[QP_MULTIGRID_B].values[i];
        sum += (b - product[i]) * (b - product[i]);
        whole += b * b;
    }
    qp_multigrid_free(&multigrid);
    qp_matrix_destroy(&result.solution);
    free(product);
    return sqrt(sum / whole);
}

static const struct {
    const char *kind;
    int width, height, cycles;
    double factor; /* the last but one's */
} courses[] = {
    {"bidomain", 65, 65, 10, 0.11},  {"bidomain", 129, 129, 10, 0.11},
    {"bidomain", 66, 64, 11, 0.16},  {"bidomain", 2, 257, 17, 0.28},
    {"sine", 63, 63, 9, 0.07},       {"sine", 66, 66, 12, 0.16},
    {"bidomain", 100, 37, 12, 0.16},
};

CLEAN_TEST(refined_cycles_and_factors)
{
    struct qp_context *context = support_need_context(state);
    for (int k = 0; k < COUNT(courses); k++) {
        const int cycles = courses[k].cycles;
        struct qp_problem problem = make(courses[k].kind, courses[k].width, courses[k].height);
        const double end = left_after(context, &problem, cycles);
        const double factor =
            left_after(context, &problem, cycles - 2) / left_after(context, &problem, cycles - 3);
        if (end > 1e-10 || factor > courses[k].factor)
            fail_msg("%s, %d x %d: %g after %d cycles, factor %.3f", courses[k].kind,
                     courses[k].width, courses[k].height, end, cycles, factor);
        qp_problem_destroy(&problem);
    }
}

/* Full cycle from 0: at most 1.3 of the error that the discretisation itself has, which for a
 * product of sines is known. Without differences of x in the residual it would be ten times as
 * large at 511 x 511. */
TEST(a_full_cycle_reaches_the_discretisation_error)
{
    static const int sizes[] = {63, 255, 511};
    const struct qp_walk_desc desc = {.iterations = 1, .unchecked = true, .keep_solution = true};
    struct qp_context *context = support_need_context(state);
    for (int k = 0; k < COUNT(sizes); k++) {
        const int n = sizes[k];
        const double angle = acos(-1.0) / (n + 1), half = angle / 2.0;
        const double discrete = half * half / (sin(half) * sin(half)) - 1.0;
        struct qp_problem problem = make("sine", n, n);
        struct qp_result result;
        double most = 0.0;
        assert_ok(qp_walk(context, qp_variant_find("multigrid/fragments_full"), &problem, &desc,
                          &result));
        for (int i = 0; i < n * n; i++)
            most = fmax(most, fabs(result.solution.values[i] -
                                   sin(angle * (i % n + 1)) * sin(angle * (i / n + 1))));
        if (!(most <= 1.3 * discrete))
            fail_msg("%d: %g, and the discretisation's error is %g", n, most, discrete);
        qp_matrix_destroy(&result.solution);
        qp_problem_destroy(&problem);
    }
    assert_true(qp_multigrid_work(&qp_multigrid_schemes[QP_MULTIGRID_FRAGMENTS_FULL]) <= 20.0);
}

/* ---- Plans that are kept ---- */

/* Another right-hand side and start in the plan of an earlier walk: the bits of a plan of their
 * own. */
CLEAN_TEST(a_kept_plan_takes_another_right_hand_side)
{
    enum { WIDTH = 66, HEIGHT = 35 };
    const struct qp_walk_desc desc = {.iterations = 2, .unchecked = true, .keep_solution = true};
    struct qp_context *context = support_need_context(state);
    for (int v = 0; v < COUNT(variants); v++) {
        const struct qp_variant *variant = qp_variant_find(variants[v]);
        struct qp_problem problem = make("insulated", WIDTH, HEIGHT);
        struct qp_plan *kept = NULL;
        struct qp_result first, again, alone;
        assert_ok(qp_walk_keeping(context, variant, &problem, &desc, &kept, &first));
        const struct qp_plan *plan = kept;
        for (int i = 0; i < WIDTH * HEIGHT; i++) {
            problem.field[QP_MULTIGRID_B].values[i] = (float)(i % 7) - 2.5f;
            problem.field[QP_MULTIGRID_X].values[i] = (float)(i % 5);
        }
        assert_ok(qp_walk_keeping(context, variant, &problem, &desc, &kept, &again));
        assert_true(kept == plan && plan != NULL && again.program_seconds == 0.0);
        assert_ok(qp_walk(context, variant, &problem, &desc, &alone));
        const size_t bytes = qp_value_bytes(alone.solution.precision) * WIDTH * HEIGHT;
        if (memcmp(qp_matrix_values(&again.solution), qp_matrix_values(&alone.solution), bytes) ||
            !memcmp(qp_matrix_values(&first.solution), qp_matrix_values(&alone.solution), bytes))
            fail_msg("%s: a kept plan's answer is another", variants[v]);
        qp_plan_destroy(&kept);
        qp_matrix_destroy(&first.solution);
        qp_matrix_destroy(&again.solution);
        qp_matrix_destroy(&alone.solution);
        qp_problem_destroy(&problem);
    }
}

/* ---- Passes ---- */

static int passes_of(struct qp_context *context, const char *variant, const char *kind, int size,
                     int cycles)
{
    const struct qp_walk_desc desc = {.iterations = cycles, .unchecked = true};
    struct qp_problem problem = make(kind, size, size);
    struct qp_result result;
    const int before = (int)context->counters.passes;
    assert_ok(qp_walk(context, qp_variant_find(variant), &problem, &desc, &result));
    qp_problem_destroy(&problem);
    return (int)context->counters.passes - before;
}

/* Two steps from 0, the third, the residual and its restriction; correction and three steps: 8 on
 * each grid but the coarsest; a residual, and the inverse. 65 nodes become 33, 17 and 9, which is
 * the inverse's; 17 and fewer are one dispatch. With equal rows, a pass of 63 x 63 nodes or less is
 * one draw all the same. Full: two residuals, 5 restrictions and 3 interpolations; V cycles of 6
 * passes a grid, and 7 on the one where each begins. */
CLEAN_TEST(a_cycle_has_so_many_passes)
{
    static const int wanted[] = {26, 26, 18, 53, 27, 19};
    struct qp_context *context = support_need_context(state);
    for (int v = 0; v < COUNT(variants); v++) {
        const int passes = (passes_of(context, variants[v], "bidomain", 65, 3) -
                            passes_of(context, variants[v], "bidomain", 65, 1)) /
                           2;
        if (passes != wanted[v])
            fail_msg("%s draws %d passes", variants[v], passes);
    }
}

GROUP(support_open_context, support_close_context)
