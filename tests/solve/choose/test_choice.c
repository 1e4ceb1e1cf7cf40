/* SPDX-License-Identifier: MIT */
/* Which method is taken, why, and what becomes of a system when the first one does not do. All of
 * that is decided without OpenGL. */
#include "support/support.h"

#include <math.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include <quadpass/method.h>

#include "lab/solve/choose/choice.h"
#include "support/exact.h"
#include "toolkit/base/random.h"

enum { MOST = 1000 };

static volatile sig_atomic_t stop;
static struct qp_market laplace; /* gr_30_30 */

/* A tridiagonal matrix. */
static struct qp_market make_line(int rows, double below, double diagonal, double above)
{
    struct qp_market a = support_dense(rows);
    for (int i = 0; i < rows; i++) {
        *support_entry(&a, i, i) = diagonal;
        if (i > 0)
            *support_entry(&a, i, i - 1) = below;
        if (i + 1 < rows)
            *support_entry(&a, i, i + 1) = above;
    }
    return a;
}

/* Solves without OpenGL. Each residual is that of x, from above by next to nothing, but for what
 * the rounding of A times ones may be; the method and words of the reason are those wanted of the
 * first side. */
static struct qp_answer solve(const struct qp_market *a, const double *b, int sides,
                              struct qp_solve_desc desc, enum qp_method method, const char *words)
{
    const double rounded = 1e-12, lost = b != NULL ? 1e-24 : 1e-15;
    struct qp_answer got;
    desc.interrupt = &stop;
    assert_ok(qp_solve_system(NULL, a, b, sides, NULL, &desc, &got));
    if (got.side[0].method != method || strstr(got.side[0].reason, words) == NULL)
        fail_msg("'%s' and then '%s', not '%s'", got.side[0].reason, got.side[0].sentence, words);
    for (int k = 0; k < got.begun && a->rows <= MOST; k++) {
        const double claimed = got.side[k].residual, *x = got.x + k * a->rows,
                     exact = exact_residual(a, b != NULL ? b + k * a->rows : NULL, x);
        assert_true(exact <= claimed * (1.0 + rounded));
        assert_true(claimed <= exact * (1.0 + rounded) + lost);
        assert_int_equal(got.side[k].ending == QP_CONVERGED,
                         claimed <= (desc.tolerance > 0.0 ? desc.tolerance : 1e-5));
    }
    return got;
}

/* ---- The choice ---- */

TEST(iteration_where_it_is_quicker)
{
    struct qp_market a = make_line(100, -1.0, 4.0, -1.0);
    double b[MOST];
    for (int i = 0; i < MOST; i++)
        b[i] = sin(i);
    struct qp_answer got = solve(&a, b, 1, (struct qp_solve_desc){0}, QP_ITERATION,
                                 "iteration was taken, for it ended before its rate");
    assert_true(got.converged == 1 && got.side[0].eliminations == 0 && got.side[0].steps > 0);
    assert_true(got.width == 100 && got.height == 1 && got.weight == 1.0);
    assert_true(isnan(got.side[0].condition) && got.side[0].digits >= 4); /* a dominant matrix */
    qp_answer_destroy(&got);
    got = solve(&laplace, NULL, 1, (struct qp_solve_desc){0}, QP_ITERATION,
                " steps it was to need about ");
    assert_true(got.converged == 1 && got.side[0].eliminations == 0 && got.side[0].steps > 400);
    assert_non_null(strstr(got.side[0].reason, " s, and elimination would take about "));
    qp_answer_destroy(&got);
    qp_market_destroy(&a);
}

/* The tridiagonal matrix of a second derivative would take 50,000 steps. */
TEST(elimination_where_that_is)
{
    struct qp_market a = make_line(200, -1.0, 2.0, -1.0);
    double b[200] = {[0] = 1.0, [199] = 1.0};
    struct qp_answer got = solve(&a, b, 1, (struct qp_solve_desc){0}, QP_ELIMINATION,
                                 "elimination was taken, for after ");
    assert_non_null(strstr(got.side[0].reason, " steps iteration was to need about "));
    assert_non_null(strstr(got.side[0].reason, ", and elimination would take about "));
    assert_true(got.converged == 1 && got.side[0].eliminations >= 1);
    assert_in_range(got.side[0].steps, 200, 50000);
    assert_true(got.side[0].condition > 1e3);
    assert_in_range(got.side[0].digits, 0, 15);
    for (int i = 0; i < 200; i++)
        assert_true(fabs(got.x[i] - 1.0) < 1e-3);
    struct qp_answer again =
        solve(&a, b, 1, (struct qp_solve_desc){0}, QP_ELIMINATION, "elimination was taken, for ");
    assert_int_equal(got.side[0].steps, again.side[0].steps); /* no clock has a say */
    assert_memory_equal(got.x, again.x, sizeof b);
    qp_answer_destroy(&got);
    qp_answer_destroy(&again);
    qp_market_destroy(&a);
}

/* A rate that never comes to its end within the steps allowed, and one that leads nowhere. */
TEST(elimination_where_iteration_would_fail)
{
    struct qp_market a = make_line(900, -1.0, 2.0, -1.0), small = make_line(2, 1.0, 1e-9, 1.0);
    double b[900] = {[0] = 1.0, [899] = 1.0};
    *support_entry(&small, 1, 1) = 1.0;
    struct qp_answer got = solve(&a, b, 1, (struct qp_solve_desc){.most_steps = 400},
                                 QP_ELIMINATION, " more, and only 200 are allowed");
    assert_true(got.converged == 1 && got.side[0].steps == 200);
    qp_answer_destroy(&got);
    got = solve(&small, b, 1, (struct qp_solve_desc){0}, QP_ELIMINATION,
                "iteration came no nearer from step 100 to step 200");
    assert_true(got.converged == 1 && fabs(got.x[0] + 1.0) < 1e-6 && fabs(got.x[1] - 1.0) < 1e-6);
    qp_answer_destroy(&got);
    qp_market_destroy(&a);
    qp_market_destroy(&small);
}

TEST(what_iteration_cannot_take)
{
    struct qp_market a = make_line(7, 1.0, 2.0, 3.0), dense = support_random_dense(9, 5);
    double b[9] = {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0};
    *support_entry(&a, 3, 3) = 0.0;
    struct qp_answer got = solve(&a, b, 1, (struct qp_solve_desc){0}, QP_ELIMINATION,
                                 "elimination was taken: the diagonal is zero in row 4");
    assert_true(got.converged == 1 && got.side[0].steps == 0 && got.weight == 0.0);
    assert_true(got.width == 7 && got.height == 1); /* where its unknowns are */
    qp_answer_destroy(&got);
    got = solve(&dense, b, 1, (struct qp_solve_desc){0}, QP_ELIMINATION,
                "elimination was taken, for it shows whether the matrix is singular");
    qp_answer_destroy(&got);
    struct qp_solve_desc named = {.variant = qp_variant_find("jacobi9/openmp")};
    assert_int_equal(qp_solve_system(NULL, &a, b, 1, NULL, &named, &got), QP_BAD_INPUT);
    support_assert_sentence("the diagonal is zero in row 4");
    assert_true(got.x == NULL && got.side == NULL && got.sides == 0);
    qp_market_destroy(&a);
    qp_market_destroy(&dense);
}

/* ---- From one to the other ---- */

TEST(a_failed_iteration_goes_on_as_elimination)
{
    struct qp_market wild = make_line(2, 1e3, 1.0, 1e3), good = make_line(2, 1.0, 4.0, 1.0);
    const double far[2] = {1e30, -1e30}; /* rounded to float they leave 1e23 */
    double b[MOST];
    uint64_t seed = 3;
    for (int i = 0; i < MOST; i++)
        b[i] = qp_random(&seed, -1.0, 1.0);
    struct qp_answer got =
        solve(&laplace, b, 1, (struct qp_solve_desc){.most_steps = 50, .tolerance = 1e-4},
              QP_ELIMINATION, "for iteration ran out of steps: residual 0.");
    assert_true(got.converged == 1 && got.side[0].steps == 50 && got.side[0].eliminations >= 1);
    qp_answer_destroy(&got);
    got = solve(&wild, b, 1, (struct qp_solve_desc){.weight = 1.0}, QP_ELIMINATION,
                "for iteration diverged: residual ");
    assert_true(got.converged == 1);
    qp_answer_destroy(&got);
    assert_ok(qp_solve_system(NULL, &good, b, 1, far, &(struct qp_solve_desc){0}, &got));
    assert_true(got.side[0].method == QP_ELIMINATION && got.converged == 1);
    assert_non_null(strstr(got.side[0].reason, "for iteration stagnated: residual "));
    assert_true(got.side[0].residual >= exact_residual(&good, b, got.x));
    qp_answer_destroy(&got);
    qp_market_destroy(&wild);
    qp_market_destroy(&good);
}

/* The host's solution is as good as exact, and records say so. */
TEST(what_float_cannot_tell)
{
    struct qp_market a = make_line(2, 1.0, 1.0, 1.0);
    const double b[2] = {2.0, 2.0 + 0x1p-27};
    *support_entry(&a, 1, 1) += 0x1p-27;
    struct qp_answer got = solve(&a, b, 1, (struct qp_solve_desc){0}, QP_ELIMINATION,
                                 "iteration came no nearer from step 100 to step 200");
    assert_true(got.side[0].residual == 0.0 && got.x[0] == 1.0 && got.x[1] == 1.0);
    assert_true(got.side[0].digits == 15 && got.side[0].condition > 1e8);
    assert_non_null(strstr(got.side[0].sentence, "so x has about 15 certain digits"));
    assert_non_null(strstr(got.side[0].sentence, "and one on the host"));
    qp_answer_destroy(&got);
    qp_market_destroy(&a);
}

/* Asked for by name, an iteration ends as it ends. */
TEST(a_named_iteration_stays_one)
{
    double b[MOST];
    for (int i = 0; i < MOST; i++)
        b[i] = cos(i);
    struct qp_solve_desc desc = {.variant = qp_variant_find("jacobi9/openmp"), .most_steps = 50};
    struct qp_answer got =
        solve(&laplace, b, 1, desc, QP_ITERATION, "jacobi9/openmp was asked for");
    assert_true(got.side[0].ending == QP_OUT_OF_STEPS && got.converged == 0);
    qp_answer_destroy(&got);
    desc.variant = qp_variant_find("gauss_jordan/reference");
    got = solve(&laplace, b, 1, desc, QP_ELIMINATION, "gauss_jordan/reference was asked for");
    assert_true(got.side[0].steps == 0 && got.converged == 1);
    qp_answer_destroy(&got);
}

static void stop_at(int number)
{
    (void)number;
    stop = 1;
}

/* Elimination that is too large leaves the iteration its ending. */
TEST(what_elimination_cannot_take)
{
    enum { N = 300000 };
    static int row[2 * N], column[2 * N];
    static double value[2 * N];
    for (int i = 0; i < N; i++) {
        row[i] = column[i] = row[N + i] = i;
        column[N + i] = i > 0 ? i - 1 : 1;
        value[i] = 1.0;
        value[N + i] = -0.999;
    }
    struct qp_market a = {N, N, 2 * N, false, row, column, value};
    struct qp_answer got =
        solve(&a, NULL, 1, (struct qp_solve_desc){.most_steps = 50}, QP_ITERATION,
              "iteration was taken, for 300000 unknowns are too "
              "many for elimination: the limit is about 23");
    assert_true(got.side[0].ending == QP_OUT_OF_STEPS && got.side[0].steps == 50);
    assert_null(strchr(got.side[0].reason, ';'));
    qp_answer_destroy(&got);
    a.rows = a.columns =
        20000; /* hours of the plain loop on the processor: nobody asked for that */
    a.count = 0;
    for (int i = 0; i < 2 * N; i++) {
        if (i % N < a.rows) {
            row[a.count] = row[i];
            column[a.count] = column[i];
            value[a.count++] = value[i];
        }
    }
    signal(SIGALRM, stop_at);
    alarm(20); /* ends an elimination that begins all the same */
    got = solve(&a, NULL, 1, (struct qp_solve_desc){.most_steps = 50, .interrupt = &stop},
                QP_ITERATION,
                "iteration was taken, for elimination would take too long: about 2 hours");
    alarm(0);
    assert_true(got.side[0].ending == QP_OUT_OF_STEPS && stop == 0);
    qp_answer_destroy(&got);
}

/* ---- Several right-hand sides ---- */

static void look(void *user, const struct qp_progress *progress)
{
    (void)progress;
    stop = user != NULL;
}

/* The first is 0 and needs no step; the second runs out of them, and the third is eliminated along
 * with it. */
TEST(sides_share_an_elimination)
{
    static double b[3 * 900];
    for (int i = 900; i < 3 * 900; i++)
        b[i] = sin(i);
    struct qp_answer got = solve(&laplace, b, 3, (struct qp_solve_desc){.most_steps = 50},
                                 QP_ITERATION, "iteration was taken");
    assert_true(got.converged == 3 && got.begun == 3);
    assert_true(got.side[1].steps == 50 && got.side[2].steps == 0);
    for (int k = 1; k < 3; k++) {
        assert_true(got.side[k].method == QP_ELIMINATION && got.side[k].eliminations >= 1);
        assert_non_null(strstr(got.side[k].reason, "ran out of steps"));
    }
    qp_answer_destroy(&got);
}

static void look_late(void *user, const struct qp_progress *progress)
{
    (void)user;
    stop = progress->step >= 200;
}

/* Between the methods: what iteration came to is nearer than where elimination did not begin. */
TEST(an_interrupt_keeps_the_iterate)
{
    struct qp_market a = make_line(900, -1.0, 2.0, -1.0);
    double b[900] = {[0] = 1.0, [899] = 1.0};
    struct qp_answer got =
        solve(&a, b, 1, (struct qp_solve_desc){.most_steps = 400, .on_progress = look_late},
              QP_ITERATION, "iteration was taken, for elimination after it came no nearer");
    stop = 0;
    assert_true(got.side[0].ending == QP_INTERRUPTED && got.side[0].steps == 200);
    assert_true(got.side[0].residual < 0.1 && got.side[0].eliminations == 0);
    assert_non_null(strstr(got.side[0].sentence, "interrupted: residual "));
    qp_answer_destroy(&got);
    qp_market_destroy(&a);
}

TEST(an_interrupt_is_no_failure)
{
    static double b[2 * 900];
    static char yes;
    for (int i = 0; i < 2 * 900; i++)
        b[i] = sin(i);
    struct qp_answer got =
        solve(&laplace, b, 2, (struct qp_solve_desc){.on_progress = look, .user = &yes},
              QP_ITERATION, "iteration was taken");
    stop = 0;
    assert_true(got.begun == 1 && got.converged == 0 && got.side[0].ending == QP_INTERRUPTED);
    assert_true(got.side[0].steps == 25 && got.x[0] != 0.0 && got.x[900] == 0.0);
    qp_answer_destroy(&got);
}

/* An iteration that was left, and came nearer than elimination: it has stagnated, unless that was
 * interrupted. */
TEST(left_iterations_have_their_ending)
{
    static const struct qp_side left = {.ending = QP_INTERRUPTED, .residual = 0.25, .steps = 3};
    for (int interrupted = 0; interrupted < 2; interrupted++) {
        struct qp_side side = left;
        qp_method_tell_left(&side, interrupted);
        assert_int_equal(side.ending, interrupted ? QP_INTERRUPTED : QP_STAGNATED);
        assert_string_equal(
            side.sentence,
            interrupted ? "interrupted: residual 0.25 after 3 steps; this is the iterate so far"
                        : "stagnated: residual 0.25 after 3 steps; elimination comes no nearer");
    }
}

static int set_up(void **state)
{
    (void)state;
    return qp_market_read(QP_SOURCE_DIR "/data/gr_30_30.mtx", &laplace) != QP_OK;
}

static int tear_down(void **state)
{
    (void)state;
    qp_market_destroy(&laplace);
    return 0;
}

GROUP(set_up, tear_down)
