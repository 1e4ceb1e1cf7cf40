/* SPDX-License-Identifier: MIT */
/* The command at a terminal: progress, Ctrl-C, and what is left after it. */
#include "support/watch.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 300, CELLS = SIDE * SIDE };

/* A five-point Laplacian that Jacobi needs minutes for, and three columns of ones. */
static int make_slow_system(void **state)
{
    char path[256];
    if (make_folder_in_haste(state) != 0)
        return -1;
    snprintf(path, sizeof path, "%s/slow.mtx", folder);
    FILE *file = fopen(path, "w");
    fprintf(file, "%%%%MatrixMarket matrix coordinate real symmetric\n%d %d %d\n", CELLS, CELLS,
            CELLS + 2 * SIDE * (SIDE - 1));
    for (int i = 0; i < CELLS; i++) {
        fprintf(file, "%d %d 4\n", i + 1, i + 1);
        if (i % SIDE > 0)
            fprintf(file, "%d %d -1\n", i + 1, i);
        if (i >= SIDE)
            fprintf(file, "%d %d -1\n", i + 1, i + 1 - SIDE);
    }
    assert_int_equal(fclose(file), 0);
    snprintf(path, sizeof path, "%s/ones.mtx", folder);
    file = fopen(path, "w");
    fprintf(file, "%%%%MatrixMarket matrix array real general\n%d 3\n", CELLS);
    for (int i = 0; i < 3 * CELLS; i++)
        fputs("1\n", file);
    return fclose(file);
}

#define SLOW \
    "solve slow.mtx --tolerance 1e-7 --variant openmp --max-iterations 100000000 --json s.json "

/* ||b - A x|| / ||b|| of column `number` of a file, for the b that has `wanted` in every row, or A
 * times ones. */
static double residual_of(const char *name, int number, double wanted)
{
    struct qp_market a, x;
    static double rest[CELLS], all;
    char path[256];
    double left = 0.0;
    snprintf(path, sizeof path, "%s/slow.mtx", folder);
    assert_ok(qp_market_read(path, &a));
    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_ok(qp_market_read(path, &x));
    assert_true(x.rows == CELLS && x.columns > number);
    memset(rest, 0, sizeof rest);
    all = 0.0;
    for (int i = 0; i < CELLS; i++)
        rest[i] = wanted;
    for (size_t k = 0; k < a.count && wanted == 0.0; k++)
        rest[a.row[k]] += a.value[k];
    for (int i = 0; i < CELLS; i++)
        all += rest[i] * rest[i];
    for (size_t k = 0; k < a.count; k++)
        rest[a.row[k]] -= a.value[k] * x.value[number * CELLS + a.column[k]];
    for (int i = 0; i < CELLS; i++)
        left += rest[i] * rest[i];
    qp_market_destroy(&a);
    qp_market_destroy(&x);
    return sqrt(left / all);
}

/* A number after these words of a file in the folder. */
static double number_behind(const char *name, const char *words)
{
    char command[256];
    double number = NAN;
    snprintf(command, sizeof command, "cat %s/%s", folder, name);
    assert_int_equal(shell(command), 0);
    const char *at = strstr(output, words);
    if (at == NULL || sscanf(at + strlen(words), "%lf", &number) != 1)
        fail_msg("no number behind %s in %s", words, output);
    return number;
}

/* Either signal: the iterate so far is written, and reported as such. */
TEST(an_interrupt_writes_the_iterate)
{
    static const int signals[] = {SIGINT, SIGTERM};
    for (int k = 0; k < COUNT(signals); k++) {
        struct watched end = watch(SLOW "-o z.mtx", "residual", signals[k]);
        assert_int_equal(end.code, 1);
        assert_non_null(strstr(output, "interrupted"));
        const double residual = residual_of("z.mtx", 0, 0.0);
        assert_true(residual > 1e-7 && residual < 0.99);
        assert_true(fabs(number_behind("s.json", "\"residual\":") / residual - 1.0) < 0.01);
        assert_true(number_behind("s.json", "\"iterations\":") >= 25.0);
    }
}

/* An interrupt during the first of three columns leaves the others at their start. */
TEST(an_interrupt_leaves_later_columns)
{
    struct watched end = watch(SLOW "ones.mtx --x0 ones.mtx -o w.mtx", "residual", SIGINT);
    assert_int_equal(end.code, 1);
    static const char *const words[] = {"0 of 3 columns converged", "2 not begun"};
    must_print(words, COUNT(words));
    const double begun = residual_of("w.mtx", 0, 1.0), other = residual_of("w.mtx", 2, 1.0);
    assert_true(begun != other && residual_of("w.mtx", 1, 1.0) == other);
}

/* While a solve goes on a line gives its residual, its pace and how long it will take. */
TEST(a_solve_shows_progress)
{
    watch(SLOW, "residual", SIGINT);
    static const char *const words[] = {"\r[", " of 1.0e-07", " steps/s"};
    must_print(words, COUNT(words));
}

/* The first one ends benchmarks and checks, which then did not end well: within two seconds by the
 * contract, and three more for a machine that is busy. */
TEST(an_interrupted_run_is_1)
{
    static const struct {
        const char *arguments, *sign;
        int number;
        bool takes_long; /* tests/cmd/test_ends.c sends a bench and a check this signal too */
    } cases[] = {
        {"bench jacobi9/openmp -n 64 --iterations 20000 --repeats 100", ": walk ", SIGINT, false},
        {"bench jacobi9/openmp -n 64 --iterations 20000 --repeats 100", ": walk ", SIGTERM, true},
        {"check jacobi9/amorim_cpu --size 1000 --iterations 100000", NULL, SIGINT, true},
        {"check jacobi9/amorim_cpu --size 1000 --iterations 100000", NULL, SIGTERM, false},
        {"accuracy jacobi9/openmp -n 1000 --iterations 100000", NULL, SIGINT, false},
        {"accuracy jacobi9/bands_cpu -n 257 --problem bidomain", NULL, SIGINT, false},
    };
    for (int i = 0; i < COUNT(cases); i++) {
        if (cases[i].takes_long && !support_takes_long())
            continue;
        struct watched end = watch(cases[i].arguments, cases[i].sign, cases[i].number);
        if (end.code != 1 || end.seconds > 5.0)
            fail_msg("'%s' gave %d, signal %d: %s", cases[i].arguments, end.code, end.signal,
                     output);
    }
}

GROUP(make_slow_system, remove_folder)
