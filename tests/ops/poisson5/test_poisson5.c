/* SPDX-License-Identifier: MIT */
/* The operation itself: its problems, its reference, and its judges, which must find each slip of a
 * sweep that is made here. */
#include "support/support.h"

#include <math.h>
#include <string.h>

#include "lab/ops/poisson5/poisson5.h"
#include "lab/plan/plan.h"
#include "lab/plan/problem.h"

static struct qp_problem make(const char *kind, int width, int height, double weight)
{
    struct qp_problem problem;
    const struct qp_problem_desc desc = {.op = "poisson5",
                                         .kind = kind,
                                         .width = width,
                                         .height = height,
                                         .weight = weight,
                                         .seed = 16};
    assert_ok(qp_problem_create(&desc, &problem));
    return problem;
}

/* ---- Problems ---- */

/* The mode is an eigenvector of the plain step with the radius as eigenvalue: one step of weight 1
 * / (1 - radius) from 0 gives the discrete solution, which a further step of any weight keeps. */
TEST(one_weighted_step_solves_a_sine)
{
    static const struct qp_size sizes[] = {{1, 1}, {7, 7}, {31, 31}, {13, 40}};
    for (int k = 0; k < COUNT(sizes); k++) {
        struct qp_problem problem = make("sine", sizes[k].width, sizes[k].height, 0.0);
        const double right[] = {1.0 / (1.0 - qp_poisson5_radius(&problem)), 0.7};
        const struct qp_weights weights = {right, 2};
        double before = 0.0, after = 0.0, off = 0.0;
        problem.weights = &weights;
        for (int steps = 1; steps <= 2; steps++) {
            assert_ok(qp_problem_reference(&problem, steps, NULL));
            before = after;
            after = problem.reference[qp_problem_cells(&problem) / 2];
        }
        for (int i = 0; i < (int)qp_problem_cells(&problem); i++)
            off = fmax(off,
                       fabs(problem.reference[i] -
                            problem.reference[0] *
                                qp_poisson5_mode(&problem, i % problem.width, i / problem.width) /
                                qp_poisson5_mode(&problem, 0, 0)));
        assert_true(fabs(after - before) < 1e-11 && off < 1e-11);
        problem.weights = NULL;
        qp_problem_destroy(&problem);
    }
}

/* A spike is marked, and where it lies in a block of 64 x 8 unknowns; other kinds mark none. */
TEST(spikes_are_marked)
{
    struct qp_problem spike = make("spike", 33, 20, 0.0), field = make("field", 33, 20, 0.0);
    const struct qp_marked_cell cell = qp_problem_extent(&spike).cell;
    assert_true(cell.x == 16 && cell.y == 10 && cell.block_x == 64 && cell.block_y == 8);
    assert_int_equal(qp_problem_extent(&field).cell.block_x, 0);
    qp_problem_destroy(&spike);
    qp_problem_destroy(&field);
}

/* The discrete solution of a sine comes near the continuous one with the square of h. */
TEST(sines_converge_with_h_squared)
{
    double before = 0.0;
    for (int n = 7; n <= 127; n = 2 * n + 1) {
        struct qp_problem problem = make("sine", n, n, 0.0);
        const double right = 1.0 / (1.0 - qp_poisson5_radius(&problem));
        const struct qp_weights weights = {&right, 1};
        problem.weights = &weights;
        assert_ok(qp_problem_reference(&problem, 1, NULL));
        const double error = fabs(problem.reference[qp_problem_cells(&problem) / 2] - 1.0);
        if (before > 0.0)
            assert_true(before / error > 3.9 && before / error < 4.1);
        before = error;
        problem.weights = NULL;
        qp_problem_destroy(&problem);
    }
}

/* A spike's right-hand side is 1 in one cell; a field's is what its array says, times h^2. */
TEST(right_hand_sides)
{
    struct qp_problem spike = make("spike", 10, 7, 0.0), field = make("field", 10, 7, 0.0);
    double sum = 0.0;
    for (int i = 0; i < 70; i++) {
        sum += qp_poisson5_rhs(&spike, i % 10, i / 10);
        const double f = field.field[QP_POISSON5_F].values[i];
        assert_true(fabs(qp_poisson5_rhs(&field, i % 10, i / 10) - f / 121.0) < 1e-15);
        assert_true(fabs(f) <= 121.0 && spike.field[QP_POISSON5_X].values[i] == 0.0f);
    }
    assert_true(sum == 1.0 && qp_poisson5_rhs(&spike, 5, 3) == 1.0);
    qp_problem_destroy(&spike);
    qp_problem_destroy(&field);
}

/* The reference, which gathers, agrees with its witness, which scatters: at both ends of rows and
 * columns. */
TEST(the_reference_has_a_witness)
{
    static const struct qp_size sizes[] = {{1, 1}, {1, 6}, {6, 1}, {2, 2}, {9, 5}};
    const struct qp_walk_desc desc = {.iterations = 3};
    for (int k = 0; k < 2 * COUNT(sizes); k++) {
        struct qp_result result;
        struct qp_problem problem =
            make("field", sizes[k / 2].width, sizes[k / 2].height, k % 2 ? 1.4 : 0.0);
        assert_ok(qp_walk(NULL, qp_variant_find("poisson5/reference"), &problem, &desc, &result));
        assert_int_equal(result.verdict, QP_PASS);
        qp_problem_destroy(&problem);
    }
}

/* ---- Slips ---- */

enum slip {
    NO_SLIP,
    NO_LEFT,
    NO_RIGHT,
    NO_BELOW,
    NO_ABOVE,
    LEFT_TWICE,
    NO_RHS,
    RHS_TWICE,
    RIM_OF_NEXT_ROW,
    NO_WEIGHT,
    NEW_LEFT,
    CELL_OFF,
    NOTHING,
    TOO_FAR,
    RHS_A_TENTH_MORE
};

static enum slip slip;
static enum qp_poisson5_order swept;

static void update(const struct qp_sweep *s, const float *from, long i, int x, int y)
{
    const long pitch = s->pitch, width = s->width;
    const bool last = x == s->width - 1, wraps = slip == RIM_OF_NEXT_ROW;
    float left = slip == NO_LEFT ? 0.0f : slip == NEW_LEFT && x > 0 ? s->out[i - 1] : from[i - 1];
    float right = slip == NO_RIGHT                     ? 0.0f
                  : wraps && last && y < s->height - 1 ? from[i + pitch - width + 1]
                                                       : from[i + 1];
    float below = slip == NO_BELOW ? 0.0f : from[i - pitch];
    float above = slip == NO_ABOVE ? 0.0f : from[i + pitch];
    float rhs =
        s->kind == QP_POISSON5_SPIKE ? (x == s->width / 2 && y == s->height / 2) : s->input[0][i];
    rhs *= slip == NO_RHS             ? 0.0f
           : slip == RHS_TWICE        ? 2.0f
           : slip == RHS_A_TENTH_MORE ? 1.1f
                                      : 1.0f;
    right = slip == LEFT_TWICE ? left : right;
    const float t = ((left + right) + (below + above) + rhs) * 0.25f;
    const float old = from[i], w = slip == NO_WEIGHT ? 1.0f : (float)s->weight;
    s->out[i] = slip == NOTHING ? old : old + w * (t - old);
    if (slip == CELL_OFF && x == s->width / 2 && y == s->height / 2)
        s->out[i] += 1e-4f;
    if (slip == TOO_FAR)
        s->out[i] = 1e3f * t;
}

/* Cells together, red before black, or, in disorder, each row from its end with what is new so
 * far. */
static void sweep(const struct qp_sweep *s)
{
    const bool ordered = swept != QP_POISSON5_TOGETHER;
    for (int y = -1; y <= s->height && ordered; y++)
        memcpy(s->out + y * s->pitch - 1, s->x + y * s->pitch - 1,
               ((size_t)s->width + 2) * sizeof(float));
    const float *from = ordered ? s->out : s->x;
    for (int colour = 0; colour < (swept == QP_POISSON5_RED_BLACK ? 2 : 1); colour++) {
        for (int y = 0; y < s->height; y++) {
            for (int x = s->width - 1; x >= 0; x--) {
                if (swept != QP_POISSON5_RED_BLACK || (x + y) % 2 == colour)
                    update(s, from, y * s->pitch + x, x, y);
            }
        }
    }
}

#define STANDS                                    \
    {                                             \
        .format = QP_R32F, .pad_x = 1, .pad_y = 1 \
    }

/* Walks the sweep in an order that it claims. */
static struct qp_result judged(struct qp_problem *problem, enum qp_poisson5_order claimed,
                               int steps, const struct qp_weights *weights)
{
    const struct qp_poisson5_variant own = {.order = claimed};
    const struct qp_recipe recipe = {.state = STANDS,
                                     .input = {QP_ARRAY("h^2 f", QP_POISSON5_RHS, STANDS)},
                                     .sweep = sweep,
                                     .own = &own,
                                     .flops = 5};
    const struct qp_variant variant = {
        .name = "poisson5/slips", .op = "poisson5", .backend = QP_CPU, .recipe = &recipe};
    const struct qp_walk_desc desc = {.iterations = steps, .weights = weights};
    struct qp_result result;
    assert_ok(qp_walk(NULL, &variant, problem, &desc, &result));
    return result;
}

static enum qp_verdict walk(struct qp_problem *problem, enum qp_poisson5_order claimed, int steps,
                            const struct qp_weights *weights)
{
    return judged(problem, claimed, steps, weights).verdict;
}

static void expect(struct qp_problem *problem, enum qp_poisson5_order order, enum slip here,
                   int steps, const struct qp_weights *weights, enum qp_verdict verdict)
{
    slip = here;
    swept = order;
    if (walk(problem, order, steps, weights) != verdict)
        fail_msg("order %d, slip %d, %d steps: not %s", (int)order, (int)here, steps,
                 qp_verdict_name(verdict));
}

/* On a field every slip is found after one step, also in red-black order and with weights. */
TEST(slips_are_found)
{
    static const double list[] = {0.9, 1.7, 0.6};
    static const struct qp_weights weights = {list, 3};
    for (int order = QP_POISSON5_TOGETHER; order <= QP_POISSON5_RED_BLACK; order++) {
        struct qp_problem problem = make("field", 13, 11, 1.3);
        for (int steps = 1; steps <= 7; steps += 3) {
            expect(&problem, order, NO_SLIP, steps, NULL, QP_PASS);
            expect(&problem, order, NO_SLIP, steps, &weights, QP_PASS);
            for (int k = NO_LEFT; k <= CELL_OFF; k++) {
                if (k == NEW_LEFT && order != QP_POISSON5_TOGETHER)
                    continue; /* there it is no slip */
                if (k == CELL_OFF && steps > 1)
                    continue; /* rounding with weights above 1 may be larger by then */
                expect(&problem, order, k, steps, NULL, QP_FAIL);
                expect(&problem, order, k, steps, &weights, QP_FAIL);
            }
        }
        qp_problem_destroy(&problem);
    }
}

/* An order that is another than the variant claims is found. */
TEST(orders_are_told_apart)
{
    struct qp_problem problem = make("field", 9, 9, 0.0);
    slip = NO_SLIP;
    for (int k = 0; k < 4; k++) {
        swept = k % 2 ? QP_POISSON5_RED_BLACK : QP_POISSON5_TOGETHER;
        const int claimed = k / 2 ? QP_POISSON5_RED_BLACK : QP_POISSON5_TOGETHER;
        assert_int_equal(walk(&problem, claimed, 2, NULL),
                         swept == (enum qp_poisson5_order)claimed ? QP_PASS : QP_FAIL);
    }
    qp_problem_destroy(&problem);
}

/* A chaotic variant lies between Jacobi and the solution: whatever it reads old or new passes;
 * doing nothing, leaving a neighbour out, or going beyond the solution does not. */
TEST(chaos_has_bounds)
{
    static const char *const kinds[] = {"sine", "spike"};
    for (int k = 0; k < COUNT(kinds); k++) {
        struct qp_problem problem = make(kinds[k], 15, 12, 0.0);
        for (int steps = 1; steps <= 7; steps += 3) {
            expect(&problem, QP_POISSON5_CHAOTIC, NO_SLIP, steps, NULL, QP_PASS);
            expect(&problem, QP_POISSON5_CHAOTIC, NOTHING, steps, NULL, QP_FAIL);
            expect(&problem, QP_POISSON5_CHAOTIC, NO_RHS, steps, NULL, QP_FAIL);
            expect(&problem, QP_POISSON5_CHAOTIC, TOO_FAR, steps, NULL, QP_FAIL);
        }
        expect(&problem, QP_POISSON5_CHAOTIC, NO_LEFT, 4, NULL, QP_FAIL);
        swept = QP_POISSON5_TOGETHER; /* Jacobi is the slowest chaos */
        slip = NO_SLIP;
        assert_int_equal(walk(&problem, QP_POISSON5_CHAOTIC, 4, NULL), QP_PASS);
        qp_problem_destroy(&problem);
    }
    struct qp_problem heavy = make("sine", 5, 5, 1.5);
    expect(&heavy, QP_POISSON5_CHAOTIC, NO_SLIP, 1, NULL, QP_SKIP);
    support_assert_sentence("a chaotic order takes weights above 0 up to 1");
    qp_problem_destroy(&heavy);
}

/* The bound from above is the solution itself on a sine, also where no cell is the wave's crest. */
TEST(converged_chaos_is_within_its_bound)
{
    struct qp_problem problem = make("sine", 2, 4, 0.0);
    expect(&problem, QP_POISSON5_CHAOTIC, NO_SLIP, 200, NULL, QP_PASS);
    expect(&problem, QP_POISSON5_CHAOTIC, RHS_A_TENTH_MORE, 200, NULL, QP_FAIL);
    qp_problem_destroy(&problem);
}

/* Five roundings a step, nine with a weight, whose growth is |1 - w| + |w|; of chaotic variants
 * along a path from corner to corner. */
TEST(tolerances_count_roundings)
{
    struct qp_problem plain = make("sine", 6, 3, 0.0), heavy = make("sine", 6, 3, 1.5);
    const struct qp_op *op = &qp_op_poisson5;
    assert_true(fabs(op->tolerance(&plain, 4, QP_FLOATS) * 0x1p24 - 20.0) < 1e-9);
    assert_true(fabs(op->tolerance(&plain, 4, QP_DOUBLES) * 0x1p52 - 20.0) < 1e-9);
    assert_true(fabs(op->tolerance(&heavy, 3, QP_FLOATS) * 0x1p24 - 63.0) < 1e-9);
    plain.order = QP_POISSON5_CHAOTIC;
    assert_true(fabs(op->tolerance(&plain, 4, QP_FLOATS) * 0x1p24 - 180.0) < 1e-9);
    plain.order = QP_POISSON5_RED_BLACK;
    assert_true(fabs(op->tolerance(&plain, 4, QP_FLOATS) * 0x1p24 - 40.0) < 1e-9);
    qp_problem_destroy(&plain);
    qp_problem_destroy(&heavy);
}

/* Errors are in units of what a step adds up: a quarter of it with weight 1, and with another the
 * old value, too. */
TEST(scales_are_sums)
{
    for (int k = 0; k < 2; k++) {
        struct qp_problem problem = make("field", 1, 1, k ? 0.5 : 0.0);
        const double sum = 0.25 * fabs(qp_poisson5_rhs(&problem, 0, 0));
        const double old = fabs(problem.field[QP_POISSON5_X].values[0]);
        assert_ok(qp_problem_reference(&problem, 1, NULL));
        assert_true(fabs(problem.reference_scale - (k ? 1.5 * old + 0.5 * sum : sum)) < 1e-12);
        qp_problem_destroy(&problem);
    }
}

/* The root mean square of a chaotic variant's errors is a number, and no larger than the
 * largest. */
TEST(chaotic_errors_have_a_mean)
{
    struct qp_problem problem = make("sine", 15, 12, 0.0);
    slip = NOTHING;
    swept = QP_POISSON5_CHAOTIC;
    const struct qp_result result = judged(&problem, QP_POISSON5_CHAOTIC, 1, NULL);
    assert_int_equal(result.verdict, QP_FAIL);
    assert_true(result.error_rms > 0.3 * result.error && result.error_rms < result.error);
    qp_problem_destroy(&problem);
}

/* Other operations take no list of weights. */
TEST(weights_are_for_poisson)
{
    const double one = 1.0;
    const struct qp_weights weights = {&one, 1}, none = {&one, 0};
    struct qp_walk_desc desc = {.iterations = 1, .weights = &weights};
    struct qp_problem_desc jacobi = {.width = 4, .height = 4};
    struct qp_problem problem;
    struct qp_result result;
    assert_ok(qp_problem_create(&jacobi, &problem));
    assert_int_equal(qp_walk(NULL, qp_variant_find("jacobi9/reference"), &problem, &desc, &result),
                     QP_BAD_USE);
    support_assert_sentence("takes one weight for all steps");
    qp_problem_destroy(&problem);
    problem = make("field", 4, 4, 0.0);
    desc.weights = &none;
    assert_int_equal(qp_walk(NULL, qp_variant_find("poisson5/reference"), &problem, &desc, &result),
                     QP_BAD_USE);
    qp_problem_destroy(&problem);
}
