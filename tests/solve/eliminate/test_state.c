/* SPDX-License-Identifier: MIT */
/* Checkpoints of eliminations: one that goes on is the one in one piece, bit for bit. */
#include "support/stops.h"
#include "support/threads.h"

#include <math.h>
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lab/solve/eliminate/elimination.h"
#include "lab/solve/numbers.h"
#include "toolkit/base/clock.h"

static char folder[] = "/tmp/quadpass-checkpoint-XXXXXX", file[64];
static double load[400]; /* two right-hand sides */

static int prepare(void **state)
{
    threads_one(state);
    if (mkdtemp(folder) == NULL)
        return -1;
    snprintf(file, sizeof file, "%s/c.qpc", folder);
    for (int i = 0; i < COUNT(load); i++)
        load[i] = i % 11 - 4.0 + 0.25 * (i % 7);
    return 0;
}

static int clean_up(void **state)
{
    (void)state;
    unlink(file);
    return rmdir(folder);
}

static struct qp_dense_solution eliminate(const struct qp_market *a, struct qp_dense_desc desc)
{
    struct qp_dense_solution got;
    desc.refine = true;
    desc.interrupt = &stop;
    assert_ok(qp_solve_dense(NULL, a, load, 2, &desc, &got));
    return got;
}

/* Interrupts as soon as there is a file. */
static void *interrupt_then(void *unused)
{
    (void)unused;
    for (int k = 0; k < 5000 && stop == 0 && access(file, F_OK) != 0; k++)
        usleep(1000);
    stop = 1;
    return NULL;
}

/* A run that stops at some place after its first file, in the middle of a round or of the host's
 * part. */
static void stop_after_first_file(const struct qp_market *a)
{
    pthread_t thread;
    stops_start(0);
    unlink(file);
    assert_int_equal(pthread_create(&thread, NULL, interrupt_then, NULL), 0);
    struct qp_dense_solution got =
        eliminate(a, (struct qp_dense_desc){.checkpoint = file, .every = 1e-9});
    stop = 1;
    assert_int_equal(pthread_join(thread, NULL), 0);
    qp_dense_solution_destroy(&got);
}

static void stop_before_all(const struct qp_market *a)
{
    stops_start(0);
    stop = 1;
    unlink(file);
    struct qp_dense_solution got = eliminate(a, (struct qp_dense_desc){.checkpoint = file});
    assert_true(got.ending == QP_INTERRUPTED && got.eliminations == 0);
    qp_dense_solution_destroy(&got);
}

TEST(eliminations_go_on)
{
    struct qp_market a = support_random_dense(200, 5);
    stops_start(0);
    struct qp_dense_solution one = eliminate(&a, (struct qp_dense_desc){0});
    assert_true(one.eliminations > 1);
    for (int k = 0; k < (support_takes_long() ? 40 : 4); k++) {
        if (k == 0)
            stop_before_all(&a);
        else
            stop_after_first_file(&a);
        stops_start(0);
        struct qp_dense_solution two = eliminate(
            &a, (struct qp_dense_desc){.checkpoint = file, .every = 1e-9, .resume = file});
        assert_int_equal(two.eliminations, one.eliminations);
        assert_memory_equal(two.x, one.x, 400 * sizeof *one.x);
        assert_non_null(strstr(two.sentence, "; it went on from "));
        qp_dense_solution_destroy(&two);
    }
    qp_dense_solution_destroy(&one);
    qp_market_destroy(&a);
}

/* The time before a file counts, in the run that writes it and in the one that reads it. */
TEST(eliminations_keep_their_time)
{
    struct qp_archive archive = {0};
    for (int reads = 0; reads < 2; reads++) {
        double x[2] = {1.0, 2.0};
        struct qp_dense_solution out = {0};
        struct qp_dense s = {.out = &out, .n = 2, .sides = 1, .x = x};
        s.begin = qp_clock() - (reads ? 0.0 : 500.0);
        archive.reads = reads;
        qp_dense_store(&archive, &s);
        assert_false(archive.failed);
        assert_in_range(qp_clock() - s.begin, 500, 600);
    }
    free(archive.bytes);
}

/* Refinement ends where a round does not halve the residual: here six rounds do or nearly do, and
 * eleven slower ones would reach the last digit. After a variant that exchanges rows too the host
 * goes on. */
TEST(refinement_ends_where_it_is_slow)
{
    struct qp_market a = support_random_dense(4, 195);
    for (int j = 0; j < 4; j++) /* the first row is the second, but for 18 bits */
        *support_entry(&a, 0, j) = *support_entry(&a, 1, j) + ldexp(*support_entry(&a, 0, j), -18);
    struct qp_dense_desc desc = {.variant = qp_variant_find("gauss_jordan/loop"), .refine = true};
    struct qp_dense_solution got;
    assert_ok(qp_solve_dense(NULL, &a, NULL, 1, &desc, &got));
    assert_int_equal(got.eliminations, 6);
    assert_true(got.residual > 1e-12 && got.residual < 1e-8 && !got.on_host);
    qp_dense_solution_destroy(&got);
    desc.variant = qp_variant_find("gauss_jordan/reference");
    assert_ok(qp_solve_dense(NULL, &a, NULL, 1, &desc, &got));
    assert_true(got.residual < 1e-15 && got.on_host);
    assert_null(strstr(got.sentence, "OpenGL cannot")); /* nobody asked it */
    qp_dense_solution_destroy(&got);
    qp_market_destroy(&a);
}

/* Squares of these are beyond what double holds, and so are some of their powers of two. */
TEST(norms_hold_large_and_small_numbers)
{
    const double large[] = {0.0, 0x3p1000, -0x1p2, 0x1p1002}, small[] = {0x3p-1070, 0.0, 0x1p-1068},
                 none[2] = {0};
    const int shift[] = {-1000, 5, 9, -1002}, more[] = {2000, -9, 1998};
    assert_true(qp_norm(large, 0, 4) == 0x5p1000 && qp_norm(large, -1100, 4) == 0x5p-100);
    assert_true(qp_norm(small, 0, 3) == 0x5p-1070 && qp_norm(small, 1100, 3) == 0x5p30);
    assert_true(qp_norm(none, 7, 2) == 0.0 && qp_norm_scaled(none, shift, 1, 2) == 0.0);
    assert_true(qp_norm_scaled(small, more, 1, 3) == sqrt(9.0 + 1.0) * 0x1p930);
    assert_true(qp_norm_scaled((const double[]){12.0, 0.0, 0x1p1000}, (const int[]){2, -8, 998}, -1,
                               3) == 5.0);
    assert_true(qp_largest(large, 4) == 0x1p1002 && qp_largest(small, 2) == 0x3p-1070);
    assert_true(isinf(qp_largest((const double[]){1.0, NAN, 2.0}, 3)));
}

/* Exponents of what is left, as scaled; zeros have none, whatever their row's scale. */
TEST(exponents_are_of_the_largest)
{
    int row[] = {-2, 0, 9};
    struct qp_dense s = {.n = 3, .scaling.row = row};
    assert_int_equal(qp_dense_exponent(&s, (const double[]){12.0, 0.75, 0.0}), 2);
    assert_int_equal(qp_dense_exponent(&s, (const double[]){0.0, -0.75, 0x1p-40}), 0);
    assert_int_equal(qp_dense_exponent(&s, (const double[]){0.0, 0.0, 0x1p-40}), -30);
    assert_int_equal(qp_dense_exponent(&s, (const double[]){0.0, 0.0, 0.0}), 0);
}

GROUP(prepare, clean_up)
