/* SPDX-License-Identifier: MIT */
/* Poisson's equation from a right-hand side to its solution: every method against the exact
 * discrete solution, refinement, every ending, and what is refused. */
#include "support/support.h"

#include <float.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "lab/baseline/baseline.h"
#include "lab/ops/poisson5/poisson5.h"
#include "lab/solve/poisson/poisson.h"

static volatile sig_atomic_t stop;
static int looks, rounds;

static void look(void *user, const struct qp_progress *progress)
{
    looks++;
    assert_true(progress->forecast > 0 && progress->most_steps >= progress->step);
    stop = user != NULL;
    rounds = progress->round;
}

static struct qp_solution solve(struct qp_poisson_desc desc)
{
    struct qp_solution got;
    desc.on_progress = look;
    desc.interrupt = &stop;
    stop = looks = 0;
    assert_ok(qp_solve_poisson(NULL, &desc, &got));
    assert_int_equal(got.width, desc.width);
    assert_int_equal(got.height, desc.height);
    assert_non_null(got.sentence);
    assert_true(got.seconds > 0.0 && got.seconds < 600.0);
    return got;
}

static double *rhs_of(const struct qp_poisson_desc *desc)
{
    const int cells = desc->width * desc->height;
    double *b = malloc((size_t)cells * sizeof *b);
    struct qp_problem problem;
    assert_ok(qp_problem_create(&(struct qp_problem_desc){.op = "poisson5",
                                                          .kind = desc->kind,
                                                          .width = desc->width,
                                                          .height = desc->height,
                                                          .seed = desc->seed},
                                &problem));
    for (int i = 0; i < cells; i++)
        b[i] = qp_poisson5_rhs(&problem, i % desc->width, i / desc->width);
    qp_problem_destroy(&problem);
    return b;
}

static double norm(const double *v, int count)
{
    double sum = 0.0;
    for (int i = 0; i < count; i++)
        sum += v[i] * v[i];
    return sqrt(sum);
}

/* |b - A x| / |b|, by its definition. */
static double residual_of(const struct qp_poisson_desc *desc, const double *x, const double *b)
{
    const int width = desc->width, height = desc->height;
    double sum = 0.0;
    for (int i = 0; i < width * height; i++) {
        const double left = i % width > 0 ? x[i - 1] : 0.0;
        const double right = i % width < width - 1 ? x[i + 1] : 0.0;
        const double below = i >= width ? x[i - width] : 0.0;
        const double above = i < width * (height - 1) ? x[i + width] : 0.0;
        const double rest = b[i] - (4.0 * x[i] - left - right - below - above);
        sum += rest * rest;
    }
    return sqrt(sum) / norm(b, width * height);
}

static int claims; /* digits that were claimed, of all solutions together */

/* Digits that are claimed are true: `error` is the largest, in parts of the largest element. Where
 * all of the error is the sine's, as after many steps, no more than one true digit is missing. */
static void check_digits(const struct qp_poisson_desc *desc, const struct qp_solution *got,
                         double error)
{
    int digits = 0;
    const char *claim = strstr(got->sentence, "; x has ");
    if (claim != NULL)
        assert_int_equal(sscanf(claim, "; x has %d certain digit", &digits), 1);
    else
        assert_non_null(strstr(got->sentence, "; digits: not proven"));
    assert_true(error <= pow(10.0, -digits) + 1e-14);
    claims += digits;
    if (strcmp(desc->kind, "sine") == 0 && got->steps > 40 && strcmp(got->method, "sor") != 0 &&
        error > 1e-13)
        assert_true(digits >= (int)floor(-log10(error)) - 1);
}

/* The error against the judge is within what the residual allows: |u - u*| <= |r| / (4 (1 -
 * rho)). */
static void check_error(const struct qp_poisson_desc *desc, const struct qp_solution *got)
{
    const int cells = desc->width * desc->height;
    const double pi = acos(-1.0);
    const double rho = 0.5 * (cos(pi / (desc->width + 1)) + cos(pi / (desc->height + 1)));
    double *b = rhs_of(desc), *u = malloc((size_t)cells * sizeof *u);
    const enum qp_status status = baseline_poisson(desc->width, desc->height, b, u);
    if (status == QP_UNSUPPORTED)
        support_skip("fftw");
    assert_ok(status);
    const double all = norm(u, cells), allowed = got->residual * norm(b, cells) / (4 * (1 - rho));
    double most = 0.0, largest = 0.0;
    for (int i = 0; i < cells; i++) {
        largest = fmax(largest, fabs(u[i]));
        u[i] -= got->x[i];
        most = fmax(most, fabs(u[i]));
    }
    assert_true(norm(u, cells) <= allowed + 1e-13 * all);
    check_digits(desc, got, most / largest);
    free(b);
    free(u);
}

TEST(methods_reach_the_judge)
{
    static const char *const kinds[] = {"field", "spike", "sine"};
    static const struct {
        int width, height;
    } sizes[] = {{1, 1}, {2, 3}, {13, 7}, {31, 64}, {128, 130}};
    for (int k = 0; k < 3 * COUNT(sizes) * 4 * 2; k++) {
        const int at = k / 6 % COUNT(sizes);
        struct qp_poisson_desc desc = {.width = sizes[at].width,
                                       .height = sizes[at].height,
                                       .kind = kinds[k / 2 % 3],
                                       .seed = 4,
                                       .method = qp_poisson_method(k / (6 * COUNT(sizes))),
                                       .in_double = k % 2 == 1,
                                       .tolerance = 1e-6};
        if (k / (6 * COUNT(sizes)) == 0 && desc.width > 64)
            continue; /* Jacobi, of which there would be 1e5 steps */
        struct qp_solution got = solve(desc);
        assert_int_equal(got.ending, QP_CONVERGED);
        assert_true(got.residual <= 1e-6 && got.rounds >= 1);
        assert_string_equal(got.method, desc.method);
        check_error(&desc, &got);
        qp_solution_destroy(&got);
    }
    assert_true(claims > 400);
    assert_null(qp_poisson_method(4));
}

/* Ten digits below float's floor, by corrections in float. */
TEST(refinement_reaches_double)
{
    for (int k = 0; k < 2; k++) {
        struct qp_poisson_desc desc = {.width = 127,
                                       .height = 127,
                                       .kind = k == 0 ? "sine" : "field",
                                       .method = "chebyshev",
                                       .tolerance = 1e-11};
        struct qp_solution got = solve(desc);
        assert_true(got.ending == QP_CONVERGED && got.residual <= 1e-11 && got.rounds > 2);
        assert_string_equal(got.variant->name, "poisson5/openmp_blocked");
        assert_true(got.steps < 5000);
        check_error(&desc, &got);
        qp_solution_destroy(&got);
        desc.tolerance = 0.0;
        desc.refine = true;
        got = solve(desc);
        assert_true(got.residual < 5e-13);
        check_error(&desc, &got);
        qp_solution_destroy(&got);
    }
}

/* Against the solution in continuous terms errors fall by four as h is halved. */
TEST(error_falls_with_h_squared)
{
    double before = 0.0;
    for (int n = 15; n <= 127; n = 2 * n + 1) {
        const struct qp_poisson_desc desc = {
            .width = n, .height = n, .kind = "sine", .in_double = true, .tolerance = 1e-12};
        struct qp_solution got = solve(desc);
        const double pi = acos(-1.0);
        double error = 0.0;
        assert_int_equal(got.ending, QP_CONVERGED);
        assert_non_null(strstr(got.variant->name, "_double"));
        for (int y = 0; y < n; y++) {
            for (int x = 0; x < n; x++)
                error = fmax(error, fabs(got.x[y * n + x] - sin(pi * (x + 1) / (n + 1)) *
                                                                sin(pi * (y + 1) / (n + 1))));
        }
        if (n > 15)
            assert_true(before / error > 3.97 && before / error < 4.03);
        before = error;
        qp_solution_destroy(&got);
    }
}

/* f by values is f by kind, whatever its size; rows of the grid from below. */
TEST(values_are_taken)
{
    struct qp_poisson_desc desc = {.width = 20, .height = 9, .seed = 1, .refine = true};
    struct qp_solution made = solve(desc);
    double *f = rhs_of(&desc), *wanted = rhs_of(&desc);
    for (int k = 0; k < 3; k++) {
        const double factor = k == 0 ? 1.0 : k == 1 ? 0x1p900 : 0x1p-900;
        for (int i = 0; i < 180; i++)
            f[i] = wanted[i] * 441.0 * factor;
        desc.rhs = f;
        struct qp_solution got = solve(desc);
        for (int i = 0; i < 180; i++)
            assert_true(fabs(got.x[i] / factor - made.x[i]) <= 1e-12 * fabs(made.x[i]) + 1e-14);
        qp_solution_destroy(&got);
    }
    memset(f, 0, 180 * sizeof *f);
    struct qp_solution nothing = solve(desc);
    assert_true(nothing.ending == QP_CONVERGED && nothing.steps == 0 && nothing.x[7] == 0.0);
    qp_solution_destroy(&nothing);
    qp_solution_destroy(&made);
    free(f);
    free(wanted);
}

/* A smooth solution on a fine grid: float would not gain, so double is taken. */
TEST(precision_follows_the_grid)
{
    struct qp_poisson_desc desc = {
        .width = 700, .height = 700, .kind = "sine", .method = "sor", .most_steps = 1};
    struct qp_solution got = solve(desc);
    assert_string_equal(got.variant->name, "poisson5/openmp_red_black_double");
    qp_solution_destroy(&got);
    desc.width = desc.height = 300;
    got = solve(desc);
    assert_string_equal(got.variant->name, "poisson5/openmp_red_black");
    qp_solution_destroy(&got);
}

/* Rounds begin where the tolerance is nearer to the floor of float than four times, which is 2^-24
 * / (1 - radius). */
TEST(tolerances_near_the_floor_take_rounds)
{
    const double floor = 0x1p-24 / (1.0 - cos(acos(-1.0) / 64.0));
    for (int above = 3; above < 6; above += 2) {
        struct qp_solution got = solve((struct qp_poisson_desc){
            .width = 63, .height = 63, .kind = "sine", .tolerance = above * floor});
        assert_string_equal(got.variant->name, "poisson5/openmp_blocked");
        assert_true(got.ending == QP_CONVERGED && (rounds > 0) == (above < 4));
        qp_solution_destroy(&got);
    }
}

TEST(endings_are_told)
{
    struct qp_poisson_desc desc = {.width = 60, .height = 60, .most_steps = 30};
    for (int steps = 1; steps < 3; steps++) {
        struct qp_solution got = solve((struct qp_poisson_desc){
            .width = 9, .height = 9, .method = "jacobi", .most_steps = steps});
        assert_non_null(strstr(got.sentence, steps == 1 ? " after 1 step of jacobi, "
                                                        : " after 2 steps of jacobi, "));
        qp_solution_destroy(&got);
    }
    for (int k = 0; k < 4; k++) {
        desc.method = qp_poisson_method(k);
        desc.most_steps = k < 3 ? 30 : 2; /* cycles, of multigrid */
        struct qp_solution got = solve(desc);
        assert_true(got.ending == QP_OUT_OF_STEPS && got.steps == desc.most_steps);
        assert_true(got.residual < 1.0);
        assert_non_null(strstr(got.sentence, "out of steps: residual"));
        assert_non_null(strstr(got.sentence, got.method));
        qp_solution_destroy(&got);
    }
    desc.method = "jacobi";
    desc.most_steps = 0;
    desc.user = &looks;
    struct qp_solution got = solve(desc);
    assert_true(got.ending == QP_INTERRUPTED && got.steps == 25 && looks == 1);
    assert_true(got.residual < 1.0);
    assert_non_null(strstr(got.sentence, "this is the iterate so far"));
    qp_solution_destroy(&got);
    desc.user = NULL;
    desc.method = NULL;
    desc.tolerance = 1e-17;
    got = solve(desc);
    assert_int_equal(got.ending, QP_STAGNATED);
    assert_true(got.residual < 1e-12);
    assert_non_null(strstr(got.sentence, "stagnated: residual"));
    assert_non_null(strstr(got.sentence, " s; allow a larger --tolerance")); /* after the time */
    qp_solution_destroy(&got);
    desc.refine = true;
    got = solve(desc);
    assert_non_null(strstr(got.sentence, " s; --refine gains nothing more"));
    qp_solution_destroy(&got);
}

/* Within a first cycle of Chebyshev's, whose weights in their order make residuals larger than 1 on
 * the way. */
TEST(interrupted_cycles_are_kept)
{
    static const int sizes[] = {127, 255, 300};
    int shortened = 0;
    for (int k = 0; k < 2 * COUNT(sizes); k++) {
        struct qp_poisson_desc desc = {.width = sizes[k / 2],
                                       .height = sizes[k / 2],
                                       .kind = k % 2 ? "spike" : "field",
                                       .method = "chebyshev",
                                       .user = &looks};
        struct qp_solution got = solve(desc);
        double *b = rhs_of(&desc);
        const int cells = desc.width * desc.height;
        assert_true(got.ending == QP_INTERRUPTED && got.steps >= 25 && looks == 1);
        assert_true(got.residual < 1.0 && norm(got.x, cells) > 0.0);
        assert_true(fabs(got.residual / residual_of(&desc, got.x, b) - 1.0) < 1e-9);
        assert_non_null(strstr(got.sentence, "this is the iterate so far"));
        shortened += strstr(got.sentence, "of its last correction, which leaves least") != NULL;
        free(b);
        qp_solution_destroy(&got);
    }
    assert_true(shortened > 0);
}

static void refuse(struct qp_poisson_desc desc, enum qp_status status, const char *words)
{
    struct qp_solution got;
    assert_int_equal(qp_solve_poisson(NULL, &desc, &got), status);
    support_assert_sentence(words);
    assert_true(got.x == NULL && got.variant == NULL);
}

TEST(wrong_use_is_refused)
{
    static double f[12];
    struct qp_solution got;
    refuse((struct qp_poisson_desc){.width = 4, .height = -1}, QP_BAD_USE, "are no grid");
    refuse((struct qp_poisson_desc){.width = 4, .height = 3, .kind = "random"}, QP_BAD_USE,
           "no problem 'random'");
    refuse((struct qp_poisson_desc){.width = 4, .height = 3, .method = "sro"}, QP_BAD_USE,
           "there is no method 'sro'; they are jacobi, sor, chebyshev and multigrid");
    refuse((struct qp_poisson_desc){.width = 4, .height = 3, .tolerance = -1.0}, QP_BAD_USE,
           "a tolerance of -1 is none");
    refuse((struct qp_poisson_desc){.width = 4,
                                    .height = 3,
                                    .variant = qp_variant_find("jacobi9/openmp")},
           QP_BAD_USE, "is a variant of jacobi9");
    refuse((struct qp_poisson_desc){.width = 4,
                                    .height = 3,
                                    .method = "sor",
                                    .variant = qp_variant_find("poisson5/openmp")},
           QP_BAD_USE, "take poisson5/openmp_red_black, or leave one out");
    refuse((struct qp_poisson_desc){.width = 4,
                                    .height = 3,
                                    .in_double = true,
                                    .variant = qp_variant_find("poisson5/openmp")},
           QP_BAD_USE, "computes in float");
    f[6] = NAN;
    refuse((struct qp_poisson_desc){.width = 4, .height = 3, .rhs = f}, QP_BAD_INPUT,
           "row 2, column 3 of the right-hand side is nan");
    f[6] = 1e39;
    refuse((struct qp_poisson_desc){.width = 4, .height = 3, .rhs = f}, QP_BAD_INPUT,
           "row 2, column 3 of the right-hand side is 1e+39, beyond float");
    assert_int_equal(qp_solve_poisson(NULL, NULL, &got), QP_BAD_USE);
    assert_int_equal(qp_solve_poisson(NULL, &(struct qp_poisson_desc){.width = 1}, NULL),
                     QP_BAD_USE);
}

/* Every name of the list is a variant, and has a method. */
TEST(preferred_rows_solve)
{
    struct qp_problem problem;
    assert_ok(qp_problem_create(
        &(struct qp_problem_desc){.op = "poisson5", .width = 40, .height = 40}, &problem));
    for (size_t i = 0; i < qp_variant_count(); i++) {
        const struct qp_variant *variant = qp_variant_at(i);
        if (strcmp(variant->op, "poisson5") != 0 || variant->backend != QP_CPU ||
            qp_poisson5_variant(variant->recipe)->order == QP_POISSON5_CHAOTIC ||
            qp_recipe_alpha_rule(variant->recipe) != NULL)
            continue;
        struct qp_solution got =
            solve((struct qp_poisson_desc){.width = 40, .height = 40, .variant = variant});
        assert_ptr_equal(got.variant, variant);
        assert_int_equal(got.ending, QP_CONVERGED);
        qp_solution_destroy(&got);
    }
    qp_problem_destroy(&problem);
}

/* A lone cell is solved exactly, by u = h^2 f / 4; the residual that is reported is the last bit of
 * h^2 f. */
TEST(residuals_are_told_from_above)
{
    const double f = 3.0;
    struct qp_solution got =
        solve((struct qp_poisson_desc){.width = 1, .height = 1, .rhs = &f, .refine = true});
    assert_true(got.x[0] == 0.25 * 0.25 * 3.0);
    assert_true(fabs(got.residual - 0x1p-52) < 0x1p-60);
    qp_solution_destroy(&got);
}
