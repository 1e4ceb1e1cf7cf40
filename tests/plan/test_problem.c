/* SPDX-License-Identifier: MIT */
/* Problems: the seed of each system, copies, views, and what is refused, each in its sentence. No
 * OpenGL is needed here. */
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lab/ops/table.h"
#include "lab/plan/problem.h"

enum { WIDTH = 7, HEIGHT = 5, CELLS = WIDTH * HEIGHT, SYSTEMS = 4 };

/* ---- Systems ---- */

/* System s is the problem of the seed s later, and all have the smallest weight. */
TEST(each_system_has_a_seed)
{
    const struct qp_problem_desc desc = {
        .width = WIDTH, .height = HEIGHT, .seed = 40, .systems = SYSTEMS};
    struct qp_problem all, one;
    double least = INFINITY;
    assert_ok(qp_problem_create(&desc, &all));
    assert_int_equal(all.systems, SYSTEMS);
    assert_int_equal(qp_problem_cells(&all), CELLS);
    assert_int_equal(qp_problem_answers(&all), SYSTEMS * CELLS);
    for (int s = 0; s < SYSTEMS; s++) {
        struct qp_problem_desc single = desc;
        single.systems = s % 2; /* 0 means one */
        single.seed = desc.seed + (unsigned)s;
        assert_ok(qp_problem_create(&single, &one));
        const struct qp_problem view = qp_problem_system(&all, s);
        assert_int_equal(view.systems, 1);
        for (int i = 0; i < all.op->fields; i++) {
            const struct qp_matrix *mine = &view.field[i], *wanted = &one.field[i];
            assert_int_equal(mine->width, wanted->width);
            assert_int_equal(mine->height, wanted->height);
            if (wanted->values != NULL)
                assert_memory_equal(mine->values, wanted->values, CELLS * sizeof(float));
        }
        least = fmin(least, one.weight);
        qp_problem_destroy(&one);
    }
    assert_true(all.weight == least);
    qp_problem_destroy(&all);
}

TEST(copies_are_alike)
{
    struct qp_problem_desc desc = {.width = WIDTH, .height = HEIGHT, .wraps = true, .weight = 0.75};
    struct qp_problem one, all;
    assert_ok(qp_problem_create(&desc, &one));
    one.mark_x = 2;
    one.mark_y = 3;
    one.parameter = 9;
    assert_ok(qp_problem_repeat(&one, SYSTEMS, &all));
    assert_true(all.weight == 0.75 && all.wraps == one.wraps && all.parameter == 9);
    assert_true(all.mark_x == 2 && all.mark_y == 3 && all.op == one.op);
    for (int s = 0; s < SYSTEMS; s++) {
        const struct qp_problem view = qp_problem_system(&all, s);
        for (int i = 0; i < one.op->fields; i++)
            assert_memory_equal(view.field[i].values, one.field[i].values, CELLS * sizeof(float));
    }
    qp_problem_destroy(&all);
    qp_problem_destroy(&one);
    assert_null(one.op);
    qp_problem_destroy(NULL);
}

/* ---- Fields and places ---- */

TEST(fields_have_names)
{
    struct qp_problem problem;
    assert_ok(qp_problem_create(&(struct qp_problem_desc){.width = 2, .height = 2}, &problem));
    for (int i = 0; i < problem.op->fields; i++)
        assert_ptr_equal(qp_problem_field(&problem, problem.op->field[i].name), &problem.field[i]);
    assert_null(qp_problem_field(&problem, "nothing"));
    assert_null(qp_problem_field(&problem, NULL));
    assert_null(qp_problem_field(NULL, "x"));
    assert_null(qp_problem_field(&(struct qp_problem){0}, "x"));
    struct qp_problem part = problem;
    part.window.of = &problem;
    part.window.x = 1;
    part.window.y = 5;
    assert_int_equal(qp_problem_place(&part, 1, 3), (3 + 5) * 2 + 1 + 1);
    assert_int_equal(qp_problem_place(&problem, 1, 3), 3 * 2 + 1);
    assert_ptr_equal(qp_problem_whole(&part), &problem);
    assert_ptr_equal(qp_problem_whole(&problem), &problem);
    qp_problem_destroy(&problem);
}

/* ---- Refusals ---- */

TEST(what_is_no_problem)
{
    static const struct {
        struct qp_problem_desc desc;
        const char *sentence;
    } cases[] = {
        {{.width = -1, .height = 4}, "-1 x 4 cells are no grid; both must be at least 1"},
        {{.width = 4, .height = -1}, "4 x -1 cells are no grid; both must be at least 1"},
        {{.width = 1 << 30, .height = 1}, "1073741824 x 1 cells are above the limit of "},
        {{.width = 1, .height = 1 << 30}, "1 x 1073741824 cells are above the limit of "},
        {{.width = 4, .height = 4, .systems = -1}, "-1 systems cannot be made"},
        {{.width = 4, .height = 4, .systems = 2},
         "2 systems do not go together; take 1, or 4 for the channels of a texel"},
        {{.width = 4, .height = 1 << 27, .systems = 4}, " cells are above the limit of "},
        {{.width = 4, .height = 4, .weight = -0.5},
         "a weight of -0.5 is of no use; it must lie between 0 and 2"},
        {{.width = 4, .height = 4, .weight = 2.0}, "a weight of 2 is of no use"},
        {{.width = 4, .height = 4, .weight = NAN}, "nan is of no use"},
        {{.width = 4, .height = 4, .condition = -1.0}, "there is no matrix of condition -1"},
        {{.width = 4, .height = 4, .condition = INFINITY}, "there is no matrix of condition inf"},
        {{.width = 4, .height = 4, .parameter = 3}, "jacobi9 takes no parameter"},
        {{.width = 4, .height = 4, .kind = "nothing"},
         "jacobi9 has no problem 'nothing'; it has random, wraps, "},
    };
    for (int i = 0; i < COUNT(cases); i++) {
        struct qp_problem problem;
        if (qp_problem_create(&cases[i].desc, &problem) != QP_BAD_USE)
            fail_msg("case %d is taken, or: %s", i, qp_error());
        support_assert_sentence("stage 1, problem: ");
        support_assert_sentence(cases[i].sentence);
        assert_null(problem.op);
    }
}

/* A kind's parameter is taken from its least to its most, and is the usual one where none is
 * given. */
TEST(parameters_have_a_range)
{
    int tried = 0;
    for (int i = 0; qp_op_at(i) != NULL; i++) {
        const struct qp_op *op = qp_op_at(i);
        for (const struct qp_kind *kind = op->kinds; kind != NULL && kind->name != NULL; kind++) {
            const struct qp_range *range = &kind->range;
            char sentence[256];
            if (range->what == NULL)
                continue;
            tried++;
            assert_ok(qp_problem_check_parameter(op, kind->name, range->least));
            assert_ok(qp_problem_check_parameter(op, kind->name, range->most));
            for (int end = 0; end < 2; end++) {
                const int wrong = end ? range->most + 1 : range->least - 1;
                assert_int_equal(qp_problem_check_parameter(op, kind->name, wrong), QP_BAD_USE);
                snprintf(sentence, sizeof sentence,
                         "stage 1, problem: the parameter of '%s' (%s) lies between %d and %d, it "
                         "cannot be %d",
                         kind->name, range->what, range->least, range->most, wrong);
                assert_string_equal(qp_error(), sentence);
            }
        }
    }
    assert_true(tried > 0);
}
