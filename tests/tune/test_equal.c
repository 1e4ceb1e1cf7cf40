/* SPDX-License-Identifier: MIT */
/* Equal accuracy: variants that have the same bits take as many launches as each other, and
 * launches are the first from which distances stay small enough. */
#include "support/threads.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/ops/poisson5/accuracy.h"
#include "tools/tune/equal.h"

enum { SIZE = 48, MANY = 300, STEPS = 60 };

static const char *const doubles[] = {"poisson5/no_such_row", "poisson5/openmp_blocked_double",
                                      "poisson5/sequential_double", NULL};

static struct qp_problem make(const char *kind, int mark)
{
    const struct qp_problem_desc desc = {.op = "poisson5",
                                         .kind = kind,
                                         .width = SIZE,
                                         .height = SIZE - 9,
                                         .seed = 4,
                                         .mark_x = mark,
                                         .mark_y = -mark};
    struct qp_problem problem;
    assert_ok(qp_problem_create(&desc, &problem));
    return problem;
}

static double *wanted_of(struct qp_problem *problem)
{
    const char *name = NULL;
    double *wanted = NULL;
    assert_ok(qp_equal_wanted(NULL, problem, doubles, MANY, NULL, &name, &wanted));
    assert_string_equal(name, doubles[1]);
    const struct qp_walk_desc walk = {.iterations = MANY, .unchecked = true, .keep_solution = true};
    struct qp_result result;
    assert_ok(qp_walk(NULL, qp_variant_find(doubles[1]), problem, &walk, &result));
    for (int i = 0; i < problem->width * problem->height; i++)
        assert_true(wanted[i] == result.solution.doubles[i]);
    qp_matrix_destroy(&result.solution);
    return wanted;
}

static struct qp_equal_desc desc_of(const char *row, const double *wanted)
{
    return (struct qp_equal_desc){.variant = qp_variant_find(row),
                                  .wanted = wanted,
                                  .enough = {INFINITY, INFINITY},
                                  .most = 4 * STEPS,
                                  .runs = 2};
}

/* Makes the variant's distances after `steps` steps those that are enough. */
static void keep_distance(struct qp_problem *problem, int steps, struct qp_equal_desc *desc)
{
    struct qp_equal equal;
    assert_ok(qp_equal_distance(NULL, problem, desc, steps, &equal));
    memcpy(desc->enough, equal.distance, sizeof equal.distance);
}

/* Distances after `steps` steps, straight from the definition. */
static void distances(struct qp_problem *problem, const double *wanted, int steps, double out[2])
{
    const struct qp_walk_desc walk = {
        .iterations = steps, .unchecked = true, .keep_solution = true};
    struct qp_result result;
    double squares = 0.0, norm = 0.0;
    assert_ok(qp_walk(NULL, qp_variant_find("poisson5/sequential"), problem, &walk, &result));
    const size_t count = (size_t)problem->width * (size_t)problem->height;
    double *u = malloc(count * sizeof *u);
    assert_non_null(u);
    for (size_t i = 0; i < count; i++) {
        u[i] = (double)result.solution.values[i];
        squares += (u[i] - wanted[i]) * (u[i] - wanted[i]);
        norm += wanted[i] * wanted[i];
    }
    out[QP_EQUAL_LARGEST] = qp_poisson5_distance(u, wanted, count);
    out[QP_EQUAL_TWO] = sqrt(squares / norm);
    free(u);
    qp_matrix_destroy(&result.solution);
}

CLEAN_TEST(distances_are_those_of_the_thesis)
{
    static const char *const kinds[] = {"spike", "field"};
    for (int k = 0; k < 2; k++) {
        struct qp_problem problem = make(kinds[k], 5 * k);
        double *wanted = wanted_of(&problem), by_hand[2];
        struct qp_equal told;
        for (int steps = 1; steps <= STEPS; steps += 29) {
            const struct qp_equal_desc desc = desc_of("poisson5/openmp_blocked", wanted);
            distances(&problem, wanted, steps, by_hand);
            assert_ok(qp_equal_distance(NULL, &problem, &desc, steps, &told));
            for (int norm = 0; norm < QP_EQUAL_NORMS; norm++)
                assert_true(fabs(told.distance[norm] - by_hand[norm]) <= 1e-12 * by_hand[norm]);
            assert_true(told.seconds > 0.0 && isfinite(told.seconds));
            assert_int_equal(told.timed, desc.runs);
        }
        for (int runs = 0; runs < 8;
             runs += 1 + runs / 2) { /* ten by default, of which five are timed */
            struct qp_equal_desc desc = desc_of("poisson5/sequential", wanted);
            desc.runs = runs;
            assert_ok(qp_equal_distance(NULL, &problem, &desc, 1, &told));
            assert_int_equal(told.timed, runs == 0 || runs > 5 ? 5 : runs);
        }
        free(wanted);
        qp_problem_destroy(&problem);
    }
}

/* Jacobi is as near to itself after as many steps, and not one before. */
CLEAN_TEST(a_row_equals_itself)
{
    for (int mark = 0; mark < 5; mark += 4) {
        struct qp_problem problem = make("spike", mark);
        double *wanted = wanted_of(&problem);
        struct qp_equal_desc desc = desc_of("poisson5/sequential", wanted);
        struct qp_equal equal;
        assert_ok(qp_equal_run(NULL, &problem, &desc, &equal)); /* any distance is enough */
        assert_true(equal.least[QP_EQUAL_TWO] == 1 && equal.most[QP_EQUAL_LARGEST] == 1);
        keep_distance(&problem, STEPS, &desc);
        desc.variant = qp_variant_find("poisson5/openmp_blocked");
        assert_ok(qp_equal_run(NULL, &problem, &desc, &equal));
        for (int norm = 0; norm < QP_EQUAL_NORMS; norm++) {
            assert_int_equal(equal.launches[norm], STEPS);
            assert_int_equal(equal.least[norm], STEPS);
            assert_int_equal(equal.most[norm], STEPS);
        }
        assert_int_equal(equal.timed, desc.runs);
        for (int k = 0; k < equal.timed; k++)
            assert_true(equal.samples[k] >= equal.seconds_least &&
                        equal.samples[k] <= equal.seconds_most);
        assert_true(equal.seconds_least > 0.0 && equal.seconds_least <= equal.seconds_most);
        const double middle = 0.5 * (equal.samples[0] + equal.samples[1]);
        assert_true(fabs(equal.seconds - middle) <= 1e-12 * middle); /* the median of two */
        free(wanted);
        qp_problem_destroy(&problem);
    }
}

/* Gauss-Seidel needs about half as many. Steps of a smaller weight take more than are looked at. */
CLEAN_TEST(others_need_fewer_or_more)
{
    struct qp_problem problem = make("spike", 0);
    double *wanted = wanted_of(&problem);
    struct qp_equal_desc desc = desc_of("poisson5/sequential", wanted);
    struct qp_equal equal;
    keep_distance(&problem, STEPS, &desc);
    desc.variant = qp_variant_find("poisson5/openmp_red_black");
    assert_ok(qp_equal_run(NULL, &problem, &desc, &equal));
    assert_true(equal.launches[QP_EQUAL_LARGEST] > STEPS / 3 &&
                equal.launches[QP_EQUAL_LARGEST] < 2 * STEPS / 3);
    desc.variant = qp_variant_find("poisson5/sequential");
    problem.weight = 0.125;
    assert_ok(qp_equal_run(NULL, &problem, &desc, &equal));
    assert_int_equal(equal.launches[QP_EQUAL_LARGEST], 0);
    assert_int_equal(equal.most[QP_EQUAL_TWO], 0);
    assert_true(isnan(equal.seconds));
    free(wanted);
    qp_problem_destroy(&problem);
}

/* Launches of asynchronous variants, here on one thread: those that exchange nothing take more than
 * STEPS steps for the same accuracy, those that update in place fewer, and the others about as
 * many. */
THREADS_TEST(launches_count)
{
    enum { ALPHA = 6 };
    static const struct {
        const char *row;
        double least, most; /* T_eff over T */
    } known[] = {{"poisson5/threads_async0", 0.9, 1.12},
                 {"poisson5/threads_async1", 0.9, 1.12},
                 {"poisson5/threads_async2", 1.15, 1.4},
                 {"poisson5/threads_async3", 0.7, 0.95}};
    omp_set_num_threads(1);
    struct qp_problem problem = make("spike", 0);
    double *wanted = wanted_of(&problem);
    for (int k = 0; k < COUNT(known); k++) {
        struct qp_equal_desc desc = desc_of("poisson5/threads", wanted);
        struct qp_equal equal;
        keep_distance(&problem, STEPS, &desc);
        desc.variant = qp_variant_find(known[k].row);
        desc.alpha = ALPHA;
        assert_ok(qp_equal_run(NULL, &problem, &desc, &equal));
        assert_int_equal(equal.alpha, ALPHA);
        for (int norm = 0; norm < QP_EQUAL_NORMS; norm++) {
            const double share = (double)equal.launches[norm] * (ALPHA + 1) / STEPS;
            if (!(share >= known[k].least && share <= known[k].most))
                fail_msg("%s takes %.2f times as many steps", known[k].row, share);
        }
    }
    free(wanted);
    qp_problem_destroy(&problem);
}

/* Distances that are near enough early and then no more do not count: the exact solution lies
 * beyond that of many steps. */
CLEAN_TEST(it_must_stay_so)
{
    struct qp_problem problem = make("spike", 0);
    double *wanted = wanted_of(&problem);
    struct qp_equal_desc desc = desc_of("poisson5/sequential_double", wanted);
    struct qp_equal equal;
    keep_distance(&problem, MANY - 20, &desc);
    desc.most = 4 * MANY;
    assert_ok(qp_equal_run(NULL, &problem, &desc, &equal));
    assert_int_equal(equal.launches[QP_EQUAL_LARGEST], 0);
    free(wanted);
    qp_problem_destroy(&problem);
}

/* Without a variant in double, or after an interrupt, nothing is wanted. */
CLEAN_TEST(wanted_needs_a_row)
{
    static const char *const none[] = {"poisson5/no_such_row", NULL, "poisson5/sequential_double"};
    const volatile sig_atomic_t stopped = 1;
    struct qp_problem problem = make("spike", 0);
    for (int k = 0; k < 2; k++) {
        const char *name = NULL;
        double *wanted = &(double){0.0};
        assert_int_equal(qp_equal_wanted(NULL, &problem, k == 0 ? none : doubles, MANY,
                                         k == 0 ? NULL : &stopped, &name, &wanted),
                         QP_UNSUPPORTED);
        support_assert_sentence("there is no variant in double");
        assert_true(name == NULL && wanted == NULL);
    }
    qp_problem_destroy(&problem);
}
