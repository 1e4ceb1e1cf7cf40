/* SPDX-License-Identifier: MIT */
/* The numbers of a walk's description: what is refused, in its sentence, and what is just allowed.
 * No OpenGL is needed here. */
#include "support/support.h"

#include <math.h>
#include <string.h>

#include "lab/plan/problem.h"
#include "lab/walk/description.h"

static const struct qp_variant *variant;
static struct qp_problem problem;

static void set_up(void)
{
    variant = qp_variant_find("jacobi9/openmp");
    assert_non_null(variant);
    assert_ok(qp_problem_create(&(struct qp_problem_desc){.width = 4, .height = 4}, &problem));
}

static void refuse(struct qp_walk_desc desc, const char *sentence)
{
    assert_int_equal(qp_check_walk(variant, &problem, &desc), QP_BAD_USE);
    assert_string_equal(qp_error(), sentence);
}

static void take(struct qp_walk_desc desc)
{
    assert_ok(qp_check_walk(variant, &problem, &desc));
}

static bool ignore(void *user, int step, double largest, double squares)
{
    (void)user, (void)step, (void)largest, (void)squares;
    return false;
}

TEST(numbers_of_a_walk)
{
    const double wanted[1] = {0.0};
    set_up();
    take((struct qp_walk_desc){0});
    refuse((struct qp_walk_desc){.iterations = -1}, "-1 steps cannot be taken");
    take((struct qp_walk_desc){.warm_seconds = 3600.0});
    refuse((struct qp_walk_desc){.warm_seconds = 3601.0},
           "a warm-up of 3601 seconds is not from 0 to 3600");
    refuse((struct qp_walk_desc){.warm_seconds = -0.5},
           "a warm-up of -0.5 seconds is not from 0 to 3600");
    refuse((struct qp_walk_desc){.every = -1},
           "nothing can be called every -1 steps; 0 means never");
    refuse((struct qp_walk_desc){.on_distance = ignore},
           "there is nothing to measure distances from: `wanted` is NULL");
    take((struct qp_walk_desc){.on_distance = ignore, .wanted = wanted});
    refuse((struct qp_walk_desc){.first = -1}, "a walk of 0 steps cannot go on after -1");
    refuse((struct qp_walk_desc){.iterations = 3, .first = 4, .unchecked = true},
           "a walk of 3 steps cannot go on after 4");
    refuse((struct qp_walk_desc){.iterations = 3, .first = 1},
           "a walk that goes on after 1 steps has no reference; leave stages 9 and 10 out");
    take((struct qp_walk_desc){.iterations = 3, .first = 3, .unchecked = true});
    qp_problem_destroy(&problem);
    refuse((struct qp_walk_desc){0},
           "jacobi9/openmp has no problem to walk through: none was made");
}

TEST(styles)
{
    static const struct {
        struct qp_style style;
        const char *sentence; /* NULL: it is one */
    } cases[] = {
        {{.pingpong = (enum qp_pingpong_style)(QP_PINGPONG_STYLES - 1)}, NULL},
        {{.pingpong = QP_PINGPONG_STYLES}, "there is no ping-pong style 4"},
        {{.pingpong = (enum qp_pingpong_style) - 1}, "there is no ping-pong style -1"},
        {{.target = (enum qp_texture_target)(QP_TEXTURE_TARGETS - 1)}, NULL},
        {{.target = QP_TEXTURE_TARGETS}, "there is no texture target 2"},
        {{.target = (enum qp_texture_target) - 1}, "there is no texture target -1"},
        {{.block = -1}, "a block of -1 is none; 0 means the default"},
        {{.group_x = 32, .group_y = 32}, NULL},
        {{.group_x = 1, .group_y = 1}, NULL},
        {{.group_x = 1024, .group_y = 1}, NULL},
        {{.group_x = 41, .group_y = 25},
         "a group of 41 x 25 invocations cannot be: each at least 1, together at most 1024, or 0 x "
         "0 for the fastest"},
        {{.group_x = 0, .group_y = 1},
         "a group of 0 x 1 invocations cannot be: each at least 1, "
         "together at most 1024, or 0 x 0 for the fastest"},
        {{.group_x = 1, .group_y = 0},
         "a group of 1 x 0 invocations cannot be: each at least 1, "
         "together at most 1024, or 0 x 0 for the fastest"},
        {{.group_x = -4, .group_y = -4},
         "a group of -4 x -4 invocations cannot be: each at least 1, together at most 1024, or 0 x "
         "0 for the fastest"},
        {{.parts = {.count = -1}}, "a grid cannot be cut into -1 parts; 0 means the default"},
        {{.parts = {.depth = -1}},
         "there are no -1 steps between exchanges; 0 means the variant's own choice"},
        {{.parts = {.slow = -1}}, "a part cannot take a step -1 times; 0 means once"},
    };
    for (int i = 0; i < COUNT(cases); i++) {
        const enum qp_status status = qp_check_style(&cases[i].style);
        assert_int_equal(status, cases[i].sentence != NULL ? QP_BAD_USE : QP_OK);
        if (cases[i].sentence != NULL)
            assert_string_equal(qp_error(), cases[i].sentence);
    }
    assert_int_equal(qp_check_ways(-1, &(struct qp_style){0}, NULL), QP_BAD_USE);
    assert_int_equal(qp_check_ways(1, &(struct qp_style){.block = -1}, NULL), QP_BAD_USE);
    assert_int_equal(qp_check_ways(1, &(struct qp_style){0}, &(struct qp_variant){0}), QP_BAD_USE);
    assert_ok(qp_check_ways(0, &(struct qp_style){0}, NULL));
}

TEST(lists_of_weights)
{
    const double one[] = {1.0, 0.5, INFINITY};
    set_up();
    struct qp_weights weights = {.value = one, .count = 2};
    take((struct qp_walk_desc){.weights = &weights});
    weights.count = 3;
    refuse((struct qp_walk_desc){.weights = &weights},
           "weight 3 of 3 is inf, and no step can be taken with it");
    weights.count = 0;
    refuse((struct qp_walk_desc){.weights = &weights},
           "a list of 0 weights is none; leave `weights` NULL");
    weights = (struct qp_weights){.count = 2};
    refuse((struct qp_walk_desc){.weights = &weights},
           "a list of 2 weights at NULL is none; leave `weights` NULL");
    qp_problem_destroy(&problem);
}

TEST(names)
{
    assert_string_equal(qp_stage_name(QP_STAGE_PROBLEM), "problem");
    assert_string_equal(qp_stage_name(QP_STAGE_COMPARE), "compare");
    assert_string_equal(qp_stage_name((enum qp_stage) - 1), qp_stage_name((enum qp_stage)99));
    assert_string_equal(qp_verdict_name(QP_PASS), "pass");
    assert_string_equal(qp_verdict_name(QP_FAIL), "fail");
    assert_string_equal(qp_verdict_name(QP_SKIP), "skip");
    assert_string_equal(qp_verdict_name(QP_VERDICTS), qp_verdict_name((enum qp_verdict) - 1));
    assert_string_equal(qp_pingpong_name((enum qp_pingpong_style)3), "copy");
    assert_string_equal(qp_pingpong_name((enum qp_pingpong_style)0), "two_attachments");
    assert_string_equal(qp_target_name(QP_RECTANGLE), "rect");
    assert_string_equal(qp_target_name(QP_2D), "2d");
}
