/* SPDX-License-Identifier: MIT */
/* Which variant and which method Poisson's equation is solved by on devices that are not here:
 * their names are made up, and whether one can run a variant is answered in place of
 * qp_plan_check. */
/* wrap: qp_plan_check */
#include "support/threads.h"

#include <omp.h>
#include <string.h>

#include "lab/engines/check.h"
#include "lab/plan/problem.h"
#include "lab/solve/poisson/poisson.h"
#include "toolkit/gl/context/context.h"
#include "toolkit/gl/objects.h"

enum { MOST_ASKED = 16 };

#define H100 "NVIDIA H100 80GB HBM3/PCIe/SSE2"
#define H200 "NVIDIA H200/PCIe/SSE2"

/* Variants of the device to come, and what it was asked for. */
static struct {
    const char *refused[2]; /* parts of the names of variants that it cannot run */
    bool breaks;            /* the device is lost with the first question */
    int count;
    const char *asked[MOST_ASKED];
} fake;

enum qp_status __wrap_qp_plan_check(struct qp_context *context, const struct qp_variant *variant,
                                    const struct qp_problem *problem,
                                    enum qp_texture_target target);

enum qp_status __wrap_qp_plan_check(struct qp_context *context, const struct qp_variant *variant,
                                    const struct qp_problem *problem, enum qp_texture_target target)
{
    (void)problem, (void)target;
    assert_true(fake.count < MOST_ASKED);
    fake.asked[fake.count++] = variant->name;
    if (fake.breaks) {
        context->reset = GL_UNKNOWN_CONTEXT_RESET_ARB;
        return qp_fail(QP_DEVICE, "the device is lost");
    }
    for (int i = 0; i < COUNT(fake.refused); i++) {
        if (fake.refused[i] != NULL && strstr(variant->name, fake.refused[i]) != NULL)
            return qp_fail(QP_UNSUPPORTED, "not %s", variant->name);
    }
    return QP_OK;
}

/* Chooses for n x n cells on the device of this name, NULL: on none. */
static enum qp_status choose(const char *renderer, int n, const struct qp_poisson_desc *desc,
                             struct qp_iteration *s, struct qp_solution *out)
{
    static struct qp_context context;
    context = (struct qp_context){.device.renderer = renderer};
    assert_ok(qp_object_born(&context, QP_OBJECT_CONTEXT, &context, NULL));
    *out = (struct qp_solution){0};
    *s = (struct qp_iteration){
        .context = renderer != NULL ? &context : NULL, .poisson = desc, .out = out};
    fake.count = 0;
    assert_ok(qp_problem_create(
        &(struct qp_problem_desc){.op = "poisson5", .width = n, .height = n}, &s->problem));
    const enum qp_status status = qp_poisson_choose(s);
    qp_problem_destroy(&s->problem);
    qp_object_gone(&context);
    return status;
}

struct choice {
    const char *renderer;
    int n;
    const char *asked;      /* --method, or NULL */
    bool in_double;         /* --double */
    const char *refused[2]; /* variants or methods that the device cannot run */
    const char *row, *method;
};

static void check_choices(const struct choice *choices, int count)
{
    for (int i = 0; i < count; i++) {
        const struct choice *c = &choices[i];
        const struct qp_poisson_desc desc = {.method = c->asked, .in_double = c->in_double};
        struct qp_iteration s;
        struct qp_solution out;
        memcpy(fake.refused, c->refused, sizeof fake.refused);
        assert_ok(choose(c->renderer, c->n, &desc, &s, &out));
        if (strcmp(out.variant->name, c->row) != 0 || strcmp(s.method->name, c->method) != 0)
            fail_msg("choice %d is %s by %s", i, out.variant->name, s.method->name);
    }
}

static int forget(void **state)
{
    (void)state;
    memset(&fake, 0, sizeof fake);
    return 0;
}

/* An H200's variants by their times of whole solves, and an H100's, which has the same units. */
TEST(data_centre_cards_take_cuda, .setup_func = forget)
{
    static const struct choice choices[] = {
        {H200, 1023, NULL, false, {0}, "poisson5/cuda_resident_double", "chebyshev"},
        {H100, 1023, NULL, false, {0}, "poisson5/cuda_resident_double", "chebyshev"},
        {"NVIDIA H200", 700, NULL, false, {0}, "poisson5/cuda_resident_double", "chebyshev"},
        {H200, 699, NULL, false, {0}, "poisson5/openmp_blocked", "chebyshev"},
        {H200, 31, NULL, true, {0}, "poisson5/openmp_blocked_double", "chebyshev"},
        {H200, 1023, NULL, true, {0}, "poisson5/cuda_resident_double", "chebyshev"},
        {H200, 1023, "jacobi", false, {0}, "poisson5/cuda_resident_double", "jacobi"},
        {H200, 1023, "sor", true, {0}, "poisson5/cuda_red_black_resident_double", "sor"},
    };
    check_choices(choices, COUNT(choices));
}

/* Refusals, of grids too large for the chip and by builds without CUDA, lead to the next
 * variant. */
TEST(refusals_lead_to_the_next, .setup_func = forget)
{
    static const struct choice choices[] = {
        {H200, 1800, NULL, false, {"resident"}, "poisson5/cuda_red_black_double", "sor"},
        {H200, 1800, "jacobi", false, {"resident"}, "poisson5/cuda_temporal_double", "jacobi"},
        {H200, 800, NULL, false, {"/cuda_re"}, "poisson5/cuda_temporal_double", "chebyshev"},
        {H200, 800, NULL, false, {"/cuda"}, "poisson5/openmp_blocked", "chebyshev"},
        {H200, 400, "sor", false, {"/cuda"}, "poisson5/openmp_red_black", "sor"},
        {H200, 800, "sor", false, {"/cuda"}, "poisson5/openmp_red_black_double", "sor"},
        {H200, 800, NULL, true, {"/cuda"}, "poisson5/openmp_blocked_double", "chebyshev"},
    };
    check_choices(choices, COUNT(choices));
}

/* In float, while that does (docs/poisson5.md says how far). */
TEST(others_take_the_processor, .setup_func = forget)
{
    static const struct choice choices[] = {
        {NULL, 31, NULL, false, {0}, "poisson5/openmp_blocked", "chebyshev"},
        {"", 31, NULL, false, {0}, "poisson5/openmp_blocked", "chebyshev"},
        {"NVIDIA H300", 31, NULL, false, {0}, "poisson5/openmp_blocked", "chebyshev"},
        {"NVIDIA A100-SXM4-80GB/PCIe/SSE2",
         31,
         NULL,
         false,
         {0},
         "poisson5/openmp_blocked",
         "chebyshev"},
        {"NVIDIA GeForce RTX 4090/PCIe/SSE2",
         31,
         NULL,
         false,
         {0},
         "poisson5/openmp_blocked",
         "chebyshev"},
        {"llvmpipe (LLVM 15.0.6, 256 bits)",
         31,
         NULL,
         false,
         {0},
         "poisson5/openmp_blocked",
         "chebyshev"},
        {"llvmpipe (LLVM 15.0.6, 256 bits)",
         31,
         "sor",
         false,
         {0},
         "poisson5/openmp_red_black",
         "sor"},
        {NULL, 31, "jacobi", false, {0}, "poisson5/openmp_blocked", "jacobi"},
        {NULL, 31, NULL, true, {0}, "poisson5/openmp_blocked_double", "chebyshev"},
        {NULL, 31, "sor", true, {0}, "poisson5/openmp_red_black_double", "sor"},
        {NULL, 497, "sor", false, {0}, "poisson5/openmp_red_black", "sor"},
        {NULL, 498, "sor", false, {0}, "poisson5/openmp_red_black_double", "sor"},
        {NULL, 1574, NULL, false, {0}, "poisson5/openmp_blocked", "chebyshev"},
        {NULL, 1575, NULL, false, {0}, "poisson5/openmp_blocked_double", "chebyshev"},
    };
    check_choices(choices, COUNT(choices));
}

/* All variants that suit are asked in their order, and the last one's reason is given, which is the
 * processor's. */
TEST(the_last_reason_is_told, .setup_func = forget)
{
    static const char *const rows[] = {
        "poisson5/cuda_resident_double",   "poisson5/cuda_red_black_resident_double",
        "poisson5/cuda_red_black_double",  "poisson5/cuda_temporal_double",
        "poisson5/openmp_blocked",         "poisson5/openmp_blocked_double",
        "poisson5/openmp_red_black_double"};
    const struct qp_poisson_desc desc = {0};
    struct qp_iteration s;
    struct qp_solution out;
    fake.refused[0] = "poisson5/";
    assert_int_equal(choose(H200, 800, &desc, &s, &out), QP_UNSUPPORTED);
    support_assert_sentence(
        "no variant can take this problem: not poisson5/openmp_red_black_double");
    assert_null(out.variant);
    assert_int_equal(fake.count, COUNT(rows));
    for (int i = 0; i < COUNT(rows); i++)
        assert_string_equal(fake.asked[i], rows[i]);
}

/* No other variant is tried on a device that is lost. */
TEST(a_lost_device_ends_the_search, .setup_func = forget)
{
    const struct qp_poisson_desc desc = {0};
    struct qp_iteration s;
    struct qp_solution out;
    fake.breaks = true;
    assert_int_equal(choose(H200, 800, &desc, &s, &out), QP_DEVICE);
    support_assert_sentence("the device is lost");
    assert_true(fake.count == 1 && out.variant == NULL);
}

/* A variant that does not go with the method: another is named that the device can run, in double
 * if that is asked for. */
TEST(advice_can_be_followed, .setup_func = forget)
{
    static const struct {
        const char *renderer, *refused;
        bool in_double;
        const char *words;
    } cases[] = {{H200, NULL, false, "take poisson5/cuda_red_black_resident_double, or leave"},
                 {H200, "resident", false, "take poisson5/cuda_red_black_double, or leave"},
                 {H200, "/cuda", false, "take poisson5/openmp_red_black_double, or leave"},
                 {NULL, NULL, false, "take poisson5/openmp_red_black, or leave"},
                 {NULL, NULL, true, "take poisson5/openmp_red_black_double, or leave"}};
    for (int i = 0; i < COUNT(cases); i++) {
        const struct qp_poisson_desc desc = {.method = "sor",
                                             .in_double = cases[i].in_double,
                                             .variant = qp_variant_find("poisson5/openmp_double")};
        struct qp_iteration s;
        struct qp_solution out;
        fake.refused[0] = cases[i].refused;
        assert_int_equal(
            choose(cases[i].renderer, cases[i].renderer != NULL ? 800 : 31, &desc, &s, &out),
            QP_BAD_USE);
        support_assert_sentence(cases[i].words);
    }
}

/* Every name of a list is a variant that some method goes with, and the last ones need no
 * device. */
TEST(lists_hold_rows, .setup_func = forget)
{
    static const char *const renderers[] = {H200, "another", NULL};
    for (int i = 0; i < COUNT(renderers); i++) {
        const struct qp_variant *variant = NULL;
        for (const char *const *name = qp_poisson_preference(renderers[i]); *name != NULL; name++) {
            variant = qp_variant_find(*name);
            assert_true(variant != NULL && strcmp(variant->name, *name) == 0);
            assert_true(qp_poisson_has_method(variant));
            assert_true(renderers[i] != NULL || !qp_variant_draws(variant));
        }
        assert_true(variant != NULL && variant->backend == QP_CPU);
    }
}

/* Steps and rounds follow from the method, the precision's floor and the tolerance: a round ends
 * where its precision can do no more, or aims a little below the tolerance. */
TEST(steps_follow_from_the_tolerance, .setup_func = forget)
{
    enum { TOLERANCES = 5 };
    static const double tolerance[TOLERANCES] = {1e-2, 1e-5, 3e-7, 2e-7, 1e-12};
    static const struct {
        const char *method;
        int size;
        bool in_double;
        int steps[TOLERANCES], rounds[TOLERANCES];
    } cases[] = {
        {"jacobi", 20, false, {175, 700, 975, 1000, 1950}, {1, 1, 2, 2, 3}},
        {"jacobi", 20, true, {175, 700, 975, 1000, 1925}, {1, 1, 1, 2, 2}},
        {"sor", 63, false, {75, 150, 175, 175, 300}, {1, 2, 2, 2, 3}},
        {"sor", 63, true, {75, 150, 175, 175, 325}, {1, 1, 1, 1, 2}},
        {"chebyshev", 20, false, {48, 88, 128, 128, 192}, {1, 2, 2, 2, 3}},
        {"chebyshev", 20, true, {48, 96, 128, 112, 192}, {1, 1, 1, 2, 3}},
        {"chebyshev", 63, false, {128, 320, 384, 384, 640}, {1, 2, 2, 3, 5}},
        {"chebyshev", 63, true, {128, 256, 384, 384, 640}, {1, 1, 1, 2, 3}},
    };
    for (int k = 0; k < COUNT(cases) * TOLERANCES; k++) {
        const int c = k / TOLERANCES, t = k % TOLERANCES;
        struct qp_solution got;
        const struct qp_poisson_desc desc = {.width = cases[c].size,
                                             .height = cases[c].size - 3,
                                             .seed = 3,
                                             .method = cases[c].method,
                                             .in_double = cases[c].in_double,
                                             .tolerance = tolerance[t]};
        fake.count = 0;
        assert_ok(qp_solve_poisson(NULL, &desc, &got));
        if (got.steps != cases[c].steps[t] || got.rounds != cases[c].rounds[t])
            fail_msg("%s of %d to %g: %d steps in %d rounds", desc.method, desc.width,
                     desc.tolerance, got.steps, got.rounds);
        qp_solution_destroy(&got);
    }
}

/* Too few steps are out of steps, wherever in a round they end, its own end included. */
TEST(steps_run_out_anywhere, .setup_func = forget)
{
    enum { STEPS = 88 };
    for (int most = 8; most <= STEPS; most += 8) {
        struct qp_solution got;
        const struct qp_poisson_desc desc = {.width = 20,
                                             .height = 17,
                                             .seed = 3,
                                             .method = "chebyshev",
                                             .tolerance = 1e-5,
                                             .most_steps = most};
        fake.count = 0;
        assert_ok(qp_solve_poisson(NULL, &desc, &got));
        assert_int_equal(got.ending, got.residual <= 1e-5 ? QP_CONVERGED : QP_OUT_OF_STEPS);
        assert_true(got.steps <= most);
        qp_solution_destroy(&got);
    }
}

GROUP(threads_one, NULL)
