/* SPDX-License-Identifier: MIT */
/* Asynchronous variants on threads (paper 5, chapter V): with one thread they have the bits of
 * figures 17 to 20, played here turn by turn, and leave the fringes that the figures leave. */
#include "support/async.h"
#include "support/threads.h"

#include <stdlib.h>
#include <string.h>

#include "lab/ops/poisson5/async.h"
#include "lab/ops/poisson5/poisson5.h"
#include "lab/plan/plan.h"
#include "lab/plan/problem.h"

/* ---- The figures, played ---- */

enum { ACROSS = QP_ASYNC_ACROSS, MOST_UP = 32, WARP = 32 };

/* Wrong ways to play, which no variant may agree with; those of the exchange concern variants that
 * have one. */
static enum slip {
    NO_SLIP,
    STEP_TOO_FEW,
    STARVED,   /* the last block keeps what it had */
    OLD_BLOCK, /* results of the step before the last */
    NO_RHS,
    NO_RING,     /* a penultimate fringe that is never written */
    NO_SIDES,    /* nor its columns */
    OTHER_TURNS, /* whole phases where there are warps, and warps where there are phases */
    SLIPS
} slip;

/* Both grids with their rims, and a block's two. */
struct play {
    const struct qp_problem *problem;
    int figure, alpha, up;
    float *x, *out;
    float b[2][MOST_UP + 2][ACROSS + 2];
};

static float *at(const struct play *p, float *grid, int x, int y)
{
    return &grid[(size_t)(y + 1) * (size_t)(p->problem->width + 2) + (size_t)x + 1];
}

/* A thread's new value in row j of the block at (x0, y0). */
static float updated(const struct play *p, int from, int x0, int y0, int t, int j)
{
    const float(*b)[ACROSS + 2] = p->b[from];
    const float w = (float)p->problem->weight, old = b[j + 1][t + 1];
    const float across = b[j + 1][t] + b[j + 1][t + 2], up = b[j][t + 1] + b[j + 2][t + 1];
    const float rhs = slip == NO_RHS ? 0.0f : (float)qp_poisson5_rhs(p->problem, x0 + t, y0 + j);
    const float sum = across + up + rhs;
    const float mean = 0.25f * sum, change = w * (mean - old);
    return w == 1.0f ? mean : old + change;
}

static bool holds(const struct play *p, int x, int y)
{
    return x < p->problem->width && y < p->problem->height;
}

static void compute(struct play *p, int from, int to, int x0, int y0, int first, int end)
{
    for (int j = 0; j < p->up; j++) {
        float new[ACROSS];
        for (int t = first; t < end; t++)
            new[t] = holds(p, x0 + t, y0 + j) ? updated(p, from, x0, y0, t, j) : 0.0f;
        for (int t = first; t < end; t++)
            if (holds(p, x0 + t, y0 + j))
                p->b[to][j + 1][t + 1] = new[t];
    }
}

/* Thread t writes its column's ends, and one end of a row. */
static void write_ring(struct play *p, int from, int x0, int y0, int t)
{
    const int last_x = p->problem->width - x0 < ACROSS ? p->problem->width - x0 - 1 : ACROSS - 1,
              last_y = p->problem->height - y0 < p->up ? p->problem->height - y0 - 1 : p->up - 1;
    if (t <= last_x) {
        *at(p, p->x, x0 + t, y0) = p->b[from][1][t + 1];
        *at(p, p->x, x0 + t, y0 + last_y) = p->b[from][last_y + 1][t + 1];
    }
    if (slip == NO_SIDES)
        return;
    if (t <= last_y)
        *at(p, p->x, x0, y0 + t) = p->b[from][t + 1][1];
    else if (t >= p->up && t - p->up <= last_y)
        *at(p, p->x, x0 + last_x, y0 + t - p->up) = p->b[from][t - p->up + 1][last_x + 1];
}

/* A thread of the processor: what is around the block stays, so it is fetched once. */
static void step(struct play *p, int from, int to, int x0, int y0)
{
    const bool phases = p->figure == ASYNC0 || p->figure == ASYNC2;
    const int together = phases != (slip == OTHER_TURNS) ? ACROSS : WARP;
    for (int first = 0; first < ACROSS; first += together) {
        compute(p, from, to, x0, y0, first, first + together);
        for (int t = first; t < first + together && p->figure != ASYNC2 && slip != NO_RING; t++)
            write_ring(p, to, x0, y0, t);
    }
}

static void play_block(struct play *p, int x0, int y0)
{
    memset(p->b, 0, sizeof p->b);
    for (int j = -1; j <= p->up; j++)
        for (int t = -1; t <= ACROSS; t++)
            if (holds(p, x0 + t - 1, y0 + j - 1)) /* in the grid with its rim */
                p->b[0][j + 1][t + 1] = p->b[1][j + 1][t + 1] = *at(p, p->x, x0 + t, y0 + j);
    int from = 0;
    const int count = p->alpha - (slip == STEP_TOO_FEW);
    for (int v = 0; v < count; v++) {
        const int to = p->figure == ASYNC3 ? from : 1 - from;
        step(p, from, to, x0, y0);
        from = slip == OLD_BLOCK && v == count - 1 ? from : to;
    }
    const bool starves =
        slip == STARVED && x0 + ACROSS >= p->problem->width && y0 + p->up >= p->problem->height;
    for (int j = 0; j < p->up; j++)
        for (int t = 0; t < ACROSS; t++)
            if (holds(p, x0 + t, y0 + j))
                *at(p, p->out, x0 + t, y0 + j) =
                    starves ? *at(p, p->x, x0 + t, y0 + j) : updated(p, from, x0, y0, t, j);
}

/* Launches of the figure; the answer is p->x, of which the rim is 0. */
static void play(struct play *p, int launches)
{
    const int width = p->problem->width, height = p->problem->height;
    const size_t cells = (size_t)(width + 2) * (size_t)(height + 2);
    p->x = calloc(cells, sizeof *p->x);
    p->out = calloc(cells, sizeof *p->out);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            *at(p, p->x, x, y) = p->problem->field[QP_POISSON5_X].values[y * width + x];
    for (int k = 0; k < launches; k++) {
        for (int y = 0; y < height; y += p->up)
            for (int x = 0; x < width; x += ACROSS)
                play_block(p, x, y);
        float *const x = p->x;
        p->x = p->out;
        p->out = x;
    }
}

/* The other grid too, with the last fringes of the last launch: fringes are written whether a
 * variant reads them or not. */
struct left {
    int launches, seen;
    struct play *expected;
};

static void compare_source(void *user, enum qp_stage stage, struct qp_plan *plan, double seconds)
{
    struct left *left = user;
    const struct qp_layout *l = &plan->layout;
    (void)seconds;
    if (stage != QP_STAGE_PASS || ++left->seen != left->launches)
        return;
    float *texels = malloc(qp_layout_bytes(l));
    assert_non_null(texels);
    assert_ok(plan->engine->read(plan, false, texels));
    for (int y = 0; y < plan->problem->height; y++)
        for (int x = 0; x < plan->problem->width; x++)
            assert_true(texels[(l->origin_y + y) * l->storage_x + l->origin_x + x] ==
                        *at(left->expected, left->expected->out, x, y));
    free(texels);
}

/* True if the variant leaves what the figure leaves; else, unless the play is wrong, this fails. */
static bool agrees(int row, struct qp_problem *problem, int launches, int alpha, int block)
{
    static struct play p;
    struct qp_walk_desc desc = async_steps(launches, alpha, block);
    struct left left = {.launches = 1, .expected = &p};
    p = (struct play){.problem = problem, .figure = row, .alpha = alpha, .up = block};
    play(&p, launches);
    desc.unchecked = true;
    desc.on_stage = launches == 1 && slip == NO_SLIP ? compare_source : NULL;
    desc.user = &left;
    struct qp_result result = async_walk(NULL, async_rows[row], problem, &desc);
    assert_int_equal(left.seen, desc.on_stage != NULL);
    int wrong = 0;
    for (int y = 0; y < problem->height; y++)
        for (int x = 0; x < problem->width; x++)
            wrong += result.solution.values[y * problem->width + x] != *at(&p, p.x, x, y);
    if (wrong > 0 && slip == NO_SLIP)
        fail_msg("%s, %d x %d, %s, %d launches at alpha %d, blocks of %d: %d cells are others",
                 async_rows[row], problem->width, problem->height, problem->kind, launches, alpha,
                 block, wrong);
    free(p.x);
    free(p.out);
    qp_matrix_destroy(&result.solution);
    return wrong == 0;
}

THREADS_TEST(one_thread_plays_the_figures)
{
    omp_set_num_threads(1);
    for (int i = 0; i < ASYNC_SIZES * 3 * ROWS; i++) {
        const int s = i / ROWS / 3, row = i % ROWS;
        struct qp_problem problem =
            async_problem(async_kinds[i / ROWS % 3], async_sizes[s].width, async_sizes[s].height);
        for (int k = 0; k < 4; k++) {
            problem.weight = k % 2 == 0 || row != ASYNC2 ? 1.0 : 1.3;
            problem.weight = k == 3 && row != ASYNC2 ? 0.7 : problem.weight;
            agrees(row, &problem, 1 + (s + k) % 3, 2 * ((s + k) % 4) + (row == ASYNC3),
                   async_blocks[k]);
        }
        qp_problem_destroy(&problem);
    }
}

THREADS_TEST(slips_are_found)
{
    omp_set_num_threads(1);
    struct qp_problem problem = async_problem("field", 200, 40);
    for (slip = NO_SLIP + 1; slip < SLIPS; slip++) {
        for (int row = 0; row < ROWS; row++) {
            if (row == ASYNC2 && slip >= NO_RING) /* it has none, and its turns are all alike */
                continue;
            if (row == ASYNC3 && slip == OLD_BLOCK) /* a single block */
                continue;
            if (agrees(row, &problem, 2, 6, 8))
                fail_msg("%s agrees with slip %d", async_rows[row], (int)slip);
        }
    }
    slip = NO_SLIP;
    qp_problem_destroy(&problem);
}

/* The four differ as programs, not in name alone: with one thread, on one grid, no two leave the
 * same. */
THREADS_TEST(figures_differ)
{
    struct qp_result result[ROWS];
    omp_set_num_threads(1);
    struct qp_problem problem = async_problem("sine", 200, 40);
    for (int row = 0; row < ROWS; row++)
        result[row] = async_run(NULL, async_rows[row], &problem, 2, 6);
    for (int i = 0; i < ROWS * ROWS; i++) {
        if (i / ROWS != i % ROWS)
            assert_memory_not_equal(result[i / ROWS].solution.values,
                                    result[i % ROWS].solution.values,
                                    qp_problem_cells(&problem) * sizeof(float));
    }
    for (int row = 0; row < ROWS; row++)
        qp_matrix_destroy(&result[row].solution);
    qp_problem_destroy(&problem);
}

/* Warm-up launches write fringes into the start, which must be there again. */
THREADS_TEST(warming_up_leaves_the_start)
{
    omp_set_num_threads(1);
    struct qp_problem problem = async_problem("field", 130, 20);
    for (int row = 0; row < ROWS; row++) {
        struct qp_walk_desc desc = async_steps(3, 4, 0);
        desc.unchecked = true;
        struct qp_result cold = async_walk(NULL, async_rows[row], &problem, &desc);
        desc.warm_seconds = 0.01;
        struct qp_result warm = async_walk(NULL, async_rows[row], &problem, &desc);
        assert_memory_equal(cold.solution.values, warm.solution.values,
                            qp_problem_cells(&problem) * sizeof(float));
        qp_matrix_destroy(&cold.solution);
        qp_matrix_destroy(&warm.solution);
    }
    qp_problem_destroy(&problem);
}
