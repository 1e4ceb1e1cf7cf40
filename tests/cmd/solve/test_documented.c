/* SPDX-License-Identifier: MIT */
/* Promises of the manual for solve and invert: defaults, limits, endings with their files,
 * claims. */
#include "support/shell.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "lab/solve/eliminate/elimination.h"
#include "lab/solve/numbers.h"

#define ENTRIES "%%MatrixMarket matrix coordinate real general\n"
#define WEST    QP_SOURCE_DIR "/data/west0067.mtx"

static int make_systems(void **state)
{
    if (make_folder(state) != 0)
        return -1;
    /* Nine-band grids of 3 x 3; Jacobi converges on the first and diverges on the second. */
    static const double beside[] = {-1.0, -9.0};
    for (int m = 0; m < 2; m++) {
        static const int apart[] = {-3, -1, 1, 3};
        char path[256];
        snprintf(path, sizeof path, "%s/%s", folder, m == 0 ? "good.mtx" : "wild.mtx");
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        fprintf(file, "%s9 9 33\n", ENTRIES);
        for (int i = 0; i < 9; i++) {
            fprintf(file, "%d %d 5\n", i + 1, i + 1);
            for (int k = 0; k < 4; k++) {
                const int j = i + apart[k];
                if (j >= 0 && j < 9 && (k == 0 || k == 3 || j / 3 == i / 3))
                    fprintf(file, "%d %d %g\n", i + 1, j + 1, beside[m]);
            }
        }
        assert_int_equal(fclose(file), 0);
    }
    write_file("b.mtx",
               "%%MatrixMarket matrix array real general\n9 1\n-2\n-1\n0\n1\n2\n3\n4\n-2\n-1\n");
    return 0;
}

static double recorded(const char *key)
{
    char words[96];
    double value = NAN;
    assert_int_equal(run("--version; cat r.json"), 0);
    snprintf(words, sizeof words, "\"%.60s\":", key);
    const char *at = strstr(output, words);
    if (at == NULL || sscanf(at + strlen(words), "%lf", &value) != 1)
        fail_msg("no number '%s' in: %s", key, output);
    return value;
}

static struct qp_market file_of(const char *name)
{
    struct qp_market x;
    char path[256];
    snprintf(path, sizeof path, "%s/%.99s", folder, name);
    assert_ok(qp_market_read(path, &x));
    return x;
}

/* 100,000 steps, unless --max-iterations says otherwise; so small a weight needs more. */
TEST(steps_have_a_default)
{
    assert_int_equal(run("solve good.mtx --variant jacobi9/reference --weight 5e-5 --json r.json"),
                     1);
    assert_non_null(strstr(output, "weight 5e-05"));
    assert_true(recorded("iterations") == 100000.0);
    assert_int_equal(run("solve good.mtx --variant jacobi9/reference --weight 5e-5 "
                         "--max-iterations 77 --json r.json"),
                     1);
    assert_true(recorded("iterations") == 77.0);
    assert_int_equal(run("solve good.mtx --variant amorim_cpu --weight 0.7 --json r.json"), 0);
    assert_non_null(strstr(output, "weight 0.7"));
}

/* A single column is called no column. */
TEST(one_column_is_the_system)
{
    assert_int_equal(run("solve good.mtx --variant amorim_cpu"), 0);
    assert_null(strstr(output, "column"));
    assert_int_equal(run("solve wild.mtx --variant amorim_cpu --weight 1"), 1);
    assert_null(strstr(output, "column"));
    assert_int_equal(run("solve good.mtx --variant amorim_cpu --weight 1e-40"), 2);
    assert_null(strstr(output, "column"));
}

/* Diverging, stagnated, out of steps: all leave the iterate so far, of finite numbers. */
TEST(endings_leave_a_file)
{
    static const struct {
        const char *arguments, *words;
    } cases[] = {
        {"solve wild.mtx --variant amorim_cpu --weight 1", "diverging"},
        {"solve good.mtx b.mtx --variant amorim_cpu --tolerance 1e-12", "stagnated"},
        {"solve good.mtx --variant amorim_cpu --max-iterations 3", "out of steps"},
        {"invert " WEST " --variant reference --tolerance 1e-30", "stagnated"},
    };
    for (int i = 0; i < COUNT(cases); i++) {
        char line[256];
        snprintf(line, sizeof line, "%s -o end%d.mtx", cases[i].arguments, i);
        assert_int_equal(run(line), 1);
        assert_non_null(strstr(output, cases[i].words));
        snprintf(line, sizeof line, "end%d.mtx", i);
        struct qp_market x = file_of(line);
        for (size_t k = 0; k < x.count; k++)
            assert_true(isfinite(x.value[k]));
        qp_market_destroy(&x);
    }
}

/* ---- When an iteration gives up ---- */

static struct {
    double first, before, last, least;
    int least_step, last_step;
} seen;

static void see(void *user, const struct qp_progress *now)
{
    (void)user;
    if (now->step <= 25)
        seen.least = INFINITY;
    seen.first = now->first_residual;
    seen.before = seen.last;
    seen.last = now->residual;
    seen.last_step = now->step;
    if (now->residual < seen.least) {
        seen.least = now->residual;
        seen.least_step = now->step;
    }
}

static enum qp_ending give_up(const char *path, double weight, double tolerance)
{
    double b[9];
    struct qp_market a;
    struct qp_solution got;
    const struct qp_solve_desc desc = {.variant = qp_variant_find("jacobi9/amorim_cpu"),
                                       .weight = weight,
                                       .tolerance = tolerance,
                                       .on_progress = see};
    for (int i = 0; i < COUNT(b); i++)
        b[i] = i % 7 - 2;
    assert_ok(qp_market_read(path, &a));
    assert_ok(qp_solve(NULL, &a, b, NULL, &desc, &got));
    const enum qp_ending ending = got.ending;
    qp_solution_destroy(&got);
    qp_market_destroy(&a);
    return ending;
}

/* 1000 steps without a new least residual; one a million times the first. */
TEST(limits_of_an_iteration)
{
    char path[256];
    snprintf(path, sizeof path, "%s/good.mtx", folder);
    assert_int_equal(give_up(path, 1e-6, 0.0), QP_STAGNATED); /* steps too small for float */
    assert_int_equal(seen.last_step - seen.least_step, 1000);
    snprintf(path, sizeof path, "%s/wild.mtx", folder);
    assert_int_equal(give_up(path, 0.01, 0.0), QP_DIVERGING); /* slowly, to be seen */
    assert_true(seen.last > 1e6 * seen.first && seen.before <= 1e6 * seen.first);
    assert_true(seen.last < 10.0 * seen.before);
}

/* ---- Tolerance, method, claims ---- */

/* 1e-5, of iterations and of eliminations. */
TEST(tolerance_has_a_default)
{
    double tolerance;
    struct qp_market a;
    struct qp_dense_solution got;
    assert_ok(qp_find_tolerance(0.0, &tolerance));
    assert_true(tolerance == 1e-5);
    assert_ok(qp_market_read(WEST, &a));
    assert_ok(qp_solve_dense(NULL, &a, NULL, 1, &(struct qp_dense_desc){0}, &got));
    assert_true(got.tolerance == 1e-5);
    qp_dense_solution_destroy(&got);
    qp_market_destroy(&a);
    assert_int_equal(run("solve good.mtx --variant amorim_cpu --json r.json"), 0);
    const double steps = recorded("iterations");
    assert_int_equal(run("solve good.mtx --variant amorim_cpu --tolerance 1e-5 --json r.json"), 0);
    assert_true(recorded("iterations") == steps && recorded("residual") <= 1e-5);
    assert_int_equal(run("solve good.mtx --variant amorim_cpu --tolerance 2e-7 --json r.json"), 0);
    assert_true(recorded("iterations") > steps);
}

/* The largest d with 10^-d >= error, 15 at most; and a record says so of a matrix of known
 * error. */
TEST(certain_digits_are_certain)
{
    static const struct {
        double error;
        int digits;
    } cases[] = {{1.0, 0},    {0.5, 0},  {0.1, 1},     {0.09, 1}, {0.011, 1},
                 {0.0099, 2}, {3e-7, 6}, {1e-300, 15}, {0.0, 15}};
    for (int i = 0; i < COUNT(cases); i++)
        assert_int_equal(qp_certain_digits(cases[i].error), cases[i].digits);
    struct qp_market a;
    struct qp_dense_solution got;
    assert_ok(qp_market_read(WEST, &a));
    const struct qp_dense_desc desc = {.variant = qp_variant_find("gauss_jordan/reference")};
    assert_ok(qp_solve_dense(NULL, &a, NULL, 1, &desc, &got));
    const int digits = qp_certain_digits(got.errors[0]);
    assert_int_equal(got.digits, digits);
    qp_dense_solution_destroy(&got);
    qp_market_destroy(&a);
    assert_int_equal(run("solve " WEST " --variant gauss_jordan/reference --json r.json"), 0);
    assert_true(recorded("certain_digits") == digits);
    assert_true(recorded("condition") > 100.0 && recorded("condition") < 7000.0);
}

/* Refinement spends the steps of all its rounds together: a limit that falls into the second
 * one. */
TEST(refinement_counts_all_steps)
{
    assert_int_equal(run("solve " GR " --variant openmp --refine --json r.json"), 0);
    const int all = (int)recorded("iterations");
    for (int k = 1; k < 4; k++) {
        char line[256];
        const int limit = all * (2 * k + 1) / 9;
        snprintf(line, sizeof line,
                 "solve " GR " --variant openmp --refine --max-iterations %d --json r.json", limit);
        const int code = run(line);
        assert_true(recorded("iterations") <= limit);
        assert_true(code == 0 || recorded("iterations") == limit);
    }
}

/* ||A X - I|| in the Frobenius norm is what the columns' residuals come to, all of them. */
TEST(an_inverse_has_a_norm)
{
    double norm = 0.0, squares = 0.0;
    assert_int_equal(run("invert good.mtx --variant reference --json r.json -o i.mtx"), 0);
    assert_int_equal(sscanf(strstr(output, "||A X - I|| is "), "||A X - I|| is %lf", &norm), 1);
    assert_int_equal(run("--version >log; cat r.json"), 0);
    cJSON *tree = cJSON_Parse(output);
    const cJSON *one, *records = cJSON_GetObjectItem(tree, "records");
    double last = 0.0;
    assert_int_equal(cJSON_GetArraySize(records), 9);
    cJSON_ArrayForEach(one, records)
    {
        last = cJSON_GetObjectItem(one, "residual")->valuedouble;
        squares += last * last;
    }
    cJSON_Delete(tree);
    assert_true(fabs(norm / sqrt(squares) - 1.0) < 0.006);
    assert_true(last * last > 0.02 * squares); /* or the last one would not be missed */
}

/* Sizes beyond the machine's memory are refused before anything is allocated. */
TEST(too_large_is_refused)
{
    write_file("large.mtx", ENTRIES "2000000 2000000 3\n1 2000000 1\n2000000 1 1\n5 77777 1\n");
    int code = run("solve large.mtx --variant gauss_jordan/reference -o x.mtx");
    if ((code != 2 && code != 3) || strncmp(output, "quadpass: ", 10) != 0)
        fail_msg("%d: %s", code, output);
    assert_false(exists("x.mtx"));
}

GROUP(make_systems, remove_folder)
