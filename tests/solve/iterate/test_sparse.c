/* SPDX-License-Identifier: MIT */
/* Krylov solves of any matrix: every ending, refusals, several sides, a start, digits beyond
 * float's, interrupts, checkpoints, and which method is taken without being asked for. */
#include "support/support.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <quadpass/method.h>

#include "toolkit/base/random.h"

enum { N = 2100 };

static volatile sig_atomic_t stop;
static struct qp_market large; /* N unknowns, seven others in each row at random places */
static double *wave;           /* a right-hand side */

/* Adds an entry to a sparse matrix. */
static void add(struct qp_market *a, int row, int column, double value)
{
    a->row[a->count] = row;
    a->column[a->count] = column;
    a->value[a->count++] = value;
}

static struct qp_market make_sparse(int rows, size_t room)
{
    struct qp_market a = {.rows = rows, .columns = rows};
    a.row = calloc(room, sizeof *a.row);
    a.column = calloc(room, sizeof *a.column);
    a.value = calloc(room, sizeof *a.value);
    assert_true(a.row != NULL && a.column != NULL && a.value != NULL);
    return a;
}

/* Each row has a diagonal and others at fixed distances, so that no grid of nine bands fits; a
 * symmetric one where they are mirrored. */
static struct qp_market make_ring(double diagonal, double side, bool symmetric)
{
    static const int far[] = {1, 17, 130, 977};
    struct qp_market a = make_sparse(N, 9 * N);
    for (int i = 0; i < N; i++) {
        add(&a, i, i, diagonal);
        for (int k = 0; k < COUNT(far); k++) {
            add(&a, i, (i + far[k]) % N, side);
            if (symmetric)
                add(&a, i, (i + N - far[k]) % N, side);
        }
    }
    return a;
}

/* Makes a ring indefinite, with its diagonal as it was: by two large entries beside it. */
static void spoil(struct qp_market *ring)
{
    ring->value[1] = ring->value[9 + 2] = 30.0;
    assert_true(ring->row[9 + 2] == 1 && ring->column[9 + 2] == 0 && ring->column[1] == 1);
}

/* Solves one side; its ending, and words of its sentence. */
static struct qp_answer solve(struct qp_context *context, const struct qp_market *a,
                              const double *b, struct qp_solve_desc desc, enum qp_ending ending,
                              const char *words)
{
    struct qp_answer got;
    desc.interrupt = &stop;
    stop = 0;
    assert_ok(qp_solve_system(context, a, b, 1, NULL, &desc, &got));
    const struct qp_side *side = &got.side[0];
    if (side->ending != ending || strstr(side->sentence, words) == NULL)
        fail_msg("'%s', not %s with '%s' (%s)", side->sentence, qp_ending_name(ending), words,
                 side->reason);
    return got;
}

/* ---- Endings ---- */

TEST(methods_converge)
{
    static const char *const methods[] = {"cg", "chebyshev", "bicgstab"};
    static const char *const preconditions[] = {NULL, "none", "jacobi", "chebyshev",
                                                "block-jacobi"};
    struct qp_context *context = support_need_context(state);
    struct qp_market a = make_ring(-9.0, 1.0, true); /* negative definite */
    for (int k = 0; k < COUNT(methods); k++) {
        for (int p = 0; p < (k == 0 ? 5 : 3); p++) {
            const struct qp_solve_desc desc = {
                .method = methods[k], .precondition = preconditions[p], .tolerance = 1e-12};
            struct qp_answer got = solve(context, &a, wave, desc, QP_CONVERGED, methods[k]);
            assert_true(got.side[0].residual <= 1e-12 && got.side[0].residual > 0.0);
            assert_string_equal(got.side[0].solver, methods[k]);
            assert_true(got.side[0].method == QP_ITERATION && got.side[0].steps > 3);
            assert_in_range(got.side[0].digits, 11, 15);
            qp_answer_destroy(&got);
        }
    }
    qp_market_destroy(&a);
}

/* Resistors in a chain and to the ground, and a source of 5 V: A r is at right angles to r. */
TEST(voltage_source)
{
    enum { NODES = 600 };
    struct qp_context *context = support_need_context(state);
    struct qp_market a = make_sparse(NODES + 1, 3 * NODES + 1);
    double b[NODES + 1] = {[NODES] = 5.0};
    for (int i = 0; i < NODES; i++) {
        if (i > 0)
            add(&a, i, i - 1, -1.0);
        add(&a, i, i, (i > 0) + (i + 1 < NODES) + 1e-3);
        if (i + 1 < NODES)
            add(&a, i, i + 1, -1.0);
    }
    add(&a, 0, NODES, 1.0);
    add(&a, NODES, 0, 1.0);
    const struct qp_solve_desc desc = {.method = "bicgstab", .tolerance = 1e-10};
    struct qp_answer got = solve(context, &a, b, desc, QP_CONVERGED, "of bicgstab");
    assert_true(fabs(got.x[0] - 5.0) < 1e-6 && fabs(got.x[1] - 4.84436635) < 1e-6);
    assert_true(fabs(got.x[NODES] + 0.160633646) < 1e-6);
    qp_answer_destroy(&got);
    qp_market_destroy(&a);
}

static void look(void *user, const struct qp_progress *progress)
{
    (void)user;
    stop = progress->step >= 8;
}

TEST(endings_are_told)
{
    static const char others[] = "in float gain nothing more; leave --method out, and another one "
                                 "may take over";
    struct qp_context *context = support_need_context(state);
    struct qp_market indefinite = make_ring(5.0, 1.0, true), turn = support_dense(2),
                     half = support_dense(2);
    double first[2] = {1.0, 0.0};
    *support_entry(&turn, 0, 1) = 1.0;
    *support_entry(&turn, 1, 0) = -1.0;
    *support_entry(&half, 0, 0) = *support_entry(&half, 0, 1) = *support_entry(&half, 1, 0) = 1.0;
    const struct {
        const struct qp_market *a;
        const double *b;
        struct qp_solve_desc desc;
        enum qp_ending ending;
        const char *words;
    } cases[] = {
        {&indefinite, wave, {.method = "cg"}, QP_BREAKDOWN, "p'Ap is not positive"},
        {&turn, first, {.method = "bicgstab"}, QP_CONVERGED, "2 steps of bicgstab"},
        {&half, first, {.method = "bicgstab"}, QP_CONVERGED, "2 steps of bicgstab"},
        {&indefinite, wave, {.method = "cg"}, QP_BREAKDOWN, strchr(others, ';')},
        {&large, wave, {.method = "bicgstab", .most_steps = 2}, QP_OUT_OF_STEPS, "allow more"},
        {&large, wave, {.method = "bicgstab", .tolerance = 1e-18}, QP_STAGNATED, others},
        {&large, wave, {.method = "bicgstab", .refine = true}, QP_CONVERGED, "certain digits"},
    };
    for (int k = 0; k < COUNT(cases); k++) {
        struct qp_answer got =
            solve(context, cases[k].a, cases[k].b, cases[k].desc, cases[k].ending, cases[k].words);
        assert_int_equal(got.side[0].eliminations, 0);
        if (cases[k].desc.refine)
            assert_true(got.side[0].residual < 1e-15);
        qp_answer_destroy(&got);
    }
    struct qp_market slow = make_ring(-8.001, 1.0, true);
    struct qp_answer got =
        solve(context, &slow, wave, (struct qp_solve_desc){.method = "cg", .on_progress = look},
              QP_INTERRUPTED, "this is the iterate so far");
    assert_true(got.side[0].steps >= 8 && got.side[0].steps <= 24 && got.x[7] != 0.0);
    qp_answer_destroy(&got);
    qp_market_destroy(&slow);
    qp_market_destroy(&indefinite);
    qp_market_destroy(&turn);
    qp_market_destroy(&half);
}

/* ---- The choice ---- */

TEST(the_quickest_is_taken)
{
    struct qp_context *context = support_need_context(state);
    struct qp_market definite = make_ring(9.0, 1.0, true), other = make_ring(9.0, 1.0, true),
                     small = support_random_dense(60, 4);
    const struct qp_solve_desc plain = {0};
    spoil(&other);
    struct qp_answer got = solve(context, &definite, NULL, plain, QP_CONVERGED, " of cg");
    assert_non_null(strstr(got.side[0].reason,
                           "cg was taken, for the matrix is symmetric and strictly dominant, "));
    assert_non_null(strstr(got.side[0].reason, "elimination"));
    qp_answer_destroy(&got);
    got = solve(context, &large, NULL, plain, QP_CONVERGED, " of bicgstab");
    assert_non_null(strstr(got.side[0].reason,
                           "bicgstab was taken, for the matrix is not symmetric and strictly"));
    qp_answer_destroy(&got);
    got = solve(context, &small, NULL, plain, QP_CONVERGED, "converged");
    assert_true(got.side[0].method == QP_ELIMINATION && got.side[0].solver == NULL);
    qp_answer_destroy(&got);
    got = solve(context, &other, wave, (struct qp_solve_desc){.most_steps = 3000}, QP_CONVERGED,
                "of cg, which broke down (p'Ap is not positive");
    assert_true(got.side[0].method == QP_ITERATION);
    assert_string_equal(got.side[0].solver, "minres");
    qp_answer_destroy(&got);
    got = solve(context, &large, wave, (struct qp_solve_desc){.most_steps = 1}, QP_CONVERGED, "");
    assert_non_null(strstr(got.side[0].reason, "for bicgstab ran out of steps"));
    assert_true(got.side[0].method == QP_ELIMINATION && got.side[0].steps == 1);
    qp_answer_destroy(&got);
    qp_market_destroy(&definite);
    qp_market_destroy(&other);
    qp_market_destroy(&small);
}

/* Too many unknowns for elimination, and too few steps for Jacobi, which seemed the quickest. */
TEST(another_iteration_follows)
{
    enum { ROWS = 25000 };
    struct qp_context *context = support_need_context(state);
    struct qp_market a = make_sparse(ROWS, 3 * ROWS);
    for (int i = 0; i < ROWS; i++) {
        add(&a, i, i, 4.0);
        if (i > 0)
            add(&a, i, i - 1, -1.1);
        if (i + 1 < ROWS)
            add(&a, i, i + 1, -0.9);
    }
    struct qp_answer got =
        solve(context, &a, NULL, (struct qp_solve_desc){0}, QP_CONVERGED, "residual ");
    assert_string_equal(got.side[0].solver, "jacobi");
    assert_true(got.side[0].steps > 9);
    qp_answer_destroy(&got);
    got = solve(context, &a, NULL, (struct qp_solve_desc){.most_steps = 9}, QP_CONVERGED,
                " of bicgstab in ");
    assert_non_null(strstr(got.side[0].reason, "bicgstab was taken, for iteration ran out of "));
    assert_true(got.side[0].steps > 9 && got.side[0].eliminations == 0);
    qp_answer_destroy(&got);
    qp_market_destroy(&a);
}

TEST(what_makes_no_sense_is_refused)
{
    struct qp_context *context = support_need_context(state);
    struct qp_market hole = make_ring(9.0, 1.0, true), mixed = make_ring(9.0, 1.0, true);
    hole.value[9 * 4] = 0.0;
    mixed.value[9 * 5] = -9.0;
    const struct {
        const struct qp_market *a;
        struct qp_solve_desc desc;
        const char *words;
    } cases[] = {
        {&large, {.method = "cg"}, "the matrix is not symmetric (row "},
        {&large, {.method = "chebyshev"}, "take the method bicgstab"},
        {&hole, {.method = "cg"}, "the diagonal is zero in row 5, and cg needs"},
        {&mixed, {.method = "cg"}, "the diagonal changes its sign in row 6"},
        {&hole, {.method = "bicgstab", .precondition = "jacobi"}, "zero in row 5, and the precond"},
        {&large, {.method = "bicgstab", .precondition = "chebyshev"}, "goes with the method cg"},
        {&large, {.method = "minres", .precondition = "block-jacobi"}, "goes with the method cg"},
        {&large, {.method = "jacobi", .precondition = "none"}, "and not with jacobi"},
        {&large, {.method = "jacobi"}, "fits nine bands on no grid"},
        {&large,
         {.method = "sor"},
         "by the method 'sor'; take jacobi, multigrid, "
         "cg, minres, bicgstab, chebyshev or direct"},
        {&large, {.precondition = "ilu"}, "'ilu' is no preconditioner"},
        {&large, {.method = "cg", .weight = 0.5}, "a weight is one of jacobi's steps"},
        {&large,
         {.method = "cg", .variant = qp_variant_find("jacobi9/openmp")},
         "jacobi9/openmp does not go with the method cg"},
        {&large,
         {.method = "cg", .variant = qp_variant_find("gauss_jordan/loop")},
         "gauss_jordan/loop eliminates"},
    };
    for (int k = 0; k < COUNT(cases); k++) {
        struct qp_answer got;
        const enum qp_status status =
            qp_solve_system(context, cases[k].a, wave, 1, NULL, &cases[k].desc, &got);
        if (status == QP_OK || strstr(qp_error(), cases[k].words) == NULL)
            fail_msg("case %d: %s, not '%s'", k, qp_error(), cases[k].words);
        assert_true(got.x == NULL && got.side == NULL);
    }
    qp_market_destroy(&hole);
    qp_market_destroy(&mixed);
}

/* ---- Sides, starts, checkpoints ---- */

TEST(sides_and_starts)
{
    struct qp_context *context = support_need_context(state);
    double *b = calloc(3 * N, sizeof *b), *start = calloc(3 * N, sizeof *start);
    uint64_t seed = 2;
    assert_true(b != NULL && start != NULL);
    for (int i = N; i < 3 * N; i++)
        b[i] = qp_random(&seed, -1.0, 1.0); /* and the first is 0 */
    const struct qp_solve_desc desc = {.method = "bicgstab", .tolerance = 1e-10};
    struct qp_answer got, again;
    assert_ok(qp_solve_system(context, &large, b, 3, NULL, &desc, &got));
    assert_true(got.converged == 3 && got.side[0].steps == 0 && got.side[1].steps > 0);
    for (int k = 0; k < 3; k++) { /* each as if it were alone, bit for bit */
        assert_ok(qp_solve_system(context, &large, b + k * N, 1, NULL, &desc, &again));
        assert_memory_equal(again.x, got.x + k * N, N * sizeof *b);
        assert_int_equal(again.side[0].steps, got.side[k].steps);
        qp_answer_destroy(&again);
    }
    memcpy(start, got.x, 3 * N * sizeof *b);
    assert_ok(qp_solve_system(context, &large, b, 3, start, &desc, &again));
    assert_true(again.converged == 3 && again.side[2].steps == 0);
    assert_memory_equal(again.x, start, 3 * N * sizeof *b);
    qp_answer_destroy(&again);
    qp_answer_destroy(&got);
    free(b);
    free(start);
}

/* Stops after its user's number of looks. */
static void count_down(void *user, const struct qp_progress *progress)
{
    int *left = user;
    (void)progress;
    stop = --*left <= 0;
}

/* A solve in pieces of a few looks each, from file to file, ends in the bits of one in a piece. */
TEST(pieces_have_the_same_bits)
{
    static const char *const methods[] = {"cg", "chebyshev", "bicgstab", NULL};
    struct qp_context *context = support_need_context(state);
    struct qp_market definite = make_ring(-8.01, 1.0, true), other = make_ring(9.0, 1.0, true);
    char path[] = "/tmp/quadpass-test-XXXXXX";
    const int file = mkstemp(path);
    spoil(&other);
    assert_true(file >= 0 && close(file) == 0);
    for (int k = 0; k < COUNT(methods); k++) {
        const struct qp_market *a = methods[k] != NULL ? &definite : &other;
        struct qp_solve_desc desc = {
            .method = methods[k], .tolerance = 1e-9, .most_steps = 5000, .interrupt = &stop};
        struct qp_answer whole, piece;
        int pieces = 0, left;
        stop = 0;
        assert_ok(qp_solve_system(context, a, wave, 1, NULL, &desc, &whole));
        assert_int_equal(whole.converged, 1);
        desc.checkpoint = path;
        desc.on_progress = count_down;
        desc.user = &left;
        do {
            left = 2;
            stop = 0;
            assert_ok(qp_solve_system(context, a, wave, 1, NULL, &desc, &piece));
            desc.resume = path;
            if (stop) /* an interrupted x may be good enough, too */
                qp_answer_destroy(&piece);
        } while (stop && ++pieces < 500);
        if (pieces < 1 || stop)
            fail_msg("%d pieces: %s", pieces, piece.side[0].sentence);
        if (piece.side[0].steps != whole.side[0].steps)
            fail_msg("'%s', and in pieces '%s'", whole.side[0].sentence, piece.side[0].sentence);
        assert_memory_equal(piece.x, whole.x, N * sizeof *wave);
        qp_answer_destroy(&piece);
        qp_answer_destroy(&whole);
    }
    stop = 0;
    unlink(path);
    qp_market_destroy(&definite);
    qp_market_destroy(&other);
}

static int set_up(void **state)
{
    uint64_t seed = 7;
    large = make_sparse(N, 8 * N);
    wave = malloc(N * sizeof *wave);
    if (wave == NULL)
        return -1;
    for (int i = 0; i < N; i++) {
        wave[i] = sin(i * i);
        add(&large, i, i, 9.0 + qp_random(&seed, 0.0, 1.0));
        for (int k = 1; k <= 7; k++)
            add(&large, i, (i + 280 * k - 279 + (int)qp_random(&seed, 0.0, 279.0)) % N,
                qp_random(&seed, -0.5, 0.5));
    }
    return support_open_context(state);
}

static int tear_down(void **state)
{
    qp_market_destroy(&large);
    free(wave);
    return support_close_context(state);
}

GROUP(set_up, tear_down)
