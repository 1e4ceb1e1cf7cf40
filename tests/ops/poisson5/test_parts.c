/* SPDX-License-Identifier: MIT */
/* Poisson in parts has the bits of one whole: x, residuals on the way, and so the step at which a
 * solve stops; what parts leak is counted. */
#include "support/parts.h"

#include <stdlib.h>
#include <string.h>

#include "toolkit/gl/context/context.h"

static const double cycle[] = {1.3, 0.6, 0.9, 1.7, 0.5};
static const struct qp_weights weights = {cycle, 5};

static struct qp_result walk(struct qp_context *context, const struct qp_variant *variant,
                             struct qp_problem *problem, struct qp_walk_desc desc)
{
    struct qp_result result;
    desc.keep_solution = true;
    assert_ok(qp_walk(context, variant, problem, &desc, &result));
    return result;
}

static bool on_both(const struct qp_variant *variant)
{
    const struct qp_parts_variant *parts = parts_variant(variant);
    return parts->runs[1].name != NULL &&
           qp_parts_run(parts, 0)->backend != qp_parts_run(parts, 1)->backend;
}

static bool same_device(struct qp_context *context, const struct qp_variant *variant)
{
    return !on_both(variant) || (context != NULL && qp_context_device(context)->software);
}

/* In parts and whole: both pass, with the same bits, but where CPU and GPU are at work at once and
 * round apart. */
static void compare(struct qp_context *context, const struct qp_variant *variant,
                    struct qp_problem *problem, const struct qp_result *whole,
                    struct qp_walk_desc desc)
{
    struct qp_result parts = walk(context, variant, problem, desc);
    const bool same = !same_device(context, variant) || parts_same_bits(whole, &parts);
    if (parts.verdict != QP_PASS || !same)
        fail_msg("%s, %d x %d %s, %d steps, %d parts, %d deep, split %d: %s", variant->name,
                 problem->width, problem->height, problem->kind, desc.iterations, desc.parts.count,
                 desc.parts.depth, desc.parts.split,
                 parts.verdict == QP_PASS ? "other bits" : parts.reason);
    qp_matrix_destroy(&parts.solution);
}

/* Settings of a variant's run: one number chooses all. */
struct scene {
    const char *kind;
    struct qp_size size;
    bool weighted;
    struct qp_parts_desc parts;
};

static const struct qp_size sizes[] = {{1, 1}, {2, 3}, {13, 11}, {65, 9}, {64, 64}, {40, 37}};

enum { SCENES = 3 * COUNT(sizes) * 2, CUTS = 4 * 4, SQUARE = 3 * 4 /* field on 64 x 64 */ };

static struct scene scene_of(int scene, int cut)
{
    static const char *const kinds[] = {"field", "spike", "sine"};
    static const int counts[] = {2, 1, 5, 3}, depths[] = {1, 3, 8, 2}, splits[] = {0, -1, 5, 1000};
    struct scene out = {
        .kind = kinds[scene % 3],
        .size = sizes[scene / 3 % COUNT(sizes)],
        .weighted = scene / 3 / COUNT(sizes) % 2,
        .parts = {.count = counts[cut % 4], .depth = depths[cut / 4], .split = splits[cut % 4]}};
    if (out.parts.count > out.size.height)
        out.parts.count = out.size.height;
    return out;
}

/* Walks a problem by one variant, cut in every `stride`-th way from `first` on. */
static void visit(struct qp_context *context, const struct qp_variant *variant, int number,
                  int first, int stride)
{
    const struct scene scene = scene_of(number, 0);
    const bool ordered = parts_variant(variant)->multiple > 0;
    struct qp_problem problem = parts_problem(scene.kind, scene.size.width, scene.size.height,
                                              ordered && scene.weighted ? 1.4 : 0.0);
    struct qp_walk_desc desc = {.iterations = 19,
                                .weights = scene.weighted && !ordered ? &weights : NULL};
    struct qp_result whole = walk(context, parts_whole(variant), &problem, desc);
    assert_int_equal(whole.verdict, QP_PASS);
    for (int cut = first; cut < CUTS; cut += stride) {
        desc.parts = scene_of(number, cut).parts;
        compare(context, variant, &problem, &whole, desc);
    }
    qp_matrix_destroy(&whole.solution);
    qp_problem_destroy(&problem);
}

/* On the CPU all ways; with contexts of OpenGL or CUDA, which take long to open, one in many, and
 * with LONG=1 one in three scenes in all ways. */
CLEAN_TEST(parts_have_the_bits_of_one_whole)
{
    const struct qp_variant *variant;
    int rows = 0;
    for (; (variant = parts_variant_at(*state, QP_PARTS_THREADS, rows)) != NULL; rows++) {
        const bool all = variant->backend == QP_CPU || support_takes_long();
        for (int scene = all ? 0 : rows; scene < SCENES; scene += variant->backend == QP_CPU ? 1
                                                                  : all                      ? 3
                                                                                             : 9)
            visit(*state, variant, scene, all ? 0 : (5 * scene + rows) % CUTS, all ? 1 : CUTS);
        if (!all) /* an exchange a step, beside an interior that goes on */
            visit(*state, variant, SQUARE, 0, CUTS);
    }
    assert_true(rows >= 2);
}

/* ---- Objects ---- */

static int pretended;

/* An object of a part's own context that nobody will destroy. */
static void leak(void *user, enum qp_stage stage, struct qp_plan *plan, double seconds)
{
    struct qp_plan_parts *parts = qp_parts_of(plan);
    (void)user, (void)seconds;
    for (int k = 0; stage == QP_STAGE_UNPACK && k < parts->count; k++) {
        parts->part[k].context->counters.live_objects++;
        pretended++;
    }
}

/* Leaks of parts count as the caller's, so that a test finds them. */
CLEAN_TEST(leaks_of_parts_are_counted)
{
    struct qp_context *context = support_need_context(state);
    const size_t before = qp_context_counters(context).live_objects;
    struct qp_problem problem = parts_problem("field", 9, 8, 0.0);
    struct qp_result result;
    const struct qp_walk_desc desc = {.iterations = 1, .parts = {.count = 2}, .on_stage = leak};
    pretended = 0;
    assert_ok(qp_walk(context, qp_variant_find("poisson5/parts_rgba"), &problem, &desc, &result));
    assert_int_equal(result.verdict, QP_PASS);
    assert_int_equal(pretended, 2);
    assert_int_equal(qp_context_counters(context).live_objects, before + 2);
    context->counters.live_objects = before;
    qp_problem_destroy(&problem);
}

/* ---- Residuals ---- */

enum { MOST_LOOKS = 32 };

/* Residuals that a run has reported. */
struct told {
    int count;
    double residual[MOST_LOOKS];
};

static bool note(void *user, int step, double residual)
{
    struct told *told = user;
    (void)step;
    assert_true(told->count < MOST_LOOKS);
    told->residual[told->count++] = residual;
    return true;
}

static struct told listen(struct qp_context *context, const struct qp_variant *variant,
                          struct qp_problem *problem, struct qp_parts_desc parts)
{
    struct told told = {0};
    const struct qp_walk_desc desc = {
        .iterations = 21, .every = 4, .on_residual = note, .user = &told, .parts = parts};
    struct qp_result result = walk(context, variant, problem, desc);
    assert_int_equal(result.verdict, QP_PASS);
    assert_true(told.count >= 5);
    qp_matrix_destroy(&result.solution);
    return told;
}

/* To the last bit, for a solve compares them with its tolerance. CPU and OpenGL sum in orders of
 * their own: hybrid variants are near. */
CLEAN_TEST(residuals_are_those_of_one_whole)
{
    const struct qp_variant *variant;
    struct qp_problem problem = parts_problem("field", 40, 37, 0.0);
    for (int k = 0; (variant = parts_variant_at(*state, QP_PARTS_THREADS, k)) != NULL; k++) {
        const struct told whole =
            listen(*state, parts_whole(variant), &problem, (struct qp_parts_desc){0});
        const bool both = on_both(variant);
        for (int parts = 2; parts < 5; parts += both ? 3 : 1 + qp_variant_draws(variant)) {
            const struct told told = listen(*state, variant, &problem,
                                            (struct qp_parts_desc){.count = parts, .depth = parts});
            assert_int_equal(told.count, whole.count);
            for (int i = 0; i < told.count; i++) {
                const double error = told.residual[i] - whole.residual[i];
                if (both ? !(error * error < 1e-12 * whole.residual[i] * whole.residual[i])
                         : error != 0.0)
                    fail_msg("%s in %d parts, look %d: %.17g, not %.17g", variant->name, parts, i,
                             told.residual[i], whole.residual[i]);
            }
        }
    }
    qp_problem_destroy(&problem);
}

/* ---- Solves ---- */

static struct qp_solution solve(struct qp_context *context, const char *row, const char *method,
                                int size, struct qp_parts_desc parts)
{
    const struct qp_poisson_desc desc = {.width = size,
                                         .height = size,
                                         .kind = "field",
                                         .method = method,
                                         .variant = qp_variant_find(row),
                                         .tolerance = 1e-4,
                                         .parts = parts};
    struct qp_solution solution;
    assert_ok(qp_solve_poisson(context, &desc, &solution));
    assert_int_equal(solution.ending, QP_CONVERGED);
    return solution;
}

/* The same step, and the same bits of x. */
static void solve_both(struct qp_context *context, const char *parts, const char *whole,
                       const char *method)
{
    enum { SIZE = 24 };
    struct qp_solution one = solve(context, whole, method, SIZE, (struct qp_parts_desc){0});
    assert_true(one.steps > 20);
    for (int count = 2; count < 5; count++) {
        const struct qp_parts_desc cut = {.count = count, .depth = count - 1};
        struct qp_solution several = solve(context, parts, method, SIZE, cut);
        if (several.steps != one.steps ||
            memcmp(several.x, one.x, sizeof *one.x * SIZE * SIZE) != 0)
            fail_msg("%s, %s, %d parts: %d steps, not %d, or other bits", parts, method, count,
                     several.steps, one.steps);
        qp_solution_destroy(&several);
    }
    qp_solution_destroy(&one);
}

CLEAN_TEST(solves_stop_at_the_same_step)
{
    solve_both(NULL, "poisson5/parts_sequential", "poisson5/sequential", "jacobi");
    solve_both(NULL, "poisson5/parts_sequential", "poisson5/sequential", "chebyshev");
    solve_both(NULL, "poisson5/parts_sequential_double", "poisson5/sequential_double", "chebyshev");
    struct qp_context *context = support_need_context(state);
    const unsigned abilities = qp_context_device(context)->abilities;
    solve_both(context, "poisson5/parts_rgba", "poisson5/rgba", "chebyshev");
    if ((qp_variant_find("poisson5/red_black")->needs & ~abilities) == 0)
        solve_both(context, "poisson5/parts_red_black", "poisson5/red_black", "sor");
}

GROUP(support_open_context, support_close_context)
