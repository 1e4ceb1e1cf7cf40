/* SPDX-License-Identifier: MIT */
/* Solves by Krylov methods on CUDA, without OpenGL: methods and preconditioners, breakdown,
 * right-hand sides, interrupts, and what is said where there is no such device. */
#include "support/support.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include <quadpass/method.h>

#include "toolkit/base/clock.h"
#include "toolkit/cuda/device.h"

enum { SIDE = 60, N = SIDE * SIDE };

static volatile sig_atomic_t stop;
static double wave[N];

/* Five points on a grid; `skew` makes it unsymmetric, and `shift` indefinite. */
static struct qp_market make_grid(double skew, double shift)
{
    const size_t most = 5 * (size_t)N;
    struct qp_market a = {.rows = N,
                          .columns = N,
                          .row = calloc(most, sizeof *a.row),
                          .column = calloc(most, sizeof *a.column),
                          .value = calloc(most, sizeof *a.value)};
    static const int right[] = {0, -1, 0, 1, 0}, up[] = {-1, 0, 0, 0, 1};
    for (int i = 0; i < N; i++) {
        wave[i] = sin(0.1 * i) + 0.3;
        for (int k = 0; k < 5; k++) {
            const int x = i % SIDE + right[k], y = i / SIDE + up[k];
            if (x < 0 || x >= SIDE || y < 0 || y >= SIDE)
                continue;
            a.row[a.count] = i;
            a.column[a.count] = y * SIDE + x;
            a.value[a.count++] = k == 2 ? 4.0 - shift : k < 2 ? -1.0 - skew : -1.0 + skew;
        }
    }
    return a;
}

static struct qp_answer solve(const struct qp_market *a, struct qp_solve_desc desc,
                              enum qp_ending ending, const char *words)
{
    struct qp_answer got;
    desc.variant = qp_variant_find("spmv/cuda_adaptive");
    desc.interrupt = &stop;
    stop = 0;
    assert_ok(qp_solve_system(NULL, a, wave, 1, NULL, &desc, &got));
    const struct qp_side *side = &got.side[0];
    if (side->ending != ending || strstr(side->sentence, words) == NULL)
        fail_msg("'%s', not %s with '%s'", side->sentence, qp_ending_name(ending), words);
    assert_ptr_equal(side->variant, desc.variant);
    return got;
}

/* Without a device the solve is refused, with what is missing. */
TEST(the_device_is_named)
{
    struct qp_market a = make_grid(0.0, 0.0);
    const struct qp_solve_desc desc = {.method = "cg",
                                       .variant = qp_variant_find("spmv/cuda_adaptive")};
    struct qp_answer got;
    if (qp_cuda_look(-1) != QP_OK) {
        char missing[256];
        snprintf(missing, sizeof missing, "%s", qp_error());
        const enum qp_status status = qp_solve_system(NULL, &a, wave, 1, NULL, &desc, &got);
        print_message("%s\n", qp_error());
        assert_int_equal(status, QP_UNSUPPORTED);
        assert_non_null(strstr(qp_error(), missing));
        assert_null(got.x);
    }
    qp_market_destroy(&a);
}

CLEAN_TEST(methods_converge_on_cuda)
{
    static const struct {
        const char *method, *precondition;
        double skew;
    } cases[] = {{"cg", NULL, 0.0},        {"cg", "none", 0.0},      {"cg", "block-jacobi", 0.0},
                 {"cg", "chebyshev", 0.0}, {"cg", "multigrid", 0.0}, {"minres", NULL, 0.0},
                 {"chebyshev", NULL, 0.0}, {"bicgstab", NULL, 0.3}};
    int steps[COUNT(cases)];
    support_need_cuda(qp_cuda_look(-1));
    for (int k = 0; k < COUNT(cases); k++) {
        struct qp_market a = make_grid(cases[k].skew, 0.0);
        struct qp_answer got = solve(&a,
                                     (struct qp_solve_desc){.method = cases[k].method,
                                                            .precondition = cases[k].precondition,
                                                            .tolerance = 1e-12},
                                     QP_CONVERGED, cases[k].method);
        assert_true(got.side[0].residual <= 1e-12 && got.side[0].residual > 0.0);
        if (cases[k].skew == 0.0) /* others are not proven */
            assert_in_range(got.side[0].digits, 9, 15);
        steps[k] = got.side[0].steps;
        qp_answer_destroy(&got);
        qp_market_destroy(&a);
    }
    assert_true(steps[2] < steps[0] && steps[3] < steps[2] && steps[4] < steps[3]);
}

CLEAN_TEST(breakdown_on_cuda)
{
    support_need_cuda(qp_cuda_look(-1));
    struct qp_market a = make_grid(0.0, 2.75);
    struct qp_answer got =
        solve(&a, (struct qp_solve_desc){.method = "cg"}, QP_BREAKDOWN, "p'Ap is not positive");
    qp_answer_destroy(&got);
    got = solve(&a, (struct qp_solve_desc){.method = "minres", .tolerance = 1e-8}, QP_CONVERGED,
                "of minres");
    qp_answer_destroy(&got);
    qp_market_destroy(&a);
}

/* A chain, of which conjugate gradients need a step for each node: seconds of one graph. */
static struct qp_market make_chain(int rows)
{
    const size_t most = 3 * (size_t)rows;
    struct qp_market a = {.rows = rows,
                          .columns = rows,
                          .row = calloc(most, sizeof *a.row),
                          .column = calloc(most, sizeof *a.column),
                          .value = calloc(most, sizeof *a.value)};
    for (int i = 0; i < rows; i++) {
        for (int j = i > 0 ? i - 1 : 0; j <= i + 1 && j < rows; j++) {
            a.row[a.count] = i;
            a.column[a.count] = j;
            a.value[a.count++] = i == j ? 2.0 : -1.0;
        }
    }
    return a;
}

static void ring(int number)
{
    (void)number;
    stop = 1;
}

/* An interrupt that comes within a graph's steps ends the solve within two seconds. */
CLEAN_TEST(interrupt_on_cuda)
{
    enum { ROWS = 400000 };
    const struct itimerval soon = {.it_value = {.tv_usec = 400000}};
    const struct qp_solve_desc desc = {.method = "cg",
                                       .precondition = "none",
                                       .variant = qp_variant_find("spmv/cuda_adaptive"),
                                       .tolerance = 1e-12,
                                       .interrupt = &stop};
    struct qp_answer got;
    support_need_cuda(qp_cuda_look(-1));
    struct qp_market a = make_chain(ROWS);
    stop = 0;
    signal(SIGALRM, ring);
    assert_int_equal(setitimer(ITIMER_REAL, &soon, NULL), 0);
    const double begin = qp_clock();
    assert_ok(qp_solve_system(NULL, &a, NULL, 1, NULL, &desc, &got));
    const double seconds = qp_clock() - begin;
    assert_int_equal(got.side[0].ending, QP_INTERRUPTED);
    assert_true(got.side[0].steps > 0 && seconds < 3.0);
    assert_non_null(strstr(got.side[0].sentence, "this is the iterate so far"));
    qp_answer_destroy(&got);
    qp_market_destroy(&a);
}

GROUP(NULL, NULL)
