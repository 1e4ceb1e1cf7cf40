/* SPDX-License-Identifier: MIT */
/* Places of parts: every cell is owned once, every halo by the neighbours it is taken from, and a
 * user's wish is kept or refused. */
#include "support/parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/engines/choose.h"
#include "lab/ops/poisson5/poisson5.h"
#include "lab/plan/plan.h"

/* A plan in stage 2: nothing runs, so that no device is needed. */
static enum qp_status cut(const char *row, const struct qp_problem *problem,
                          struct qp_parts_desc wanted, struct qp_plan **plan)
{
    const struct qp_walk_desc desc = {.parts = wanted};
    const struct qp_variant *variant = qp_variant_find(row);
    struct qp_plan outline = qp_plan_outline(variant, problem);
    outline.engine = variant->recipe->engine;
    return qp_plan_make(&outline, &desc, plan);
}

/* Cells that stay together: texels of all sheets and, of colours, two rows. */
static int unit_of(const struct qp_plan_parts *parts, bool across)
{
    int unit = across || parts->variant->multiple == 0 ? 1 : parts->variant->multiple;
    for (int k = 0; k < 2 && parts->variant->runs[k].name != NULL; k++) {
        const struct qp_shape shape = qp_parts_run(parts->variant, k)->state;
        const struct qp_layout layout = qp_layout_make(shape, 64, 64, 1);
        const int each = across ? layout.neighbours : layout.rows * layout.sheets;
        unit = each > unit ? each : unit; /* all are powers of two */
    }
    return unit;
}

static bool holds(const struct qp_part_area *area, int y)
{
    return y >= area->y && y < area->y + area->height;
}

/* A strip's halo is what its own steps reach, up to the border of the grid, and its neighbours own
 * it. */
static void check_strip(const struct qp_plan *plan, int k)
{
    const struct qp_plan_parts *parts = qp_parts_of(plan);
    const struct qp_plan_part *part = &parts->part[k];
    const struct qp_plan_part *below = qp_parts_neighbour(parts, k, 0, -1);
    const struct qp_plan_part *above = qp_parts_neighbour(parts, k, 0, 1);
    const int reach = parts->variant->reach > 0 ? parts->variant->reach : 1;
    const int rows = parts->depth * reach + parts->variant->measures;
    assert_true(part->own.width == plan->problem->width && part->all.width == part->own.width);
    assert_true(part->own.height >= 1 && part->own.y % unit_of(parts, false) == 0);
    assert_true(part->all.y % unit_of(parts, false) == 0);
    assert_true(part->all.y >= 0 && part->all.y + part->all.height <= plan->problem->height);
    for (int y = 0; y < plan->problem->height; y++) {
        const bool near = y >= part->own.y - rows && y < part->own.y + part->own.height + rows;
        if (near)
            assert_true(holds(&part->all, y));
        if (holds(&part->all, y) && !holds(&part->own, y)) {
            const struct qp_plan_part *owner = y < part->own.y ? below : above;
            if (owner == NULL || !holds(&owner->own, y))
                fail_msg("%s, %d rows, %d parts, depth %d: nobody beside part %d owns row %d",
                         plan->variant->name, plan->problem->height, parts->count, parts->depth, k,
                         y);
            assert_true(y >= part->own.y - parts->halo &&
                        y < part->own.y + part->own.height + parts->halo);
        }
    }
    assert_ptr_equal(part->problem.window.of, plan->problem);
    assert_true(part->problem.window.x == part->all.x && part->problem.window.y == part->all.y);
    assert_true(part->problem.width == part->all.width && part->problem.height == part->all.height);
}

/* Strips follow one another from row 0 to the last, none empty. */
static void check_strips(const struct qp_plan *plan)
{
    const struct qp_plan_parts *parts = qp_parts_of(plan);
    int y = 0;
    assert_true(parts->across == 1 && parts->count == parts->up && parts->depth >= 1);
    for (int k = 0; k < parts->count; k++) {
        assert_int_equal(parts->part[k].own.y, y);
        y += parts->part[k].own.height;
        check_strip(plan, k);
    }
    assert_int_equal(y, plan->problem->height);
}

/* Variants of one cell, of texels in eight sheets, and of two colours, in one form or two at
 * once. */
static const char *const rows[] = {"poisson5/parts_sequential", "poisson5/parts_rgba",
                                   "poisson5/parts_fused4",     "poisson5/parts_red_black",
                                   "poisson5/hybrid_rgba",      "poisson5/hybrid_fused4",
                                   "poisson5/hybrid_red_black"};

TEST(every_cell_is_owned_once)
{
    static const int heights[] = {1, 2, 3, 7, 8, 9, 16, 37, 64};
    for (int i = 0; i < COUNT(rows) * COUNT(heights); i++) {
        const int height = heights[i / COUNT(rows)];
        struct qp_problem problem = parts_problem("spike", 13, height, 0.0);
        for (int k = 0; k < 9 * 9; k++) {
            const struct qp_parts_desc wanted = {.count = k / 9, .depth = k % 9};
            struct qp_plan *plan;
            const enum qp_status status = cut(rows[i % COUNT(rows)], &problem, wanted, &plan);
            assert_int_equal(status, wanted.count > height ? QP_UNSUPPORTED : QP_OK);
            if (status == QP_OK)
                check_strips(plan);
            if (wanted.count == 0) /* the default */
                assert_true(qp_parts_of(plan)->count <= 2);
            qp_plan_destroy(&plan);
        }
        qp_problem_destroy(&problem);
    }
}

/* Strips are as many as asked for, alike to one unit, where each can own the halo that one step
 * needs: three rows with colours. */
TEST(strips_are_as_many_and_alike)
{
    for (int i = 0; i < 4 * 16; i++) {
        struct qp_problem problem = parts_problem("spike", 3, 41, 0.0);
        const int wanted = 1 + i / 4;
        struct qp_plan *plan;
        assert_ok(cut(rows[i % 4], &problem, (struct qp_parts_desc){.count = wanted}, &plan));
        const struct qp_plan_parts *parts = qp_parts_of(plan);
        const int unit = unit_of(parts, false), units = (41 + unit - 1) / unit;
        const int most = parts->variant->measures ? units / 2 : units;
        assert_int_equal(parts->count, wanted < most ? wanted : most);
        for (int k = 0; k < parts->count; k++)
            assert_in_range((parts->part[k].own.height + unit - 1) / unit, units / parts->count,
                            (units + parts->count - 1) / parts->count);
        qp_plan_destroy(&plan);
        qp_problem_destroy(&problem);
    }
}

TEST(more_parts_than_rows_are_refused)
{
    struct qp_problem problem = parts_problem("spike", 64, 5, 0.0);
    struct qp_plan *plan;
    assert_int_equal(cut(rows[0], &problem, (struct qp_parts_desc){.count = 6}, &plan),
                     QP_UNSUPPORTED);
    support_assert_sentence("cannot cut 5 rows into 6 parts; take fewer");
    qp_plan_destroy(&plan);
    assert_ok(cut(rows[0], &problem, (struct qp_parts_desc){.count = 5}, &plan));
    assert_int_equal(qp_parts_of(plan)->count, 5);
    qp_plan_destroy(&plan);
    qp_problem_destroy(&problem);
}

/* Depths are kept as long as inner parts own a neighbour's halo, and lowered else to the most that
 * they do. */
TEST(depths_fit_the_parts)
{
    static const struct {
        const char *row;
        int height, count, wanted, depth;
    } cases[] = {
        {"poisson5/parts_sequential", 40, 4, 0, 1},   {"poisson5/parts_sequential", 40, 4, 10, 10},
        {"poisson5/parts_sequential", 40, 4, 11, 10}, {"poisson5/parts_sequential", 41, 4, 30, 10},
        {"poisson5/parts_sequential", 40, 2, 30, 30}, {"poisson5/parts_sequential", 40, 2, 50, 40},
        {"poisson5/parts_sequential", 3, 3, 8, 1},    {"poisson5/parts_fused4", 64, 2, 0, 16},
        {"poisson5/parts_fused4", 64, 4, 0, 16},      {"poisson5/parts_fused4", 64, 4, 17, 16},
        {"poisson5/parts_red_black", 40, 4, 0, 1},    {"poisson5/parts_red_black", 40, 4, 9, 4},
    };
    for (int i = 0; i < COUNT(cases); i++) {
        struct qp_problem problem = parts_problem("spike", 9, cases[i].height, 0.0);
        const struct qp_parts_desc wanted = {.count = cases[i].count, .depth = cases[i].wanted};
        struct qp_plan *plan;
        assert_ok(cut(cases[i].row, &problem, wanted, &plan));
        if (qp_parts_of(plan)->depth != cases[i].depth)
            fail_msg("case %d: depth %d", i, qp_parts_of(plan)->depth);
        qp_plan_destroy(&plan);
        qp_problem_destroy(&problem);
    }
}

/* Rows that the CPU has of a hybrid grid; 0 for none, and what the run says of it. */
static void check_split(const char *row, int height, int split, int rows_of_cpu)
{
    struct qp_problem problem = parts_problem("spike", 9, height, 0.0);
    struct qp_plan *plan;
    assert_ok(cut(row, &problem, (struct qp_parts_desc){.split = split}, &plan));
    const struct qp_plan_parts *parts = qp_parts_of(plan);
    int found = 0;
    for (int k = 0; k < parts->count; k++) {
        const bool on_cpu = parts->part[k].variant.backend == QP_CPU;
        assert_ptr_equal(parts->part[k].variant.recipe, qp_parts_run(parts->variant, !on_cpu));
        found += on_cpu ? parts->part[k].own.height : 0;
    }
    if (found != rows_of_cpu)
        fail_msg("%s, %d rows, split %d: %d on the CPU", row, height, split, found);
    check_strips(plan);
    assert_int_equal(plan->engine->parts(plan).split, rows_of_cpu > 0 ? rows_of_cpu : -1);
    assert_int_equal(plan->engine->parts(plan).count,
                     rows_of_cpu == 0 || rows_of_cpu == height ? 1 : 2);
    qp_plan_destroy(&plan);
    qp_problem_destroy(&problem);
}

TEST(splits_go_from_none_to_all)
{
    for (int split = 1; split < 13; split++)
        check_split("poisson5/hybrid_rgba", 13, split, split);
    check_split("poisson5/hybrid_rgba", 13, 0, 6);
    check_split("poisson5/hybrid_rgba", 13, -1, 0);
    check_split("poisson5/hybrid_rgba", 13, -7, 0);
    check_split("poisson5/hybrid_rgba", 13, 13, 13);
    check_split("poisson5/hybrid_rgba", 13, 99, 13);
    check_split("poisson5/hybrid_fused4", 64, 24, 24); /* multiples of eight, the nearest */
    check_split("poisson5/hybrid_fused4", 64, 27, 24);
    check_split("poisson5/hybrid_fused4", 64, 28, 32);
    check_split("poisson5/hybrid_fused4", 64, 2, 0);
    check_split("poisson5/hybrid_fused4", 61, 60, 61);
    check_split("poisson5/hybrid_red_black", 12, 5, 6);
    check_split("poisson5/hybrid_red_black", 12, 12, 12);
}

/* Variants that parts run have an engine that computes parts. */
TEST(runs_compute_parts)
{
    int runs = 0;
    for (size_t i = 0; i < qp_variant_count(); i++) {
        const struct qp_variant *variant = qp_variant_at(i);
        const bool parts = variant->recipe->engine == &qp_engine_parts;
        for (int k = 0; parts && k < 2 && parts_variant(variant)->runs[k].name != NULL;
             k++, runs++) {
            const struct qp_variant *run = qp_variant_find(parts_variant(variant)->runs[k].name);
            if (qp_engine_of(run)->rows == NULL)
                fail_msg("%s: what runs %d has no rows to give", variant->name, k);
        }
    }
    assert_true(runs > 10);
}
