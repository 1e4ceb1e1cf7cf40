/* SPDX-License-Identifier: MIT */
/* Counts of the report's variants for one column: draws, changes of framebuffer object, fetches. */
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

#include "lab/ops/gauss_jordan/columns.h"
#include "lab/plan/plan.h"
#include "toolkit/gl/context/context.h"
#include "toolkit/gl/shaders.h"

static struct qp_problem make(int unknowns)
{
    const struct qp_problem_desc desc = {
        .op = "gauss_jordan", .width = unknowns, .height = unknowns, .seed = 3};
    struct qp_problem problem;
    assert_ok(qp_problem_create(&desc, &problem));
    return problem;
}

/* Draws of each column: normalise, copy, above, below, of which the first column has no row above
 * and the last none below; one for both where fragments may be discarded, and no copy where
 * fragments divide for themselves. The blender's one quad comes after a row, a column and the row
 * back, and the matrix is copied first. Elimination draws two quads more on the way back, where the
 * first column has nothing above. LU draws factors three times, and six quads on its two ways
 * through the right-hand sides. */
CLEAN_TEST(draws_are_counted)
{
    enum { N = 9 };
    static const struct {
        const char *name;
        size_t draws;
    } rows[] = {{"gauss_jordan/undivided", 3 * N - 2},
                {"gauss_jordan/basic", 4 * N - 2},
                {"gauss_jordan/doublebuffered", 4 * N - 2},
                {"gauss_jordan/branched", 3 * N},
                {"gauss_jordan/branched_notex", 3 * N},
                {"gauss_jordan/branched_alwayscache", 3 * N},
                {"gauss_jordan/shrinking", 4 * N - 2},
                {"gauss_jordan/factors", 4 * N - 2},
                {"gauss_jordan/blend", 1 + 4 * N},
                {"gauss_jordan/blend_multiply", 1 + 4 * N},
                {"gauss_jordan/elimination", 3 * N - 1 + 2 * N - 1},
                {"gauss_jordan/lu", 1 + 5 * N - 4 + 5 * N - 2}};
    struct qp_context *context = support_need_context(state);
    struct qp_problem problem = make(N);
    for (int i = 0; i < COUNT(rows); i++) {
        size_t passes[3];
        for (int steps = 0; steps < 3; steps++) {
            const struct qp_walk_desc desc = {.iterations = steps};
            struct qp_result result;
            size_t before = qp_context_counters(context).passes;
            assert_ok(qp_walk(context, qp_variant_find(rows[i].name), &problem, &desc, &result));
            passes[steps] = qp_context_counters(context).passes - before;
        }
        assert_int_equal(passes[1] - passes[0], rows[i].draws);
        assert_int_equal(passes[2] - passes[1], rows[i].draws + 1); /* from the start again */
    }
    qp_problem_destroy(&problem);
}

/* Whatever binds a framebuffer object goes through here. */
static PFNGLBINDFRAMEBUFFERPROC bind_framebuffer;
static GLuint bound;
static int changes;

static void GLAPIENTRY count_changes(GLenum target, GLuint framebuffer_id)
{
    changes += framebuffer_id != bound;
    bound = framebuffer_id;
    bind_framebuffer(target, framebuffer_id);
}

enum { COLUMNS = 5 };

/* Changes of framebuffer object until each column was done. */
static void on_column(void *user, struct qp_plan *plan, int way, int k)
{
    (void)plan;
    if (way == 0)
        ((int *)user)[k] = changes;
}

static void watch_columns(void *user, enum qp_stage stage, struct qp_plan *plan, double seconds)
{
    (void)seconds;
    assert_true(qp_elimination_watch(plan, stage == QP_STAGE_PROGRAM ? on_column : NULL, user));
}

/* The report's pbuffers: three changes of context a column with two of them, since row k is copied
 * back, and none with one of two surfaces, in which bounds are like their variant. */
CLEAN_TEST(changes_of_framebuffer_are_counted)
{
    static const struct {
        const char *name;
        int changes;
    } rows[] = {{"gauss_jordan/undivided", 1},
                {"gauss_jordan/basic", 3},
                {"gauss_jordan/doublebuffered", 0},
                {"gauss_jordan/branched", 0},
                {"gauss_jordan/branched_notex", 0},
                {"gauss_jordan/branched_alwayscache", 0},
                {"gauss_jordan/quads", 0},
                {"gauss_jordan/blocks", 0},
                {"gauss_jordan/blocks_noop_notex", 0},
                {"gauss_jordan/quads_targets", 2},
                {"gauss_jordan/factors", 2}};
    struct qp_context *context = support_need_context(state);
    for (int i = 0; i < COUNT(rows); i++) {
        int after[COLUMNS] = {0};
        struct qp_problem problem = make(COLUMNS);
        const struct qp_walk_desc desc = {
            .iterations = 1, .on_stage = watch_columns, .user = after};
        struct qp_result result;
        bind_framebuffer = __glewBindFramebuffer;
        __glewBindFramebuffer = count_changes;
        enum qp_status status =
            qp_walk(context, qp_variant_find(rows[i].name), &problem, &desc, &result);
        __glewBindFramebuffer = bind_framebuffer;
        assert_ok(status);
        for (int k = 1; k < COLUMNS; k++)
            assert_int_equal(after[k] - after[k - 1], rows[i].changes);
        qp_problem_destroy(&problem);
    }
}

/* A division pass for row k spares a fetch and a division in every fragment of all other rows. */
CLEAN_TEST(fetches_are_counted)
{
    static const struct {
        const char *name;
        int fetches, divisions;
    } shaders[] = {
        {"gauss_jordan/undivided.frag", 4, 1}, {"gauss_jordan/rowop.frag", 3, 0},
        {"gauss_jordan/branched.frag", 3, 0},  {"gauss_jordan/divide.frag", 2, 1},
        {"gauss_jordan/copy.frag", 1, 0},      {"gauss_jordan/factors_rowop.frag", 3, 0}};
    for (int i = 0; i < COUNT(shaders); i++) {
        char *text;
        int fetches = 0, divisions = 0;
        assert_ok(qp_shader_read(shaders[i].name, &text));
        const char *at = strstr(text, "void main()");
        assert_non_null(at);
        for (; *at != '\0'; at++) {
            fetches += strncmp(at, "texture2DRect(", 14) == 0;
            divisions += *at == '/';
        }
        assert_int_equal(fetches, shaders[i].fetches);
        assert_int_equal(divisions, shaders[i].divisions);
        free(text);
    }
}

GROUP(support_open_context, support_close_context)
