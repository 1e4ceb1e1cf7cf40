/* SPDX-License-Identifier: MIT */
/* A walk that hands out its iterate in mid-run, and another that goes on from there: of every
 * variant that takes steps on a grid the last bits are those of one walk. Pairs of floats come back
 * as their sums, which a walk may round anew. */
#include "support/support.h"

#include <math.h>
#include <string.h>

#include "lab/engines/check.h"
#include "lab/plan/op.h"
#include "toolkit/base/layout.h"
#include "toolkit/base/values.h"

enum { STEPS = 33, EVERY = 6, WANTED = 12, WIDTH = 37, HEIGHT = 29 };

/* A cycle that no step handed out ends. */
static const double cycle[] = {1.0, 0.8, 0.6, 0.9, 0.7};
static const struct qp_weights weights = {cycle, COUNT(cycle)};

static struct qp_matrix kept; /* the iterate after WANTED steps */
static int looks;

static bool look(void *user, int step, double residual)
{
    (void)user;
    assert_true(step % EVERY == 0 && isfinite(residual));
    looks++;
    return true;
}

static bool wants(void *user, int step)
{
    (void)user;
    return step == WANTED;
}

static bool keep(void *user, int step, const struct qp_matrix *x)
{
    const size_t values = (size_t)x->width * (size_t)x->height;
    (void)user;
    assert_int_equal(step, WANTED);
    assert_ok(qp_matrix_make(x->width, x->height, x->precision, &kept));
    memcpy(qp_matrix_values(&kept), qp_matrix_values(x), values * qp_value_bytes(x->precision));
    return true;
}

static struct qp_walk_desc describe(const struct qp_weights *list, bool hands_out)
{
    return (struct qp_walk_desc){.iterations = STEPS,
                                 .unchecked = true,
                                 .keep_solution = true,
                                 .on_residual = look,
                                 .every = EVERY,
                                 .wants_state = hands_out ? wants : NULL,
                                 .on_state = hands_out ? keep : NULL,
                                 .weights = list};
}

static bool is_close(const struct qp_matrix *a, const struct qp_matrix *b, double most)
{
    bool close = true;
    for (size_t i = 0; i < (size_t)a->width * (size_t)a->height; i++)
        close = close && fabs(qp_matrix_value(a, i) - qp_matrix_value(b, i)) <= most;
    return close;
}

/* Checks a walk, one that hands out, one that goes on. */
static void check_row(struct qp_context *context, const struct qp_variant *variant,
                      struct qp_problem *problem, const struct qp_weights *list)
{
    struct qp_result one, two, three;
    struct qp_walk_desc desc = describe(list, false);
    const double most = qp_format_has_pairs(variant->recipe->state.format) ? 1e-13 : 0.0;
    assert_ok(qp_walk(context, variant, problem, &desc, &one));
    if (one.solution.width == 0)
        return; /* a skip */
    desc = describe(list, true);
    assert_ok(qp_walk(context, variant, problem, &desc, &two));
    assert_true(kept.width > 0);
    struct qp_matrix *start = &problem->field[problem->op->state];
    const struct qp_matrix before = *start;
    desc = describe(list, false);
    desc.first = WANTED;
    *start = kept;
    looks = 0;
    assert_ok(qp_walk(context, variant, problem, &desc, &three));
    *start = before;
    assert_true(one.iterations == STEPS && three.iterations == STEPS);
    assert_int_equal(looks, STEPS / EVERY - WANTED / EVERY);
    if (!is_close(&one.solution, &two.solution, 0.0))
        fail_msg("%s: other bits where the iterate was handed out", variant->name);
    if (!is_close(&one.solution, &three.solution, most))
        fail_msg("%s: other bits behind %d steps%s", variant->name, WANTED,
                 list != NULL ? " of a cycle" : "");
    qp_matrix_destroy(&kept);
    qp_matrix_destroy(&one.solution);
    qp_matrix_destroy(&two.solution);
    qp_matrix_destroy(&three.solution);
}

static bool takes_steps(const struct qp_variant *variant)
{
    return (strcmp(variant->op, "jacobi9") == 0 || strcmp(variant->op, "poisson5") == 0) &&
           !qp_variant_is_bound(variant) && strcmp(variant->name, "poisson5/chaotic") != 0;
}

CLEAN_TEST(every_row_goes_on)
{
    struct qp_context *context = *state;
    const int pace = support_takes_long() ? 1 : 4;
    int rows = 0, drawn = 0;
    for (size_t k = 0; k < qp_variant_count(); k++) {
        const struct qp_variant *variant = qp_variant_at(k);
        struct qp_problem problem;
        drawn += takes_steps(variant) && qp_variant_draws(variant);
        if (!takes_steps(variant) || (qp_variant_draws(variant) && drawn % pace != 0))
            continue;
        assert_ok(
            qp_problem_create(&(struct qp_problem_desc){.op = variant->op,
                                                        .width = WIDTH,
                                                        .height = HEIGHT,
                                                        .seed = 5,
                                                        .systems = qp_variant_systems(variant)},
                              &problem));
        if (qp_plan_check(context, variant, &problem, QP_RECTANGLE) == QP_OK) {
            check_row(context, variant, &problem, NULL);
            if (strcmp(variant->op, "poisson5") == 0)
                check_row(context, variant, &problem, &weights);
            rows++;
        }
        qp_problem_destroy(&problem);
    }
    assert_true(rows > 10);
}

CLEAN_TEST(impossible_places_are_refused)
{
    struct qp_problem problem;
    struct qp_result result;
    const struct qp_variant *variant = qp_variant_find("jacobi9/openmp");
    assert_ok(qp_problem_create(&(struct qp_problem_desc){.width = 8, .height = 8}, &problem));
    struct qp_walk_desc desc = {.iterations = 4, .unchecked = true, .first = 5};
    assert_int_equal(qp_walk(NULL, variant, &problem, &desc, &result), QP_BAD_USE);
    support_assert_sentence("a walk of 4 steps cannot go on after 5");
    desc.first = -1;
    assert_int_equal(qp_walk(NULL, variant, &problem, &desc, &result), QP_BAD_USE);
    desc.first = 2;
    desc.unchecked = false;
    assert_int_equal(qp_walk(NULL, variant, &problem, &desc, &result), QP_BAD_USE);
    support_assert_sentence("has no reference");
    desc.unchecked = true;
    assert_ok(qp_walk(NULL, variant, &problem, &desc, &result));
    assert_int_equal(result.iterations, 4);
    qp_problem_destroy(&problem);
}

GROUP(support_open_context, support_close_context)
